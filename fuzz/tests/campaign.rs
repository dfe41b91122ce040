//! Campaigns of fixed seeds: nothing is found in our gradients, and what is planted is found and reduced.

use adjudicate::{Fault, Level};
use fuzz::c::ast::Mode;
use fuzz::c::odds::{ModeOdds, Odds};
use fuzz::c::print;
use fuzz::campaign::{self, Campaign};
use fuzz::check::{Options, check_batch};
use fuzz::mutants::Plan;
use fuzz::shrink;
use fuzz::tool::Tool;
use fuzz::{TestCase, check};
use std::time::Duration;

fn options(levels: &[Level]) -> Options {
    Options { levels: levels.to_vec(), native: false, debug: false, ..Options::default() }
}

#[test]
fn nothing_is_found_in_forty_eight_programs() {
    let plan = Campaign {
        seed: 1_000_000,
        count: 48,
        time: Duration::from_secs(600),
        options: Options { native: true, ..options(&[Level::O0, Level::O2]) },
        ..Campaign::default()
    };
    let summary = campaign::run(&plan, &|_| {}).expect("threads start");
    assert!(summary.findings.is_empty(), "{}", summary.text());
    assert_eq!(summary.programs, 48);
    // A campaign that refuses everything finds nothing either.
    assert!(summary.correct >= 40, "{}", summary.text());
}

#[test]
fn a_planted_defect_is_found_and_reduced_to_a_few_lines() {
    let faulty = Options { fault: Some(Fault::DroppedTerm), ..options(&[Level::O1]) };
    let cases: Vec<TestCase> = (0..16).map(|seed| TestCase::from_seed(seed, &Odds::default())).collect();
    let outcomes = check_batch(&cases, &faulty);
    let found = cases.iter().zip(&outcomes).filter(|(_, outcome)| !outcome.findings.is_empty());
    let lines = |program: &fuzz::c::ast::Program| print::program(program).lines().count();
    let mut all = Vec::new();
    // How small one gets depends on the program; half of them get to a few lines.
    for (case, outcome) in found.take(5) {
        let kind = &outcome.findings[0].kind;
        let shows = |program: &fuzz::c::ast::Program| {
            let candidate = TestCase { seed: case.seed, program: program.clone() };
            check(&candidate, &faulty).findings.iter().any(|f| f.kind == *kind)
        };
        let small = shrink::reduce(&case.program, 150, shows);
        assert!(shows(&small));
        assert!(lines(&small) < lines(&case.program), "{}", print::program(&small));
        all.push(lines(&small));
    }
    all.sort_unstable();
    assert!(all.len() >= 3 && all[all.len() / 2] < 25, "lines of what is left: {all:?}");
}

#[test]
fn a_changed_instruction_of_a_gradient_is_noticed() {
    let (levels, odds) = (vec![Level::O1], Odds::default());
    let plan = Plan { count: 12, seed: 3_000_000, time: Duration::from_secs(600), levels, odds };
    let found = fuzz::mutants::run(&plan, &|_| {});
    assert_eq!((found.mutants, found.false_alarms, found.panics), (12, 0, 0), "{}", found.text());
    assert!(found.killed >= 11, "{}", found.text());
}

#[test]
fn the_gradients_of_a_command_are_judged() {
    // A tool that takes the derivative of everything for zero: its calls are gone, and its answers are wrong.
    let odds = Odds { mode: ModeOdds { split: 0, nested: 0, ..ModeOdds::default() }, ..Odds::default() };
    let zero = "sed -e 's/= call double @__enzyme_autodiff_[0-9]*(.*)/= fadd double 0.0, 0.0/' -e 's/call void \
        @__enzyme_autodiff_[0-9]*(.*)//'";
    let options = Options { tool: Some(Tool::new(zero)), ..options(&[Level::O1]) };
    let found =
        (0..40).map(|seed| TestCase::from_seed(seed, &odds)).filter(|c| c.program.mode == Mode::Reverse).take(6);
    let kinds: Vec<String> = found.flat_map(|case| check(&case, &options).findings).map(|f| f.kind).collect();
    assert!(kinds.iter().any(|kind| kind.starts_with("wrong")), "{kinds:?}");
    assert!(kinds.iter().all(|kind| !kind.starts_with("command")), "{kinds:?}");
}

#[test]
fn a_seed_is_a_program() {
    let odds = Odds::default();
    for seed in 0..50 {
        assert_eq!(TestCase::from_seed(seed, &odds), TestCase::from_seed(seed, &odds));
    }
    assert_ne!(TestCase::from_seed(1, &odds).source(), TestCase::from_seed(2, &odds).source());
}
