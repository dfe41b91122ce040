//! Formats the host does not have, by `rustc_apfloat`; conversions between all formats; bits to and from
//! multi-precision.

use ir::{BinOp, FloatKind};
use rug::float::Special;
use rug::{Float as Big, Integer};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Category, Float, FloatConvert, Round, Status, StatusAnd};
use std::cmp::Ordering;

/// Runs the same code with the type of each format.
macro_rules! with_format {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Half => {
                type $F = Half;
                $body
            }
            FloatKind::BFloat => {
                type $F = BFloat;
                $body
            }
            FloatKind::Float => {
                type $F = Single;
                $body
            }
            FloatKind::Double => {
                type $F = Double;
                $body
            }
            FloatKind::X86Fp80 => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::Fp128 => {
                type $F = Quad;
                $body
            }
        }
    };
}

/// Arithmetic by software.
pub fn arithmetic(op: BinOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    fn apply<F: Float>(op: BinOp, a: u128, b: u128) -> u128 {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            BinOp::FAdd => a + b,
            BinOp::FSub => a - b,
            BinOp::FMul => a * b,
            BinOp::FDiv => a / b,
            _ => a % b,
        };
        result.value.to_bits()
    }
    with_format!(kind, F => apply::<F>(op, a, b))
}

/// Arithmetic in a rounding mode, with its exceptions.
pub fn arithmetic_in(op: BinOp, kind: FloatKind, a: u128, b: u128, mode: Round) -> (u128, Status) {
    fn apply<F: Float>(op: BinOp, a: u128, b: u128, mode: Round) -> (u128, Status) {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            BinOp::FAdd => a.add_r(b, mode),
            BinOp::FSub => a.sub_r(b, mode),
            BinOp::FMul => a.mul_r(b, mode),
            BinOp::FDiv => a.div_r(b, mode),
            _ => a % b,
        };
        (result.value.to_bits(), result.status)
    }
    with_format!(kind, F => apply::<F>(op, a, b, mode))
}

/// x·y + z, rounded once in a mode.
pub fn fma_in(kind: FloatKind, x: u128, y: u128, z: u128, mode: Round) -> (u128, Status) {
    fn apply<F: Float>(x: u128, y: u128, z: u128, mode: Round) -> (u128, Status) {
        let result = F::from_bits(x).mul_add_r(F::from_bits(y), F::from_bits(z), mode);
        (result.value.to_bits(), result.status)
    }
    with_format!(kind, F => apply::<F>(x, y, z, mode))
}

/// A conversion between formats in a mode.
pub fn convert_in(from: FloatKind, to: FloatKind, bits: u128, mode: Round) -> (u128, Status) {
    fn one<F: FloatConvert<T>, T: Float>(bits: u128, mode: Round) -> (u128, Status) {
        let mut loses = false;
        let result = F::from_bits(bits).convert_r(mode, &mut loses);
        (result.value.to_bits(), result.status)
    }
    with_format!(from, F => with_format!(to, T => one::<F, T>(bits, mode)))
}

/// An integer as a number, in a mode.
pub fn from_int_in(kind: FloatKind, signed: bool, value: i128, bits: u128, mode: Round) -> (u128, Status) {
    fn apply<F: Float>(signed: bool, value: i128, bits: u128, mode: Round) -> (u128, Status) {
        let result = if signed { F::from_i128_r(value, mode) } else { F::from_u128_r(bits, mode) };
        (result.value.to_bits(), result.status)
    }
    with_format!(kind, F => apply::<F>(signed, value, bits, mode))
}

/// A number as an integer of `width` bits; none if it does not fit.
pub fn to_int_in(kind: FloatKind, signed: bool, bits: u128, width: u8, mode: Round) -> Option<(u128, Status)> {
    fn apply<F: Float>(signed: bool, bits: u128, width: u8, mode: Round) -> (u128, Status) {
        let x = F::from_bits(bits);
        if signed {
            let result = signed_of(x, width, mode);
            (result.value as u128, result.status)
        } else {
            let result = x.to_u128_r(width.into(), mode, &mut false);
            (result.value, result.status)
        }
    }
    let (value, status) = with_format!(kind, F => apply::<F>(signed, bits, width, mode));
    (!status.contains(Status::INVALID_OP)).then_some((value, status))
}

/// A number as a signed integer of `width` bits; the nearest one if it does not fit.
fn signed_of<F: Float>(x: F, width: u8, mode: Round) -> StatusAnd<i128> {
    if width > 1 {
        return x.to_i128_r(width.into(), mode, &mut false);
    }
    // The library has no integer that is a sign and nothing else.
    let StatusAnd { status, value } = x.to_i128_r(2, mode, &mut false);
    let fits = if (-1..=0).contains(&value) { status } else { Status::INVALID_OP };
    fits.and(value.clamp(-1, 0))
}

/// The nearest integer in a mode, as a number.
pub fn to_integral(kind: FloatKind, bits: u128, mode: Round) -> (u128, Status) {
    fn apply<F: Float>(bits: u128, mode: Round) -> (u128, Status) {
        let x = F::from_bits(bits);
        let result = x.round_to_integral(mode);
        let changed = !x.is_nan() && result.value != x;
        (result.value.to_bits(), if changed { result.status | Status::INEXACT } else { result.status })
    }
    with_format!(kind, F => apply::<F>(bits, mode))
}

/// The square root in a mode: the root truncated by multi-precision, then stepped up where the mode asks for it.
pub fn sqrt_in(kind: FloatKind, bits: u128, mode: Round) -> (u128, Status) {
    let x = to_big(kind, bits);
    if x.is_nan() || x.is_zero() || x.is_infinite() && x.is_sign_positive() {
        return (bits, Status::OK);
    }
    if x.is_sign_negative() {
        return (convert(FloatKind::Double, kind, f64::NAN.to_bits().into()), Status::INVALID_OP);
    }
    let (precision, _) = shape(kind);
    let round = match mode {
        Round::TowardPositive => rug::float::Round::Up,
        Round::TowardNegative | Round::TowardZero => rug::float::Round::Down,
        Round::NearestTiesToEven | Round::NearestTiesToAway => rug::float::Round::Nearest,
    };
    // The root of a number of the format is never subnormal, and never halfway between two numbers.
    let (root, order) = Big::with_val_round(precision, x.sqrt_ref(), round);
    (from_big(kind, &root), if order == Ordering::Equal { Status::OK } else { Status::INEXACT })
}

/// x·y + z, rounded once.
pub fn fma(kind: FloatKind, x: u128, y: u128, z: u128) -> u128 {
    fn apply<F: Float>(x: u128, y: u128, z: u128) -> u128 {
        F::from_bits(x).mul_add(F::from_bits(y), F::from_bits(z)).value.to_bits()
    }
    with_format!(kind, F => apply::<F>(x, y, z))
}

/// The order of two numbers; `None` if one is a NaN.
pub fn order(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    with_format!(kind, F => F::from_bits(a).partial_cmp(&F::from_bits(b)))
}

/// Is it a NaN, is it infinite?
pub fn nan_or_infinite(kind: FloatKind, bits: u128) -> (bool, bool) {
    match kind {
        FloatKind::Double => {
            let x = f64::from_bits(bits as u64);
            (x.is_nan(), x.is_infinite())
        }
        FloatKind::Float => {
            let x = f32::from_bits(bits as u32);
            (x.is_nan(), x.is_infinite())
        }
        _ => with_format!(kind, F => { let x = F::from_bits(bits); (x.is_nan(), x.is_infinite()) }),
    }
}

/// The bit of `llvm.is.fpclass` for a number.
pub fn class(kind: FloatKind, bits: u128) -> u32 {
    fn of<F: Float>(bits: u128) -> u32 {
        let x = F::from_bits(bits);
        let signed = |negative: u32, positive: u32| if x.is_negative() { negative } else { positive };
        match x.category() {
            Category::NaN => {
                if x.is_signaling() {
                    0x001
                } else {
                    0x002
                }
            }
            Category::Infinity => signed(0x004, 0x200),
            Category::Normal if x.is_denormal() => signed(0x010, 0x080),
            Category::Normal => signed(0x008, 0x100),
            Category::Zero => signed(0x020, 0x040),
        }
    }
    with_format!(kind, F => of::<F>(bits))
}

/// Converts between formats, rounding to nearest even.
pub fn convert(from: FloatKind, to: FloatKind, bits: u128) -> u128 {
    fn one<F, T>(bits: u128) -> u128
    where
        F: FloatConvert<T>,
        T: Float,
    {
        let mut loses = false;
        F::from_bits(bits).convert(&mut loses).value.to_bits()
    }
    match (from, to) {
        (FloatKind::Float, FloatKind::Double) => f64::from(f32::from_bits(bits as u32)).to_bits().into(),
        (FloatKind::Double, FloatKind::Float) => (f64::from_bits(bits as u64) as f32).to_bits().into(),
        _ => with_format!(from, F => with_format!(to, T => one::<F, T>(bits))),
    }
}

/// A signed integer as a number.
pub fn from_signed(kind: FloatKind, value: i128) -> u128 {
    match kind {
        FloatKind::Double => (value as f64).to_bits().into(),
        FloatKind::Float => (value as f32).to_bits().into(),
        _ => with_format!(kind, F => F::from_i128(value).value.to_bits()),
    }
}

/// An unsigned integer as a number.
pub fn from_unsigned(kind: FloatKind, value: u128) -> u128 {
    match kind {
        FloatKind::Double => (value as f64).to_bits().into(),
        FloatKind::Float => (value as f32).to_bits().into(),
        _ => with_format!(kind, F => F::from_u128(value).value.to_bits()),
    }
}

/// A number rounded toward zero to a signed integer of `width` bits, with whether it fits; if not, the nearest.
pub fn to_signed(kind: FloatKind, bits: u128, width: u8) -> (i128, bool) {
    let result = with_format!(kind, F => signed_of(F::from_bits(bits), width, Round::TowardZero));
    (result.value, !result.status.contains(Status::INVALID_OP))
}

/// A number rounded toward zero to an unsigned integer of `width` bits, with whether it fits; if not, the nearest.
pub fn to_unsigned(kind: FloatKind, bits: u128, width: u8) -> (u128, bool) {
    let mut exact = false;
    let result = with_format!(kind, F => F::from_bits(bits).to_u128_r(width.into(), Round::TowardZero, &mut exact));
    (result.value, !result.status.contains(Status::INVALID_OP))
}

/// Bits of the significand with the leading one, and the least exponent of its last bit.
const fn shape(kind: FloatKind) -> (u32, i32) {
    match kind {
        FloatKind::Half => (11, -24),
        FloatKind::BFloat => (8, -133),
        FloatKind::Float => (24, -149),
        FloatKind::Double => (53, -1074),
        FloatKind::X86Fp80 => (64, -16445),
        FloatKind::Fp128 => (113, -16494),
    }
}

/// The number exactly, in multi-precision.
pub fn to_big(kind: FloatKind, bits: u128) -> Big {
    let (precision, _) = shape(kind);
    match kind {
        FloatKind::Double => return Big::with_val(precision, f64::from_bits(bits as u64)),
        FloatKind::Float => return Big::with_val(precision, f32::from_bits(bits as u32)),
        _ => {}
    }
    // Half and bfloat are exact in double; the wide formats are taken apart.
    if matches!(kind, FloatKind::Half | FloatKind::BFloat) {
        return Big::with_val(precision, f64::from_bits(convert(kind, FloatKind::Double, bits) as u64));
    }
    let (nan, infinite) = nan_or_infinite(kind, bits);
    let negative = bits >> (kind.bits() - 1) & 1 == 1;
    if nan {
        return Big::with_val(precision, Special::Nan);
    }
    if infinite {
        return Big::with_val(precision, if negative { Special::NegInfinity } else { Special::Infinity });
    }
    let (fraction, exponent) = match kind {
        FloatKind::X86Fp80 => (bits & u128::from(u64::MAX), (bits >> 64) as i32 & 0x7fff),
        _ => {
            let exponent = (bits >> 112) as i32 & 0x7fff;
            let leading = if exponent == 0 { 0 } else { 1 << 112 };
            (bits & ((1 << 112) - 1) | leading, exponent)
        }
    };
    if fraction == 0 {
        return Big::with_val(precision, if negative { Special::NegZero } else { Special::Zero });
    }
    // Both formats have the bias 16383; a subnormal has the exponent of the smallest normal number.
    let scale = exponent.max(1) - 16383 - (precision as i32 - 1);
    let magnitude = Big::with_val(precision, Integer::from(fraction)) << scale;
    if negative { -magnitude } else { magnitude }
}

/// The nearest number of the format, ties to even.
pub fn from_big(kind: FloatKind, value: &Big) -> u128 {
    let (precision, least) = shape(kind);
    match kind {
        FloatKind::Double => return value.to_f64().to_bits().into(),
        FloatKind::Float => return value.to_f32().to_bits().into(),
        _ => {}
    }
    let sign = u128::from(value.is_sign_negative()) << (kind.bits() - 1);
    let special = |x: f64| convert(FloatKind::Double, kind, x.to_bits().into());
    if value.is_nan() {
        return special(f64::NAN);
    }
    if value.is_infinite() {
        return special(f64::INFINITY) | sign;
    }
    let Some(exponent) = value.get_exp() else { return sign };
    // The value lies in [2^(exponent-1), 2^exponent): its last kept bit, at least the format's.
    let last = (exponent - precision as i32).max(least);
    // One rounding only: from the value itself to an integer.
    let exact = Big::with_val(value.prec(), value.abs_ref()) >> last;
    let whole = exact.to_integer_round(rug::float::Round::Nearest).map(|(i, _)| i).unwrap_or_default();
    let Some(fraction) = whole.to_u128() else { return special(f64::INFINITY) | sign };
    // fraction · 2^last, both exact in the format unless it overflows.
    fn build<F: Float>(fraction: u128, last: i32) -> u128 {
        F::from_u128(fraction).value.scalbn(last).to_bits()
    }
    with_format!(kind, F => build::<F>(fraction, last)) | sign
}

/// 1.0
pub fn one(kind: FloatKind) -> u128 {
    from_unsigned(kind, 1)
}
