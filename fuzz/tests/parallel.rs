//! Parallel programs: nothing is found in our gradients, no program has a race, and planted defects are noticed.

use adjudicate::Level;
use adjudicate::circumstances::Runs;
use fuzz::TestCase;
use fuzz::c::ast::{self, Program, Stmt};
use fuzz::c::odds::Odds;
use fuzz::c::{apart, census};
use fuzz::campaign::{self, Campaign};
use fuzz::check::{Options, check_file};
use fuzz::planted::Planted;
use fuzz::shrink::{self, Shrink};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

fn options(levels: &[Level]) -> Options {
    Options { levels: levels.to_vec(), native: false, debug: false, ..Options::default() }
}

#[test]
fn nothing_is_found_in_thirty_two_programs() {
    let plan = Campaign {
        seed: 1_000_000,
        count: 32,
        time: Duration::from_secs(600),
        reductions: 0,
        odds: Odds::parallel(),
        options: options(&[Level::O1]),
        ..Campaign::default()
    };
    let summary = campaign::run(&plan, &|_| {}).expect("threads start");
    assert!(summary.findings.is_empty(), "{}", summary.text());
    assert!(summary.correct >= 24, "{}", summary.text());
}

#[test]
fn threads_are_apart_in_every_program_and_in_all_that_a_reducer_makes_of_it() {
    let odds = Odds::parallel();
    for seed in 0..3000 {
        let case = TestCase::from_seed(seed, &odds);
        assert!(apart::holds(&case.program), "seed {seed}:\n{}", case.source());
        assert!(!has_shared_workspace(&case.program), "seed {seed}:\n{}", case.source());
    }
    // Edits that would let threads meet are passed over; the check knows them.
    let mut refused = 0;
    for seed in 0..20 {
        let program = TestCase::from_seed(seed, &odds).program;
        let edits = (0..).map_while(|n| program.edit(n));
        refused += edits.filter(|edited| !apart::holds(edited)).count();
        let small = shrink::reduce(&program, 40, |candidate| {
            assert!(apart::holds(candidate));
            true
        });
        assert!(apart::holds(&small));
    }
    assert!(refused > 100, "{refused} edits");
}

/// Has a region, or what it calls, memory that outlives it? All threads of the team would have it in common.
fn has_shared_workspace(program: &Program) -> bool {
    fn any(all: &[Stmt], holds: &dyn Fn(&Stmt) -> bool) -> bool {
        all.iter().any(|it| holds(it) || it.parts().into_iter().any(|part| any(part, holds)))
    }
    let outlives = |it: &Stmt| matches!(it, Stmt::Idiom(idiom, ..) if idiom.outlives());
    let in_region = |region: &Stmt| {
        let Stmt::Region(_) = region else { return false };
        let mut called = Vec::new();
        ast::calls(std::slice::from_ref(region), &mut called);
        let mut known = BTreeSet::new();
        while let Some(callee) = called.pop() {
            if known.insert(callee) {
                ast::calls(&program.functions[callee].body, &mut called);
            }
        }
        any(std::slice::from_ref(region), &outlives)
            || known.into_iter().any(|callee| any(&program.functions[callee].body, &outlives))
    };
    program.functions.iter().any(|f| any(&f.body, &in_region))
}

#[test]
fn a_few_thousand_programs_contain_every_construct() {
    let odds = Odds::parallel();
    let all: BTreeSet<String> = (0..3000).flat_map(|n| census::of(&TestCase::from_seed(n, &odds).program)).collect();
    for (_, name) in fuzz::c::teams::Team::ALL {
        assert!(all.contains(&format!("team: {name}")), "{name}");
    }
    let some = |start: &str| all.iter().filter(|name| name.starts_with(start)).count();
    let counts = ["for: ", "role: ", "phase: ", "region"].map(some);
    assert_eq!(counts, [9, 19, 7, 8], "{all:?}");
    for name in ["loop of tasks", "loop by thread numbers", "taskloop", "tasks: depend", "threadprivate array"] {
        assert!(all.contains(name), "{name}");
    }
}

/// On which program of the corpus a planted defect shows, and as what.
const SHOWN_BY: [(Planted, &str, &str); 49] = [
    (Planted::NotAtomic, "collapse.c", "race"),
    (Planted::Overwritten, "atomic_add.c", "wrong"),
    (Planted::Negated, "atomic_add.c", "wrong"),
    (Planted::Dropped, "atomic_add.c", "wrong"),
    (Planted::Twice, "atomic_add.c", "wrong"),
    (Planted::Neighbour, "atomic_add.c", "ub-in-gradient"),
    (Planted::SumDropped, "shared_scalar.c", "wrong"),
    (Planted::SumTwice, "shared_scalar.c", "wrong"),
    (Planted::OwnDropped, "atomic_capture.c", "wrong"),
    (Planted::OwnTwice, "atomic_capture.c", "wrong"),
    (Planted::OwnOverwritten, "atomic_capture.c", "wrong"),
    (Planted::OwnKept, "atomic_capture.c", "wrong"),
    (Planted::WayTaken, "atomic_add.c", "wrong"),
    (Planted::WayPassed, "atomic_add.c", "wrong"),
    (Planted::WayOther, "atomic_add.c", "wrong"),
    (Planted::NotCleared, "atomic_max.c", "wrong"),
    (Planted::RecordAgain, "atomic_capture.c", "resource"),
    (Planted::NotAwaited, "atomic_max.c", "race"),
    (Planted::NotEnded, "atomic_capture.c", "resource"),
    (Planted::EndedEarly, "critical_product.c", "race"),
    (Planted::NumberLost, "atomic_capture.c", "resource"),
    (Planted::NumberOutside, "critical_product.c", "wrong"),
    (Planted::SectionKept, "critical_product.c", "wrong"),
    (Planted::NoReverseBarrier, "barrier.c", "race"),
    (Planted::NoForwardBarrier, "barrier.c", "race"),
    (Planted::NoSection, "critical_product.c", "race"),
    (Planted::NoCell, "atomic_capture.c", "race"),
    (Planted::TapeShared, "atomic_add.c", "race"),
    (Planted::FirstTapeOnly, "atomic_add.c", "wrong"),
    (Planted::LastTapeDropped, "atomic_add.c", "wrong"),
    (Planted::TapeFreedTwice, "atomic_add.c", "ub-in-gradient"),
    (Planted::TapeKept, "atomic_add.c", "leak"),
    (Planted::TapeReversedTwice, "atomic_add.c", "wrong"),
    (Planted::AllFirst, "atomic_add.c", "race"),
    (Planted::TapeNumberLost, "atomic_add.c", "ub-in-gradient"),
    (Planted::ListNotAtomic, "atomic_add.c", "race"),
    (Planted::ListCut, "atomic_add.c", "ub-in-gradient"),
    (Planted::TapeNotCleared, "atomic_add.c", "ub-in-gradient"),
    (Planted::OneTape, "atomic_add.c", "ub-in-gradient"),
    // Whoever is last finds what the others have freed.
    (Planted::AllTapes, "atomic_add.c", "ub-in-gradient"),
    (Planted::EntryKept, "atomic_add.c", "leak"),
    (Planted::EntryFreedTwice, "atomic_add.c", "ub-in-gradient"),
    (Planted::OneShadow, "threadprivate.c", "race"),
    (Planted::CopyNotCleared, "reduction_array.c", "wrong"),
    (Planted::NotSettled, "gathered_and_overwritten.c", "wrong"),
    (Planted::NotHandedOver, "gathered_between_barriers.c", "wrong"),
    (Planted::GatheredLost, "gathered_kinds.c", "wrong"),
    (Planted::NotMet, "gathered_product.c", "race"),
    (Planted::ClaimedByAll, "gathered_product.c", "race"),
];

#[test]
fn every_planted_defect_is_noticed() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../corpus/parallel/openmp");
    let judged = |file: &str, planted: Option<Planted>| {
        // Optimised, a variable of each thread may be gone, and with it its shadow.
        let level = if file == "threadprivate.c" { Level::O0 } else { Level::O1 };
        // An order of sections that nobody has changed shows nothing.
        let schedules = if planted == Some(Planted::NumberOutside) { 12 } else { 2 };
        let runs = Runs { teams: vec![1, 3], schedules, ..Runs::default() };
        check_file(&folder.join(file), &Options { planted, runs, steps: 400_000, ..options(&[level]) })
    };
    let files: BTreeSet<&str> = SHOWN_BY.iter().map(|(_, file, _)| *file).collect();
    for file in files {
        let outcome = judged(file, None);
        assert!(outcome.judged == 1 && outcome.findings.is_empty(), "{file}: {:?}", outcome.findings);
    }
    for (planted, name) in Planted::ALL {
        let shown = SHOWN_BY.iter().find(|(known, ..)| *known == planted);
        let (_, file, kind) = shown.unwrap_or_else(|| panic!("nothing shows `{name}`"));
        let found = judged(file, Some(planted)).findings;
        assert!(found.first().is_some_and(|f| f.kind.starts_with(kind)), "{name} in {file}: {found:?}");
    }
}
