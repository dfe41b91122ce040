//! The machine that a gradient runs under: its own lanes, and a record of what it does to memory.
//!
//! Lane 0 is the gradient in exact arithmetic. Lane 1, when wanted, starts from data that differ from the real ones by
//! a relative 2⁻⁶⁰: how far the two lanes part is the condition of the derivative. What the program itself rounds to a
//! narrower format is a datum of its own: the lanes keep what is rounded away, so that a difference of a number and its
//! rounding would seem to be zero whatever the data. Beside the lanes rides the [scale](super::scale) of the sum that a
//! number is. Recorded are the stores to every cell that existed before the call, and the first reads of undefined
//! bytes.

use super::number;
use super::scale::{self, Tracked};
use interp::machines::{LaneSet, Lanes, Mode, Moves};
use interp::{AllocId, FloatArg, FloatEvent, FloatOp, Leaf, Location, Loss, Machine, MemAccess, Scalar};
use ir::FloatKind;
use ir::hash::{HashMap, HashSet};
use rug::Float;
use rules::{Op, Shift};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// The size of the relative change of data in lane 1.
pub const PERTURBATION: f64 = 1.0 / (1u64 << 60) as f64;

/// What was stored to one cell.
#[derive(Clone, Debug)]
pub struct Stores {
    /// What was stored last.
    pub leaf: Leaf,
    /// By which instruction.
    pub last: Location,
    /// By which instruction first.
    pub first: Location,
    /// How often.
    pub count: u64,
    /// How often the stored number was zero.
    pub zeros: u64,
    /// The last few numbers, oldest first, in lane 0.
    pub values: Vec<f64>,
    /// When the last store was made: its number among all.
    pub order: u64,
}

/// Numbers kept for each cell.
const KEPT: usize = 12;
/// Cells recorded at most.
const CELLS: usize = 1 << 22;
/// Undefined reads recorded at most.
const READS: usize = 64;

/// The machine.
pub struct Probe {
    /// The lanes.
    pub lanes: Lanes,
    /// Objects that existed before the call, by provenance.
    old: HashSet<u64>,
    /// Shadow objects, by provenance: they are not perturbed.
    shadows: HashSet<u64>,
    /// The stores, by address.
    pub stores: HashMap<u64, Stores>,
    /// Where undefined numbers were read, in order.
    pub undefined: Vec<Location>,
    perturbed: Option<number::Random>,
    /// Formats in which the rounding of an adjoint is the program's ([`super::formats::extended`]).
    extended: BTreeSet<FloatKind>,
    order: u64,
}

impl Probe {
    /// A machine for a run in which `old` objects exist, `shadows` among them. Where the condition is wanted: the seed
    /// of the perturbation, and the formats in which the program rounds adjoints.
    pub fn new(
        precision: u32,
        condition: Option<(u64, &BTreeSet<FloatKind>)>,
        old: impl IntoIterator<Item = AllocId>,
        shadows: impl IntoIterator<Item = AllocId>,
    ) -> Probe {
        let count = if condition.is_some() { 2 } else { 1 };
        Probe {
            lanes: Lanes::new(count, precision, Mode::Gradient),
            old: old.into_iter().map(AllocId::bits).collect(),
            shadows: shadows.into_iter().map(AllocId::bits).collect(),
            stores: HashMap::default(),
            undefined: Vec::new(),
            perturbed: condition.map(|(seed, _)| number::Random::new(seed)),
            extended: condition.map(|(_, extended)| extended.clone()).unwrap_or_default(),
            order: 0,
        }
    }

    /// The same with so many lanes more, in which literals are moved.
    #[must_use]
    pub fn with_moves(mut self, count: usize, moves: Moves) -> Probe {
        self.lanes = Lanes::new(1 + count, self.lanes.precision(), Mode::Gradient).with_moves(moves);
        self
    }

    /// Lanes of a number among the data: exact, and perturbed.
    pub fn datum(&mut self, value: Float) -> LaneSet {
        let Some(random) = &mut self.perturbed else { return LaneSet::Concrete };
        if value.is_zero() || !value.is_finite() {
            return LaneSet::Concrete;
        }
        let factor = Float::with_val(value.prec(), 1.0) + PERTURBATION * random.weight();
        let moved = Float::with_val(value.prec(), &value * &factor);
        LaneSet::each(vec![value, moved])
    }

    /// Lanes of a number that the program rounds to a narrower format: the perturbed one moves once more. A datum is
    /// rounded where the primal does it, by a conversion or before one to a wider format; an adjoint where the primal
    /// extends.
    fn rounded(&mut self, event: &FloatEvent<'_, Tracked>, lanes: LaneSet) -> LaneSet {
        let (Some(random), [arg]) = (&mut self.perturbed, event.args) else { return lanes };
        let (before, after) = (number::epsilon(arg.kind), number::epsilon(event.kind));
        let exact = self.lanes.value(event.kind, event.result, &lanes, 0);
        let rounded = number::value(event.kind, event.result, self.lanes.precision());
        let datum = before != after && arg.shadow.scale.is_none();
        let adjoint = before < after && self.extended.contains(&event.kind);
        if !(datum || adjoint) || !exact.is_finite() || exact == rounded {
            return lanes;
        }
        let factor = Float::with_val(exact.prec(), 1.0) + PERTURBATION * random.weight();
        let moved = self.lanes.value(event.kind, event.result, &lanes, 1) * factor;
        LaneSet::each(vec![exact, moved])
    }
}

impl Machine for Probe {
    type Shadow = Tracked;
    const SHADOWS: bool = true;
    const OBSERVES_MEMORY: bool = true;
    const LITERALS: bool = true;

    fn beside(&self) -> Option<Probe> {
        let lanes = self.lanes.beside()?;
        Some(Probe {
            lanes,
            old: HashSet::default(),
            shadows: HashSet::default(),
            stores: HashMap::default(),
            undefined: Vec::new(),
            perturbed: None,
            extended: BTreeSet::new(),
            order: 0,
        })
    }

    fn moves_literals(&self) -> bool {
        self.lanes.moves_literals()
    }

    fn literal(&mut self, kind: FloatKind, bits: u128) -> Tracked {
        Tracked::datum(self.lanes.literal(kind, bits))
    }

    fn float_op(&mut self, event: &FloatEvent<'_, Tracked>) -> Tracked {
        let args: SmallVec<[FloatArg<'_, LaneSet>; 4]> =
            event.args.iter().map(|a| FloatArg { kind: a.kind, bits: a.bits, shadow: &a.shadow.lanes }).collect();
        let &FloatEvent { op, output, kind, ints, result, at, .. } = event;
        let lanes = self.lanes.float_op(&FloatEvent { op, output, kind, args: &args, ints, result, at });
        let lanes = if op == FloatOp::Convert { self.rounded(event, lanes) } else { lanes };
        Tracked { lanes, scale: scale::of(event) }
    }

    fn lost(&mut self, shadow: &Tracked, why: Loss, at: Location) -> Tracked {
        Tracked::datum(self.lanes.lost(&shadow.lanes, why, at))
    }

    fn load(&mut self, at: &MemAccess, value: Scalar) -> Option<Tracked> {
        let Leaf::Float(kind) = at.leaf else { return None };
        if !value.is_init() {
            if self.undefined.len() < READS {
                self.undefined.push(at.at);
            }
            return None;
        }
        if !self.old.contains(&at.pointer.prov) || self.stores.contains_key(&at.pointer.addr) {
            return None;
        }
        let exact = number::value(kind, value.bits(), self.lanes.precision());
        if self.shadows.contains(&at.pointer.prov) {
            return Some(Tracked::weight(exact.to_f64()));
        }
        // What a sum rounds by is the same for all data.
        let rounds = Shift::of(Op::FAdd, 1, interp::number::significand_bits(kind), value.bits()).is_some();
        (self.perturbed.is_some() && !rounds).then(|| Tracked::datum(self.datum(exact)))
    }

    fn store(&mut self, at: &MemAccess, value: Scalar, shadow: &Tracked) {
        self.order += 1;
        if !self.old.contains(&at.pointer.prov) || self.stores.len() >= CELLS {
            return;
        }
        let number = match at.leaf {
            Leaf::Float(kind) if value.is_init() => self.lanes.value(kind, value.bits(), &shadow.lanes, 0).to_f64(),
            Leaf::Float(_) => f64::NAN,
            Leaf::Int(_) | Leaf::Ptr => value.lo as f64,
        };
        let order = self.order;
        let record = self.stores.entry(at.pointer.addr).or_insert_with(|| Stores {
            leaf: at.leaf,
            last: at.at,
            first: at.at,
            count: 0,
            zeros: 0,
            values: Vec::new(),
            order,
        });
        record.leaf = at.leaf;
        record.last = at.at;
        record.count += 1;
        record.order = order;
        record.zeros += u64::from(number == 0.0);
        if record.values.len() == KEPT {
            record.values.remove(0);
        }
        record.values.push(number);
    }
}
