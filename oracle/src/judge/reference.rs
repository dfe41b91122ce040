//! The reference derivative: central differences of the primal's own multi-precision lanes (`docs/contract.md`).
//!
//! The dry run finds the inputs. Each run of lanes then carries up to [`TOGETHER`] directions; what is kept of it is,
//! for each direction v and each weighting w of the outputs, the number ⟨w, J v⟩ and the scale Σ|w_j (J v)_j| against
//! which it is compared.

use super::beside::{Beside, Weighty};
use super::call::Call;
use super::effective;
use super::formats::kind_of_size;
use super::inputs::{Input, Place};
use super::literals::Literals;
use super::number;
use super::paths::{self, Dependences, Paths};
use super::planted::{Planted, Sums, Without};
use super::quotients::{LARGER_STEP, RATIO, STEP, absorbed, stays, steps};
use super::region::Regions;
use interp::machines::cells::{Cell, Discovered, discover_beside};
use interp::machines::{Dependence, Directions, Event, LaneSet, Lanes, Mode, Moves};
use interp::memory::Shadow;
use interp::{Interp, Leaf, Limits, Memory, Program, Stop, Value};
use ir::FloatKind;
use ir::hash::HashMap;
use rug::Float;
use std::collections::{BTreeMap, BTreeSet};

/// Directions in one run: more save runs, fewer save memory.
pub const TOGETHER: usize = 16;

/// Weights of the outputs: the shadows on entry and the seed.
#[derive(Clone, Debug, Default)]
pub struct Weights {
    /// By primal address of the cell; what is missing counts as zero.
    pub cells: HashMap<u64, Float>,
    /// Of the result.
    pub seed: Option<Float>,
}

/// ⟨w, J v⟩, and the scale of the sum.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// The sum.
    pub sum: Float,
    /// The sum of the magnitudes of its terms.
    pub scale: f64,
    /// A bound of the rounding error of the quotients, and of their truncation error where two steps were taken.
    pub error: f64,
    /// Where two steps were taken: is it another derivative on the other side?
    pub bent: bool,
}

/// What is known of the primal at this point.
#[derive(Clone)]
pub struct Primal<'a> {
    program: &'a Program,
    call: &'a Call,
    memory: &'a Memory<()>,
    limits: Limits,
    precision: u32,
    /// A fault of the judge itself.
    pub(super) planted: Planted,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Does the primal take bytes behind its arguments apart, or give them to the library?
    pub takes_bytes: bool,
    /// Cells that may depend on inputs on exit, among them the inputs themselves.
    pub exit: Vec<Cell>,
    /// Addresses of the [`GRAIN`]s that the primal overwrites.
    pub overwritten: BTreeSet<u64>,
    /// Addresses of cells that the primal stores or reads as numbers, initial content apart.
    pub stored: BTreeSet<u64>,
    /// Addresses of the [`GRAIN`]s whose initial content the primal moves.
    pub moved: BTreeSet<u64>,
    /// Where the primal stores pointers and integers of its own computing: addresses and sizes.
    pub integers: BTreeMap<u64, u64>,
    /// The memory after the primal.
    pub after: Memory<()>,
    /// Its result.
    pub result: Value,
    /// What the lanes told.
    pub events: Vec<Event>,
    /// How the answers depend on the inputs, and where that leaves the floats.
    pub paths: Paths,
    /// The largest relative difference of the quotients of the two steps.
    pub convergence: f64,
    /// An active output is not a number in exact arithmetic.
    pub undefined: bool,
    /// An active output has other derivatives on both sides in exact arithmetic.
    pub bent: bool,
    /// Instructions that the primal executes.
    pub steps: u64,
    /// Threads that execute them.
    pub threads: usize,
    /// Instructions executed so far, times the lanes that rode beside them.
    work: std::cell::Cell<u64>,
    underflow: bool,
}

impl<'a> Primal<'a> {
    /// Runs the primal dry, then once with lanes in a direction that changes every input.
    pub fn new(
        program: &'a Program,
        call: &'a Call,
        (memory, regions): (&'a Memory<()>, &Regions),
        limits: &Limits,
        (precision, planted): (u32, Planted),
    ) -> Result<Primal<'a>, Stop> {
        // A run without anything beside it comes first: one that never ends is given up soonest that way.
        let mut plain = Interp::with_memory(program, interp::Plain, memory.clone(), limits.clone());
        call.execute(&mut plain, call.primal, &call.primal_args)?;
        let (steps, threads) = (plain.steps(), plain.threads());
        let objects: Vec<_> = regions.primals().collect();
        let beside = (limits, call.beside.as_ref().map(Beside::company));
        let found: Discovered = discover_beside(program, memory, (call.primal, &call.primal_args), &objects, beside)?;
        let mapped = |cell: &&Cell| regions.shadow_of(cell.address, cell.size()).is_some();
        let moved = effective::cells(memory, regions, &found);
        let mut inputs = Vec::new();
        for cell in found.inputs.iter().filter(mapped).chain(&moved) {
            inputs.extend(Input::of_cell(memory, regions, *cell));
        }
        for (index, s) in call.scalars.iter().enumerate() {
            inputs.push(Input::new(Place::Scalar(index), (s.kind, s.bits), s.name.clone()));
        }
        let mut primal = Primal {
            program,
            call,
            memory,
            limits: limits.clone(),
            precision,
            planted,
            inputs,
            exit: found.stored.iter().chain(&found.inputs).filter(mapped).chain(&moved).copied().collect(),
            takes_bytes: !found.taken.is_empty(),
            overwritten: found.overwritten,
            stored: found.stored.iter().map(|cell| cell.address).collect(),
            moved: found.moved.into_keys().collect(),
            integers: found.integers,
            after: found.memory,
            result: found.result,
            events: Vec::new(),
            paths: Paths::default(),
            convergence: 0.0,
            undefined: false,
            bent: false,
            underflow: false,
            steps,
            threads,
            work: std::cell::Cell::new(steps),
        };
        primal.first_run(regions)?;
        Ok(primal)
    }

    /// The same where numbers that are too small for their format are zero, as they are in the execution.
    pub fn with_underflow(&self) -> Primal<'a> {
        Primal { underflow: true, ..self.clone() }
    }

    /// The same under the schedule of another seed.
    pub fn under_seed(&self, seed: u64) -> Primal<'a> {
        Primal { limits: Limits { seed, ..self.limits.clone() }, ..self.clone() }
    }

    /// The same with lanes of more bits.
    pub fn with_precision(&self, precision: u32) -> Primal<'a> {
        Primal { precision: precision.max(self.precision), ..self.clone() }
    }

    /// The same with more cells read as numbers: of bytes that are only moved or cleared the primal does not tell what
    /// they are.
    pub fn adopting(&self, cells: &[Cell], regions: &Regions) -> Result<Primal<'a>, Stop> {
        let mut primal = self.clone();
        primal.inputs.extend(cells.iter().filter_map(|cell| Input::of_cell(self.memory, regions, *cell)));
        let known: BTreeSet<u64> = self.exit.iter().map(|cell| cell.address).collect();
        primal.exit.extend(cells.iter().filter(|cell| !known.contains(&cell.address)));
        primal.first_run(regions)?;
        Ok(primal)
    }

    /// Finds the cells that carry lanes on exit, the events, and whether the quotients converge.
    fn first_run(&mut self, regions: &Regions) -> Result<(), Stop> {
        let mut random = number::Random::new(self.limits.seed ^ 0x51);
        let direction: Vec<f64> = self.inputs.iter().map(|input| input.scale * random.weight()).collect();
        let directions = Directions::new(self.precision, 1, &[STEP, LARGER_STEP]);
        let run = self.run(&directions, &[direction])?;
        let mut known: BTreeMap<u64, Cell> = self.exit.iter().map(|cell| (cell.address, *cell)).collect();
        for pair in regions.pairs() {
            for (offset, size, lanes) in run.memory.shadows_of(pair.primal.id) {
                let (address, object) = (pair.primal.base + offset, pair.primal.id);
                if let (true, Some(kind)) = (lanes.is_active(), kind_of_size(size))
                    && regions.shadow_of(address, u64::from(size)).is_some()
                {
                    known.entry(address).or_insert(Cell { address, object, kind });
                }
            }
        }
        self.exit = known.into_values().collect();
        for lanes in run.outputs(self) {
            self.undefined |= lanes.0.lane(0).is_some_and(Float::is_nan);
            let near = or_zero(directions.derivative(&lanes.0, 0, 0));
            let far = or_zero(directions.derivative(&lanes.0, 0, 1));
            let size = number::magnitude(&near).max(number::magnitude(&far));
            if let [Some(one), Some(other)] = [0, 1].map(|step| directions.bend(&lanes.0, 0, step)) {
                self.bent |= stays(&one, &other, size);
            }
            if size > 0.0 {
                self.convergence = self.convergence.max(number::distance(&near, &far) / size);
            }
        }
        self.events = run.events;
        let (memory, args) = self.start();
        self.count_work(2);
        self.paths = self.dependences(&memory, &args)?.paths(&self.exit, self.result_kind().is_some());
        if self.planted.without == Some(Without::Differences) {
            (self.paths.declared, self.paths.lost) = (true, None);
        }
        Ok(())
    }

    /// A run from this memory, with these arguments, that notes what depends on the inputs.
    pub fn dependences(&self, memory: &Memory<()>, args: &[Value]) -> Result<Dependences, Stop> {
        let machine = Dependence { forgets: self.planted.taint, ..Dependence::default() };
        let (program, call, inputs, limits) = (self.program, self.call, &self.inputs[..], &self.limits);
        paths::Run { program, call, inputs, limits, machine }.execute(memory, args)
    }

    /// Does the primal overwrite a cell, in part or whole?
    pub fn overwrites(&self, cell: &Cell) -> bool {
        effective::grains(cell).any(|address| self.overwritten.contains(&address))
    }

    /// Is a part of a cell's initial content elsewhere on exit?
    pub fn moves(&self, cell: &Cell) -> bool {
        effective::grains(cell).any(|address| self.moved.contains(&address))
    }

    /// Does the primal store a pointer, or an integer of its own computing, to bytes of a cell?
    pub fn holds_integer(&self, cell: &Cell) -> bool {
        effective::holds_integer(&self.integers, cell)
    }

    /// The call.
    pub(super) fn call(&self) -> &'a Call {
        self.call
    }

    /// The program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// The primal function.
    pub fn function(&self) -> ir::FuncId {
        self.call.primal
    }

    /// Memory and arguments on entry.
    pub fn start(&self) -> (Memory<()>, Vec<Value>) {
        (self.memory.clone(), self.call.primal_args.clone())
    }

    /// The literals by which gradient and primal differ.
    pub fn literals(&self) -> &'a Literals {
        &self.call.literals
    }

    /// Parameter and leaf of an active scalar.
    pub fn scalar(&self, index: usize) -> (usize, usize) {
        (self.call.scalars[index].parameter, self.call.scalars[index].leaf)
    }

    /// Format of the result, if it is a number.
    pub fn result_kind(&self) -> Option<FloatKind> {
        match self.call.result.first() {
            Some(Leaf::Float(kind)) => Some(*kind),
            _ => None,
        }
    }

    /// Is a leaf of the result a pointer?
    pub fn returns_pointer(&self, leaf: usize) -> bool {
        matches!(self.call.result.get(leaf), Some(Leaf::Ptr))
    }

    /// Instructions executed so far for the reference, times the lanes that rode beside them.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    /// Counts a run of the primal with so many lanes' worth of work.
    pub fn count_work(&self, lanes: u64) {
        self.work.set(self.work.get() + self.steps * lanes);
    }

    /// Bits of the lanes.
    pub fn precision(&self) -> u32 {
        self.precision
    }

    /// Limits of each run.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What the shadow of a cell holds before the call; none if that is undefined.
    pub fn shadow_on_entry(&self, regions: &Regions, cell: Cell) -> Option<Float> {
        let pointer = regions.shadow_of(cell.address, cell.size())?;
        let value = self.memory.load(pointer, Leaf::Float(cell.kind), 1).ok().filter(|v| v.is_init())?;
        Some(number::value(cell.kind, value.bits(), self.precision))
    }

    /// ⟨w, J v⟩ for each direction and each weighting.
    pub fn along(&self, directions: &[Vec<f64>], weights: &[&Weights]) -> Result<Vec<Vec<Weighted>>, Stop> {
        let [step, _] = steps(self.precision);
        let mut all = Vec::with_capacity(directions.len());
        for some in directions.chunks(TOGETHER) {
            let lanes = Directions::new(self.precision, some.len(), &[step]);
            let run = self.quotients(&lanes, some, None)?;
            let outputs = run.weighed(self, weights);
            for direction in 0..some.len() {
                let slopes = slopes(&lanes, &outputs, direction, 0);
                all.push(weights.iter().map(|w| self.weigh(w, &outputs, &slopes, step)).collect());
            }
        }
        Ok(all)
    }

    /// [`Primal::along`] with two steps h and H = 2¹⁰h: the quotients D(h) = D + O(h²) are extrapolated to D, and what
    /// is left of the truncation error is bounded by a small multiple of (D(H) - D(h)) / 2²⁰ (Richardson).
    pub fn extrapolated(&self, directions: &[Vec<f64>], weights: &[&Weights]) -> Result<Vec<Vec<Weighted>>, Stop> {
        let steps = steps(self.precision);
        let mut all = Vec::with_capacity(directions.len());
        for some in directions.chunks(TOGETHER / 2) {
            let lanes = Directions::new(self.precision, some.len(), &steps);
            let run = self.quotients(&lanes, some, None)?;
            let outputs = run.weighed(self, weights);
            for direction in 0..some.len() {
                let (near, far) = (slopes(&lanes, &outputs, direction, 0), slopes(&lanes, &outputs, direction, 1));
                let bends = [0, 1].map(|step| bends(&lanes, &outputs, direction, step));
                let extrapolate = |w: &&Weights| {
                    let (near, far) =
                        (self.weigh(w, &outputs, &near, steps[0]), self.weigh(w, &outputs, &far, steps[1]));
                    let [one, other] = bends.each_ref().map(|bends| self.weigh(w, &outputs, bends, steps[0]).sum);
                    let apart = Float::with_val(self.precision, &near.sum - &far.sum);
                    let error = near.error + 4.0 * number::magnitude(&apart) / RATIO;
                    let bent = stays(&one, &other, number::magnitude(&near.sum));
                    let sum = Float::with_val(self.precision, &near.sum + apart / (RATIO - 1.0));
                    Weighted { sum, scale: near.scale, error, bent }
                };
                all.push(weights.iter().map(extrapolate).collect());
            }
        }
        Ok(all)
    }

    /// ⟨w, J v⟩ for each direction and each weighting: with the literals of the program as they are, then with each of
    /// so many moves.
    pub fn moved(
        &self,
        directions: &[Vec<f64>],
        weights: &[&Weights],
        (moves, seed): (u32, u64),
    ) -> Result<Vec<Vec<Vec<Float>>>, Stop> {
        let [step, _] = steps(self.precision);
        let times = moves as usize + 1;
        if !self.call.literals.in_primal {
            let at_rest = |sum: &Weighted| vec![sum.sum.clone(); times];
            return Ok(self.along(directions, weights)?.iter().map(|s| s.iter().map(at_rest).collect()).collect());
        }
        let mut all = Vec::with_capacity(directions.len());
        for some in directions.chunks((TOGETHER / times).max(1)) {
            let (lanes, run) = self.run_moves(some, (moves, seed))?;
            let outputs = run.weighed(self, weights);
            let sums = |direction: usize| -> Vec<Float> {
                let slopes = slopes(&lanes, &outputs, direction, 0);
                weights.iter().map(|w| self.weigh(w, &outputs, &slopes, step).sum).collect()
            };
            for direction in 0..some.len() {
                let each: Vec<Vec<Float>> = (0..times).map(|which| sums(direction * times + which)).collect();
                let of_weighting = |n: usize| each.iter().map(|sums| sums[n].clone()).collect();
                all.push((0..weights.len()).map(of_weighting).collect());
            }
        }
        Ok(all)
    }

    /// A run with each direction once for the literals as they are, and once for each move.
    fn run_moves(&self, some: &[Vec<f64>], (moves, seed): (u32, u64)) -> Result<(Directions, Run), Stop> {
        let times = moves as usize + 1;
        let repeated: Vec<Vec<f64>> = some.iter().flat_map(|v| std::iter::repeat_n(v.clone(), times)).collect();
        let lanes = Directions::new(self.precision, repeated.len(), &steps(self.precision)[..1]);
        // Lane 0 is x itself; then come x + hv and x - hv for each direction.
        let move_of = |lane: usize| match lane.checked_sub(1).map(|lane| lane / 2 % times) {
            None | Some(0) => None,
            Some(which) => Some(which as u32 - 1),
        };
        let run = self.quotients(&lanes, &repeated, Some(Moves::new((0..lanes.lanes()).map(move_of), seed)))?;
        Ok((lanes, run))
    }

    /// The same along one direction.
    pub(super) fn run_moved(&self, direction: &[f64], moves: (u32, u64)) -> Result<(Directions, Run), Stop> {
        self.run_moves(std::slice::from_ref(&direction.to_vec()), moves)
    }

    /// Events of a run along one direction.
    pub fn events_along(&self, direction: &[f64]) -> Result<Vec<Event>, Stop> {
        let lanes = Directions::new(self.precision, 1, &[STEP]);
        Ok(self.run(&lanes, std::slice::from_ref(&direction.to_vec()))?.events)
    }

    /// The direction that changes one input alone.
    pub fn unit(&self, index: usize) -> Vec<f64> {
        let mut direction = vec![0.0; self.inputs.len()];
        if let (Some(slot), Some(input)) = (direction.get_mut(index), self.inputs.get(index)) {
            *slot = input.scale;
        }
        direction
    }

    fn weigh(&self, weights: &Weights, outputs: &[(LaneSet, Output)], slopes: &[Option<Float>], step: f64) -> Weighted {
        let mut sum = Float::new(self.precision);
        let (mut scale, mut error) = (0.0, 0.0);
        for ((lanes, output), slope) in outputs.iter().zip(slopes) {
            let weight = match output {
                Output::Cell(address) => weights.cells.get(address),
                Output::Result => weights.seed.as_ref(),
                Output::Elsewhere(weight) => Some(weight),
            };
            let Some(weight) = weight.filter(|weight| !weight.is_zero()) else { continue };
            error += number::magnitude(weight) * absorbed(lanes, self.precision, step);
            let dropped = matches!(output, Output::Result) && self.planted.has(Sums::DroppedResult);
            if let (Some(slope), false) = (slope, dropped) {
                let term = Float::with_val(self.precision, weight * slope);
                scale += number::magnitude(&term);
                sum += term;
            }
        }
        if self.planted.has(Sums::DoubledQuotient) {
            sum *= 2;
        }
        Weighted { sum, scale, error, bent: false }
    }

    /// A run with lanes along some directions.
    pub(super) fn run(&self, directions: &Directions, components: &[Vec<f64>]) -> Result<Run, Stop> {
        self.run_with(directions, components, (true, None))
    }

    /// A run for quotients: what no direction changes has no lanes.
    fn quotients(&self, directions: &Directions, components: &[Vec<f64>], moves: Option<Moves>) -> Result<Run, Stop> {
        self.run_with(directions, components, (false, moves))
    }

    fn run_with(
        &self,
        directions: &Directions,
        components: &[Vec<f64>],
        (all, moves): (bool, Option<Moves>),
    ) -> Result<Run, Stop> {
        let mut memory: Memory<LaneSet> = self.memory.without_shadows();
        let mut args: Vec<Value<LaneSet>> = self.call.primal_args.iter().map(Value::without_shadows).collect();
        let mut moves = moves;
        if let Some(moves) = &mut moves {
            self.call.literals.shadow_tables(self.program, &mut memory, (moves, self.precision), |lanes| lanes);
        }
        let mut mine = Vec::with_capacity(components.len());
        for (index, input) in self.inputs.iter().enumerate() {
            mine.clear();
            mine.extend(components.iter().map(|v| v.get(index).copied().unwrap_or(0.0)));
            if self.planted.has(Sums::FrozenInput) && index + 1 == self.inputs.len() {
                continue;
            }
            let lanes = match all || mine.iter().any(|by| *by != 0.0) {
                true => directions.input(input.kind, input.bits, &mine),
                false => LaneSet::Concrete,
            };
            match input.place {
                // Cells may overlap: where there is nothing to take away, nothing is.
                Place::Cell(_) if lanes.is_absent() && moves.is_none() => {}
                Place::Cell(cell) => memory.set_shadow(cell.pointer(), cell.size(), lanes),
                Place::Scalar(scalar) => {
                    let scalar = &self.call.scalars[scalar];
                    if let Some((_, shadow)) = args[scalar.parameter].leaves.get_mut(scalar.leaf) {
                        *shadow = lanes;
                    }
                }
            }
        }
        self.count_work(directions.lanes() as u64);
        let exact = Lanes::new(directions.lanes(), self.precision, Mode::Primal).forgetting(self.planted.lanes);
        let machine = if self.underflow { exact.with_underflow() } else { exact };
        let machine = match moves {
            Some(moves) => machine.with_moves(moves),
            None => machine,
        };
        let mut interp = Interp::with_memory(self.program, machine, memory, self.limits.clone());
        let (result, others) = self.call.execute(&mut interp, self.call.primal, &args)?;
        let (machine, memory) = interp.into_parts();
        let machines = std::iter::once(&machine).chain(others.iter().map(|other| &other.machine));
        let events = machines.flat_map(|machine| machine.events.iter().cloned()).collect();
        Ok(Run { memory, result, events, elsewhere: self.call.elsewhere(&others) })
    }
}

/// The derivatives of all outputs in a direction, by the quotients of one step; those that vanish are none.
fn slopes(lanes: &Directions, outputs: &[(LaneSet, Output)], direction: usize, step: usize) -> Vec<Option<Float>> {
    let slope = |lanes_of: &LaneSet| lanes.derivative(lanes_of, direction, step).filter(|d| !d.is_zero());
    outputs.iter().map(|(output, _)| slope(output)).collect()
}

/// By how much the derivative after x is more than that before, as far as the quotients of one step tell.
fn bends(lanes: &Directions, outputs: &[(LaneSet, Output)], direction: usize, step: usize) -> Vec<Option<Float>> {
    let bend = |lanes_of: &LaneSet| lanes.bend(lanes_of, direction, step).filter(|d| !d.is_zero());
    outputs.iter().map(|(output, _)| bend(output)).collect()
}

/// An output of the map.
enum Output {
    Cell(u64),
    Result,
    /// Of another rank, with its weight.
    Elsewhere(Float),
}

/// A run with lanes.
pub(super) struct Run {
    pub(super) memory: Memory<LaneSet>,
    pub(super) result: Value<LaneSet>,
    pub(super) events: Vec<Event>,
    /// What the other ranks leave.
    elsewhere: Vec<Weighty<LaneSet>>,
}

impl Run {
    /// The lanes of all outputs that have any.
    fn outputs(&self, primal: &Primal<'_>) -> Vec<(LaneSet, Output)> {
        self.outputs_among(primal, |_| true)
    }

    /// The same of those that have a weight.
    fn weighed(&self, primal: &Primal<'_>, weights: &[&Weights]) -> Vec<(LaneSet, Output)> {
        let some = |w: &&&Weights| w.cells.values().any(|weight| !weight.is_zero());
        let weights: Vec<&Weights> = weights.iter().filter(some).copied().collect();
        let counts = |w: &&Weights, cell: &Cell| w.cells.get(&cell.address).is_some_and(|weight| !weight.is_zero());
        self.outputs_among(primal, |cell| weights.iter().any(|w| counts(w, cell)))
    }

    fn outputs_among(&self, primal: &Primal<'_>, wanted: impl Fn(&Cell) -> bool) -> Vec<(LaneSet, Output)> {
        let mut outputs = Vec::new();
        for cell in primal.exit.iter().filter(|cell| wanted(cell)) {
            if let Some(lanes) = self.memory.shadow(cell.pointer(), cell.size())
                && lanes.is_active()
            {
                outputs.push((lanes.clone(), Output::Cell(cell.address)));
            }
        }
        if let (Some(Leaf::Float(_)), Some((_, lanes))) = (primal.call.result.first(), self.result.leaves.first()) {
            outputs.push((lanes.clone(), Output::Result));
        }
        let active = self.elsewhere.iter().filter(|output| output.shadow.is_active());
        outputs.extend(active.map(|output| (output.shadow.clone(), Output::Elsewhere(output.weight.clone()))));
        outputs
    }
}

/// A missing derivative is zero.
fn or_zero(derivative: Option<Float>) -> Float {
    derivative.unwrap_or_else(|| Float::new(interp::number::EXACT))
}
