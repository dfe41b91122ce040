//! Moses et al., "Scalable Automatic Differentiation of Multiple Parallel Paradigms through Compiler Augmentation"
//! (SC'22): gradients of one computation in several forms of parallelism, and how they scale.
//!
//! A program compares its gradient with differences in three directions before it measures, and every form's
//! derivatives in these directions are compared with those of the program in series. What runs side by side is
//! interleaved: forms and numbers of threads take turns, and within a run primal and gradient do.

mod figures;
mod forms;

pub use figures::{ABOUT, Length, Row, Sc22};

use crate::measure::{self, Plan, median};
use crate::programs::Watcher;
use ad::{Lever, Without};
use adjudicate::Error;
use adjudicate::driver::Pipeline;
use forms::{FORMS, Form, Kinds, built, folder, form, of_mpicc};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The largest relative difference from central differences of four points.
const DIFFERENCES: f64 = 1e-6;

/// The largest difference from the derivatives in series, relative to the largest of these.
const ORDER_OF_SUMS: f64 = 1e-9;

/// How long one run of a program may take.
const LIMIT: Duration = Duration::from_secs(300);

/// What runs of one form with one team gave.
#[derive(Clone, Debug, Default)]
struct Times {
    /// Length of the gradient.
    length: u64,
    /// The worst relative difference from central differences.
    differences: f64,
    /// The derivatives in a few directions.
    along: Vec<f64>,
    /// Seconds of each round: primal and gradient.
    rounds: Vec<[f64; 2]>,
}

/// Reads what a program prints (see `programs/sc22/threads.h`).
fn parse(text: &str) -> Result<Times, String> {
    let mut lines = text.lines().map(|line| line.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>());
    let mut next = || lines.next().and_then(Result::ok);
    let (Some(first), Some(along)) = (next(), next()) else {
        return Err("the program printed something else than figures".to_owned());
    };
    let rounds: Vec<[f64; 2]> = std::iter::from_fn(|| next()?.try_into().ok()).collect();
    match (&first[..], rounds.is_empty()) {
        ([length, differences, _], false) => {
            Ok(Times { length: *length as u64, differences: *differences, along, rounds })
        }
        _ => Err("the program printed no times".to_owned()),
    }
}

/// Runs a build once, and adds its rounds if its gradient is right.
fn run_once(
    executable: &Path,
    size: u64,
    rounds: u64,
    (form, team): (&Form, (usize, usize)),
    into: &mut Times,
) -> Result<(), String> {
    let mut command = match form.has_processes() {
        true => {
            let mut command = Command::new("mpirun");
            command.args(["--oversubscribe", "--bind-to", "none", "-n", &team.0.to_string()]).arg(executable);
            command
        }
        false => Command::new(executable),
    };
    command.args(["time", &size.to_string(), &rounds.to_string()]).env("OMP_NUM_THREADS", team.1.to_string());
    let more = parse(&measure::within(&mut command, LIMIT)?)?;
    // Not a number is not right either.
    let right = more.differences <= DIFFERENCES;
    if !right {
        return Err(format!("wrong gradient: {:.1e} off differences, relatively", more.differences));
    }
    into.rounds.extend(more.rounds.iter().copied());
    *into = Times { rounds: std::mem::take(&mut into.rounds), ..more };
    Ok(())
}

/// The sizes of a program.
fn size(program: &str, quick: bool) -> u64 {
    match (program, quick) {
        ("hydro", true) => 16,
        ("hydro", false) => 24,
        (_, true) => 256,
        (_, false) => 1024,
    }
}

/// Lengths of vectors.
const LENGTHS: [u64; 7] = [64, 128, 256, 512, 1024, 2048, 4096];
const QUICK_LENGTHS: usize = 5;

/// Measures.
pub fn run(quick: bool, watch: Watcher) -> Result<Sc22, Error> {
    let folder = folder()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut rows = Vec::new();
    for program in ["hydro", "docking"] {
        let forms: Vec<&Form> = FORMS.iter().filter(|form| form.program == program).collect();
        rows.extend(program_rows(folder.path(), &forms, (cores, quick), watch));
    }
    let (lengths, problems) = normalisation(folder.path(), quick, watch);
    Ok(Sc22 { rows, lengths, problems })
}

fn program_rows(folder: &Path, forms: &[&Form], (cores, quick): (usize, bool), watch: Watcher) -> Vec<Row> {
    let (plan, mut runs) = (Plan::of(quick), Vec::new());
    for form in forms {
        watch(&format!("{}, {}: judging a sample and building", form.program, form.name));
        let built = form.judged(folder).and_then(|()| form.build(folder));
        runs.extend(form.teams(cores).into_iter().map(|team| (*form, team, built.clone(), Ok(Times::default()))));
    }
    for turn in 0..plan.turns {
        for (form, team, built, times) in &mut runs {
            watch(&format!("{}, {}, {} by {}: turn {}", form.program, form.name, team.0, team.1, turn + 1));
            let size = size(form.program, quick);
            let once = match (&built, times.as_mut()) {
                (Ok(path), Ok(so_far)) => run_once(path, size, plan.rounds, (form, *team), so_far),
                (Err(why), _) => Err(why.clone()),
                _ => continue,
            };
            if let Err(why) = once {
                *times = Err(why);
            }
        }
    }
    let series = runs.first().and_then(|run| run.3.as_ref().ok()).map(|times| times.along.clone());
    let mut rows: Vec<Row> = Vec::new();
    for (form, team, _, times) in runs {
        let times = times.and_then(|times| same(times, series.as_deref()));
        let alone = rows.iter().find(|row| row.form == form.name && row.processes * row.threads == 1).cloned();
        rows.push(row((form, team, size(form.program, quick)), times, alone.as_ref()));
    }
    rows
}

/// Are the derivatives those of the program in series?
fn same(times: Times, series: Option<&[f64]>) -> Result<Times, String> {
    let series = series.ok_or("there is no gradient in series to compare with")?;
    let scale = series.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= ORDER_OF_SUMS * scale;
    match series.len() == times.along.len() && series.iter().zip(&times.along).all(close) {
        true => Ok(times),
        false => Err(format!("wrong gradient: {:?} in the directions that give {series:?} in series", times.along)),
    }
}

fn row((form, team, size): (&Form, (usize, usize), u64), times: Result<Times, String>, alone: Option<&Row>) -> Row {
    let seconds = |what: usize| {
        let rounds = times.as_ref().ok().map(|times| times.rounds.iter().map(|round| round[what]).collect());
        rounds.map(median)
    };
    let (primal_s, gradient_s) = (seconds(0), seconds(1));
    let cores = (team.0 * team.1) as f64;
    let efficiency = |now: Option<f64>, one: Option<f64>| Some(one? / (cores * now?)).filter(|_| cores > 1.0);
    Row {
        program: form.program.to_owned(),
        form: form.name.to_owned(),
        processes: team.0,
        threads: team.1,
        size,
        length: times.as_ref().map_or(0, |times| times.length),
        primal_s,
        gradient_s,
        overhead: gradient_s.zip(primal_s).map(|(gradient, primal)| gradient / primal),
        primal_efficiency: efficiency(primal_s, alone.and_then(|row| row.primal_s)),
        gradient_efficiency: efficiency(gradient_s, alone.and_then(|row| row.gradient_s)),
        differences: times.as_ref().ok().map(|times| times.differences),
        missing: form.has_processes() && of_mpicc("--showme:compile").is_err(),
        problem: times.err(),
    }
}

/// Times of the normalisation, on one thread.
fn normalisation(folder: &Path, quick: bool, watch: Watcher) -> (Vec<Length>, Vec<String>) {
    const FILE: &str = "normalise.c";
    let series = form("normalise", "series", FILE, Kinds::Series, 5);
    let threads = form("normalise", "OpenMP", FILE, Kinds::Threads, 5);
    let reference = Without::default().and(Lever::Promotion).and(Lever::Inlining);
    let ways = [("after", Pipeline::Enzyme, Without::default()), ("before", Pipeline::Ref, reference)];
    let (plan, mut problems, mut builds) = (Plan::of(quick), Vec::new(), Vec::new());
    watch("normalisation: judging a sample and building");
    for form in [&series, &threads] {
        for (way, pipeline, without) in ways {
            let options = form.flags().into_iter().map(OsString::from).collect();
            let name = format!("normalise-{}-{way}", form.name);
            let judged = form.judged(folder);
            builds
                .push((form, judged.and_then(|()| built(folder, (FILE, &name), (pipeline, without), options, vec![]))));
        }
    }
    let mut lengths = Vec::new();
    for n in LENGTHS.into_iter().take(if quick { QUICK_LENGTHS } else { LENGTHS.len() }) {
        watch(&format!("normalisation {n}: measuring"));
        let mut times: Vec<Result<Times, String>> = builds.iter().map(|_| Ok(Times::default())).collect();
        for _ in 0..plan.turns {
            for ((form, build), times) in builds.iter().zip(&mut times) {
                let Ok(so_far) = times else { continue };
                let once = build.clone().and_then(|path| run_once(&path, n, plan.rounds, (form, (1, 1)), so_far));
                if let Err(why) = once {
                    problems.push(format!("normalise {n}, {}: {why}", form.name));
                    *times = Err(why);
                }
            }
        }
        let seconds = |at: usize, what: usize| {
            let times = times[at].as_ref().ok()?;
            Some(median(times.rounds.iter().map(|round| round[what]).collect()))
        };
        lengths.push(Length {
            n,
            primal_s: [seconds(0, 0), seconds(2, 0)],
            after_s: [seconds(0, 1), seconds(2, 1)],
            before_s: [seconds(1, 1), seconds(3, 1)],
        });
    }
    (lengths, problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;

    #[test]
    fn every_form_is_judged_on_its_sample() {
        let folder = folder().unwrap();
        for form in &FORMS {
            assert_eq!(form.judged(folder.path()), Ok(()), "{}, {}", form.program, form.name);
        }
    }

    #[test]
    fn teams_are_the_powers_of_two_and_fill_the_cores() {
        let teams = |at: usize, cores| FORMS[at].teams(cores);
        assert_eq!((teams(0, 4), teams(1, 5)), (vec![(1, 1)], vec![(1, 1), (1, 2), (1, 4)]));
        assert_eq!((teams(5, 2), teams(6, 2)), (vec![(1, 1), (2, 1)], vec![(1, 1), (1, 2), (2, 1)]));
        assert_eq!(teams(6, 1), [(1, 1)]);
    }

    #[test]
    fn figures_are_read_and_what_is_none_is_refused() {
        let times = parse("7 1e-9 3\n1 2 3\n1e-3 4e-3\n2e-3 6e-3\n").unwrap();
        assert_eq!((times.length, times.along.len(), times.rounds.len()), (7, 3, 2));
        for text in ["", "7 1\n1\n1 1\n", "7 1 1\n1 2 3\n", "Killed\n"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_form_whose_derivatives_differ_from_those_in_series_has_no_time() {
        let times = |along: f64, seconds: f64| Times {
            along: vec![1.0, along],
            rounds: vec![[seconds, 3.0 * seconds]],
            ..Times::default()
        };
        let series = times(0.5, 1.0).along;
        assert!(same(times(0.5 + 1e-12, 1.0), Some(&series)).is_ok());
        for wrong in [0.6, f64::NAN] {
            assert!(same(times(wrong, 1.0), Some(&series)).unwrap_err().contains("wrong gradient"));
        }
        assert!(same(times(0.5, 1.0), None).is_err());
        let one = row((&FORMS[1], (1, 1), 5), Ok(times(0.5, 1.0)), None);
        let two = row((&FORMS[1], (1, 2), 5), Ok(times(0.5, 0.625)), Some(&one));
        let bad = row((&FORMS[2], (1, 1), 5), Err("no".to_owned()), None);
        assert_eq!((one.overhead, one.primal_efficiency, two.primal_efficiency), (Some(3.0), None, Some(0.8)));
        let lengths = [1, 2, 4, 8].map(|n| {
            let s = Some(n as f64);
            Length { n, primal_s: [s, s], after_s: [s, s], before_s: [s.map(|s| s * s), None] }
        });
        let mut outcome = Sc22 { rows: vec![one, two], lengths: lengths.to_vec(), problems: Vec::new() };
        let text = outcome.to_text();
        for part in ["hydro    OpenMP", "1x2", "0.80", "1.00", "2.00"] {
            assert!(text.contains(part), "no `{part}` in\n{text}");
        }
        assert!(outcome.is_right() && outcome.plot().to_svg().unwrap().contains("hydro OpenMP"));
        outcome.rows.push(bad);
        assert!(!outcome.is_right() && outcome.to_text().contains("hydro, closures: not measured: no"));
        assert_eq!(outcome.grid().to_csv().lines().count(), 4);
    }
}
