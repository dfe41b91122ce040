//! The fallback of the reference: plain differences of the primal's own numbers, with a stated bound.
//!
//! Numbers that the primal takes apart as bits lose their lanes, and what comes back from the bits has none: the lanes then miss a
//! part of the derivative. Where lanes were lost every component is compared with a central difference of two concrete runs. The exact
//! reference is kept where it agrees with that, as far as the difference tells, and the gradient agrees with it; else the difference is the
//! reference. With the steps h and 2h, D = D(h) + (D(h) - D(2h)) / 3,
//! and the bound is |D(h) - D(2h)| plus the rounding of the two sums over h.

use super::compare::{Compared, Comparison, Runs};
use super::number;
use super::reference::{Place, Primal, Weighted, Weights};
use interp::machines::EventKind;
use interp::{Interp, Leaf, Loss, Memory, Plain, Scalar, Stop, Value};
use ir::FloatKind;
use rug::Float;

/// Roundings allowed for in each of the two sums.
const ROUNDINGS: f64 = 64.0;

/// The outputs of a concrete run.
struct Outputs {
    cells: Vec<(u64, Float)>,
    result: Option<Float>,
}

/// Did the primal take numbers that depend on its inputs apart as bits?
pub fn lost(primal: &Primal<'_>) -> bool {
    primal.events.iter().any(|e| matches!(e.kind, EventKind::Lost(Loss::Bits)))
}

/// Replaces the reference of components where plain differences contradict it.
pub fn correct(primal: &Primal<'_>, runs: &Runs<'_>, out: &mut [Comparison]) -> Result<(), Stop> {
    let count = out.first().map_or(0, |c| c.singly.len());
    for position in 0..count {
        let Some(input) = out.first().and_then(|c| c.singly.get(position)).and_then(|c| c.input) else { continue };
        let weights: Vec<&Weights> = runs.iter().map(|(_, w)| *w).collect();
        let Some(plain) = difference(primal, input, &weights)? else { continue };
        for (comparison, plain) in out.iter_mut().zip(plain) {
            if let Some(compared) = comparison.singly.get_mut(position) {
                replace(compared, plain);
            }
        }
    }
    Ok(())
}

/// The bound is for smooth functions; a small relative part is left for what it does not see.
pub(super) fn bound(plain: &Weighted) -> f64 {
    plain.error.max(1e-7 * plain.scale)
}

fn replace(compared: &mut Compared, plain: Weighted) {
    let bound = bound(&plain);
    // What the lanes miss may be less than the bound: a gradient that differs from them is held against the difference.
    if number::distance(&compared.expected, &plain.sum) > bound || !compared.agrees() {
        compared.scale = compared.scale.max(plain.scale);
        compared.error += bound;
        compared.expected = plain.sum;
    }
}

/// The weighted derivative by one input; none for formats that are not varied here.
pub(super) fn difference(
    primal: &Primal<'_>,
    input: usize,
    weights: &[&Weights],
) -> Result<Option<Vec<Weighted>>, Stop> {
    let epsilon = number::epsilon(primal.inputs[input].kind);
    // Truncation h² against rounding ε/h.
    let step = 2f64.powi((epsilon.log2() / 3.0).round() as i32);
    let (Some(near), Some(far)) =
        (quotients(primal, input, step, weights)?, quotients(primal, input, 2.0 * step, weights)?)
    else {
        return Ok(None);
    };
    let extrapolate = |(near, far): (Weighted, Weighted)| {
        let apart = Float::with_val(near.sum.prec(), &near.sum - &far.sum);
        let error = number::magnitude(&apart) + near.error;
        Weighted { sum: near.sum + apart / 3.0, scale: near.scale, error }
    };
    Ok(Some(near.into_iter().zip(far).map(extrapolate).collect()))
}

fn quotients(
    primal: &Primal<'_>,
    input: usize,
    step: f64,
    weights: &[&Weights],
) -> Result<Option<Vec<Weighted>>, Stop> {
    let scale = primal.inputs[input].scale;
    let (Some((above, up)), Some((below, down))) =
        (run(primal, input, step * scale)?, run(primal, input, -step * scale)?)
    else {
        return Ok(None);
    };
    let width = Float::with_val(up.prec(), &up - &down);
    let quotient = |w: &&Weights| {
        let mut sum = Float::new(width.prec());
        let (mut scale, mut size) = (0.0, 0.0);
        let mut add = |weight: Option<&Float>, a: &Float, b: &Float| {
            let Some(weight) = weight else { return };
            let term = Float::with_val(width.prec(), a - b) * weight / &width;
            scale += number::magnitude(&term);
            size += number::magnitude(a) * number::magnitude(weight);
            sum += term;
        };
        for ((address, a), (_, b)) in above.cells.iter().zip(&below.cells) {
            add(w.cells.get(address), a, b);
        }
        if let (Some(a), Some(b)) = (&above.result, &below.result) {
            add(w.seed.as_ref(), a, b);
        }
        let error = ROUNDINGS * number::epsilon(primal.inputs[input].kind) * size / number::magnitude(&width);
        Weighted { sum, scale, error }
    };
    Ok(Some(weights.iter().map(quotient).collect()))
}

/// The primal with one input moved, and where it was moved to.
fn run(primal: &Primal<'_>, index: usize, by: f64) -> Result<Option<(Outputs, Float)>, Stop> {
    let input = &primal.inputs[index];
    let precision = primal.precision();
    let x = number::value(input.kind, input.bits, precision).to_f64();
    let Some(bits) = number::from_f64(input.kind, x + by) else { return Ok(None) };
    let (mut memory, mut args): (Memory<()>, Vec<Value>) = primal.start();
    match input.place {
        Place::Cell(cell) => drop(memory.store(cell.pointer(), Leaf::Float(cell.kind), Scalar::wide(bits), 1)),
        Place::Scalar(scalar) => {
            let (parameter, leaf) = primal.scalar(scalar);
            if let Some((slot, ())) = args.get_mut(parameter).and_then(|v| v.leaves.get_mut(leaf)) {
                *slot = Scalar::wide(bits);
            }
        }
    }
    let mut interp = Interp::with_memory(primal.program(), Plain, memory, primal.limits().clone());
    let result = interp.call(primal.function(), &args)?;
    let read = |kind: FloatKind, value: Scalar| number::value(kind, value.bits(), precision);
    let mut cells = Vec::new();
    for cell in &primal.exit {
        let value = interp.memory.load(cell.pointer(), Leaf::Float(cell.kind), 1);
        if let Some(value) = value.ok().filter(|v| v.is_init()) {
            cells.push((cell.address, read(cell.kind, value)));
        }
    }
    let result = match (primal.result_kind(), result.first()) {
        (Some(kind), Some(value)) if value.is_init() => Some(read(kind, value)),
        _ => None,
    };
    Ok(Some((Outputs { cells, result }, number::value(input.kind, bits, precision))))
}
