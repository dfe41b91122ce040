//! Which way a branch took, told by its condition.
//!
//! Where two ways meet, the reverse pass must know by which of them the forward pass has come. If they part at one
//! branch, its condition tells, which is one more value that the reverse pass needs: computed again, or a byte of the
//! record. Else the predecessor is recorded.

use crate::analysis::context::Context;
use crate::base::regions::Shape;
use crate::plan::data::{Plan, Way};
use ir::{BlockId, InstKind};
use std::collections::BTreeMap;

/// What tells the predecessors of all blocks for which a condition does.
pub fn find(cx: &Context, shape: &Shape, plan: &Plan) -> BTreeMap<BlockId, Way> {
    let recorded = plan.returning.iter().filter(|block| plan.records_pred(shape, **block));
    recorded.filter_map(|block| Some((*block, of(cx, shape, plan, *block)?))).collect()
}

/// The branch whose condition tells from which of its two predecessors a block was entered.
fn of(cx: &Context, shape: &Shape, plan: &Plan, block: BlockId) -> Option<Way> {
    let [a, b] = plan.preds(shape, block)[..] else { return None };
    if shape.header_of(block).is_some() || shape.cfg.preds(block).len() != 2 {
        return None;
    }
    let parting = shape.dom.idom(block)?;
    let InstKind::CondBr { cond, then_to, else_to } = cx.func.insts[cx.func.terminator(parting)?].kind else {
        return None;
    };
    let reversed = shape.region(block).is_none_or(|l| plan.live_loops.contains(&l));
    if then_to == else_to || !reversed || shape.region(parting) != shape.region(block) {
        return None;
    }
    // A way begins with the edge from the branch, and only so: other edges to its first block are those of a loop that
    // begins there.
    let begins = |to: BlockId, pred: BlockId| match to == block {
        true => pred == parting,
        false => {
            let first = shape.cfg.preds(to).iter().filter(|p| !shape.dom.dominates(to, **p));
            first.eq([&parting]) && shape.dom.dominates(to, pred)
        }
    };
    let cond = cond.local()?;
    match (begins(then_to, a) && begins(else_to, b), begins(then_to, b) && begins(else_to, a)) {
        (true, _) => Some(Way { cond, if_true: a, if_false: b }),
        (_, true) => Some(Way { cond, if_true: b, if_false: a }),
        _ => None,
    }
}
