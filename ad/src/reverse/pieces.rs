//! Shadows of pointers that travel in pieces ([`crate::analysis::memory`]): what is done to the bytes of a pointer is
//! done to those of its shadow.
//!
//! A piece that is stored has its shadow stored beside it; where it has none, because it is of a pointer to constant
//! memory or of other data, it is its own shadow. A copy of memory with pieces in it is a copy of their shadows, byte
//! for byte, around the floats in between, of which the shadows are adjoints.

use crate::analysis::memory::object::ObjId;
use crate::analysis::memory::pieces;
use crate::analysis::memory::place::Place;
use crate::analysis::memory::query::PointerKind;
use crate::error::Diagnostic;
use crate::program::externals;
use crate::reverse::Emitter;
use crate::reverse::undo_log::TURNS;
use ir::{Call, Inst, InstId, InstKind, IntFlags, Operand, ValueId};

impl Emitter<'_, '_> {
    /// Does a call only move the bits of a pointer about?
    pub(super) fn moves_bits(&self, call: &Call) -> bool {
        let callee = self.cx().m.as_function(call.callee);
        callee.is_some_and(|f| pieces::moves_bits(&self.cx().m.functions[f].name))
    }

    /// Forward: the shadow of a stored integer that may be a piece of a pointer. Says whether it was one.
    pub(super) fn store_piece(
        &mut self,
        inst: InstId,
        (value, ptr): (Operand, Operand),
        align: u64,
        kind: PointerKind,
    ) -> Result<bool, Diagnostic> {
        let cx = self.cx();
        if cx.stored_pieces(inst).is_empty() {
            return Ok(false);
        }
        let ty = cx.ty(value);
        if externals::holds_float(self.b.m, ty) {
            return self.unsupported(inst, "a part of a pointer is stored together with floats");
        }
        let size = self.b.m.size_of(ty);
        if self.saves(ptr) && kind == PointerKind::Mixed {
            return self.unsupported(inst, TURNS);
        }
        if let Some(to) = self.forward_destination(inst, ptr, kind, size)? {
            let shadow = match value {
                Operand::Const(_) => value,
                Operand::Local(v) if !self.cx().has_shadow(value) => self.primal[&v],
                Operand::Local(_) => self.shadow_of(value),
            };
            self.save_shadow(ptr, to, size);
            self.b.store(shadow, to, align);
        }
        Ok(true)
    }

    /// Forward: a copy of memory in which pieces of pointers may lie. Says whether it was one.
    pub(super) fn copy_pieces(&mut self, inst: InstId, call: &Call, kind: PointerKind) -> Result<bool, Diagnostic> {
        let [to, from, length] = [call.args[0], call.args[1], call.args[2]];
        let constant = self.b.m.as_int(length).map(|size| size as u64);
        let cx = self.cx();
        let size = constant.unwrap_or(u64::from(u32::MAX));
        let places: Vec<(ObjId, Place)> = [to, from].iter().flat_map(|side| cx.targets(*side)).collect();
        if !places.iter().any(|(o, p)| self.env.facts.holds_pieces(*o, *p, size)) {
            return Ok(false);
        }
        let floats = [to, from].iter().any(|side| self.env.facts.meets_floats(&self.cx().targets(*side), 0, size));
        if floats {
            let message =
                "parts of pointers are copied together with floats: their shadows and adjoints cannot be told apart";
            return self.unsupported(inst, message);
        }
        if self.saves(to) || kind == PointerKind::Mixed && constant.is_none() {
            return self.unsupported(inst, TURNS);
        }
        if let Some(to) = self.forward_destination(inst, to, kind, size)? {
            let from = self.shadow_of(from);
            let mut args: Vec<Operand> = call.args.iter().map(|a| self.primal_of(*a)).collect();
            (args[0], args[1]) = (to, from);
            if let Some(callee) = self.b.m.as_function(call.callee) {
                self.b.call(callee, args);
            }
        }
        Ok(true)
    }

    /// The shadow of what an intrinsic makes of bits.
    pub(super) fn mirror_call(&mut self, call: &Call, v: ValueId) {
        let args = call.args.iter().map(|a| match a {
            Operand::Const(_) => *a,
            Operand::Local(_) => self.shadow_of(*a),
        });
        let args = args.collect();
        let callee = self.b.m.as_function(call.callee);
        if let Some(shadow) = callee.and_then(|f| self.b.call(f, args)) {
            self.shadow.insert(v, shadow);
        }
    }
}

/// An instruction on shadows: what holds of the primal's bits (that a sum does not overflow, that bits are not set)
/// need not hold of the shadow's.
pub(crate) fn without_promises(data: &Inst) -> InstKind {
    let mut kind = data.kind.clone();
    if let InstKind::Binary { flags, .. } | InstKind::Cast { flags, .. } = &mut kind {
        *flags = IntFlags::default();
    }
    kind
}
