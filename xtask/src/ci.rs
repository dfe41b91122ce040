//! The tasks that guard the code base: tests, benchmarks, and everything in one.

use crate::process::{self, Failure};
use crate::{generated, map, setup, tidy};
use std::path::Path;

/// Every test of the workspace, to the end even when one fails; `extra` goes to `cargo test`.
pub fn test(root: &Path, extra: &[String]) -> Result<(), Failure> {
    process::run(process::cargo(root, &["test", "--workspace", "--no-fail-fast"]).args(extra))
}

/// The benchmarks; `extra` goes to `cargo bench`.
pub fn bench(root: &Path, extra: &[String]) -> Result<(), Failure> {
    process::run(process::cargo(root, &["bench", "-p", "benches"]).args(extra))
}

/// The checks of [`tidy`], each finding on a line of its own.
pub fn tidy(root: &Path) -> Result<(), Failure> {
    let findings = tidy::check(root)?;
    for finding in &findings {
        eprintln!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        count => Err(Failure::Check(format!("tidy: {count} finding(s)"))),
    }
}

/// What every change has to pass, cheapest first.
pub fn all(root: &Path) -> Result<(), Failure> {
    setup::ensure()?;
    process::run(&mut process::cargo(root, &["fmt", "--all", "--check"]))?;
    tidy(root)?;
    let lints = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    process::run(&mut process::cargo(root, &lints))?;
    generated::check(root)?;
    map::check(root)?;
    test(root, &[])
}
