//! The reverse pass: blocks in reverse, each going on to the reverse of the predecessor that was taken.

use crate::analysis::context::Item;
use crate::emit::messages;
use crate::emit::trip_count::last_iteration;
use crate::error::Diagnostic;
use crate::mode::Activity;
use crate::options::Fault;
use crate::plan::data::Field;
use crate::reverse::{Derived, Emitter};
use crate::runtime::tape;
use ir::loops::LoopId;
use ir::{BinOp, BlockId, InstId, InstKind, IntPred, Operand, Role, ValueId};

impl Emitter<'_, '_> {
    /// Emits the reverse pass from the cursor on, with the adjoint of the result as seed.
    pub(super) fn reverse(&mut self, seed: Option<Operand>, activities: &[Activity]) -> Result<(), Diagnostic> {
        self.b.origin = None;
        let start = if self.combined {
            let start = self.b.f.add_block("reverse");
            self.b.br(start);
            start
        } else {
            self.b.at
        };
        self.make_blocks();
        self.make_counters();
        self.make_buffers();
        for block in self.shape.cfg.rpo().iter().rev() {
            if !self.reversed.contains_key(block) {
                continue;
            }
            self.b.at = self.reversed[block];
            self.here = *block;
            self.fetched.clear();
            self.reverse_block(*block, seed)?;
            if *block == self.func.entry() {
                self.finish(activities)?;
            } else {
                self.go_back(*block)?;
            }
        }
        self.b.at = start;
        if (self.combined || self.root) && !self.env.facts.joint.contains(&self.id) {
            messages::separate(&mut self.b, self.env.sources.values());
        }
        self.clear_slots();
        self.begin_replays()?;
        let first = self.reversed[&self.plan.exit];
        self.b.br(first);
        Ok(())
    }

    fn make_blocks(&mut self) {
        for block in self.shape.cfg.rpo().iter().rev() {
            if self.plan.returning.contains(block) {
                let name = format!("r.{}", self.func.blocks[*block].name);
                let reversed = self.b.f.add_block(&name);
                self.reversed.insert(*block, reversed);
            }
        }
    }

    fn make_counters(&mut self) {
        let (i64t, ptr) = (self.b.m.types.int(64), self.b.m.types.ptr());
        for l in &self.plan.live_loops {
            let count = self.stack(i64t, 8);
            self.loop_counts.insert(*l, count);
            if self.plan.layouts.contains_key(&Some(*l)) {
                let record = self.stack(ptr, 8);
                self.loop_records.insert(*l, record);
            }
        }
    }

    fn reverse_block(&mut self, block: BlockId, seed: Option<Operand>) -> Result<(), Diagnostic> {
        if !self.plan.live.contains(&block) {
            return Ok(());
        }
        for inst in self.func.blocks[block].insts.iter().rev() {
            if !self.cx().acts(*inst) {
                continue;
            }
            self.stand_for(*inst, Role::Adjoint);
            match self.func.insts[*inst].kind {
                InstKind::Phi { .. } => {}
                InstKind::Ret(Some(value)) => {
                    if let Some(seed) = seed {
                        let (from, to) = (self.return_packing(self.id), self.packing(value));
                        let seed = self.repack(*inst, seed, &from, &to)?;
                        self.accumulate(value, seed);
                    }
                }
                _ => self.reverse_inst(*inst)?,
            }
        }
        Ok(())
    }

    /// Ends the reverse of a block: hands the adjoints of its phis on and goes to a predecessor.
    fn go_back(&mut self, block: BlockId) -> Result<(), Diagnostic> {
        let phis = self.take_phis(block);
        self.b.origin = None;
        if let Some(target) = self.plan.skip.get(&block) {
            let to = self.reversed[target];
            self.b.br(to);
            return Ok(());
        }
        let preds = self.plan.preds(self.shape, block);
        let header = self.shape.header_of(block);
        let live = header.filter(|l| self.plan.live_loops.contains(l));
        let targets: Vec<BlockId> = match header {
            // Blocks of a loop that is not reversed lead straight out of it.
            Some(l) if live.is_none() => preds.iter().copied().filter(|p| !self.shape.loops.contains(l, *p)).collect(),
            _ => preds.clone(),
        };
        let edges: Vec<BlockId> = targets.iter().map(|_| self.b.f.add_block("edge")).collect();
        let at = self.b.at;
        match (live, targets.len()) {
            (_, 1) => self.b.br(edges[0]),
            (Some(l), 2) => {
                let i64t = self.b.m.types.int(64);
                let slot = self.loop_counts[&l];
                let index = self.b.load(i64t, slot, 8);
                let zero = self.b.m.int(64, 0);
                let first = self.b.icmp(IntPred::Eq, index, zero);
                let back = usize::from(self.shape.loops.contains(l, targets[1]));
                let (entry, latch) = (edges[1 - back], edges[back]);
                self.b.cond_br(first, entry, latch);
            }
            _ => self.choose(block, &preds, &targets, &edges)?,
        }
        for (from, edge) in targets.iter().zip(&edges) {
            self.b.at = *edge;
            self.cross(*from, block, &phis, live)?;
        }
        self.b.at = at;
        Ok(())
    }

    /// Jumps by the condition that tells the predecessor, or by the recorded one.
    fn choose(
        &mut self,
        block: BlockId,
        preds: &[BlockId],
        targets: &[BlockId],
        edges: &[BlockId],
    ) -> Result<(), Diagnostic> {
        let edge = |pred| targets.iter().position(|p| *p == pred).map(|i| edges[i]);
        if let Some(way) = self.plan.ways.get(&block) {
            let cond = self.fetch(Item::Primal(way.cond))?;
            if let (Some(then_to), Some(else_to)) = (edge(way.if_true), edge(way.if_false)) {
                self.b.cond_br(cond, then_to, else_to);
            }
            return Ok(());
        }
        let value = self.read(self.plan.pred_region(self.shape, block), Field::Pred(block))?;
        let mut cases = Vec::new();
        for (target, edge) in targets.iter().zip(edges).skip(1) {
            let index = preds.iter().position(|p| p == target).unwrap_or(0);
            if let Operand::Const(c) = self.b.m.int(32, index as u128) {
                cases.push((c, *edge));
            }
        }
        self.b.effect(InstKind::Switch { value, default: edges[0], cases });
        Ok(())
    }

    /// All phis of a block take their adjoints before any hands it on, since they are assigned at once.
    fn take_phis(&mut self, block: BlockId) -> Vec<(InstId, ValueId, Operand)> {
        let mut out = Vec::new();
        for inst in self.func.blocks[block].insts.clone() {
            if let (InstKind::Phi { .. }, Some(v), true) =
                (&self.func.insts[inst].kind, self.func.insts[inst].result, self.cx().acts(inst))
            {
                self.stand_for(inst, Role::Adjoint);
                let adjoint = self.take(v);
                out.push((inst, v, adjoint));
            }
        }
        out
    }

    /// The reverse of the edge `from -> to`.
    fn cross(
        &mut self,
        from: BlockId,
        to: BlockId,
        phis: &[(InstId, ValueId, Operand)],
        live: Option<LoopId>,
    ) -> Result<(), Diagnostic> {
        for (inst, v, adjoint) in phis {
            self.stand_for(*inst, Role::Adjoint);
            let InstKind::Phi { incoming, .. } = &self.func.insts[*inst].kind else { continue };
            let skipped = self.has_fault(Fault::SkippedEdge) && incoming.last().is_some_and(|(_, b)| *b == from);
            let value = incoming.iter().find(|(_, b)| *b == from).map(|(v, _)| *v);
            if let (Some(value), false) = (value, skipped) {
                self.pass_on(*inst, *v, value, *adjoint)?;
            }
        }
        self.b.origin = None;
        if let Some(l) = live.filter(|l| self.shape.loops.contains(*l, from)) {
            self.step_back(l)?;
        }
        for l in self.shape.left_by(from, to) {
            if self.plan.live_loops.contains(&l) {
                self.enter(l)?;
            }
        }
        let next = self.reversed[&from];
        self.b.br(next);
        Ok(())
    }

    /// To the iteration before this one.
    fn step_back(&mut self, l: LoopId) -> Result<(), Diagnostic> {
        let i64t = self.b.m.types.int(64);
        let slot = self.loop_counts[&l];
        let index = self.b.load(i64t, slot, 8);
        let one = self.b.m.int(64, 1);
        let previous = self.b.binary(BinOp::Sub, index, one);
        self.b.store(previous, slot, 8);
        if let Some(slot) = self.loop_records.get(&l).copied() {
            let previous = if self.plan.arrays.contains_key(&l) {
                let (record, stride) = (self.reverse_record(Some(l)), self.stride(l)?);
                let zero = self.b.m.int(64, 0);
                let back = self.b.binary(BinOp::Sub, zero, stride);
                self.b.offset_by(record, back)
            } else {
                self.read(Some(l), Field::Link)?
            };
            self.b.store(previous, slot, 8);
        }
        self.replay_before(l, previous)
    }

    /// Into the last iteration of a loop.
    fn enter(&mut self, l: LoopId) -> Result<(), Diagnostic> {
        let parent = self.shape.parent(l);
        let count = match self.plan.arrays.get(&l).copied().filter(|_| self.plan.counted.contains(&l)) {
            Some(trips) => {
                // What the block has fetched may be of the next iteration of a loop around, and what is fetched here is
                // not at hand on other edges.
                let fetched = std::mem::take(&mut self.fetched);
                let operands = trips.operands().into_iter().map(|o| self.seen_from(o, parent));
                let operands = operands.collect::<Result<Vec<Operand>, Diagnostic>>()?;
                self.fetched = fetched;
                last_iteration(&mut self.b, &trips, &operands)
            }
            None => self.read(parent, Field::Count(l))?,
        };
        let slot = self.loop_counts[&l];
        self.b.store(count, slot, 8);
        if let Some(slot) = self.loop_records.get(&l).copied() {
            let mut last = self.kept_record(l)?;
            if self.plan.arrays.contains_key(&l) {
                let stride = self.stride(l)?;
                let offset = self.b.binary(BinOp::Mul, count, stride);
                last = self.b.offset_by(last, offset);
            }
            self.b.store(last, slot, 8);
        }
        self.replay_last(l, count)
    }

    /// Returns the adjoints of the active parameters; a combined gradient also frees its tape. A function that others
    /// call returns a structure even of a single one.
    fn finish(&mut self, activities: &[Activity]) -> Result<(), Diagnostic> {
        self.b.origin = None;
        self.add_sums()?;
        let mut outs = Vec::new();
        // It hands back what the markers of a call ask for.
        let asked = (self.combined || self.root) && !self.env.facts.joint.contains(&self.id);
        self.free_what_waited();
        if self.mark.is_some() {
            self.release_tape();
        } else if self.combined && !self.has_fault(Fault::Leak) {
            let free = tape::tape_free(self.b.m);
            self.b.call(free, vec![self.tape]);
        }
        if asked {
            let params = self.func.params.iter().zip(activities);
            let out: Vec<ValueId> = params.filter(|(_, a)| **a == Activity::Out).map(|(p, _)| p.value).collect();
            for v in out {
                outs.push(self.returned(v));
            }
        } else {
            let Derived { outs: list, .. } = self.env.derived[&self.id].clone();
            for (i, _) in &list {
                let (slot, ty) = self.slot(self.func.params[*i].value);
                let align = self.b.align(ty);
                outs.push(self.b.load(ty, slot, align));
            }
        }
        let single = asked && outs.len() == 1;
        let result = match outs.len() {
            0 => None,
            1 if single => Some(outs[0]),
            _ => {
                let ret = self.b.f.ret;
                let mut result = self.b.m.constant(ret, ir::ConstKind::Poison);
                for (i, out) in outs.into_iter().enumerate() {
                    result = self.b.insert(result, out, i as u32);
                }
                Some(result)
            }
        };
        self.b.effect(InstKind::Ret(result));
        Ok(())
    }
}
