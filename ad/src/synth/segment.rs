//! The function that fills the buffer of a replay with a segment of a loop ([`super::replay`]).
//!
//! Segments of K iterations make up blocks of KF, and these blocks of KF². Two levels hold checkpoints: the outer one the starts of the blocks
//! of KF in the block of KF² that is being reversed, the inner one the starts of the segments in the block of KF. Where the reverse pass comes to the last segment of a
//! block, or enters the loop in it, the level is made anew from the start of the block. What a block starts with is known already: it is the start of the loop,
//! a checkpoint of the outer level, or one of the tape.

use super::replay::{OWN, checkpoint};
use crate::build::Builder;
use crate::plan::replay::Replay;
use ir::{BinOp, FuncId, Function, InstKind, IntPred, MdId, Module, Operand, TypeId};

/// `segment(buffer, levels, slot, last, leaves, values from outside…)`: fills the buffer with the segment that ends with the iteration `last`, with which the
/// reverse pass enters the loop if it `leaves` it.
pub(super) fn segment(
    m: &mut Module,
    func: &Function,
    replay: &Replay,
    (run, advance): (FuncId, FuncId),
    list: MdId,
) -> Function {
    let (ptr, i64t, i1t, void) = (m.types.ptr(), m.types.int(64), m.types.int(1), m.types.void());
    let mut params = vec![ptr, ptr, ptr, i64t, i1t];
    params.extend(replay.slice.reads.iter().map(|v| func.value_ty(*v)));
    let mut f = Function::new(&super::unique(m, &format!("__adj_replay_{}", func.name)), void, &params);
    f.flags.linkage = "internal".to_owned();
    let size = checkpoint(m, func, replay).size;
    let b = Builder::new(m, f);
    Segment { b, replay, advance, size, ptr }.function(run, list)
}

/// The making of that function.
struct Segment<'a, 'm> {
    b: Builder<'m>,
    replay: &'a Replay,
    advance: FuncId,
    /// Bytes of a checkpoint.
    size: u64,
    ptr: TypeId,
}

/// Where a checkpoint of a level lies.
#[derive(Clone, Copy)]
struct Level {
    /// The first checkpoint of the level.
    at: Operand,
    /// The number of iterations from one to the next, a power of two.
    apart: u64,
}

impl Segment<'_, '_> {
    fn function(mut self, run: FuncId, list: MdId) -> Function {
        let [buffer, levels, slot, last, leaves] = [0, 1, 2, 3, 4].map(|n| self.b.f.param(n));
        let (period, fan) = (self.replay.period, self.replay.fan);
        let row = self.within(last, period);
        let first = self.b.binary(BinOp::Sub, last, row);
        // Of the block of KF², or of the loop.
        let (zero, null) = (self.b.m.int(64, 0), self.b.m.zero(self.ptr));
        let inside = self.within(first, self.replay.span());
        let start = self.b.binary(BinOp::Sub, first, inside);
        let kept = self.b.load(self.ptr, slot, 8);
        let of_loop = self.b.icmp(IntPred::Eq, start, zero);
        let from = self.b.select(of_loop, null, kept);
        let inner = self.b.offset(levels, fan * self.size);
        let from = self.level(first, (from, self.replay.span()), Level { at: levels, apart: period * fan });
        let from = self.level(first, (from, period * fan), Level { at: inner, apart: period });

        let all = self.b.m.int(64, u128::from(period));
        let left = self.b.select(leaves, row, all);
        let mut args = vec![buffer, from, row, left];
        args.extend(self.reads());
        self.b.call(run, args);
        // The first segment of a block of KF² is the last one to be reversed.
        let [used, done] = ["used", "done"].map(|name| self.b.f.add_block(name));
        let begins = self.b.icmp(IntPred::Eq, inside, zero);
        let later = self.b.icmp(IntPred::Ne, start, zero);
        let is_used = self.b.binary(BinOp::And, begins, later);
        self.b.cond_br(is_used, used, done);
        self.b.at = used;
        let at = self.b.offset(kept, self.size - self.b.m.size_of(self.ptr));
        let before = super::replay::get(&mut self.b, list, self.ptr, at);
        self.b.store(before, slot, 8);
        self.b.br(done);
        self.b.at = done;
        self.b.effect(InstKind::Ret(None));
        self.b.f
    }

    /// A number modulo a power of two.
    fn within(&mut self, number: Operand, of: u64) -> Operand {
        let mask = self.b.m.int(64, u128::from(of - 1));
        self.b.binary(BinOp::And, number, mask)
    }

    /// The values from outside.
    fn reads(&self) -> Vec<Operand> {
        (0..self.replay.slice.reads.len()).map(|n| self.b.f.param(OWN + 1 + n)).collect()
    }

    /// The checkpoint of a level from which one comes to a segment, or that of the whole block which the level divides.
    fn level(&mut self, first: Operand, (start, length): (Operand, u64), level: Level) -> Operand {
        if level.apart == length {
            return start;
        }
        let shift = self.b.m.int(64, u128::from(level.apart.trailing_zeros()));
        let inside = self.within(first, length);
        let number = self.b.binary(BinOp::LShr, inside, shift);
        let zero = self.b.m.int(64, 0);
        let divided = self.b.icmp(IntPred::Ne, number, zero);
        let segments = self.b.m.int(64, u128::from(length - self.replay.period));
        let ends = self.b.icmp(IntPred::Eq, inside, segments);
        let anew = self.b.binary(BinOp::Or, ends, self.b.f.param(4));
        let due = self.b.binary(BinOp::And, divided, anew);
        let [make, on] = ["make", "on"].map(|name| self.b.f.add_block(name));
        self.b.cond_br(due, make, on);
        self.b.at = make;
        let mut args = vec![level.at, start, number, shift];
        args.extend(self.reads());
        self.b.call(self.advance, args);
        self.b.br(on);
        self.b.at = on;
        let size = self.b.m.int(64, u128::from(self.size));
        let bytes = self.b.binary(BinOp::Mul, number, size);
        let at = self.b.offset_by(level.at, bytes);
        self.b.select(divided, at, start)
    }
}
