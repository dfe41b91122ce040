//! Loop counters: induction variables of constant or invariant step.

use crate::analysis::context::Context;
use crate::analysis::loops::counters::Induction;
use crate::base::regions::Shape;
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BinOp, InstId, InstKind, Operand, ValueId};

/// The counters of all loops of a function.
pub fn all(cx: &Context, shape: &Shape) -> HashMap<ValueId, Induction> {
    let mut out = HashMap::default();
    for (id, data) in shape.loops.loops.iter() {
        for inst in &cx.func.blocks[data.header].insts {
            out.extend(induction(cx, shape, id, *inst));
        }
    }
    out
}

/// Is this the counter of the loop: a phi whose value along every back edge is itself plus or minus a
/// value that the loop does not change?
fn induction(cx: &Context, shape: &Shape, of: LoopId, inst: InstId) -> Option<(ValueId, Induction)> {
    let data = &cx.func.insts[inst];
    let InstKind::Phi { incoming, .. } = &data.kind else { return None };
    let v = data.result?;
    let inside = |b| shape.loops.contains(of, b);
    let mut starts = incoming.iter().filter(|(_, b)| !inside(*b)).map(|(o, _)| *o);
    let start = starts.next()?;
    let mut nexts = incoming.iter().filter(|(_, b)| inside(*b)).map(|(o, _)| *o);
    let next = nexts.next()?;
    if starts.any(|s| s != start) || nexts.any(|n| n != next) {
        return None;
    }
    let next = next.local()?;
    let (base, step, down) = match &cx.func.insts[cx.func.def_inst(next)?].kind {
        InstKind::Binary { op: BinOp::Add, lhs, rhs, .. } if *lhs == Operand::Local(v) => (*lhs, *rhs, false),
        InstKind::Binary { op: BinOp::Add, lhs, rhs, .. } => (*rhs, *lhs, false),
        InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. } => (*lhs, *rhs, true),
        // A pointer that moves by a constant number of bytes.
        InstKind::Gep { elem_ty, base, indices, .. }
            if indices.len() == 1 && cx.m.size_of(*elem_ty) == 1 && indices[0].constant().is_some() =>
        {
            (*base, indices[0], false)
        }
        _ => return None,
    };
    let invariant = step.local().is_none_or(|s| !is_inside(cx, shape, of, s));
    (base == Operand::Local(v) && invariant).then_some((v, Induction { of, start, step, down, next }))
}

fn is_inside(cx: &Context, shape: &Shape, of: LoopId, v: ValueId) -> bool {
    cx.func.def_inst(v).and_then(|i| shape.block(i)).is_some_and(|b| shape.loops.contains(of, b))
}
