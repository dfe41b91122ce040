//! The engine against `lli -force-interpreter` and against native code at `-O0`, on the same IR of the same programs.
//!
//! Each program of `lli` does its work as often as its argument says and prints an answer. What is measured is
//! the time of one round: that of many rounds less that of one, so that start-up and reading count nowhere. The four
//! ways (LLVM's interpreter, this one with all checks, this one with race detection and a taint beside every number,
//! native code) take turns, and the median of the turns counts. First all four must print the same; where they do not,
//! there is no figure.
//!
//! `cargo xtask bench --bench lli [-- PROGRAM…] [-- --O1]`

use interp::{Buffer, FloatEvent, Interp, Limits, Machine, MemAccess, Outcome, Plain, Program, Scalar};
use llvm::native::{LinkOptions, RunLimits};
use llvm::{CompileOptions, Level};
use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Turns of each way.
const TURNS: usize = 5;
/// How long the many rounds of a way should take.
const LONG: Duration = Duration::from_millis(120);

/// Activity taint of everything: a number without a shadow gets one when it is loaded.
struct TaintAll(interp::machines::Taint);

impl Machine for TaintAll {
    type Shadow = interp::machines::Tainted;
    const SHADOWS: bool = true;
    const OBSERVES_MEMORY: bool = true;
    const OBSERVES_LOCALS: bool = false;

    fn float_op(&mut self, event: &FloatEvent<'_, Self::Shadow>) -> Self::Shadow {
        self.0.float_op(event)
    }

    fn load(&mut self, at: &MemAccess, _value: Scalar) -> Option<Self::Shadow> {
        at.leaf.is_float().then(|| interp::machines::Tainted::group(0))
    }
}

/// A way to run a program: rounds to what it prints and the time.
type Way<'a> = Box<dyn Fn(u64) -> (String, Duration) + 'a>;

fn interpreted<M: Machine>(program: &Program, machine: impl Fn() -> M, rounds: u64) -> (String, Duration) {
    let printed = Rc::new(RefCell::new(Buffer::default()));
    let start = Instant::now();
    let mut interp = Interp::new(program, machine(), Limits::default()).with_output(Box::new(Rc::clone(&printed)));
    let outcome = interp.run_main(&["prog".to_owned(), rounds.to_string()]);
    let time = start.elapsed();
    assert_eq!(outcome, Outcome::Finished(0));
    let text = String::from_utf8_lossy(&printed.borrow().out).into_owned();
    (text, time)
}

fn process(program: &Path, args: &[&str], rounds: u64) -> (String, Duration) {
    let rounds = rounds.to_string();
    let args: Vec<OsString> = args.iter().copied().chain([rounds.as_str()]).map(OsString::from).collect();
    let start = Instant::now();
    let output = llvm::native::run(program, &args, b"", &RunLimits::default()).expect("it can be started");
    let time = start.elapsed();
    assert!(output.exit == llvm::Exit::Code(0), "{}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    (String::from_utf8_lossy(&output.stdout).into_owned(), time)
}

/// Rounds that take about [`LONG`].
fn rounds(way: &Way<'_>) -> u64 {
    let mut rounds = 2;
    loop {
        let (one, many) = (way(1).1, way(rounds).1);
        if many > LONG + one || rounds > 1 << 24 {
            return rounds;
        }
        rounds *= 2;
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Seconds of a round in each way.
fn measure(ways: &[Way<'_>]) -> Vec<f64> {
    let counts: Vec<u64> = ways.iter().map(rounds).collect();
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..TURNS {
        for ((way, count), times) in ways.iter().zip(&counts).zip(&mut times) {
            let (one, many) = (way(1).1.as_secs_f64(), way(*count).1.as_secs_f64());
            times.push((many - one) / (count - 1) as f64);
        }
    }
    times.into_iter().map(median).collect()
}

fn module(source: &Path, level: Level, flags: &[&str]) -> ir::Module {
    // What `lli` knows is scalar and not contracted.
    let flags = ["-ffp-contract=off", "-fno-vectorize", "-fno-slp-vectorize"].iter().chain(flags);
    let options = CompileOptions { flags: flags.map(|f| (*f).to_owned()).collect(), ..CompileOptions::at(level) };
    llvm::read_file(source, &options).expect("the program compiles")
}

fn main() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/lli"));
    let (options, wanted): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with('-'));
    let level = if options.iter().any(|o| o == "--O1") { Level::O1 } else { Level::O0 };
    let lli = ["/usr/lib/llvm-19/bin/lli", "/usr/bin/lli-19"].map(PathBuf::from).into_iter().find(|p| p.exists());
    let lli = lli.expect("LLVM 19's lli is installed");
    let watched = format!("-include{}", folder.join("watched.h").display());
    let mut sources: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    sources.retain(|path| path.extension().is_some_and(|e| e == "c"));
    sources.sort();
    println!("IR of clang at {level}; million IR instructions a second with checks, then ratios of times");
    println!(
        "{:<12} {:>8} {:>10} {:>10} {:>12} {:>14}",
        "program", "M/s", "lli/ours", "lli/races", "ours/native", "races/native"
    );
    let mut logs = [0.0; 4];
    let mut count = 0.0;
    for source in sources {
        let name = source.file_stem().unwrap().to_string_lossy().into_owned();
        if !wanted.is_empty() && !wanted.contains(&name) {
            continue;
        }
        let scratch = tempfile::tempdir().unwrap();
        let (text, binary) = (scratch.path().join("prog.ll"), scratch.path().join("prog"));
        let plain = module(&source, level, &[]);
        std::fs::write(&text, plain.to_string()).unwrap();
        llvm::native::build_executable(plain.to_string().as_bytes(), &binary, &LinkOptions::default()).unwrap();
        let program = Program::new(&plain).unwrap();
        let raced = module(&source, level, &[watched.as_str()]);
        let raced = Program::new(&raced).unwrap();
        let text = text.to_string_lossy().into_owned();
        let ways: [Way<'_>; 4] = [
            Box::new(|n| process(&lli, &["-force-interpreter", &text], n)),
            Box::new(|n| interpreted(&program, || Plain, n)),
            Box::new(|n| interpreted(&raced, || TaintAll(interp::machines::Taint), n)),
            Box::new(|n| process(&binary, &[], n)),
        ];
        let answers: Vec<String> = ways.iter().map(|way| way(3).0).collect();
        assert!(answers.iter().all(|a| *a == answers[3] && !a.is_empty()), "{name}: {answers:?}");
        let steps = |rounds: u64| {
            let mut interp = Interp::new(&program, Plain, Limits::default());
            interp.run_main(&["prog".to_owned(), rounds.to_string()]);
            interp.steps()
        };
        let per_round = (steps(3) - steps(1)) as f64 / 2.0;
        let times = measure(&ways);
        let ratios = [times[0] / times[1], times[0] / times[2], times[1] / times[3], times[2] / times[3]];
        let speed = per_round / times[1] / 1e6;
        println!(
            "{name:<12} {speed:>8.0} {:>10.1} {:>10.1} {:>12.1} {:>14.1}",
            ratios[0], ratios[1], ratios[2], ratios[3]
        );
        logs.iter_mut().zip(ratios).for_each(|(sum, ratio)| *sum += ratio.ln());
        count += 1.0;
    }
    let mean = logs.map(|sum: f64| (sum / count).exp());
    println!("{:<12} {:>8} {:>10.1} {:>10.1} {:>12.1} {:>14.1}", "mean", "", mean[0], mean[1], mean[2], mean[3]);
}
