//! The check of a row must refuse wrong rows: each of these is a right row with one thing broken.

use rules::expr::{Cond, apply, int, one, ratio, x, y};
use rules::row::{Decision, Exception, Range, Region};
use rules::{Expr, Fault, Op, Row, Value, check};

/// The row of an operation with its first partial replaced.
fn with_partial(op: Op, output: usize, operand: usize, expr: Expr) -> Row {
    let mut row = op.row().clone();
    let Value::Float { partials, .. } = &mut row.outputs[output].value else { panic!("no partials") };
    partials.iter_mut().find(|partial| partial.operand == operand).unwrap().expr = expr;
    row
}

fn faults(row: &Row) -> Vec<Fault> {
    assert!(check(row.op.row()).is_ok(), "the unbroken row must pass");
    check(row).expect_err("the broken row passed")
}

#[test]
fn wrong_partials_are_refused() {
    let gamma_without_its_factor = with_partial(Op::TGamma, 0, 0, Op::LGamma.row().partials(0)[0].expr.clone());
    let cases = [
        gamma_without_its_factor,
        with_partial(Op::Sin, 0, 0, -apply(Op::Cos, [x(0)])),
        with_partial(Op::FMul, 0, 1, x(1)),
        with_partial(Op::FDiv, 0, 1, y() / x(1)),
        with_partial(Op::Atan2, 0, 1, x(0) / (x(0) * x(0) + x(1) * x(1))),
        with_partial(Op::SinCos, 1, 0, apply(Op::Sin, [x(0)])),
        with_partial(Op::ComplexMul, 1, 3, x(1)),
        with_partial(Op::Erf, 0, 0, ratio(1128, 1000) * apply(Op::Exp, [-(x(0) * x(0))])),
        with_partial(Op::Remainder, 0, 1, -apply(Op::Trunc, [x(0) / x(1)])),
        // A relative error of 1e-16 is not lost in any tolerance.
        with_partial(Op::Exp, 0, 0, y() * (one() + ratio(1, 10_000_000_000_000_000))),
    ];
    for row in cases {
        let faults = faults(&row);
        assert!(matches!(faults[0], Fault::WrongPartial { .. }), "{}: {:?}", row.op.name(), faults[0]);
    }
}

#[test]
fn a_formula_that_loses_its_bits_is_refused() {
    let row = with_partial(Op::Tanh, 0, 0, one() - y() * y());
    assert!(faults(&row).iter().all(|fault| matches!(fault, Fault::Inaccurate { .. })));
}

#[test]
fn a_wrong_definition_is_refused() {
    let mut row = Op::Cosh.row().clone();
    let Value::Float { definition, .. } = &mut row.outputs[0].value else { panic!("no definition") };
    *definition = Op::Sinh.row().outputs[0].value.definition().cloned();
    assert!(matches!(faults(&row)[0], Fault::WrongDefinition { .. }));
}

#[test]
fn a_wrong_convention_is_refused() {
    let mut row = Op::Sqrt.row().clone();
    row.conventions[0].value = Decision::NotFinite;
    assert!(matches!(faults(&row)[0], Fault::WrongConvention { .. }));
    let mut row = Op::Fabs.row().clone();
    row.conventions[0].points = vec![vec![1.0]];
    assert!(matches!(faults(&row)[0], Fault::Malformed(_)));
}

#[test]
fn a_convention_of_the_wrong_kind_is_refused() {
    for (op, kind) in [
        (Op::Fabs, Exception::Pole("")),
        (Op::Log, Exception::Singular("")),
        (Op::Floor, Exception::Pole("")),
        (Op::Modf, Exception::Pole("")),
        (Op::Atan2, Exception::Pole("")),
    ] {
        let mut row = op.row().clone();
        row.conventions[0].reason = kind;
        assert!(matches!(faults(&row)[0], Fault::Malformed(_)), "{}", op.name());
    }
    // Flat on both sides of its pole: no kink.
    let mut row = Op::Logb.row().clone();
    row.conventions[1].reason = Exception::Kink("");
    assert!(matches!(faults(&row)[0], Fault::Malformed(_)));
}

#[test]
fn what_nobody_would_check_is_refused() {
    let mut without_region = Op::Sin.row().clone();
    without_region.regions.clear();
    assert!(matches!(faults(&without_region)[0], Fault::Unchecked(_)));

    let mut outside = Op::Sqrt.row().clone();
    outside.regions = vec![Region { x: vec![Range::Reals(-2.0, -1.0)], n: vec![] }];
    assert!(matches!(faults(&outside)[0], Fault::Unchecked(_)));

    let mut silent = Op::Log.row().clone();
    silent.conventions.clear();
    assert!(matches!(faults(&silent)[0], Fault::Unchecked(_)));
}

#[test]
fn malformed_rows_are_refused() {
    let mut missing = Op::FAdd.row().clone();
    let Value::Float { partials, .. } = &mut missing.outputs[0].value else { panic!("no partials") };
    partials.pop();
    let cases = [
        missing,
        with_partial(Op::Sin, 0, 0, x(1)),
        with_partial(Op::Sin, 0, 0, apply(Op::Pow, [x(0)])),
        with_partial(Op::Sin, 0, 0, apply(Op::SinCos, [x(0)])),
        with_partial(Op::Sin, 0, 0, Expr::from(rules::expr::n(0))),
    ];
    for row in cases {
        assert!(matches!(faults(&row)[0], Fault::Malformed(_)), "{}", row.op.name());
    }
    let mut condition = Op::Sin.row().clone();
    let Value::Float { partials, .. } = &mut condition.outputs[0].value else { panic!("no partials") };
    partials[0].smooth = Cond::True.and(x(3).lt(int(1)));
    assert!(matches!(faults(&condition)[0], Fault::Malformed(_)));
}
