//! Memory that may be there when a differentiated call has ended: the caller's memory leads to it, or it is returned.
//!
//! Whoever finds it also finds its shadow, at the same place of a shadow; so that is memory of the same kind.

use crate::analysis::analyses::Analyses;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::normalise::sources::Sources;
use crate::program::externals::{External, classify};
use ir::{FuncId, Function, InstId, Module};
use std::collections::BTreeSet;

/// What of it allocators give, and has a shadow. What only a variable leads to is not among it: shadows of variables
/// are clear when a gradient begins.
pub(crate) fn from_the_heap(facts: &Analyses) -> BTreeSet<ObjId> {
    let outlives = |id: &ObjId| {
        let object = &facts.objects[*id];
        object.outlives && matches!(object.kind, ObjKind::Heap(..)) && facts.is_shadowed(*id)
    };
    facts.objects.iter().map(|(id, _)| id).filter(outlives).collect()
}

/// Does the program itself give any of these back?
pub(crate) fn may_be_freed(m: &Module, facts: &Analyses, sources: &Sources, memory: &BTreeSet<ObjId>) -> bool {
    sources.iter().any(|(id, func)| is_freed_by(m, facts, (*id, func), memory))
}

/// Does a function?
pub(crate) fn is_freed_by(
    m: &Module,
    facts: &Analyses,
    (id, func): (FuncId, &Function),
    memory: &BTreeSet<ObjId>,
) -> bool {
    let frees = |inst: InstId| {
        let call = func.insts[inst].kind.as_call()?;
        let callee = m.as_function(call.callee)?;
        let External::Free { block } = classify(m, &m.functions[callee]) else { return None };
        Some(facts.points_to(m, id, call.args[block]))
    };
    !memory.is_empty()
        && func.inst_order().filter_map(|(_, inst)| frees(inst)).any(|freed| freed.keys().any(|o| memory.contains(o)))
}
