//! Time to check a program of a hundred lines at four levels: compile, differentiate, execute, judge.

use adjudicate::check;
use criterion::{Criterion, criterion_group, criterion_main};
use std::path::Path;

fn four_levels(c: &mut Criterion) {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("hundred_lines.c");
    let run = || check(&program).levels(["O0", "O1", "O2", "O3"]).run();
    // The answer is checked before any time is printed.
    run().expect("the program compiles").assert_correct();
    let mut group = c.benchmark_group("check");
    group.sample_size(10);
    group.bench_function("hundred lines at four levels", |b| b.iter(run));
    group.finish();
}

criterion_group!(benches, four_levels);
criterion_main!(benches);
