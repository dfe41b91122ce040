//! The check of counters: a loop's counter is its start and so many steps, and the loop runs as often as is said.
//!
//! *Counters.* A phi of the header that gets one value from outside, and on all ways back itself plus or minus a step
//! that the loop does not change: in the n-th iteration it is `start ± n · step`, modulo its width.
//!
//! *Numbers of iterations.* The loop has one way back and one way out, at the end of a block that each iteration meets
//! once: the header, or the block that goes back. There a counter `x + n · s`, or its next value, is compared with a
//! bound that the loop does not change. The number of iterations that the emitter computes from `x`, `s` and the bound
//! is that of an integer without a width, so the counter must not go round before the comparison fails. With a step of
//! one it cannot: it comes past every number. A longer step must be promised not to (LangRef, "nsw", "nuw",
//! "inbounds").

use crate::analysis::context::Item;
use crate::analysis::loops::counters::{Induction, Step, Trips};
use crate::analysis::memory::query::PointerKind;
use crate::analysis::wanted::Wanted;
use crate::check::forms::{inverse, swapped};
use crate::check::{Checker, Derived, State};
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BinOp, BlockId, InstKind, IntPred, Operand, Type, ValueId};

/// What a loop adds to a value in each iteration.
struct Moves {
    start: Operand,
    step: Operand,
    /// The step is taken off.
    down: bool,
    next: ValueId,
}

impl Checker<'_> {
    /// Is the value such a counter? What it is computed from.
    pub(super) fn counted(&self, induction: &Induction, wanted: Wanted) -> Result<Vec<Wanted>, String> {
        let (v, shadow) = match wanted.item {
            Item::Primal(v) => (v, false),
            Item::Shadow(v) => (v, self.cx.has_shadow(Operand::Local(v))),
            Item::Record(_) => return Err(format!("{wanted:?} is no counter")),
        };
        let moves = self.moves(v, induction.of).filter(|moves| {
            let same = (moves.start, moves.step, moves.down) == (induction.start, induction.step, induction.down);
            same && induction.next == moves.next
        });
        let Some(moves) = moves else { return Err(format!("{wanted:?} is not counted so")) };
        let mut needed = Vec::new();
        for (operand, shadow) in [(moves.start, shadow), (moves.step, false)] {
            let Operand::Local(v) = operand else { continue };
            let twin = shadow && self.cx.pointer_kind(operand) != PointerKind::Constant;
            let item = if twin { Item::Shadow(v) } else { Item::Primal(v) };
            needed.push(Wanted { item, region: self.common(self.block_of(item), wanted) });
        }
        Ok(needed)
    }

    /// What the loop adds to a phi of its header.
    fn moves(&self, v: ValueId, of: LoopId) -> Option<Moves> {
        let (func, data) = (self.cx.func, &self.shape.loops.loops[of]);
        let phi = func.def_inst(v).filter(|inst| self.shape.block(*inst) == Some(data.header))?;
        let InstKind::Phi { incoming, .. } = &func.insts[phi].kind else { return None };
        let only = |inside: bool| {
            let mut all = incoming.iter().filter(|(_, b)| self.shape.loops.contains(of, *b) == inside).map(|(o, _)| *o);
            let first = all.next()?;
            all.all(|o| o == first).then_some(first)
        };
        let (start, next, own) = (only(false)?, only(true)?.local()?, Operand::Local(v));
        let (step, down) = match &func.insts[func.def_inst(next)?].kind {
            InstKind::Binary { op: BinOp::Add, lhs, rhs, .. } if *lhs == own => (*rhs, false),
            InstKind::Binary { op: BinOp::Add, lhs, rhs, .. } if *rhs == own => (*lhs, false),
            InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. } if *lhs == own => (*rhs, true),
            InstKind::Gep { elem_ty, base, indices, .. } if *base == own && self.cx.m.size_of(*elem_ty) == 1 => {
                let [index] = indices.as_slice() else { return None };
                (*index, false)
            }
            _ => return None,
        };
        self.stays(step, of).then_some(Moves { start, step, down, next })
    }

    /// Is it a value that the loop does not change?
    fn stays(&self, operand: Operand, of: LoopId) -> bool {
        let home = operand.local().and_then(|v| self.block_of(Item::Primal(v)));
        home.is_none_or(|block| !self.shape.loops.contains(of, block))
    }

    /// Does the header of a loop run as often as is said?
    pub(super) fn runs_so_often(&self, l: LoopId, trips: &Trips) -> bool {
        self.how_often(l, trips).is_some()
    }

    fn how_often(&self, l: LoopId, trips: &Trips) -> Option<()> {
        let (cx, data) = (self.cx, &self.shape.loops.loops[l]);
        let ([(from, to)], [latch]) = (data.exits.as_slice(), data.latches.as_slice()) else { return None };
        (from == latch || *from == data.header).then_some(())?;
        let InstKind::CondBr { cond, then_to, else_to } = cx.func.insts[cx.func.terminator(*from)?].kind else {
            return None;
        };
        (then_to != else_to).then_some(())?;
        let InstKind::ICmp { pred, lhs, rhs } = cx.func.insts[cx.func.def_inst(cond.local()?)?].kind else {
            return None;
        };
        let stays = if then_to == *to { inverse(pred) } else { pred };
        let (counter, stays) = match trips.bound {
            bound if bound == rhs && self.is_counter(lhs, l, trips).is_some() => (lhs, stays),
            bound if bound == lhs => (rhs, swapped(stays)),
            _ => return None,
        };
        let (moves, next_has) = self.is_counter(counter, l, trips)?;
        let (down, one) = self.direction(&moves)?;
        let upwards = matches!(stays, IntPred::Slt | IntPred::Sle | IntPred::Ult | IntPred::Ule);
        let towards = stays == IntPred::Ne || stays != IntPred::Eq && upwards != down;
        let step = match trips.step {
            Step::By(by) => self.literal(moves.step)?.unsigned_abs() == u128::from(by),
            Step::Value(v) => moves.step == Operand::Local(v),
        };
        let pointer = cx.m.types.is_ptr(cx.ty(trips.bound));
        let signed = matches!(stays, IntPred::Slt | IntPred::Sle | IntPred::Sgt | IntPred::Sge);
        let promised = match &cx.func.insts[cx.func.def_inst(next_has)?].kind {
            InstKind::Gep { flags, .. } => flags.inbounds && pointer && !signed,
            InstKind::Binary { flags, .. } => stays != IntPred::Ne && if signed { flags.nsw } else { flags.nuw },
            _ => false,
        };
        let exact = one && !pointer || promised;
        let known = self.stays(trips.bound, l) && self.stays(trips.start, l);
        let same = stays == trips.stay && down == trips.down && moves.start == trips.start;
        (towards && step && exact && known && same).then_some(())
    }

    /// Is it a counter of the loop that starts as is said, or its next value, as is said? What it does, and the value
    /// that promises something of the next one.
    fn is_counter(&self, operand: Operand, l: LoopId, trips: &Trips) -> Option<(Moves, ValueId)> {
        let func = self.cx.func;
        let v = operand.local()?;
        if !trips.after {
            let moves = self.moves(v, l)?;
            let next = moves.next;
            return Some((moves, next));
        }
        let base = match &func.insts[func.def_inst(v)?].kind {
            InstKind::Binary { op: BinOp::Add, lhs, rhs, .. } => {
                let is_phi = |o: &Operand| o.local().is_some_and(|v| self.moves(v, l).is_some());
                if is_phi(lhs) { *lhs } else { *rhs }
            }
            InstKind::Binary { op: BinOp::Sub, lhs, .. } => *lhs,
            InstKind::Gep { base, .. } => *base,
            _ => return None,
        };
        let moves = self.moves(base.local()?, l)?;
        // Another addition of the same gives the same number.
        let again = match &func.insts[func.def_inst(v)?].kind {
            InstKind::Binary { op: BinOp::Add, lhs, rhs, .. } => {
                !moves.down && (*lhs == base && *rhs == moves.step || *rhs == base && *lhs == moves.step)
            }
            InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. } => moves.down && *lhs == base && *rhs == moves.step,
            _ => false,
        };
        (moves.next == v || again).then_some((moves, v))
    }

    /// Whether the counter goes down, and whether it does so in steps of one.
    fn direction(&self, moves: &Moves) -> Option<(bool, bool)> {
        if moves.step.local().is_some() {
            return Some((moves.down, false));
        }
        let step = self.literal(moves.step).filter(|step| *step != 0)?;
        Some((moves.down != (step < 0), step.unsigned_abs() == 1))
    }

    fn literal(&self, operand: Operand) -> Option<i128> {
        let Type::Int(1..=64) = self.cx.m.types.get(self.cx.ty(operand)) else { return None };
        self.cx.m.as_int(operand).map(|bits| i128::from(ir::gep::signed(self.cx.m, operand, bits)))
    }

    /// What the number of iterations of a loop is computed from is there where the loop was left.
    pub(super) fn counts(&self, states: &HashMap<BlockId, State>) -> Result<(), String> {
        for l in &self.plan.counted {
            let Some(trips) = self.plan.arrays.get(l) else {
                return Err(format!("nothing tells how often {l:?} runs"));
            };
            let around: Vec<LoopId> = std::iter::successors(self.shape.parent(*l), |o| self.shape.parent(*o)).collect();
            for (from, _) in &self.shape.loops.loops[*l].exits {
                let Some(state) = states.get(from) else { continue };
                for v in trips.operands().into_iter().filter_map(Operand::local) {
                    let home = self.block_of(Item::Primal(v));
                    let holds = |o: &LoopId| home.is_some_and(|h| self.shape.loops.contains(*o, h));
                    let wanted = Wanted { item: Item::Primal(v), region: around.iter().copied().find(holds) };
                    self.derivable(wanted, state, &mut Derived::default())?;
                }
            }
        }
        Ok(())
    }
}
