//! Conversion specifications of `printf`, and how numbers are laid out by them (C17 7.21.6.1).

use super::decimal::Magnitude;
use crate::number;
use ir::FloatKind;
use rug::Integer;

/// The argument's size, from the length modifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// No modifier.
    None,
    /// `hh`
    Char,
    /// `h`
    Short,
    /// `l`, `ll`, `z`, `j`, `t`
    Long,
    /// `L`
    LongDouble,
}

/// A conversion specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// A space.
    pub space: bool,
    /// `#`
    pub alternative: bool,
    /// `0`
    pub zero: bool,
    /// Least number of characters.
    pub width: usize,
    /// The precision, if given.
    pub precision: Option<usize>,
    /// The length modifier.
    pub length: Length,
    /// The conversion.
    pub conversion: u8,
}

impl Spec {
    /// Text padded to the width with spaces.
    pub fn pad(&self, text: &[u8]) -> Vec<u8> {
        let fill = vec![b' '; self.width.saturating_sub(text.len())];
        if self.left { [text, &fill].concat() } else { [&fill, text].concat() }
    }

    /// A number: sign or prefix, and digits, with zeros between them if asked for.
    fn number(&self, prefix: &str, digits: &str, zeros: bool) -> Vec<u8> {
        let length = prefix.len() + digits.len();
        if zeros && self.zero && !self.left && length < self.width {
            let fill = "0".repeat(self.width - length);
            return [prefix, &fill, digits].concat().into_bytes();
        }
        self.pad([prefix, digits].concat().as_bytes())
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    /// Cuts an integer argument to the size that the length modifier says.
    pub fn narrow(&self, value: u64) -> u64 {
        match self.length {
            Length::Char => value & 0xff,
            Length::Short => value & 0xffff,
            Length::None => value & 0xffff_ffff,
            Length::Long | Length::LongDouble => value,
        }
    }

    /// `d`, `i`
    pub fn signed(&self, value: u64) -> Vec<u8> {
        let value = match self.length {
            Length::Char => i64::from(value as i8),
            Length::Short => i64::from(value as i16),
            Length::None => i64::from(value as i32),
            Length::Long | Length::LongDouble => value as i64,
        };
        let digits = self.least_digits(value.unsigned_abs().to_string(), value == 0);
        self.number(self.sign(value < 0), &digits, self.precision.is_none())
    }

    /// `u`, `o`, `x`, `X`, `b`, and pointers other than null.
    pub fn unsigned(&self, value: u64) -> Vec<u8> {
        let value = self.narrow(value);
        let (digits, prefix) = match self.conversion {
            b'o' => (format!("{value:o}"), ""),
            b'x' | b'p' => (format!("{value:x}"), "0x"),
            b'X' => (format!("{value:X}"), "0X"),
            b'b' => (format!("{value:b}"), "0b"),
            _ => (value.to_string(), ""),
        };
        let mut digits = self.least_digits(digits, value == 0);
        if self.conversion == b'o' && self.alternative && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let pointer = self.conversion == b'p';
        let prefix = if pointer || (self.alternative && value != 0) { prefix } else { "" };
        let sign = if pointer { self.sign(false) } else { "" };
        self.number(&[sign, prefix].concat(), &digits, self.precision.is_none())
    }

    fn least_digits(&self, digits: String, zero: bool) -> String {
        match self.precision {
            Some(0) if zero => String::new(),
            Some(least) => format!("{digits:0>least$}"),
            None => digits,
        }
    }

    /// `f`, `e`, `g`, `a` and their upper-case forms.
    pub fn float(&self, kind: FloatKind, bits: u128) -> Vec<u8> {
        let value = number::to_float(kind, bits, number::EXACT);
        let negative = bits >> (kind.bits() - 1) & 1 != 0;
        let sign = self.sign(negative);
        let upper = self.conversion.is_ascii_uppercase();
        let case = |text: String| if upper { text.to_uppercase() } else { text };
        if !value.is_finite() {
            let text = if value.is_nan() { "nan" } else { "inf" };
            return self.number(sign, &case(text.to_owned()), false);
        }
        let (m, e) = value.abs().to_integer_exp().unwrap_or((Integer::new(), 0));
        let magnitude = Magnitude { m, e };
        match self.conversion.to_ascii_lowercase() {
            b'a' => {
                let prefix = format!("{sign}{}", if upper { "0X" } else { "0x" });
                self.number(&prefix, &case(self.hexadecimal(kind, bits)), true)
            }
            b'e' => self.number(sign, &case(self.exponential(&magnitude, self.places(), false)), true),
            b'g' => self.number(sign, &case(self.general(&magnitude)), true),
            _ => self.number(sign, &self.plain(&magnitude, self.places(), false), true),
        }
    }

    fn places(&self) -> u32 {
        self.precision.unwrap_or(6) as u32
    }

    fn plain(&self, value: &Magnitude, places: u32, strip: bool) -> String {
        let (whole, fraction) = value.fixed(places);
        self.join(&whole, &fraction, strip)
    }

    fn exponential(&self, value: &Magnitude, places: u32, strip: bool) -> String {
        let (digits, exponent) = value.scientific(places);
        let (whole, fraction) = digits.split_at(1);
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", self.join(whole, fraction, strip), exponent.unsigned_abs())
    }

    fn join(&self, whole: &str, fraction: &str, strip: bool) -> String {
        let fraction = if strip { fraction.trim_end_matches('0') } else { fraction };
        if fraction.is_empty() && !self.alternative { whole.to_owned() } else { format!("{whole}.{fraction}") }
    }

    fn general(&self, value: &Magnitude) -> String {
        let significant = self.places().max(1);
        let (_, exponent) = value.scientific(significant - 1);
        let strip = !self.alternative;
        if exponent >= -4 && i64::from(exponent) < i64::from(significant) {
            self.plain(value, (i64::from(significant) - 1 - i64::from(exponent)) as u32, strip)
        } else {
            self.exponential(value, significant - 1, strip)
        }
    }

    /// Hexadecimal digits: as glibc does, one bit before the point for `double`, four for `long double`.
    fn hexadecimal(&self, kind: FloatKind, bits: u128) -> String {
        let (stored, exponent_bits, digits) = match kind {
            FloatKind::X86Fp80 => (64, 15, 15),
            FloatKind::Fp128 => (112, 15, 28),
            _ => (52, 11, 13),
        };
        let significand = bits & ((1 << stored) - 1);
        let field = (bits >> stored) as i32 & ((1 << exponent_bits) - 1);
        let bias = (1 << (exponent_bits - 1)) - 1;
        let (mut whole, mut fraction, exponent) = if kind == FloatKind::X86Fp80 {
            (significand >> 60, significand & ((1 << 60) - 1), field.max(1) - bias - 3)
        } else {
            (u128::from(field != 0), significand, field.max(1) - bias)
        };
        let mut exponent = if whole == 0 && fraction == 0 { 0 } else { exponent };
        let mut shown = digits;
        if let Some(precision) = self.precision.filter(|p| *p < digits) {
            let cut = 4 * (digits - precision);
            let (rest, half) = (fraction & ((1 << cut) - 1), 1 << (cut - 1));
            fraction >>= cut;
            let odd = if precision == 0 { whole & 1 != 0 } else { fraction & 1 != 0 };
            if rest > half || (rest == half && odd) {
                fraction += 1;
                whole += fraction >> (4 * precision);
                fraction &= (1 << (4 * precision)) - 1;
            }
            if whole == 16 {
                (whole, exponent) = (1, exponent + 4);
            }
            shown = precision;
        }
        let mut text = if shown == 0 { String::new() } else { format!("{fraction:0>shown$x}") };
        match self.precision {
            None => text.truncate(text.trim_end_matches('0').len()),
            Some(precision) => text.push_str(&"0".repeat(precision.saturating_sub(digits))),
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}p{sign}{}", self.join(&format!("{whole:x}"), &text, false), exponent.unsigned_abs())
    }
}
