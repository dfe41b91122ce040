//! Who may read memory.

use crate::analysis::context::{Callee, Context};
use crate::analysis::memory::object::ObjId;
use crate::program::externals::{self, External};
use ir::{FuncId, InstId, InstKind, Operand};
use std::collections::BTreeSet;

/// May anything in the sources, but for some instructions, read these objects, or hand them on to who knows whom?
pub(crate) fn reads(root: &Context, objects: &BTreeSet<ObjId>, but: impl Fn(FuncId, InstId) -> bool) -> bool {
    root.sources.iter().any(|(id, func)| {
        let cx = Context { id: *id, func, ..*root };
        func.inst_order().any(|(_, inst)| !but(*id, inst) && reads_any(&cx, objects, inst))
    })
}

fn reads_any(cx: &Context, objects: &BTreeSet<ObjId>, inst: InstId) -> bool {
    let leads_there = |o: &Operand| cx.targets(*o).keys().any(|t| objects.contains(t));
    let data = &cx.func.insts[inst];
    match &data.kind {
        InstKind::Load { ptr, .. } => leads_there(ptr),
        InstKind::Store { value, .. } => leads_there(value),
        InstKind::Call(call) => match cx.callee(call) {
            Callee::External(External::Free { .. } | External::Set | External::Allocate { .. }) => false,
            Callee::External(External::Copy) => leads_there(&call.args[1]),
            _ if externals::marks_life(cx.m, data) => false,
            // What a function does that is looked into is seen there.
            _ if cx.m.as_function(call.callee).is_some_and(|f| cx.sources.contains_key(&f)) => false,
            _ => call.args.iter().any(leads_there),
        },
        InstKind::Gep { .. }
        | InstKind::Phi { .. }
        | InstKind::Select { .. }
        | InstKind::ICmp { .. }
        | InstKind::Freeze(_)
        | InstKind::Br(_)
        | InstKind::CondBr { .. }
        | InstKind::Switch { .. } => false,
        kind => kind.operands().iter().any(leads_there),
    }
}
