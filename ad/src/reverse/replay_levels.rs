//! The two levels of checkpoints on the stack that a replay starts its segments from ([`crate::reverse::replay`]).
//!
//! Segments of K iterations make up blocks, and these a block of KF², with which a checkpoint of the tape begins. The
//! outer level holds the starts of the blocks in the block of KF² that is being reversed, the inner one the starts of
//! the segments in the block among them. What a block starts with is known already: it is the start of the loop, a
//! checkpoint of the outer level, or one of the tape.
//!
//! *Made by the reverse pass.* Where it comes to the last segment of a block, or enters the loop in it, the level is
//! made anew from the start of the block, F blocks of KF.
//!
//! *Left by the forward pass.* A loop that is entered once, as both passes are one function and no loop is around, has
//! the outer level when the reverse pass comes to it. How many iterations will follow is not known, so that at first
//! each K-th is kept, and when the level is full each other checkpoint is left out and half as many are kept from then
//! on (as in Stumm & Walther, "New Algorithms for Optimal Online Checkpointing", SIAM J. Sci. Comput. 32, 2010). So a
//! loop of up to KF iterations is run again once only.

use crate::base::builder::Builder;
use crate::base::names;
use crate::plan::data::Replay;
use crate::reverse::replay_buffers::{OWN, checkpoint, get, put};
use ir::{BinOp, BlockId, FuncId, Function, InstKind, IntPred, MdId, Module, Operand, TypeId};

/// The levels of a loop in the function that reverses it.
#[derive(Clone, Copy)]
pub(super) struct Levels {
    /// The outer one, with the inner one behind it.
    pub(super) at: Operand,
    pub(super) left: Option<Left>,
}

/// What the forward pass leaves.
#[derive(Clone, Copy)]
pub(super) struct Left {
    /// Where it stands how many segments a block of the outer level has, as a power of two.
    pub(super) shift: Operand,
    /// The function that keeps a checkpoint.
    pub(super) keep: FuncId,
}

fn function(m: &mut Module, name: &str, params: &[TypeId]) -> Function {
    let void = m.types.void();
    let mut f = Function::new(&names::unique(m, name), void, params);
    f.flags.linkage = "internal".to_owned();
    f
}

fn log2(n: u64) -> u128 {
    u128::from(n.trailing_zeros())
}

/// `keep(level, shift, segments, states…)`: keeps the states of a header in the outer level, if that wants them, so
/// many segments behind the start of its block.
pub(super) fn keeping(m: &mut Module, func: &Function, replay: &Replay, list: MdId) -> Function {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let states: Vec<TypeId> = replay.slice.states.iter().map(|v| func.value_ty(*v)).collect();
    let params = [vec![ptr, ptr, i64t], states.clone()].concat();
    let f = function(m, &format!("__adj_keep_{}", func.name), &params);
    let places = checkpoint(m, func, replay);
    let mut b = Builder::new(m, f);
    let [level, shift_at, segments] = [0, 1, 2].map(|n| b.f.param(n));
    let [zero, one, fan, half] = [0, 1, replay.fan, replay.fan / 2].map(|n| b.m.int(64, u128::from(n)));
    let [wanted, thin, next, thinned, keep, done] =
        ["wanted", "thin", "next", "thinned", "keep", "done"].map(|name| b.f.add_block(name));
    let element = |b: &mut Builder, number: Operand| {
        let size = b.m.int(64, u128::from(places.size));
        let bytes = b.binary(BinOp::Mul, number, size);
        b.offset_by(level, bytes)
    };
    let shift = b.load(i64t, shift_at, 8);
    let within = within(&mut b, segments, shift);
    let number = b.binary(BinOp::LShr, segments, shift);
    let is_wanted = b.icmp(IntPred::Eq, within, zero);
    b.cond_br(is_wanted, wanted, done);
    b.at = wanted;
    let full = b.icmp(IntPred::Eq, number, fan);
    b.cond_br(full, thin, keep);
    // The first one stands for the start of the block, and is nowhere.
    b.at = thin;
    let again = b.icmp(IntPred::Ult, one, half);
    b.cond_br(again, next, thinned);
    b.at = next;
    let phi = |incoming| InstKind::Phi { fast: Default::default(), incoming };
    let counter = b.push(phi(vec![(one, thin)]), i64t);
    let to_number = b.result(counter);
    let from_number = b.binary(BinOp::Add, to_number, to_number);
    let (from, to) = (element(&mut b, from_number), element(&mut b, to_number));
    for (ty, offset) in states.iter().zip(&places.offsets) {
        let (from, to) = (b.offset(from, *offset), b.offset(to, *offset));
        let value = get(&mut b, list, *ty, from);
        put(&mut b, list, value, to);
    }
    let following = b.binary(BinOp::Add, to_number, one);
    if let InstKind::Phi { incoming, .. } = &mut b.f.insts[counter].kind {
        incoming.push((following, next));
    }
    let more = b.icmp(IntPred::Ult, following, half);
    b.cond_br(more, next, thinned);
    b.at = thinned;
    let fewer = b.binary(BinOp::Add, shift, one);
    b.store(fewer, shift_at, 8);
    b.br(keep);
    b.at = keep;
    let number = {
        let id = b.push(phi(vec![(number, wanted), (half, thinned)]), i64t);
        b.result(id)
    };
    let at = element(&mut b, number);
    for (n, offset) in places.offsets.iter().take(states.len()).enumerate() {
        let (value, at) = (b.f.param(3 + n), b.offset(at, *offset));
        put(&mut b, list, value, at);
    }
    b.br(done);
    b.at = done;
    b.effect(InstKind::Ret(None));
    b.f
}

/// A number modulo a power of two.
fn within(b: &mut Builder, number: Operand, log2: Operand) -> Operand {
    let one = b.m.int(64, 1);
    let of = b.binary(BinOp::Shl, one, log2);
    let mask = b.binary(BinOp::Sub, of, one);
    b.binary(BinOp::And, number, mask)
}

/// `segment(buffer, levels, slot, last, leaves, [shift,] values from outside…)`: fills the buffer with the segment that
/// ends with the iteration `last`, with which the reverse pass enters the loop if it `leaves` it. There is a shift if
/// the forward pass has left the outer level.
pub(super) fn segment(
    m: &mut Module,
    (func, replay): (&Function, &Replay),
    (run, advance): (FuncId, FuncId),
    (left, list): (bool, MdId),
) -> Function {
    let (ptr, i64t, i1t) = (m.types.ptr(), m.types.int(64), m.types.int(1));
    let mut params = vec![ptr, ptr, ptr, i64t, i1t];
    params.extend(left.then_some(ptr));
    let own = params.len();
    params.extend(replay.slice.reads.iter().map(|v| func.value_ty(*v)));
    let f = function(m, &format!("__adj_replay_{}", func.name), &params);
    let size = checkpoint(m, func, replay).size;
    let b = Builder::new(m, f);
    let reads = (own..params.len()).map(|n| b.f.param(n)).collect();
    let shift = left.then(|| b.f.param(own - 1));
    Segment { b, replay, advance, size, ptr, reads, shift }.function(run, list)
}

/// The making of that function.
struct Segment<'a, 'm> {
    b: Builder<'m>,
    replay: &'a Replay,
    advance: FuncId,
    /// Bytes of a checkpoint.
    size: u64,
    ptr: TypeId,
    /// The values from outside.
    reads: Vec<Operand>,
    /// Where it stands how many segments a block of the outer level has.
    shift: Option<Operand>,
}

/// A level in the block that it divides. Lengths are logarithms.
#[derive(Clone, Copy)]
struct Level {
    at: Operand,
    /// Of the block.
    length: Operand,
    /// Of its parts.
    apart: Operand,
}

impl Segment<'_, '_> {
    fn function(mut self, run: FuncId, list: MdId) -> Function {
        let [buffer, levels, slot, last, leaves] = [0, 1, 2, 3, 4].map(|n| self.b.f.param(n));
        let (period, fan) = (self.replay.period, self.replay.fan);
        let [rows, blocks, span] = [period, period * fan, self.replay.span()].map(|n| self.b.m.int(64, log2(n)));
        let row = within(&mut self.b, last, rows);
        let first = self.b.binary(BinOp::Sub, last, row);
        // Of the block of KF², or of the loop.
        let (zero, null) = (self.b.m.int(64, 0), self.b.m.zero(self.ptr));
        let inside = within(&mut self.b, first, span);
        let start = self.b.binary(BinOp::Sub, first, inside);
        let kept = self.b.load(self.ptr, slot, 8);
        let of_loop = self.b.icmp(IntPred::Eq, start, zero);
        let mut from = self.b.select(of_loop, null, kept);
        if fan > 1 {
            let inner = self.b.offset(levels, fan * self.size);
            let outer = Level { at: levels, length: span, apart: blocks };
            let apart = match self.shift {
                None => {
                    let on = self.make(first, from, (outer, true));
                    self.continue_at(on);
                    blocks
                }
                Some(at) => {
                    let i64t = self.b.m.types.int(64);
                    let on = self.make(first, from, (outer, false));
                    let regular = self.b.m.int(64, log2(fan));
                    self.b.store(regular, at, 8);
                    self.continue_at(on);
                    let shift = self.b.load(i64t, at, 8);
                    self.b.binary(BinOp::Add, shift, rows)
                }
            };
            from = self.start(first, from, Level { apart, ..outer });
            let level = Level { at: inner, length: apart, apart: rows };
            let on = self.make(first, from, (level, true));
            self.continue_at(on);
            from = self.start(first, from, level);
        }
        let all = self.b.m.int(64, u128::from(period));
        let left = self.b.select(leaves, row, all);
        let args = [vec![buffer, from, row, left], self.reads.clone()].concat();
        debug_assert_eq!(args.len(), OWN + self.reads.len());
        self.b.call(run, args);
        // The first segment of a block of KF² is the last one to be reversed.
        let [used, done] = ["used", "done"].map(|name| self.b.f.add_block(name));
        let begins = self.b.icmp(IntPred::Eq, inside, zero);
        let later = self.b.icmp(IntPred::Ne, start, zero);
        let is_used = self.b.binary(BinOp::And, begins, later);
        self.b.cond_br(is_used, used, done);
        self.b.at = used;
        let at = self.b.offset(kept, self.size - self.b.m.size_of(self.ptr));
        let before = get(&mut self.b, list, self.ptr, at);
        self.b.store(before, slot, 8);
        self.b.br(done);
        self.b.at = done;
        self.b.effect(InstKind::Ret(None));
        self.b.f
    }

    /// The number of the part of a block in which a segment is.
    fn number(&mut self, first: Operand, level: Level) -> Operand {
        let inside = within(&mut self.b, first, level.length);
        self.b.binary(BinOp::LShr, inside, level.apart)
    }

    /// Makes a level, if one has come to the last segment of the block, or has entered the loop (`entering`), and not
    /// to its first part. Goes on in the block of that case, and gives the one for all cases.
    fn make(&mut self, first: Operand, start: Operand, (level, entering): (Level, bool)) -> BlockId {
        let number = self.number(first, level);
        let (zero, one) = (self.b.m.int(64, 0), self.b.m.int(64, 1));
        let divided = self.b.icmp(IntPred::Ne, number, zero);
        let inside = within(&mut self.b, first, level.length);
        let length = self.b.binary(BinOp::Shl, one, level.length);
        let segment = self.b.m.int(64, u128::from(self.replay.period));
        let at_end = self.b.binary(BinOp::Sub, length, segment);
        let ends = self.b.icmp(IntPred::Eq, inside, at_end);
        let leaves = self.b.f.param(4);
        let anew = match entering {
            true => self.b.binary(BinOp::Or, ends, leaves),
            false => {
                let yes = self.b.m.int(1, 1);
                let stays = self.b.binary(BinOp::Xor, leaves, yes);
                self.b.binary(BinOp::And, ends, stays)
            }
        };
        let due = self.b.binary(BinOp::And, divided, anew);
        let [make, on] = ["make", "on"].map(|name| self.b.f.add_block(name));
        self.b.cond_br(due, make, on);
        self.b.at = make;
        let args = [vec![level.at, start, number, level.apart], self.reads.clone()].concat();
        self.b.call(self.advance, args);
        on
    }

    fn continue_at(&mut self, on: BlockId) {
        self.b.br(on);
        self.b.at = on;
    }

    /// What the part of a block in which a segment is starts with.
    fn start(&mut self, first: Operand, start: Operand, level: Level) -> Operand {
        let number = self.number(first, level);
        let (zero, size) = (self.b.m.int(64, 0), self.b.m.int(64, u128::from(self.size)));
        let divided = self.b.icmp(IntPred::Ne, number, zero);
        let bytes = self.b.binary(BinOp::Mul, number, size);
        let at = self.b.offset_by(level.at, bytes);
        self.b.select(divided, at, start)
    }
}
