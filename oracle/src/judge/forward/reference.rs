//! `J·ẋ` from the lanes: one run of the primal for each direction.
//!
//! The direction is scaled by a power of two so that no input moves by more than its own scale, which keeps the step as
//! small, relative to every input, as the lanes are made for. Two steps are taken and extrapolated (Richardson), as for
//! components in reverse mode.

use super::super::call::Call;
use super::super::formats::kind_of_size;
use super::super::inputs::{Input, Place};
use super::super::number;
use super::super::quotients::{LARGER_STEP, RATIO, STEP, absorbed, steps};
use super::super::reference::{Primal, Run};
use super::super::region::Regions;
use super::arguments::Direction;
use interp::machines::{Cell, Directions, Event, LaneSet};
use interp::{Leaf, Memory, Scalar, Stop, Value};
use ir::FloatKind;
use rug::Float;
use std::collections::BTreeMap;

/// A derivative along a direction.
#[derive(Clone, Debug)]
pub struct Slope {
    /// Its value.
    pub value: Float,
    /// A bound of its truncation error, and of what rounding has taken from the lanes.
    pub error: f64,
}

/// The reference of one direction.
#[derive(Debug)]
pub struct Pushed {
    /// By address of the primal cell; what is missing is zero.
    pub cells: BTreeMap<u64, Slope>,
    /// Of the leaves of the result.
    pub result: Vec<Slope>,
    /// Behind the pointers that are returned, in memory made by the call.
    pub behind: Vec<Behind>,
    /// What the lanes met.
    pub events: Vec<Event>,
}

/// A derivative behind a returned pointer.
#[derive(Clone, Debug)]
pub struct Behind {
    /// The leaf of the result that is the pointer.
    pub leaf: usize,
    /// The distance from where it points to.
    pub offset: i64,
    /// The format.
    pub kind: FloatKind,
    /// The derivative.
    pub slope: Slope,
}

/// The derivatives behind the pointers that a run returns.
fn behind(primal: &Primal<'_>, run: &Run, slope: impl Fn(&LaneSet) -> Slope) -> Vec<Behind> {
    let (before, _) = primal.start();
    let mut all = Vec::new();
    for (leaf, (value, _)) in run.result.leaves.iter().enumerate() {
        if !primal.returns_pointer(leaf) || !value.is_init() {
            continue;
        }
        let pointer = value.as_ptr();
        let made = run.memory.info(pointer).filter(|object| before.info(object.pointer()).is_none());
        for (offset, size, lanes) in made.iter().flat_map(|object| run.memory.shadows_of(object.id)) {
            let from = made.as_ref().map_or(0, |object| object.base.wrapping_add(offset).wrapping_sub(pointer.addr));
            let found = |kind| Behind { leaf, offset: from as i64, kind, slope: slope(lanes) };
            all.extend(kind_of_size(size).map(found));
        }
    }
    all
}

/// The tangents of all inputs on entry, as the program gives them; an error names an input whose tangent is undefined.
pub fn on_entry(
    primal: &Primal<'_>,
    memory: &Memory<()>,
    direction: &Direction,
    regions: &Regions,
    args: &[Value],
) -> Result<Vec<f64>, String> {
    let told = direction.roots.iter().any(|root| root.at_run_time);
    let tangent = |input: &Input| {
        let value = match input.place {
            // Constant in this direction, and not in another.
            Place::Cell(cell) if told && regions.shadow_of(cell.address, cell.size()).is_none() => return Some(0.0),
            Place::Cell(cell) => {
                let pointer = regions.shadow_of(cell.address, cell.size())?;
                memory.load(pointer, Leaf::Float(cell.kind), 1).ok()?
            }
            Place::Scalar(scalar) => {
                let (argument, leaf) = *direction.tangents.get(scalar)?;
                args.get(argument)?.leaves.get(leaf)?.0
            }
        };
        value.is_init().then(|| number::value(input.kind, value.bits(), primal.precision()).to_f64())
    };
    let each = primal
        .inputs
        .iter()
        .map(|input| tangent(input).ok_or_else(|| format!("the tangent of {} is not defined on entry", input.name)));
    each.collect()
}

/// Replaces the tangents of a direction by random ones; returns them.
pub fn replace(
    primal: &Primal<'_>,
    direction: &Direction,
    regions: &Regions,
    memory: &mut Memory<()>,
    call: &mut Call,
    random: &mut number::Random,
) -> Result<Vec<f64>, String> {
    for input in &primal.inputs {
        let wanted = random.weight() * input.scale.clamp(1e-30, 1e30);
        // A format that is not filled here, and a shadow that the program made read-only, keep the program's tangents.
        let Some(bits) = number::from_f64(input.kind, wanted) else { continue };
        match input.place {
            Place::Cell(cell) => {
                if let Some(pointer) = regions.shadow_of(cell.address, cell.size()) {
                    drop(memory.store(pointer, Leaf::Float(cell.kind), Scalar::wide(bits), 1));
                }
            }
            Place::Scalar(scalar) => {
                let place = direction.tangents.get(scalar).copied();
                if let Some((slot, ())) =
                    place.and_then(|(argument, leaf)| call.gradient_args.get_mut(argument)?.leaves.get_mut(leaf))
                {
                    *slot = Scalar::wide(bits);
                }
            }
        }
    }
    on_entry(primal, memory, direction, regions, &call.gradient_args)
}

/// The references of all directions.
pub fn push_all(primal: &Primal<'_>, tangents: &[Vec<f64>]) -> Result<Vec<Pushed>, Stop> {
    tangents.iter().map(|t| push(primal, t, [STEP, LARGER_STEP])).collect()
}

/// The reference of a direction with lanes of that many bits, and steps as small as these allow.
pub fn push_precisely(primal: &Primal<'_>, tangents: &[f64], precision: u32) -> Result<Pushed, Stop> {
    push(&primal.with_precision(precision), tangents, steps(precision))
}

/// The reference of a direction, with these steps.
pub fn push(primal: &Primal<'_>, tangents: &[f64], steps: [f64; 2]) -> Result<Pushed, Stop> {
    let shrink = shrink(primal, tangents);
    let direction: Vec<f64> = tangents.iter().map(|t| t * shrink).collect();
    let lanes = Directions::new(primal.precision(), 1, &steps);
    let run = primal.run(&lanes, &[direction])?;
    let slope = |set: &LaneSet| slope(&lanes, set, (shrink, steps[0]));
    let mut cells = BTreeMap::new();
    for cell in &primal.exit {
        if let Some(set) = run.memory.shadow(cell.pointer(), cell.size()) {
            cells.insert(cell.address, slope(set));
        }
    }
    let result = run.result.leaves.iter().map(|(_, set)| slope(set)).collect();
    let behind = behind(primal, &run, slope);
    Ok(Pushed { cells, result, behind, events: run.events })
}

/// The derivatives along a direction: with the literals of the program as they are, then with each of so many moves.
pub fn push_moved(primal: &Primal<'_>, tangents: &[f64], moves: (u32, u64)) -> Result<Vec<Pushed>, Stop> {
    let shrink = shrink(primal, tangents);
    let direction: Vec<f64> = tangents.iter().map(|t| t * shrink).collect();
    let [step, _] = steps(primal.precision());
    let times = moves.0 as usize + 1;
    let (lanes, run) = primal.run_moved(&direction, moves)?;
    let pushed = |which: usize| {
        let slope = |set: &LaneSet| {
            let value = lanes.derivative(set, which, 0).unwrap_or_else(|| Float::new(primal.precision())) / shrink;
            Slope { value, error: absorbed(set, primal.precision(), step) / shrink }
        };
        let cell = |cell: &Cell| Some((cell.address, slope(run.memory.shadow(cell.pointer(), cell.size())?)));
        let cells = primal.exit.iter().filter_map(cell).collect();
        let result = run.result.leaves.iter().map(|(_, set)| slope(set)).collect();
        Pushed { cells, result, behind: behind(primal, &run, slope), events: Vec::new() }
    };
    Ok((0..times).map(pushed).collect())
}

/// The power of two that makes every component at most its input's scale.
pub fn shrink(primal: &Primal<'_>, tangents: &[f64]) -> f64 {
    const FARTHEST: f64 = 900.0;
    let ratios = primal.inputs.iter().zip(tangents).filter(|(_, t)| **t != 0.0 && t.is_finite());
    let least = ratios.map(|(input, t)| (input.scale.log2() - t.abs().log2()).floor()).fold(FARTHEST, f64::min);
    if least >= FARTHEST { 1.0 } else { 2f64.powi(least.max(-FARTHEST) as i32) }
}

fn slope(lanes: &Directions, set: &LaneSet, (shrink, near_step): (f64, f64)) -> Slope {
    let precision = lanes.precision();
    let derivative = |step| lanes.derivative(set, 0, step).unwrap_or_else(|| Float::new(precision));
    let (near, far) = (derivative(0), derivative(1));
    let apart = Float::with_val(precision, &near - &far);
    let error = (4.0 * number::magnitude(&apart) / RATIO + absorbed(set, precision, near_step)) / shrink;
    Slope { value: (near + apart / (RATIO - 1.0)) / shrink, error: if error.is_finite() { error } else { 0.0 } }
}
