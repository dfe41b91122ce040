//! Wrong rules: partials as they have been got wrong, in tables of derivatives and by hand. Each must fail to prove.
//!
//! A line is the operation, the output, the operand, what is wrong, and the wrong partial.

use rules::expr::{apply, apply_n, int, n, one, ratio, when, x, y, zero};
use rules::{Const, Expr, Op};

/// A wrong partial.
pub struct Wrong {
    /// The operation.
    pub op: Op,
    /// Index of the output.
    pub output: usize,
    /// Index of the operand.
    pub operand: usize,
    /// What is wrong.
    pub what: &'static str,
    /// The partial.
    pub partial: Expr,
}

fn f(op: Op) -> Expr {
    apply(op, [x(0)])
}

fn root(of: Expr) -> Expr {
    apply(Op::Sqrt, [of])
}

fn hypot(a: Expr, b: Expr) -> Expr {
    apply(Op::Hypot, [a, b])
}

fn constant(constant: Const) -> Expr {
    constant.into()
}

/// Every wrong rule.
pub fn wrong_rules() -> Vec<Wrong> {
    let square = || x(0) * x(0);
    let norm = || hypot(x(2), x(3));
    let origin = || hypot(x(0), x(1)).equals(zero());
    let table: Vec<(Op, usize, usize, &'static str, Expr)> = vec![
        (Op::FAdd, 0, 1, "sign", -one()),
        (Op::FAdd, 0, 0, "dropped", zero()),
        (Op::FSub, 0, 1, "sign", one()),
        (Op::FSub, 0, 0, "twice", int(2)),
        (Op::FMul, 0, 0, "own operand instead of the other", x(0)),
        (Op::FMul, 0, 1, "result instead of operand", y()),
        (Op::FDiv, 0, 0, "inverted", x(1)),
        (Op::FDiv, 0, 1, "sign", y() / x(1)),
        (Op::FDiv, 0, 1, "operand instead of result", -(x(0) / x(1))),
        (Op::FDiv, 0, 1, "square forgotten", -(one() / x(1))),
        (Op::FNeg, 0, 0, "sign", one()),
        (Op::Fma, 0, 0, "addend", x(2)),
        (Op::Fma, 0, 2, "factor", x(1)),
        (Op::FMulAdd, 0, 1, "operands swapped", x(1)),
        (Op::Identity, 0, 0, "zero", zero()),
        (Op::Fabs, 0, 0, "no sign", one()),
        (Op::Fabs, 0, 0, "value instead of sign", x(0)),
        (Op::CopySign, 0, 0, "sign of the second alone", apply(Op::CopySign, [one(), x(1)])),
        (Op::CopySign, 0, 0, "sign of the first alone", apply(Op::CopySign, [one(), x(0)])),
        (Op::CopySign, 0, 1, "not flat", one()),
        (Op::Fmin, 0, 0, "branches swapped", when(x(0).lt(x(1)), zero(), one())),
        (Op::Fmin, 0, 1, "tie to the first operand", when(x(0).le(x(1)), zero(), one())),
        (Op::Fmax, 0, 1, "always", one()),
        (Op::Maximum, 0, 0, "tie to the first operand", when(x(0).lt(x(1)), zero(), one())),
        (Op::FmaxMag, 0, 0, "magnitudes not compared", when(x(1).lt(x(0)), one(), zero())),
        (Op::Fdim, 0, 1, "sign", when(x(1).lt(x(0)), one(), zero())),
        (Op::Fdim, 0, 0, "not cut off", one()),
        (Op::FRem, 0, 1, "zero", zero()),
        (Op::Fmod, 0, 1, "sign", apply(Op::RoundEven, [(x(0) - y()) / x(1)])),
        (Op::Remainder, 0, 1, "truncated quotient", -apply(Op::Trunc, [x(0) / x(1)])),
        (Op::Remquo, 0, 0, "zero", zero()),
        (Op::Sqrt, 0, 0, "factor 1/2 forgotten", when(x(0).equals(zero()), zero(), one() / y())),
        (Op::Sqrt, 0, 0, "operand instead of result", when(x(0).equals(zero()), zero(), ratio(1, 2) / x(0))),
        (Op::Sqrt, 0, 0, "infinite at 0", ratio(1, 2) / y()),
        (Op::Cbrt, 0, 0, "factor 3 forgotten", when(x(0).equals(zero()), zero(), one() / (y() * y()))),
        (Op::Cbrt, 0, 0, "square forgotten", when(x(0).equals(zero()), zero(), one() / (int(3) * y()))),
        (Op::Hypot, 0, 0, "other operand", when(y().equals(zero()), zero(), x(1) / y())),
        (Op::Hypot, 0, 1, "magnitude", when(y().equals(zero()), zero(), apply(Op::Fabs, [x(1)]) / y())),
        (Op::Hypot, 0, 0, "not defined at the origin", x(0) / y()),
        (Op::Pow, 0, 0, "exponent not lowered", when(x(1).equals(zero()), zero(), x(1) * y())),
        (Op::Pow, 0, 0, "factor forgotten", apply(Op::Pow, [x(0), x(1) - one()])),
        (Op::Pow, 0, 1, "logarithm of the exponent", when(x(0).le(zero()), zero(), y() * apply(Op::Log, [x(1)]))),
        (Op::Pow, 0, 1, "chain factor forgotten", when(x(0).le(zero()), zero(), f(Op::Log))),
        (Op::Powi, 0, 0, "exponent not lowered", Expr::from(n(0)) * apply_n(Op::Powi, n(0), [x(0)])),
        (Op::Powi, 0, 0, "factor off by one", Expr::from(n(0) - 1) * apply_n(Op::Powi, n(0) - 1, [x(0)])),
        (Op::Exp, 0, 0, "sign", -y()),
        (Op::Exp, 0, 0, "power rule", x(0) * y()),
        (Op::Exp2, 0, 0, "chain factor forgotten", y()),
        (Op::Exp10, 0, 0, "wrong constant", y() * constant(Const::Ln2)),
        (Op::Expm1, 0, 0, "result without the one", y()),
        (Op::Log, 0, 0, "result", one() / y()),
        (Op::Log2, 0, 0, "chain factor forgotten", one() / x(0)),
        (Op::Log10, 0, 0, "factor inverted", constant(Const::Ln10) / x(0)),
        (Op::Log1p, 0, 0, "shift forgotten", one() / x(0)),
        (Op::Sin, 0, 0, "sign", -f(Op::Cos)),
        (Op::Cos, 0, 0, "sign", f(Op::Sin)),
        (Op::Tan, 0, 0, "one forgotten", y() * y()),
        (Op::Tan, 0, 0, "sign of the square", one() - y() * y()),
        (Op::SinCos, 1, 0, "sign", f(Op::Sin)),
        (Op::SinPi, 0, 0, "chain factor forgotten", f(Op::CosPi)),
        (Op::CosPi, 0, 0, "sign", constant(Const::Pi) * f(Op::SinPi)),
        (Op::TanPi, 0, 0, "chain factor forgotten", one() + y() * y()),
        (Op::SinCosPi, 0, 0, "radians", constant(Const::Pi) * f(Op::Cos)),
        (Op::Asin, 0, 0, "root forgotten", one() / ((one() - x(0)) * (one() + x(0)))),
        (Op::Asin, 0, 0, "sign under the root", one() / root(one() + square())),
        (Op::Acos, 0, 0, "sign", one() / root((one() - x(0)) * (one() + x(0)))),
        (Op::Atan, 0, 0, "sign of the square", one() / (one() - square())),
        (Op::Atan, 0, 0, "root", one() / root(one() + square())),
        (Op::Atan2, 0, 0, "operands swapped", when(origin(), zero(), x(0) / hypot(x(0), x(1)) / hypot(x(0), x(1)))),
        (Op::Atan2, 0, 1, "sign", when(origin(), zero(), x(0) / hypot(x(0), x(1)) / hypot(x(0), x(1)))),
        (Op::Carg, 0, 0, "square forgotten", when(origin(), zero(), -(x(1) / hypot(x(0), x(1))))),
        (Op::Sinh, 0, 0, "circular", f(Op::Cos)),
        (Op::Cosh, 0, 0, "sign", -f(Op::Sinh)),
        (Op::Tanh, 0, 0, "sign of the square", one() + y() * y()),
        (Op::Tanh, 0, 0, "square forgotten", one() / f(Op::Cosh)),
        (Op::Asinh, 0, 0, "sign under the root", one() / root(square() - one())),
        (Op::Acosh, 0, 0, "sign under the root", one() / hypot(one(), x(0))),
        (Op::Atanh, 0, 0, "as the circular one", one() / (one() + square())),
        (Op::Floor, 0, 0, "identity", one()),
        (Op::Round, 0, 0, "identity", one()),
        (Op::Trunc, 0, 0, "sign", apply(Op::CopySign, [one(), x(0)])),
        (Op::Ldexp, 0, 0, "not scaled", one()),
        (Op::Ldexp, 0, 0, "exponent as factor", n(0).into()),
        (Op::Scalb, 0, 0, "base e", apply(Op::Exp, [x(1)])),
        (Op::Frexp, 0, 0, "not scaled", when(x(0).equals(zero()), zero(), one())),
        (Op::Significand, 0, 0, "inverted", when(x(0).equals(zero()), zero(), x(0) / y())),
        (Op::Modf, 0, 0, "dropped", zero()),
        (Op::Modf, 1, 0, "not flat", one()),
        (Op::Logb, 0, 0, "as a logarithm", one() / x(0)),
        (Op::NextAfter, 0, 0, "dropped", zero()),
        (Op::ComplexMul, 0, 1, "sign", x(3)),
        (Op::ComplexMul, 1, 2, "conjugated", -x(1)),
        (Op::ComplexMul, 1, 0, "parts swapped", x(2)),
        (Op::ComplexDiv, 0, 0, "square forgotten", x(2) / norm()),
        (Op::ComplexDiv, 1, 0, "sign", x(3) / norm() / norm()),
        (Op::ComplexDiv, 0, 2, "factor 2 forgotten", (x(0) - x(2) * y()) / norm() / norm()),
        (Op::ComplexDiv, 1, 3, "result forgotten", -x(0) / norm() / norm()),
    ];
    let wrong = |(op, output, operand, what, partial)| Wrong { op, output, operand, what, partial };
    table.into_iter().map(wrong).collect()
}
