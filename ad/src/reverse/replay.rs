//! Checkpoints of recurrences that are not active, and their replay ([`crate::plan::replay`]).
//!
//! A checkpoint of the tape is a block of it: the phis of the header that the slice carries on, and the checkpoint
//! before. The last one stands in the record of the body. In the reverse pass a slot holds the last one that is still
//! needed. The slice becomes two functions ([`crate::reverse::replay_run`]):
//!
//! ```text
//! run(buffer, from, last, left, values from outside…) {
//!   state = from == null ? start of the loop : *from;
//!   for (row = 0;; row++) {
//!     header; if (row == left) return; rest of the iteration; if (row == last) return; state = next state;
//!   }
//! }
//! advance(level, from, count, shift, values from outside…) {
//!   state = from == null ? start of the loop : *from;
//!   for (i = 0;; i++) {
//!     if (i is a multiple of 1 << shift) { level[i >> shift] = state; if (i >> shift == count) return; }
//!     iteration; state = next state;
//!   }
//! }
//! ```
//!
//! Each value is written to `buffer[row]` where it is computed. `left` is the row of the iteration in which the primal
//! left the loop, if that is not left at the latch. A third one chooses the checkpoint and makes those of the levels
//! ([`crate::reverse::replay_levels`]). It is called where the reverse pass enters the loop, and where it comes back to
//! an iteration that ends a segment. So the buffer, which is on the stack of the reverse pass, has the iteration that
//! is being reversed at the row of its number modulo the number of rows.

use crate::analysis::context::Item;
use crate::analysis::wanted::Wanted;
use crate::base::alias_scopes;
use crate::error::Diagnostic;
use crate::options::Lever;
use crate::plan::data::{Field, Replay};
use crate::reverse::Emitter;
use crate::reverse::replay_buffers::{checkpoint, get, put, row};
use crate::reverse::replay_levels::{Left, Levels, keeping, segment};
use crate::reverse::replay_run::{Purpose, Run};
use crate::runtime::tape::TAPE_ALIGN;
use crate::runtime::tape_log::{self, Kept};
use ir::loops::LoopId;
use ir::{BinOp, BlockId, FuncId, Function, IntPred, Operand, Role};

/// What the reverse pass has for a loop.
#[derive(Clone, Copy)]
pub(super) struct Running {
    buffer: Operand,
    levels: Levels,
    slot: Operand,
    function: FuncId,
}

impl Emitter<'_, '_> {
    /// No checkpoints yet; and the blocks in which the headers go on when one was made.
    pub(super) fn begin_checkpoints(&mut self) {
        let plan = self.plan;
        for (l, replay) in &plan.replays {
            let ptr = self.b.m.types.ptr();
            let null = self.b.m.zero(ptr);
            self.write(None, Field::Checkpoint(*l), null);
            let on = self.b.f.add_block("f.on");
            self.ends.insert(self.shape.loops.loops[*l].header, on);
            // A loop that is entered once leaves its levels to the reverse pass.
            if self.combined && self.shape.parent(*l).is_none() && replay.fan > 1 {
                let i64t = self.b.m.types.int(64);
                let (shift, zero) = (self.stack(i64t, 8), self.b.m.int(64, 0));
                self.b.store(zero, shift, 8);
                let at = self.make_levels(replay);
                let f = keeping(self.b.m, self.func, replay, self.record_list);
                let keep = self.add_replay(f);
                self.levels.insert(*l, Levels { at, left: Some(Left { shift, keep }) });
            }
        }
    }

    /// Room for two levels of checkpoints.
    fn make_levels(&mut self, replay: &Replay) -> Operand {
        let (i8t, kept) = (self.b.m.types.int(8), checkpoint(self.b.m, self.func, replay));
        let bytes = self.b.m.types.array(2 * kept.size * replay.fan, i8t);
        self.stack(bytes, kept.align.max(TAPE_ALIGN))
    }

    /// A checkpoint at the header of a loop, if its time has come.
    pub(super) fn keep_checkpoint(&mut self, block: BlockId) -> Result<(), Diagnostic> {
        let Some((l, replay)) = self.shape.header_of(block).and_then(|l| Some((l, self.plan.replays.get(&l)?))) else {
            return Ok(());
        };
        let (index, ptr) = (self.iterations[&l], self.b.m.types.ptr());
        let left = self.levels.get(&l).and_then(|levels| Some((levels.at, levels.left?)));
        let often = if left.is_some() { replay.period } else { replay.span() };
        let [mask, zero] = [u128::from(often - 1), 0].map(|n| self.b.m.int(64, n));
        let within = self.b.binary(BinOp::And, index, mask);
        let begins = self.b.icmp(IntPred::Eq, within, zero);
        let later = self.b.icmp(IntPred::Ne, index, zero);
        let due = self.b.binary(BinOp::And, begins, later);
        let (keep, on) = (self.b.f.add_block("f.keep"), self.ends[&block]);
        self.b.cond_br(due, keep, on);
        self.b.at = keep;
        if let Some((at, left)) = left {
            self.leave(replay, (at, left), (index, on));
        }
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

    /// A checkpoint of the outer level; goes on where one of the tape is due.
    fn leave(&mut self, replay: &Replay, (at, left): (Operand, Left), (index, on): (Operand, BlockId)) {
        let [mask, zero, shift] =
            [replay.span() - 1, 0, u64::from(replay.period.trailing_zeros())].map(|n| self.b.m.int(64, u128::from(n)));
        let within = self.b.binary(BinOp::And, index, mask);
        let begins = self.b.icmp(IntPred::Eq, within, zero);
        let [of_tape, of_level] = ["f.tape", "f.level"].map(|name| self.b.f.add_block(name));
        self.b.cond_br(begins, of_tape, of_level);
        self.b.at = of_level;
        let segments = self.b.binary(BinOp::LShr, within, shift);
        let mut args = vec![at, left.shift, segments];
        args.extend(replay.slice.states.iter().map(|state| self.primal[state]));
        self.role(Role::Push);
        self.b.call(left.keep, args);
        self.b.br(on);
        self.b.at = of_tape;
        self.b.store(zero, left.shift, 8);
    }

    fn note(&mut self, value: Operand, at: Operand, kept: Kept) {
        let id = put(&mut self.b, self.record_list, value, at);
        tape_log::mark(&mut self.b.f.insts[id].metadata, kept, self.record_list);
    }

    /// Buffers, slots and functions of the loops that are run again.
    pub(super) fn make_buffers(&mut self) {
        let (func, shape, plan) = (self.func, self.shape, self.plan);
        for (l, replay) in &plan.replays {
            let places = row(self.b.m, func, replay);
            let (i8t, ptr) = (self.b.m.types.int(8), self.b.m.types.ptr());
            let bytes = self.b.m.types.array(places.size * replay.period, i8t);
            let buffer = self.stack(bytes, places.align.max(TAPE_ALIGN));
            let levels = match self.levels.get(l) {
                Some(levels) => *levels,
                None => Levels { at: self.make_levels(replay), left: None },
            };
            let slot = self.stack(ptr, 8);
            let [run, advance] = [Purpose::Rows, Purpose::Checkpoints].map(|purpose| {
                let f = Run::new(self, (*l, replay), (shape, purpose)).function();
                self.add_replay(f)
            });
            let left = (levels.left.is_some(), self.record_list);
            let f = segment(self.b.m, (func, replay), (run, advance), left);
            let function = self.add_replay(f);
            self.running.insert(*l, Running { buffer, levels, slot, function });
        }
    }

    fn add_replay(&mut self, mut f: Function) -> FuncId {
        match self.env.without.has(Lever::AliasScopes) {
            false => alias_scopes::others(self.b.m, &mut f, self.record_list),
            true => alias_scopes::forget(&mut f, self.record_list),
        }
        self.b.m.functions.push(f)
    }

    /// The reverse pass begins with the last checkpoints.
    pub(super) fn begin_replays(&mut self) -> Result<(), Diagnostic> {
        for l in self.plan.replays.keys() {
            let last = self.read(None, Field::Checkpoint(*l))?;
            self.b.store(last, self.running[l].slot, 8);
        }
        Ok(())
    }

    /// Fills the buffer for the segment that ends with an iteration, which may be that in which the primal has left the
    /// loop.
    fn fill(&mut self, l: LoopId, last: Operand, leaves: bool) -> Result<(), Diagnostic> {
        let (replay, running) = (&self.plan.replays[&l], self.running[&l]);
        let leaves = self.b.m.int(1, u128::from(leaves));
        let mut args = vec![running.buffer, running.levels.at, running.slot, last, leaves];
        args.extend(running.levels.left.map(|left| left.shift));
        // What the block has fetched may be of another iteration of a loop around, and what is fetched here is not at
        // hand elsewhere.
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
