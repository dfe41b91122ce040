//! Runs of the gradient: with the shadows the program gave it, or with others that the law of the contract makes
//! interesting.

use super::call::Call;
use super::inputs::Place;
use super::literals;
use super::number;
use super::probe::Probe;
use super::reference::{Primal, Weights};
use super::region::Regions;
use super::scale::Tracked;
use interp::machines::Moves;
use interp::memory::{AllocInfo, Shadow};
use interp::{Buffer, Interp, Leaf, Limits, Memory, Program, Scalar, Stop, Value};
use ir::FloatKind;
use rug::Float;
use std::cell::RefCell;
use std::rc::Rc;

/// A component as a run of the gradient leaves it.
#[derive(Clone, Debug)]
pub struct Number {
    /// Its format.
    pub kind: FloatKind,
    /// The gradient's own number.
    pub concrete: Float,
    /// The same in exact arithmetic.
    pub exact: Float,
    /// The same in the run's other lanes: from perturbed data, or with moved literals.
    pub beside: Vec<Float>,
    /// The scale of the sum that it is ([`super::scale`]).
    pub scale: f64,
}

/// A finished run of the gradient.
pub struct Run {
    /// The record of the run.
    pub probe: Probe,
    /// Memory afterwards.
    pub memory: Memory<Tracked>,
    /// What it returned.
    pub result: Value<Tracked>,
    /// What it printed.
    pub printed: Buffer,
    /// Threads that executed it.
    pub threads: usize,
}

/// How a run is made once more.
#[derive(Clone, Copy, Debug)]
pub enum Again {
    /// With moved literals.
    Moved,
    /// With lanes of that many bits.
    Precise(u32),
}

/// How a run differs from the program's own call.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// Shadow cells to fill before the run: primal address, format, value.
    pub shadows: Vec<(u64, FloatKind, f64)>,
    /// Another seed.
    pub seed: Option<f64>,
    /// Seed of the perturbation, when the condition is wanted.
    pub condition: Option<u64>,
    /// How many moves literals make, and the seed of these.
    pub moves: Option<(u32, u64)>,
}

/// Runs the gradient.
pub fn run(
    program: &Program,
    call: &Call,
    (memory, regions): (&Memory<()>, &Regions),
    primal: Option<&Primal<'_>>,
    setting: &Setting,
    (limits, precision): (&Limits, u32),
) -> Result<Run, Box<(Stop, Probe)>> {
    let old: Vec<AllocInfo> = memory.objects().collect();
    let condition = setting.condition.map(|seed| (seed, &call.extended));
    let mut probe = Probe::new(precision, condition, old.iter().map(|o| o.id), regions.shadows());
    let (mut memory, mut args) = start::<Tracked>(call, (memory, regions), setting);
    if let Some((count, seed)) = setting.moves {
        let mut moves = Moves::new(std::iter::once(None).chain((0..count).map(Some)), seed);
        call.literals.shadow_tables(program, &mut memory, (&mut moves, probe.lanes.precision()), Tracked::datum);
        regions.primals().chain(regions.shadows()).for_each(|object| memory.clear_shadows_of(object));
        probe = probe.with_moves(count as usize, moves);
    }
    if let (Some(primal), true) = (primal, setting.condition.is_some()) {
        perturb(&mut probe, primal, call, &mut memory, &mut args);
    }
    if let Some((index, kind)) = call.seed
        && let Some((seed, tracked)) = args.get_mut(index).and_then(|v| v.leaves.first_mut())
        && seed.is_init()
    {
        *tracked = Tracked::weight(number::value(kind, seed.bits(), precision).to_f64());
    }
    for (argument, leaf, kind) in &call.tangents {
        let leaf = args.get_mut(*argument).and_then(|v| v.leaves.get_mut(*leaf));
        if let Some((tangent, tracked)) = leaf.filter(|(t, _)| t.is_init()) {
            *tracked = Tracked::weight(number::value(*kind, tangent.bits(), precision).to_f64());
        }
    }
    let printed = Rc::new(RefCell::new(Buffer::default()));
    let mut interp =
        Interp::with_memory(program, probe, memory, limits.clone()).with_output(Box::new(Rc::clone(&printed)));
    let result = call.execute(&mut interp, call.gradient, &args).map(|(result, _)| result);
    let threads = interp.threads();
    let (probe, memory) = interp.into_parts();
    match result {
        Ok(result) => Ok(Run { probe, memory, result, printed: printed.take(), threads }),
        Err(stop) => Err(Box::new((stop, probe))),
    }
}

/// The same run once more, with moved literals or with more bits.
pub fn again(
    program: &Program,
    call: &Call,
    at: (&Memory<()>, &Regions),
    primal: &Primal<'_>,
    setting: &Setting,
    (limits, precision): (&Limits, u32),
    how: Again,
) -> Option<Run> {
    let (moves, precision) = match how {
        Again::Moved => (Some((literals::MOVES, limits.seed)), precision),
        Again::Precise(bits) => (None, bits),
    };
    let setting = Setting { condition: None, moves, ..setting.clone() };
    run(program, call, at, Some(primal), &setting, (limits, precision)).ok()
}

/// Memory and arguments on entry.
pub fn start<S: Shadow>(
    call: &Call,
    (memory, regions): (&Memory<()>, &Regions),
    setting: &Setting,
) -> (Memory<S>, Vec<Value<S>>) {
    let mut memory: Memory<S> = memory.without_shadows();
    let mut args: Vec<Value<S>> = call.gradient_args.iter().map(Value::without_shadows).collect();
    for (address, kind, value) in &setting.shadows {
        let leaf = Leaf::Float(*kind);
        if let (Some(pointer), Some(bits)) =
            (regions.shadow_of(*address, leaf.store_size()), number::from_f64(*kind, *value))
        {
            // A shadow that the program made read-only stays as it is.
            drop(memory.store(pointer, leaf, Scalar::wide(bits), 1));
        }
    }
    if let (Some((index, kind)), Some(seed)) = (call.seed, setting.seed)
        && let Some(bits) = number::from_f64(kind, seed)
    {
        args[index] = Value::scalar(Scalar::wide(bits));
    }
    (memory, args)
}

/// Gives the inputs their perturbed lane. Cells get it when they are loaded; scalars are arguments and get it here.
fn perturb(
    probe: &mut Probe,
    primal: &Primal<'_>,
    call: &Call,
    memory: &mut Memory<Tracked>,
    args: &mut [Value<Tracked>],
) {
    let precision = probe.lanes.precision();
    for input in &primal.inputs {
        let lanes = Tracked::datum(probe.datum(number::value(input.kind, input.bits, precision)));
        match input.place {
            Place::Cell(cell) => memory.set_shadow(cell.pointer(), cell.size(), lanes),
            Place::Scalar(scalar) => {
                let scalar = &call.scalars[scalar];
                let shadows = call.gradient_index(scalar.parameter);
                if let Some((_, shadow)) = args.get_mut(shadows).and_then(|v| v.leaves.get_mut(scalar.leaf)) {
                    *shadow = lanes;
                }
            }
        }
    }
}

impl Run {
    /// The shadow of a primal cell on exit; none if it is not a defined number.
    pub fn shadow(&self, regions: &Regions, address: u64, kind: FloatKind) -> Option<Number> {
        let leaf = Leaf::Float(kind);
        let pointer = regions.shadow_of(address, leaf.store_size())?;
        let value = self.memory.load(pointer, leaf, 1).ok().filter(|v| v.is_init())?;
        let tracked = self.memory.shadow(pointer, leaf.store_size()).cloned().unwrap_or_default();
        Some(self.read(kind, value.bits(), &tracked))
    }

    /// A returned component; none if it is not a defined number.
    pub fn returned(&self, index: usize, kind: FloatKind) -> Option<Number> {
        let (value, tracked) = self.result.leaves.get(index).filter(|(v, _)| v.is_init())?;
        Some(self.read(kind, value.bits(), tracked))
    }

    /// A number that stands so far from where a returned pointer leads; none if it is not defined.
    pub fn behind(&self, index: usize, offset: i64, kind: FloatKind) -> Option<Number> {
        let leaf = Leaf::Float(kind);
        let (value, _) = self.result.leaves.get(index).filter(|(v, _)| v.is_init())?;
        let pointer = value.as_ptr().offset(offset);
        let value = self.memory.load(pointer, leaf, 1).ok().filter(|v| v.is_init())?;
        let tracked = self.memory.shadow(pointer, leaf.store_size()).cloned().unwrap_or_default();
        Some(self.read(kind, value.bits(), &tracked))
    }

    /// The component of an input.
    pub fn component(&self, regions: &Regions, place: Place, kind: FloatKind) -> Option<Number> {
        match place {
            Place::Cell(cell) => self.shadow(regions, cell.address, kind),
            Place::Scalar(index) => self.returned(index, kind),
        }
    }

    fn read(&self, kind: FloatKind, bits: u128, tracked: &Tracked) -> Number {
        let all = &self.probe.lanes;
        let exact = all.value(kind, bits, &tracked.lanes, 0);
        let scale = number::magnitude(&exact);
        Number {
            kind,
            concrete: number::value(kind, bits, all.precision()),
            beside: (1..all.count()).map(|lane| all.value(kind, bits, &tracked.lanes, lane)).collect(),
            scale: tracked.scale.unwrap_or(0.0).max(if scale.is_finite() { scale } else { 0.0 }),
            exact,
        }
    }
}

/// The weights that the program's own shadows and seed are.
pub fn weights_on_entry(
    call: &Call,
    (memory, regions): (&Memory<()>, &Regions),
    primal: &Primal<'_>,
    precision: u32,
) -> Weights {
    let mut weights = Weights::default();
    for cell in &primal.exit {
        let leaf = Leaf::Float(cell.kind);
        let value = regions.shadow_of(cell.address, cell.size()).and_then(|p| memory.load(p, leaf, 1).ok());
        if let Some(value) = value.filter(|v| v.is_init()) {
            weights.cells.insert(cell.address, number::value(cell.kind, value.bits(), precision));
        }
    }
    weights.seed = call.seed_bits().map(|(kind, bits)| number::value(kind, bits, precision));
    // A synthesised gradient has no seed parameter: the seed of an active result is 1.
    if weights.seed.is_none() && matches!(call.result.first(), Some(Leaf::Float(_))) {
        weights.seed = Some(Float::with_val(precision, 1.0));
    }
    weights
}
