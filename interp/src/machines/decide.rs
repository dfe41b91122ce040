//! Operations that select an operand or jump: minimum and maximum, absolute value, sign, rounding to integer,
//! remainders, parts of a number.
//!
//! Such an operation is smooth on *pieces* of its domain. [`piece`] names the piece that operands are on;
//! [`Concrete::lane`] continues the piece of the concrete run to the operands of a lane. At a tie the continuation is
//! that of the table's convention.

use rug::Float;
use rug::ops::NegAssign;
use rules::Op;
use std::cmp::Ordering;

/// Is the operation one of these?
pub(crate) fn selects(op: Op) -> bool {
    kind(op).is_some()
}

/// How an operation's pieces look.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// ±x0 by the sign of x0.
    Magnitude,
    /// ±x0 by the signs of x0 and x1.
    Sign,
    /// x0 or x1, by their order; whether the lesser one.
    Extremum(bool),
    /// x0 or x1, by the order of their magnitudes; whether the lesser one.
    ByMagnitude(bool),
    /// x0 - x1 or 0.
    Difference,
    /// A whole number.
    Whole,
    /// x0 - q·x1 with a whole q.
    Remainder,
    /// x0 - q with a whole q; the second output is q.
    Fraction,
    /// x0 scaled by a power of 2 that depends on it.
    Scaled,
    /// The exponent.
    Exponent,
    /// x0 and a unit in the last place.
    Neighbour,
}

fn kind(op: Op) -> Option<Kind> {
    Some(match op {
        Op::Fabs => Kind::Magnitude,
        Op::CopySign => Kind::Sign,
        Op::Fmin | Op::Minimum => Kind::Extremum(true),
        Op::Fmax | Op::Maximum => Kind::Extremum(false),
        Op::FminMag | Op::MinimumMag => Kind::ByMagnitude(true),
        Op::FmaxMag | Op::MaximumMag => Kind::ByMagnitude(false),
        Op::Fdim => Kind::Difference,
        Op::Floor | Op::Ceil | Op::Trunc | Op::Round | Op::RoundEven | Op::Rint | Op::NearbyInt => Kind::Whole,
        Op::FRem | Op::Fmod | Op::Remainder | Op::Remquo => Kind::Remainder,
        Op::Modf => Kind::Fraction,
        Op::Frexp | Op::FrexpPair | Op::Significand => Kind::Scaled,
        Op::Logb => Kind::Exponent,
        Op::NextAfter | Op::NextToward | Op::NextUp | Op::NextDown => Kind::Neighbour,
        _ => return None,
    })
}

/// Bits for quotients of any two numbers of any format to be whole numbers.
fn quotient_bits(x: &Float, y: &Float) -> u32 {
    let exponent = |v: &Float| i64::from(v.get_exp().unwrap_or(0));
    let bits = exponent(x) - exponent(y) + 64;
    bits.clamp(64, 40_000) as u32
}

/// The whole q of x - q·y.
fn quotient(op: Op, x: &Float, y: &Float) -> Option<Float> {
    if y.is_zero() || !x.is_finite() || !y.is_finite() {
        return None;
    }
    // The remainder is exact at the precision of its operands, so the quotient is found from it.
    let precision = quotient_bits(x, y) + x.prec().max(y.prec());
    let remainder = match op {
        Op::FRem | Op::Fmod => Float::with_val(precision, x % y),
        _ => Float::with_val(precision, x.remainder_ref(y)),
    };
    Some((Float::with_val(precision, x - &remainder) / y).round())
}

/// Names the piece of the operands: a number that is the same exactly on one piece. None when an operand is NaN.
pub(super) fn piece<'a>(op: Op, x: &dyn Fn(usize) -> Option<&'a Float>) -> Option<Float> {
    let small = |order: Ordering| Float::with_val(64, order as i8);
    let a = x(0)?;
    match kind(op)? {
        Kind::Magnitude => a.cmp0().map(small),
        Kind::Sign => {
            let sign = if x(1)?.is_sign_negative() { -1i8 } else { 1 };
            a.cmp0().map(|order| Float::with_val(64, 3 * (order as i8) + sign))
        }
        Kind::Extremum(_) | Kind::Difference => a.partial_cmp(x(1)?).map(small),
        Kind::ByMagnitude(_) => a.cmp_abs(x(1)?).map(small),
        Kind::Whole => rules::primal(op, 0, std::slice::from_ref(a), &[], a.prec()).filter(|v| !v.is_nan()),
        Kind::Remainder => quotient(op, a, x(1)?),
        Kind::Fraction => Some(Float::with_val(a.prec(), a.trunc_ref())).filter(|v| !v.is_nan()),
        Kind::Scaled | Kind::Exponent => a.get_exp().map(|e| Float::with_val(64, e)),
        Kind::Neighbour => None,
    }
}

/// A concrete execution of such an operation.
pub(super) struct Concrete<'a> {
    pub op: Op,
    pub output: usize,
    pub operands: &'a [Float],
    pub result: &'a Float,
}

impl Concrete<'_> {
    /// The output for the operands of a lane, on the piece of the concrete run. None when an operand is missing.
    pub(super) fn lane<'a>(&self, x: &dyn Fn(usize) -> Option<&'a Float>, precision: u32) -> Option<Float> {
        let a = x(0)?;
        let own = self.operands.first()?;
        let other = || self.operands.get(1);
        let round = |v: &Float| Float::with_val(precision, v);
        Some(match kind(self.op)? {
            Kind::Magnitude => match own.cmp0() {
                Some(Ordering::Less) => Float::with_val(precision, -a),
                Some(Ordering::Greater) => round(a),
                Some(Ordering::Equal) | None => Float::with_val(precision, a.abs_ref()),
            },
            Kind::Sign => {
                let mut value = match own.cmp0() {
                    Some(Ordering::Less) => Float::with_val(precision, -a),
                    Some(Ordering::Greater) => round(a),
                    Some(Ordering::Equal) | None => Float::with_val(precision, a.abs_ref()),
                };
                if other()?.is_sign_negative() {
                    value.neg_assign();
                }
                value
            }
            Kind::Extremum(least) => match own.partial_cmp(other()?) {
                Some(order) => {
                    let first = order == if least { Ordering::Less } else { Ordering::Greater };
                    round(if first { a } else { x(1)? })
                }
                None => self.beside_nan(own, a, x(1)?, precision),
            },
            Kind::ByMagnitude(least) => match own.cmp_abs(other()?) {
                Some(order) => {
                    let order = if order.is_eq() { own.partial_cmp(other()?)? } else { order };
                    let first = order == if least { Ordering::Less } else { Ordering::Greater };
                    round(if first { a } else { x(1)? })
                }
                None => self.beside_nan(own, a, x(1)?, precision),
            },
            Kind::Difference => match own.partial_cmp(other()?) {
                Some(Ordering::Greater) | None => Float::with_val(precision, a - x(1)?),
                Some(Ordering::Less | Ordering::Equal) => Float::new(precision),
            },
            Kind::Whole | Kind::Exponent => round(self.result),
            Kind::Remainder => match quotient(self.op, own, other()?) {
                Some(q) => {
                    let part = Float::with_val(q.prec() + precision, &q * x(1)?);
                    Float::with_val(precision, a - part)
                }
                None => round(self.result),
            },
            Kind::Fraction if self.output == 1 => round(self.result),
            Kind::Fraction if own.is_infinite() => round(self.result),
            Kind::Fraction => {
                let whole = Float::with_val(own.prec(), own.trunc_ref());
                Float::with_val(precision, a - whole)
            }
            Kind::Scaled => match (own.get_exp(), self.result.get_exp()) {
                (Some(from), Some(to)) => round(a) << (to - from),
                _ => round(a),
            },
            Kind::Neighbour => {
                let step = Float::with_val(precision, self.result - own);
                if step.is_finite() { Float::with_val(precision, a + step) } else { round(self.result) }
            }
        })
    }

    /// Minimum and maximum when the concrete run has a NaN: the result is the other operand, or NaN.
    fn beside_nan(&self, own: &Float, a: &Float, b: &Float, precision: u32) -> Float {
        let chosen = match (self.result.is_nan(), own.is_nan()) {
            (true, _) => self.result,
            (false, true) => b,
            (false, false) => a,
        };
        Float::with_val(precision, chosen)
    }
}
