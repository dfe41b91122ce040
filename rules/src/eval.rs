//! Evaluation of expressions: the fold that every numeric consumer shares.
//!
//! [`Scalar`] is what an evaluation needs of a number. `f64` computes its arithmetic natively and takes library
//! functions from MPFR at 53 bits (correctly rounded, slow: fit for checking); `rug::Float` computes at the precision
//! of [`Point::y`].

use crate::expr::{Cond, Const, Expr};
use crate::helper::Helper;
use crate::mpfr;
use crate::table::op::Op;
use rug::Float;
use rug::float::Constant;
use std::cmp::Ordering;

/// Where an expression is evaluated.
pub struct Point<'a, S> {
    /// The floating-point operands.
    pub x: &'a [S],
    /// The integer operands.
    pub n: &'a [i64],
    /// The result; its precision is that of the evaluation.
    pub y: &'a S,
}

/// A number type expressions can be evaluated in.
pub trait Scalar: Clone {
    /// A constant, rounded to the precision of `like`.
    fn constant(constant: Const, like: &Self) -> Self;
    /// Negation.
    fn neg(&self) -> Self;
    /// Sum.
    fn add(&self, other: &Self) -> Self;
    /// Difference.
    fn sub(&self, other: &Self) -> Self;
    /// Product.
    fn mul(&self, other: &Self) -> Self;
    /// Quotient.
    fn div(&self, other: &Self) -> Self;
    /// The returned value of an operation of the table.
    fn call(op: Op, args: &[Self], ints: &[i64], like: &Self) -> Self;
    /// The value of a helper function.
    fn helper(helper: Helper, args: &[Self], like: &Self) -> Self;
    /// Order of two numbers; none if one is NaN.
    fn compare(&self, other: &Self) -> Option<Ordering>;
}

impl Expr {
    /// The value of the expression at a point.
    ///
    /// # Panics
    /// If the point has fewer operands than the expression reads (see [`Expr::needs`]).
    pub fn eval<S: Scalar>(&self, at: &Point<'_, S>) -> S {
        match self {
            Expr::X(i) => at.x[*i].clone(),
            Expr::N(integer) => S::constant(Const::Ratio(integer.eval(at.n), 1), at.y),
            Expr::Y => at.y.clone(),
            Expr::Const(constant) => S::constant(*constant, at.y),
            Expr::Neg(a) => a.eval(at).neg(),
            Expr::Add(a, b) => a.eval(at).add(&b.eval(at)),
            Expr::Sub(a, b) => a.eval(at).sub(&b.eval(at)),
            Expr::Mul(a, b) => a.eval(at).mul(&b.eval(at)),
            Expr::Div(a, b) => a.eval(at).div(&b.eval(at)),
            Expr::Call { op, ints, args } => {
                let ints: Vec<i64> = ints.iter().map(|integer| integer.eval(at.n)).collect();
                let args: Vec<S> = args.iter().map(|arg| arg.eval(at)).collect();
                S::call(*op, &args, &ints, at.y)
            }
            Expr::Helper(helper, args) => {
                let args: Vec<S> = args.iter().map(|arg| arg.eval(at)).collect();
                S::helper(*helper, &args, at.y)
            }
            Expr::Select(condition, a, b) => {
                if condition.holds(at) {
                    a.eval(at)
                } else {
                    b.eval(at)
                }
            }
        }
    }
}

impl Cond {
    /// Whether the condition holds at a point.
    pub fn holds<S: Scalar>(&self, at: &Point<'_, S>) -> bool {
        let compare = |a: &Expr, b: &Expr| a.eval(at).compare(&b.eval(at));
        match self {
            Cond::True => true,
            Cond::Lt(a, b) => compare(a, b) == Some(Ordering::Less),
            Cond::Le(a, b) => matches!(compare(a, b), Some(Ordering::Less | Ordering::Equal)),
            Cond::Eq(a, b) => compare(a, b) == Some(Ordering::Equal),
            Cond::IsNan(a) => {
                let value = a.eval(at);
                value.compare(&value).is_none()
            }
            Cond::Not(inner) => !inner.holds(at),
            Cond::And(a, b) => a.holds(at) && b.holds(at),
            Cond::Or(a, b) => a.holds(at) || b.holds(at),
        }
    }
}

impl Const {
    /// The constant, correctly rounded to `precision` bits.
    pub fn to_float(self, precision: u32) -> Float {
        match self {
            Const::Ratio(p, q) => Float::with_val(precision, &Float::with_val(64, p) / &Float::with_val(64, q)),
            Const::Pi => Float::with_val(precision, Constant::Pi),
            Const::Ln2 => Float::with_val(precision, Constant::Log2),
            Const::Ln10 => Float::with_val(precision, Float::with_val(precision + 32, 10).ln()),
            Const::TwoOverSqrtPi => {
                let root = Float::with_val(precision + 32, Constant::Pi).sqrt();
                Float::with_val(precision, 2 / root)
            }
        }
    }

    /// The constant as the nearest `f64`.
    pub fn to_f64(self) -> f64 {
        self.to_float(53).to_f64()
    }
}

impl Scalar for f64 {
    fn constant(constant: Const, _like: &f64) -> f64 {
        match constant {
            Const::Ratio(p, 1) => p as f64,
            Const::Ratio(..) | Const::Pi | Const::Ln2 | Const::Ln10 | Const::TwoOverSqrtPi => constant.to_f64(),
        }
    }

    fn neg(&self) -> f64 {
        -self
    }

    fn add(&self, other: &f64) -> f64 {
        self + other
    }

    fn sub(&self, other: &f64) -> f64 {
        self - other
    }

    fn mul(&self, other: &f64) -> f64 {
        self * other
    }

    fn div(&self, other: &f64) -> f64 {
        self / other
    }

    fn call(op: Op, args: &[f64], ints: &[i64], _like: &f64) -> f64 {
        let args: Vec<Float> = args.iter().map(|&arg| Float::with_val(53, arg)).collect();
        mpfr::primal(op, 0, &args, ints, 53).map_or(f64::NAN, |value| value.to_f64())
    }

    fn helper(helper: Helper, args: &[f64], _like: &f64) -> f64 {
        helper.definition().eval(&Point { x: args, n: &[], y: &0.0 })
    }

    fn compare(&self, other: &f64) -> Option<Ordering> {
        self.partial_cmp(other)
    }
}

impl Scalar for Float {
    fn constant(constant: Const, like: &Float) -> Float {
        constant.to_float(like.prec())
    }

    fn neg(&self) -> Float {
        Float::with_val(self.prec(), -self)
    }

    fn add(&self, other: &Float) -> Float {
        Float::with_val(self.prec().max(other.prec()), self + other)
    }

    fn sub(&self, other: &Float) -> Float {
        Float::with_val(self.prec().max(other.prec()), self - other)
    }

    fn mul(&self, other: &Float) -> Float {
        Float::with_val(self.prec().max(other.prec()), self * other)
    }

    fn div(&self, other: &Float) -> Float {
        Float::with_val(self.prec().max(other.prec()), self / other)
    }

    fn call(op: Op, args: &[Float], ints: &[i64], like: &Float) -> Float {
        let precision = like.prec();
        mpfr::primal(op, 0, args, ints, precision).unwrap_or_else(|| Float::with_val(precision, f64::NAN))
    }

    fn helper(helper: Helper, args: &[Float], like: &Float) -> Float {
        match helper {
            Helper::Digamma | Helper::DigammaRight => Float::with_val(like.prec(), args[0].digamma_ref()),
        }
    }

    fn compare(&self, other: &Float) -> Option<Ordering> {
        self.partial_cmp(other)
    }
}
