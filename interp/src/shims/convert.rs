//! Numbers from text, and the integer arithmetic of `stdlib.h`: `strtod`, `atof`, `strtol`, `atoi`, `abs`, `div`.
//!
//! Decimal and hexadecimal text is rounded once, to nearest even, by LLVM's software floats, in every format.

use crate::errno::{EINVAL, ERANGE};
use crate::library::set_errno;
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value, mask64};
use ir::FloatKind;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round, Status};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    texts(name).or_else(|| arithmetic(name))
}

fn texts<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "strtod" | "__strtod_internal" => |i, c| to_float(i, c, FloatKind::Double),
        "strtof" => |i, c| to_float(i, c, FloatKind::Float),
        "strtold" => |i, c| to_float(i, c, FloatKind::X86Fp80),
        "atof" => |i, c| {
            let text = i.memory.read_cstr(c.ptr(0)?)?;
            let read = read_float(&text, FloatKind::Double);
            Ok(Value::scalar(Scalar::wide(read.bits)))
        },
        "strtol" | "strtoll" | "__isoc23_strtol" | "__isoc23_strtoll" | "strtoimax" => |i, c| to_int(i, c, true),
        "strtoul" | "strtoull" | "__isoc23_strtoul" | "__isoc23_strtoull" | "strtoumax" => |i, c| to_int(i, c, false),
        "atol" | "atoll" => |i, c| Ok(Value::i64(decimal(i, c)?)),
        "atoi" => |i, c| Ok(Value::i32(decimal(i, c)? as i32)),
        _ => return None,
    })
}

fn arithmetic<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "abs" => |_, c| match (c.int(0)? as i32).checked_abs() {
            Some(value) => Ok(Value::i32(value)),
            None => Err(Fault::ub(UbKind::Library, "abs of the least int")),
        },
        "labs" | "llabs" | "imaxabs" => |_, c| match c.int(0)?.checked_abs() {
            Some(value) => Ok(Value::i64(value)),
            None => Err(Fault::ub(UbKind::Library, "labs of the least long")),
        },
        "div" => |_, c| {
            let (q, r) = quotient(i64::from(c.int(0)? as i32), i64::from(c.int(1)? as i32))?;
            // `struct { int quot, rem; }` comes back in one register.
            Ok(Value::i64(i64::from(q as u32) | r << 32))
        },
        "ldiv" | "lldiv" | "imaxdiv" => |_, c| {
            let (q, r) = quotient(c.int(0)?, c.int(1)?)?;
            let word = |w: i64| (Scalar::word(w as u64), M::Shadow::default());
            Ok(Value { leaves: [word(q), word(r)].into_iter().collect() })
        },
        _ => return None,
    })
}

fn quotient(a: i64, b: i64) -> Res<(i64, i64)> {
    if b == 0 {
        return Err(Fault::ub(UbKind::DivisionByZero, "div by zero"));
    }
    match (a.checked_div(b), a.checked_rem(b)) {
        (Some(q), Some(r)) => Ok((q, r)),
        _ => Err(Fault::ub(UbKind::DivisionOverflow, "div of the least number by -1")),
    }
}

/// A number read from text.
struct ReadFloat {
    bits: u128,
    /// Characters used; 0 if there is no number.
    used: usize,
    out_of_range: bool,
}

fn skip_space(text: &[u8]) -> usize {
    text.iter().take_while(|b| matches!(b, b' ' | 9..=13)).count()
}

fn digits(text: &[u8], from: usize, is_digit: fn(&u8) -> bool) -> usize {
    text[from.min(text.len())..].iter().take_while(|b| is_digit(b)).count()
}

/// Where an exponent that starts at `at` ends: `letter`, perhaps a sign, and digits. `at` itself if there is none.
fn exponent_end(text: &[u8], at: usize, letter: u8) -> usize {
    if !text.get(at).is_some_and(|b| b.eq_ignore_ascii_case(&letter)) {
        return at;
    }
    let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
    match digits(text, at + 1 + sign, u8::is_ascii_digit) {
        0 => at,
        count => at + 1 + sign + count,
    }
}

/// Where a significand of digits with at most one point ends; none if it has no digit.
fn significand_end(text: &[u8], from: usize, is_digit: fn(&u8) -> bool) -> Option<usize> {
    let whole = digits(text, from, is_digit);
    let mut end = from + whole;
    let mut fraction = 0;
    if text.get(end) == Some(&b'.') {
        fraction = digits(text, end + 1, is_digit);
        if whole + fraction > 0 {
            end += 1 + fraction;
        }
    }
    (whole + fraction > 0).then_some(end)
}

fn read_float(text: &[u8], kind: FloatKind) -> ReadFloat {
    let start = skip_space(text);
    let negative = text.get(start) == Some(&b'-');
    let at = start + usize::from(matches!(text.get(start), Some(b'+' | b'-')));
    let rest = text.get(at..).unwrap_or(&[]);
    let word = |word: &str| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word.as_bytes());
    let finish = |value: &str, used| parse(kind, negative, value, used);
    if word("inf") {
        return finish("inf", at + if word("infinity") { 8 } else { 3 });
    }
    if word("nan") {
        let inside = digits(rest, 4, |b| b.is_ascii_alphanumeric() || *b == b'_');
        let closed = rest.get(3) == Some(&b'(') && rest.get(4 + inside) == Some(&b')');
        return finish("nan", at + if closed { 5 + inside } else { 3 });
    }
    let as_text = |from: usize, to: usize| String::from_utf8_lossy(&text[from..to]).into_owned();
    if word("0x")
        && let Some(end) = significand_end(text, at + 2, u8::is_ascii_hexdigit)
    {
        let whole = exponent_end(text, end, b'p');
        let exponent = if whole == end { "p0".to_owned() } else { as_text(end, whole) };
        return finish(&format!("0x{}{exponent}", as_text(at + 2, end)), whole);
    }
    match significand_end(text, at, u8::is_ascii_digit) {
        Some(end) => {
            let whole = exponent_end(text, end, b'e');
            finish(&as_text(at, whole), whole)
        }
        None => ReadFloat { bits: 0, used: 0, out_of_range: false },
    }
}

/// Rounds well-formed text to a format.
fn parse(kind: FloatKind, negative: bool, text: &str, used: usize) -> ReadFloat {
    fn read<F: Float>(text: &str) -> (u128, bool) {
        match text {
            "inf" => (F::INFINITY.to_bits(), false),
            "nan" => (F::NAN.to_bits(), false),
            _ => match F::from_str_r(text, Round::NearestTiesToEven) {
                Ok(read) => (read.value.to_bits(), read.status.intersects(Status::OVERFLOW | Status::UNDERFLOW)),
                Err(_) => (0, false),
            },
        }
    }
    let (bits, out_of_range) = match kind {
        FloatKind::Float => read::<Single>(text),
        FloatKind::X86Fp80 => read::<X87DoubleExtended>(text),
        _ => read::<Double>(text),
    };
    let sign = u128::from(negative) << (kind.bits() - 1);
    ReadFloat { bits: bits | sign, used, out_of_range }
}

/// A number that takes up a whole text.
pub fn float_of(text: &[u8], kind: FloatKind) -> Option<u128> {
    let read = read_float(text, kind);
    (read.used == text.len()).then_some(read.bits)
}

/// An integer that takes up a whole text, modulo 2^64; the nearest if it does not fit.
pub fn int_of(text: &[u8], base: u32) -> Option<u64> {
    let read = read_int(text, base);
    let magnitude = read.magnitude.unwrap_or(u64::MAX);
    (read.used == text.len()).then(|| if read.negative { magnitude.wrapping_neg() } else { magnitude })
}

fn to_float<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    kind: FloatKind,
) -> Res<Value<M::Shadow>> {
    let text = interp.memory.read_cstr(call.ptr(0)?)?;
    let read = read_float(&text, kind);
    store_end(interp, call, read.used)?;
    if read.out_of_range {
        set_errno(interp, ERANGE)?;
    }
    Ok(Value::scalar(Scalar::wide(read.bits)))
}

/// Stores the address of the first character not used through the second argument.
fn store_end<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, used: usize) -> Res {
    let end: Pointer = call.ptr(1)?;
    if end.is_null() {
        return Ok(());
    }
    let at = call.ptr(0)?.offset(used as i64);
    interp.memory.store(end, Leaf::Ptr, Scalar::ptr(at), 1)
}

/// An integer read from text.
struct ReadInt {
    negative: bool,
    /// The magnitude; none if it does not fit.
    magnitude: Option<u64>,
    used: usize,
}

fn read_int(text: &[u8], base: u32) -> ReadInt {
    let start = skip_space(text);
    let negative = text.get(start) == Some(&b'-');
    let mut at = start + usize::from(matches!(text.get(start), Some(b'+' | b'-')));
    let digit = |at: usize, base: u32| text.get(at).and_then(|b| char::from(*b).to_digit(base));
    let hexadecimal = text.get(at) == Some(&b'0')
        && text.get(at + 1).is_some_and(|b| b.eq_ignore_ascii_case(&b'x'))
        && digit(at + 2, 16).is_some();
    let base = match base {
        0 | 16 if hexadecimal => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    let first = at;
    let mut magnitude = Some(0u64);
    while let Some(digit) = digit(at, base) {
        let step = |m: u64| m.checked_mul(u64::from(base))?.checked_add(u64::from(digit));
        magnitude = magnitude.and_then(step);
        at += 1;
    }
    ReadInt { negative, magnitude, used: if at == first { 0 } else { at } }
}

fn to_int<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    signed: bool,
) -> Res<Value<M::Shadow>> {
    let text = interp.memory.read_cstr(call.ptr(0)?)?;
    let base = call.int(2)?;
    if base != 0 && !(2..=36).contains(&base) {
        set_errno(interp, EINVAL)?;
        return Ok(Value::i64(0));
    }
    let read = read_int(&text, base as u32);
    store_end(interp, call, read.used)?;
    let limit = match (signed, read.negative) {
        (false, _) => u64::MAX,
        (true, false) => i64::MAX as u64,
        (true, true) => 1 << 63,
    };
    let fits = read.magnitude.filter(|m| *m <= limit);
    if fits.is_none() {
        set_errno(interp, ERANGE)?;
    }
    let magnitude = fits.unwrap_or(limit);
    let negate = read.negative && (signed || fits.is_some());
    Ok(Value::i64(if negate { magnitude.wrapping_neg() } else { magnitude } as i64))
}

/// `atol`: as `strtol` in base 10.
fn decimal<M: Machine>(interp: &Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<i64> {
    let text = interp.memory.read_cstr(call.ptr(0)?)?;
    let read = read_int(&text, 10);
    let limit = if read.negative { 1 << 63 } else { mask64(63) };
    let magnitude = read.magnitude.map_or(limit, |m| m.min(limit));
    Ok(if read.negative { magnitude.wrapping_neg() } else { magnitude } as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> (f64, usize) {
        let read = read_float(text.as_bytes(), FloatKind::Double);
        (f64::from_bits(read.bits as u64), read.used)
    }

    #[test]
    fn floats_from_text() {
        assert_eq!(double("  1.5e3abc"), (1500.0, 7));
        assert_eq!(double("-.5"), (-0.5, 3));
        assert_eq!(double("1e"), (1.0, 1));
        assert_eq!(double("1e+"), (1.0, 1));
        assert_eq!(double("0x1.8p1 "), (3.0, 7));
        assert_eq!(double("0x"), (0.0, 1));
        assert_eq!(double("0xAp"), (10.0, 3));
        assert_eq!(double("-infinityx"), (f64::NEG_INFINITY, 9));
        assert_eq!(double("x1"), (0.0, 0));
        assert_eq!(double("."), (0.0, 0));
        assert_eq!(double("7."), (7.0, 2));
        assert_eq!(double("2.2250738585072011e-308").0, f64::from_bits(0x000F_FFFF_FFFF_FFFF));
        assert!(double("nan(12)").0.is_nan() && double("nan(12)").1 == 7 && double("nan(").1 == 3);
        assert!(read_float(b"1e999", FloatKind::Double).out_of_range);
        assert_eq!(read_float(b"0.1", FloatKind::X86Fp80).bits, 0x3ffb_cccc_cccc_cccc_cccd);
        assert_eq!(read_float(b"-0.1", FloatKind::Float).bits, u128::from((-0.1f32).to_bits()));
    }

    #[test]
    fn integers_from_text() {
        let read = |text: &str, base| {
            let read = read_int(text.as_bytes(), base);
            (read.negative, read.magnitude, read.used)
        };
        assert_eq!(read(" -42x", 10), (true, Some(42), 4));
        assert_eq!(read("0x1g", 0), (false, Some(1), 3));
        assert_eq!(read("0xg", 16), (false, Some(0), 1));
        assert_eq!(read("017", 0), (false, Some(15), 3));
        assert_eq!(read("zz", 36), (false, Some(35 * 37), 2));
        assert_eq!(read("+", 10), (false, Some(0), 0));
        assert_eq!(read("99999999999999999999", 10), (false, None, 20));
    }
}
