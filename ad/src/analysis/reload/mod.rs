//! What lies in memory until the reverse pass: loads that may be made again there, so that nothing is stored for them.
//!
//! The reverse pass writes to shadows only. So a load may be made again if nothing writes to its memory from then on
//! until the forward pass has ended, and the memory is still there. (The question of Moses & Churavy, NeurIPS 2020, §3,
//! which values must be cached.)
//!
//! *Writes.* Which objects each instruction may write is told by [`Facts::writes`]; a call writes what the functions
//! that it reaches write. Two backward analyses, of unions of sets of objects:
//!
//! - in a function, what may be written after an instruction: by what follows it in its block, and in the blocks that
//!   can be reached;
//! - between functions, what may be written after a function has returned: after each of its calls, and after the
//!   functions that make these; of the gradient's own memory what that call can reach from its arguments, and what it
//!   makes itself.
//!
//! An object is all memory of an allocation site, so what a loop writes in each of its iterations counts as written
//! after every one.
//!
//! *Memory.* That of the caller and of variables is there; to variables the caller may write between the passes, unless
//! these are one function. Stack memory of a combined gradient is, as its frame holds both passes: its marks of the end
//! of life are left out. Blocks are there if what frees them can wait until the end of the gradient, which a free of
//! the differentiated function outside of loops can ([`Reloads::waits`]). (The shadows of blocks live until their
//! allocation is reversed anyhow, so no more than twice the memory is needed for that.)
//!
//! *Values.* What the program has stored there may be loaded in place of being kept ([`stored_values`]); of some loads
//! it is known which store they see ([`sole_store`]); and of some memory all that is stored and loaded ([`filled`]).

pub mod answer;
mod filled;
mod reads;
pub mod sole_store;
pub mod stored_values;
pub mod written_after;

use crate::analysis::analyses::Analyses;
use crate::analysis::context::{Callee, Context};
use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::reload::answer::Reloads;
pub(crate) use crate::analysis::reload::reads::reads;
use crate::analysis::reload::written_after::{Set, Writes};
use crate::base::marks::APART;
use crate::normalise::sources::Sources;
use crate::options::Lever;
use crate::program::externals::{self, External};
use crate::program::{attributes, loop_marks};
use ir::{FuncId, Function, InstId, InstKind, Module, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Finds it. With both passes in one function (`combined`), the stack memory and the frees of `root` are its own.
pub fn find(
    m: &Module,
    facts: &Analyses,
    sources: &Sources,
    differentiable: &BTreeSet<FuncId>,
    (root, combined): (FuncId, bool),
) -> Reloads {
    let mut reloads = Reloads::default();
    if facts.caller_may_write {
        return reloads;
    }
    let context = |id: FuncId, func| Context { m, facts, sources, differentiable, id, func };
    let own = combined && !is_called(m, facts, sources, root);
    let blocks = Blocks::new(&context(root, &sources[&root]), own);
    let writes = Writes::new(&context(root, &sources[&root]), &blocks);
    reloads.anywhere = writes.anywhere;
    let mut used = BTreeSet::new();
    let lasts = |o: ObjId, after: &Set| match facts.objects[o].kind {
        ObjKind::External { .. } => !after.iter().any(|w| facts.same_memory(w, o)),
        ObjKind::Global(g) if m.globals[g].constant => !facts.objects[o].written,
        // A thread of the reverse pass has variables of its own.
        ObjKind::Global(g) => {
            combined && m.globals[g].thread_local.is_empty() && !after.iter().any(|w| facts.same_memory(w, o))
        }
        ObjKind::Stack(..) | ObjKind::Heap(..) => blocks.own.contains(&o) && !after.contains(o),
        ObjKind::Function(_) | ObjKind::Opaque | ObjKind::Lost => false,
    };
    for (id, func) in sources.iter().filter(|(id, _)| differentiable.contains(id)) {
        let cx = context(*id, func);
        writes.after_each(*id, func, |inst, after| {
            let InstKind::Load { ptr, volatile: false, atomic: None, .. } = func.insts[inst].kind else { return };
            // Found to be apart from all that is written where its iteration is executed.
            if facts.joint.contains(id) && func.insts[inst].metadata(APART).is_some() {
                reloads.loads.insert((*id, inst));
                return;
            }
            let targets = cx.targets(ptr);
            if !targets.is_empty() && !facts.leads_elsewhere(m, *id, ptr) && targets.keys().all(|o| lasts(*o, after)) {
                reloads.loads.insert((*id, inst));
                used.extend(targets.into_keys());
            }
        });
    }
    let once = |id: &&FuncId| own && (**id == root || facts.joint.contains(id)) && sources.contains_key(id);
    for id in differentiable.iter().filter(once) {
        let cx = context(*id, &sources[id]);
        if !facts.without.has(Lever::StoredValues) {
            for (made, store, objects) in stored_values::find(&cx, &writes, lasts) {
                reloads.stored.insert((*id, made), store);
                used.extend(objects);
            }
        }
        if !facts.without.has(Lever::Scratch) {
            let found = sole_store::find(&cx, &writes, &blocks).into_iter();
            reloads.covered.extend(found.map(|(load, covering)| ((*id, load), covering)));
            let filled = filled::find(&cx, &writes, &blocks, |load| reloads.loads.contains(&(*id, load)));
            reloads.filled.insert(*id, filled);
        }
    }
    // What is executed in the reverse pass uses all that it is given.
    for (_, inst) in sources[&root].inst_order() {
        let cx = context(root, &sources[&root]);
        let call = cx.func.insts[inst].kind.as_call();
        if let Some(call) = call.filter(|c| m.as_function(c.callee).is_some_and(|f| facts.joint.contains(&f))) {
            used.extend(call.args.iter().flat_map(|a| cx.targets(*a).into_keys()));
        }
    }
    reloads.stack = used.iter().any(|o| matches!(facts.objects[*o].kind, ObjKind::Stack(..)));
    let freed_late = |(_, freed): &(&InstId, &Targets)| freed.keys().any(|o| used.contains(o));
    reloads.waiting = blocks.frees.iter().filter(freed_late).map(|(inst, _)| (root, *inst)).collect();
    reloads.own = blocks.own;
    reloads
}

/// Does any of the functions call it?
pub(crate) fn is_called(m: &Module, facts: &Facts, sources: &Sources, root: FuncId) -> bool {
    let calls = |id: FuncId, func: &Function, inst| facts.called(m, sources, (id, func), inst).contains(&root);
    sources.iter().any(|(id, func)| func.inst_order().any(|(_, inst)| calls(*id, func, inst)))
}

/// Memory of the gradient itself.
#[derive(Default)]
struct Blocks {
    /// What is there until the reverse pass, or can be.
    own: BTreeSet<ObjId>,
    /// The frees of the root that can wait, with what they free.
    frees: BTreeMap<InstId, Targets>,
}

impl Blocks {
    fn new(root: &Context, own: bool) -> Blocks {
        let mut blocks = Blocks::default();
        if !own {
            return blocks;
        }
        let (facts, sources) = (root.facts, root.sources);
        let (_, _, loops) = loop_marks::loops(root.func);
        let mut freed_at_once = BTreeSet::new();
        for (id, func) in sources {
            let cx = Context { id: *id, func, ..*root };
            for (block, inst) in func.inst_order() {
                let Some((free, targets)) = freed(&cx, inst) else { continue };
                // A null pointer is freed where none was.
                let waits = *id == root.id && loops.innermost(block).is_none() && externals::frees_null(&free.name);
                if waits {
                    blocks.frees.insert(inst, targets);
                } else {
                    freed_at_once.extend(targets.into_keys());
                }
            }
        }
        let is_own = |object: ObjId| match facts.objects[object].kind {
            // Of a size known at run time it may end before (`llvm.stackrestore`), as may what the optimiser has found
            // to be of one size.
            ObjKind::Stack(f, inst) => {
                let fixed = match sources[&f].insts[inst].kind {
                    InstKind::Alloca { count, .. } => count.is_none_or(|n| n.constant().is_some()),
                    _ => false,
                };
                fixed && f == root.id && beginning(root.m, &sources[&f]).contains(&inst)
            }
            ObjKind::Heap(f, inst) => !freed_at_once.contains(&object) && is_standard(root.m, &sources[&f], inst),
            _ => false,
        };
        blocks.own = facts.objects.keys().filter(|o| is_own(*o)).collect();
        blocks
    }
}

/// What stands in the entry before the stack is saved.
fn beginning<'a>(m: &Module, func: &'a Function) -> &'a [InstId] {
    let insts = &func.blocks[func.entry()].insts;
    let saves = |inst: &InstId| {
        let callee = func.insts[*inst].kind.as_call().and_then(|call| m.as_function(call.callee));
        callee.is_some_and(|f| m.functions[f].name.starts_with("llvm.stacksave"))
    };
    &insts[..insts.iter().position(saves).unwrap_or(insts.len())]
}

/// Is it the memory of an allocator of which it is known what frees it?
fn is_standard(m: &Module, func: &Function, inst: InstId) -> bool {
    let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
    callee.is_some_and(|f| {
        externals::allocates_blocks(&m.functions[f].name) && attributes::allocates(&m.functions[f]).is_none()
    })
}

/// What an instruction frees, and by which function.
fn freed<'a>(cx: &Context<'a>, inst: InstId) -> Option<(&'a Function, Targets)> {
    let call = cx.func.insts[inst].kind.as_call()?;
    match cx.callee(call) {
        Callee::External(External::Free { block }) => {
            let callee = cx.m.as_function(call.callee)?;
            Some((&cx.m.functions[callee], cx.targets(call.args[block])))
        }
        _ => None,
    }
}

/// Is it of a type that comes back from memory as it was put there?
fn is_number(m: &Module, ty: TypeId) -> bool {
    m.types.float_kind(m.types.scalar(ty)).is_some() || matches!(m.types.get(ty), Type::Int(8 | 16 | 32 | 64))
}
