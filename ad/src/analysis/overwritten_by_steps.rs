//! What must be saved, and what must live on, so that the steps of a loop with checkpoints can be executed again.
//!
//! The reverse of such a loop ([`crate::reverse::checkpoint_steps`]) restores memory as it was at the beginning of a
//! step, from what the forward pass saved before it overwrote it (`undo.c`). So
//!
//! - every write to memory that steps *use* is preceded by a save: writes of the steps, and those behind the loop that
//!   may change what the steps found;
//! - memory that steps use lives until the reverse: stack memory of functions that are left goes to the tape, what the
//!   program frees is freed with the tape;
//! - memory that belongs to one step alone (its stack; blocks that it allocates and frees) is not saved: it is not
//!   there when the step is undone. Of stack memory that is known here; of blocks, and of stack memory that is written
//!   through pointers which may point elsewhere, the log asks when it runs.
//!
//! Whatever a step does besides cannot be undone, and is refused where it stands.

use crate::analysis::analyses::Analyses;
use crate::analysis::context::{Callee, Context};
use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::base::names;
use crate::error::{Diagnostic, Reason};
use crate::normalise::outline::{LOOP, STEP};
use crate::normalise::sources::Sources;
use crate::program::call_graph;
use crate::program::externals::External;
use crate::runtime::refuse;
use ir::{FuncId, Function, InstId, InstKind, Module, Operand};
use std::collections::BTreeSet;

/// How many bytes are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// So many.
    Bytes(u64),
    /// As many as this operand says.
    Told(Operand),
}

/// The answer for the functions of one differentiated call.
#[derive(Clone, Debug, Default)]
pub struct Undo {
    /// Functions that steps reach.
    inner: BTreeSet<FuncId>,
    /// What they read or write, but their own stack memory.
    used: BTreeSet<ObjId>,
    /// What is saved or used, and so lives until the reverse.
    kept: BTreeSet<ObjId>,
    /// So does all memory: something is saved of which nobody knows what it is.
    all: bool,
    /// Functions that save, keep or free something.
    recording: BTreeSet<FuncId>,
}

/// Is it a loop with checkpoints?
pub fn is_loop(func: &Function) -> bool {
    func.attrs.has(LOOP)
}

impl Undo {
    /// Nothing, if there is no loop with checkpoints.
    pub fn new(m: &Module, facts: &Analyses, sources: &Sources) -> Result<Option<Undo>, Diagnostic> {
        let steps: Vec<FuncId> = sources.iter().filter(|(_, f)| f.attrs.has(STEP)).map(|(id, _)| *id).collect();
        if steps.is_empty() {
            return Ok(None);
        }
        if facts.caller_may_write {
            let message = "a loop with checkpoints needs its caller's memory as it was: say that it is not overwritten \
                between the two passes (`enzyme_not_overwritten`)";
            return Err(Diagnostic::of(m, &sources[&steps[0]], Reason::Unsupported, message));
        }
        let none = BTreeSet::new();
        let context = |id: FuncId| Context { m, facts, sources, differentiable: &none, id, func: &sources[&id] };
        let mut undo = Undo::default();
        let mut work = steps;
        while let Some(id) = work.pop() {
            // What ends the program is not undone.
            if m.functions[id].name == refuse::REFUSE || !undo.inner.insert(id) {
                continue;
            }
            let callees = sources[&id].inst_order().filter_map(|(_, i)| sources[&id].insts[i].kind.as_call());
            work.extend(callees.filter_map(|c| m.as_function(c.callee)).filter(|f| sources.contains_key(f)));
        }
        for id in &undo.inner {
            if is_loop(&sources[id]) {
                let message = "a loop with checkpoints is executed in a step of a loop with checkpoints";
                return Err(Diagnostic::of(m, &sources[id], Reason::Unsupported, message));
            }
            check(&context(*id))?;
            for (_, inst) in sources[id].inst_order() {
                let cx = context(*id);
                let pointers = overwritten(&cx, inst).into_iter().map(|(ptr, _)| ptr).chain(read(&cx, inst));
                undo.used.extend(pointers.flat_map(|ptr| cx.targets(ptr).into_keys()));
            }
        }
        let inner_stack = |inner: &BTreeSet<FuncId>, object: ObjId| match facts.objects[object].kind {
            ObjKind::Stack(func, _) => inner.contains(&func),
            _ => false,
        };
        undo.used.retain(|object| !inner_stack(&undo.inner, *object));
        undo.kept.clone_from(&undo.used);
        for id in sources.keys() {
            let cx = context(*id);
            for (_, inst) in sources[id].inst_order() {
                undo.refuse_untold(&cx, inst)?;
                for (ptr, _) in overwritten(&cx, inst) {
                    let targets = cx.targets(ptr);
                    if undo.saves(facts, &targets) {
                        undo.all |= targets.is_empty();
                        undo.kept.extend(targets.into_keys());
                        undo.recording.insert(*id);
                    }
                }
            }
        }
        for id in sources.keys() {
            let cx = context(*id);
            if sources[id].inst_order().any(|(_, inst)| undo.tends(&cx, inst)) {
                undo.recording.insert(*id);
            }
        }
        Ok(Some(undo))
    }

    /// Must what lies behind a pointer be saved before it is overwritten?
    pub fn saves(&self, facts: &Analyses, targets: &Targets) -> bool {
        let caller =
            |o: &ObjId| matches!(facts.objects[*o].kind, ObjKind::External { .. } | ObjKind::Opaque | ObjKind::Lost);
        // Memory of the caller may be the same under several names.
        let any_caller = || self.used.iter().any(caller);
        targets.is_empty() || targets.keys().any(|o| self.used.contains(o) || caller(o) && any_caller())
    }

    /// What a function that is not looked into writes nobody saves: it must get nothing that steps use, by an argument
    /// or, if it has a body, by name.
    fn refuse_untold(&self, cx: &Context, inst: InstId) -> Result<(), Diagnostic> {
        let Some(call) = cx.func.insts[inst].kind.as_call() else { return Ok(()) };
        let untold = match cx.callee(call) {
            Callee::External(External::Custom | External::Unknown | External::Inactive | External::Message(_)) => true,
            Callee::External(External::Links(set)) => !set.is_empty(),
            _ => false,
        };
        let callee = cx.m.as_function(call.callee);
        let name = callee.map_or("a pointer", |f| cx.m.functions[f].name.as_str());
        if !untold || self.in_steps(cx.id) || writes_nothing(name) {
            return Ok(());
        }
        let params = callee.map(|f| &cx.m.functions[f].params);
        let only_reads = |i: usize| {
            let declared = params.and_then(|p| p.get(i)).map(|p| &p.attrs);
            [call.arg_attrs.get(i), declared].into_iter().flatten().any(|a| a.has("readonly") || a.has("readnone"))
        };
        let given = call.args.iter().enumerate().filter(|(i, arg)| cx.m.types.is_ptr(cx.ty(**arg)) && !only_reads(*i));
        let by_argument = given.into_iter().any(|(_, arg)| {
            let targets = cx.targets(*arg);
            !targets.is_empty() && self.saves(cx.facts, &targets)
        });
        let used = |g: ir::GlobalId| {
            !cx.m.globals[g].constant && cx.facts.global(g).is_some_and(|object| self.used.contains(&object))
        };
        let names = |f: FuncId| {
            let func = &cx.m.functions[f];
            let operands = func.inst_order().flat_map(|(_, i)| func.insts[i].kind.operands());
            operands.into_iter().filter_map(Operand::constant).filter_map(|c| names::variable(cx.m, c)).any(used)
        };
        let by_name = callee.is_some_and(|f| call_graph::reachable(cx.m, f).into_iter().any(names));
        if !by_argument && !by_name {
            return Ok(());
        }
        let message = format!(
            "`{name}` may overwrite memory that a loop with checkpoints uses, and its derivative does not look into \
             it: what it writes could not be undone"
        );
        Err(Diagnostic::at(cx.m, cx.func, inst, Reason::Unsupported, message))
    }

    /// Is the function executed in steps?
    pub fn in_steps(&self, func: FuncId) -> bool {
        self.inner.contains(&func)
    }

    /// Has the forward pass of the function something to do for the log?
    pub fn records(&self, func: FuncId) -> bool {
        self.recording.contains(&func)
    }

    /// Must stack memory live until the reverse?
    pub fn keeps(&self, facts: &Analyses, func: FuncId, alloca: InstId) -> bool {
        facts.site(ObjKind::Stack(func, alloca)).is_some_and(|object| self.all || self.kept.contains(&object))
    }

    /// Must the log know of an allocation or of a free?
    pub fn tends(&self, cx: &Context, inst: InstId) -> bool {
        let Some(call) = cx.func.insts[inst].kind.as_call() else { return false };
        match cx.callee(call) {
            Callee::External(External::Allocate { .. }) => self.in_steps(cx.id),
            Callee::External(External::Free { block }) => {
                let targets = cx.targets(call.args[block]);
                let kept = targets.is_empty() || targets.keys().any(|o| self.kept.contains(o));
                self.in_steps(cx.id) || self.all || kept || self.saves(cx.facts, &targets)
            }
            _ => false,
        }
    }
}

/// Functions without a body of which it is known that they write to no memory: what they are given is not looked at, or
/// only read. The members of `std::allocator` (`_ZNSa…`) have no state (C++17, [default.allocator]); they allocate
/// through other functions.
fn writes_nothing(name: &str) -> bool {
    name.starts_with("llvm.") || name.starts_with("_ZNSa") || name == "malloc_usable_size"
}

/// What an instruction overwrites, calls of functions of ours apart.
pub fn overwritten(cx: &Context, inst: InstId) -> Vec<(Operand, Extent)> {
    let size = |operand: Operand| Extent::Bytes(cx.m.size_of(cx.ty(operand)));
    match &cx.func.insts[inst].kind {
        InstKind::Store { value, ptr, .. } | InstKind::AtomicRmw { value, ptr, .. } => vec![(*ptr, size(*value))],
        InstKind::CmpXchg { ptr, new, .. } => vec![(*ptr, size(*new))],
        InstKind::Call(call) => match cx.callee(call) {
            Callee::External(External::Copy | External::Set) => vec![(call.args[0], Extent::Told(call.args[2]))],
            Callee::External(External::Rule(row)) => {
                let float = row.float_positions().next().map(|position| size(call.args[position]));
                let each = row.operands.iter().zip(&call.args).filter_map(|(kind, arg)| match kind {
                    rules::Operand::FloatOut => Some((*arg, float?)),
                    // An `int` of C.
                    rules::Operand::IntOut => Some((*arg, Extent::Bytes(4))),
                    _ => None,
                });
                each.collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The pointers through which an instruction reads.
fn read(cx: &Context, inst: InstId) -> Vec<Operand> {
    match &cx.func.insts[inst].kind {
        InstKind::Load { ptr, .. } => vec![*ptr],
        InstKind::Call(call) => match cx.callee(call) {
            Callee::External(_) => call.args.iter().copied().filter(|a| cx.m.types.is_ptr(cx.ty(*a))).collect(),
            Callee::Derived(_) | Callee::Plain => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Can everything that a function of a step does be undone?
fn check(cx: &Context) -> Result<(), Diagnostic> {
    for (block, inst) in cx.func.inst_order() {
        let refuse = |what: &str| {
            let message = format!("{what} in a loop with checkpoints, whose steps are executed again");
            Err(Diagnostic::at(cx.m, cx.func, inst, Reason::Unsupported, message))
        };
        let Some(call) = cx.func.insts[inst].kind.as_call() else { continue };
        let ends = cx.func.terminator(block).is_some_and(|t| matches!(cx.func.insts[t].kind, InstKind::Unreachable));
        let name = cx.m.as_function(call.callee).map_or("a pointer", |f| cx.m.functions[f].name.as_str());
        match cx.callee(call) {
            Callee::External(External::Custom) => return refuse("a function with a gradient of its own is called"),
            Callee::External(External::Links(set)) if !set.is_empty() => {
                return refuse("nodes of a container are linked");
            }
            Callee::External(External::Order(_)) => {
                return refuse(&format!("`{name}`, which orders threads, is called"));
            }
            Callee::External(External::Inactive | External::Unknown | External::Message(_))
                if !ends && !writes_nothing(name) =>
            {
                return refuse(&format!("`{name}`, which may have effects, is called"));
            }
            _ => {}
        }
    }
    Ok(())
}
