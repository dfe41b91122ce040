//! Loops whose number of iterations is known when they are entered.
//!
//! Their records can be one array, allocated on entry: no link from record to record, no allocation in the loop, and an
//! address that is a multiple of the iteration's number, which LLVM's loop passes understand.
//!
//! The loop has one way in, and one way out, from its header or from its only latch; there a counter `i` of constant
//! step `s`, or the counter's next value, is compared with a value that the loop does not change. If the comparison
//! that stays in the loop is first made with `x`, and its bound is `b`, the header runs `1 + ⌈(b - x) / s⌉` times for
//! `<` and `!=`, `2 + ⌊(b - x) / s⌋` times for `<=`, and the same with `x - b` where the counter goes down; once if the
//! first comparison fails already.
//!
//! With steps of one, `!=` is exact modulo the width of the counter, and the others cannot wrap before they fail. With
//! longer steps the counter's next value must not wrap either, which the primal promises: `nsw` or `nuw`, as the
//! comparison is, or `inbounds` for a pointer, which also makes `!=` exact, since a pointer that misses its bound
//! leaves its object. The same promise tells that a step which is no constant goes towards the bound if a second
//! iteration follows; if none does, the step is not asked.

use crate::analysis::context::Context;
use crate::analysis::loops::counters::{Induction, Step, Trips};
use crate::base::regions::Shape;
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BinOp, BlockId, InstKind, IntPred, Operand, Type, ValueId};

/// The number of iterations of a loop, if it is of the form above.
pub fn of(cx: &Context, shape: &Shape, counters: &HashMap<ValueId, Induction>, l: LoopId) -> Option<Trips> {
    let data = &shape.loops.loops[l];
    let inside = |b: &BlockId| shape.loops.contains(l, *b);
    let mut entering = shape.cfg.preds(data.header).iter().copied().filter(|p| !inside(p));
    let (enter, None) = (entering.next()?, entering.next()) else { return None };
    let ([latch], [(from, to)]) = (data.latches.as_slice(), data.exits.as_slice()) else { return None };
    if shape.region(enter) != shape.parent(l) || (from != latch && *from != data.header) {
        return None;
    }
    // The way in is a jump or one side of a branch.
    match cx.func.insts[cx.func.terminator(enter)?].kind {
        InstKind::Br(_) => {}
        InstKind::CondBr { then_to, else_to, .. } if then_to != else_to => {}
        _ => return None,
    }
    let InstKind::CondBr { cond, then_to, else_to } = cx.func.insts[cx.func.terminator(*from)?].kind else {
        return None;
    };
    if then_to == else_to {
        return None;
    }
    let InstKind::ICmp { pred, lhs, rhs } = cx.func.insts[cx.func.def_inst(cond.local()?)?].kind else { return None };
    let pred = if then_to == *to { inverse(pred) } else { pred };
    let compared = |o: Operand| counter(cx, counters, l, o);
    let (stay, (induction, after), bound) = match (compared(lhs), compared(rhs)) {
        (Some(found), None) => (pred, found, rhs),
        (None, Some(found)) => (swapped(pred), found, lhs),
        _ => return None,
    };
    let invariant = |o: Operand| {
        let block = o.local().and_then(|v| cx.func.def_inst(v)).and_then(|i| shape.block(i));
        block.is_none_or(|b| !inside(&b))
    };
    let (down, step) = direction(cx, &induction)?;
    let exact = step == Step::By(1) && !cx.m.types.is_ptr(cx.ty(bound)) || is_promised(cx, &induction, (stay, bound));
    let fits = match stay {
        IntPred::Ne => true,
        IntPred::Slt | IntPred::Sle | IntPred::Ult | IntPred::Ule => !down,
        IntPred::Sgt | IntPred::Sge | IntPred::Ugt | IntPred::Uge => down,
        IntPred::Eq => false,
    };
    let narrow =
        matches!(cx.m.types.get(cx.ty(bound)), Type::Int(bits) if *bits <= 64) || cx.m.types.is_ptr(cx.ty(bound));
    let known = invariant(bound) && invariant(induction.start);
    (fits && narrow && known && exact).then_some(Trips {
        enter,
        start: induction.start,
        bound,
        stay,
        after,
        down,
        step,
    })
}

/// The counter that an operand is, or whose next value it is.
fn counter(cx: &Context, counters: &HashMap<ValueId, Induction>, l: LoopId, o: Operand) -> Option<(Induction, bool)> {
    let v = o.local()?;
    let of_loop = |v: ValueId| counters.get(&v).filter(|c| c.of == l).copied();
    if let Some(found) = of_loop(v) {
        return Some((found, false));
    }
    if let Some(found) = counters.values().find(|c| c.of == l && c.next == v) {
        return Some((*found, true));
    }
    // The same number from another addition promises nothing, and steps of one need no promise.
    let InstKind::Binary { op, lhs, rhs, .. } = cx.func.insts[cx.func.def_inst(v)?].kind else { return None };
    let (base, step) = match op {
        BinOp::Add if lhs.local().is_some_and(|v| of_loop(v).is_some()) => (lhs, rhs),
        BinOp::Add => (rhs, lhs),
        BinOp::Sub => (lhs, rhs),
        _ => return None,
    };
    let found =
        of_loop(base.local()?).filter(|found| direction(cx, found).is_some_and(|(_, step)| step == Step::By(1)))?;
    (found.step == step && found.down == (op == BinOp::Sub)).then_some((found, true))
}

/// Whether the counter goes down, and by how much.
pub(crate) fn direction(cx: &Context, induction: &Induction) -> Option<(bool, Step)> {
    let &Type::Int(bits) = cx.m.types.get(cx.ty(induction.step)) else { return None };
    if let Operand::Local(step) = induction.step {
        return (bits <= 64).then_some((induction.down, Step::Value(step)));
    }
    let (unsigned, sign) = (cx.m.as_int(induction.step)?, 1u128 << (bits - 1));
    let (negative, size) = match unsigned & sign {
        0 => (false, unsigned),
        _ => (true, (sign << 1).wrapping_sub(unsigned)),
    };
    let step = u64::try_from(size).ok().filter(|step| *step > 0 && bits <= 64)?;
    Some((induction.down != negative, Step::By(step)))
}

/// Does the primal promise that the counter does not pass its bound by going round?
fn is_promised(cx: &Context, induction: &Induction, (stay, bound): (IntPred, Operand)) -> bool {
    let signed = matches!(stay, IntPred::Slt | IntPred::Sle | IntPred::Sgt | IntPred::Sge);
    let Some(next) = cx.func.def_inst(induction.next) else { return false };
    match &cx.func.insts[next].kind {
        InstKind::Gep { flags, .. } => flags.inbounds && !signed && cx.m.types.is_ptr(cx.ty(bound)),
        InstKind::Binary { flags, .. } if stay != IntPred::Ne => {
            if signed {
                flags.nsw
            } else {
                flags.nuw
            }
        }
        _ => false,
    }
}

/// The comparison that holds where the other does not.
pub(crate) fn inverse(pred: IntPred) -> IntPred {
    match pred {
        IntPred::Eq => IntPred::Ne,
        IntPred::Ne => IntPred::Eq,
        IntPred::Ugt => IntPred::Ule,
        IntPred::Uge => IntPred::Ult,
        IntPred::Ult => IntPred::Uge,
        IntPred::Ule => IntPred::Ugt,
        IntPred::Sgt => IntPred::Sle,
        IntPred::Sge => IntPred::Slt,
        IntPred::Slt => IntPred::Sge,
        IntPred::Sle => IntPred::Sgt,
    }
}

/// The comparison with its sides exchanged.
pub(crate) fn swapped(pred: IntPred) -> IntPred {
    match pred {
        IntPred::Eq => IntPred::Eq,
        IntPred::Ne => IntPred::Ne,
        IntPred::Ugt => IntPred::Ult,
        IntPred::Uge => IntPred::Ule,
        IntPred::Ult => IntPred::Ugt,
        IntPred::Ule => IntPred::Uge,
        IntPred::Sgt => IntPred::Slt,
        IntPred::Sge => IntPred::Sle,
        IntPred::Slt => IntPred::Sgt,
        IntPred::Sle => IntPred::Sge,
    }
}
