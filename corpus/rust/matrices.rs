//! Constant generics, arrays of arrays, forward mode.
#![crate_type = "lib"]

unsafe extern "C" {
    fn __enzyme_fwddiff(f: *const (), ...) -> f64;
    static enzyme_dup: i32;
}

struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

impl<const R: usize, const C: usize> Matrix<R, C> {
    fn times<const K: usize>(&self, other: &Matrix<C, K>) -> Matrix<R, K> {
        let mut out = Matrix([[0.0; K]; R]);
        for (row, to) in self.0.iter().zip(&mut out.0) {
            for (k, cell) in to.iter_mut().enumerate() {
                *cell = row.iter().zip(&other.0).map(|(a, b)| a * b[k]).sum();
            }
        }
        out
    }

    fn norm(&self) -> f64 {
        self.0.iter().flatten().map(|x| x * x).sum::<f64>().sqrt()
    }
}

#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn size(x: &[[f64; 3]; 2]) -> f64 {
    let a = Matrix(*x);
    let b = Matrix([[1.0, 2.0], [0.5, -1.0], [3.0, x[0][0]]]);
    a.times(&b).times(&a).norm()
}

#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let x = [[1.0, 2.0, 3.0], [0.25, -1.0, 2.0]];
    let dx = [[1.0, 0.0, 0.5], [0.0, 2.0, 0.0]];
    unsafe {
        __enzyme_fwddiff(size as *const (), &raw const enzyme_dup, &raw const x, &raw const dx);
    }
    0
}
