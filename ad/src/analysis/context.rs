//! The analyses of one function, bundled, and the questions that everybody asks of them.

use crate::analysis::analyses::Analyses;
use crate::analysis::memory::object::{ObjKind, Targets};
use crate::analysis::memory::query::PointerKind;
use crate::normalise::sources::Sources;
use crate::program::attributes::INACTIVE;
use crate::program::externals::{External, classify};
use ir::{Call, FuncId, Function, InstId, Module, Operand, TypeId, ValueId};

/// Something of the forward pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Item {
    /// A value of the primal.
    Primal(ValueId),
    /// The shadow of a pointer value.
    Shadow(ValueId),
    /// The record of the function called by an instruction.
    Record(InstId),
}

/// The analyses of one function, bundled.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The module.
    pub m: &'a Module,
    /// What is known of the functions.
    pub facts: &'a Analyses,
    /// The normalised functions.
    pub sources: &'a Sources,
    /// Which functions have a derivative of their own.
    pub differentiable: &'a std::collections::BTreeSet<FuncId>,
    /// The function in question.
    pub id: FuncId,
    /// Its body.
    pub func: &'a Function,
}

/// How a differentiated call is treated.
#[derive(Clone, Copy, Debug)]
pub enum Callee {
    /// A function of ours with an augmented forward and a reverse.
    Derived(FuncId),
    /// A function of ours without derivative, or one that only runs forwards.
    Plain,
    /// A known external function.
    External(External),
}

impl<'a> Context<'a> {
    /// What a call calls.
    pub fn callee(&self, call: &Call) -> Callee {
        match self.m.as_function(call.callee) {
            // A call may be declared inactive where its function is not.
            _ if call.fn_attrs.has(INACTIVE) => Callee::External(External::Inactive),
            Some(f) if self.sources.contains_key(&f) => {
                if self.differentiable.contains(&f) {
                    Callee::Derived(f)
                } else {
                    Callee::Plain
                }
            }
            Some(f) => Callee::External(classify(self.m, &self.m.functions[f])),
            None => Callee::External(External::Unknown),
        }
    }

    /// Has the operand an adjoint?
    pub fn has_adjoint(&self, operand: Operand) -> bool {
        self.facts.has_adjoint(self.m, self.id, self.func, operand)
    }

    /// Has the operand a shadow of its own?
    pub fn has_shadow(&self, operand: Operand) -> bool {
        self.facts.has_shadow(self.m, self.id, self.func, operand)
    }

    /// The kind of a pointer operand.
    pub fn pointer_kind(&self, operand: Operand) -> PointerKind {
        self.facts.pointer_kind(self.m, self.id, operand)
    }

    /// The type of an operand.
    pub fn ty(&self, operand: Operand) -> TypeId {
        self.m.operand_ty(self.func, operand)
    }

    /// Where a pointer operand may point.
    pub fn targets(&self, operand: Operand) -> Targets {
        self.facts.points_to(self.m, self.id, operand)
    }

    /// Can what lies behind the pointer never change? Memory of the caller and constants, if no differentiated function
    /// writes there.
    pub fn never_written(&self, ptr: Operand) -> bool {
        let facts = self.facts;
        let targets = self.targets(ptr);
        !targets.is_empty()
            && !facts.leads_elsewhere(self.m, self.id, ptr)
            && !facts.caller_may_write
            && targets.keys().all(|o| match facts.objects[*o].kind {
                ObjKind::External { .. } => {
                    !facts.reloads.writes_anywhere() && !facts.objects.keys().any(|w| facts.written_as(w, *o))
                }
                ObjKind::Global(g) => self.m.globals[g].constant && !facts.objects[*o].written,
                _ => false,
            })
    }

    /// May active floats lie behind this pointer, in memory with a shadow?
    pub fn varied(&self, ptr: Operand) -> bool {
        self.targets(ptr).keys().any(|o| self.facts.is_shadowed(*o) && self.facts.objects[*o].varied)
    }
}
