//! Rows of rounding to an integer: flat between the jumps, and 0 at them; and sums that round.
//!
//! Programs without an instruction for it round by a sum: x + C has no bits left for what is smaller than the unit in the last place of C, so that
//! (x + 2⁵²) − 2⁵² is x rounded to an integer (Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., on "magic numbers"; the exponentials of
//! vector libraries and of glibc do so). As real numbers such sums have slope 1, which is not what the program computes: as the roundings that
//! they are they have slope 0.

use super::Op;
use super::build::{reals, unary};
use crate::expr::{Cond, ratio, x, zero};
use crate::row::{Decision, Exception, Proof, Row};

/// Does adding this constant, or subtracting it, round to an integer, or to a multiple of a power of two down to 1/256? It is 2ᵏ or 1.5·2ᵏ
/// (which serves both signs of the other term), and its unit in the last place is between 1/256 and 1.
/// The format is told by the bits of its significand: 24, 53, or 64; of others no program does that.
pub fn rounds(precision: u32, bits: u128) -> bool {
    const FINEST: i64 = 8;
    // Is the leading one stored, and the bias of the exponent.
    let (stored, bias) = match precision {
        24 => (0, 127),
        53 => (0, 1023),
        64 => (1, 16383),
        _ => return false,
    };
    let fraction = precision - 1;
    let rest = bits & ((1 << fraction) - 1);
    let exponent = (bits >> (fraction + stored) & (2 * bias + 1)) as i64 - bias as i64;
    (rest == 0 || rest == 1 << (fraction - 1))
        && (i64::from(fraction) - FINEST..=i64::from(fraction)).contains(&exponent)
}

pub(super) fn rows() -> Vec<Row> {
    const JUMP: Exception = Exception::Jump("flat on both sides");
    let to_side = |op| {
        let jump: Cond = x(0).is_integer();
        (unary(op), jump, [[2.0], [-3.0]])
    };
    let to_nearest = |op| (unary(op), (x(0) + ratio(1, 2)).is_integer(), [[1.5], [-2.5]]);
    let spell = |(row, jump, points): (Row, Cond, [[f64; 1]; 2]), library, intrinsics| {
        row.library(library)
            .intrinsics(intrinsics)
            .partial_where(!jump.clone(), zero())
            .sampled([reals(-9.0, 9.0)])
            .convention(0, jump, &points, Decision::Number(0.0), JUMP)
            .proved(Proof::Algebraic, "piecewise constant")
    };
    let (trunc, integer, points) = to_side(Op::Trunc);
    let trunc = (trunc, integer.and(!x(0).equals(zero())), points);
    vec![
        spell(to_side(Op::Floor), &["floor"], &["llvm.floor"]),
        spell(to_side(Op::Ceil), &["ceil"], &["llvm.ceil"]),
        spell(trunc, &["trunc"], &["llvm.trunc"]),
        spell(to_nearest(Op::Round), &["round"], &["llvm.round"]),
        spell(to_nearest(Op::RoundEven), &["roundeven"], &["llvm.roundeven"]),
        spell(to_nearest(Op::Rint), &["rint"], &["llvm.rint"]),
        spell(to_nearest(Op::NearbyInt), &["nearbyint"], &["llvm.nearbyint"]),
    ]
}

#[cfg(test)]
mod tests {
    use super::rounds;

    #[test]
    fn constants_that_leave_no_fraction_round() {
        let double = |x: f64| rounds(53, u128::from(x.to_bits()));
        let single = |x: f32| rounds(24, u128::from(x.to_bits()));
        assert!(double(2f64.powi(52)) && double(-1.5 * 2f64.powi(52)) && double(1.5 * 2f64.powi(45)));
        assert!(single(8388608.0) && single(12582912.0) && single(1.5 * 65536.0));
        assert!(rounds(64, 16446 << 64 | 1 << 63));
        for x in
            [0.0, 1.0, 2f64.powi(53), 2f64.powi(40), 2f64.powi(52) + 1.0, 1.25 * 2f64.powi(52), 1e16, f64::INFINITY]
        {
            assert!(!double(x), "{x}");
        }
        assert!(!single(2048.0) && !single(16777216.0));
    }
}
