//! What the forward pass leaves on the tape so that control flow can be reversed: counters of iterations, records of
//! iterations, predecessors.

use crate::analysis::context::Item;
use crate::analysis::loops::counters::Trips;
use crate::base::alias_scopes;
use crate::base::regions::Region;
use crate::emit::trip_count::last_iteration;
use crate::plan::data::{ALIGN, Field};
use crate::plan::nested_arrays;
use crate::reverse::Emitter;
use crate::runtime::tape_log::Kept;
use crate::runtime::{tape, tape_log};
use ir::loops::LoopId;
use ir::{BinOp, BlockId, InstKind, IntPred, Operand};

impl Emitter<'_, '_> {
    /// Iteration counters, records of iterations, and which predecessor was taken.
    pub(super) fn record_control(&mut self, block: BlockId) {
        let (i64t, i32t, ptr) = (self.b.m.types.int(64), self.b.m.types.int(32), self.b.m.types.ptr());
        let preds = self.plan.preds(self.shape, block);
        // A phi has an entry for each edge, even where a switch names the block twice.
        let edges = |p: &BlockId| self.func.successors(*p).into_iter().filter(|s| *s == block).count();
        let preds_of = self.shape.cfg.preds(block);
        let all: Vec<BlockId> = preds_of.iter().flat_map(|p| vec![*p; edges(p)]).collect();
        let header = self.shape.header_of(block);
        let live = header.filter(|l| self.plan.live_loops.contains(l));
        let inside = |l, b: &BlockId| self.shape.loops.contains(l, *b);
        let phi = |incoming| InstKind::Phi { fast: Default::default(), incoming };
        let records_pred = self.plan.records_pred(self.shape, block);
        let pred = records_pred.then(|| {
            let id = self.b.push(phi(Vec::new()), i32t);
            let value = self.b.result(id);
            let mut incoming = Vec::new();
            for from in &all {
                // A loop that is not reversed keeps the way it was entered.
                let keep = header.is_some_and(|l| live.is_none() && inside(l, from));
                let index = preds.iter().position(|p| p == from).unwrap_or(0);
                incoming
                    .push((if keep { value } else { self.b.m.int(32, index as u128) }, self.comes_from(*from, block)));
            }
            self.b.f.insts[id].kind = phi(incoming);
            value
        });
        let zero = self.b.m.int(64, 0);
        let null = self.b.m.zero(ptr);
        let mut counters = None;
        if let Some(l) = live {
            let count = self.b.push(phi(Vec::new()), i64t);
            let linked = self.record_types.contains_key(&Some(l)) && !self.plan.arrays.contains_key(&l);
            let link = linked.then(|| self.b.push(phi(Vec::new()), ptr));
            counters = Some((l, count, link));
        }
        if let Some((l, count, link)) = counters {
            let index = self.b.result(count);
            let one = self.b.m.int(64, 1);
            let next = self.b.binary(BinOp::Add, index, one);
            let incoming = |first, again: Operand| {
                all.iter()
                    .map(|p| (if inside(l, p) { again } else { first }, self.comes_from(*p, block)))
                    .collect::<Vec<_>>()
            };
            let counts = incoming(zero, next);
            self.b.f.insts[count].kind = phi(counts);
            if let Some(array) = self.arrays.get(&l).copied() {
                let stride = self.strides[&l];
                let offset = self.b.binary(BinOp::Mul, index, stride);
                let record = self.b.offset_by(array, offset);
                self.records.insert(Some(l), record);
            } else if let Some(link) = link {
                let size = self.record_types[&Some(l)].size;
                let record = self.allocate_record(size);
                let links = all
                    .iter()
                    .map(|p| (if inside(l, p) { record } else { null }, self.comes_from(*p, block)))
                    .collect();
                self.b.f.insts[link].kind = phi(links);
                self.records.insert(Some(l), record);
                let previous = self.b.result(link);
                self.write(Some(l), Field::Link, previous);
            }
            self.iterations.insert(l, index);
            if self.leaves_unseen(l) {
                self.write_progress(l);
            }
        }
        if let Some(pred) = pred {
            self.write(self.plan.pred_region(self.shape, block), Field::Pred(block), pred);
        }
    }

    /// A block on each edge that leaves a live loop: there the progress of the loop is written, once, and not in every
    /// iteration.
    pub(super) fn make_exits(&mut self) {
        for l in &self.plan.live_loops {
            for (from, to) in &self.shape.loops.loops[*l].exits {
                let once = self.func.successors(*from).iter().filter(|s| *s == to).count() == 1;
                if once && self.plan.returning.contains(to) && !self.exits.contains_key(&(*from, *to)) {
                    let edge = self.b.f.add_block("f.exit");
                    self.exits.insert((*from, *to), edge);
                }
            }
        }
    }

    /// The block from which the forward pass enters `to` when the primal comes from `from`.
    pub(super) fn comes_from(&self, from: BlockId, to: BlockId) -> BlockId {
        let end = || self.ends.get(&from).copied().unwrap_or_else(|| self.blocks[&from]);
        self.exits.get(&(from, to)).copied().unwrap_or_else(end)
    }

    /// Fills the blocks on the edges from a block out of loops.
    pub(super) fn fill_exits(&mut self, from: BlockId) {
        let mut edges: Vec<(BlockId, BlockId)> =
            self.exits.iter().filter(|((f, _), _)| *f == from).map(|((_, to), edge)| (*to, *edge)).collect();
        edges.sort();
        for (to, edge) in edges {
            self.b.at = edge;
            for l in self.shape.left_by(from, to) {
                if self.plan.live_loops.contains(&l) {
                    self.write_progress(l);
                }
            }
            let next = self.blocks[&to];
            self.b.br(next);
        }
    }

    /// Are there edges out of the loop without a block of their own (a switch with several cases)?
    fn leaves_unseen(&self, l: LoopId) -> bool {
        let exits = &self.shape.loops.loops[l].exits;
        exits.iter().any(|edge| self.plan.returning.contains(&edge.1) && !self.exits.contains_key(edge))
    }

    /// The number of the last iteration of a loop, and its record or the array of its records.
    fn write_progress(&mut self, l: LoopId) {
        let parent = self.shape.parent(l);
        let record = self.arrays.get(&l).or_else(|| self.records.get(&Some(l)));
        if let Some(record) = record.copied() {
            self.write(parent, Field::Last(l), record);
        }
        if let Some(index) = self.iterations.get(&l).copied() {
            self.write(parent, Field::Count(l), index);
        }
    }

    /// Allocates the arrays of records of loops that are entered from the end of a block.
    pub(super) fn allocate_arrays(&mut self, block: BlockId) {
        let entered = self.plan.arrays.iter().filter(|(_, trips)| trips.enter == block);
        let entered: Vec<(LoopId, Trips)> = entered.map(|(l, trips)| (*l, *trips)).collect();
        for (l, trips) in entered {
            if !self.record_types.contains_key(&Some(l)) {
                continue;
            }
            let array = if self.plan.nested.contains_key(&l) {
                let (record, start) = (self.records[&self.shape.parent(l)], self.starts[&l]);
                self.b.offset_by(record, start)
            } else {
                let bytes = self.array_size(l, &trips);
                let alloc = tape::tape_alloc(self.b.m);
                let tape = self.tape;
                self.b.call(alloc, vec![tape, bytes]).unwrap_or(tape)
            };
            self.arrays.insert(l, array);
        }
    }

    /// The size in bytes of a loop's array, with the arrays in its records; notes strides and starts on the way.
    fn array_size(&mut self, l: LoopId, trips: &Trips) -> Operand {
        let count = self.trips(l, trips);
        let inner: Vec<LoopId> = self.plan.inner(self.shape, l).collect();
        let size = self.record_types[&Some(l)].size;
        if inner.is_empty() {
            let stride = self.b.m.int(64, u128::from(size));
            self.strides.insert(l, stride);
            return self.b.binary(BinOp::Mul, count, stride);
        }
        let around = self.plan.around_array(self.shape, l);
        let mut stride = self.b.m.int(64, u128::from(size.next_multiple_of(ALIGN)));
        for other in inner {
            self.write(around, Field::Start(other), stride);
            self.starts.insert(other, stride);
            let array = self.array_size(other, &self.plan.arrays[&other].clone());
            let [more, mask] = [ALIGN - 1, ALIGN.wrapping_neg()].map(|n| self.b.m.int(64, u128::from(n)));
            let padded = self.b.binary(BinOp::Add, array, more);
            let rounded = self.b.binary(BinOp::And, padded, mask);
            stride = self.b.binary(BinOp::Add, stride, rounded);
        }
        self.write(around, Field::Stride(l), stride);
        self.strides.insert(l, stride);
        // A loop that is not entered says nothing of those in it.
        let zero = self.b.m.int(64, 0);
        let none = self.b.icmp(IntPred::Eq, count, zero);
        let bytes = self.b.binary(BinOp::Mul, count, stride);
        self.b.select(none, zero, bytes)
    }

    /// How often the header of a loop will run; zero if the loop is not entered. Nothing here is undefined where the
    /// primal is not: the arithmetic has no flags, and a bound that is poison when the loop is not entered is not
    /// chosen then.
    fn trips(&mut self, l: LoopId, trips: &Trips) -> Operand {
        let operands: Vec<Operand> = trips.operands().into_iter().map(|o| self.primal_of(o)).collect();
        let more = last_iteration(&mut self.b, trips, &operands);
        let [zero, one] = [0, 1].map(|n| self.b.m.int(64, n));
        let mut count = self.b.binary(BinOp::Add, more, one);
        let guards = match self.plan.nested.get(&l) {
            Some(guards) => guards.clone(),
            None => nested_arrays::entry_guard(&self.cx(), self.shape, self.plan, l).into_iter().collect(),
        };
        for (cond, value) in guards {
            let cond = self.primal_of(cond);
            let (then, other) = if value { (count, zero) } else { (zero, count) };
            count = self.b.select(cond, then, other);
        }
        count
    }

    /// Writes a field of the current record of a region.
    pub(super) fn write(&mut self, region: Region, field: Field, value: Operand) {
        let (Some(layout), Some(record)) = (self.plan.layouts.get(&region), self.records.get(&region).copied()) else {
            return;
        };
        let Some(index) = layout.index(field) else { return };
        let ty = layout.fields[index as usize].1;
        let at = self.field(region, record, index);
        let align = self.b.align(ty).min(tape::TAPE_ALIGN);
        let void = self.b.m.types.void();
        let id = self.b.push(InstKind::Store { value, ptr: at, align, volatile: false, atomic: None }, void);
        let kept = match field {
            Field::Value(Item::Primal(_) | Item::Shadow(_)) => Kept::Value,
            Field::Value(Item::Record(_))
            | Field::Pred(_)
            | Field::Count(_)
            | Field::Last(_)
            | Field::Link
            | Field::Checkpoint(_)
            | Field::Stride(_)
            | Field::Start(_) => Kept::Way,
        };
        let metadata = &mut self.b.f.insts[id].metadata;
        alias_scopes::is_in(metadata, self.record_list);
        tape_log::mark(metadata, kept, self.record_list);
    }
}
