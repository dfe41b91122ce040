//! Small programs in IR a second, on one thread: generated, interpreted, differentiated and judged; and generated,
//! interpreted and compared with native code at four levels.

use adjudicate::Level;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fuzz::Options;
use fuzz::ir::odds::Odds;
use fuzz::ir::{Purpose, check};

const PROGRAMS: u64 = 256;

/// Checks the programs; there must be no finding, and hardly a refusal.
fn campaign(purpose: Purpose, options: &Options) {
    let seeds: Vec<u64> = (0..PROGRAMS).collect();
    let checked = check::check(&seeds, purpose, &Odds::small(), options);
    let findings: Vec<_> = checked.iter().flat_map(|(outcome, _)| &outcome.findings).collect();
    assert!(findings.is_empty(), "{findings:?}");
    let judged = checked.iter().filter(|(outcome, _)| outcome.judged == options.levels.len()).count();
    assert!(judged as u64 >= PROGRAMS * 9 / 10, "{judged} of {PROGRAMS} were judged");
}

fn programs(c: &mut Criterion) {
    let quick = Options { levels: vec![Level::O0], native: false, reprint: false, ..Options::default() };
    let native = Options { reprint: false, ..Options::default() };
    let mut group = c.benchmark_group("fuzz");
    group.sample_size(10);
    group.throughput(Throughput::Elements(PROGRAMS));
    for (name, purpose, options) in [
        ("gradients of small programs", Purpose::Gradient, &quick),
        ("small programs against native code at four levels", Purpose::Semantics, &native),
    ] {
        // The answer is checked before any time is printed, and each time again.
        campaign(purpose, options);
        group.bench_function(name, |b| b.iter(|| campaign(purpose, options)));
    }
    group.finish();
}

criterion_group!(benches, programs);
criterion_main!(benches);
