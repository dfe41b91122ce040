//! Every row is proved or numeric, the committed results are current, and wrong rules fail.

#[path = "../broken/rows.rs"]
mod broken;

use rules::row::Value;
use rules::{Op, Row};
use std::path::Path;
use std::time::Duration;
use verify::rule::{Counterexample, counterexample, obligations};
use verify::{Outcome, Solver, Status, cache, subjects};

fn solver() -> Solver {
    Solver::at(Path::new(env!("CARGO_BIN_EXE_verify-worker")))
}

#[test]
fn the_committed_results_are_of_these_rules() {
    let committed = cache::parse(cache::COMMITTED).expect("a readable file");
    let subjects = subjects();
    assert_eq!(cache::stale(&subjects, &committed), [""; 0], "run `cargo xtask docs`");
    let count = |status: Status| committed.values().filter(|entry| entry.status == status.word()).count();
    let (proved, numeric, failed) = (count(Status::Proved), count(Status::Numeric), count(Status::Failed));
    assert_eq!(failed, 0);
    assert!(proved * 5 >= (proved + numeric) * 4, "{proved} of {} are proved", proved + numeric);
    assert!(committed.values().map(|entry| entry.obligations).sum::<usize>() > 500);
}

/// A changed rule is noticed even if the solver is not asked.
#[test]
fn a_changed_rule_makes_its_line_stale() {
    let subjects = subjects();
    let mut committed = cache::parse(cache::COMMITTED).expect("a readable file");
    committed.get_mut(Op::Tan.name()).expect("a line").hash ^= 1;
    committed.remove(Op::Sqrt.name());
    assert_eq!(cache::stale(&subjects, &committed), [Op::Sqrt.name(), Op::Tan.name()]);
}

/// One row of each kind of argument, proved again.
#[test]
fn a_sample_is_proved_again() {
    let solver = solver();
    let sample = [
        Op::FDiv,
        Op::Fma,
        Op::Fabs,
        Op::Fdim,
        Op::Remainder,
        Op::Cbrt,
        Op::Pow,
        Op::Powi,
        Op::Expm1,
        Op::Log1p,
        Op::Tan,
        Op::Asin,
        Op::Atan2,
        Op::TanPi,
        Op::Tanh,
        Op::Acosh,
        Op::RoundEven,
        Op::Ldexp,
        Op::Frexp,
        Op::Modf,
        Op::ComplexDiv,
    ];
    for op in sample {
        let report = verify::Subject::of_row(op.row()).prove(&solver).expect("an answer");
        assert_eq!(report.status, Status::Proved, "{}", report.to_text());
        assert!(report.obligations >= 5, "{}", report.to_text());
        assert!(report.slowest < Duration::from_secs(10), "{}", report.to_text());
    }
}

#[test]
fn numeric_rows_say_so_and_have_evidence() {
    for op in [Op::Erf, Op::TGamma, Op::Jn] {
        assert!(obligations(op.row()).is_err());
        let report = verify::Subject::of_row(op.row()).prove(&solver()).expect("an answer");
        assert_eq!(report.status, Status::Numeric);
        assert!(report.comparisons >= 20, "{}", report.to_text());
    }
}

/// A row with one partial replaced.
fn mutant(wrong: &broken::Wrong) -> Row {
    let mut row = wrong.op.row().clone();
    if let Value::Float { partials, .. } = &mut row.outputs[wrong.output].value {
        let partial = partials.iter_mut().find(|it| it.operand == wrong.operand).expect("such a partial");
        assert_ne!(partial.expr, wrong.partial, "{}: {} is the right partial", wrong.op.name(), wrong.what);
        partial.expr = wrong.partial.clone();
    }
    row
}

/// The first obligation about the wrong partial that is refuted, with a point that confirms it.
fn refute(wrong: &broken::Wrong, solver: &Solver) -> Option<Counterexample> {
    let row = mutant(wrong);
    let about = |place| place == Some((wrong.output, wrong.operand));
    let all = obligations(&row).expect("provable rows are broken");
    let tried = all.iter().filter(|it| about(it.place) && !it.obligation.satisfiable);
    tried.into_iter().find_map(|it| match solver.prove(&it.obligation).expect("an answer").outcome {
        Outcome::Refuted(model) => counterexample(&row, wrong.output, wrong.operand, &model),
        Outcome::Proved | Outcome::Unknown(_) => None,
    })
}

#[test]
fn no_wrong_rule_is_proved() {
    let solver = solver();
    let wrong = broken::wrong_rules();
    assert!(wrong.len() >= 60);
    let mut from_models = 0;
    for it in &wrong {
        let found = refute(it, &solver);
        let found = found.unwrap_or_else(|| panic!("{} by x{}: {} is not refuted", it.op.name(), it.operand, it.what));
        assert!(found.claimed.to_bits() != found.actual.to_bits());
        from_models += usize::from(found.from_model);
    }
    assert!(from_models * 2 > wrong.len(), "only {from_models} of {} by the solver's own point", wrong.len());
}

/// What a counterexample says in C is what C does.
#[test]
fn counterexamples_run() {
    let solver = solver();
    let shown = [
        (Op::Tan, "one forgotten"),
        (Op::Hypot, "other operand"),
        (Op::Fmod, "sign"),
        (Op::SinCos, "sign"),
        (Op::Powi, "factor off by one"),
        (Op::Fmax, "always"),
        (Op::ComplexDiv, "square forgotten"),
    ];
    let wrong = broken::wrong_rules();
    for (op, what) in shown {
        let it = wrong.iter().find(|it| it.op == op && it.what == what).expect("a line of the table");
        let program = refute(it, &solver).and_then(|found| found.program).expect("a program");
        assert_eq!(returned(&program), 1, "{program}");
        // The right partial in its place: the same program finds nothing.
        let right = op.row().partial(it.output, it.operand).expect("a partial");
        let fixed = counterexample_of_right(op, it, right, &program);
        assert_eq!(returned(&fixed), 0, "{fixed}");
    }
}

/// The program with its claim replaced by that of the row.
fn counterexample_of_right(op: Op, it: &broken::Wrong, right: &rules::Partial, program: &str) -> String {
    let claim = verify::rule::in_c(&right.expr).expect("C can say it");
    let line = program.lines().find(|line| line.contains("double claimed")).expect("the claim");
    let fixed = program.replace(line, &format!("  double claimed = {claim};"));
    assert_ne!(fixed, program, "{} {}", op.name(), it.what);
    fixed
}

/// Compiles and runs a C program.
fn returned(program: &str) -> i32 {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, binary) = (folder.path().join("shown.c"), folder.path().join("shown"));
    std::fs::write(&source, program).expect("written");
    let clang = llvm::find::toolchain().expect("clang is installed").clang;
    let mut compile = std::process::Command::new(clang);
    let status = compile.arg(&source).arg("-o").arg(&binary).arg("-lm").status().expect("clang runs");
    assert!(status.success(), "{program}");
    let status = std::process::Command::new(&binary).stdout(std::process::Stdio::null()).status().expect("it runs");
    status.code().expect("it ends by itself")
}
