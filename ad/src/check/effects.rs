//! What an instruction may write, read from the instruction itself.
//!
//! Where pointers lead are facts of the analysis of memory, taken as mere data; what follows from them is found here:
//!
//! - a store writes what its pointer may lead to; through a pointer that may lead elsewhere, all that is known
//!   *abroad*: memory of the caller, variables, what these lead to, and what was ever given to a foreign function or
//!   stored where nobody looks;
//! - a call of a function of ours writes what that function writes, which is found there
//!   ([`crate::check::after`]);
//! - a foreign function writes what its arguments lead to, over as many loads as it likes, and all that is known
//!   abroad, unless it keeps to its arguments;
//! - a call that orders threads writes all that anything writes, for another thread may have;
//! - to free a block is to write to it, and so is the end of a variable's life, unless the gradient lets it wait.

use crate::analysis::context::{Callee, Context};
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::program::externals::{self, External};
use ir::hash::HashSet;
use ir::{Call, InstId, InstKind, Operand};

/// What an instruction may write, but for what functions of ours do that it calls.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// These objects.
    pub objects: Vec<ObjId>,
    /// All that is known abroad, besides.
    pub abroad: bool,
}

/// Intrinsics with a pointer among their operands that write nothing there (LangRef).
const HARMLESS: [&str; 12] = [
    "llvm.assume",
    "llvm.prefetch",
    "llvm.objectsize.",
    "llvm.invariant.",
    "llvm.launder.",
    "llvm.strip.",
    "llvm.ptrmask.",
    "llvm.expect.",
    "llvm.is.constant.",
    "llvm.dbg.",
    "llvm.experimental.noalias.scope.decl",
    "llvm.threadlocal.address",
];

/// Is it memory of the functions' own: a variable on the stack, or a block?
pub(super) fn is_own(cx: &Context, object: ObjId) -> bool {
    matches!(cx.facts.objects[object].kind, ObjKind::Stack(..) | ObjKind::Heap(..))
}

/// These objects, and all that pointers there lead to.
pub(super) fn reached_from(cx: &Context, from: Vec<ObjId>) -> HashSet<ObjId> {
    let (mut found, mut work) = (HashSet::default(), from);
    while let Some(object) = work.pop() {
        if found.insert(object) {
            work.extend(cx.facts.objects[object].pointers.values().flat_map(|targets| targets.keys().copied()));
        }
    }
    found
}

/// What the instruction may write.
pub(super) fn of(cx: &Context, inst: InstId) -> Effect {
    match &cx.func.insts[inst].kind {
        InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
            behind(cx, *ptr)
        }
        InstKind::Call(call) | InstKind::Invoke { call, .. } => of_call(cx, inst, call),
        _ => Effect::default(),
    }
}

/// A write through a pointer.
fn behind(cx: &Context, ptr: Operand) -> Effect {
    Effect { objects: cx.targets(ptr).into_keys().collect(), abroad: cx.facts.leads_elsewhere(cx.m, cx.id, ptr) }
}

fn of_call(cx: &Context, inst: InstId, call: &Call) -> Effect {
    let given = |args: &[Operand]| -> Vec<ObjId> { args.iter().flat_map(|arg| cx.targets(*arg).into_keys()).collect() };
    let ours = cx.facts.called(cx.m, cx.sources, (cx.id, cx.func), inst);
    if !ours.is_empty() {
        // What a function makes of arguments that it does not name is not followed.
        let named = ours.iter().map(|f| cx.sources[f].params.len()).min().unwrap_or(0);
        let objects = reached_from(cx, given(call.args.get(named..).unwrap_or_default())).into_iter().collect();
        let callees = cx.facts.callees(cx.m, cx.id, inst, call);
        let abroad = callees.into_iter().any(|f| f.is_none_or(|f| !cx.sources.contains_key(&f)));
        return Effect { objects, abroad };
    }
    let name = name_of(cx, call);
    if name.starts_with("llvm.") && HARMLESS.iter().any(|harmless| name.starts_with(harmless)) {
        return Effect::default();
    }
    match cx.callee(call) {
        Callee::External(External::Free { .. }) if cx.facts.reloads.waits(cx.id, inst) => Effect::default(),
        Callee::External(External::Free { block }) => behind(cx, call.args[block]),
        Callee::External(External::Copy | External::Set) => behind(cx, call.args[0]),
        Callee::External(External::Rule(row)) => {
            let out = |kind: &rules::Operand| matches!(kind, rules::Operand::FloatOut | rules::Operand::IntOut);
            let written = row.operands.iter().zip(&call.args).filter(|(kind, _)| out(kind));
            written.map(|(_, arg)| behind(cx, *arg)).fold(Effect::default(), |mut all, one| {
                all.objects.extend(one.objects);
                Effect { objects: all.objects, abroad: all.abroad || one.abroad }
            })
        }
        // What any thread has written.
        Callee::External(External::Order(_)) => {
            let written = cx.facts.objects.iter().filter(|(_, object)| object.written);
            Effect { objects: written.map(|(object, _)| object).collect(), abroad: true }
        }
        Callee::External(External::Allocate { .. } | External::Reduction(_) | External::Held) => Effect::default(),
        // A message writes its buffers that receive, and what it is told to write besides.
        Callee::External(External::Message(row)) => {
            let received = row.buffers.iter().filter(|buffer| buffer.received).map(|buffer| buffer.at);
            let written = received.chain(row.writes.iter().copied()).map(|at| behind(cx, call.args[at]));
            let pending = if row.completes() { pending(cx) } else { Effect::default() };
            written.fold(pending, |mut all, one| {
                all.objects.extend(one.objects);
                Effect { objects: all.objects, abroad: all.abroad || one.abroad }
            })
        }
        Callee::External(External::Links(_)) => {
            Effect { objects: reached_from(cx, given(&call.args)).into_iter().collect(), abroad: false }
        }
        Callee::External(_) if name.starts_with("llvm.lifetime.end") && cx.facts.reloads.keeps_stack() => {
            Effect::default()
        }
        Callee::External(External::Inactive | External::Unknown | External::Custom)
        | Callee::Plain
        | Callee::Derived(_) => {
            Effect { objects: reached_from(cx, given(&call.args)).into_iter().collect(), abroad: is_foreign(cx, call) }
        }
    }
}

/// What receives may write that were begun anywhere, when something is waited for.
fn pending(cx: &Context) -> Effect {
    let mut all = Effect::default();
    for (id, func) in cx.sources {
        let there = Context { id: *id, func, ..*cx };
        for (_, inst) in func.inst_order() {
            let Some(call) = func.insts[inst].kind.as_call() else { continue };
            if let Callee::External(External::Message(row)) = there.callee(call)
                && row.receives_later()
            {
                for buffer in row.buffers.iter().filter(|buffer| buffer.received) {
                    let effect = behind(&there, call.args[buffer.at]);
                    all.objects.extend(effect.objects);
                    all.abroad |= effect.abroad;
                }
            }
        }
    }
    all
}

/// Does the call leave the functions that are looked at, for one that may write wherever it likes?
pub(super) fn is_foreign(cx: &Context, call: &Call) -> bool {
    let external = matches!(
        cx.callee(call),
        Callee::External(External::Inactive | External::Unknown | External::Custom)
            | Callee::Plain
            | Callee::Derived(_)
    );
    external && !externals::keeps_to_arguments(cx.m, call)
}

/// May the function keep an address that it is given, for itself or for others?
pub(super) fn keeps_addresses(cx: &Context, call: &Call) -> bool {
    is_foreign(cx, call)
}

/// The name of the function that is called, if there is one.
pub(super) fn name_of<'a>(cx: &Context<'a>, call: &Call) -> &'a str {
    cx.m.as_function(call.callee).map_or("", |f| cx.m.functions[f].name.as_str())
}
