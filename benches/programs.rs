//! The groups of `adj bench`, over the programs of Table 1 of `paper_repro`; what they are compared with is kept where
//! Criterion keeps that of the other benchmarks.
//!
//! `cargo xtask bench --bench programs [-- GROUP/PROGRAM]`

use benches::{Settings, run};
use std::path::PathBuf;

fn main() {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "../target".into(), PathBuf::from);
    let settings = Settings { filter, out: target.join("criterion"), seconds: 2.0 };
    let measured = run(&settings, &|_| {}).expect("every answer is right");
    assert!(measured > 0);
}
