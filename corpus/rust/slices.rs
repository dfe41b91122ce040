//! Slices: windows, iterators, indices that are checked.
#![crate_type = "lib"]

unsafe extern "C" {
    fn __enzyme_autodiff(f: *const (), ...) -> f64;
    static enzyme_dup: i32;
    static enzyme_const: i32;
}

#[unsafe(no_mangle)]
#[inline(never)]
pub unsafe extern "C" fn energy(x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    let springs: f64 = x.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let mut field = 0.0;
    for i in 0..x.len() {
        field += x[i].sin() * x[x.len() - 1 - i];
    }
    springs + field
}

#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let x = [1.0f64, 2.0, 4.0, 7.0];
    let mut dx = [0.0f64; 4];
    unsafe {
        __enzyme_autodiff(
            energy as *const (),
            &raw const enzyme_dup,
            x.as_ptr(),
            dx.as_mut_ptr(),
            &raw const enzyme_const,
            x.len(),
        );
    }
    0
}
