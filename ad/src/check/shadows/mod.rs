//! An independent check of what the gradient rests on: no active value is without a shadow, unless there is a reason.
//!
//! The analysis of memory ([`crate::analysis::memory`]) finds by a fixed point where pointers lead, what is active and
//! what has a shadow. A solution of a system of inclusions is hard to find and easy to check: each instruction asks for
//! a few inclusions between the sets of its own operands and its result, and a solution satisfies all of them, whatever
//! way it was found (a certificate, as in translation validation: Pnueli, Siegel & Singerman, TACAS 1998). So the facts
//! are taken as mere data, and what each instruction asks for is written down here a second time, from the LangRef:
//!
//! - [`pointers`]: what a pointer may lead to, its result, copies and the functions that get it may lead to as well;
//!   what is stored is found by loads; memory that is made is among what its address leads to.
//! - [`activity`]: what is made of an active value is active, through arithmetic, memory, copies and calls.
//! - [`addresses`]: memory that may hold an active value, or the address of such memory, has a shadow. A store of an
//!   active value goes to memory with a shadow, or to memory for which a reason is found once more: the call or the
//!   program declares it constant, *and* nothing reads it again or the gradient guards the store
//!   ([`Facts::may_lose_to_constant`]). A load of an active value comes from memory with a shadow, or from
//!   constant memory, in which, by the other rules, nothing active was left. A function that handles active values has
//!   a derivative.
//! - [`texts`]: copies of characters within strings move no numbers.
//!
//! Any other instruction is refused with its place. What is shared is data: the facts with their sets of places, the
//! names of functions, the rows of the table.
//!
//! Not covered: floats that travel as integers are followed through loads of their own size, phis and selections, but
//! not through shifts and masks; nor is what is left of a vector or structure of which a part is replaced. Offsets
//! behind an index are the analysis' own (constant ones are computed again), and so is which objects a virtual call
//! does not pass on. Constant memory under two names, and a copy to constant memory, are not followed. What is emitted
//! in the end, the checker of the plan and the oracle look at.

mod activity;
pub mod addresses;
mod pointers;
mod texts;

use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::memory::place::Place;
use crate::error::{Diagnostic, Reason};
use crate::normalise::sources::Sources;
use crate::program::annotations;
use ir::{Call, ConstKind, FuncId, Function, InstId, InstKind, Module, Operand, Type, TypeId};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What is checked.
struct Checker<'a> {
    m: &'a Module,
    sources: &'a Sources,
    facts: &'a Facts,
    /// Found where they are asked for: few programs store active values in constant memory.
    reads: OnceCell<Vec<addresses::Read>>,
    /// Does the program keep a constant that leaves no fraction when it is added in memory, or pass one?
    keeps_large: OnceCell<bool>,
    /// Strings of the C++ library, and where in an object they begin.
    strings: OnceCell<Vec<(ObjId, Place)>>,
}

/// An instruction in its function.
#[derive(Clone, Copy)]
struct At<'a> {
    id: FuncId,
    func: &'a Function,
    inst: InstId,
}

/// What is wrong at an instruction.
type Found = Result<(), &'static str>;

/// Checks the facts of all functions that a differentiated call reaches; an error names the first instruction for
/// which there is no reason.
pub fn check(m: &Module, sources: &Sources, facts: &Facts) -> Result<(), Diagnostic> {
    let checker =
        Checker { m, sources, facts, reads: OnceCell::new(), keeps_large: OnceCell::new(), strings: OnceCell::new() };
    let refused = |func: &Function, inst: Option<InstId>, why: &str| {
        let message = format!("the analysis of memory does not account for a shadow: {why}");
        match inst {
            Some(inst) => Diagnostic::at(m, func, inst, Reason::Bug, message),
            None => Diagnostic::of(m, func, Reason::Bug, message),
        }
    };
    if let Some((root, _)) = facts.asked() {
        checker.objects().and_then(|()| checker.parameters()).map_err(|why| refused(&sources[root], None, why))?;
    }
    for (id, func) in sources {
        for (_, inst) in func.inst_order() {
            // Made for its bits alone: neither pointers nor derivatives flow through it.
            if func.insts[inst].metadata("adj.passive").is_some() {
                continue;
            }
            let at = At { id: *id, func, inst };
            let found = checker.points(at).and_then(|()| checker.moves_activity(at)).and_then(|()| checker.stores(at));
            found.map_err(|why| refused(func, Some(inst), why))?;
        }
    }
    Ok(())
}

/// Checks that each function that handles active values is among those with a derivative.
pub fn check_functions(
    m: &Module,
    sources: &Sources,
    facts: &Facts,
    differentiable: &BTreeSet<FuncId>,
) -> Result<(), Diagnostic> {
    for (id, func) in sources.iter().filter(|(id, _)| !differentiable.contains(id)) {
        // One that never returns has no reverse.
        let returns = |func: &Function| func.inst_order().any(|(_, i)| matches!(func.insts[i].kind, InstKind::Ret(_)));
        let active = func.inst_order().map(|(_, inst)| inst).find(|inst| {
            let data = &func.insts[*inst];
            data.result.is_some_and(|v| facts.is_active(*id, Operand::Local(v))) && holds_float(m, data.ty)
        });
        if let Some(inst) = active.filter(|_| returns(func) && !gives_nothing(m, facts, (*id, func), differentiable)) {
            let message = "the analysis of memory does not account for a shadow: a function that handles active values \
                has no derivative";
            return Err(Diagnostic::at(m, func, inst, Reason::Bug, message));
        }
    }
    Ok(())
}

/// Does a function leave nothing that has a derivative: no active result, nothing in memory with a shadow but its own
/// variables, and no call of a function that has a derivative? Then what it computes is dead.
fn gives_nothing(
    m: &Module,
    facts: &Facts,
    (id, func): (FuncId, &Function),
    differentiable: &BTreeSet<FuncId>,
) -> bool {
    let own = |ptr: Operand| {
        facts.points_to(m, id, ptr).keys().all(|object| {
            let variable = matches!(facts.objects[*object].kind, ObjKind::Stack(of, _) if of == id);
            variable || !facts.is_shadowed(*object)
        })
    };
    func.inst_order().all(|(_, inst)| match &func.insts[inst].kind {
        InstKind::Ret(Some(value)) => !facts.is_active(id, *value) && own(*value),
        InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => own(*ptr),
        InstKind::Call(call) | InstKind::Invoke { call, .. } => match m.as_function(call.callee) {
            Some(f) if m.functions[f].is_declaration() => call.args.iter().all(|arg| own(*arg)),
            Some(f) => !differentiable.contains(&f),
            None => false,
        },
        _ => true,
    })
}

impl Checker<'_> {
    fn targets(&self, id: FuncId, operand: Operand) -> Targets {
        self.facts.points_to(self.m, id, operand)
    }

    fn active(&self, id: FuncId, operand: Operand) -> bool {
        self.facts.is_active(id, operand)
    }

    /// Is it active, or made of the bits of what is active, which is refused where it becomes a float again?
    fn followed(&self, id: FuncId, operand: Operand) -> bool {
        self.active(id, operand) || self.facts.has_active_bits(id, operand)
    }

    /// An active value that holds floats, by its type or by what its integers carry.
    fn active_number(&self, at: At, operand: Operand) -> bool {
        let carried = || self.facts.content(at.id, operand).iter().any(|span| span.cell.float().is_some());
        self.active(at.id, operand) && (holds_float(self.m, self.m.operand_ty(at.func, operand)) || carried())
    }

    /// The function with a body that a call names.
    fn body(&self, call: &Call) -> Option<(FuncId, &Function)> {
        let callee = self.m.as_function(call.callee).filter(|_| !is_inactive(call))?;
        // What only tells a type does nothing.
        if annotations::told(&self.m.functions[callee]).is_some() {
            return None;
        }
        Some((callee, self.sources.get(&callee)?))
    }

    /// The name of the function without a body that a call names.
    fn outside(&self, call: &Call) -> Option<&str> {
        let callee = self.m.as_function(call.callee).filter(|_| !is_inactive(call))?;
        let function = &self.m.functions[callee];
        let outside = !self.sources.contains_key(&callee) && !function.attrs.has("enzyme_inactive");
        outside.then_some(function.name.as_str())
    }
}

/// A call that the program declares inactive.
fn is_inactive(call: &Call) -> bool {
    call.fn_attrs.has("enzyme_inactive")
}

/// `memcpy`, `memmove`: destination, source, length.
fn is_copy(name: &str) -> bool {
    ["memcpy", "memmove", "llvm.memcpy.", "llvm.memmove."]
        .iter()
        .any(|copy| name == *copy || copy.ends_with('.') && name.starts_with(copy))
}

fn holds(m: &Module, ty: TypeId, wanted: fn(&Type) -> bool) -> bool {
    match m.types.get(ty) {
        Type::Vector { elem, .. } | Type::Array { elem, .. } => holds(m, *elem, wanted),
        scalar if wanted(scalar) => true,
        _ => m.types.fields(ty).is_some_and(|(fields, _)| fields.iter().any(|f| holds(m, *f, wanted))),
    }
}

fn holds_float(m: &Module, ty: TypeId) -> bool {
    holds(m, ty, |scalar| matches!(scalar, Type::Float(_)))
}

fn holds_pointer(m: &Module, ty: TypeId) -> bool {
    holds(m, ty, |scalar| matches!(scalar, Type::Ptr(_)))
}

/// Does an address that nothing is known of lead nowhere: null, or what has no value?
fn leads_nowhere(m: &Module, operand: Operand) -> bool {
    operand.constant().is_some_and(|c| {
        matches!(m.constants.get(c).kind, ConstKind::Null | ConstKind::Zero | ConstKind::Undef | ConstKind::Poison)
    })
}
