//! Exact decimal digits of binary floating-point numbers.
//!
//! A finite number is m·2ᵉ with a whole m, so its decimal digits follow from whole-number arithmetic: m·2ᵉ·10ᑫ is
//! computed as a quotient of integers and rounded once, to nearest, ties to even, as glibc's printf does in the default
//! rounding mode.

use rug::Integer;
use rug::ops::Pow;

/// No finite number of any format has more decimal places than this; all further digits are zeros.
const MOST_PLACES: u32 = 17_000;

/// A positive number m·2ᵉ, or zero.
#[derive(Clone, Debug)]
pub struct Magnitude {
    /// The significand.
    pub m: Integer,
    /// The binary exponent.
    pub e: i32,
}

impl Magnitude {
    /// m·2ᵉ·10ᑫ rounded to the nearest integer, ties to even.
    fn scaled(&self, q: i64) -> Integer {
        // The exponent of a zero means nothing.
        if self.m == 0 {
            return Integer::new();
        }
        let power = Integer::from(10).pow(q.unsigned_abs() as u32);
        let (mut numerator, mut denominator) = (self.m.clone(), Integer::from(1));
        if q >= 0 {
            numerator *= power
        } else {
            denominator *= power
        }
        if self.e >= 0 {
            numerator <<= self.e.unsigned_abs()
        } else {
            denominator <<= self.e.unsigned_abs()
        }
        let (mut quotient, rest) = numerator.div_rem(denominator.clone());
        let twice = rest * 2u32;
        if twice > denominator || (twice == denominator && quotient.is_odd()) {
            quotient += 1;
        }
        quotient
    }

    /// The digits before and after the decimal point, with `places` of the latter.
    pub fn fixed(&self, places: u32) -> (String, String) {
        let exact = places.min(MOST_PLACES);
        let mut digits = self.scaled(i64::from(exact)).to_string();
        let short = (exact as usize + 1).saturating_sub(digits.len());
        digits.insert_str(0, &"0".repeat(short));
        let fraction = digits.split_off(digits.len() - exact as usize);
        (digits, fraction + &"0".repeat((places - exact) as usize))
    }

    /// One digit before and `places` digits after the point, and the decimal exponent.
    pub fn scientific(&self, places: u32) -> (String, i32) {
        if self.m == 0 {
            return ("0".repeat(places as usize + 1), 0);
        }
        let exact = i64::from(places.min(MOST_PLACES));
        // log10 of m·2ᵉ from below, at most one too small.
        let log2 = f64::from(self.m.significant_bits() - 1) + f64::from(self.e);
        let mut exponent = (log2 * std::f64::consts::LOG10_2).floor() as i64;
        loop {
            let digits = self.scaled(exact - exponent).to_string();
            if digits.len() as i64 == exact + 1 {
                return (digits + &"0".repeat((i64::from(places) - exact) as usize), exponent as i32);
            }
            // Too small an estimate, or rounded up to the next power of ten.
            exponent += if digits.len() as i64 > exact + 1 { 1 } else { -1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::Float;

    fn magnitude(x: f64) -> Magnitude {
        let (m, e) = Float::with_val(53, x).to_integer_exp().unwrap();
        Magnitude { m, e }
    }

    /// Rust's own formatting of floats is exact too, and independent.
    #[test]
    fn agrees_with_the_standard_library() {
        let mut bits: u64 = 0x0123_4567_89ab_cdef;
        for i in 0..2000 {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let x = f64::from_bits(bits & !(1 << 63));
            if !x.is_finite() {
                continue;
            }
            let places = i % 25;
            let (whole, fraction) = magnitude(x).fixed(places);
            let text = if places == 0 { whole } else { format!("{whole}.{fraction}") };
            assert_eq!(text, format!("{:.*}", places as usize, x));
            let (mut digits, exponent) = magnitude(x).scientific(places);
            if places > 0 {
                digits.insert(1, '.');
            }
            assert_eq!(format!("{digits}e{exponent}"), format!("{:.*e}", places as usize, x));
        }
    }

    #[test]
    fn ties_and_carries() {
        assert_eq!(magnitude(0.5).fixed(0).0, "0");
        assert_eq!(magnitude(1.5).fixed(0).0, "2");
        assert_eq!(magnitude(2.5).fixed(0).0, "2");
        assert_eq!(magnitude(999_999.5).scientific(5), ("100000".to_owned(), 6));
        assert_eq!(magnitude(9.5).scientific(0), ("1".to_owned(), 1));
        assert_eq!(magnitude(8.5).scientific(0), ("8".to_owned(), 0));
        assert_eq!(magnitude(5e-324).scientific(2), ("494".to_owned(), -324));
    }
}
