//! Pointers and numbers that travel in pieces, and constant memory that may be scratch: with every optimisation of the
//! differentiation left out in turn, and all of them together, and with differentiation before and after LLVM's
//! optimisation, a gradient is right or refused.
//!
//! The programs by which these faults became known are checked with every lever, the others with some, in turn; with
//! `ADJ_LEVERS=full` all with every one.

use ad::{Lever, Without};
use adjudicate::Verdict;
use adjudicate::header::IncludeDir;
use adjudicate::session::{Options, Prepared};
use corpus::{Kind, Program};
use llvm::{CompileOptions, Input, Level};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs by which the faults became known.
const KNOWN: [&str; 4] = ["bytes_iterator.c", "bytes_one_by_one.c", "bytes_of_a_pointer.c", "constant_or_own.c"];
/// Of the other programs, each is checked with every such lever.
const STRIDE: usize = 8;

/// How a program is compiled before it is differentiated: not at all optimised, optimised, and as it is for a pipeline
/// that optimises later.
const COMPILED: [(Level, &[&str]); 3] =
    [(Level::O0, &[]), (Level::O2, &[]), (Level::O2, &["-Xclang", "-disable-llvm-passes"])];

fn programs() -> Vec<Program> {
    let mut programs = corpus::of_kind(Kind::Correct);
    programs.retain(|p| ["bytes_", "rust_"].iter().any(|start| p.name().starts_with(start)));
    let refused = corpus::of_kind(Kind::Bad);
    programs.extend(refused.into_iter().filter(|p| p.name().starts_with("constant_")));
    programs
}

/// What is left out, each with what it is called: nothing, everything, and some levers.
fn left_out(program: &Program, turn: usize) -> Vec<(String, Without)> {
    let full = std::env::var("ADJ_LEVERS").is_ok_and(|v| v == "full") || KNOWN.contains(&program.name().as_str());
    let all = Lever::ALL.iter().fold(Without::default(), |all, (lever, _)| all.and(*lever));
    let chosen = Lever::ALL.iter().enumerate().filter(|(n, _)| full || (n + turn).is_multiple_of(STRIDE));
    let one = |(_, (lever, name)): (usize, &(Lever, &str))| ((*name).to_owned(), Without::default().and(*lever));
    [("nothing".to_owned(), Without::default()), ("all".to_owned(), all)].into_iter().chain(chosen.map(one)).collect()
}

fn check(program: &Program, turn: usize, include: &IncludeDir) -> Vec<String> {
    let mut told = Vec::new();
    for (level, flags) in COMPILED.into_iter().filter(|(level, _)| program.levels.contains(&level.to_string())) {
        let flags = program.flags.iter().cloned().chain(flags.iter().map(|f| (*f).to_owned())).collect();
        let include_dirs = vec![include.path().to_owned()];
        let how = CompileOptions { include_dirs, flags, optimize: level != Level::O0, ..CompileOptions::at(level) };
        let module = match llvm::read(&Input::File(program.path.clone()), &how) {
            Ok(module) => module,
            Err(error) => return vec![format!("{}: {error}", program.name())],
        };
        for (name, without) in left_out(program, turn) {
            let output = ad::differentiate(module.clone(), &ad::Options { without, ..ad::Options::default() });
            let report = Prepared::of(output).run("", &program.name(), &Options::default(), &|_| {});
            // Where the differentiation refuses, the program ends there: nothing was wrong before.
            if !matches!(report.verdict(), Verdict::Correct | Verdict::Unsupported) {
                told.push(format!(
                    "{}: {} at {level} {:?} without {name}",
                    program.name(),
                    report.verdict(),
                    how.flags
                ));
            }
        }
    }
    told
}

#[test]
fn what_makes_gradients_fast_makes_none_wrong() {
    let programs = programs();
    for name in KNOWN {
        assert!(programs.iter().any(|p| p.name() == name), "{name} is not there");
    }
    assert!(programs.len() >= 50, "only {} programs", programs.len());
    let include = IncludeDir::new().expect("a folder for the header");
    let (next, told) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    // Two at a time.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let turn = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(turn) else { break };
                    let bad = check(program, turn, &include);
                    told.lock().expect("no thread has failed").extend(bad);
                }
            });
        }
    });
    let mut told = told.into_inner().expect("no thread has failed");
    told.sort();
    assert!(told.is_empty(), "{}", told.join("\n"));
}
