//! The scale of the sum that a component is.
//!
//! A component of a gradient is a sum over paths from the weights (seed, shadows on entry) to the input, each term a
//! product of a weight and of partial derivatives (Bauer, "Computational graphs and rounding error", SIAM J. Numer.
//! Anal. 11, 1974). Its *scale* is the same sum with the magnitudes of the terms: what a rounded literal in one of the
//! terms is relative to. It rides beside every number of the gradient that depends on a weight, by the rules below, and
//! needs no help of the gradient: in registers and in memory alike.
//!
//! ```text
//! scale(a ± b) = scale(a) + scale(b)      scale(a·b) = scale(a)·|b| + |a|·scale(b) if both depend on a weight
//! scale(c)     = |c| beside a number that depends on a weight, nothing otherwise
//! ```

use interp::machines::LaneSet;
use interp::memory::Shadow;
use interp::{FloatArg, FloatEvent, FloatOp};
use rules::Op;

/// What rides beside a number of the gradient.
#[derive(Clone, Debug, Default)]
pub struct Tracked {
    /// Exact arithmetic, and exact arithmetic from perturbed data.
    pub lanes: LaneSet,
    /// The scale; none for a number that depends on no weight.
    pub scale: Option<f64>,
}

impl Tracked {
    /// A number that depends on no weight.
    pub fn datum(lanes: LaneSet) -> Tracked {
        Tracked { lanes, scale: None }
    }

    /// A weight.
    pub fn weight(value: f64) -> Tracked {
        Tracked { lanes: LaneSet::Concrete, scale: Some(value.abs()) }
    }
}

impl Shadow for Tracked {
    fn is_absent(&self) -> bool {
        self.lanes.is_absent() && self.scale.is_none()
    }
}

/// The scale of an operation's result.
pub fn of(event: &FloatEvent<'_, Tracked>) -> Option<f64> {
    if event.args.iter().all(|a| a.shadow.scale.is_none()) {
        return None;
    }
    let size = |i: usize| event.args.get(i).map_or(0.0, magnitude);
    let scale = |i: usize| event.args.get(i).map_or(0.0, |a| a.shadow.scale.unwrap_or(0.0));
    let whole = |i: usize| event.args.get(i).map_or(0.0, |a| a.shadow.scale.unwrap_or_else(|| magnitude(a)));
    let product = |a: usize, b: usize| scale(a) * size(b) + size(a) * scale(b);
    let sum = match event.op {
        FloatOp::Convert => whole(0),
        FloatOp::FromInt => return None,
        FloatOp::Rule(op) => match op {
            Op::FNeg | Op::Identity => whole(0),
            Op::FAdd | Op::FSub => whole(0) + whole(1),
            Op::FMul => product(0, 1),
            Op::FDiv => scale(0) / size(1) + size(0) * scale(1) / (size(1) * size(1)),
            Op::Fma | Op::FMulAdd => product(0, 1) + whole(2),
            // What is not linear in the weights is no sum of such terms; only its own size is known.
            _ => 0.0,
        },
    };
    let own = interp::number::to_float(event.kind, event.result, interp::number::EXACT).to_f64().abs();
    let at_least = if own.is_finite() { own } else { 0.0 };
    Some(if sum.is_finite() { sum.max(at_least) } else { at_least })
}

fn magnitude(arg: &FloatArg<'_, Tracked>) -> f64 {
    let size = interp::number::to_float(arg.kind, arg.bits, interp::number::EXACT).to_f64().abs();
    if size.is_finite() { size } else { 0.0 }
}
