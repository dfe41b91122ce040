//! The loop of a Taylor series in Rust; `taylor.c` differentiates it.

/// The sum of `x^i / i` for `i` from 1 to `n`.
#[no_mangle]
pub extern "C" fn taylor(x: f64, n: i64) -> f64 {
    (1..=n).map(|i| x.powf(i as f64) / i as f64).sum()
}
