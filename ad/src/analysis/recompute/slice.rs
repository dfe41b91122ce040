//! Slices of loops: the part of an iteration that computes a value which the loop carries.
//!
//! The *slice* of a value is made backwards from it (Weiser, "Program Slicing", 1984): operands; of a phi all that
//! comes in, and the branches that decide by which edge; of every instruction the branches that decide whether it is
//! met ([`Iteration`]). Loads are in it if they may be made again ([`crate::analysis::reload`]); calls of the table if
//! they write nowhere. What is read from outside of the loop is an operand of the recipe, which the minimum cut stores
//! around the loop or has again there. The primal did all that the slice does, so even a division traps only where it
//! did.

use super::recipe::Recipe;
use super::{Recompute, leaves_floats, may_round_otherwise};
use crate::analysis::context::Item;
use crate::analysis::loops::counters::Step;
use crate::analysis::loops::iteration::Iteration;
use crate::analysis::loops::trip_count;
use crate::analysis::wanted::Wanted;
use crate::options::Lever;
use crate::program::externals::{External, classify};
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BinOp, BlockId, InstId, InstKind, Operand, ValueId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most instructions of a slice.
const LONGEST: usize = 64;

/// A loop of fewer iterations is cheaper stored.
const SHORT: u128 = 8;

/// A part of a loop that can be executed again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// Its instructions.
    pub insts: BTreeSet<InstId>,
    /// The phis of the header among them.
    pub states: BTreeSet<ValueId>,
    /// The blocks at whose ends it branches as the primal does.
    pub branches: BTreeSet<BlockId>,
    /// What it reads from outside of the loop.
    pub reads: BTreeSet<ValueId>,
}

/// What is known of slices.
#[derive(Default)]
pub(super) struct Slices {
    iterations: HashMap<LoopId, Option<Rc<Iteration>>>,
    known: HashMap<(ValueId, LoopId), Option<Rc<Found>>>,
    recursive: Option<bool>,
}

/// The slice of a value.
pub(crate) struct Found {
    pub(crate) slice: Slice,
    /// Are the value's bits the same again?
    pub(super) exact: bool,
}

impl Recompute<'_> {
    /// The recipe for a value as a loop's iteration has it, by its slice.
    pub(super) fn replay(&mut self, v: ValueId, of: LoopId) -> Option<Recipe> {
        let found = self.slice(v, of)?;
        let around = self.shape.parent(of);
        let reads = found.slice.reads.iter();
        let wanted = reads.map(|r| Wanted::new(self.cx.func, self.shape, Item::Primal(*r), around));
        Some(Recipe::Replay(of, wanted.collect()))
    }

    /// The slice of a value in a loop.
    pub(crate) fn slice(&mut self, v: ValueId, of: LoopId) -> Option<Rc<Found>> {
        if let Some(known) = self.slices.known.get(&(v, of)) {
            return known.clone();
        }
        let stored = self.without.has(Lever::Replay) || self.cx.facts.joint.contains(&self.cx.id);
        let found = if stored { None } else { self.find_slice(v, of).map(Rc::new) };
        self.slices.known.insert((v, of), found.clone());
        found
    }

    fn find_slice(&mut self, v: ValueId, of: LoopId) -> Option<Found> {
        let iteration = self.iteration(of)?;
        let block = self.shape.block(self.cx.func.def_inst(v)?)?;
        if !self.is_there_again(block, of) || self.is_short(of) {
            return None;
        }
        let slice = self.backwards(v, (of, &iteration))?;
        // Without a recurrence there is nothing to have from a checkpoint.
        let carried = slice.states.iter().any(|s| !self.inductions().contains_key(s));
        if !carried || self.is_recursive() {
            return None;
        }
        let inexact = self.inexact(&slice, of);
        let decides = |i: &InstId| {
            let operands = self.cx.func.insts[*i].kind.operands();
            leaves_floats(self.cx, *i) && operands.iter().filter_map(|o| o.local()).any(|o| inexact.contains(&o))
        };
        let exact = !inexact.contains(&v);
        (!slice.insts.iter().any(decides)).then_some(Found { slice, exact })
    }

    pub(crate) fn iteration(&mut self, of: LoopId) -> Option<Rc<Iteration>> {
        let shape = self.shape;
        self.slices.iterations.entry(of).or_insert_with(|| Iteration::new(shape, of).map(Rc::new)).clone()
    }

    /// Has the replay met a block of the loop in every iteration in which somebody may ask for what it defines?
    fn is_there_again(&self, block: BlockId, of: LoopId) -> bool {
        let data = &self.shape.loops.loops[of];
        let from = |block| data.exits.iter().all(|(from, _)| *from == block);
        block == data.header || from(data.header) || data.latches.iter().all(|latch| from(*latch))
    }

    /// Is it known that the loop has few iterations?
    fn is_short(&self, of: LoopId) -> bool {
        let Some(trips) = trip_count::of(self.cx, self.shape, self.inductions(), of) else { return false };
        let (start, bound) = (self.cx.m.as_int(trips.start), self.cx.m.as_int(trips.bound));
        let distance = start.zip(bound).map(|(start, bound)| start.abs_diff(bound));
        match trips.step {
            Step::By(step) => distance.is_some_and(|d| d / u128::from(step) < SHORT),
            Step::Value(_) => false,
        }
    }

    /// May the function be called while it runs?
    fn is_recursive(&mut self) -> bool {
        if let Some(known) = self.slices.recursive {
            return known;
        }
        let cx = self.cx;
        let (mut seen, mut work, mut found) = (BTreeSet::new(), vec![cx.id], false);
        while let Some(id) = work.pop() {
            let Some(func) = cx.sources.get(&id) else { continue };
            for (_, inst) in func.inst_order().filter(|(_, i)| func.insts[*i].kind.as_call().is_some()) {
                for callee in cx.facts.called(cx.m, cx.sources, (id, func), inst) {
                    found |= callee == cx.id;
                    if seen.insert(callee) {
                        work.push(callee);
                    }
                }
            }
        }
        self.slices.recursive = Some(found);
        found
    }

    /// The slice, if all that is met may be executed again.
    fn backwards(&self, v: ValueId, (of, iteration): (LoopId, &Iteration)) -> Option<Slice> {
        let mut slice = Slice::default();
        let (mut work, mut met, mut blocks) = (vec![v], BTreeSet::new(), BTreeSet::new());
        while let Some(v) = work.pop() {
            let inside = self
                .cx
                .func
                .def_inst(v)
                .filter(|i| self.shape.block(*i).is_some_and(|b| self.shape.loops.contains(of, b)));
            let Some(inst) = inside else {
                slice.reads.insert(v);
                continue;
            };
            if !slice.insts.insert(inst) {
                continue;
            }
            let block = self.shape.block(inst)?;
            if !self.may_run_again(inst) || slice.insts.len() > LONGEST {
                return None;
            }
            met.insert(block);
            match &self.cx.func.insts[inst].kind {
                InstKind::Phi { incoming, .. } => {
                    let header = block == iteration.header;
                    let back = |(_, b): &&(Operand, BlockId)| !header || *b == iteration.latch;
                    let (again, first): (Vec<&(Operand, BlockId)>, Vec<_>) = incoming.iter().partition(back);
                    if first.iter().any(|(start, _)| *start != first[0].0) {
                        return None;
                    }
                    if header {
                        slice.states.insert(v);
                    }
                    met.extend(again.iter().map(|(_, b)| *b));
                    work.extend(incoming.iter().filter_map(|(o, _)| o.local()));
                }
                // A call's callee is a constant.
                kind => work.extend(kind.operands().into_iter().filter_map(Operand::local)),
            }
            while let Some(block) = met.pop_first() {
                if !blocks.insert(block) {
                    continue;
                }
                for branch in iteration.deciding(block) {
                    if slice.branches.insert(*branch) {
                        met.insert(*branch);
                        work.extend(self.condition(*branch)?.local());
                    }
                }
            }
        }
        Some(slice)
    }

    /// What a branch asks.
    fn condition(&self, branch: BlockId) -> Option<Operand> {
        match self.cx.func.insts[self.cx.func.terminator(branch)?].kind {
            InstKind::CondBr { cond, .. } => Some(cond),
            InstKind::Switch { value, .. } => Some(value),
            _ => None,
        }
    }

    /// May the instruction be executed again where the primal executed it? A recurrence of active numbers is not run
    /// again for its values.
    fn may_run_again(&self, inst: InstId) -> bool {
        let data = &self.cx.func.insts[inst];
        if data.result.is_none_or(|v| self.cx.has_adjoint(Operand::Local(v))) {
            return false;
        }
        match &data.kind {
            InstKind::Phi { .. }
            | InstKind::Binary { .. }
            | InstKind::FNeg { .. }
            | InstKind::ICmp { .. }
            | InstKind::FCmp { .. }
            | InstKind::Cast { .. }
            | InstKind::Gep { .. }
            | InstKind::Select { .. }
            | InstKind::ExtractElement { .. }
            | InstKind::InsertElement { .. }
            | InstKind::ShuffleVector { .. } => true,
            InstKind::Load { .. } => self.may_reload(inst),
            InstKind::Call(call) => call.bundles.is_empty() && (self.is_cheap(call) || self.is_of_table(call)),
            _ => false,
        }
    }

    /// A function of the table that writes nowhere.
    fn is_of_table(&self, call: &ir::Call) -> bool {
        let Some(f) = self.cx.m.as_function(call.callee) else { return false };
        match classify(self.cx.m, &self.cx.m.functions[f]) {
            External::Rule(row) => row.operands.iter().all(|o| o.is_float() || *o == rules::Operand::Integer),
            _ => false,
        }
    }

    /// The values of a slice that may have other bits when they are computed again.
    fn inexact(&mut self, slice: &Slice, of: LoopId) -> BTreeSet<ValueId> {
        let around = self.shape.parent(of);
        let mut out = BTreeSet::new();
        for read in &slice.reads {
            let wanted = Wanted::new(self.cx.func, self.shape, Item::Primal(*read), around);
            if !self.is_exact(wanted) {
                out.insert(*read);
            }
        }
        loop {
            let before = out.len();
            for inst in &slice.insts {
                let data = &self.cx.func.insts[*inst];
                let from = data.kind.operands().iter().filter_map(|o| o.local()).any(|o| out.contains(&o));
                if from || may_round_otherwise(self.cx, *inst) {
                    out.extend(data.result);
                }
            }
            if out.len() == before {
                return out;
            }
        }
    }

    /// What a slice costs, with what tells it from others.
    pub(crate) fn price(&mut self, wanted: Wanted) -> Option<(Rc<Slice>, u64)> {
        let (Item::Primal(v), Some(of)) = (wanted.item, wanted.region) else { return None };
        let found = self.slice(v, of)?;
        let units: u64 = found.slice.insts.iter().map(|i| self.units(*i, of)).sum();
        let deep = 10u64.saturating_pow(self.shape.depth(wanted.region));
        let price = units.saturating_mul(deep) / 16;
        Some((Rc::new(found.slice.clone()), price.max(1)))
    }

    /// How many simple instructions one is worth.
    fn units(&self, inst: InstId, of: LoopId) -> u64 {
        let data = &self.cx.func.insts[inst];
        let one = match &data.kind {
            InstKind::Phi { .. } => 0,
            InstKind::Binary { op, .. } if divides(*op) => 10,
            InstKind::Load { .. } => 3,
            InstKind::Call(call) if !self.is_cheap(call) => 200,
            _ => 1,
        };
        let home = self.shape.block(inst).and_then(|b| self.shape.region(b));
        let deeper = self.shape.depth(home).saturating_sub(self.shape.depth(Some(of)));
        one * 10u64.saturating_pow(deeper)
    }
}

fn divides(op: BinOp) -> bool {
    matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem | BinOp::FDiv | BinOp::FRem)
}
