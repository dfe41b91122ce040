//! Functions that the gradient executes more often than the program does: may they be?
//!
//! - `enzyme_width` in reverse mode calls the gradient once for each set of shadows ([`crate::request::width`]): nobody
//!   may be able to tell how often. That is so where the function writes nothing but memory of its own, and calls
//!   nothing that might have another effect.
//! - `__enzyme_fwdsplit` gives the tangents of a function that has run already; without a tape that is done by running
//!   it again, under the same condition.
//! - The step of a loop with checkpoints is executed again, on a copy of its state and of its parameters
//!   ([`crate::request::checkpoint_for`]): besides that it may write to its state; it must read nothing that may have
//!   changed in between: nothing but its state, its parameters, constants and memory of its own; and a copy of the
//!   state must be all of it, so it holds no pointers.
//!
//! Everything else is refused.

use crate::analysis::analyses::Analyses;
use crate::analysis::context::{Callee, Context};
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::error::{Diagnostic, Reason};
use crate::mode::Why;
use crate::normalise::sources::Sources;
use crate::program::attributes;
use crate::program::externals::External;
use crate::request::checkpoint_for;
use ir::{InstKind, Module, Operand};
use std::collections::BTreeSet;

/// Parameters of a step: its state, and what it only reads.
const STATE: usize = 1;
const PARAMETERS: usize = 2;

/// Can nobody tell how often the functions are executed?
pub fn check(m: &Module, facts: &Analyses, sources: &Sources, why: Why) -> Result<(), Diagnostic> {
    let reason = match why {
        Why::Width => "`enzyme_width` in reverse mode calls the function once for each gradient",
        Why::Tangents => "`__enzyme_fwdsplit` runs the function again for its tangents",
        Why::Step => "a step of `__enzyme_checkpoint_for` is executed again, on copies of its state and its parameters",
    };
    let given = |object: ObjId, parameters: &[usize]| match facts.objects[object].kind {
        ObjKind::External { param, depth: 0, .. } => parameters.contains(&param),
        _ => false,
    };
    let own = |object: ObjId| matches!(facts.objects[object].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
    let writable = |object: ObjId| own(object) || why == Why::Step && given(object, &[STATE]);
    let readable = |object: ObjId| {
        let constant = matches!(facts.objects[object].kind, ObjKind::Global(g) if m.globals[g].constant);
        why != Why::Step || own(object) || constant || given(object, &[STATE, PARAMETERS])
    };
    let holds_pointers = |object: ObjId| {
        why == Why::Step && given(object, &[STATE, PARAMETERS]) && !facts.objects[object].pointers.is_empty()
    };
    let none = BTreeSet::new();
    for (id, func) in sources {
        let refuse =
            |inst, what: &str| Err(Diagnostic::at(m, func, inst, Reason::Unsupported, format!("{what}, and {reason}")));
        let cx = Context { m, facts, sources, differentiable: &none, id: *id, func };
        let outside = |ptr: Operand, inside: &dyn Fn(ObjId) -> bool| {
            let targets = cx.targets(ptr);
            targets.is_empty() || !targets.keys().all(|o| inside(*o))
        };
        let writes = "this writes to memory that others can see";
        let reads = "this reads memory of which there is no copy";
        for (_, inst) in func.inst_order() {
            match &func.insts[inst].kind {
                InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. }
                    if outside(*ptr, &writable) =>
                {
                    return refuse(inst, writes);
                }
                InstKind::Load { ptr, .. } if why == Why::Step && outside(*ptr, &readable) => {
                    return refuse(inst, reads);
                }
                InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. }
                    if cx.targets(*ptr).keys().any(|o| holds_pointers(*o)) =>
                {
                    return refuse(inst, "there are pointers in this memory");
                }
                InstKind::Call(call) => match cx.callee(call) {
                    Callee::External(External::Copy | External::Set) if outside(call.args[0], &writable) => {
                        return refuse(inst, writes);
                    }
                    Callee::External(External::Free { block })
                        if cx.targets(call.args[block]).keys().any(|o| !own(*o)) =>
                    {
                        return refuse(inst, "this frees memory of others");
                    }
                    Callee::External(External::Links(_))
                        if call.args.iter().any(|a| cx.targets(*a).keys().any(|o| !own(*o))) =>
                    {
                        return refuse(inst, writes);
                    }
                    Callee::External(External::Copy) if why == Why::Step && outside(call.args[1], &readable) => {
                        return refuse(inst, reads);
                    }
                    Callee::External(External::Rule(row))
                        if row.outputs.iter().any(
                            |o| matches!(o.place, rules::Place::Pointer(p) if outside(call.args[p], &writable)),
                        ) =>
                    {
                        return refuse(inst, writes);
                    }
                    Callee::External(External::Custom)
                        if why == Why::Step
                            && m.as_function(call.callee).is_some_and(|f| attributes::is_loop(&m.functions[f])) =>
                    {
                        // A loop with checkpoints within a step.
                        if outside(call.args[checkpoint_for::STATE], &writable) {
                            return refuse(inst, writes);
                        }
                        if outside(call.args[checkpoint_for::PARAMETERS], &readable) {
                            return refuse(inst, reads);
                        }
                    }
                    Callee::External(
                        External::Inactive
                        | External::Unknown
                        | External::Custom
                        | External::Message(_)
                        | External::Order(_),
                    ) if !m.as_function(call.callee).is_some_and(|f| m.functions[f].name.starts_with("llvm.")) => {
                        return refuse(inst, "this call may have effects");
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }
    Ok(())
}
