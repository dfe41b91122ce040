//! Campaigns of fixed seeds over programs in IR: results are those of native code, gradients are right, a planted
//! defect is found and reduced.

use adjudicate::{Fault, Level};
use fuzz::campaign::{self, Campaign, Target};
use fuzz::check::Options;
use fuzz::ir::odds::Odds;
use fuzz::ir::{Purpose, batch};
use std::time::Duration;

fn campaign(seed: u64, count: u64, purpose: Purpose, levels: &[Level]) -> Campaign {
    Campaign {
        seed,
        count,
        time: Duration::from_secs(600),
        target: Target::Ir(purpose),
        options: Options { levels: levels.to_vec(), ..Options::default() },
        ..Campaign::default()
    }
}

#[test]
fn results_are_those_of_native_code() {
    let plan = campaign(1_000_000, 64, Purpose::Semantics, &[Level::O0, Level::O2]);
    let summary = campaign::run(&plan, &|_| {}).expect("threads start");
    assert!(summary.findings.is_empty(), "{}", summary.text());
    assert_eq!((summary.programs, summary.correct), (64, 64), "{}", summary.text());
}

#[test]
fn gradients_of_programs_in_ir_are_right() {
    let plan = campaign(2_000_000, 128, Purpose::Gradient, &[Level::O0]);
    let summary = campaign::run(&plan, &|_| {}).expect("threads start");
    assert!(summary.findings.is_empty(), "{}", summary.text());
    // A campaign that refuses everything finds nothing either.
    assert!(summary.correct >= 115, "{}", summary.text());
}

#[test]
fn a_planted_defect_is_found_and_reduced() {
    let mut all = Vec::new();
    // How small one gets depends on the program; half of them get to a page.
    for seed in [3_000_000, 3_001_000, 3_002_000] {
        let mut plan = campaign(seed, 64, Purpose::Gradient, &[Level::O0]);
        plan.options.fault = Some(Fault::DroppedTerm);
        plan.options.native = false;
        plan.findings = 1;
        let summary = campaign::run(&plan, &|_| {}).expect("threads start");
        let finding = summary.findings.first().expect("one of 64 programs shows the defect");
        let lines = |text: &str| text.lines().count();
        assert!(lines(&finding.source) < lines(&finding.original), "{}", finding.source);
        // What is left is a module of its own.
        let module = ir::parse(&finding.source, "reduced.ll").expect("the reduced program reads back");
        ir::verify(&module).expect("the reduced program is well formed");
        all.push(lines(&finding.source));
    }
    all.sort_unstable();
    assert!(all[1] < 60, "lines of what is left: {all:?}");
}

#[test]
fn what_is_generated_has_what_differentiation_stumbles_over() {
    let plan = Campaign {
        options: Options { native: false, reprint: false, ..Options::default() },
        ..campaign(0, 2000, Purpose::Semantics, &[Level::O0])
    };
    let summary = campaign::run(&plan, &|_| {}).expect("threads start");
    let wanted = [
        "phi of pointers",
        "select of pointers",
        "load of a pointer",
        "loop in a loop",
        "loop with several ways out",
        "cycle with several entries",
        "early return",
        "recursion",
        "switch",
        "call through a pointer",
        "vector",
        "integer of an odd width",
        "half",
        "x86_fp80",
        "fp128",
        "freeze",
        "shufflevector",
        "insertvalue",
        "nuw",
        "nsw",
        "exact",
        "disjoint",
        "nneg",
        "cmpxchg",
        "llvm.memcpy",
        "llvm.memmove",
        "llvm.memset",
        "llvm.masked.gather",
        "llvm.masked.scatter",
        "llvm.masked.load",
        "llvm.masked.store",
        "llvm.masked.expandload",
        "llvm.masked.compressstore",
        "llvm.fshl",
        "llvm.ctlz",
        "llvm.bswap",
        "llvm.bitreverse",
        "llvm.sadd.sat",
        "llvm.ushl.sat",
        "llvm.smul.with.overflow",
        "llvm.scmp",
        "llvm.abs",
        "llvm.umin",
        "llvm.vector.reduce.add",
        "llvm.vector.reduce.fadd",
        "llvm.fptosi.sat",
        "llvm.is.fpclass",
        "llvm.fma",
    ];
    let missing: Vec<&str> = wanted.into_iter().filter(|name| !summary.generated.contains_key(*name)).collect();
    assert!(missing.is_empty(), "{missing:?} of {:?}", summary.generated);
}

#[test]
fn a_seed_is_a_program() {
    let text = |seed, purpose| batch::of_seeds(&[seed], purpose, &Odds::default()).module.to_string();
    for purpose in [Purpose::Semantics, Purpose::Gradient] {
        assert_eq!(text(7, purpose), text(7, purpose));
        assert_ne!(text(7, purpose), text(8, purpose));
    }
}

#[test]
fn every_way_to_travel_is_generated() {
    let plan = Campaign {
        ir_odds: Odds::travelling(),
        options: Options { native: false, reprint: false, ..Options::default() },
        ..campaign(0, 3000, Purpose::Gradient, &[])
    };
    let summary = campaign::run(&plan, &|_| {}).expect("threads start");
    let missing: Vec<&str> =
        fuzz::ir::ways_to_travel().into_iter().filter(|name| !summary.generated.contains_key(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn ways_to_travel_are_the_identity_in_native_code_too() {
    let plan = Campaign {
        ir_odds: Odds::travelling(),
        ..campaign(6_000_000, 128, Purpose::Semantics, &[Level::O0, Level::O2])
    };
    let summary = campaign::run(&plan, &|_| {}).expect("threads start");
    assert!(summary.findings.is_empty(), "{}", summary.text());
    assert_eq!((summary.programs, summary.correct), (128, 128), "{}", summary.text());
}
