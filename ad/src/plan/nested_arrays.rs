//! Records of inner loops within the record of the iteration around them.
//!
//! Where an inner loop runs as often in each iteration of a loop, and that is known before the outer loop is entered,
//! its records need no array of their own: a record of the outer loop is followed by those of the inner one, and then
//! comes the record of the next outer iteration. So there is one allocation for both loops, no pointer to the inner
//! array, and no gap between arrays. What must be known are two numbers, kept once, around the outer loop: its stride,
//! and where in a record the inner loop's begin.
//!
//! Known means that what the number of iterations is computed from, and the branches that lead to the inner loop
//! ([`Guard`]), are defined where the outer loop is entered. Whatever ends an outer iteration has been at the first of
//! these branches, so no room is left unused, and nothing is looked at that the primal does not look at.

use crate::analysis::context::Context;
use crate::base::regions::Shape;
use crate::plan::data::{Guard, Plan};
use ir::loops::LoopId;
use ir::{BlockId, InstKind, Operand};

/// The branches by which a loop is entered, the nearest first, if the records of the loop can lie in those of the loop
/// around it, with all that lies in them.
pub fn guards(cx: &Context, shape: &Shape, plan: &Plan, l: LoopId) -> Option<Vec<Guard>> {
    let outer = shape.parent(l)?;
    let (trips, around) = (plan.arrays.get(&l)?, plan.arrays.get(&outer)?);
    let data = &shape.loops.loops[outer];
    let ends: Vec<BlockId> = data.latches.iter().chain(data.exits.iter().map(|(from, _)| from)).copied().collect();
    let (mut at, mut guards) = (trips.enter, entry_guard(cx, shape, plan, l).into_iter().collect::<Vec<Guard>>());
    while !ends.iter().all(|end| shape.dom.dominates(at, *end)) {
        let &[from] = shape.cfg.preds(at) else { return None };
        match cx.func.insts[cx.func.terminator(from)?].kind {
            InstKind::Br(_) => {}
            InstKind::CondBr { cond, then_to, else_to } if then_to != else_to => guards.push((cond, then_to == at)),
            _ => return None,
        }
        at = from;
    }
    let is_there = |o: Operand| {
        let defined = o.local().and_then(|v| cx.func.def_inst(v)).and_then(|inst| shape.block(inst));
        defined.is_none_or(|block| shape.dom.dominates(block, around.enter))
    };
    let conditions = guards.iter().map(|(cond, _)| *cond);
    let all = trips.operands().into_iter().chain(conditions).chain(within(shape, plan, l));
    all.into_iter().all(is_there).then_some(guards)
}

/// The branch at the entry of a loop with an array, if there is one.
pub fn entry_guard(cx: &Context, shape: &Shape, plan: &Plan, l: LoopId) -> Option<Guard> {
    let end = cx.func.terminator(plan.arrays.get(&l)?.enter)?;
    match cx.func.insts[end].kind {
        InstKind::CondBr { cond, then_to, .. } => Some((cond, then_to == shape.loops.loops[l].header)),
        _ => None,
    }
}

/// What the lengths of the arrays in a loop's records are computed from.
fn within(shape: &Shape, plan: &Plan, l: LoopId) -> Vec<Operand> {
    let mut out = Vec::new();
    for inner in plan.inner(shape, l) {
        out.extend(plan.nested[&inner].iter().map(|(cond, _)| *cond));
        out.extend(plan.arrays.get(&inner).into_iter().flat_map(|trips| trips.operands()));
        out.extend(within(shape, plan, inner));
    }
    out
}
