//! The closed expression language in which primals, partials and domains are written.
//!
//! A tree over the floating-point operands `x(i)`, the integer operands `n(j)` and the result `y()` of one operation.
//! `X(i)` counts the floating-point operands of a row in order, `n(j)` the integer ones (`jn(int, double)` has one of
//! each, so its floating-point operand is `x(0)`). The language is closed on purpose: every consumer folds over it with
//! an exhaustive `match`, so a partial can be evaluated, emitted, proved, printed and asked for its free variables.
//! Nothing in it escapes into Rust code.
//!
//! Source of the idea: DiffRules.jl (a symbolic partial for each argument) and ChainRules.jl (partials may use the
//! result `y`).

pub(crate) mod build;
pub(crate) mod needs;
mod print;
mod rewrite;

pub use build::{apply, apply_n, helper, int, n, one, ratio, when, x, y, zero};
pub use needs::Needs;

use crate::helper::Helper;
use crate::table::op::Op;
use std::sync::Arc;

/// An exact constant. It is rounded only when evaluated, at the precision of the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    /// A quotient of two integers; the denominator is positive.
    Ratio(i64, i64),
    /// π.
    Pi,
    /// The natural logarithm of 2.
    Ln2,
    /// The natural logarithm of 10.
    Ln10,
    /// 2/√π.
    TwoOverSqrtPi,
}

/// An integer operand plus an offset, or a plain integer: the integer arguments of `Jn`, `Yn`, `Powi`, `Ldexp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntExpr {
    /// Which integer operand, if any.
    pub operand: Option<usize>,
    /// Multiplied with the operand: 1 or -1.
    pub sign: i64,
    /// Added to it.
    pub offset: i64,
}

/// An expression. Build it with the functions [`x`], [`n`], [`y`], [`int`], [`apply`], … and the arithmetic operators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// The i-th floating-point operand.
    X(usize),
    /// An integer, converted to floating point.
    N(IntExpr),
    /// The result of the operation (of the output whose partial this is).
    Y,
    /// A constant.
    Const(Const),
    /// Negation.
    Neg(Arc<Expr>),
    /// Sum.
    Add(Arc<Expr>, Arc<Expr>),
    /// Difference.
    Sub(Arc<Expr>, Arc<Expr>),
    /// Product.
    Mul(Arc<Expr>, Arc<Expr>),
    /// Quotient.
    Div(Arc<Expr>, Arc<Expr>),
    /// The returned value of another operation of the table.
    Call {
        /// The operation: one with a floating-point return value and no pointer operands.
        op: Op,
        /// Its integer arguments.
        ints: Vec<IntExpr>,
        /// Its floating-point arguments.
        args: Vec<Expr>,
    },
    /// A function no mathematical library has, defined by an expression of its own.
    Helper(Helper, Vec<Expr>),
    /// The second if the condition holds, else the third. Total: the branch not taken may be infinite or NaN.
    Select(Arc<Cond>, Arc<Expr>, Arc<Expr>),
}

/// A condition. Comparisons are ordered: false when an operand is NaN.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// Always.
    True,
    /// Less than.
    Lt(Arc<Expr>, Arc<Expr>),
    /// Less than or equal.
    Le(Arc<Expr>, Arc<Expr>),
    /// Equal (−0 equals 0).
    Eq(Arc<Expr>, Arc<Expr>),
    /// Not a number.
    IsNan(Arc<Expr>),
    /// Negation.
    Not(Arc<Cond>),
    /// Conjunction.
    And(Arc<Cond>, Arc<Cond>),
    /// Disjunction.
    Or(Arc<Cond>, Arc<Cond>),
}
