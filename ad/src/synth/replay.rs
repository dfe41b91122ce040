//! Checkpoints of recurrences that are not active, and their replay ([`crate::plan::replay`]).
//!
//! A checkpoint is a block of the tape: the phis of the header that the slice carries on, and the checkpoint before. The last one stands in the record of the body. In
//! the reverse pass a slot holds the last one that was not used yet. The slice becomes a function:
//!
//! ```text
//! replay(buffer, slot, first, last, left, values from outside…) {
//!   state = first == 0 ? start of the loop : *slot, which goes on to the checkpoint before;
//!   for (row = 0;; row++) { header; if (row == left) return; rest of the iteration; if (row == last) return; state = next state; }
//! }
//! ```
//!
//! Each value is written to `buffer[row]` where it is computed. `left` is the row of the iteration in which the primal left the loop, if that is not left at the latch.
//! It is called where the reverse pass enters the loop, and where it comes back to an iteration that ends a segment. So the buffer, which is on the stack of the reverse
//! pass, has the iteration that is being reversed at the row of its number modulo the number of rows.

use super::Emitter;
use crate::build::Builder;
use crate::disjoint;
use crate::error::Diagnostic;
use crate::ledger::{self, Kept};
use crate::needs::Item;
use crate::options::Lever;
use crate::plan::replay::Replay;
use crate::plan::{Field, Wanted};
use crate::runtime::TAPE_ALIGN;
use crate::shape::Shape;
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{
    BinOp, BlockId, FuncId, Function, InstId, InstKind, IntPred, MdId, Module, Operand, Origin, Role, TypeId, ValueId,
};
use std::collections::BTreeSet;

/// What the reverse pass has for a loop.
#[derive(Clone, Copy)]
pub(super) struct Running {
    buffer: Operand,
    slot: Operand,
    function: FuncId,
}

/// Where values lie in a row, or in a checkpoint.
struct Places {
    size: u64,
    align: u64,
    offsets: Vec<u64>,
}

fn places(m: &mut Module, types: Vec<TypeId>) -> Places {
    let ty = m.types.tuple(types);
    let align = m.layout.align_of(&m.types, ty);
    let (size, offsets) = m.layout.struct_layout(&m.types, ty).map_or((0, Vec::new()), |l| (l.size, l.offsets));
    Places { size, align, offsets }
}

/// The places of the carried values in a checkpoint, and last that of the one before.
fn checkpoint(m: &mut Module, func: &Function, replay: &Replay) -> Places {
    let mut types: Vec<TypeId> = replay.slice.states.iter().map(|v| func.value_ty(*v)).collect();
    types.push(m.types.ptr());
    places(m, types)
}

fn row(m: &mut Module, func: &Function, replay: &Replay) -> Places {
    places(m, replay.rows.iter().map(|v| func.value_ty(*v)).collect())
}

/// Accesses a cell of a checkpoint or a row.
fn access(b: &mut Builder, list: MdId, ty: TypeId, kind: InstKind) -> InstId {
    let id = b.push(kind, ty);
    disjoint::is_record(&mut b.f.insts[id].metadata, list);
    id
}

fn put(b: &mut Builder, list: MdId, value: Operand, ptr: Operand) -> InstId {
    let (void, align) = (b.m.types.void(), b.align(b.ty(value)).min(TAPE_ALIGN));
    access(b, list, void, InstKind::Store { value, ptr, align, volatile: false, atomic: None })
}

fn get(b: &mut Builder, list: MdId, ty: TypeId, ptr: Operand) -> Operand {
    let align = b.align(ty).min(TAPE_ALIGN);
    let id = access(b, list, ty, InstKind::Load { ptr, align, volatile: false, atomic: None });
    b.result(id)
}

impl Emitter<'_, '_> {
    /// No checkpoints yet; and the blocks in which the headers go on when one was made.
    pub(super) fn begin_checkpoints(&mut self) {
        for l in self.plan.replays.keys() {
            let ptr = self.b.m.types.ptr();
            let null = self.b.m.zero(ptr);
            self.write(None, Field::Checkpoint(*l), null);
            let on = self.b.f.add_block("f.on");
            self.ends.insert(self.shape.loops.loops[*l].header, on);
        }
    }

    /// A checkpoint at the header of a loop, if its time has come.
    pub(super) fn keep_checkpoint(&mut self, block: BlockId) -> Result<(), Diagnostic> {
        let Some((l, replay)) = self.shape.header_of(block).and_then(|l| Some((l, self.plan.replays.get(&l)?))) else {
            return Ok(());
        };
        let (index, ptr) = (self.iterations[&l], self.b.m.types.ptr());
        let [mask, zero] = [u128::from(replay.period - 1), 0].map(|n| self.b.m.int(64, n));
        let within = self.b.binary(BinOp::And, index, mask);
        let begins = self.b.icmp(IntPred::Eq, within, zero);
        let later = self.b.icmp(IntPred::Ne, index, zero);
        let due = self.b.binary(BinOp::And, begins, later);
        let (keep, on) = (self.b.f.add_block("f.keep"), self.ends[&block]);
        self.b.cond_br(due, keep, on);
        self.b.at = keep;
        let places = checkpoint(self.b.m, self.func, replay);
        let node = self.allocate_record(places.size);
        for (state, offset) in replay.slice.states.iter().zip(&places.offsets) {
            if let Some(phi) = self.func.def_inst(*state) {
                self.stand_for(phi, Role::Push);
            }
            let at = self.b.offset(node, *offset);
            self.note(self.primal[state], at, Kept::Value);
        }
        self.role(Role::Push);
        let before = self.read(None, Field::Checkpoint(l))?;
        let at = self.b.offset(node, places.size - self.b.m.size_of(ptr));
        self.note(before, at, Kept::Way);
        self.write(None, Field::Checkpoint(l), node);
        self.b.br(on);
        self.b.at = on;
        Ok(())
    }

    fn note(&mut self, value: Operand, at: Operand, kept: Kept) {
        let id = put(&mut self.b, self.record_list, value, at);
        ledger::mark(&mut self.b.f.insts[id].metadata, kept, self.record_list);
    }

    /// Buffers, slots and functions of the loops that are run again.
    pub(super) fn make_buffers(&mut self) {
        let (func, shape, plan) = (self.func, self.shape, self.plan);
        for (l, replay) in &plan.replays {
            let places = row(self.b.m, func, replay);
            let (i8t, ptr) = (self.b.m.types.int(8), self.b.m.types.ptr());
            let bytes = self.b.m.types.array(places.size * replay.period, i8t);
            let buffer = self.stack(bytes, places.align.max(TAPE_ALIGN));
            let slot = self.stack(ptr, 8);
            let mut f = Run::new(self, (*l, replay), shape).function();
            match self.env.without.has(Lever::AliasScopes) {
                false => disjoint::others(self.b.m, &mut f, self.record_list),
                true => disjoint::forget(&mut f, self.record_list),
            }
            let function = self.b.m.functions.push(f);
            self.running.insert(*l, Running { buffer, slot, function });
        }
    }

    /// The reverse pass begins with the last checkpoints.
    pub(super) fn begin_replays(&mut self) -> Result<(), Diagnostic> {
        for l in self.plan.replays.keys() {
            let last = self.read(None, Field::Checkpoint(*l))?;
            self.b.store(last, self.running[l].slot, 8);
        }
        Ok(())
    }

    /// Fills the buffer for the segment that ends with an iteration.
    fn fill(&mut self, l: LoopId, last: Operand, leaves: bool) -> Result<(), Diagnostic> {
        let (replay, running) = (&self.plan.replays[&l], self.running[&l]);
        let mask = self.b.m.int(64, u128::from(replay.period - 1));
        let row = self.b.binary(BinOp::And, last, mask);
        let first = self.b.binary(BinOp::Sub, last, row);
        let left = if leaves { row } else { self.b.m.int(64, u128::from(replay.period)) };
        let mut args = vec![running.buffer, running.slot, first, row, left];
        // What the block has fetched may be of another iteration of a loop around, and what is fetched here is not at hand elsewhere.
        let fetched = std::mem::take(&mut self.fetched);
        for read in &replay.slice.reads {
            args.push(self.seen_from(Operand::Local(*read), self.shape.parent(l))?);
        }
        self.fetched = fetched;
        self.b.call(running.function, args);
        Ok(())
    }

    /// The reverse pass enters a loop at its last iteration.
    pub(super) fn replay_last(&mut self, l: LoopId, last: Operand) -> Result<(), Diagnostic> {
        match self.plan.replays.contains_key(&l) {
            true => self.fill(l, last, true),
            false => Ok(()),
        }
    }

    /// The reverse pass comes back to an iteration, with which a segment may end.
    pub(super) fn replay_before(&mut self, l: LoopId, index: Operand) -> Result<(), Diagnostic> {
        let Some(replay) = self.plan.replays.get(&l) else { return Ok(()) };
        let mask = self.b.m.int(64, u128::from(replay.period - 1));
        let within = self.b.binary(BinOp::And, index, mask);
        let ends = self.b.icmp(IntPred::Eq, within, mask);
        let [again, on] = ["r.again", "r.on"].map(|name| self.b.f.add_block(name));
        self.b.cond_br(ends, again, on);
        self.b.at = again;
        self.fill(l, index, false)?;
        self.b.br(on);
        self.b.at = on;
        Ok(())
    }

    /// A value of the iteration that is being reversed, from the buffer.
    pub(super) fn replayed(&mut self, wanted: Wanted) -> Result<Operand, Diagnostic> {
        let found = wanted.region.and_then(|l| Some((l, self.plan.replays.get(&l)?)));
        let (Some((l, replay)), Item::Primal(v)) = (found.filter(|_| self.plan.is_replayed(wanted)), wanted.item)
        else {
            return self.bug(format!("{wanted:?} is run again, but nothing is made of that"));
        };
        let places = row(self.b.m, self.func, replay);
        let offset = replay.rows.iter().zip(&places.offsets).find(|(w, _)| **w == v).map_or(0, |(_, offset)| *offset);
        let i64t = self.b.m.types.int(64);
        let index = self.b.load(i64t, self.loop_counts[&l], 8);
        let [mask, size] = [replay.period - 1, places.size].map(|n| self.b.m.int(64, u128::from(n)));
        let row = self.b.binary(BinOp::And, index, mask);
        let bytes = self.b.binary(BinOp::Mul, row, size);
        let at = self.b.offset_by(self.running[&l].buffer, bytes);
        let at = self.b.offset(at, offset);
        Ok(get(&mut self.b, self.record_list, self.func.value_ty(v), at))
    }
}

/// The making of the function that runs a slice.
struct Run<'a, 'm> {
    b: Builder<'m>,
    func: &'a Function,
    shape: &'a Shape,
    of: LoopId,
    replay: &'a Replay,
    /// What each instruction stands for; the loads that keep no scopes of the program.
    origins: HashMap<InstId, Option<Origin>>,
    unscoped: BTreeSet<InstId>,
    list: MdId,
    values: HashMap<ValueId, Operand>,
    blocks: HashMap<BlockId, BlockId>,
    ends: HashMap<BlockId, BlockId>,
    /// The row of the iteration.
    at: Operand,
    row: Places,
    phis: Vec<(InstId, InstId)>,
}

impl<'a, 'm> Run<'a, 'm> {
    fn new<'e>(e: &'m mut Emitter<'a, 'e>, (of, replay): (LoopId, &'a Replay), shape: &'a Shape) -> Run<'a, 'm> {
        let func = e.func;
        let origins = replay.slice.insts.iter().map(|i| (*i, e.origin(*i, Role::Clone))).collect();
        let may_change = |i: &&InstId| match func.insts[**i].kind {
            InstKind::Load { ptr, .. } => !e.cx().never_written(ptr),
            _ => false,
        };
        let unscoped = replay.slice.insts.iter().filter(may_change).copied().collect();
        let (ptr, i64t, void) = (e.b.m.types.ptr(), e.b.m.types.int(64), e.b.m.types.void());
        let mut params = vec![ptr, ptr, i64t, i64t, i64t];
        params.extend(replay.slice.reads.iter().map(|v| func.value_ty(*v)));
        let mut f = Function::new(&super::unique(e.b.m, &format!("__adj_replay_{}", func.name)), void, &params);
        f.flags.linkage = "internal".to_owned();
        let row = row(e.b.m, func, replay);
        let list = e.record_list;
        let b = Builder::new(e.b.m, f);
        let at = b.f.param(0);
        let values = replay.slice.reads.iter().enumerate().map(|(i, v)| (*v, b.f.param(5 + i))).collect();
        Run {
            b,
            func,
            shape,
            of,
            replay,
            origins,
            unscoped,
            list,
            values,
            blocks: HashMap::default(),
            ends: HashMap::default(),
            at,
            row,
            phis: Vec::new(),
        }
    }

    fn value(&self, operand: Operand) -> Operand {
        operand.local().and_then(|v| self.values.get(&v).copied()).unwrap_or(operand)
    }

    /// Where the slice goes from a block of the loop, each edge once; back to the header from nowhere.
    fn successors(&self, block: BlockId) -> Vec<BlockId> {
        if let Some(to) = self.replay.jumps.get(&block) {
            return vec![*to];
        }
        let header = self.shape.loops.loops[self.of].header;
        let within = |to: &BlockId| *to != header && self.shape.loops.contains(self.of, *to);
        let mut out: Vec<BlockId> = self.func.successors(block).into_iter().filter(within).collect();
        let all = out.clone();
        if all.iter().all(|to| *to == all[0]) {
            out.truncate(1);
        }
        out
    }

    fn function(mut self) -> Function {
        let data = &self.shape.loops.loops[self.of];
        let (header, latch) = (data.header, data.latches[0]);
        let mut met = BTreeSet::from([header]);
        let mut work = vec![header];
        while let Some(block) = work.pop() {
            work.extend(self.successors(block).into_iter().filter(|to| met.insert(*to)));
        }
        let order: Vec<BlockId> = data.blocks.iter().copied().filter(|b| met.contains(b)).collect();
        for block in &order {
            let made = self.b.f.add_block(&self.func.blocks[*block].name);
            self.blocks.insert(*block, made);
            self.ends.insert(*block, made);
        }
        let done = self.b.f.add_block("done");
        let (index, states) = self.begin(header);
        for block in &order {
            self.b.at = self.blocks[block];
            self.instructions(*block);
            if *block == header && !self.replay.whole {
                let on = self.b.f.add_block("on");
                self.test((index, 4), done, on);
                self.b.at = on;
                self.ends.insert(header, on);
            }
            self.b.origin = None;
            if *block != latch {
                self.terminate(*block);
            }
        }
        self.b.at = self.ends[&latch];
        let one = self.b.m.int(64, 1);
        let next = self.b.binary(BinOp::Add, index, one);
        self.test((index, 3), done, self.blocks[&header]);
        self.complete(&order);
        let back = self.ends[&latch];
        if let Some(counter) = index.local().and_then(|v| self.b.f.def_inst(v)) {
            self.incoming(counter, next, back);
        }
        for (state, phi) in states {
            let InstKind::Phi { incoming, .. } = &self.func.insts[state].kind else { continue };
            let Some((next, _)) = incoming.iter().find(|(_, from)| *from == latch) else { continue };
            let next = self.value(*next);
            self.incoming(phi, next, back);
        }
        self.b.at = done;
        self.b.effect(InstKind::Ret(None));
        self.b.f
    }

    /// Ends a block: the replay ends with the row that a parameter tells, or goes on.
    fn test(&mut self, (index, param): (Operand, usize), done: BlockId, on: BlockId) {
        self.b.origin = None;
        let last = self.b.icmp(IntPred::Eq, index, self.b.f.param(param));
        self.b.cond_br(last, done, on);
    }

    fn incoming(&mut self, phi: InstId, value: Operand, from: BlockId) {
        if let InstKind::Phi { incoming, .. } = &mut self.b.f.insts[phi].kind {
            incoming.push((value, from));
        }
    }

    /// Starts from the checkpoint or from the start of the loop, and begins the header: the number of the row, and the phis that the slice carries on.
    fn begin(&mut self, header: BlockId) -> (Operand, Vec<(InstId, InstId)>) {
        let entry = self.b.at;
        let (ptr, i64t) = (self.b.m.types.ptr(), self.b.m.types.int(64));
        let places = checkpoint(self.b.m, self.func, self.replay);
        let restore = self.b.f.add_block("restore");
        let zero = self.b.m.int(64, 0);
        let first = self.b.icmp(IntPred::Eq, self.b.f.param(2), zero);
        self.b.cond_br(first, self.blocks[&header], restore);
        self.b.at = restore;
        let slot = self.b.f.param(1);
        let node = self.b.load(ptr, slot, 8);
        let mut carried = Vec::new();
        for (state, offset) in self.replay.slice.states.iter().zip(&places.offsets) {
            let at = self.b.offset(node, *offset);
            carried.push(get(&mut self.b, self.list, self.func.value_ty(*state), at));
        }
        let at = self.b.offset(node, places.size - self.b.m.size_of(ptr));
        let before = get(&mut self.b, self.list, ptr, at);
        self.b.store(before, slot, 8);
        self.b.br(self.blocks[&header]);

        self.b.at = self.blocks[&header];
        let phi = |incoming| InstKind::Phi { fast: Default::default(), incoming };
        let counter = self.b.push(phi(vec![(zero, entry), (zero, restore)]), i64t);
        let index = self.b.result(counter);
        let mut states = Vec::new();
        for (state, kept) in self.replay.slice.states.iter().zip(carried) {
            let Some(inst) = self.func.def_inst(*state) else { continue };
            let InstKind::Phi { incoming, .. } = &self.func.insts[inst].kind else { continue };
            let outside = |from: &BlockId| !self.shape.loops.contains(self.of, *from);
            let Some((start, _)) = incoming.iter().find(|(_, from)| outside(from)) else { continue };
            self.b.origin = self.origins[&inst];
            let id = self.b.push(phi(vec![(self.value(*start), entry), (kept, restore)]), self.func.value_ty(*state));
            self.values.insert(*state, self.b.result(id));
            states.push((inst, id));
        }
        self.b.origin = None;
        let size = self.b.m.int(64, u128::from(self.row.size));
        let bytes = self.b.binary(BinOp::Mul, index, size);
        self.at = self.b.offset_by(self.b.f.param(0), bytes);
        for (state, _) in &states {
            self.export(*state);
        }
        (index, states)
    }

    /// The instructions of the slice in a block.
    fn instructions(&mut self, block: BlockId) {
        let all = &self.func.blocks[block].insts;
        let own: Vec<InstId> = all.iter().copied().filter(|i| self.replay.slice.insts.contains(i)).collect();
        let is_phi = |i: &InstId| matches!(self.func.insts[*i].kind, InstKind::Phi { .. });
        let (phis, rest): (Vec<InstId>, Vec<InstId>) = own.into_iter().partition(is_phi);
        let fresh: Vec<InstId> = phis
            .into_iter()
            .filter(|i| self.func.insts[*i].result.is_none_or(|v| !self.replay.slice.states.contains(&v)))
            .collect();
        for inst in &fresh {
            let (data, kind) =
                (&self.func.insts[*inst], InstKind::Phi { fast: Default::default(), incoming: Vec::new() });
            self.b.origin = self.origins[inst];
            let id = self.b.push(kind, data.ty);
            self.values.extend(data.result.map(|v| (v, self.b.result(id))));
            self.phis.push((*inst, id));
        }
        for inst in &fresh {
            self.export(*inst);
        }
        for inst in rest {
            let data = &self.func.insts[inst];
            let mut kind = data.kind.clone();
            kind.for_each_operand_mut(|o| *o = self.value(*o));
            self.b.origin = self.origins[&inst];
            let id = self.b.push(kind, data.ty);
            let mut metadata = data.metadata.clone();
            if self.unscoped.contains(&inst) {
                disjoint::leave_scopes(&mut metadata);
            }
            self.b.f.insts[id].metadata = metadata;
            self.values.extend(data.result.map(|v| (v, self.b.result(id))));
            self.export(inst);
        }
    }

    /// Writes a value to the row, if it is wanted there.
    fn export(&mut self, inst: InstId) {
        let Some(v) = self.func.insts[inst].result else { return };
        let Some(place) = self.replay.rows.iter().position(|row| *row == v) else { return };
        self.b.origin = self.origins[&inst].map(|origin| Origin { role: Role::Push, ..origin });
        let at = self.b.offset(self.at, self.row.offsets[place]);
        put(&mut self.b, self.list, self.values[&v], at);
    }

    /// Goes on from a block: as the primal does, or to where all its ways meet.
    fn terminate(&mut self, block: BlockId) {
        let to = self.successors(block);
        if let [only] = to[..] {
            return self.b.br(self.blocks[&only]);
        }
        let Some(end) = self.func.terminator(block) else { return };
        let mut kind = self.func.insts[end].kind.clone();
        kind.for_each_operand_mut(|o| *o = self.value(*o));
        // Ways out of the loop are not taken here.
        kind.map_successors(|b| to.iter().find(|t| **t == b).or(to.first()).map_or(b, |t| self.blocks[t]));
        self.b.effect(kind);
    }

    /// The phis of merges, with one entry for each edge.
    fn complete(&mut self, order: &[BlockId]) {
        for (inst, made) in std::mem::take(&mut self.phis) {
            let (Some(block), InstKind::Phi { incoming, .. }) = (self.shape.block(inst), &self.func.insts[inst].kind)
            else {
                continue;
            };
            for from in order {
                let end = self.ends[from];
                let edges = self.b.f.successors(end).into_iter().filter(|to| *to == self.blocks[&block]).count();
                let Some((value, _)) = incoming.iter().find(|(_, b)| b == from) else { continue };
                let value = self.value(*value);
                (0..edges).for_each(|_| self.incoming(made, value, end));
            }
        }
    }
}
