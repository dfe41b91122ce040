//! Kinks: the derivatives on both sides.
//!
//! At a kink a gradient may follow the piece that the execution is on (as the reference does), the piece beside it, or
//! answer something between the two: every one of them is in Clarke's generalised gradient (Clarke, "Optimization and
//! Nonsmooth Analysis", 1983, section 1.2), whose components lie between the one-sided derivatives. Anything else is no
//! matter of choice, and wrong.
//!
//! An execution may stand on a kink where exact arithmetic does not: a number too small for its format is zero, and
//! stays zero all around. The derivative that takes it for zero is one of the choices, too.

use super::call::Call;
use super::comparison::Compared;
use super::inputs::Place;
use super::number;
use super::reference::{Primal, Weights};
use super::region::Regions;
use interp::{Leaf, Memory, Scalar, Value};

/// How far the point is moved to either side, relative to the scale of the input.
pub const ASIDE: f64 = 1.0 / (1u64 << 30) as f64;
/// The same where numbers of single precision have to move, too, and roundings of sums that are much larger.
const FAR_ASIDE: f64 = 1.0 / (1u64 << 12) as f64;
/// What the mean of both sides may differ by there from the derivative between them: room for 2¹⁰ times its own
/// condition.
const FAR_ROOM: f64 = 1024.0 * FAR_ASIDE * FAR_ASIDE;
/// The derivative of a smooth piece changes by about as much, relative to itself, times its own condition: room for 2¹⁰
/// of that.
pub const ROOM: f64 = 1024.0 * ASIDE;

/// Is the component between the derivatives on either side of the input, and that where what underflows is zero? A side
/// where the primal has no derivative (it ends, or leaves the domain) says nothing, and excuses every finite answer.
pub fn between(
    primal: &Primal<'_>,
    call: &Call,
    (memory, regions): (&Memory<()>, &Regions),
    weights: &Weights,
    component: &Compared,
) -> bool {
    let (Some(index), Some(exact)) = (component.input, &component.exact) else { return false };
    if !exact.is_finite() {
        return false;
    }
    let (mut least, mut most) = (component.expected.clone(), component.expected.clone());
    let [Some(right), Some(left)] = slopes_beside(primal, call, (memory, regions), weights, index) else { return true };
    for slope in [right, left].into_iter().chain(slope(&primal.with_underflow(), weights, index)) {
        most.max_mut(&slope);
        least.min_mut(&slope);
    }
    let room = ROOM * component.scale.max(number::magnitude(&least)).max(number::magnitude(&most));
    *exact >= least - room && *exact <= most + room
}

/// Are the derivatives on either side of the input different numbers, or is there none?
pub fn apart(
    primal: &Primal<'_>,
    call: &Call,
    at: (&Memory<()>, &Regions),
    weights: &Weights,
    component: &Compared,
) -> bool {
    let Some(index) = component.input else { return false };
    let [Some(right), Some(left)] = slopes_beside(primal, call, at, weights, index) else { return true };
    let size = number::magnitude(&component.expected).max(number::magnitude(&left)).max(number::magnitude(&right));
    number::distance(&right, &left) > ROOM * size
}

/// Has the function the same derivative on both sides of the point, whatever is decided there? Asked of a random sum of
/// its answers along two random directions; one that is lost to the lanes, or ends on a side, has none.
///
/// A tie may last as far as rounding keeps it, where lanes follow what the run decides: so it is asked close to the
/// point and far from it. The sum of what both sides differ by from the derivative here vanishes with the square of the
/// distance.
pub fn smooth(primal: &Primal<'_>, call: &Call, at: (&Memory<()>, &Regions)) -> bool {
    if primal.paths.lost.is_some() || primal.inputs.is_empty() {
        return false;
    }
    let mut random = number::Random::new(primal.limits().seed ^ 0x5d);
    let mut weight = || rug::Float::with_val(primal.precision(), random.weight());
    let cells = primal.exit.iter().map(|cell| (cell.address, weight())).collect();
    let weights = Weights { cells, seed: Some(weight()) };
    let beside = |direction: &[f64], side: f64| {
        let by: Vec<f64> = direction.iter().map(|by| side * by).collect();
        let (memory, call) = moved(primal, call, at.0, &by);
        let how = (primal.precision(), primal.planted);
        let beside = Primal::new(primal.program(), &call, (&memory, at.1), primal.limits(), how).ok()?;
        // The same inputs, or the direction is another one.
        (beside.inputs.len() == primal.inputs.len()).then(|| along(&beside, direction, &weights))?
    };
    (0..2).all(|_| {
        let direction: Vec<f64> = primal.inputs.iter().map(|input| input.scale * random.weight()).collect();
        let Some((here, scale)) = along(primal, &direction, &weights) else { return false };
        let near = |(there, size): (rug::Float, f64)| number::distance(&here, &there) <= ROOM * scale.max(size);
        // What underflows may stand on a kink where exact arithmetic does not.
        let underflowing = || along(&primal.with_underflow(), &direction, &weights);
        let close = [ASIDE, -ASIDE].map(|side| beside(&direction, side));
        let [Some((right, one)), Some((left, other))] = [FAR_ASIDE, -FAR_ASIDE].map(|side| beside(&direction, side))
        else {
            return false;
        };
        let middle = (right + left) / 2;
        close.into_iter().all(|there| there.is_some_and(near))
            && underflowing().is_some_and(near)
            && number::distance(&here, &middle) <= FAR_ROOM * scale.max(one).max(other)
    })
}

fn along(primal: &Primal<'_>, direction: &[f64], weights: &Weights) -> Option<(rug::Float, f64)> {
    let sum = primal.along(&[direction.to_vec()], &[weights]).ok()?.pop()?.pop()?;
    sum.sum.is_finite().then_some((sum.sum, sum.scale))
}

/// The component of the reference on either side of the input.
fn slopes_beside(
    primal: &Primal<'_>,
    call: &Call,
    (memory, regions): (&Memory<()>, &Regions),
    weights: &Weights,
    index: usize,
) -> [Option<rug::Float>; 2] {
    [ASIDE, -ASIDE].map(|side| {
        let mut by = vec![0.0; primal.inputs.len()];
        by[index] = side * primal.inputs[index].scale;
        slope_beside(primal, &moved(primal, call, memory, &by), regions, weights, index)
    })
}

/// The component of the reference at a point beside this one.
fn slope_beside(
    primal: &Primal<'_>,
    (memory, call): &(Memory<()>, Call),
    regions: &Regions,
    weights: &Weights,
    index: usize,
) -> Option<rug::Float> {
    let aside =
        Primal::new(primal.program(), call, (memory, regions), primal.limits(), (primal.precision(), primal.planted))
            .ok()?;
    let place = primal.inputs[index].place;
    let index = aside.inputs.iter().position(|i| i.place == place)?;
    slope(&aside, weights, index)
}

fn slope(primal: &Primal<'_>, weights: &Weights, index: usize) -> Option<rug::Float> {
    let sum = primal.along(&[primal.unit(index)], &[weights]).ok()?.pop()?.pop()?;
    let slope = sum.sum / primal.inputs[index].scale;
    slope.is_finite().then_some(slope)
}

/// The same call with every input moved by so much.
pub fn moved(primal: &Primal<'_>, call: &Call, memory: &Memory<()>, by: &[f64]) -> (Memory<()>, Call) {
    let (mut memory, mut call) = (memory.clone(), call.clone());
    for (input, by) in primal.inputs.iter().zip(by).filter(|(_, by)| **by != 0.0) {
        let x = number::value(input.kind, input.bits, primal.precision()).to_f64();
        let Some(bits) = number::from_f64(input.kind, x + by) else { continue };
        match input.place {
            Place::Cell(cell) => drop(memory.store(cell.pointer(), Leaf::Float(cell.kind), Scalar::wide(bits), 1)),
            Place::Scalar(index) => {
                let scalar = &mut call.scalars[index];
                scalar.bits = bits;
                let (parameter, leaf) = (scalar.parameter, scalar.leaf);
                let position = call.gradient_index(parameter);
                let set = |value: Option<&mut Value>| {
                    if let Some((slot, ())) = value.and_then(|v| v.leaves.get_mut(leaf)) {
                        *slot = Scalar::wide(bits);
                    }
                };
                set(call.primal_args.get_mut(parameter));
                set(call.gradient_args.get_mut(position));
            }
        }
    }
    (memory, call)
}
