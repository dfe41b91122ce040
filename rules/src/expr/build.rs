//! Builders and operators, so that a row reads like the formula it stands for.

use super::{Cond, Const, Expr, IntExpr};
use crate::helper::Helper;
use crate::table::op::Op;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;

/// The i-th floating-point operand.
pub fn x(i: usize) -> Expr {
    Expr::X(i)
}

/// The j-th integer operand.
pub fn n(j: usize) -> IntExpr {
    IntExpr { operand: Some(j), sign: 1, offset: 0 }
}

/// The result.
pub fn y() -> Expr {
    Expr::Y
}

/// An integer constant.
pub fn int(value: i64) -> Expr {
    Expr::Const(Const::Ratio(value, 1))
}

/// 0.
pub fn zero() -> Expr {
    int(0)
}

/// 1.
pub fn one() -> Expr {
    int(1)
}

/// A rational constant.
pub fn ratio(numerator: i64, denominator: i64) -> Expr {
    Expr::Const(Const::Ratio(numerator, denominator))
}

/// Another operation of the table, applied.
pub fn apply<const K: usize>(op: Op, args: [Expr; K]) -> Expr {
    Expr::Call { op, ints: Vec::new(), args: args.into() }
}

/// Another operation of the table with one integer argument, applied.
pub fn apply_n<const K: usize>(op: Op, integer: impl Into<IntExpr>, args: [Expr; K]) -> Expr {
    Expr::Call { op, ints: vec![integer.into()], args: args.into() }
}

/// A helper function, applied.
pub fn helper<const K: usize>(helper: Helper, args: [Expr; K]) -> Expr {
    Expr::Helper(helper, args.into())
}

/// `then` where the condition holds, else `otherwise`.
pub fn when(condition: Cond, then: Expr, otherwise: Expr) -> Expr {
    Expr::Select(Arc::new(condition), Arc::new(then), Arc::new(otherwise))
}

impl Expr {
    /// The square.
    pub fn squared(self) -> Expr {
        self.clone() * self
    }

    /// The condition `self < other`.
    pub fn lt(self, other: Expr) -> Cond {
        Cond::Lt(Arc::new(self), Arc::new(other))
    }

    /// The condition `self <= other`.
    pub fn le(self, other: Expr) -> Cond {
        Cond::Le(Arc::new(self), Arc::new(other))
    }

    /// The condition `self == other`.
    pub fn equals(self, other: Expr) -> Cond {
        Cond::Eq(Arc::new(self), Arc::new(other))
    }

    /// The condition `self` is NaN.
    pub fn is_nan(self) -> Cond {
        Cond::IsNan(Arc::new(self))
    }

    /// The condition `self` is an integer.
    pub fn is_integer(self) -> Cond {
        apply(Op::Trunc, [self.clone()]).equals(self)
    }
}

impl Cond {
    /// Both.
    pub fn and(self, other: Cond) -> Cond {
        Cond::And(Arc::new(self), Arc::new(other))
    }

    /// Either.
    pub fn or(self, other: Cond) -> Cond {
        Cond::Or(Arc::new(self), Arc::new(other))
    }
}

impl std::ops::Not for Cond {
    type Output = Cond;

    fn not(self) -> Cond {
        Cond::Not(Arc::new(self))
    }
}

impl From<IntExpr> for Expr {
    fn from(integer: IntExpr) -> Expr {
        Expr::N(integer)
    }
}

impl From<i64> for IntExpr {
    fn from(value: i64) -> IntExpr {
        IntExpr { operand: None, sign: 1, offset: value }
    }
}

impl From<Const> for Expr {
    fn from(constant: Const) -> Expr {
        Expr::Const(constant)
    }
}

impl Add<i64> for IntExpr {
    type Output = IntExpr;

    fn add(self, offset: i64) -> IntExpr {
        IntExpr { offset: self.offset + offset, ..self }
    }
}

impl Sub<i64> for IntExpr {
    type Output = IntExpr;

    fn sub(self, offset: i64) -> IntExpr {
        IntExpr { offset: self.offset - offset, ..self }
    }
}

impl Neg for IntExpr {
    type Output = IntExpr;

    fn neg(self) -> IntExpr {
        IntExpr { operand: self.operand, sign: -self.sign, offset: -self.offset }
    }
}

impl Neg for Expr {
    type Output = Expr;

    fn neg(self) -> Expr {
        Expr::Neg(Arc::new(self))
    }
}

macro_rules! binary_operator {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Expr {
            type Output = Expr;

            fn $method(self, other: Expr) -> Expr {
                Expr::$trait(Arc::new(self), Arc::new(other))
            }
        }
    )*};
}

binary_operator!(Add add, Sub sub, Mul mul, Div div);

impl IntExpr {
    /// The value, given the integer operands. Wraps like the machine's integers do.
    ///
    /// # Panics
    /// If the operand is missing from `ints`; rows are checked for that by [`crate::check()`].
    pub fn eval(&self, ints: &[i64]) -> i64 {
        let operand = self.operand.map_or(0, |j| ints[j]);
        operand.wrapping_mul(self.sign).wrapping_add(self.offset)
    }
}
