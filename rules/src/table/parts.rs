//! Rows of the functions that take a floating-point number apart or put it together.

use super::build::{float_output, int_output, integers, reals, row, unary};
use crate::expr::Cond;
use crate::expr::build::{apply, apply_n, n, one, ratio, when, x, y, zero};
use crate::row::{Decision, Exception, Operand, Place, Proof, Row, Width};
use crate::table::op::Op;

const JUMP: Exception = Exception::Jump("at a power of two; the slope of the piece");

pub(super) fn rows() -> Vec<Row> {
    let mut rows = scaling();
    rows.extend(fractions());
    rows.extend(neighbours());
    rows
}

fn scaling() -> Vec<Row> {
    let scale = |op| {
        row(op, &[Operand::Active, Operand::Integer])
            .d(apply_n(op, n(0), [one()]))
            .sampled_n([reals(-3.0, 3.0)], [integers(-12, 12)])
            .errno()
            .proved(Proof::Algebraic, "x·2ⁿ is linear in x")
    };
    vec![
        scale(Op::Ldexp).library(&["ldexp", "scalbn"]).intrinsics(&["llvm.ldexp"]),
        scale(Op::Scalbln).library(&["scalbln"]),
        row(Op::Scalb, &[Operand::Active, Operand::Inactive("must be an integer")])
            .library(&["scalb"])
            .d(apply(Op::Exp2, [x(1)]))
            .sampled([reals(-3.0, 3.0), integers(-12, 12)])
            .errno()
            .proved(Proof::Algebraic, "x·2ⁿ is linear in x"),
    ]
}

fn fractions() -> Vec<Row> {
    let zero_operand = || x(0).equals(zero());
    let magnitude_is = |value: crate::expr::Expr| apply(Op::Fabs, [y()]).equals(value);
    // y / x is an exact power of two: both have the same significand.
    let linear = |row: Row, jump: Cond| {
        row.partial_where(!(jump.clone().or(zero_operand())), when(zero_operand(), zero(), y() / x(0)))
            .sampled([reals(-9.0, 9.0)])
            .convention(0, jump, &[[4.0], [-0.25]], Decision::Formula, JUMP)
            .convention(
                0,
                zero_operand(),
                &[[0.0]],
                Decision::Number(0.0),
                Exception::Singular("the scale has no limit at 0"),
            )
            .proved(Proof::Algebraic, "x·2⁻ᵉ with a locally constant integer e")
    };
    let half = || magnitude_is(ratio(1, 2));
    let whole = || x(0).is_integer().and(!zero_operand());
    let frexp = row(Op::Frexp, &[Operand::Active, Operand::IntOut])
        .library(&["frexp"])
        .outputs(vec![float_output(Place::Return), int_output(Place::Pointer(1))]);
    let frexp_pair = unary(Op::FrexpPair)
        .intrinsics(&["llvm.frexp"])
        .outputs(vec![float_output(Place::Field(0)), int_output(Place::Field(1))]);
    let significand = apply(Op::Significand, [x(0)]);
    let power_of_two = apply(Op::Fabs, [significand]).equals(one());
    vec![
        linear(frexp, half()),
        linear(frexp_pair, half()),
        linear(unary(Op::Significand).library(&["significand"]), magnitude_is(one())),
        row(Op::Modf, &[Operand::Active, Operand::FloatOut])
            .library(&["modf"])
            .outputs(vec![float_output(Place::Return), float_output(Place::Pointer(1))])
            .output_defined_as(0, x(0) - apply(Op::Trunc, [x(0)]))
            .output_defined_as(1, apply(Op::Trunc, [x(0)]))
            .output_partial(0, !whole(), one())
            .output_partial(1, !whole(), zero())
            .sampled([reals(-9.0, 9.0)])
            .convention(
                0,
                whole(),
                &[[2.0], [-3.0]],
                Decision::Number(1.0),
                Exception::Jump("the slope is the same on both sides"),
            )
            .proved(Proof::Algebraic, "x - trunc x"),
        unary(Op::Logb)
            .library(&["logb"])
            .partial_where(!(power_of_two.clone().or(zero_operand())), zero())
            .sampled([reals(-9.0, 9.0)])
            .convention(0, power_of_two, &[[4.0]], Decision::Number(0.0), Exception::Jump("flat on both sides"))
            .convention(
                0,
                zero_operand(),
                &[[0.0]],
                Decision::Number(0.0),
                Exception::Pole("pole of a piecewise constant function"),
            )
            .errno()
            .proved(Proof::Algebraic, "piecewise constant"),
    ]
}

/// Over the real numbers the next number is the number itself.
fn neighbours() -> Vec<Row> {
    const DIRECTION: &str = "says only where to move by one unit in the last place";
    let next = |op, direction| {
        row(op, &[Operand::Active, direction])
            .d(one())
            .sampled([reals(-9.0, -1.0), reals(1.0, 9.0)])
            .errno()
            .proved(Proof::Algebraic, "the identity, up to one unit in the last place")
    };
    let step = |op| {
        unary(op)
            .d(one())
            .sampled([reals(-9.0, -1.0)])
            .sampled([reals(1.0, 9.0)])
            .proved(Proof::Algebraic, "the identity, up to one unit in the last place")
    };
    vec![
        step(Op::NextUp).library(&["nextup"]),
        step(Op::NextDown).library(&["nextdown"]),
        next(Op::NextAfter, Operand::Inactive(DIRECTION)).library(&["nextafter"]),
        next(Op::NextToward, Operand::InactiveOf(Width::F80, DIRECTION)).library(&["nexttoward"]),
    ]
}
