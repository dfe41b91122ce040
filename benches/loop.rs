//! Speed of the engine on numeric loops with all checks on: IR instructions per second.
//!
//! Four kernels: a dot product, the same with race detection, a stencil of three points, and integer arithmetic (a
//! congruential generator with rotation). Each answer is checked against the native program's before anything is
//! measured.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use interp::{Interp, Limits, Plain, Program, Scalar, Value};
use std::hint::black_box;

const KERNELS: &str = include_str!("kernels.ll");

/// Function, arguments, and the bits of the native program's answer.
const CASES: [(&str, &[i32], u64); 4] = [
    ("dot", &[1000, 200], 0x40e8_6093_eea5_1108),
    ("dot_watched", &[1000, 200], 0x40e8_6093_eea5_1108),
    ("stencil", &[1000, 100], 0x3fac_d9b5_350c_56af),
    ("lcg", &[100_000], 2_130_591_540),
];

/// Executes a kernel once; its answer and the number of IR instructions.
fn execute(program: &Program, name: &str, args: &[i32]) -> (Option<Scalar>, u64) {
    let Some(func) = program.function(name) else { return (None, 0) };
    let args: Vec<Value> = args.iter().map(|n| Value::i32(*n)).collect();
    let mut interp = Interp::new(program, Plain, Limits::default());
    let answer = interp.call(func, &args).ok().and_then(|value| value.first());
    (answer, interp.steps())
}

fn kernels(c: &mut Criterion) {
    let module = ir::parse(KERNELS, "kernels.ll").expect("the kernels are valid");
    let program = Program::new(&module).expect("the kernels can be executed");
    let mut group = c.benchmark_group("interpreter");
    group.sample_size(20);
    for (name, args, expected) in CASES {
        let (answer, steps) = execute(&program, name, args);
        assert_eq!(answer, Some(Scalar::word(expected)), "{name} differs from the native program");
        group.throughput(Throughput::Elements(steps));
        group.bench_function(name, |b| b.iter(|| black_box(execute(&program, name, black_box(args)))));
    }
    group.finish();
}

criterion_group!(benches, kernels);
criterion_main!(benches);
