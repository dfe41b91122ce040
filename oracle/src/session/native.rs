//! The same program with the same gradients, compiled and run natively: it must print what the interpreter printed.

use crate::report::{Ending, Finding, LevelReport};
use crate::verdict::Verdict;
use ir::Module;
use llvm::Exit;
use llvm::native::{LinkOptions, Output, RunLimits, build_executable, run};

/// Builds the module as it stands, runs it, and adds what differs to the report.
pub fn check(module: &Module, args: &[String], report: &mut LevelReport) {
    match execute(module, args) {
        Ok(native) => report.problems.extend(compare(&native, report)),
        Err(error) => {
            let message = format!("the native program could not be made: {error}");
            report.problems.push(Finding::new(Verdict::Unsupported, message));
        }
    }
}

fn execute(module: &Module, args: &[String]) -> Result<Output, String> {
    let folder = tempfile::Builder::new().prefix("adj-native-").tempdir().map_err(|e| e.to_string())?;
    let program = folder.path().join("program");
    let text = module.to_string();
    build_executable(text.as_bytes(), &program, &LinkOptions::default()).map_err(|e| e.to_string())?;
    let args: Vec<_> = args.iter().map(Into::into).collect();
    run(&program, &args, &[], &RunLimits::default()).map_err(|e| e.to_string())
}

/// What differs between a native run and the interpreted one.
pub fn compare(native: &Output, report: &LevelReport) -> Option<Finding> {
    let Ending::Finished { status } = report.ending else { return None };
    if native.timed_out {
        return Some(Finding::new(Verdict::Resource, "the native program did not end in time"));
    }
    let wrong = |message| Some(Finding::new(Verdict::Wrong, message));
    let theirs = String::from_utf8_lossy(&native.stdout);
    if theirs != report.stdout {
        let mut lines = theirs.lines().zip(report.stdout.lines()).enumerate();
        let place = lines.find(|(_, (a, b))| a != b);
        return wrong(match place {
            Some((line, (theirs, ours))) => {
                format!("the native program prints `{theirs}` on line {}, the interpreted one `{ours}`", line + 1)
            }
            None => format!(
                "the native program prints {} lines, the interpreted one {}",
                theirs.lines().count(),
                report.stdout.lines().count()
            ),
        });
    }
    match native.exit {
        Exit::Code(code) if code == status => None,
        Exit::Signal(signal) if status == 128 + signal => None,
        Exit::Code(code) => {
            wrong(format!("the native program ends with status {code}, the interpreted one with {status}"))
        }
        Exit::Signal(signal) => {
            wrong(format!("the native program dies of signal {signal}, the interpreted one ends with {status}"))
        }
    }
}
