//! Time to differentiate large functions and modules: it grows linearly with their size. And the gradient of a loop of
//! 10^8 iterations of which nothing has to be stored: it runs in little memory.
//!
//! A straight line of instructions; loops one after the other, each of which overwrites the array that the next one
//! reads; such loops as the compiler leaves them without optimisation, with every variable in memory; and many
//! functions that call each other in a chain. Each generator is judged at a small size before any time is printed, and
//! what comes of the large ones is IR that LLVM's verifier accepts.

use adjudicate::check;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use llvm::native::{LinkOptions, RunLimits};
use llvm::{CompileOptions, Exit, Level};
use std::fmt::Write;
use std::path::Path;

/// Instructions of a loop of [`loops`].
const LOOP: usize = 14;
/// Instructions of a function of [`chain`].
const FUNCTION: usize = 1000;

/// A function of `n` instructions in a straight line.
fn line(out: &mut String, name: &str, n: usize, next: Option<&str>) {
    writeln!(out, "define double @{name}(double %x, ptr %unused) {{").unwrap();
    match next {
        Some(next) => writeln!(out, "  %v0 = call double @{next}(double %x, ptr %unused)").unwrap(),
        None => writeln!(out, "  %v0 = fmul double %x, 0.5").unwrap(),
    }
    writeln!(out, "  %v1 = fadd double %v0, %x").unwrap();
    for i in 2..n {
        let op = ["fmul", "fadd", "fsub"][i % 3];
        writeln!(out, "  %v{i} = {op} double %v{}, %v{}", i - 1, i - 2).unwrap();
    }
    writeln!(out, "  ret double %v{}\n}}", n - 1).unwrap();
}

fn straight(n: usize) -> String {
    let mut out = String::new();
    line(&mut out, "f", n, None);
    with_main(out)
}

fn chain(functions: usize) -> String {
    let mut out = String::new();
    for i in 0..functions {
        let (name, next) = (if i == 0 { "f".to_owned() } else { format!("f{i}") }, format!("f{}", i + 1));
        line(&mut out, &name, FUNCTION, (i + 1 < functions).then_some(next.as_str()));
    }
    with_main(out)
}

fn loops(n: usize) -> String {
    let mut out = String::from("define double @f(double %x, ptr %a) {\nentry:\n  br label %loop0\n");
    for k in 0..n {
        let before = if k == 0 { "entry".to_owned() } else { format!("end{}", k - 1) };
        let next = if k + 1 == n { "exit".to_owned() } else { format!("loop{}", k + 1) };
        write!(
            out,
            "loop{k}:
  %i{k} = phi i64 [ 0, %{before} ], [ %j{k}, %loop{k} ]
  %p{k} = getelementptr inbounds double, ptr %a, i64 %i{k}
  %q{k} = getelementptr inbounds i8, ptr %p{k}, i64 8
  %u{k} = load double, ptr %p{k}
  %w{k} = load double, ptr %q{k}
  %s{k} = fmul double %u{k}, %w{k}
  %t{k} = fmul double %s{k}, %x
  %r{k} = fadd double %t{k}, %u{k}
  %h{k} = fmul double %r{k}, 0.25
  store double %h{k}, ptr %p{k}
  %j{k} = add nuw nsw i64 %i{k}, 1
  %c{k} = icmp eq i64 %j{k}, 3
  br i1 %c{k}, label %end{k}, label %loop{k}
end{k}:
  br label %{next}
"
        )
        .unwrap();
    }
    out.push_str("exit:\n  %r = load double, ptr %a\n  ret double %r\n}\n");
    with_main(out)
}

/// `n` loops in C, of about 40 instructions each without optimisation.
fn variables(n: usize) -> String {
    let mut out = String::from("#include <adj.h>\nstatic double f(double x, double *a) {\n  double sum = 0.0;\n");
    for k in 0..n {
        writeln!(
            out,
            "  for (int i{k} = 0; i{k} < 3; i{k}++) {{
    double u = a[i{k}] * x, w = a[i{k} + 1];
    a[i{k}] = 0.25 * (u * w + sum);
    sum += w - 0.5 * u;
  }}"
        )
        .unwrap();
    }
    out.push_str(
        "  return sum;
}
int main(void) {
  double a[4] = {0.5, 1.5, -1.0, 2.0}, b[4] = {0.0, 0.0, 0.0, 0.0};
  __enzyme_autodiff((void *)f, 0.125, enzyme_dup, a, b);
  return 0;
}
",
    );
    out
}

fn with_main(mut out: String) -> String {
    out.push_str(
        "@enzyme_dup = external global i32
declare double @__enzyme_autodiff(ptr, ...)
define i32 @main() {
  %a = alloca [4 x double], align 8
  %b = alloca [4 x double], align 8
  store [4 x double] [double 0.5, double 1.5, double -1.0, double 2.0], ptr %a
  store [4 x double] zeroinitializer, ptr %b
  %dup = load i32, ptr @enzyme_dup
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double 0.125, i32 %dup, ptr %a, ptr %b)
  ret i32 0
}
",
    );
    out
}

fn differentiated(module: ir::Module) -> ir::Module {
    let output = ad::differentiate(module, &ad::Options::default());
    assert!(output.refusals.is_empty(), "{} refusals", output.refusals.len());
    output.module
}

fn scale(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name);
    let smalls =
        [("straight.ll", straight(40)), ("loops.ll", loops(4)), ("chain.ll", chain(1)), ("few.c", variables(4))];
    for (name, small) in smalls {
        let path = file(name);
        std::fs::write(&path, small).expect("room in the temporary folder");
        check(&path).levels(["O0"]).run().expect("IR that parses").assert_correct();
    }
    let mut group = c.benchmark_group("differentiate");
    group.sample_size(10);
    for (name, text, instructions) in [
        ("a line of 1,000 instructions", straight(1_000), 1_000),
        ("a line of 10,000 instructions", straight(10_000), 10_000),
        ("100 loops, 1,400 instructions", loops(100), 100 * LOOP),
        ("700 loops, 9,800 instructions", loops(700), 700 * LOOP),
        ("10 functions, 10,000 instructions", chain(10), 10 * FUNCTION),
        ("100 functions, 100,000 instructions", chain(100), 100 * FUNCTION),
    ] {
        let module = llvm::read::parse(&text, "scale.ll").expect("IR that parses");
        llvm::verify_text(&differentiated(module.clone()).to_string()).expect("IR that LLVM accepts");
        group.throughput(Throughput::Elements(instructions as u64));
        group.bench_function(name, |b| b.iter_batched(|| module.clone(), differentiated, BatchSize::PerIteration));
    }
    for n in [25, 250] {
        let path = file("many.c");
        std::fs::write(&path, variables(n)).expect("room in the temporary folder");
        let module = compiled(&path, Level::O0);
        let instructions = module.functions.values().map(|f| f.inst_order().count()).sum::<usize>();
        group.throughput(Throughput::Elements(instructions as u64));
        group.bench_function(format!("{n} loops in C at -O0, {instructions} instructions"), |b| {
            b.iter_batched(|| module.clone(), differentiated, BatchSize::PerIteration)
        });
    }
    group.finish();
}

fn compiled(source: &Path, level: Level) -> ir::Module {
    let include_dirs = vec![concat!(env!("CARGO_MANIFEST_DIR"), "/../oracle/include").into()];
    let options = CompileOptions { include_dirs, ..CompileOptions::at(level) };
    llvm::read_file(source, &options).expect("the program compiles")
}

/// Address space of a process that has no tape to speak of.
const SMALL: u64 = 64 << 20;

fn long_loop(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/long_loop.c");
    let mut group = c.benchmark_group("a loop of 10^8 iterations");
    group.sample_size(10);
    for level in Level::ALL {
        let module = compiled(source.as_ref(), level);
        let program = folder.path().join(level.to_string());
        let text = differentiated(module).to_string();
        llvm::native::build_executable(text.as_bytes(), &program, &LinkOptions::default()).expect("LLVM accepts it");
        let limits = RunLimits { memory: Some(SMALL), ..RunLimits::default() };
        let run = || llvm::native::run(&program, &["100000000".into()], b"", &limits).expect("it can be started");
        let output = run();
        assert!(output.exit == Exit::Code(0), "{level}: {:?} {}", output.exit, String::from_utf8_lossy(&output.stderr));
        group.bench_function(level.to_string(), |b| b.iter(run));
    }
    group.finish();
}

criterion_group!(benches, scale, long_loop);
criterion_main!(benches);
