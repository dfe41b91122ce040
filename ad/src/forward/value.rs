//! Duals of operands: tangents of floats, shadows of pointers, both in structures, field by field.

use super::{Emitter, Pending, carries_float};
use crate::program::externals::{holds_float, holds_pointer};
use crate::request::call_site::shadow_initialiser;
use ir::{Inst, InstKind, Operand, Role, Type};

impl Emitter<'_, '_> {
    /// The value in the tangent function.
    pub(super) fn primal_of(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Local(v) => self.primal[&v],
            constant => constant,
        }
    }

    /// The dual of an operand: of what depends on no active input a zero tangent, of a pointer to constant memory the
    /// pointer itself.
    pub(super) fn dual(&mut self, operand: Operand, direction: usize) -> Operand {
        match operand {
            Operand::Local(v) if self.has_dual(operand) => match self.duals.get(&v) {
                Some(duals) => duals[direction],
                None => self.constant_dual(operand),
            },
            Operand::Local(_) => self.constant_dual(operand),
            Operand::Const(c) => Operand::Const(shadow_initialiser(self.b.m, c, &self.env.globals[direction])),
        }
    }

    /// The dual of a value that is constant.
    pub(super) fn constant_dual(&mut self, operand: Operand) -> Operand {
        let ty = self.cx().ty(operand);
        let primal = self.primal_of(operand);
        if !holds_pointer(self.b.m, ty) {
            let float = holds_float(self.b.m, ty) || carries_float(self.env.facts.content(self.id, operand));
            return if float { self.b.m.zero(ty) } else { primal };
        }
        let zero = self.b.m.zero(ty);
        self.pointers_of(primal, zero)
    }

    /// `to` with the pointers of `from` in place of its own.
    fn pointers_of(&mut self, from: Operand, mut to: Operand) -> Operand {
        let ty = self.b.ty(from);
        if matches!(self.b.m.types.get(self.b.m.types.scalar(ty)), Type::Ptr(_)) {
            return from;
        }
        for i in 0..self.b.m.types.element_count(ty).unwrap_or(0) {
            let held = self.b.m.types.element(ty, i).is_some_and(|elem| holds_pointer(self.b.m, elem));
            if held {
                let (mine, theirs) = (self.b.extract(from, i as u32), self.b.extract(to, i as u32));
                let part = self.pointers_of(mine, theirs);
                to = self.b.insert(to, part, i as u32);
            }
        }
        to
    }

    /// `dual` with zeros in place of its floats where `constant` holds.
    pub(super) fn without_tangent(&mut self, constant: Operand, dual: Operand, of: Operand) -> Operand {
        let ty = self.b.ty(dual);
        let zero = self.b.m.zero(ty);
        if holds_pointer(self.b.m, ty) {
            if !holds_float(self.b.m, ty) {
                return dual;
            }
            let pointers = self.pointers_of(dual, zero);
            return self.b.select(constant, pointers, dual);
        }
        let float = holds_float(self.b.m, ty) || carries_float(self.env.facts.content(self.id, of));
        if float { self.b.select(constant, zero, dual) } else { dual }
    }

    /// Copies an instruction of the primal, with operands and successors of this function.
    pub(super) fn clone_inst(&mut self, data: &Inst) {
        let mut kind = data.kind.clone();
        kind.for_each_operand_mut(|o| {
            if let Operand::Local(v) = o {
                *o = self.primal[v];
            }
        });
        kind.map_successors(|b| self.blocks[&b]);
        let id = self.b.push(kind, data.ty);
        self.b.f.insts[id].metadata = data.metadata.clone();
        if let (Some(v), Some(clone)) = (data.result, self.b.f.insts[id].result) {
            self.primal.insert(v, Operand::Local(clone));
        }
    }

    /// Starts a phi and its duals.
    pub(super) fn begin_phi(&mut self, inst: ir::InstId, data: &Inst) {
        let (InstKind::Phi { fast, .. }, Some(v)) = (&data.kind, data.result) else { return };
        let empty = InstKind::Phi { fast: *fast, incoming: Vec::new() };
        let clone = self.b.push(empty.clone(), data.ty);
        self.primal.insert(v, self.b.result(clone));
        self.pending.push(Pending { primal: inst, clone, direction: None });
        if !self.has_dual(Operand::Local(v)) {
            return;
        }
        self.stand_for(inst, Role::Tangent);
        let mut duals = Vec::new();
        for direction in self.directions() {
            let clone = self.b.push(empty.clone(), data.ty);
            duals.push(self.b.result(clone));
            self.pending.push(Pending { primal: inst, clone, direction: Some(direction) });
        }
        self.duals.insert(v, duals);
    }

    /// Gives a phi its incoming values. What a dual needs besides is computed at the end of the block it comes from.
    pub(super) fn complete_phi(&mut self, phi: &Pending) {
        let InstKind::Phi { incoming, .. } = self.func.insts[phi.primal].kind.clone() else { return };
        self.stand_for(phi.primal, Role::Tangent);
        let mut filled: Vec<(Operand, ir::BlockId)> = Vec::new();
        for (value, pred) in incoming {
            let pred = self.blocks[&pred];
            let known = filled.iter().find(|(_, p)| *p == pred).map(|(v, _)| *v);
            let value = match (known, phi.direction) {
                // A block that is named twice must give the same value twice.
                (Some(value), _) => value,
                (None, None) => self.primal_of(value),
                (None, Some(direction)) => {
                    self.b.at = pred;
                    let terminator = self.b.f.blocks[pred].insts.pop();
                    let dual = self.dual(value, direction);
                    self.b.f.blocks[pred].insts.extend(terminator);
                    dual
                }
            };
            filled.push((value, pred));
        }
        if let InstKind::Phi { incoming, .. } = &mut self.b.f.insts[phi.clone].kind {
            *incoming = filled;
        }
    }
}
