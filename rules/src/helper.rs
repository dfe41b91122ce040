//! Functions that partials need and no mathematical library has, each defined by an expression.
//!
//! An emitter makes one internal function of each helper from [`Helper::definition`] (its argument is `x(0)`), or
//! substitutes it. Multi-precision evaluation uses MPFR's own function instead, so the definition is itself checked
//! against a reference.
//!
//! The digamma function ψ: reflection ψ(1 − x) = ψ(x) + π/tan(πx), recurrence ψ(x) = ψ(x + 1) − 1/x applied ten times,
//! then the asymptotic series ψ(z) ~ log z − 1/(2z) − Σ B₂ₖ/(2k z²ᵏ) (NIST DLMF 5.5.2, 5.5.4, 5.11.2). At z ≥ 10.5
//! eleven terms leave less than 2⁻⁶⁹ of error, which is what near a zero of ψ a double's digits are made of.

use crate::expr::Expr;
use crate::expr::build::{apply, helper, int, one, ratio, when, x};
use crate::table::op::Op;
use std::sync::LazyLock;

/// A helper function of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Helper {
    /// ψ(x) = Γ'(x)/Γ(x).
    Digamma,
    /// ψ(x) for x ≥ 1/2.
    DigammaRight,
}

/// Steps of the recurrence before the asymptotic series is used.
const SHIFT: i64 = 10;

/// B₂ₖ/(2k) for k = 1, 2, …: numerator and denominator.
const SERIES: [(i64, i64); 11] = [
    (1, 12),
    (-1, 120),
    (1, 252),
    (-1, 240),
    (1, 132),
    (-691, 32760),
    (1, 12),
    (-3617, 8160),
    (43867, 14364),
    (-174611, 6600),
    (854513, 3036),
];

impl Helper {
    /// Every helper.
    pub const ALL: &'static [Helper] = &[Helper::Digamma, Helper::DigammaRight];

    /// Name for symbols and for print.
    pub fn name(self) -> &'static str {
        match self {
            Helper::Digamma => "digamma",
            Helper::DigammaRight => "digamma_right",
        }
    }

    /// The defining expression over the argument `x(0)`.
    pub fn definition(self) -> &'static Expr {
        static DIGAMMA: LazyLock<Expr> = LazyLock::new(digamma);
        static DIGAMMA_RIGHT: LazyLock<Expr> = LazyLock::new(digamma_right);
        match self {
            Helper::Digamma => &DIGAMMA,
            Helper::DigammaRight => &DIGAMMA_RIGHT,
        }
    }
}

/// Reflection at 1/2. The argument of the cotangent is reduced by the nearest integer first: close to a pole the
/// product π·x would lose every digit of the distance. Half way between two poles, near which ψ is zero, cot πr = tan
/// π(±½ − r) with the sign of r keeps the digits of ±½ − r. (The sign is that of a constant: the tangent is zero half
/// way, and there its own sign says nothing.)
fn digamma() -> Expr {
    // As two numbers, of which a format adds up what it can hold: near the zeros of ψ that lie left of 0 the terms
    // cancel, and the last digit of a rounded π would be a digit of what is left.
    let pi = || ratio(884_279_719_003_555, 1 << 48) + ratio(1, 8_165_619_676_597_685);
    let reduced = || x(0) - apply(Op::RoundEven, [x(0)]);
    let size = || apply(Op::Fabs, [reduced()]);
    let half = apply(Op::CopySign, [ratio(1, 2), reduced()]);
    let complement = apply(Op::Tan, [pi() * (half - reduced())]);
    let cotangent = when(size().lt(ratio(1, 4)), pi() / apply(Op::Tan, [pi() * reduced()]), pi() * complement);
    when(
        x(0).lt(ratio(1, 2)),
        helper(Helper::DigammaRight, [one() - x(0)]) - cotangent,
        helper(Helper::DigammaRight, [x(0)]),
    )
}

fn digamma_right() -> Expr {
    let z = || x(0) + int(SHIFT);
    let inverse_square = || one() / (z() * z());
    let series = SERIES
        .iter()
        .rev()
        .fold(int(0), |sum, &(p, q)| if sum.is_zero() { ratio(p, q) } else { ratio(p, q) + inverse_square() * sum });
    let tail = (0..SHIFT).rev().fold(int(0), |sum, k| {
        let term = one() / (x(0) + int(k));
        if sum.is_zero() { term } else { sum + term }
    });
    (apply(Op::Log, [z()]) - ratio(1, 2) / z()) - inverse_square() * series - tail
}
