//! Memory that may be there when a differentiated call has ended: the caller's memory leads to it, or it is returned.
//!
//! Whoever finds it also finds its shadow, at the same place of a shadow; so that is memory of the same kind.

use crate::analysis::analyses::Analyses;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::normalise::sources::Sources;
use crate::program::externals::{External, classify};
use ir::{FuncId, Function, InstId, Module};
use std::collections::BTreeSet;

/// Objects that memory from outside leads to, or that are returned. Variables count if they hold what they hold beyond
/// the call.
pub(crate) fn find(facts: &Analyses, root: FuncId, variables: bool) -> BTreeSet<ObjId> {
    facts.found_outside(root, variables)
}

/// Those of them that allocators give, and that have a shadow. What only a variable leads to is not among them: shadows
/// of variables are clear when a gradient begins.
pub(crate) fn from_the_heap(facts: &Analyses, root: FuncId) -> BTreeSet<ObjId> {
    let mut found = find(facts, root, false);
    found.retain(|id| matches!(facts.objects[*id].kind, ObjKind::Heap(..)) && facts.is_shadowed(*id));
    found
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
