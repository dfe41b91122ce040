//! Small numerical helpers: formats, bit patterns and multi-precision numbers.

use interp::number::{least_exponent, significand_bits, to_float};
use ir::FloatKind;
use rug::Float;

/// The bits of a double in another format, rounded to nearest. Only `float` and `double` have shadows filled by the
/// judge.
pub fn from_f64(kind: FloatKind, value: f64) -> Option<u128> {
    match kind {
        FloatKind::Float => Some(u128::from((value as f32).to_bits())),
        FloatKind::Double => Some(u128::from(value.to_bits())),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X86Fp80 | FloatKind::Fp128 => None,
    }
}

/// The number that the bits mean.
pub fn value(kind: FloatKind, bits: u128, precision: u32) -> Float {
    to_float(kind, bits, precision)
}

/// The spacing of a format near 1: 2^(1 - p).
pub fn epsilon(kind: FloatKind) -> f64 {
    2f64.powi(1 - significand_bits(kind) as i32)
}

/// The least positive normal number of a format; of formats whose range is wider, that of `double`.
pub fn least_normal(kind: FloatKind) -> f64 {
    2f64.powi(least_exponent(kind).max(f64::MIN_EXP - 1))
}

/// Is a number beyond the largest of a format? The exponents of IEEE formats reach as far up as down (IEEE 754-2019,
/// 3.3), and one of MPFR is that of a number below 1.
pub fn overflows(number: &Float, kind: FloatKind) -> bool {
    number.get_exp().is_some_and(|exponent| exponent > 2 - least_exponent(kind))
}

/// Distances and bounds are kept as doubles: below this they do not tell anything apart. The lanes reach further down,
/// to where the program's own numbers are zero.
pub const UNSEEN: f64 = f64::MIN_POSITIVE;

/// What distances from a number of that size do not tell: where it is normal, only what a double cannot hold at all.
pub fn unseen(size: f64) -> f64 {
    const LEAST: f64 = f64::MIN_POSITIVE / (1u64 << 40) as f64;
    if size > f64::MIN_POSITIVE { LEAST } else { UNSEEN }
}

/// |a| as a double, never less than it is.
pub fn magnitude(a: &Float) -> f64 {
    a.to_f64_round(if a.is_sign_negative() { rug::float::Round::Down } else { rug::float::Round::Up }).abs()
}

/// |a - b| as a double; infinite when only one is a number.
pub fn distance(a: &Float, b: &Float) -> f64 {
    match (a.is_finite(), b.is_finite()) {
        (true, true) => magnitude(&Float::with_val(a.prec().max(b.prec()), a - b)),
        (false, false) if a.is_nan() && b.is_nan() => 0.0,
        (false, false) if a == b => 0.0,
        _ => f64::INFINITY,
    }
}

/// The distance of two numbers in units of the last place of the first in that format.
pub fn ulps(expected: &Float, actual: &Float, kind: FloatKind) -> f64 {
    let apart = distance(expected, actual);
    if apart == 0.0 {
        return 0.0;
    }
    let exponent = expected.get_exp().unwrap_or(-1000);
    // A binary exponent e of MPFR means [2^(e-1), 2^e): a unit in the last place there is 2^(e-p).
    let least = (least_exponent(kind) + 1 - significand_bits(kind) as i32).max(-1074);
    let unit = 2f64.powi((exponent - significand_bits(kind) as i32).max(least));
    apart / unit
}

/// The power of two next above |x|, or 1 for zero: the scale at which an input is varied.
pub fn scale(kind: FloatKind, bits: u128) -> f64 {
    let x = value(kind, bits, interp::number::EXACT);
    match x.get_exp() {
        Some(exponent) => 2f64.powi(exponent.clamp(-900, 900)),
        None => 1.0,
    }
}

/// A small generator of repeatable random numbers (Steele, Lea, Flood: SplitMix64, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with that seed.
    pub fn new(seed: u64) -> Random {
        Random(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number of magnitude 1/2 to 1 with either sign, with few enough bits that sums of such numbers are exact.
    pub fn weight(&mut self) -> f64 {
        let bits = self.bits();
        let size = 0.5 + (bits >> 44) as f64 / f64::from(1u32 << 21);
        if bits & 1 == 0 { size } else { -size }
    }
}

/// A double rounded to a format.
pub fn rounded(kind: FloatKind, value: f64, precision: u32) -> Float {
    match kind {
        FloatKind::Float => Float::with_val(precision, value as f32),
        _ => Float::with_val(precision, value),
    }
}
