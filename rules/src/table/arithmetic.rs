//! Rows of arithmetic: the floating-point instructions, `fma`, minimum and maximum, remainders.

use super::build::{binary, int_output, reals, row, unary};
use crate::expr::build::{apply, int, one, when, x, y, zero};
use crate::expr::{Cond, Expr};
use crate::row::{Decision, Exception, Operand, Place, Proof, Row};
use crate::table::op::Op;

const CALCULUS: &str = "elementary calculus";

pub(super) fn rows() -> Vec<Row> {
    let mut rows = instructions();
    rows.extend(signs());
    rows.extend(extrema());
    rows.extend(remainders());
    rows
}

fn instructions() -> Vec<Row> {
    let any = || reals(-3.0, 5.0);
    let fused = |op| {
        row(op, &[Operand::Active; 3])
            .defined_as(x(0) * x(1) + x(2))
            .d(x(1))
            .d(x(0))
            .d(one())
            .sampled([any(), any(), any()])
            .proved(Proof::Algebraic, CALCULUS)
    };
    vec![
        binary(Op::FAdd).opcode(&["fadd"]).defined_as(x(0) + x(1)).d(one()).d(one()),
        binary(Op::FSub).opcode(&["fsub"]).defined_as(x(0) - x(1)).d(one()).d(-one()),
        binary(Op::FMul).opcode(&["fmul"]).defined_as(x(0) * x(1)).d(x(1)).d(x(0)),
        binary(Op::FDiv)
            .opcode(&["fdiv"])
            .defined_as(x(0) / x(1))
            .partial_where(!x(1).equals(zero()), one() / x(1))
            // The reciprocal is there for the other partial. It is infinite for subnormal divisors, as that partial is.
            .partial_where(!x(1).equals(zero()), -(y() * (one() / x(1))))
            // A reciprocal is its own: no second division.
            .where_constant((0, 1.0), 1, -(y() * y()))
            .convention(
                0,
                x(1).equals(zero()),
                &[[1.0, 0.0], [1.0, -0.0]],
                Decision::NotFinite,
                Exception::Pole("division by zero"),
            )
            .convention(
                1,
                x(1).equals(zero()),
                &[[1.0, 0.0], [0.0, 0.0]],
                Decision::NotFinite,
                Exception::Pole("division by zero"),
            ),
    ]
    .into_iter()
    .map(|row| row.sampled([any(), any()]).proved(Proof::Algebraic, CALCULUS))
    .chain([
        unary(Op::FNeg)
            .opcode(&["fneg"])
            .defined_as(-x(0))
            .d(-one())
            .sampled([any()])
            .proved(Proof::Algebraic, CALCULUS),
        fused(Op::Fma).library(&["fma"]).intrinsics(&["llvm.fma"]),
        fused(Op::FMulAdd).intrinsics(&["llvm.fmuladd"]),
        unary(Op::Identity)
            .intrinsics(&["llvm.canonicalize", "llvm.arithmetic.fence"])
            .defined_as(x(0))
            .d(one())
            .sampled([any()])
            .proved(Proof::Algebraic, "LLVM LangRef: returns the operand"),
    ])
    .collect()
}

fn signs() -> Vec<Row> {
    let at_zero = || x(0).equals(zero());
    let sign = |i| apply(Op::CopySign, [one(), x(i)]);
    vec![
        unary(Op::Fabs)
            .library(&["fabs"])
            .intrinsics(&["llvm.fabs"])
            .defined_as(when(x(0).lt(zero()), -x(0), x(0)))
            .partial_where(!at_zero(), when(at_zero(), zero(), sign(0)))
            .sampled([reals(-2.0, 2.0)])
            .convention(
                0,
                at_zero(),
                &[[0.0], [-0.0]],
                Decision::Number(0.0),
                Exception::Kink("the subgradient of least magnitude"),
            )
            .proved(Proof::Algebraic, "|x| = x·sgn x"),
        binary(Op::CopySign)
            .library(&["copysign"])
            .intrinsics(&["llvm.copysign"])
            .partial_where(!at_zero(), when(at_zero(), zero(), sign(0) * sign(1)))
            .partial_where(!x(1).equals(zero()), zero())
            .sampled([reals(-2.0, 2.0), reals(-2.0, 2.0)])
            .convention(
                0,
                at_zero(),
                &[[0.0, 1.0], [-0.0, -1.0]],
                Decision::Number(0.0),
                Exception::Kink("as |x| at 0"),
            )
            .convention(
                1,
                x(1).equals(zero()),
                &[[1.0, 0.0], [1.0, -0.0]],
                Decision::Number(0.0),
                Exception::Jump("flat on both sides"),
            )
            .proved(Proof::Algebraic, "copysign(x, s) = x·sgn x·sgn s"),
    ]
}

/// At a tie the whole derivative goes to the second operand, as it does in `x0 < x1 ? x0 : x1`, the form these
/// functions have when a compiler expands them. So the answer does not depend on the optimisation level.
fn extrema() -> Vec<Row> {
    const REASON: Exception = Exception::Kink("a tie goes to the second operand, as in x0 < x1 ? x0 : x1");
    let tie = || x(0).equals(x(1));
    let row = |op, first: Cond, kink: Cond, nan_loses: bool| {
        let choose = |taken: Expr, otherwise: Expr| {
            let ordered = when(first.clone(), taken.clone(), otherwise);
            if nan_loses { when(x(1).is_nan(), taken, ordered) } else { ordered }
        };
        binary(op)
            .defined_as(when(first.clone(), x(0), x(1)))
            .partial_where(!kink.clone(), choose(one(), zero()))
            .partial_where(!kink, choose(zero(), one()))
            .sampled([reals(-2.0, 2.0), reals(-2.0, 2.0)])
            .convention(0, tie(), &[[1.5, 1.5], [-0.5, -0.5]], Decision::Number(0.0), REASON)
            .convention(1, tie(), &[[1.5, 1.5], [-0.5, -0.5]], Decision::Number(1.0), REASON)
            .proved(Proof::Algebraic, "the chosen operand")
    };
    let above = || x(1).lt(x(0));
    let magnitude = |i| apply(Op::Fabs, [x(i)]);
    let less = |i: usize| magnitude(i).lt(magnitude(1 - i));
    let same = || magnitude(0).equals(magnitude(1));
    // x and -x have the same magnitude: the lesser or the greater of the two is taken, and next to them the other.
    let by_magnitude = |row: Row| {
        const OPPOSITE: Exception = Exception::Jump("opposite operands: the slope of the one that is taken");
        let opposite = || same().and(!tie());
        let points = [[1.5, -1.5], [-0.5, 0.5]];
        row.convention(0, opposite(), &points, Decision::Formula, OPPOSITE).convention(
            1,
            opposite(),
            &points,
            Decision::Formula,
            OPPOSITE,
        )
    };
    vec![
        row(Op::Fmin, x(0).lt(x(1)), tie(), true).library(&["fmin", "fminimum_num"]).intrinsics(&["llvm.minnum"]),
        row(Op::Fmax, above(), tie(), true).library(&["fmax", "fmaximum_num"]).intrinsics(&["llvm.maxnum"]),
        row(Op::Minimum, x(0).lt(x(1)), tie(), false).library(&["fminimum"]).intrinsics(&["llvm.minimum"]),
        row(Op::Maximum, above(), tie(), false).library(&["fmaximum"]).intrinsics(&["llvm.maximum"]),
        by_magnitude(row(Op::FminMag, less(0).or(same().and(x(0).lt(x(1)))), same(), true))
            .library(&["fminmag", "fminimum_mag_num"]),
        by_magnitude(row(Op::FmaxMag, less(1).or(same().and(above())), same(), true))
            .library(&["fmaxmag", "fmaximum_mag_num"]),
        by_magnitude(row(Op::MinimumMag, less(0).or(same().and(x(0).lt(x(1)))), same(), false))
            .library(&["fminimum_mag"]),
        by_magnitude(row(Op::MaximumMag, less(1).or(same().and(above())), same(), false)).library(&["fmaximum_mag"]),
        binary(Op::Fdim)
            .library(&["fdim"])
            .defined_as(when(above(), x(0) - x(1), zero()))
            .partial_where(!tie(), when(above(), one(), zero()))
            .partial_where(!tie(), when(above(), -one(), zero()))
            .sampled([reals(-2.0, 2.0), reals(-2.0, 2.0)])
            .convention(
                0,
                tie(),
                &[[1.5, 1.5]],
                Decision::Number(0.0),
                Exception::Kink("the result is 0, as on the flat side"),
            )
            .convention(
                1,
                tie(),
                &[[1.5, 1.5]],
                Decision::Number(0.0),
                Exception::Kink("the result is 0, as on the flat side"),
            )
            .errno()
            .proved(Proof::Algebraic, "max(x0 - x1, 0)"),
    ]
}

/// The quotient is recovered from the result: `x0 / x1` itself may round up to the next integer, `(x0 - y) / x1` is one
/// already.
fn remainders() -> Vec<Row> {
    const PIECEWISE: &str = "x0 - q·x1 with a locally constant integer q";
    let quotient = || apply(Op::RoundEven, [(x(0) - y()) / x(1)]);
    let pole = || x(1).equals(zero());
    let finish = |row: Row, jump: Cond, points: &[[f64; 2]]| {
        let smooth = || !(pole().or(jump.clone()));
        row.partial_where(smooth(), one())
            .partial_where(smooth(), -quotient())
            .sampled([reals(-20.0, 20.0), reals(0.5, 4.0)])
            .sampled([reals(-20.0, 20.0), reals(-4.0, -0.5)])
            .convention(
                0,
                jump.clone(),
                points,
                Decision::Number(1.0),
                Exception::Jump("the slope is the same on both sides"),
            )
            .convention(1, jump, points, Decision::Formula, Exception::Jump("the quotient the function used"))
            .convention(1, pole(), &[[1.0, 0.0]], Decision::NotFinite, Exception::Outside("division by zero"))
            .errno()
            .proved(Proof::Algebraic, PIECEWISE)
    };
    let truncated = || y().equals(zero());
    let halfway = || apply(Op::Fabs, [int(2) * y()]).equals(apply(Op::Fabs, [x(1)]));
    let at_multiple = [[6.0, 3.0], [-6.0, 3.0]];
    let at_half = [[4.5, 3.0], [7.5, -3.0]];
    let remquo = row(Op::Remquo, &[Operand::Active, Operand::Active, Operand::IntOut])
        .library(&["remquo"])
        .outputs(vec![super::build::float_output(Place::Return), int_output(Place::Pointer(2))]);
    vec![
        finish(binary(Op::FRem).opcode(&["frem"]), truncated(), &at_multiple),
        finish(binary(Op::Fmod).library(&["fmod"]), truncated(), &at_multiple),
        finish(binary(Op::Remainder).library(&["remainder", "drem"]), halfway(), &at_half),
        finish(remquo, halfway(), &at_half),
    ]
}
