//! Programs that carry themselves as IR and are judged when they are run: `adj cc --verify`.
//!
//! The program executes in the interpreter from `main`, with the arguments, standard input and files that it was run
//! with; the first executions of each differentiated call are judged, as in `adj check`, on the memory that they find,
//! and the program goes on with the results of its gradients. These are made of the text that the compiler made them
//! of, with the same choices, so that they are those of the native program before the last optimisation.
//!
//! It executes once, since what it reads and writes cannot be undone: where a gradient is wrong, it is not executed
//! again with gradients in which each instruction has a reverse of its own, as `adj check` does to find the place.

use crate::check::finish;
use crate::error::Error;
use crate::report::{Ending, Report};
use crate::requirements::require_main;
use crate::session::{Options, Prepared};
use ad::{Lever, Without};
use std::convert::Infallible;
use std::path::Path;

/// The exit code of a program that could not be judged.
const UNJUDGED: u8 = 3;

/// Levers with which several instructions may have one reverse.
const APART: [Lever; 2] = [Lever::Cells, Lever::Alignment];

/// What a program is told of its differentiation, in a line that [`understood`] reads.
pub(crate) fn told(first: u64, without: Without) -> String {
    let levers = Lever::ALL.into_iter().filter(|(lever, _)| without.has(*lever)).map(|(_, name)| name);
    format!("first={first} without={}", levers.collect::<Vec<_>>().join(","))
}

/// The executions that are judged of each call, and the levers to go without.
fn understood(told: &str) -> Option<(u64, Without)> {
    let (first, levers) = told.strip_prefix("first=")?.split_once(" without=")?;
    let levers = levers.split(',').filter(|name| !name.is_empty());
    let without = levers.map(Lever::parse).try_fold(Without::default(), |all, lever| Some(all.and(lever?)))?;
    Some((first.parse().ok()?, without))
}

/// How a judged program ended.
#[derive(Debug)]
pub struct Ended {
    /// What was found.
    pub report: Report,
    /// The program's own status, if it came to its end.
    pub status: Option<i32>,
    /// Each instruction had a reverse of its own, so that a place that is told is exact.
    pub apart: bool,
}

impl Ended {
    /// The exit code: that of the report, if it is not that all is well; else the program's.
    pub fn exit_code(&self) -> u8 {
        match (self.report.exit_code(), self.status) {
            // As a shell sees it: the low eight bits.
            (0, Some(status)) => status as u8,
            (0, None) => UNJUDGED,
            (code, _) => code,
        }
    }
}

/// Runs a program that carries itself under the name that it was called by, and judges it. Its streams are our own. How
/// often each call is judged, the program says itself, unless `first` does.
pub fn judge(program: &Path, name: &str, first: Option<u64>, options: Options) -> Result<Ended, Error> {
    let file = program.display().to_string();
    let Some(carried) = llvm::driver::carried(program)? else {
        return Err(Error::Unsupported(format!("{file}: it was not built with `adj cc --verify`")));
    };
    let Some((told, without)) = understood(&carried.told) else {
        return Err(Error::Unsupported(format!("{file}: it was built by another version of `adj`")));
    };
    if require_main(&carried.module, &file).is_err() {
        let message =
            format!("{file}: `main` is in a file that was not compiled by `adj`, so the program cannot be judged");
        return Err(Error::Unsupported(message));
    }
    let output = ad::differentiate(carried.module, &ad::Options { without, ..ad::Options::default() });
    let options = Options { first: first.unwrap_or(told), budget: 0, standard: true, ..options };
    let prepared = Prepared::of(output);
    let run = |options: &Options| Ok::<_, Infallible>(prepared.run(&carried.level, name, options, &|_| {}));
    let Ok(level) = options.each_run(run);
    let status = match level.ending {
        Ending::Finished { status } => Some(status),
        _ => None,
    };
    let apart = APART.into_iter().all(|lever| without.has(lever));
    Ok(Ended { report: finish(name, vec![level]), status, apart })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_understood() {
        let without = Without::default().and(Lever::Promotion).and(Lever::Errno);
        assert_eq!(understood(&told(7, without)), Some((7, without)));
        assert_eq!(understood(&told(3, Without::default())), Some((3, Without::default())));
        for other in ["", "first=3", "first=x without=", "first=3 without=nothing"] {
            assert_eq!(understood(other), None, "{other}");
        }
    }
}
