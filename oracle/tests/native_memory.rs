//! What loaded gradients keep: no call leaves more than the one before, and a library that is closed gives its tapes
//! back. The process is measured, so this is its only test.

#![allow(unsafe_code, reason = "loaded gradients are called")]

use adjudicate::load;
use adjudicate::native::gradient;

/// The tape holds a number for each step.
const SOURCE: &str = "
#include <math.h>
double f(const double *x, int n) {
  double y = x[0];
  for (int i = 1; i < n; i++) y = sin(y * x[i]) + y;
  return y;
}
";

/// Memory of the process, in MiB.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = text.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096 / (1 << 20)
}

#[test]
fn memory_does_not_grow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.c");
    std::fs::write(&path, SOURCE).unwrap();
    type Gradient = unsafe extern "C" fn(*const f64, *mut f64, i32, f64);
    let open = || {
        let library = load(&path).with(gradient("f").dup().constant()).open().unwrap();
        library.gradient::<Gradient>("f").unwrap()
    };
    let x = vec![0.5; 4 << 20];
    let mut dx = vec![0.0; x.len()];
    let mut call = |df: &Gradient, n: usize| {
        assert!(n <= x.len());
        // SAFETY: arrays of at least `n` elements.
        unsafe { df(x.as_ptr(), dx.as_mut_ptr(), n as i32, 1.0) };
    };

    // A thousand tapes of 256 KiB and more: 250 MiB if they stayed.
    let df = open();
    call(&df, 32 << 10);
    let before = resident();
    (0..1000).for_each(|_| call(&df, 32 << 10));
    let after = resident();
    assert!(after <= before + 16, "{before} MiB before a thousand calls, {after} MiB after");

    // Tapes of 32 MiB and more, kept until the library is closed.
    call(&df, 4 << 20);
    drop(df);
    let closed = resident();
    for _ in 0..4 {
        let df = open();
        call(&df, 4 << 20);
    }
    let after = resident();
    assert!(after <= closed + 24, "{closed} MiB when no library is open, {after} MiB after four more");
}
