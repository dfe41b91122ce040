//! The functions that run a slice of a loop again: copies of the loop with nothing but the slice in it.
//!
//! Its form stands in [`crate::reverse::replay`]. A block is copied if the copy can come there; where the slice does
//! not branch as the primal does, it jumps to where all ways meet, past blocks in which nothing of it stands (as dead
//! code is eliminated with control dependence: Cytron et al., "Efficiently Computing Static Single Assignment Form and
//! the Control Dependence Graph", 1991, §7.1).

use crate::base::builder::Builder;
use crate::base::regions::Shape;
use crate::base::{alias_scopes, names};
use crate::plan::data::Replay;
use crate::reverse::Emitter;
use crate::reverse::replay_buffers::{OWN, Places, checkpoint, get, put, row};
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BinOp, BlockId, Function, InstId, InstKind, IntPred, MdId, Operand, Origin, Role, ValueId};
use std::collections::BTreeSet;

/// What a run of a slice is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The rows of a segment.
    Rows,
    /// The checkpoints of a level.
    Checkpoints,
}

/// The making of a function that runs a slice.
pub(super) struct Run<'a, 'm> {
    b: Builder<'m>,
    purpose: Purpose,
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
    pub(super) fn new<'e>(
        e: &'m mut Emitter<'a, 'e>,
        (of, replay): (LoopId, &'a Replay),
        (shape, purpose): (&'a Shape, Purpose),
    ) -> Run<'a, 'm> {
        let func = e.func;
        let origins = replay.slice.insts.iter().map(|i| (*i, e.origin(*i, Role::Clone))).collect();
        let may_change = |i: &&InstId| match func.insts[**i].kind {
            InstKind::Load { ptr, .. } => !e.cx().never_written(ptr),
            _ => false,
        };
        let unscoped = replay.slice.insts.iter().filter(may_change).copied().collect();
        let (ptr, i64t, void) = (e.b.m.types.ptr(), e.b.m.types.int(64), e.b.m.types.void());
        let mut params = vec![ptr, ptr, i64t, i64t];
        params.extend(replay.slice.reads.iter().map(|v| func.value_ty(*v)));
        let name = match purpose {
            Purpose::Rows => "run",
            Purpose::Checkpoints => "advance",
        };
        let mut f = Function::new(&names::unique(e.b.m, &format!("__adj_{name}_{}", func.name)), void, &params);
        f.flags.linkage = "internal".to_owned();
        let row = row(e.b.m, func, replay);
        let list = e.record_list;
        let b = Builder::new(e.b.m, f);
        let at = b.f.param(0);
        let values = replay.slice.reads.iter().enumerate().map(|(i, v)| (*v, b.f.param(OWN + i))).collect();
        Run {
            b,
            purpose,
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

    fn stand_for(&mut self, inst: InstId, role: Role) {
        self.b.loc = self.func.insts[inst].loc;
        self.b.origin = self.origins[&inst].map(|origin| Origin { role, ..origin });
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

    /// The function, which is not yet in the module.
    pub(super) fn function(mut self) -> Function {
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
            if *block == header && self.purpose == Purpose::Checkpoints {
                self.keep(index, &states, done);
            }
            self.instructions(*block);
            if *block == header && !self.replay.whole && self.purpose == Purpose::Rows {
                let on = self.b.f.add_block("on");
                self.test((index, 3), done, on);
                self.b.at = on;
                self.ends.insert(header, on);
            }
            (self.b.origin, self.b.loc) = (None, None);
            if *block != latch {
                self.terminate(*block);
            }
        }
        self.b.at = self.ends[&latch];
        let one = self.b.m.int(64, 1);
        let next = self.b.binary(BinOp::Add, index, one);
        match self.purpose {
            Purpose::Rows => self.test((index, 2), done, self.blocks[&header]),
            Purpose::Checkpoints => self.b.br(self.blocks[&header]),
        }
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

    /// Ends a block: the run ends with the number that a parameter tells, or goes on.
    fn test(&mut self, (index, param): (Operand, usize), done: BlockId, on: BlockId) {
        (self.b.origin, self.b.loc) = (None, None);
        let last = self.b.icmp(IntPred::Eq, index, self.b.f.param(param));
        self.b.cond_br(last, done, on);
    }

    fn incoming(&mut self, phi: InstId, value: Operand, from: BlockId) {
        if let InstKind::Phi { incoming, .. } = &mut self.b.f.insts[phi].kind {
            incoming.push((value, from));
        }
    }

    /// Starts from the checkpoint or from the start of the loop, and begins the header: the number of the row, and the
    /// phis that the slice carries on.
    fn begin(&mut self, header: BlockId) -> (Operand, Vec<(InstId, InstId)>) {
        let entry = self.b.at;
        let (ptr, i64t) = (self.b.m.types.ptr(), self.b.m.types.int(64));
        let places = checkpoint(self.b.m, self.func, self.replay);
        let restore = self.b.f.add_block("restore");
        let (zero, null, from) = (self.b.m.int(64, 0), self.b.m.zero(ptr), self.b.f.param(1));
        let first = self.b.icmp(IntPred::Eq, from, null);
        self.b.cond_br(first, self.blocks[&header], restore);
        self.b.at = restore;
        let mut carried = Vec::new();
        for (state, offset) in self.replay.slice.states.iter().zip(&places.offsets) {
            let at = self.b.offset(from, *offset);
            carried.push(get(&mut self.b, self.list, self.func.value_ty(*state), at));
        }
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
            self.stand_for(inst, Role::Clone);
            let id = self.b.push(phi(vec![(self.value(*start), entry), (kept, restore)]), self.func.value_ty(*state));
            self.values.insert(*state, self.b.result(id));
            states.push((inst, id));
        }
        (self.b.origin, self.b.loc) = (None, None);
        if self.purpose == Purpose::Rows {
            self.at = self.element(index, self.row.size);
            states.iter().for_each(|(state, _)| self.export(*state));
        }
        (index, states)
    }

    /// An element of what is written.
    fn element(&mut self, index: Operand, size: u64) -> Operand {
        let size = self.b.m.int(64, u128::from(size));
        let bytes = self.b.binary(BinOp::Mul, index, size);
        self.b.offset_by(self.b.f.param(0), bytes)
    }

    /// Keeps a checkpoint of a level, if its time has come; it may be the last one.
    fn keep(&mut self, index: Operand, states: &[(InstId, InstId)], done: BlockId) {
        let (one, zero) = (self.b.m.int(64, 1), self.b.m.int(64, 0));
        let shift = self.b.f.param(3);
        let apart = self.b.binary(BinOp::Shl, one, shift);
        let mask = self.b.binary(BinOp::Sub, apart, one);
        let within = self.b.binary(BinOp::And, index, mask);
        let due = self.b.icmp(IntPred::Eq, within, zero);
        let [keep, on] = ["keep", "on"].map(|name| self.b.f.add_block(name));
        self.b.cond_br(due, keep, on);
        self.b.at = keep;
        let number = self.b.binary(BinOp::LShr, index, shift);
        let places = checkpoint(self.b.m, self.func, self.replay);
        let to = self.element(number, places.size);
        for ((state, phi), offset) in states.iter().zip(&places.offsets) {
            self.stand_for(*state, Role::Push);
            let at = self.b.offset(to, *offset);
            let value = self.b.result(*phi);
            put(&mut self.b, self.list, value, at);
        }
        self.test((number, 2), done, on);
        self.b.at = on;
        self.ends.insert(self.shape.loops.loops[self.of].header, on);
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
            self.stand_for(*inst, Role::Clone);
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
            self.stand_for(inst, Role::Clone);
            let id = self.b.push(kind, data.ty);
            let mut metadata = data.metadata.clone();
            if self.unscoped.contains(&inst) {
                alias_scopes::leave_scopes(&mut metadata);
            }
            self.b.f.insts[id].metadata = metadata;
            self.values.extend(data.result.map(|v| (v, self.b.result(id))));
            self.export(inst);
        }
    }

    /// Writes a value to the row, if it is wanted there.
    fn export(&mut self, inst: InstId) {
        let Some(v) = self.func.insts[inst].result.filter(|_| self.purpose == Purpose::Rows) else { return };
        let Some(place) = self.replay.rows.iter().position(|row| *row == v) else { return };
        self.stand_for(inst, Role::Push);
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
