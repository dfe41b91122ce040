//! Native programs with threads.

use super::Finding;
use adjudicate::Level;
use adjudicate::report::LevelReport;
use adjudicate::session;
use llvm::native::{LinkOptions, RunLimits};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// How a module is linked.
pub(super) fn link(threads: bool) -> LinkOptions {
    let mut options = LinkOptions::default();
    if threads {
        options.libraries.push(":libomp.so.5".to_owned());
    }
    options
}

/// A native program, and the sizes of teams that it is run with; none for a program without threads.
pub(super) struct Native<'a> {
    pub path: &'a Path,
    pub teams: &'a [usize],
}

/// The native program with teams of some size. What threads add up, they add up in any order: numbers agree but for
/// rounding.
pub(super) fn in_teams(
    native: &Native<'_>,
    threads: usize,
    session: &session::Options,
    level: Level,
    report: &LevelReport,
) -> Option<Finding> {
    let of = |name: &str, value: usize| format!("{name}={value}");
    let settings = [of("OMP_NUM_THREADS", threads), of("OMP_MAX_ACTIVE_LEVELS", 2)];
    let mut args: Vec<OsString> = settings.into_iter().map(Into::into).collect();
    args.push(native.path.into());
    args.extend(session.args.iter().map(Into::into));
    let limits = RunLimits { timeout: Duration::from_secs(20), ..RunLimits::default() };
    match llvm::native::run(Path::new("/usr/bin/env"), &args, &[], &limits) {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            if output.exit != llvm::Exit::Code(0) {
                let message = format!("the native program ends with {:?}", output.exit);
                let full = format!("{message}, with {threads} threads\n{}", String::from_utf8_lossy(&output.stderr));
                return Some(Finding::new("native", &message, level, full));
            }
            let (line, other) = different(&report.stdout, &text)?;
            let message = "native code prints other numbers";
            let full = format!("{message}, with {threads} threads: {other} for {line}");
            Some(Finding::new("native", message, level, full))
        }
        Err(error) => Some(Finding::new("environment", &error.to_string(), level, error.to_string())),
    }
}

/// The first lines that differ by more than rounding.
fn different(a: &str, b: &str) -> Option<(String, String)> {
    // Some numbers are in single precision, and terms may cancel.
    const ROUNDING: f64 = 2e-5;
    let close = |a: &str, b: &str| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => {
            (a - b).abs() <= ROUNDING * (1.0 + a.abs().max(b.abs())) || a.is_nan() && b.is_nan() || a == b
        }
        _ => a == b,
    };
    let same = |a: &str, b: &str| {
        a.split(' ').count() == b.split(' ').count() && a.split(' ').zip(b.split(' ')).all(|(a, b)| close(a, b))
    };
    if a.lines().count() != b.lines().count() {
        return Some((format!("{} lines", a.lines().count()), format!("{} lines", b.lines().count())));
    }
    let found = a.lines().zip(b.lines()).find(|(a, b)| !same(a, b))?;
    Some((found.0.to_owned(), found.1.to_owned()))
}
