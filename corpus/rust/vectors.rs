//! Vectors, boxes and counted references: memory that the function itself allocates, grows, sorts, shares and frees.
#![crate_type = "lib"]

use std::cell::RefCell;
use std::rc::Rc;

unsafe extern "C" {
    fn __enzyme_autodiff(f: *const (), ...) -> f64;
    static enzyme_dup: i32;
    static enzyme_const: i32;
}

#[unsafe(no_mangle)]
#[inline(never)]
pub unsafe extern "C" fn smoothed(x: *const f64, n: usize, steps: usize) -> f64 {
    let mut state: Vec<f64> = unsafe { std::slice::from_raw_parts(x, n) }.to_vec();
    let mut history = Vec::new();
    for step in 0..steps {
        let next: Vec<f64> =
            (0..n).map(|i| 0.5 * state[i] + 0.25 * (state[(i + 1) % n] * state[(i + n - 1) % n])).collect();
        history.push(next.iter().map(|v| v * v).sum::<f64>() / (step + 1) as f64);
        state = next;
    }
    let shared = Rc::new(RefCell::new(history.clone()));
    let other = Rc::clone(&shared);
    for value in other.borrow_mut().iter_mut() {
        *value = value.sqrt();
    }
    history.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let ranked: f64 = history.iter().enumerate().map(|(rank, value)| (rank + 1) as f64 * value).sum();
    let weight = Box::new(ranked + shared.borrow().iter().product::<f64>());
    *weight * state[0]
}

#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let x = vec![1.0f64, 0.5, 0.25, 0.75];
    let mut dx = vec![0.0f64; 4];
    unsafe {
        __enzyme_autodiff(
            smoothed as *const (),
            &raw const enzyme_dup,
            x.as_ptr(),
            dx.as_mut_ptr(),
            &raw const enzyme_const,
            x.len(),
            3usize,
        );
    }
    0
}
