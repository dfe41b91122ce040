//! Floating-point constants in LLVM's notation (LangRef, "Simple Constants").
//!
//! `float` and `double` are written as decimals where six digits are exact, and otherwise as `0x` with the
//! sixteen digits of the *double* of that value; the other formats as `0xH` (half), `0xR` (bfloat), `0xK`
//! (x86_fp80: sign and exponent first) and `0xL` (fp128: the low 64 bits first). All is done on bit
//! patterns, so that the payload and the quiet bit of a NaN survive. Of some short decimals LLVM loses a digit when it
//! tries them, and writes the sixteen digits; here they are written as decimals, and read as the same numbers.

use crate::types::FloatKind;

/// The bit pattern that a literal denotes, or why it denotes none.
pub(crate) fn parse(text: &str, kind: FloatKind) -> Result<u128, &'static str> {
    const BAD_HEX: &str = "a malformed hexadecimal floating-point constant";
    let digits =
        |s: &str, n: usize| if s.len() == n { u128::from_str_radix(s, 16).map_err(|_| BAD_HEX) } else { Err(BAD_HEX) };
    let Some(hex) = text.strip_prefix("0x") else {
        let value: f64 = text.parse().map_err(|_| "a malformed floating-point constant")?;
        return from_double(value.to_bits(), kind).ok_or("a decimal that is not exact in its type");
    };
    match (hex.as_bytes().first(), kind) {
        (Some(b'H'), FloatKind::Half) | (Some(b'R'), FloatKind::BFloat) => digits(&hex[1..], 4),
        (Some(b'K'), FloatKind::X86Fp80) => digits(&hex[1..], 20),
        (Some(b'L'), FloatKind::Fp128) => digits(&hex[1..], 32).map(|v| v.rotate_left(64)),
        (_, FloatKind::Half | FloatKind::BFloat | FloatKind::X86Fp80 | FloatKind::Fp128) => Err(BAD_HEX),
        (_, FloatKind::Float | FloatKind::Double) => {
            let double = u64::from_str_radix(hex, 16).map_err(|_| BAD_HEX)?;
            from_double(double, kind).ok_or("a constant that is not exact in its type")
        }
    }
}

/// A double's bit pattern in another format, if that holds the value exactly.
fn from_double(bits: u64, kind: FloatKind) -> Option<u128> {
    let (exponent_bits, fraction_bits) = kind.format();
    let sign = u128::from(bits >> 63);
    let fraction = u128::from(bits & ((1 << 52) - 1));
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let top = (1i32 << exponent_bits) - 1;
    let bias = top >> 1;
    // The significand as an integer below 2^53, and the power of two of its last bit.
    let (field, significand) = if exponent == 0x7ff {
        (top, rescale(fraction, 52, fraction_bits)?)
    } else if exponent == 0 && fraction == 0 {
        (0, 0)
    } else {
        let (significand, last) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        let highest = 127 - significand.leading_zeros() as i32;
        let field = highest + last + bias;
        if field >= top {
            return None;
        }
        if field >= 1 {
            let whole = rescale(significand, highest as u32, fraction_bits)?;
            (field, whole & !(1 << fraction_bits))
        } else {
            // Subnormal in the target: its last bit stands for 2^(1 - bias - fraction_bits).
            let shift = last - (1 - bias - fraction_bits as i32);
            (0, if shift >= 0 { significand << shift } else { exact_shift(significand, shift.unsigned_abs())? })
        }
    };
    let mut out = sign << exponent_bits | field as u128;
    if kind == FloatKind::X86Fp80 {
        out = out << 1 | u128::from(field != 0);
    }
    Some(out << fraction_bits | significand)
}

/// A fraction of `from` bits as one of `to` bits, if no bit is lost.
fn rescale(fraction: u128, from: u32, to: u32) -> Option<u128> {
    if to >= from { Some(fraction << (to - from)) } else { exact_shift(fraction, from - to) }
}

fn exact_shift(value: u128, by: u32) -> Option<u128> {
    let shifted = value.checked_shr(by).unwrap_or(0);
    (shifted.checked_shl(by).unwrap_or(0) == value).then_some(shifted)
}

/// The double with the value of a `float`, NaN payloads kept.
fn float_to_double(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        return u64::from(bits >> 31) << 63 | 0x7ff << 52 | u64::from(bits & 0x7f_ffff) << 29;
    }
    f64::from(value).to_bits()
}

/// The literal of a bit pattern, as LLVM prints it.
pub(crate) fn print(bits: u128, kind: FloatKind) -> String {
    match kind {
        FloatKind::Half => format!("0xH{bits:04X}"),
        FloatKind::BFloat => format!("0xR{bits:04X}"),
        FloatKind::X86Fp80 => format!("0xK{bits:020X}"),
        FloatKind::Fp128 => format!("0xL{:032X}", bits.rotate_left(64)),
        FloatKind::Float => print_double(float_to_double(bits as u32)),
        FloatKind::Double => print_double(bits as u64),
    }
}

fn print_double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_finite() {
        let text = format!("{value:.6e}");
        if text.parse::<f64>().map(f64::to_bits) == Ok(bits) {
            // Rust writes `1.5e0` where C writes `1.5e+00`.
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |d| ('-', d));
            return format!("{mantissa}e{sign}{digits:0>2}");
        }
    }
    format!("0x{bits:X}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;
    use std::sync::LazyLock;

    #[test]
    fn decimals_and_hexadecimals() {
        assert_eq!(parse("1.000000e+00", FloatKind::Double), Ok(u128::from(1f64.to_bits())));
        assert_eq!(parse("-2.5", FloatKind::Float), Ok(u128::from((-2.5f32).to_bits())));
        assert_eq!(parse("0x3FF0000000000000", FloatKind::Float), Ok(u128::from(1f32.to_bits())));
        assert_eq!(parse("1.0", FloatKind::Half), Ok(0x3c00));
        assert_eq!(parse("1.0", FloatKind::BFloat), Ok(0x3f80));
        assert_eq!(parse("1.0", FloatKind::X86Fp80), Ok(0x3fff_8000_0000_0000_0000));
        assert_eq!(parse("0xK3FFF8000000000000000", FloatKind::X86Fp80), Ok(0x3fff_8000_0000_0000_0000));
        assert_eq!(parse("0xL00000000000000003FFF000000000000", FloatKind::Fp128), Ok(0x3fff << 112));
        assert_eq!(parse("1.0", FloatKind::Fp128), Ok(0x3fff << 112));
        assert!(parse("0.1", FloatKind::Float).is_err() && parse("1.0e+30", FloatKind::Half).is_err());
        assert!(parse("0xK3FFF", FloatKind::X86Fp80).is_err() && parse("0xH3C00", FloatKind::Float).is_err());
        assert_eq!(print(u128::from(0.1f64.to_bits()), FloatKind::Double), "1.000000e-01");
        assert_eq!(print(u128::from((1.0f64 / 3.0).to_bits()), FloatKind::Double), "0x3FD5555555555555");
        assert_eq!(print(u128::from(1.5e100f64.to_bits()), FloatKind::Double), "1.500000e+100");
        assert_eq!(print(u128::from((-1.25e-7f64).to_bits()), FloatKind::Double), "-1.250000e-07");
    }

    /// Every half, and many floats of every class, survive print and parse.
    #[test]
    fn round_trip() {
        for bits in 0..=0xffff_u128 {
            assert_eq!(parse(&print(bits, FloatKind::Half), FloatKind::Half), Ok(bits));
            assert_eq!(parse(&print(bits, FloatKind::BFloat), FloatKind::BFloat), Ok(bits));
        }
        for i in 0..200_000_u32 {
            let bits = u128::from(i.wrapping_mul(0x9e37_79b1));
            assert_eq!(parse(&print(bits, FloatKind::Float), FloatKind::Float), Ok(bits), "{bits:x}");
            let bits = u128::from(u64::from(i).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            assert_eq!(parse(&print(bits, FloatKind::Double), FloatKind::Double), Ok(bits), "{bits:x}");
        }
    }

    /// Bits of a kind: any, and those at the ends of the ranges of exponents.
    fn bits(kind: FloatKind) -> impl Strategy<Value = u128> {
        let (exponent_bits, fraction_bits) = kind.format();
        let stored = fraction_bits + u32::from(kind == FloatKind::X86Fp80);
        let whole = move |sign: u128, exponent: u128, fraction: u128| {
            (sign << exponent_bits | exponent) << stored | fraction & ((1 << stored) - 1)
        };
        let top = (1_u128 << exponent_bits) - 1;
        let middle = top >> 1;
        let exponent = prop_oneof![0..=top, Just(0), Just(1), Just(top), Just(top - 1), middle - 4..=middle + 24];
        let fraction = prop_oneof![
            any::<u128>(),
            // With zeros at its end, as numbers with short decimals have.
            (any::<u128>(), 0..stored).prop_map(|(fraction, by)| fraction << by),
            0..4_u128,
            Just(u128::MAX),
        ];
        (0..=1_u128, exponent, fraction).prop_map(move |(sign, exponent, fraction)| whole(sign, exponent, fraction))
    }

    /// The number that bits of a narrow format stand for, computed from the definition; none for NaN and infinity.
    fn number(bits: u128, kind: FloatKind) -> Option<f64> {
        let (exponent_bits, fraction_bits) = kind.format();
        let bias = (1 << (exponent_bits - 1)) - 1;
        let (exponent, fraction) = ((bits >> fraction_bits) as i32 & (2 * bias + 1), bits & ((1 << fraction_bits) - 1));
        let (significand, exponent) = match exponent {
            0 => (fraction as f64, 1),
            _ if exponent == 2 * bias + 1 => return None,
            _ => ((fraction | 1 << fraction_bits) as f64, exponent),
        };
        let size = significand * 2_f64.powi(exponent - bias - fraction_bits as i32);
        Some(if bits >> (exponent_bits + fraction_bits) & 1 == 1 { -size } else { size })
    }

    fn kinds() -> impl Strategy<Value = (FloatKind, u128)> {
        prop::sample::select(FloatKind::ALL.to_vec()).prop_flat_map(|kind| (Just(kind), bits(kind)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn what_is_printed_is_read_back((kind, bits) in kinds()) {
            prop_assert_eq!(parse(&print(bits, kind), kind), Ok(bits), "{:?}", kind);
        }

        /// A number of 24 bits or fewer, written as a decimal, is read as itself, in its own format and in wider ones.
        #[test]
        fn decimals_of_narrow_numbers_are_read_exactly(
            (kind, bits) in prop::sample::select(vec![FloatKind::Half, FloatKind::BFloat, FloatKind::Float])
                .prop_flat_map(|kind| (Just(kind), bits(kind))),
        ) {
            let Some(value) = number(bits, kind) else { return Ok(()) };
            let text = format!("{value:e}");
            prop_assert_eq!(parse(&text, kind), Ok(bits), "{}", text);
            prop_assert_eq!(parse(&text, FloatKind::Double), Ok(u128::from(value.to_bits())), "{}", text);
            let wide = parse(&text, FloatKind::X86Fp80).unwrap();
            let (exponent, significand) = ((wide >> 64) as i32 & 0x7fff, wide as u64);
            // The lowest bits of the significand are zero, so that this is exact.
            let size = (significand >> 11) as f64 * 2_f64.powi(exponent - 16383 - 52);
            prop_assert_eq!((significand & 0x7ff, wide >> 79 == 1), (0, value.is_sign_negative()));
            prop_assert_eq!(size, value.abs());
        }

        /// A decimal is refused exactly if no number of the format has its value.
        #[test]
        fn what_no_half_is_is_refused(value in prop_oneof![
            any::<f64>(),
            -70_000_f64..70_000.0,
            (-70_000..70_000_i32).prop_map(f64::from),
            (any::<i16>(), 0..40_i32).prop_map(|(n, by)| f64::from(n) * 2_f64.powi(-by)),
        ]) {
            static HALVES: LazyLock<HashMap<u64, u128>> = LazyLock::new(|| {
                let finite = |bits| Some((number(bits, FloatKind::Half)?.to_bits(), bits));
                (0..0x1_0000).filter_map(finite).collect()
            });
            let expected = HALVES.get(&value.to_bits()).copied();
            let found = parse(&format!("{value:e}"), FloatKind::Half).ok();
            prop_assert_eq!(found.filter(|_| value.is_finite()), expected);
        }
    }
}
