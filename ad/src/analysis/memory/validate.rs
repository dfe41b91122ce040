//! What the analysis found that has no derivative here: refused with its place, never taken for zero.

use crate::analysis::memory::object::{ObjId, Targets};
use crate::analysis::memory::place::Place;
use crate::analysis::memory::query::PointerKind;
use crate::analysis::memory::{Facts, constant, integer_lanes};
use crate::error::{Diagnostic, Reason};
use crate::normalise::sources::Sources;
use crate::program::cell::{Cell, Span};
use crate::program::externals::{External, classify, computes, first_float, holds_float, holds_pointer};
use crate::runtime::substitute;
use ir::{Call, CastOp, FuncId, Function, Inst, InstId, InstKind, Module, Operand, RmwOp, TypeId};

impl Facts {
    /// Refuses what the synthesis could only get wrong. `guarded`: what only a run can tell may be left to it
    /// ([`crate::analysis::memory::constant`]).
    pub fn validate(&self, m: &Module, sources: &Sources, guarded: bool) -> Result<(), Diagnostic> {
        for (id, func) in sources {
            for (_, inst) in func.inst_order() {
                // Red is 0, as in a shadow that has no colour yet.
                let red =
                    |kind: &InstKind| matches!(kind, InstKind::Store { value, .. } if m.as_int(*value) == Some(0));
                if !red(&func.insts[inst].kind)
                    && self.may_colour(m, (*id, func), inst)
                    && !self.colours(m, (*id, func), inst)
                {
                    let message = "an integer is stored where the colour of a search tree's node may be, too: \
                                   the tree of shadows could not be rebalanced. Copy trees by their own functions";
                    return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
                }
                let objection = self.objection(m, sources, (*id, func), inst);
                if let Some(message) = objection.or_else(|| self.constant_objection(m, (*id, func), inst)) {
                    return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
                }
            }
        }
        self.refuse_disguised(m, sources)?;
        if guarded { Ok(()) } else { self.refuse_lost(m, sources) }
    }

    fn objection(
        &self,
        m: &Module,
        sources: &Sources,
        (id, func): (FuncId, &Function),
        inst: InstId,
    ) -> Option<&'static str> {
        let data = &func.insts[inst];
        if substitute::is_passive(data) {
            return None;
        }
        if let Some(result) = data.result.map(Operand::Local)
            && self.is_active(id, result)
            && self.content(id, result).iter().any(|s| s.cell == Cell::Conflict)
        {
            return Some("the type of the data in an active integer is ambiguous: two accesses disagree on what it is");
        }
        let active = |o: &Operand| self.has_adjoint(m, id, func, *o);
        match &data.kind {
            InstKind::Cast { op: CastOp::BitCast, value, .. }
                if self.has_active_bits(id, *value) && holds_float(m, data.ty) =>
            {
                Some("a float is put together from the bits of an active float: this has no derivative here")
            }
            InstKind::Cast { op: CastOp::BitCast, value, .. }
                if active(value) && cut_anew(m, func, *value, data.ty) =>
            {
                Some("an active float is looked at as floats of another size: this has no derivative here")
            }
            InstKind::Cast { op: CastOp::SIToFP | CastOp::UIToFP, value, .. } if self.has_active_bits(id, *value) => {
                Some("a float is computed from the bits of an active float: this has no derivative here")
            }
            InstKind::Cast { op: CastOp::IntToPtr, value, .. } if self.loses_shadow(m, id, func, *value) => Some(
                "an address that was kept as an integer, in memory that may hold other data at the same place: its \
                 shadow is not known",
            ),
            InstKind::Load { ptr, .. } if holds_float(m, data.ty) && self.is_lost(m, id, *ptr) => Some(LOST),
            InstKind::AtomicRmw { op: RmwOp::FMax | RmwOp::FMin, value, .. } if active(value) => {
                Some("an atomic maximum or minimum of an active value")
            }
            InstKind::Store { value, ptr, .. } | InstKind::AtomicRmw { value, ptr, .. } => {
                self.store_objection(m, (id, func), data, *value, *ptr)
            }
            InstKind::CmpXchg { new, .. } if active(new) => Some("an atomic exchange of an active value"),
            // What is known to exchange addresses is none any more ([`crate::normalise::atomics`]).
            InstKind::CmpXchg { ptr, new, .. }
                if m.size_of(m.operand_ty(func, *new)) == 8 && self.holds_shadowed_pointer(m, id, *ptr) =>
            {
                Some("an atomic exchange of an address that is kept as an integer: use a pointer")
            }
            InstKind::Call(call) => {
                let written = self.copy_objection(m, id, call).or_else(|| self.rule_objection(m, id, call));
                let written =
                    written.or_else(|| match m.as_function(call.callee).map(|f| classify(m, &m.functions[f])) {
                        Some(External::Message(row)) => self.message_objection(m, id, call, row),
                        _ => None,
                    });
                let written = written.or_else(|| self.callback_objection(m, id, call));
                written.or_else(|| self.call_objection(m, sources, (id, func), call))
            }
            InstKind::VaArg { .. } if first_float(m, data.ty).is_some() => {
                Some("a variable argument that may be active")
            }
            InstKind::IndirectBr { .. } => Some("an indirect branch"),
            _ => None,
        }
    }

    /// May an address of memory with a shadow lie behind a pointer?
    fn holds_shadowed_pointer(&self, m: &Module, id: FuncId, ptr: Operand) -> bool {
        let held = self.carried_pointers(&self.points_to(m, id, ptr));
        held.keys().any(|object| self.is_shadowed(*object))
    }

    /// A copy is a store of all that it moves.
    fn copy_objection(&self, m: &Module, id: FuncId, call: &Call) -> Option<&'static str> {
        let callee = m.as_function(call.callee)?;
        let copies = matches!(classify(m, &m.functions[callee]), External::Copy);
        if copies
            && self.is_lost(m, id, call.args[1])
            && self.pointer_kind(m, id, call.args[0]) != PointerKind::Constant
        {
            return Some(LOST);
        }
        if copies && self.copies_text(m, id, call) {
            return None;
        }
        let size = call.args.get(2).and_then(|size| m.as_int(*size)).map(|size| size as u64);
        let sides = || call.args[..2].iter().flat_map(|side| self.points_to(m, id, *side));
        if copies && sides().any(|(object, place)| self.is_cropped(object, place, size)) {
            return Some(
                "memory of unknown size is copied, with data farther in it than their types are followed: give the \
                 block a constant size, or access its data between the copies",
            );
        }
        if !copies || !self.is_lost_at(m, id, call.args[0]) {
            return None;
        }
        let [to, from] = [0, 1].map(|side| self.points_to(m, id, call.args[side]));
        let size = m.as_int(call.args[2]).map_or(constant::ANY_SIZE, |size| size as u64);
        let floats = |(object, place): (&ObjId, &Place)| self.may_hold_float(*object, *place, size);
        let active = from.keys().any(|object| self.is_shadowed(*object));
        (active && (from.iter().any(floats) || to.iter().any(floats)))
            .then(|| lost_in(self.leads_elsewhere(m, id, call.args[0])))
    }

    /// Does a copy of so many bytes move data whose types have been followed no farther?
    fn is_cropped(&self, object: ObjId, place: Place, size: Option<u64>) -> bool {
        let known = &self.objects[object];
        if !known.cropped || !self.is_shadowed(object) {
            return false;
        }
        // Of a length that is not known, what repeats is known as far as it reaches.
        let Some(size) = size else { return self.period(&[(object, place)]) == 0 };
        let end = place.start.saturating_add_unsigned(size);
        (known.farthest.max(place.start)..end).step_by(8).any(|at| known.cell_at(at).is_none())
    }

    /// So are the outputs that a function of the table writes through pointers.
    fn rule_objection(&self, m: &Module, id: FuncId, call: &Call) -> Option<&'static str> {
        let External::Rule(row) = classify(m, &m.functions[m.as_function(call.callee)?]) else { return None };
        let lost = row.outputs.iter().enumerate().find_map(|(output, told)| match told.place {
            rules::Place::Pointer(at) if self.is_active_output(id, call, row, output) => {
                Some(call.args[at]).filter(|ptr| self.is_lost_at(m, id, *ptr))
            }
            _ => None,
        })?;
        Some(lost_in(self.leads_elsewhere(m, id, lost)))
    }

    /// Does what is stored through a pointer have no place for its adjoint? What is stored in a variable that the
    /// program declares constant is meant to be lost.
    fn is_lost_at(&self, m: &Module, id: FuncId, ptr: Operand) -> bool {
        if self.unknown.is_constant(id, ptr) {
            return false;
        }
        // Where it may lead elsewhere, it is lost whenever it does.
        if self.leads_elsewhere(m, id, ptr) {
            return true;
        }
        let targets = self.points_to(m, id, ptr);
        self.pointer_kind(m, id, ptr) == PointerKind::Constant
            && !targets.is_empty()
            && !targets.keys().all(|o| self.objects[*o].inactive)
    }

    /// May an integer be a pointer with a shadow that a store puts into memory with a shadow, and leaves its own
    /// behind?
    fn leaves_shadow(
        &self,
        m: &Module,
        (id, func): (FuncId, &Function),
        inst: &Inst,
        (value, ptr): (Operand, Operand),
    ) -> bool {
        let ty = m.operand_ty(func, value);
        if holds_pointer(m, ty) || holds_float(m, ty) || m.size_of(ty) != 8 {
            return false;
        }
        let (to, leads) = (self.points_to(m, id, ptr), self.points_to(m, id, value));
        let active = |targets: &Targets| targets.keys().any(|o| self.is_shadowed(*o) && self.objects[*o].varied);
        let goes_along = || {
            let pointer = |spans: &[Span]| spans.iter().any(|s| s.cell.may_be_pointer());
            let content = self.content(id, value);
            let by_place = || content.is_empty() && pointer(&self.overwritten(&to, 0, 8));
            pointer(content) || by_place() || !self.stored_pieces(m, (id, func), inst).is_empty()
        };
        active(&leads)
            && to.keys().any(|o| self.is_shadowed(*o))
            && !self.is_plain_access(m, func, inst, &to)
            && !goes_along()
    }

    /// Is it the address of memory with a shadow in which active floats may lie?
    fn leads_to_active(&self, m: &Module, id: FuncId, func: &Function, value: Operand) -> bool {
        let active = |o: &ObjId| self.is_shadowed(*o) && self.objects[*o].varied;
        m.types.is_ptr(m.operand_ty(func, value)) && self.points_to(m, id, value).keys().any(active)
    }

    /// Variable arguments reach their function through memory that nobody here names, so what is active may pass only
    /// to one that computes nothing with floats: which prints, say.
    fn call_objection(
        &self,
        m: &Module,
        sources: &Sources,
        (id, func): (FuncId, &Function),
        call: &Call,
    ) -> Option<&'static str> {
        let callee = m.as_function(call.callee).filter(|f| m.functions[*f].vararg)?;
        let body = sources.get(&callee)?;
        let active =
            |a: &Operand| self.has_adjoint(m, id, func, *a) || self.pointer_kind(m, id, *a) != PointerKind::Constant;
        let rest = call.args.iter().skip(body.params.len());
        (rest.into_iter().any(active) && computes(m, body)).then_some(
            "an active value or a pointer to active memory is a variable argument of a function that is not only \
             printing",
        )
    }

    /// Is the integer the address of memory with a shadow, and may be something else, so that nobody keeps the shadow's
    /// address?
    fn loses_shadow(&self, m: &Module, id: FuncId, func: &Function, value: Operand) -> bool {
        let shadowed = self.points_to(m, id, value).keys().any(|o| self.is_shadowed(*o));
        let other = self.content(id, value).iter().any(|s| s.cell != Cell::Ptr);
        value.local().is_some() && shadowed && (other || !self.has_shadow(m, id, func, value))
    }

    fn store_objection(
        &self,
        m: &Module,
        (id, func): (FuncId, &Function),
        inst: &Inst,
        value: Operand,
        ptr: Operand,
    ) -> Option<&'static str> {
        let targets = self.points_to(m, id, ptr);
        // Where an index decides what lies there, a TBAA tag that says integer settles it.
        let tagged = integer_lanes::access_tag(m, inst, m.operand_ty(func, value)) == Some(Cell::Int);
        if self.has_active_bits(id, value) {
            let size = m.layout.store_size(&m.types, m.operand_ty(func, value));
            let float = |(o, p): (&ObjId, &Place)| {
                let whole = |s: &Span| s.cell.may_be_float();
                let place = if tagged { Place::at(p.start) } else { *p };
                self.data_within(*o, place, 0, size).iter().any(whole) || self.cuts_float(*o, place, 0, size)
            };
            if targets.iter().any(float) {
                return Some(
                    "bits of an active float, cut or computed with or of a type that depends on an index, are stored \
                     as a float: this has no derivative here",
                );
            }
        }
        if self.has_active_bits(id, value) && !tagged && self.leads_to_untold(m, func, value, &targets) {
            return Some(UNTOLD);
        }
        if let Some(message) = self.piece_objection(m, (id, func), inst, (value, ptr)) {
            return Some(message);
        }
        if self.leaves_shadow(m, (id, func), inst, (value, ptr)) {
            return Some(
                "an integer that may be a pointer is stored where floats are known to lie: its shadow and their \
                 adjoints cannot be told apart",
            );
        }
        if self.moves_untold(m, id, func, inst).is_some() {
            return Some(UNTOLD);
        }
        if self.leads_elsewhere(m, id, ptr) && self.is_lost_at(m, id, ptr) && self.leads_to_active(m, id, func, value) {
            return Some(
                "a pointer to active memory is stored where nothing tells who reads it: what reads that memory by it \
                 would have no derivative",
            );
        }
        (self.is_lost_at(m, id, ptr) && self.has_adjoint(m, id, func, value))
            .then(|| lost_in(self.leads_elsewhere(m, id, ptr)))
    }
}

/// What may be a float is moved as an integer.
const UNTOLD: &str = "the type of the moved integer is not known: it comes from memory of the caller, or goes there, \
    and no access, declared type or debug information (`-g`) tells what lies there";

/// A float is read where nobody knows which memory it is.
const LOST: &str = "a float is read through a pointer that was put together from numbers of which nothing tells that \
    they come from an address: its shadow is not known. A pointer may be kept as bytes, in parts, or as an integer, as \
    long as its bits are only moved, or masked and joined again";

/// An active value goes where it has no shadow.
fn lost_in(unknown: bool) -> &'static str {
    if unknown {
        "an active value is stored in memory of unknown origin: a function without a body gave the pointer, or a \
         variable that others write to, or a number; nobody tells where its adjoints are"
    } else {
        "an active value is stored in memory that the call marks constant (`enzyme_const`)"
    }
}

/// Are the floats of a value and of a type, of the same bits, floats of two kinds?
fn cut_anew(m: &Module, func: &Function, value: Operand, ty: TypeId) -> bool {
    let kind = |ty| m.types.float_kind(m.types.scalar(ty));
    let (from, to) = (kind(m.operand_ty(func, value)), kind(ty));
    from.is_some() && to.is_some() && from != to
}
