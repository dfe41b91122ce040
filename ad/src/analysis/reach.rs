//! Which functions have a derivative, and which of these are called.

use crate::analysis::analyses::Analyses;
use crate::analysis::context::{Callee, Context};
use crate::analysis::outlives;
use crate::analysis::overwritten_by_steps::Undo;
use crate::normalise::collect::return_block;
use crate::normalise::sources::Sources;
use crate::normalise::threads::{is_await, is_spawn};
use crate::program::openmp::{awaits_tasks, hands_over};
use ir::{FuncId, Module};
use std::collections::BTreeSet;

/// Functions that do anything for the derivative: something in reverse, or a pointer whose shadow moves, or something
/// that a loop with checkpoints must know, or whoever frees shadows at the end.
pub(crate) fn differentiable(
    m: &Module,
    facts: &Analyses,
    sources: &Sources,
    (root, undo): (FuncId, Option<&Undo>),
) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::from([root]);
    let outliving = outlives::from_the_heap(facts);
    loop {
        let before = out.len();
        for (id, func) in sources {
            if out.contains(id) || return_block(func).is_none() {
                continue;
            }
            let cx = Context { m, facts, sources, differentiable: &out, id: *id, func };
            let acts = undo.is_some_and(|undo| undo.records(*id))
                || facts.returns_shadow(*id)
                || is_spawn(func)
                || is_await(func)
                || hands_over(func)
                || awaits_tasks(func)
                || outlives::is_freed_by(m, facts, (*id, func), &outliving)
                || func.inst_order().any(|(_, inst)| cx.acts(inst) || cx.moves_shadow(inst));
            if acts {
                out.insert(*id);
            }
        }
        if out.len() == before {
            return out;
        }
    }
}

/// Functions whose split derivative some differentiated function calls that is looked into.
pub(crate) fn called_functions(
    m: &Module,
    facts: &Analyses,
    sources: &Sources,
    differentiable: &BTreeSet<FuncId>,
    looked_into: impl Fn(&FuncId) -> bool,
) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::new();
    for id in differentiable.iter().filter(|id| looked_into(id)) {
        let func = &sources[id];
        let cx = Context { m, facts, sources, differentiable, id: *id, func };
        for (_, inst) in func.inst_order() {
            if let Some(call) = func.insts[inst].kind.as_call()
                && let Callee::Derived(f) = cx.callee(call)
            {
                out.insert(f);
            }
        }
    }
    out
}
