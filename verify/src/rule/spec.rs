//! What each operation *is*, as far as its own row does not say: by an expression over operations that are more
//! elementary.
//!
//! A definition of the row comes first (it is compared with multi-precision values by the table's own test); the ones
//! here are compared in the same way by a test of this crate. Operations that have neither are axioms
//! ([`super::axioms`]).

use rules::expr::{apply, apply_n, int, n, one, when, x, zero};
use rules::row::Value;
use rules::{Const, Expr, Op};

/// The defining expression of an output.
pub(super) fn definition(op: Op, output: usize) -> Option<Expr> {
    let stated = op.row().outputs.get(output).and_then(|output| match &output.value {
        Value::Float { definition, .. } => definition.clone(),
        Value::Integer => None,
    });
    stated.or_else(|| own(op, output))
}

/// The definitions that rows do not have.
fn own(op: Op, output: usize) -> Option<Expr> {
    let f = |op, argument: Expr| apply(op, [argument]);
    let pi_x = || Expr::from(Const::Pi) * x(0);
    let square = || x(0) * x(0);
    let magnitude = || when(x(0).lt(zero()), -x(0), x(0));
    Some(match (op, output) {
        (Op::CopySign, 0) => when(x(1).lt(zero()), -magnitude(), magnitude()),
        (Op::Fmod, 0) => apply(Op::FRem, [x(0), x(1)]),
        (Op::Remquo, 0) => apply(Op::Remainder, [x(0), x(1)]),
        (Op::Rint | Op::NearbyInt, 0) => f(Op::RoundEven, x(0)),
        (Op::SinPi | Op::SinCosPi, 0) => f(Op::Sin, pi_x()),
        (Op::CosPi, 0) | (Op::SinCosPi, 1) => f(Op::Cos, pi_x()),
        (Op::TanPi, 0) => f(Op::Sin, pi_x()) / f(Op::Cos, pi_x()),
        (Op::Asinh, 0) => f(Op::Log, x(0) + f(Op::Sqrt, square() + one())),
        (Op::Acosh, 0) => f(Op::Log, x(0) + f(Op::Sqrt, square() - one())),
        (Op::Atanh, 0) => f(Op::Log, (one() + x(0)) / (one() - x(0))) / int(2),
        (Op::Scalbln, 0) => apply_n(Op::Ldexp, n(0), [x(0)]),
        (Op::Scalb, 0) => x(0) * f(Op::Exp2, x(1)),
        (Op::FrexpPair, 0) => f(Op::Frexp, x(0)),
        // To one unit in the last place.
        (Op::NextUp | Op::NextDown | Op::NextAfter | Op::NextToward, 0) => x(0),
        _ => return None,
    })
}
