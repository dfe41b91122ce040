//! Rows of circular and hyperbolic functions and their inverses.
//!
//! Formulas are chosen to keep their bits in binary floating point: 1 - x² is (1 - x)(1 + x), 1 - tanh² is 1/cosh²
//! where tanh is close to 1, squares that may overflow are hypotenuses. Slopes of the inverse functions at the ends of
//! their domain are infinite and stay so.

use super::build::{F64, binary, float_output, reals, row, unary};
use crate::expr::build::{apply, int, one, ratio, when, x, y, zero};
use crate::expr::{Cond, Const, Expr};
use crate::row::{Decision, Exception, Operand, Place, Proof, Row};
use crate::table::op::Op;

const END: Exception = Exception::Singular("end of the domain: the slope is infinite");

pub(super) fn rows() -> Vec<Row> {
    let mut rows = circular();
    rows.extend(inverse_circular());
    rows.extend(half_turns());
    rows.extend(hyperbolic());
    rows
}

fn f(op: Op) -> Expr {
    apply(op, [x(0)])
}

fn pi() -> Expr {
    Const::Pi.into()
}

fn circular() -> Vec<Row> {
    let pair = |op| {
        row(op, &[Operand::Active, Operand::FloatOut, Operand::FloatOut])
            .outputs(vec![float_output(Place::Pointer(1)), float_output(Place::Pointer(2))])
            .sampled([reals(-7.0, 7.0)])
    };
    vec![
        unary(Op::Sin)
            .library(&["sin"])
            .intrinsics(&["llvm.sin"])
            .d(f(Op::Cos))
            .errno()
            .sampled([reals(-7.0, 7.0)])
            .proved(Proof::FromAxioms, "sin' = cos"),
        unary(Op::Cos)
            .library(&["cos"])
            .intrinsics(&["llvm.cos"])
            .d(-f(Op::Sin))
            .errno()
            .sampled([reals(-7.0, 7.0)])
            .proved(Proof::FromAxioms, "cos' = -sin"),
        unary(Op::Tan)
            .library(&["tan"])
            .intrinsics(&["llvm.tan"])
            .defined_as(f(Op::Sin) / f(Op::Cos))
            .d(one() + y() * y())
            .errno()
            .sampled([reals(-1.5, 1.5)])
            .sampled([reals(1.65, 4.6)])
            .proved(Proof::FromAxioms, "sin' = cos, cos' = -sin, sin² + cos² = 1"),
        pair(Op::SinCos)
            .library(&["sincos"])
            .output_defined_as(0, f(Op::Sin))
            .output_defined_as(1, f(Op::Cos))
            .output_partial(0, Cond::True, f(Op::Cos))
            .output_partial(1, Cond::True, -f(Op::Sin))
            .errno()
            .proved(Proof::FromAxioms, "sin' = cos, cos' = -sin"),
        pair(Op::SinCosPi)
            .library(&["sincospi", "__sincospi"])
            .output_partial(0, Cond::True, pi() * f(Op::CosPi))
            .output_partial(1, Cond::True, -(pi() * f(Op::SinPi)))
            .proved(Proof::FromAxioms, "chain rule on sin and cos"),
    ]
}

fn inverse_circular() -> Vec<Row> {
    let inside = || (-one()).lt(x(0)).and(x(0).lt(one()));
    let end = || x(0).equals(one()).or(x(0).equals(-one()));
    let outside = || one().lt(apply(Op::Fabs, [x(0)]));
    let slope = || one() / apply(Op::Sqrt, [(one() - x(0)) * (one() + x(0))]);
    let bounded = |row: Row| {
        row.errno()
            .sampled([reals(-0.999, 0.999)])
            .sampled([reals(1.0 - 1e-8, 1.0 - 1e-9)])
            .convention(0, end(), &[[1.0], [-1.0]], Decision::NotFinite, END)
            .convention(0, outside(), &[[1.5]], Decision::NotFinite, Exception::Outside("no real value"))
    };
    let radius = || apply(Op::Hypot, [x(0), x(1)]);
    let origin = || radius().equals(zero());
    let carg_cut = || x(1).equals(zero()).and(x(0).le(zero()));
    let on_the_carg_cut = || x(1).equals(zero()).and(x(0).lt(zero()));
    let cut = || x(0).equals(zero()).and(x(1).le(zero()));
    let on_the_cut = || x(0).equals(zero()).and(x(1).lt(zero()));
    vec![
        bounded(unary(Op::Asin).library(&["asin"]).intrinsics(&["llvm.asin"]).partial_where(inside(), slope()))
            .proved(Proof::Implicit, "sin y = x"),
        bounded(unary(Op::Acos).library(&["acos"]).intrinsics(&["llvm.acos"]).partial_where(inside(), -slope()))
            .proved(Proof::Implicit, "cos y = x"),
        unary(Op::Atan)
            .library(&["atan"])
            .intrinsics(&["llvm.atan"])
            .d(one() / (one() + x(0) * x(0)))
            .sampled([reals(-6.0, 6.0)])
            .proved(Proof::Implicit, "tan y = x"),
        binary(Op::Atan2)
            .library(&["atan2"])
            .partial_where(!cut(), when(origin(), zero(), x(1) / radius() / radius()))
            .partial_where(!cut(), when(origin(), zero(), -(x(0) / radius() / radius())))
            .sampled([reals(-4.0, 4.0), reals(-4.0, 4.0)])
            .sampled([reals(1e200, 9e200), reals(-9e200, -1e200)])
            .sampled([reals(1e-200, 9e-200), reals(1e-200, 9e-200)])
            .convention(
                0,
                origin(),
                &[[0.0, 0.0], [0.0, -0.0]],
                Decision::Number(0.0),
                Exception::Singular("no direction is singled out at the origin"),
            )
            .convention(
                1,
                origin(),
                &[[0.0, 0.0], [0.0, -0.0]],
                Decision::Number(0.0),
                Exception::Singular("no direction is singled out at the origin"),
            )
            .convention(
                0,
                on_the_cut(),
                &[[0.0, -2.0]],
                Decision::Formula,
                Exception::Jump("branch cut; the slope is the same on both sides"),
            )
            .convention(
                1,
                on_the_cut(),
                &[[0.0, -2.0]],
                Decision::Number(0.0),
                Exception::Jump("branch cut; the slope is the same on both sides"),
            )
            .errno()
            .proved(Proof::Implicit, "x1·sin y = x0·cos y"),
        binary(Op::Carg)
            // Only the double form is a function of two numbers; the others take a vector or a pointer.
            .irregular(&[("carg", F64)])
            .defined_as(apply(Op::Atan2, [x(1), x(0)]))
            .partial_where(!carg_cut(), when(origin(), zero(), -(x(1) / radius() / radius())))
            .partial_where(!carg_cut(), when(origin(), zero(), x(0) / radius() / radius()))
            .sampled([reals(-4.0, 4.0), reals(-4.0, 4.0)])
            .sampled([reals(1e200, 9e200), reals(-9e200, -1e200)])
            .sampled([reals(1e-200, 9e-200), reals(1e-200, 9e-200)])
            .convention(0, origin(), &[[0.0, 0.0]], Decision::Number(0.0), Exception::Singular("as atan2"))
            .convention(1, origin(), &[[0.0, 0.0]], Decision::Number(0.0), Exception::Singular("as atan2"))
            .convention(0, on_the_carg_cut(), &[[-2.0, 0.0]], Decision::Number(0.0), Exception::Jump("as atan2"))
            .convention(1, on_the_carg_cut(), &[[-2.0, 0.0]], Decision::Formula, Exception::Jump("as atan2"))
            .proved(Proof::Implicit, "x0·sin y = x1·cos y"),
    ]
}

fn half_turns() -> Vec<Row> {
    let half = || (x(0) + ratio(1, 2)).is_integer();
    vec![
        unary(Op::SinPi)
            .library(&["sinpi", "__sinpi"])
            .d(pi() * f(Op::CosPi))
            .sampled([reals(-3.0, 3.0)])
            .proved(Proof::FromAxioms, "chain rule on sin"),
        unary(Op::CosPi)
            .library(&["cospi", "__cospi"])
            .d(-(pi() * f(Op::SinPi)))
            .sampled([reals(-3.0, 3.0)])
            .proved(Proof::FromAxioms, "chain rule on cos"),
        unary(Op::TanPi)
            .library(&["tanpi", "__tanpi"])
            .partial_where(!half(), pi() * (one() + y() * y()))
            .sampled([reals(-0.49, 0.49)])
            .convention(0, half(), &[[0.5]], Decision::NotFinite, Exception::Pole("the slope is infinite"))
            .proved(Proof::FromAxioms, "chain rule on tan"),
    ]
}

fn hyperbolic() -> Vec<Row> {
    let exp = |argument| apply(Op::Exp, [argument]);
    let end = || apply(Op::Fabs, [x(0)]).equals(one());
    vec![
        unary(Op::Sinh)
            .library(&["sinh"])
            .intrinsics(&["llvm.sinh"])
            .defined_as((exp(x(0)) - exp(-x(0))) / int(2))
            .d(f(Op::Cosh))
            .errno()
            .sampled([reals(-5.0, 5.0)])
            .proved(Proof::FromAxioms, "exp' = exp"),
        unary(Op::Cosh)
            .library(&["cosh"])
            .intrinsics(&["llvm.cosh"])
            .defined_as((exp(x(0)) + exp(-x(0))) / int(2))
            .d(f(Op::Sinh))
            .errno()
            .sampled([reals(-5.0, 5.0)])
            .proved(Proof::FromAxioms, "exp' = exp"),
        unary(Op::Tanh)
            .library(&["tanh"])
            .intrinsics(&["llvm.tanh"])
            .defined_as(f(Op::Sinh) / f(Op::Cosh))
            // 1 - y² loses no more than three bits up to y² = 7/8, and would have none left where |y| is close to 1.
            .d(when((y() * y()).lt(ratio(7, 8)), (one() - y()) * (one() + y()), one() / f(Op::Cosh) / f(Op::Cosh)))
            .sampled([reals(-20.0, 20.0)])
            .proved(Proof::FromAxioms, "sinh' = cosh, cosh' = sinh, cosh² - sinh² = 1"),
        unary(Op::Asinh)
            .library(&["asinh"])
            .d(one() / apply(Op::Hypot, [one(), x(0)]))
            .sampled([reals(-6.0, 6.0)])
            .sampled([reals(1e200, 9e200)])
            .proved(Proof::Implicit, "sinh y = x"),
        unary(Op::Acosh)
            .library(&["acosh"])
            // Two roots instead of one: the product under a single root overflows for large operands.
            .partial_where(one().lt(x(0)), one() / (apply(Op::Sqrt, [x(0) - one()]) * apply(Op::Sqrt, [x(0) + one()])))
            .sampled([reals(1.001, 9.0)])
            .sampled([reals(1.0 + 1e-9, 1.0 + 1e-8)])
            .sampled([reals(1e200, 9e200)])
            .convention(0, x(0).equals(one()), &[[1.0]], Decision::NotFinite, END)
            .convention(0, x(0).lt(one()), &[[0.5]], Decision::NotFinite, Exception::Outside("no real value"))
            .errno()
            .proved(Proof::Implicit, "cosh y = x"),
        unary(Op::Atanh)
            .library(&["atanh"])
            .partial_where((-one()).lt(x(0)).and(x(0).lt(one())), one() / ((one() - x(0)) * (one() + x(0))))
            .sampled([reals(-0.999, 0.999)])
            .sampled([reals(1.0 - 1e-8, 1.0 - 1e-9)])
            .convention(0, end(), &[[1.0], [-1.0]], Decision::NotFinite, Exception::Pole("the slope is infinite"))
            .convention(
                0,
                one().lt(apply(Op::Fabs, [x(0)])),
                &[[1.5]],
                Decision::Formula,
                Exception::Outside("the result is NaN already"),
            )
            .errno()
            .proved(Proof::Implicit, "tanh y = x"),
    ]
}
