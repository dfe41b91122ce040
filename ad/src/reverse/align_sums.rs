//! Sums that wait for a cell of shadow memory ([`crate::optimise::align_sums`]), in slots on the stack.

use crate::analysis::affine::distinct::Branches;
use crate::base::builder::Builder;
use crate::base::copy::Copy;
use crate::optimise::align_sums::forms::Symbol;
use crate::optimise::align_sums::{self, Aligned, Distance, Group, Known, Loop, Sum};
use crate::options::Lever;
use crate::reverse::Emitter;
use ir::{BinOp, BlockId, CastOp, InstId, InstKind, IntPred, Operand, TypeId};

impl Emitter<'_, '_> {
    /// Lets sums wait where they can.
    pub(super) fn align_sums(&mut self) {
        if self.env.without.has(Lever::Alignment) {
            return;
        }
        for aligned in self.found() {
            self.enter_aligned(&aligned);
            for group in &aligned.groups {
                self.align_group(aligned.of, group);
            }
        }
    }

    fn found(&self) -> Vec<Aligned> {
        let cx = self.cx();
        let branches = Branches::new(&cx, self.shape);
        let others = |a: InstId, b: InstId| match (self.cells.get(&a), self.cells.get(&b)) {
            (Some(a), Some(b)) => branches.are_of_others(*a, *b),
            _ => false,
        };
        let cells = self.cells.keys().copied().collect();
        let primal = self.reloads.union(&self.primal_accesses).copied().collect();
        let known = Known { cells: &cells, primal: &primal, records: self.record_list, others: &others };
        align_sums::find(cx.m, &self.b.f, &known)
    }

    /// A block before the loop, which asks whether other accesses keep away, if that is not known; else a copy of the
    /// loop runs.
    fn enter_aligned(&mut self, aligned: &Aligned) {
        let Loop { body, latch, .. } = aligned.of;
        let name = format!("{}.enter", self.b.f.blocks[body].name);
        let enter = self.b.f.add_block(&name);
        for block in self.b.f.layout.clone() {
            if block != latch
                && let Some(end) = self.b.f.terminator(block)
            {
                self.b.f.insts[end].kind.map_successors(|to| if to == body { enter } else { to });
            }
        }
        (self.b.at, self.b.loc, self.b.origin) = (enter, None, None);
        let distances: Vec<Operand> = aligned.asked.iter().map(|d| self.keeps_away(d)).collect();
        match distances.into_iter().reduce(|all, one| self.b.binary(BinOp::And, all, one)) {
            None => self.b.br(body),
            Some(all) => {
                let copy = self.copied_loop(aligned.of);
                self.b.cond_br(all, body, copy);
            }
        }
    }

    /// Is a distance at most the one or at least the other?
    fn keeps_away(&mut self, distance: &Distance) -> Operand {
        let i64t = self.b.m.types.int(64);
        let number = |b: &mut Builder, n: i64| b.m.int(64, u128::from(n as u64));
        let mut sum = number(&mut self.b, distance.form.number.0);
        for (symbol, by) in &distance.form.terms {
            let value = match *symbol {
                Symbol::Value(value) => value,
                Symbol::Slot(slot) => {
                    let ty = self.slot_type(slot);
                    let align = self.b.align(ty);
                    self.b.load(ty, slot, align)
                }
            };
            let is_ptr = self.b.m.types.is_ptr(self.b.ty(value));
            let value = if is_ptr { self.b.cast(CastOp::PtrToInt, value, i64t) } else { value };
            let by = number(&mut self.b, by.0);
            let more = self.b.binary(BinOp::Mul, value, by);
            sum = self.b.binary(BinOp::Add, sum, more);
        }
        let (low, high) = (number(&mut self.b, distance.low), number(&mut self.b, distance.high));
        let below = self.b.icmp(IntPred::Sle, sum, low);
        let above = self.b.icmp(IntPred::Sge, sum, high);
        self.b.binary(BinOp::Or, below, above)
    }

    fn slot_type(&self, slot: Operand) -> TypeId {
        let alloca = slot.local().and_then(|v| self.b.f.def_inst(v)).map(|i| &self.b.f.insts[i].kind);
        match alloca {
            Some(InstKind::Alloca { elem_ty, .. }) => *elem_ty,
            _ => unreachable!("a slot is an alloca"),
        }
    }

    /// A copy of a loop, which leads where it leads; its body.
    fn copied_loop(&mut self, of: Loop) -> BlockId {
        let mut copy = Copy::default();
        let own = [of.body, of.latch, of.exit];
        copy.blocks.extend(self.b.f.successors(of.exit).into_iter().map(|to| (to, to)));
        let names = own.map(|block| (block, format!("{}.met", self.b.f.blocks[block].name)));
        copy.add_blocks(&mut self.b.f, names);
        for block in own {
            for inst in self.b.f.blocks[block].insts.clone() {
                let data = self.b.f.insts[inst].clone();
                let copied = copy.add(&mut self.b.f, block, (inst, data));
                if let Some(primal) = self.cells.get(&inst).copied() {
                    self.cells.insert(copied, primal);
                }
                for known in [&mut self.reloads, &mut self.primal_accesses] {
                    if known.contains(&inst) {
                        known.insert(copied);
                    }
                }
            }
        }
        copy.rename(&mut self.b.f, |_, _| None);
        copy.blocks[&of.body]
    }

    /// Lets the sums of a group wait.
    fn align_group(&mut self, of: Loop, group: &Group) {
        let Some(first) = group.sums.first() else { return };
        let InstKind::Store { ptr, align, .. } = self.b.f.insts[first.store].kind else { return };
        // The cell of another lag may be aligned less.
        let align = align.min(1 << group.stride.trailing_zeros());
        let (neutral, own) = (self.neutral(group.ty), self.b.align(group.ty));
        let slots: Vec<Operand> = (0..group.deepest()).map(|_| self.stack(group.ty, own)).collect();
        self.before_loop(of, |e| slots.iter().for_each(|slot| e.b.store(neutral, *slot, own)));
        let gone: Vec<InstId> =
            group.sums.iter().flat_map(|s| [s.load, s.store].into_iter().chain(s.adds.clone())).collect();
        self.b.f.blocks[of.body].insts.retain(|inst| !gone.contains(inst));
        let mut waiting: Vec<Operand> = Vec::new();
        self.before_end(of.body, |e| {
            for lag in 0..=group.deepest() {
                let mut so_far = slots.get(lag).map(|slot| e.b.load(group.ty, *slot, own));
                for sum in group.sums.iter().filter(|sum| sum.lag == lag) {
                    e.stands_as(sum.adds[0]);
                    for term in &sum.terms {
                        so_far = Some(so_far.map_or(*term, |s| e.b.binary(BinOp::FAdd, s, *term)));
                    }
                }
                waiting.extend(so_far);
            }
            e.add_to_cell(first, (ptr, align), (waiting[0], group.ty));
            for (slot, sum) in slots.iter().zip(&waiting[1..]) {
                e.b.store(*sum, *slot, own);
            }
        });
        let iterations = (1..=group.deepest()).any(|lag| group.since(lag) > 0).then(|| self.counted(of));
        // Behind the last iteration.
        self.before_end(of.exit, |e| {
            for (lag, sum) in waiting.iter().enumerate().skip(1) {
                let away = e.b.m.int(64, u128::from((group.stride * lag as i64) as u64));
                let mut cell = e.b.offset_by(ptr, away);
                if let Some(iterations) = iterations.filter(|_| group.since(lag) > 0) {
                    // Nothing waits for it if there have not been so many iterations: then it stays as it is.
                    let since = e.b.m.int(64, group.since(lag) as u128);
                    let begun = e.b.icmp(IntPred::Ugt, iterations, since);
                    cell = e.b.select(begun, cell, ptr);
                }
                let next = group.sums.iter().find(|sum| sum.lag >= lag).unwrap_or(first);
                e.add_to_cell(next, (cell, align), (*sum, group.ty));
            }
        });
    }

    /// How many iterations of a loop have been, at its end.
    fn counted(&mut self, of: Loop) -> Operand {
        let i64t = self.b.m.types.int(64);
        let (zero, one) = (self.b.m.int(64, 0), self.b.m.int(64, 1));
        let slot = self.stack(i64t, 8);
        self.before_loop(of, |e| e.b.store(zero, slot, 8));
        let mut count = zero;
        self.before_end(of.body, |e| {
            let before = e.b.load(i64t, slot, 8);
            count = e.b.binary(BinOp::Add, before, one);
            e.b.store(count, slot, 8);
        });
        count
    }

    /// Adds to a cell, as a sum does that is made at once.
    fn add_to_cell(&mut self, sum: &Sum, (ptr, align): (Operand, u64), (value, ty): (Operand, TypeId)) {
        let primal = self.cells[&sum.store];
        self.stands_as(sum.load);
        let load = self.b.push(InstKind::Load { ptr, align, volatile: false, atomic: None }, ty);
        let so_far = self.b.result(load);
        self.stands_as(sum.adds[0]);
        let all = self.b.binary(BinOp::FAdd, so_far, value);
        self.stands_as(sum.store);
        let void = self.b.m.types.void();
        let store = self.b.push(InstKind::Store { value: all, ptr, align, volatile: false, atomic: None }, void);
        self.cells.extend([(load, primal), (store, primal)]);
    }

    /// Emits where a loop is entered.
    fn before_loop(&mut self, of: Loop, mut emit: impl FnMut(&mut Self)) {
        let enters = |b: &BlockId| *b != of.latch && self.b.f.successors(*b).contains(&of.body);
        for enter in self.b.f.layout.iter().copied().filter(enters).collect::<Vec<_>>() {
            self.before_end(enter, &mut emit);
        }
    }

    /// What is emitted now stands for what this instruction stands for.
    fn stands_as(&mut self, inst: InstId) {
        (self.b.loc, self.b.origin) = (self.b.f.insts[inst].loc, self.b.f.insts[inst].origin);
    }

    /// Emits before the last instruction of a block.
    fn before_end(&mut self, block: BlockId, emit: impl FnOnce(&mut Self)) {
        let end = self.b.f.blocks[block].insts.pop();
        self.b.at = block;
        emit(self);
        self.b.f.blocks[block].insts.extend(end);
    }
}
