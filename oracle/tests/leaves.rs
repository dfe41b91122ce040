//! The judge on programs whose numbers leave the floats and come back (`corpus/leaves.md`): a right gradient is never called wrong, a wrong one
//! never correct; and what we synthesise is right or refused.
//!
//! Levels O0 and O2 are checked, of gradients by hand; with `ADJ_LEAVES=full` all four levels, and those that we synthesise.

use adjudicate::Verdict;
use adjudicate::report::LevelReport;
use corpus::Program;
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

/// What is checked: levels and roles.
fn plan() -> (&'static [&'static str], &'static [Role]) {
    match std::env::var("ADJ_LEAVES").as_deref() {
        Ok("full") => (&["O0", "O1", "O2", "O3"], &[Role::Right, Role::Zero, Role::Synthesised]),
        _ => (&["O0", "O2"], &[Role::Right, Role::Zero]),
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

/// Judges a program in a role, and tells of the levels that are not as they should be.
fn judge(program: &Program, role: Role) -> Vec<String> {
    let name = program.name();
    let flags = program.flags.iter().cloned().chain([format!("-DROLE={}", role as u8)]);
    match adjudicate::check(&program.path).levels(plan().0).flags(flags).run() {
        Ok(report) => {
            let bad = report.levels.iter().filter(|level| !holds(role, level));
            bad.map(|l| format!("{role:?}: {name}: {} at {}, prints {:?}", l.verdict(), l.level, l.stdout)).collect()
        }
        Err(error) => vec![format!("{role:?}: {name}: {error}")],
    }
}

#[test]
fn what_is_said_of_numbers_that_leave_the_floats_is_true() {
    let programs = corpus::leaves();
    assert!(programs.len() >= 118, "only {} programs", programs.len());
    let jobs: Vec<(&Program, Role)> =
        programs.iter().flat_map(|p| plan().1.iter().map(move |role| (p, *role))).collect();
    let (next, told) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    // Two at a time.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((program, role)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let bad = judge(program, *role);
                    told.lock().expect("no thread has failed").extend(bad);
                }
            });
        }
    });
    let mut told = told.into_inner().expect("no thread has failed");
    told.sort();
    assert!(told.is_empty(), "{} of {} levels:\n{}", told.len(), jobs.len() * plan().0.len(), told.join("\n"));
}
