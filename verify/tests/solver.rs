//! What the solver answers, and that its limits hold however it behaves.

use std::path::Path;
use std::time::{Duration, Instant};
use verify::obligation::Obligation;
use verify::solver::Model;
use verify::term::{Term, Terms};
use verify::{Outcome, Solver, SolverError};

fn solver() -> Solver {
    Solver::at(Path::new(env!("CARGO_BIN_EXE_verify-worker")))
}

/// A worker that misbehaves.
fn script(name: &str) -> Solver {
    Solver::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/workers").join(name))
}

fn ask(build: impl Fn(&mut Terms) -> Obligation) -> Outcome {
    let mut terms = Terms::new();
    let obligation = build(&mut terms);
    solver().prove(&obligation).expect("an answer").outcome
}

/// That no x has the properties.
fn none_has(properties: impl Fn(&mut Terms, Term) -> Vec<Term>) -> Obligation {
    let mut terms = Terms::new();
    let x = terms.variable("x");
    let (facts, never) = (properties(&mut terms, x), terms.truth(false));
    Obligation::implication("none", &mut terms, &facts, never)
}

fn something() -> Obligation {
    none_has(|t, x| vec![t.less(x, x)])
}

fn model(obligation: &Obligation) -> Model {
    match solver().prove(obligation).expect("an answer").outcome {
        Outcome::Refuted(model) => model,
        other => panic!("{other:?}"),
    }
}

/// Nonlinear, with many solutions to rule out one after the other: far beyond any limit.
fn hard() -> Obligation {
    let mut terms = Terms::new();
    let t = &mut terms;
    let points: Vec<[Term; 4]> = (0..14).map(|_| ["a", "b", "c", "d"].map(|name| t.variable(name))).collect();
    let (one, mut facts) = (t.number(1), Vec::new());
    let dot = |t: &mut Terms, a: &[Term; 4], b: &[Term; 4]| {
        let products = [0, 1, 2, 3].map(|index| t.mul(a[index], b[index]));
        products.into_iter().reduce(|a, b| t.add(a, b)).expect("four of them")
    };
    for (index, point) in points.iter().enumerate() {
        let norm = dot(t, point, point);
        facts.push(t.equal(norm, one));
        for other in &points[..index] {
            let (product, third) = (dot(t, point, other), t.number((1, 3)));
            let limit = t.neg(third);
            facts.push(t.less(product, limit));
        }
    }
    let never = t.truth(false);
    Obligation::implication("points on a sphere", t, &facts, never)
}

#[test]
fn what_holds_is_proved_and_what_does_not_is_refuted_with_a_point() {
    let square = |terms: &mut Terms, bound: i32| {
        let x = terms.variable("x");
        let (square, bound) = (terms.mul(x, x), terms.number(bound));
        let goal = terms.less(bound, square);
        Obligation::implication("square", terms, &[], goal)
    };
    assert_eq!(ask(|terms| square(terms, -1)), Outcome::Proved);
    let Outcome::Refuted(model) = ask(|terms| square(terms, 4)) else { panic!("refuted") };
    assert!(model["x"] * model["x"] <= 4.0);
}

#[test]
fn a_quotient_by_zero_is_anything() {
    let quotient = |terms: &mut Terms, guarded: bool| {
        let x = terms.variable("x");
        let (quotient, one) = (terms.div(x, x), terms.number(1));
        let (goal, guard) = (terms.equal(quotient, one), terms.nonzero(x));
        let assumptions = if guarded { vec![guard] } else { Vec::new() };
        Obligation::implication("quotient", terms, &assumptions, goal)
    };
    assert_eq!(ask(|terms| quotient(terms, true)), Outcome::Proved);
    assert!(matches!(ask(|terms| quotient(terms, false)), Outcome::Refuted(_)));
}

#[test]
fn assumptions_that_contradict_each_other_are_noticed() {
    let both = |terms: &mut Terms, second: i32| {
        let (x, one, other) = (terms.variable("x"), terms.number(1), terms.number(second));
        let facts = [terms.less(x, one), terms.less(other, x)];
        Obligation::not_vacuous("between", terms, &facts)
    };
    assert_eq!(ask(|terms| both(terms, 0)), Outcome::Proved);
    assert!(matches!(ask(|terms| both(terms, 2)), Outcome::Refuted(_)));
}

#[test]
fn the_contradiction_names_the_assumptions_that_make_it() {
    let mut terms = Terms::new();
    let (x, y, z) = (terms.variable("x"), terms.variable("y"), terms.variable("z"));
    let zero = terms.number(0);
    let square = terms.mul(y, y);
    let facts = [terms.less(x, zero), terms.less(z, zero), terms.equal(x, square), terms.less(x, z)];
    let obligation = Obligation::not_vacuous("square", &terms, &facts);
    assert_eq!(solver().contradiction(&obligation).expect("an answer"), Some(vec![0, 2]));
    assert_eq!(obligation.assumptions()[2], "(= |x| (* |y| |y|))");
    let possible = Obligation::not_vacuous("no square", &terms, &facts[..2]);
    assert_eq!(solver().contradiction(&possible).expect("an answer"), None);
    // A report quotes them.
    let report = verify::Subject::of_rule("square", vec![obligation]).prove(&solver()).expect("an answer");
    assert_eq!(report.failures[0].contradiction, ["(< |x| 0.0)", "(= |x| (* |y| |y|))"]);
    assert!(report.to_text().contains("contradicts the others: (< |x| 0.0)\n"), "{}", report.to_text());
}

/// Each value is the nearest double of the only solution.
#[test]
fn models_are_read_exactly() {
    let only = |properties: fn(&mut Terms, Term) -> Vec<Term>| model(&none_has(properties))["x"];
    let third = only(|t, x| {
        let (three, one) = (t.number(3), t.number(-1));
        let product = t.mul(three, x);
        vec![t.equal(product, one)]
    });
    assert_eq!(third, -1.0 / 3.0);
    let root = only(|t, x| {
        let (square, two, zero) = (t.mul(x, x), t.number(2), t.number(0));
        vec![t.equal(square, two), t.less(x, zero)]
    });
    assert_eq!(root, -std::f64::consts::SQRT_2);
    // Neither in 64 bits, nor with a digit among the first twenty behind the point.
    let small = only(|t, x| {
        let power = t.number((1, rug::Integer::from(3) << 100));
        vec![t.equal(x, power)]
    });
    assert_eq!(small, 1.0 / 3.0 / 2.0_f64.powi(100));
    let small_root = only(|t, x| {
        let (square, zero) = (t.mul(x, x), t.number(0));
        let power = t.number((1, rug::Integer::from(1) << 201));
        vec![t.equal(square, power), t.less(zero, x)]
    });
    assert_eq!(small_root, std::f64::consts::FRAC_1_SQRT_2 / 2.0_f64.powi(100));
    let large = only(|t, x| {
        let number = t.number((rug::Integer::from(1) << 200) + 1);
        vec![t.equal(x, number)]
    });
    assert_eq!(large, 2.0_f64.powi(200));
}

#[test]
fn integers_of_a_model_are_integers() {
    let mut terms = Terms::new();
    let (x, half) = (terms.variable("x"), terms.number((1, 2)));
    let (floor, integer) = (terms.floor(x), terms.is_integer(x));
    let sum = terms.add(floor, half);
    let facts = [terms.equal(x, sum), integer];
    let contradiction = Obligation::not_vacuous("half", &terms, &facts);
    assert_eq!(solver().prove(&contradiction).expect("an answer").outcome, Outcome::Refuted(Model::new()));
    let possible = Obligation::not_vacuous("half", &terms, &facts[..1]);
    assert_eq!(solver().prove(&possible).expect("an answer").outcome, Outcome::Proved);
}

#[test]
fn the_limit_of_time_is_kept() {
    let start = Instant::now();
    let answer = solver().limit(Duration::from_secs(1)).prove(&hard()).expect("an answer");
    assert!(matches!(&answer.outcome, Outcome::Unknown(why) if why.contains("limit")), "{answer:?}");
    assert!((Duration::from_millis(900)..Duration::from_secs(4)).contains(&start.elapsed()), "{answer:?}");
}

#[test]
fn the_limit_of_memory_is_kept() {
    let answer = solver().memory(24).prove(&hard()).expect("an answer");
    assert!(matches!(&answer.outcome, Outcome::Unknown(why) if why.contains("memory")), "{answer:?}");
}

/// A worker that does not look at its limits is ended.
#[test]
fn limits_hold_without_the_solvers_help() {
    let start = Instant::now();
    let hangs = script("hangs.sh").limit(Duration::from_millis(200)).prove(&something()).expect("an answer");
    assert!(matches!(&hangs.outcome, Outcome::Unknown(why) if why.contains("limit")), "{hangs:?}");
    let grows = script("grows.sh").memory(32).limit(Duration::from_secs(2)).prove(&something()).expect("an answer");
    assert!(matches!(&grows.outcome, Outcome::Unknown(why) if why.contains("memory")), "{grows:?}");
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

#[test]
fn a_worker_that_ends_without_an_answer_is_an_error() {
    let start = Instant::now();
    let error = script("crashes.sh").prove(&something()).expect_err("no answer");
    assert!(matches!(error, SolverError::Died(_)) && error.to_string().contains("signal: 11"), "{error}");
    let error = script("babbles.sh").prove(&something()).expect_err("no answer");
    assert!(matches!(&error, SolverError::Rubbish(said) if said == "unsat\n"), "{error}");
    let error = script("is-not-there.sh").prove(&something()).expect_err("no answer");
    assert!(matches!(error, SolverError::Missing), "{error}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// One that is killed while z3 thinks, too.
#[test]
fn a_worker_that_is_killed_is_an_error() {
    let (send, thread) = std::sync::mpsc::channel();
    let asking = std::thread::spawn(move || {
        send.send(std::fs::read_link("/proc/thread-self").expect("a thread")).expect("sent");
        solver().prove(&hard())
    });
    let children = Path::new("/proc").join(thread.recv().expect("a thread")).join("children");
    let worker = loop {
        let started = std::fs::read_to_string(&children).expect("Linux says which processes a thread started");
        match started.split_whitespace().next() {
            Some(worker) => break worker.to_owned(),
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    std::thread::sleep(Duration::from_millis(300));
    let killed = std::process::Command::new("sh").args(["-c", &format!("kill -9 {worker}")]).status().expect("a shell");
    assert!(killed.success());
    let error = asking.join().expect("no panic").expect_err("no answer");
    assert!(matches!(error, SolverError::Died(_)) && error.to_string().contains("signal: 9"), "{error}");
}
