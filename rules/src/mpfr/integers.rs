//! Integer results of the operations, computed from multi-precision operands.
//!
//! Only what does not depend on the storage format: a classification needs to know the format's subnormals and
//! payloads, so it is the business of whoever holds the bits.

use crate::table::op::Op;
use rug::Float;
use rug::float::Round;
use std::cmp::Ordering;

/// The integer result of output `output`: the returned one, or the one stored through the pointer.
///
/// None when that output is not an integer, when it has no value (conversion of a NaN, or out of range), or when it
/// depends on the format (`FpClassify`, `IsFpClass`, `IsSignaling`).
pub fn integer_result(op: Op, output: usize, x: &[Float]) -> Option<i64> {
    let a = x.first()?;
    match (op, output) {
        (Op::Frexp | Op::FrexpPair, 1) => Some(a.get_exp().map_or(0, i64::from)),
        (Op::LGammaR, 1) => Some(if a.is_nan() { 1 } else { gamma_sign(a) }),
        (Op::Remquo, 1) => quotient_bits(a, x.get(1)?),
        (Op::Lround | Op::Llround, 0) => to_i64(Float::with_val(a.prec(), a.round_ref())),
        (Op::Lrint | Op::Llrint, 0) => to_i64(Float::with_val(a.prec(), a.round_even_ref())),
        (Op::Ilogb | Op::Llogb, 0) => a.get_exp().map(|exponent| i64::from(exponent) - 1),
        (Op::IsNan, 0) => Some(i64::from(a.is_nan())),
        (Op::IsInf, 0) if a.is_infinite() => Some(if a.is_sign_negative() { -1 } else { 1 }),
        (Op::IsInf, 0) => Some(0),
        (Op::IsFinite, 0) => Some(i64::from(a.is_finite())),
        (Op::SignBit, 0) => Some(i64::from(a.is_sign_negative())),
        _ => None,
    }
}

fn to_i64(integral: Float) -> Option<i64> {
    integral.to_integer().and_then(|value| value.to_i64())
}

/// Sign of Γ: negative between −1 and 0, −3 and −2, …
fn gamma_sign(a: &Float) -> i64 {
    if a.is_sign_positive() || a.is_integer() || a.is_infinite() {
        return if a.is_zero() && a.is_sign_negative() { -1 } else { 1 };
    }
    let floor = Float::with_val(a.prec(), a.floor_ref());
    let odd = floor.to_integer().is_some_and(|value| value.is_odd());
    if odd { -1 } else { 1 }
}

/// The low three bits of the quotient rounded to nearest, with its sign.
fn quotient_bits(a: &Float, b: &Float) -> Option<i64> {
    if !a.is_finite() || b.is_nan() || b.is_zero() {
        return None;
    }
    if b.is_infinite() {
        return Some(0);
    }
    let rest = Float::with_val(a.prec().max(b.prec()), a.remainder_ref(b));
    // a − rest is a multiple of b; only the quotient modulo 8 is wanted, so reduce a by 8·b first.
    let eight = Float::with_val(b.prec() + 3, b * 8);
    let reduced = Float::with_val(a.prec().max(b.prec()) + 8, a % &eight);
    let difference = Float::with_val(reduced.prec() + rest.prec() + 64, &reduced - &rest);
    let quotient = Float::with_val(64, &difference / b);
    let (value, _) = quotient.to_integer_round(Round::Nearest)?;
    let magnitude = value.to_i64()?.rem_euclid(8);
    let negative = a.is_sign_negative() != b.is_sign_negative();
    let bits = if negative { (8 - magnitude) % 8 } else { magnitude };
    Some(if negative && a.partial_cmp(&0) != Some(Ordering::Equal) { -bits } else { bits })
}
