//! Campaigns of fixed seeds: nothing is found in our gradients, and what is planted is found and reduced.

use adjudicate::{Fault, Level};
use fuzz::c::{odds::Odds, print, reduce};
use fuzz::campaign::{self, Campaign};
use fuzz::check::{Options, check_batch};
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
    let found = cases.iter().zip(&outcomes).find(|(_, outcome)| !outcome.findings.is_empty());
    let (case, outcome) = found.expect("one of sixteen programs shows the defect");
    let kind = &outcome.findings[0].kind;
    let shows = |program: &fuzz::c::ast::Program| {
        let candidate = TestCase { seed: case.seed, program: program.clone() };
        check(&candidate, &faulty).findings.iter().any(|f| f.kind == *kind)
    };
    let small = reduce::reduce(&case.program, 150, shows);
    assert!(shows(&small));
    let lines = |program| print::program(program).lines().count();
    assert!(lines(&small) < lines(&case.program), "{}", print::program(&small));
    assert!(lines(&small) <= 45, "{}", print::program(&small));
}

#[test]
fn a_seed_is_a_program() {
    let odds = Odds::default();
    for seed in 0..50 {
        assert_eq!(TestCase::from_seed(seed, &odds), TestCase::from_seed(seed, &odds));
    }
    assert_ne!(TestCase::from_seed(1, &odds).source(), TestCase::from_seed(2, &odds).source());
}
