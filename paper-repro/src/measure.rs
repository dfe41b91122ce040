//! Answers first, then times.
//!
//! A program compares its whole gradient with its hand-written adjoint before it measures. What runs side by side is
//! interleaved: the builds take turns, and within a run primal, gradient and hand-written adjoint do. The figure is the
//! median of all rounds, so that a moment in which the machine does something else costs nobody's row.

use crate::programs::Program;
use adjudicate::Severity;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The largest relative difference from the hand-written adjoint, of a component against itself or against a thousandth
/// of the largest one. Ten thousand steps of a chaotic system, or sums of a thousand terms that cancel, leave ten
/// digits in either order of evaluation; a wrong term is a difference in the first ones.
pub const TOLERANCE: f64 = 1e-9;

/// An input of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its size, as the program counts it.
    pub size: u64,
    /// The file it is read from; else it is generated.
    pub file: Option<PathBuf>,
}

impl From<u64> for Input {
    fn from(size: u64) -> Input {
        Input { size, file: None }
    }
}

/// What a build did on one input.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Length of the gradient.
    pub length: u64,
    /// The largest difference from the hand-written adjoint, in units of the last place.
    pub max_ulp: f64,
    /// The same as a ratio.
    pub max_rel: f64,
    /// Bytes of the heap at the most: primal, gradient, hand-written adjoint.
    pub peak: [f64; 3],
    /// Seconds of each round: primal, gradient, hand-written adjoint.
    pub rounds: Vec<[f64; 3]>,
}

impl Sample {
    /// The medians of the rounds.
    pub fn medians(&self) -> [f64; 3] {
        [0, 1, 2].map(|what| median(self.rounds.iter().map(|r| r[what]).collect()))
    }

    /// The spread of the rounds of the gradient: the distance between the quartiles, relative to the median.
    pub fn spread(&self) -> f64 {
        let mut times: Vec<f64> = self.rounds.iter().map(|r| r[1]).collect();
        times.sort_by(f64::total_cmp);
        let at = |part: usize| times.get(times.len() * part / 4).copied().unwrap_or(f64::NAN);
        (at(3) - at(1)) / median(times.clone())
    }
}

/// The median; not a number of nothing.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => 0.5 * (values[n / 2 - 1] + values[n / 2]),
    }
}

/// The geometric mean; not a number of nothing.
pub fn geomean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value.ln();
        count += 1.0;
    }
    (sum / count).exp()
}

/// How often builds are run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How often each build is run; they take turns.
    pub turns: u64,
    /// Rounds of each run.
    pub rounds: u64,
}

impl Plan {
    /// A quick one, or that of the whole measurement.
    pub fn of(quick: bool) -> Plan {
        let times = if quick { 3 } else { 5 };
        Plan { turns: times, rounds: times }
    }
}

/// How long one run of a program may take.
const LIMIT: Duration = Duration::from_secs(300);

/// Runs builds in turns on one input; a build that could not be made, failed or was wrong once has no sample.
pub fn interleaved(built: &[Result<PathBuf, String>], input: &Input, plan: Plan) -> Vec<Result<Sample, String>> {
    let start = |b: &Result<PathBuf, String>| b.as_ref().map(|_| Sample::default()).map_err(Clone::clone);
    let mut samples: Vec<Result<Sample, String>> = built.iter().map(start).collect();
    for _ in 0..plan.turns {
        for (sample, executable) in samples.iter_mut().zip(built) {
            if let (Ok(so_far), Ok(path)) = (&mut *sample, executable)
                && let Err(error) = run(path, input, plan.rounds, LIMIT, so_far)
            {
                *sample = Err(error);
            }
        }
    }
    samples
}

/// The oracle's judgement of a program's gradient on its sample.
pub fn judged(folder: &Path, program: &Program) -> Result<(), String> {
    let args = ["check".to_owned(), program.sample.to_string()];
    let check = adjudicate::check(folder.join(program.file)).levels(["O2"]).args(args);
    let report = check.run().map_err(|error| error.to_string())?;
    let gradients: usize = report.levels.iter().map(|level| level.gradients.len()).sum();
    match report.severity() <= Severity::Note && gradients > 0 {
        true => Ok(()),
        false => Err(format!("the oracle says of the sample: {}", report.verdict)),
    }
}

/// Runs a build once, which checks its answer, and adds its rounds to the sample.
pub fn run(executable: &Path, input: &Input, rounds: u64, limit: Duration, into: &mut Sample) -> Result<(), String> {
    let mut command = Command::new(executable);
    match &input.file {
        Some(file) => command.arg("file").arg(file),
        None => command.args(["time", &input.size.to_string()]),
    };
    command.arg(rounds.to_string());
    // Some tools write their tapes into the current folder.
    if let Some(folder) = executable.parent() {
        command.current_dir(folder);
    }
    let printed = within(&mut command, limit)?;
    let more = parse(&printed)?;
    let right = more.max_rel <= TOLERANCE;
    if !right {
        return Err(format!("wrong gradient: {:.3e} off the hand-written adjoint, relatively", more.max_rel));
    }
    let mut rounds = std::mem::take(&mut into.rounds);
    rounds.extend(more.rounds.iter().copied());
    *into = Sample { rounds, ..more };
    Ok(())
}

/// What a command prints, if it ends well and in time.
pub(crate) fn within(command: &mut Command, limit: Duration) -> Result<String, String> {
    let failed = |error: std::io::Error| error.to_string();
    // What it says of errors goes to a file, because nobody reads it while it runs.
    let mut said = tempfile::tempfile().map_err(failed)?;
    let errors = said.try_clone().map_err(failed)?;
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors).spawn().map_err(failed)?;
    let start = Instant::now();
    // The output is a few lines: it fits into the pipe.
    while child.try_wait().map_err(failed)?.is_none() {
        if start.elapsed() > limit {
            child.kill().map_err(failed)?;
            child.wait().map_err(failed)?;
            return Err(format!("it did not end within {} s", limit.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        let mut text = String::new();
        let read = said.rewind().and_then(|()| said.read_to_string(&mut text));
        let first = text.lines().next().filter(|_| read.is_ok()).map(|line| format!(": {line}"));
        return Err(format!("the program ended with {}{}", output.status, first.unwrap_or_default()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Reads what a program prints (see `programs/bench.h`).
fn parse(text: &str) -> Result<Sample, String> {
    let mut lines = text.lines().map(|line| {
        let numbers: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
        numbers.ok().and_then(|n| <[f64; 3]>::try_from(n).ok())
    });
    let mut next = || lines.next().flatten();
    let (Some([length, max_ulp, max_rel]), Some(peak)) = (next(), next()) else {
        return Err("the program printed something else than figures".to_owned());
    };
    let rounds: Vec<[f64; 3]> = std::iter::from_fn(next).collect();
    if rounds.is_empty() {
        return Err("the program printed no times".to_owned());
    }
    Ok(Sample { length: length as u64, max_ulp, max_rel, peak, rounds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_and_what_is_none_is_refused() {
        let sample = parse("7 2.5 5e-16\n0 80 16\n1e-3 4e-3 2e-3\n1e-3 6e-3 3e-3\n").unwrap();
        assert_eq!((sample.length, sample.peak[1], sample.rounds.len()), (7, 80.0, 2));
        assert_eq!(sample.medians(), [1e-3, 5e-3, 2.5e-3]);
        for text in ["", "7 1 1\n0 0 0\n", "7 1\n0 0 0\n1 1 1\n", "Killed\n"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn means_are_what_they_are_called() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!((geomean([1.0, 4.0]) - 2.0).abs() < 1e-15);
        assert!(median(Vec::new()).is_nan() && geomean([]).is_nan());
    }

    #[test]
    fn a_wrong_answer_gets_no_time() {
        let folder = tempfile::tempdir().unwrap();
        let script = |name: &str, text: &str| {
            use std::os::unix::fs::PermissionsExt;
            let path = folder.path().join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        let limit = Duration::from_secs(20);
        let print = |first: &str| format!("printf '{first}\\n0 0 0\\n1 2 3\\n'");
        let mut sample = Sample::default();
        for wrong in ["3 9 0.5", "3 9 nan"] {
            let error = run(&script("wrong", &print(wrong)), &1.into(), 1, limit, &mut sample).unwrap_err();
            assert!(error.contains("wrong gradient"), "{error}");
        }
        assert!(
            run(&script("dies", "echo why >&2; exit 3"), &1.into(), 1, limit, &mut sample)
                .unwrap_err()
                .contains("exit status: 3: why")
        );
        let hangs = run(&script("hangs", "exec sleep 60"), &1.into(), 1, Duration::from_millis(100), &mut sample);
        assert!(hangs.unwrap_err().contains("did not end"));
        assert!(sample.rounds.is_empty());
        run(&script("right", &print("3 1 1e-15")), &1.into(), 1, limit, &mut sample).unwrap();
        assert_eq!(sample.rounds, [[1.0, 2.0, 3.0]]);
    }
}
