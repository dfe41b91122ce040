//! Rows of exponentials and logarithms. Partials use the result where that loses nothing: `exp` needs no operand in the
//! reverse pass.

use super::build::{reals, unary};
use crate::expr::build::{apply, one, x, y, zero};
use crate::expr::{Const, Expr};
use crate::row::{Decision, Exception, Proof, Row};
use crate::table::op::Op;

pub(super) fn rows() -> Vec<Row> {
    let ln2 = || Expr::from(Const::Ln2);
    let ln10 = || Expr::from(Const::Ln10);
    let exp_of = |argument| apply(Op::Exp, [argument]);
    let exponential = |op| unary(op).errno().sampled([reals(-5.0, 5.0)]);
    vec![
        exponential(Op::Exp).library(&["exp"]).intrinsics(&["llvm.exp"]).d(y()).proved(Proof::FromAxioms, "exp' = exp"),
        exponential(Op::Exp2)
            .library(&["exp2"])
            .intrinsics(&["llvm.exp2"])
            .defined_as(exp_of(x(0) * ln2()))
            .d(y() * ln2())
            .proved(Proof::FromAxioms, "2^x = exp(x·log 2)"),
        exponential(Op::Exp10)
            .library(&["exp10", "pow10"])
            .intrinsics(&["llvm.exp10"])
            .defined_as(exp_of(x(0) * ln10()))
            .d(y() * ln10())
            .proved(Proof::FromAxioms, "10^x = exp(x·log 10)"),
        exponential(Op::Expm1)
            .sampled([reals(-60.0, -40.0)])
            .library(&["expm1"])
            .defined_as(exp_of(x(0)) - one())
            // y + 1 would lose every digit where y is close to -1.
            .d(exp_of(x(0)))
            .proved(Proof::FromAxioms, "exp' = exp"),
        logarithm(Op::Log, zero())
            .library(&["log"])
            .intrinsics(&["llvm.log"])
            .partial_where(zero().lt(x(0)), one() / x(0))
            .proved(Proof::FromAxioms, "log' = 1/x"),
        logarithm(Op::Log2, zero())
            .library(&["log2"])
            .intrinsics(&["llvm.log2"])
            .defined_as(apply(Op::Log, [x(0)]) / ln2())
            .partial_where(zero().lt(x(0)), one() / (x(0) * ln2()))
            .proved(Proof::FromAxioms, "log2 x = log x / log 2"),
        logarithm(Op::Log10, zero())
            .library(&["log10"])
            .intrinsics(&["llvm.log10"])
            .defined_as(apply(Op::Log, [x(0)]) / ln10())
            .partial_where(zero().lt(x(0)), one() / (x(0) * ln10()))
            .proved(Proof::FromAxioms, "log10 x = log x / log 10"),
        logarithm(Op::Log1p, -one())
            .library(&["log1p"])
            .defined_as(apply(Op::Log, [one() + x(0)]))
            .partial_where((-one()).lt(x(0)), one() / (one() + x(0)))
            .proved(Proof::FromAxioms, "log' = 1/x"),
    ]
}

/// What logarithms share: a pole, and NaN beyond it while the formula of the slope goes on.
fn logarithm(op: Op, pole: Expr) -> Row {
    let at = if op == Op::Log1p { -1.0 } else { 0.0 };
    unary(op)
        .errno()
        .sampled([reals(at + 1e-3, at + 8.0)])
        .sampled([reals(at + 1e-9, at + 1e-8)])
        .sampled([reals(1e200, 9e200)])
        .convention(
            0,
            x(0).equals(pole.clone()),
            &[[at]],
            Decision::NotFinite,
            Exception::Pole("the slope is infinite"),
        )
        .convention(0, x(0).lt(pole), &[[at - 1.0]], Decision::Formula, Exception::Outside("the result is NaN already"))
}
