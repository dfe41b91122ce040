//! How a synthesised gradient reverses each instruction of the primal: which adjoint it takes, what it hands on to the
//! operands, and which values of the forward pass it brings back.
//!
//! Each instruction of the reverse pass knows the primal instruction it stands for and its part ([`ir::Role`]). The
//! code that reverses one instruction is contiguous: it reads the adjoint (a load) and clears it (a store of role
//! `Zero`), and adds contributions to the adjoints of operands (a load and a store of role `Adjoint` at one address).
//! One such passage is a [`Reversal`]. Loads and operations of role `Pop` bring a value of the forward pass back.

use super::call::Call;
use super::gradient::{Setting, start};
use super::number;
use super::region::Regions;
use interp::memory::Shadow;
use interp::{FloatEvent, Interp, Leaf, Limits, Location, Machine, MemAccess, Memory, Program, Scalar};
use ir::hash::{HashMap, HashSet};
use ir::{FloatKind, FuncId, InstId, InstKind, Role};
use std::collections::BTreeMap;

/// An instruction of the primal.
pub type Origin = (FuncId, InstId);

/// Reversals recorded at most; a longer run is not replayed.
const MOST: usize = 1 << 19;

/// A number that a reversal adds to the adjoint of an operand.
#[derive(Clone, Copy, Debug)]
pub struct Handed {
    /// The number.
    pub value: f64,
    /// The store.
    pub at: Location,
}

/// A value of the forward pass as the reverse pass has it: one number for each lane.
#[derive(Clone, Debug, Default)]
pub struct Popped {
    /// The numbers.
    pub values: Vec<f64>,
    /// Is it read from a tape on which nobody has written it?
    pub unwritten: bool,
    /// Is it read from memory that nobody has written at all?
    pub undefined: bool,
    /// The instruction of the gradient that brought it back.
    pub at: Option<Location>,
}

/// The reversal of one execution of an instruction.
#[derive(Clone, Debug)]
pub struct Reversal {
    /// The instruction.
    pub origin: Origin,
    /// The adjoint that was read and cleared, lane by lane.
    pub taken: Vec<f64>,
    /// What was handed on.
    pub handed: Vec<Handed>,
    /// Adjoints that were read and neither cleared nor added to.
    pub kept: Vec<(f64, Location)>,
    /// What has last been brought back of the values of operands, by their instructions.
    pub popped: Vec<(Origin, Popped)>,
}

/// A reversal as it goes on.
struct Open {
    reversal: usize,
    /// What was read at an address, and by which instruction.
    read: BTreeMap<u64, (f64, Location)>,
    seen: HashSet<InstId>,
}

/// The machine.
pub struct Replay<'p> {
    program: &'p Program,
    /// The reversals, in the order in which they begin.
    pub reversals: Vec<Reversal>,
    open: HashMap<Origin, Open>,
    last: Option<Location>,
    current: Option<Origin>,
    popped: HashMap<Origin, Popped>,
    popping: Option<Location>,
    /// Instructions whose values were written to a tape.
    pushed: HashSet<Origin>,
    /// Objects with tape cells.
    tapes: HashSet<u64>,
    /// Cells that copies of the primal's instructions have written: object and address.
    primal: HashSet<(u64, u64)>,
    /// The first store of an adjoint to one of these.
    shared: Option<Location>,
}

/// What was found.
pub struct Replayed {
    /// The reversals, in the order in which they begin.
    pub reversals: Vec<Reversal>,
    /// A store of an adjoint to a cell that the copy of the primal has written: the object is its own shadow.
    pub shared: Option<Location>,
}

/// Nothing rides along; operations are to be seen all the same.
#[derive(Clone, Default)]
pub struct Nothing;

impl Shadow for Nothing {
    fn is_absent(&self) -> bool {
        true
    }
}

impl<'p> Replay<'p> {
    fn new(program: &'p Program) -> Replay<'p> {
        Replay {
            program,
            reversals: Vec::new(),
            open: HashMap::default(),
            last: None,
            current: None,
            popped: HashMap::default(),
            popping: None,
            pushed: HashSet::default(),
            tapes: HashSet::default(),
            primal: HashSet::default(),
            shared: None,
        }
    }

    fn link(&self, at: Location) -> Option<(Origin, Role)> {
        let origin = self.program.module.functions[at.func].insts[at.inst].origin?;
        Some(((origin.func, origin.inst), origin.role))
    }

    fn is_phi(&self, (func, inst): Origin) -> bool {
        matches!(self.program.module.functions[func].insts[inst].kind, InstKind::Phi { .. })
    }

    /// Ends the reversal of an instruction: what it has read and left as it was is noted.
    fn close(&mut self, origin: Origin) {
        let Some(open) = self.open.remove(&origin) else { return };
        self.reversals[open.reversal].kept = open.read.into_values().collect();
    }

    /// The open reversal of an instruction, or a new one. A phi takes its adjoint at the end of its block and hands it
    /// on at an edge, with others between.
    fn enter(&mut self, origin: Origin, at: Location, again: bool) -> &mut Open {
        let elsewhere = self.current != Some(origin) && !self.is_phi(origin);
        if again || elsewhere {
            self.close(origin);
        }
        self.current = Some(origin);
        self.last = Some(at);
        let (reversals, popped) = (&mut self.reversals, &self.popped);
        let program = self.program;
        self.open.entry(origin).or_insert_with(|| {
            let taken = Vec::new();
            let needed = needed(program, origin).into_iter();
            let popped = needed.filter_map(|o| Some((o, popped.get(&o)?.clone()))).collect();
            reversals.push(Reversal { origin, taken, handed: Vec::new(), kept: Vec::new(), popped });
            let (read, seen) = (BTreeMap::new(), HashSet::default());
            Open { reversal: reversals.len() - 1, read, seen }
        })
    }

    fn bring_back(&mut self, origin: Origin, at: Location, value: Option<f64>, unwritten: bool) {
        let more = self.popping == Some(at);
        self.popping = Some(at);
        let popped = self.popped.entry(origin).or_default();
        if !more {
            *popped = Popped::default();
        }
        popped.values.push(value.unwrap_or(f64::NAN));
        popped.undefined |= value.is_none();
        popped.unwritten = unwritten;
        popped.at = Some(at);
        // The reversal that is under way may be the one that needs it.
        let popped = popped.clone();
        if let Some(open) = self.current.and_then(|c| self.open.get(&c)) {
            let reversal = &mut self.reversals[open.reversal];
            match reversal.popped.iter_mut().find(|(o, _)| *o == origin) {
                Some((_, known)) => *known = popped,
                None => reversal.popped.push((origin, popped)),
            }
        }
    }
}

/// The instructions from which the values come that the derivative of an instruction may need: itself, its operands,
/// and what operands are made of by moving numbers (casts, selects, lanes of vectors).
pub fn needed(program: &Program, (func, inst): Origin) -> Vec<Origin> {
    let function = &program.module.functions[func];
    let mut found = vec![(func, inst)];
    let mut next = 0;
    while let Some((_, inst)) = found.get(next).copied() {
        let kind = &function.insts[inst].kind;
        if next == 0 || moves(kind) {
            for operand in kind.operands() {
                if let ir::Operand::Local(v) = operand
                    && let ir::ValueDef::Inst(inst) = function.values[v].def
                    && !found.contains(&(func, inst))
                {
                    found.push((func, inst));
                }
            }
        }
        next += 1;
    }
    found
}

/// Does an instruction only move numbers?
fn moves(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::Cast { .. }
            | InstKind::Select { .. }
            | InstKind::Freeze(_)
            | InstKind::ExtractElement { .. }
            | InstKind::InsertElement { .. }
            | InstKind::ShuffleVector { .. }
            | InstKind::ExtractValue { .. }
            | InstKind::InsertValue { .. }
    )
}

fn float(kind: FloatKind, value: Scalar) -> f64 {
    number::value(kind, value.bits(), interp::number::EXACT).to_f64()
}

impl Machine for Replay<'_> {
    type Shadow = Nothing;
    const SHADOWS: bool = true;
    const OBSERVES_MEMORY: bool = true;

    fn float_op(&mut self, event: &FloatEvent<'_, Nothing>) -> Nothing {
        if let Some((origin, Role::Pop)) = self.link(event.at) {
            self.bring_back(origin, event.at, Some(float(event.kind, Scalar::wide(event.result))), false);
        }
        Nothing
    }

    fn load(&mut self, access: &MemAccess, value: Scalar) -> Option<Nothing> {
        let Leaf::Float(kind) = access.leaf else { return None };
        let (origin, role) = self.link(access.at)?;
        if self.reversals.len() >= MOST || !value.is_init() && role != Role::Pop {
            return None;
        }
        let (number, address) = (value.is_init().then(|| float(kind, value)), access.pointer.addr);
        match role {
            Role::Pop => {
                let tape = self.tapes.contains(&access.pointer.prov);
                let unwritten = tape && !self.pushed.contains(&origin);
                self.bring_back(origin, access.at, number, unwritten);
            }
            Role::Adjoint => {
                let lane = self.last == Some(access.at);
                let met = self.open.get(&origin).is_some_and(|o| o.seen.contains(&access.at.inst));
                let open = self.enter(origin, access.at, met && !lane);
                open.seen.insert(access.at.inst);
                open.read.extend(number.map(|number| (address, (number, access.at))));
            }
            _ => {}
        }
        None
    }

    fn store(&mut self, access: &MemAccess, value: Scalar, _shadow: &Nothing) {
        let Some((origin, role)) = self.link(access.at) else { return };
        let address = access.pointer.addr;
        if role == Role::Push {
            self.tapes.insert(access.pointer.prov);
            self.pushed.insert(origin);
        }
        let Leaf::Float(kind) = access.leaf else { return };
        let cell = (access.pointer.prov, address);
        match role {
            Role::Clone if self.primal.len() < MOST => drop(self.primal.insert(cell)),
            Role::Adjoint | Role::Zero if self.shared.is_none() && self.primal.contains(&cell) => {
                self.shared = Some(access.at);
            }
            _ => {}
        }
        if !value.is_init() || self.reversals.len() >= MOST || !matches!(role, Role::Adjoint | Role::Zero) {
            return;
        }
        let open = self.enter(origin, access.at, false);
        let index = open.reversal;
        let before = open.read.remove(&address);
        match (role, before) {
            (Role::Zero, Some((taken, _))) => {
                self.reversals[index].taken.push(taken);
            }
            (Role::Adjoint, Some((before, _))) => {
                let value = float(kind, value) - before;
                self.reversals[index].handed.push(Handed { value, at: access.at });
            }
            _ => {}
        }
    }
}

/// Runs the gradient once more, as it was run; none if it is too long.
pub fn replay(
    program: &Program,
    call: &Call,
    at: (&Memory<()>, &Regions),
    setting: &Setting,
    limits: &Limits,
) -> Option<Replayed> {
    let (memory, args) = start::<Nothing>(call, at, setting);
    let mut interp = Interp::with_memory(program, Replay::new(program), memory, limits.clone());
    // What it did until it stopped tells as much.
    drop(interp.call(call.gradient, &args));
    let mut replay = interp.into_parts().0;
    for origin in replay.open.keys().copied().collect::<Vec<_>>() {
        replay.close(origin);
    }
    (replay.reversals.len() < MOST).then_some(Replayed { reversals: replay.reversals, shared: replay.shared })
}
