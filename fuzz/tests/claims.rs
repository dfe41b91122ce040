//! What the analyses of `ad` claim of programs is what executions do; what is planted is refuted.

use ad::claims::Planted;
use adjudicate::Level;
use fuzz::campaign::{self, Campaign, Target};
use fuzz::check::Options;
use fuzz::claims::{Comparison, Refuted, compare};
use fuzz::ir::odds::Odds;
use fuzz::ir::{Purpose, batch};
use interp::Limits;
use std::collections::BTreeMap;
use std::time::Duration;

/// What is refuted in programs of some seeds, and how many claims of each kind were tested.
fn compared(seeds: std::ops::Range<u64>, planted: Option<Planted>) -> (Vec<Refuted>, BTreeMap<&'static str, usize>) {
    let (mut all, mut counts) = (Vec::new(), BTreeMap::new());
    for seed in seeds {
        let module = batch::of_seeds(&[seed], Purpose::Gradient, &Odds::default()).module;
        if let Comparison::Compared { refuted, tested } = compare(&module, planted, &Limits::default()) {
            all.extend(refuted);
            for (kind, count) in tested {
                *counts.entry(kind).or_default() += count;
            }
        }
    }
    (all, counts)
}

#[test]
fn executions_refute_nothing_and_test_every_kind_of_claim() {
    let (refuted, tested) = compared(0..400, None);
    assert!(refuted.is_empty(), "{refuted:#?}");
    let least = [("leads to", 3000), ("inactive", 1000), ("stays", 600), ("sees a store", 4), ("trip count", 200)];
    for (kind, least) in least {
        assert!(tested.get(kind).is_some_and(|count| *count >= least), "{kind}: {tested:?}");
    }
}

#[test]
fn planted_defects_are_refuted() {
    let all = [
        (Planted::OneObjectLess, "leads to object"),
        (Planted::OneByteLater, "leads to object"),
        (Planted::NothingActive, "is claimed to be inactive"),
        (Planted::EverythingStays, "is claimed to stay"),
        (Planted::FirstStore, "the store has "),
        (Planted::OnceMore, "it is to run "),
    ];
    for (planted, message) in all {
        // Few programs have a load of which it is known what store it sees.
        let seeds = if planted == Planted::FirstStore { 0..400 } else { 0..40 };
        let (refuted, _) = compared(seeds, Some(planted));
        let found = refuted.iter().filter(|r| r.message.contains(message)).count();
        let least = if planted == Planted::FirstStore { 1 } else { 10 };
        assert!(found >= least, "{planted:?} is refuted {found} times");
    }
}

#[test]
fn executions_refute_nothing_of_programs_in_c() {
    let plan = Campaign {
        seed: 40_000_000,
        count: 36,
        time: Duration::from_secs(600),
        target: Target::C,
        options: Options { analyses: true, ..Options { levels: vec![Level::O0, Level::O2], ..Options::default() } },
        ..Campaign::default()
    };
    let summary = campaign::run(&plan, &|_| {}).expect("threads start");
    assert!(summary.findings.is_empty(), "{}", summary.text());
    assert!(summary.correct >= 24, "{}", summary.text());
}
