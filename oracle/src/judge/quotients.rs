//! Quotients of lanes: their steps, what they cannot see, and whether the point is a kink.

use super::number;
use interp::machines::LaneSet;
use rug::Float;

/// The step, relative to the scale of each input, within which a decision that lanes make differently is a kink.
pub const STEP: f64 = 1.0 / (1u64 << 60) as f64;
/// A second, larger step, to see that the quotient has converged.
pub const LARGER_STEP: f64 = 1.0 / (1u64 << 50) as f64;
/// How many times as large the second step is, squared: by that the truncation errors of two quotients differ.
pub const RATIO: f64 = (LARGER_STEP / STEP) * (LARGER_STEP / STEP);

/// Bits of the lanes that roundings along the way may have taken.
const GUARD: i32 = 16;

/// What the quotient of an output's lanes cannot see, since they have rounded it away: contributions may be absorbed by
/// what they are added to.
pub fn absorbed(lanes: &LaneSet, precision: u32, step: f64) -> f64 {
    let exponent = lanes.lanes().and_then(|lanes| lanes.first().get_exp());
    let Some(exponent) = exponent else { return 0.0 };
    // The exponent is that of the power of two above.
    2f64.powi((exponent + GUARD - precision as i32).saturating_sub(step.log2() as i32).max(-1074))
}

/// The steps of quotients in lanes of that many bits: the truncation error h² and the rounding error 2⁻ᵖ/h are about
/// alike for h = 2^(-5p/16). For 256 bits both are 10⁻⁴⁸. The most bits are there for what is 10⁻⁶⁰⁰ of what it is
/// added to: they go to the latter.
pub fn steps(precision: u32) -> [f64; 2] {
    let near = -(i64::from(precision) * 5 / 16).clamp(60, 400) as i32;
    [2f64.powi(near), 2f64.powi(near + 10)]
}

/// Is it the same for both steps? Of a smooth function it grows with the step. What is small beside the derivative does
/// not count.
pub fn stays(near: &Float, far: &Float, size: f64) -> bool {
    const COUNTS: f64 = 1.0 / (1u64 << 20) as f64;
    const SAME: f64 = 1.0 / 32.0;
    let bend = number::magnitude(near);
    bend > COUNTS * size && number::distance(near, far) <= SAME * bend
}
