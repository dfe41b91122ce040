//! Roundings that are written as two sums: (x + C) − C.
//!
//! x + C has no bits left for what is smaller than the unit in the last place of C, so that (x + 2⁵²) − 2⁵² is x
//! rounded to an integer (Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., on "magic numbers"; the
//! exponentials of vector libraries and of glibc do so). As real numbers the two sums cancel, and their slope is 1,
//! which is not what the program computes: as the rounding that they are they have slope 0.
//!
//! The first sum alone is a sum like any other: (x + 32768)/65536 of a sound's samples has slope 1/65536. Only the
//! operation that takes the same constant off again is the rounding; who asks has to know which value comes from which
//! sum.

use crate::table::op::Op;

/// The constant of a sum that leaves no fraction. The format plays no part: 2²³ as `float` and as `double` are the
/// same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shift {
    exponent: i16,
    half: bool,
    negative: bool,
}

/// The finest multiple of a power of two that sums round to: exponentials by table have up to 256 entries.
const FINEST: i64 = 8;

impl Shift {
    /// Of a sum: by what it shifts the rest, if this operand is a constant with these bits, in a format whose
    /// significand has `precision` bits.
    ///
    /// The constant is 2ᵏ with a unit in the last place of 1, or 1.5·2ᵏ (which serves both signs of the rest) with one
    /// of 1 to 1/256.
    pub fn of(op: Op, operand: usize, precision: u32, bits: u128) -> Option<Shift> {
        let shift = Shift::term(op, operand, precision, bits)?;
        let unit = i64::from(shift.exponent) - i64::from(precision) + 1;
        let finest = if shift.half { -FINEST } else { 0 };
        (finest..=0).contains(&unit).then_some(shift)
    }

    /// Does the operation on this operand, which was shifted, take the shift off, by its other operand with these bits?
    pub fn is_taken_off(self, op: Op, operand: usize, precision: u32, other: u128) -> bool {
        if !matches!((op, operand), (Op::FAdd | Op::FSub, 0 | 1)) {
            return false;
        }
        let turned = op == Op::FSub && operand == 1;
        let opposite = Shift { negative: self.negative == turned, ..self };
        Shift::term(op, 1 - operand, precision, other) == Some(opposite)
    }

    /// What an operand contributes to a sum, if it is ±2ᵏ or ±1.5·2ᵏ. The format is told by the bits of its
    /// significand: 24, 53, or 64; of others no program does that.
    fn term(op: Op, operand: usize, precision: u32, bits: u128) -> Option<Shift> {
        let subtracted = match (op, operand) {
            (Op::FAdd, 0 | 1) | (Op::FSub, 0) | (Op::Fma | Op::FMulAdd, 2) => false,
            (Op::FSub, 1) => true,
            _ => return None,
        };
        // Is the leading one stored, and how wide is the exponent.
        let (stored, width) = match precision {
            24 => (0, 8),
            53 => (0, 11),
            64 => (1, 15),
            _ => return None,
        };
        let fraction = precision - 1;
        let rest = bits & ((1 << fraction) - 1);
        let above = bits >> (fraction + stored);
        let (largest, bias) = ((1 << width) - 1, (1 << (width - 1)) - 1);
        let exponent = (above & largest) as i64;
        let half = rest == 1 << (fraction - 1);
        if exponent == 0 || exponent == largest as i64 || !(half || rest == 0) {
            return None;
        }
        let negative = (above >> width & 1 == 1) != subtracted;
        Some(Shift { exponent: (exponent - bias) as i16, half, negative })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOUBLE: u32 = 53;

    fn double(x: f64) -> u128 {
        x.to_bits().into()
    }

    #[test]
    fn constants_that_leave_no_fraction_shift() {
        let shifts = |x: f64| Shift::of(Op::FAdd, 1, DOUBLE, double(x)).is_some();
        let single = |x: f32| Shift::of(Op::FAdd, 0, 24, x.to_bits().into()).is_some();
        assert!(shifts(2f64.powi(52)) && shifts(-1.5 * 2f64.powi(52)) && shifts(1.5 * 2f64.powi(45)));
        assert!(single(8388608.0) && single(12582912.0) && single(1.5 * 65536.0));
        assert!(Shift::of(Op::FAdd, 0, 64, 16446 << 64 | 1 << 63).is_some());
        for x in
            [0.0, 1.0, 2f64.powi(53), 2f64.powi(45), 1.5 * 2f64.powi(40), 1.25 * 2f64.powi(52), 1e16, f64::INFINITY]
        {
            assert!(!shifts(x), "{x}");
        }
        assert!(!single(32768.0) && !single(16777216.0));
        assert!(Shift::of(Op::FMul, 1, DOUBLE, double(2f64.powi(52))).is_none());
        assert!(Shift::of(Op::Fma, 1, DOUBLE, double(2f64.powi(52))).is_none());
    }

    #[test]
    fn the_same_constant_takes_off() {
        let c = 1.5 * 2f64.powi(52);
        let added = Shift::of(Op::Fma, 2, DOUBLE, double(c)).unwrap();
        assert!(added.is_taken_off(Op::FSub, 0, DOUBLE, double(c)), "(x + C) - C");
        assert!(added.is_taken_off(Op::FSub, 1, DOUBLE, double(c)), "C - (x + C)");
        assert!(
            added.is_taken_off(Op::FAdd, 0, DOUBLE, double(-c)) && added.is_taken_off(Op::FAdd, 1, DOUBLE, double(-c))
        );
        assert!(added.is_taken_off(Op::FSub, 0, 64, 16435 << 64 | 3 << 62), "in another format");
        for (op, operand, other) in [
            (Op::FSub, 0, -c),
            (Op::FAdd, 0, c),
            (Op::FSub, 1, -c),
            (Op::FSub, 0, c / 2.0),
            (Op::FMul, 0, c),
            (Op::FSub, 0, 0.0),
        ] {
            assert!(!added.is_taken_off(op, operand, DOUBLE, double(other)), "{op:?} {operand} {other}");
        }
        let subtracted = Shift::of(Op::FSub, 1, DOUBLE, double(c)).unwrap();
        assert!(subtracted.is_taken_off(Op::FAdd, 1, DOUBLE, double(c)), "C + (x - C)");
        assert!(Shift::of(Op::FSub, 0, DOUBLE, double(c)) == Some(added), "C - x");
    }
}
