//! The judge on programs whose numbers leave the floats and come back (`corpus/leaves.md`): a right gradient is never
//! called wrong, a wrong one never correct; and what we synthesise is right or refused.
//!
//! Levels O0 and O2 are checked (the taint by itself at O0); with `ADJ_LEAVES=full` all four (O0 and O1).

use adjudicate::Verdict;
use adjudicate::header::IncludeDir;
use adjudicate::judge::planted::{Planted, Without};
use adjudicate::report::LevelReport;
use adjudicate::session;
use adjudicate::session::Options;
use corpus::Program;
use llvm::{CompileOptions, Input, Level};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the programs print where their gradient is right.
const RIGHT: &str = "3 -1.5 4.5\n";

/// What a program's gradient is.
#[derive(Clone, Copy, Debug)]
enum Role {
    Synthesised = 0,
    Right = 1,
    Zero = 2,
}

/// The roles that are checked.
const ROLES: [Role; 3] = [Role::Right, Role::Zero, Role::Synthesised];

fn levels() -> &'static [Level] {
    match std::env::var("ADJ_LEAVES").as_deref() {
        Ok("full") => &Level::ALL,
        _ => &[Level::O0, Level::O2],
    }
}

/// Is a level as it should be?
fn holds(role: Role, level: &LevelReport) -> bool {
    let verdict = level.verdict();
    match role {
        Role::Right => verdict != Verdict::Wrong,
        // What is not executed to its end is not called correct either.
        Role::Zero => !matches!(verdict, Verdict::Correct | Verdict::Kink | Verdict::Convention),
        Role::Synthesised => match verdict {
            Verdict::Unsupported => true,
            Verdict::Correct | Verdict::Undecided => level.stdout == RIGHT,
            _ => false,
        },
    }
}

/// Judges a program in a role at the levels, with the whole judge or a part of it.
fn judge(program: &Program, role: Role, (levels, planted): (&[Level], Planted), include: &IncludeDir) -> Vec<String> {
    let (name, mut told) = (program.name(), Vec::new());
    for level in levels {
        let flags = program.flags.iter().cloned().chain([format!("-DROLE={}", role as u8)]).collect();
        let include_dirs = vec![include.path().to_owned()];
        let how = CompileOptions { include_dirs, flags, optimize: *level != Level::O0, ..CompileOptions::at(*level) };
        match llvm::read(&Input::File(program.path.clone()), &how) {
            Ok(module) => {
                let options = Options { planted, ..Options::default() };
                let report = session::run(module, &level.to_string(), &name, &options, &|_| {});
                let verdict = report.verdict();
                if !holds(role, &report) {
                    told.push(format!("{role:?}: {name}: {verdict} at {level}, prints {:?}", report.stdout));
                }
            }
            Err(error) => told.push(format!("{role:?}: {name}: {error}")),
        }
    }
    told
}

/// Judges all programs in some roles, two at a time.
fn all(roles: &[Role], how: (&[Level], Planted)) -> Vec<String> {
    let programs = corpus::leaves();
    assert!(programs.len() >= 118, "only {} programs", programs.len());
    let include = IncludeDir::new().expect("a folder for the header");
    let jobs: Vec<(&Program, Role)> = programs.iter().flat_map(|p| roles.iter().map(move |role| (p, *role))).collect();
    let (next, told) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((program, role)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let bad = judge(program, *role, how, &include);
                    told.lock().expect("no thread has failed").extend(bad);
                }
            });
        }
    });
    let mut told = told.into_inner().expect("no thread has failed");
    told.sort();
    told
}

#[test]
fn what_is_said_of_numbers_that_leave_the_floats_is_true() {
    let told = all(&ROLES, (levels(), Planted::default()));
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// Losses are followed to the end: the taint alone leads to the differences. What branches decide is not followed; the
/// directions see it.
#[test]
fn losses_are_followed() {
    const BRANCHES: [&str; 3] = ["bits_decide.c", "found_by_comparisons.c", "vector_of_truths.cpp"];
    let planted = Planted { without: Some(Without::Directions), ..Planted::default() };
    let mut told = all(&[Role::Zero], (&levels()[..levels().len() / 2], planted));
    told.retain(|line| !BRANCHES.iter().any(|name| line.contains(name)));
    assert!(told.is_empty(), "{}", told.join("\n"));
}
