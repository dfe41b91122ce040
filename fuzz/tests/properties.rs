//! Properties of generated programs, and that what breaks one shrinks to a program that can be read.

use adjudicate::{Fault, Level};
use fuzz::c::odds::Odds;
use fuzz::check::Options;
use fuzz::ir::check::check_module;
use fuzz::ir::{Purpose, batch, odds};
use fuzz::shrink::Shrink;
use fuzz::strategy::{Module, modules, programs};
use fuzz::{TestCase, check};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

/// Gradients in which a term is dropped.
fn faulty() -> Options {
    Options {
        levels: vec![Level::O0],
        native: false,
        debug: false,
        reprint: false,
        fault: Some(Fault::DroppedTerm),
        ..Options::default()
    }
}

/// The program that a property fails on, made as small as `questions` allow.
fn counterexample<S: Strategy>(strategy: &S, questions: u32, holds: impl Fn(&S::Value) -> bool) -> S::Value {
    let config = Config { cases: 200, max_shrink_iters: questions, failure_persistence: None, ..Config::default() };
    let mut runner =
        TestRunner::new_with_rng(config, proptest::test_runner::TestRng::deterministic_rng(Default::default()));
    let property = |value| if holds(&value) { Ok(()) } else { Err(TestCaseError::fail("it does not hold")) };
    match runner.run(strategy, property) {
        Err(TestError::Fail(_, value)) => value,
        other => panic!("one of 200 programs breaks it: {other:?}"),
    }
}

#[test]
fn a_dropped_term_shrinks_to_a_few_lines_of_c() {
    let holds = |case: &TestCase| check(case, &faulty()).findings.is_empty();
    let small = counterexample(&programs(Odds::default()), 150, holds);
    assert!(!holds(&small), "{small:?}");
    assert!(small.source().lines().count() < 40, "{small:?}");
}

fn lines(module: &Module) -> usize {
    format!("{module:?}").lines().count()
}

/// The program of which every decision is the least.
fn least() -> Module {
    Module(batch::of_bytes(&[Vec::new()], Purpose::Gradient, &odds::Odds::default()).module)
}

#[test]
fn a_dropped_term_shrinks_to_the_least_module() {
    let holds = |module: &Module| check_module(&module.0, &faulty()).findings.is_empty();
    let small = counterexample(&modules(Purpose::Gradient, odds::Odds::default()), 1000, holds);
    assert!(!holds(&small), "{small:?}");
    assert!(lines(&small) <= lines(&least()), "{} lines: {small:?}", lines(&small));
}

#[test]
fn a_module_shrinks_to_the_construct_that_matters() {
    let count = |module: &Module| format!("{module:?}").matches(" = phi double ").count();
    let small = counterexample(&modules(Purpose::Gradient, odds::Odds::default()), 4000, |m| count(m) < 1);
    assert!((1..4).contains(&count(&small)), "{small:?}");
    assert!(lines(&small) < lines(&least()) + 60, "{} lines: {small:?}", lines(&small));
}

proptest! {
    #![proptest_config(Config { cases: 256, ..Config::default() })]

    /// What is printed reads back as itself.
    #[test]
    fn a_module_that_is_differentiated_reads_back(module in modules(Purpose::Gradient, odds::Odds::default())) {
        reads_back(&module)?;
    }

    #[test]
    fn a_module_that_is_executed_reads_back(module in modules(Purpose::Semantics, odds::Odds::default())) {
        reads_back(&module)?;
    }
}

fn reads_back(Module(module): &Module) -> Result<(), TestCaseError> {
    if let Err(errors) = ir::verify(module) {
        return Err(TestCaseError::fail(format!("{errors:?}")));
    }
    let text = module.to_string();
    let again = ir::parse(&text, "case.ll").map_err(|e| TestCaseError::fail(e.to_string()))?;
    prop_assert_eq!(again.to_string(), text);
    Ok(())
}

proptest! {
    #![proptest_config(Config { cases: 12, ..Config::default() })]

    /// A program that was made smaller anywhere is one that compiles.
    #[test]
    fn an_edited_program_compiles(case in programs(Odds::default()), n in 0..400_usize) {
        let edited = case.edit(n).filter(Shrink::is_valid).unwrap_or(case);
        let input = llvm::Input::Bytes {
            name: "case.c".to_owned(),
            language: llvm::Language::C,
            bytes: edited.source().into_bytes(),
        };
        let include = adjudicate::header::IncludeDir::new().expect("the headers can be written");
        let include_dirs = vec![include.path().to_owned()];
        let options = llvm::CompileOptions { include_dirs, ..llvm::CompileOptions::at(Level::O0) };
        let module = llvm::read(&input, &options).map_err(|e| TestCaseError::fail(format!("{e}\n{}", edited.source())))?;
        prop_assert!(ir::verify(&module).is_ok());
    }
}
