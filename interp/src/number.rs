//! Floating-point bit patterns as exact multi-precision numbers, and distances in units in the last place.
//!
//! Every format of LLVM fits into 113 bits of significand, so a conversion at [`EXACT`] bits or more loses nothing.
//! MPFR's exponent range exceeds that of every format, so subnormal numbers are plain numbers here.

use ir::FloatKind;
use rug::float::Special;
use rug::ops::NegAssign;
use rug::{Assign, Float};

/// Bits of precision at which every format is represented exactly.
pub const EXACT: u32 = 128;

/// Exponent and significand fields of a format.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// Width of the stored exponent.
    exponent: u32,
    /// Width of the stored significand, without the integer bit.
    fraction: u32,
    /// Is the integer bit stored, as x87 does?
    explicit: bool,
}

fn layout(kind: FloatKind) -> Layout {
    let (exponent, fraction, explicit) = match kind {
        FloatKind::Half => (5, 10, false),
        FloatKind::BFloat => (8, 7, false),
        FloatKind::Float => (8, 23, false),
        FloatKind::Double => (11, 52, false),
        FloatKind::X86Fp80 => (15, 63, true),
        FloatKind::Fp128 => (15, 112, false),
    };
    Layout { exponent, fraction, explicit }
}

/// Bits of the significand, the leading one included.
pub fn significand_bits(kind: FloatKind) -> u32 {
    layout(kind).fraction + 1
}

/// The exponent `e` of the least positive normal number 2^e.
pub fn least_exponent(kind: FloatKind) -> i32 {
    2 - (1 << (layout(kind).exponent - 1))
}

/// The number that the bits mean, at `precision` bits. Exact at [`EXACT`] bits or more.
pub fn to_float(kind: FloatKind, bits: u128, precision: u32) -> Float {
    if kind == FloatKind::Double {
        return Float::with_val(precision, f64::from_bits(bits as u64));
    }
    let Layout { exponent, fraction, explicit } = layout(kind);
    let stored = fraction + u32::from(explicit);
    let significand = bits & ((1 << stored) - 1);
    let field = (bits >> stored) as i32 & ((1 << exponent) - 1);
    let negative = bits >> (stored + exponent) & 1 != 0;
    let mut value = Float::new(precision);
    if field == (1 << exponent) - 1 {
        let infinite = significand & ((1 << fraction) - 1) == 0;
        value.assign(if infinite { Special::Infinity } else { Special::Nan });
    } else {
        let hidden = if explicit || field == 0 { 0 } else { 1 << fraction };
        value.assign(significand | hidden);
        value <<= field.max(1) - 1 + least_exponent(kind) - fraction as i32;
    }
    if negative {
        value.neg_assign();
    }
    value
}

/// The significand, without the zeros at its end, of a number that may have been rounded to its format: more than half
/// of the significant bits are used. Up to sign and powers of two it says which number it is.
pub fn rounded_significand(kind: FloatKind, bits: u128) -> Option<u128> {
    let (significand, _) = to_float(kind, bits, EXACT).to_integer_exp()?;
    let odd = significand.find_one(0).map(|zeros| significand.clone() >> zeros)?;
    if odd.significant_bits() > significand_bits(kind) / 2 { odd.abs().to_u128() } else { None }
}

/// The size of one unit in the last place of a format at the magnitude of `value`; of the least subnormal for zero.
pub fn ulp(kind: FloatKind, value: &Float) -> Float {
    let least = least_exponent(kind);
    let exponent = value.get_exp().map_or(least, |e| (e - 1).max(least));
    Float::with_val(EXACT, 1) << (exponent + 1 - significand_bits(kind) as i32)
}

/// The distance of a concrete result from an exact one in units in the last place of the exact one; infinite when only
/// one of them is finite, zero when both are the same infinity or both NaN.
pub fn ulps(kind: FloatKind, bits: u128, exact: &Float) -> f64 {
    let concrete = to_float(kind, bits, EXACT.max(exact.prec()));
    if concrete.is_finite() && exact.is_finite() {
        let difference = Float::with_val(EXACT, &concrete - exact);
        return (difference.abs() / ulp(kind, exact)).to_f64();
    }
    let same = concrete == *exact || (concrete.is_nan() && exact.is_nan());
    if same { 0.0 } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_and_double_agree_with_the_host() {
        for bits in [0u32, 1, 0x8000_0000, 0x0080_0000, 0x007f_ffff, 0x3f80_0000, 0xc049_0fdb, 0x7f7f_ffff, 0x7f80_0000]
        {
            let value = f32::from_bits(bits);
            assert_eq!(to_float(FloatKind::Float, u128::from(bits), EXACT), value);
            let wide = f64::from(value).to_bits();
            assert_eq!(to_float(FloatKind::Double, u128::from(wide), EXACT), value);
        }
        assert!(to_float(FloatKind::Float, 0x7fc0_0000, EXACT).is_nan());
    }

    #[test]
    fn other_formats() {
        assert_eq!(to_float(FloatKind::Half, 0x3c00, EXACT), 1);
        assert_eq!(to_float(FloatKind::Half, 0x0001, EXACT), 2f64.powi(-24));
        assert_eq!(to_float(FloatKind::Half, 0xfbff, EXACT), -65504);
        assert_eq!(to_float(FloatKind::BFloat, 0x4049, EXACT), 3.140625);
        assert_eq!(to_float(FloatKind::X86Fp80, 0x3fff_8000_0000_0000_0000, EXACT), 1);
        assert_eq!(to_float(FloatKind::X86Fp80, 0xc000_c90f_daa2_2168_c235, EXACT).to_f64(), -std::f64::consts::PI);
        assert!(to_float(FloatKind::X86Fp80, 0x7fff_8000_0000_0000_0000, EXACT).is_infinite());
        assert_eq!(to_float(FloatKind::Fp128, 0x3fff << 112 | 1 << 111, EXACT), 1.5);
        let least = to_float(FloatKind::Fp128, 1, EXACT);
        assert_eq!(least.get_exp(), Some(-16494 + 1));
    }

    #[test]
    fn literals_that_may_have_been_rounded() {
        let double = |x: f64| rounded_significand(FloatKind::Double, x.to_bits().into());
        assert!(double(0.1).is_some() && double(0.1) == double(-0.4) && double(0.1) != double(0.3));
        for short in [0.0, 1.0, -1.5, 100.0, 6_227_020_800.0, 2f64.powi(-300), f64::INFINITY, f64::NAN] {
            assert_eq!(double(short), None, "{short}");
        }
        let float = |x: f32| rounded_significand(FloatKind::Float, x.to_bits().into());
        assert!(float(0.1).is_some() && double(f64::from(0.1f32)).is_none());
    }

    #[test]
    fn units_in_the_last_place() {
        let one = Float::with_val(200, 1);
        assert_eq!(ulps(FloatKind::Double, u128::from((1.0 + f64::EPSILON).to_bits()), &one), 1.0);
        assert_eq!(ulps(FloatKind::Double, u128::from((-1.0f64).to_bits()), &one), 2.0 / f64::EPSILON);
        let zero = Float::new(200);
        assert_eq!(ulps(FloatKind::Double, u128::from(5e-324f64.to_bits()), &zero), 1.0);
        assert_eq!(ulps(FloatKind::Double, u128::from(f64::INFINITY.to_bits()), &one), f64::INFINITY);
        assert_eq!(ulps(FloatKind::Double, u128::from(f64::NAN.to_bits()), &Float::with_val(64, Special::Nan)), 0.0);
    }
}
