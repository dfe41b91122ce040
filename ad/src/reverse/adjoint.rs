//! Adjoints of values: stack slots that uses add to and definitions take.

use crate::analysis::memory::query::PointerKind;
use crate::analysis::parallel::Adding;
use crate::base::names::is_in_one_piece;
use crate::emit::atomic_add::atomic_add;
use crate::emit::gathered_add::gathered_add;
use crate::emit::shadow_memory::{SCRATCH, shadow_align};
use crate::error::Diagnostic;
use crate::options::{Fault, Lever};
use crate::program::externals;
use crate::reverse::Emitter;
use ir::entity::EntityRef;
use ir::{BinOp, CastOp, InstId, InstKind, IntPred, Operand, Role, Type, TypeId, ValueId};

/// Shadow memory to be read or written in the reverse pass.
#[derive(Clone, Copy)]
pub(super) struct Target {
    /// Where to.
    pub ptr: Operand,
    /// Where the pointer may turn out constant: is it not?
    pub real: Option<Operand>,
}

/// What a thread sums up for an address.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    ptr: Operand,
    ty: TypeId,
    /// Where.
    sum: Operand,
    /// Other threads may have claimed what it is added to.
    gathered: bool,
}

impl Emitter<'_, '_> {
    /// The slot of a value's adjoint, with its type.
    pub(super) fn slot(&mut self, v: ValueId) -> (Operand, TypeId) {
        if let Some(slot) = self.slots.get(&v) {
            return *slot;
        }
        let ty = self.env.facts.adjoint_ty(self.b.m, self.id, self.func, Operand::Local(v));
        let align = self.b.align(ty);
        let slot = self.stack(ty, align);
        self.slots.insert(v, (slot, ty));
        (slot, ty)
    }

    /// Adds to the adjoint of an operand that has one.
    pub(super) fn accumulate(&mut self, operand: Operand, value: Operand) {
        let Operand::Local(v) = operand else { return };
        if !self.cx().has_adjoint(operand) {
            return;
        }
        let (slot, ty) = self.slot(v);
        let value = self.view(value, ty);
        self.add_to(slot, ty, value, 0);
    }

    /// What a clear slot holds: -0.0, because `-0.0 + x` is `x` for every `x`, and `0.0 + x` is not for -0.0. So a
    /// sum of one term is no sum to LLVM. (Memory that a user sees is cleared to 0.0.)
    pub(super) fn neutral(&mut self, ty: TypeId) -> Operand {
        match self.b.m.types.get(ty) {
            Type::Float(kind) if !self.env.without.has(Lever::NegativeZero) => {
                let sign = 1u128 << (kind.bits() - 1);
                self.b.m.constant(ty, ir::ConstKind::Float(sign))
            }
            _ => self.b.m.zero(ty),
        }
    }

    /// The adjoint of a parameter as it is returned: never -0.0 where nothing was added.
    pub(super) fn returned(&mut self, v: ValueId) -> Operand {
        let (slot, ty) = self.slot(v);
        let align = self.b.align(ty);
        let value = self.b.load(ty, slot, align);
        if !matches!(self.b.m.types.get(ty), Type::Float(_)) {
            return value;
        }
        let zero = self.b.m.zero(ty);
        self.b.binary(BinOp::FAdd, value, zero)
    }

    /// Reads an adjoint and clears it.
    pub(super) fn take(&mut self, v: ValueId) -> Operand {
        let (slot, ty) = self.slot(v);
        let align = self.b.align(ty);
        let value = self.b.load(ty, slot, align);
        let zero = self.neutral(ty);
        let role = self.b.origin.map(|o| o.role);
        self.role(Role::Zero);
        self.b.store(zero, slot, align);
        if let Some(role) = role {
            self.role(role);
        }
        value
    }

    /// `memory += value`, leaf by leaf; `align` 0 means natural.
    pub(super) fn add_to(&mut self, ptr: Operand, ty: TypeId, value: Operand, align: u64) {
        if matches!(self.b.m.types.get(self.b.m.types.scalar(ty)), Type::Float(_)) {
            let align = shadow_align(if align == 0 { self.b.align(ty) } else { align });
            let old = self.b.load(ty, ptr, align);
            let sum = self.b.binary(BinOp::FAdd, old, value);
            self.b.store(sum, ptr, align);
            return;
        }
        for i in 0..self.b.m.types.element_count(ty).unwrap_or(0) {
            let Some(elem) = self.b.m.types.element(ty, i) else { continue };
            if externals::holds_float(self.b.m, elem) {
                let offset = self.b.m.layout.element_offset(&self.b.m.types, ty, i).unwrap_or(0);
                let part = self.b.extract(value, i as u32);
                let at = self.b.offset(ptr, offset);
                self.add_to(at, elem, part, if align == 0 { 0 } else { 1 });
            }
        }
    }

    /// `shadow += value`, in one piece where another thread may add to it at the same time. The alignment 0 is the
    /// natural one.
    pub(super) fn increment(
        &mut self,
        inst: InstId,
        (ptr, target): (Operand, Operand),
        (ty, value): (TypeId, Operand),
        align: u64,
    ) -> Result<(), Diagnostic> {
        match self.env.parallel.adding(self.b.m, self.env.facts, (self.id, inst), ptr) {
            Adding::Plain => {
                self.add_to(target, ty, value, align);
                return Ok(());
            }
            Adding::Summed => {
                let sum = self.sum_of(inst, (ptr, ty));
                self.add_to(sum, ty, value, 0);
                return Ok(());
            }
            Adding::Gathered => {
                return gathered_add(&mut self.b, target, ty, value).or_else(|why| self.unsupported(inst, why));
            }
            Adding::Atomic => {}
        }
        let align = if align == 0 { 0 } else { shadow_align(align) };
        atomic_add(&mut self.b, target, ty, value, align).or_else(|why| self.unsupported(inst, why))
    }

    /// Where a thread sums up what it has for an address.
    fn sum_of(&mut self, inst: InstId, (ptr, ty): (Operand, TypeId)) -> Operand {
        let gathered = self.env.parallel.gathers_sum(self.id, inst);
        if let Some(known) = self.sums.iter().find(|s| (s.ptr, s.ty, s.gathered) == (ptr, ty, gathered)) {
            return known.sum;
        }
        let align = self.b.align(ty);
        let sum = self.clear_stack(ty, align);
        self.sums.push(Sum { ptr, ty, sum, gathered });
        sum
    }

    /// Adds these sums to the adjoints of memory, at the end of the reverse pass.
    pub(super) fn add_sums(&mut self) -> Result<(), Diagnostic> {
        for Sum { ptr, ty, sum, gathered } in self.sums.clone() {
            let (shadow, align) = (self.reverse_shadow(ptr)?, self.b.align(ty));
            let value = self.b.load(ty, sum, align);
            // Where another thread may have the memory to itself, it is told of this, too.
            let claimed = gathered && self.env.parallel.has_claims();
            let added = match claimed {
                true => gathered_add(&mut self.b, shadow, ty, value),
                false => atomic_add(&mut self.b, shadow, ty, value, 0),
            };
            if added.is_err() {
                return self.bug("a sum of a thread that cannot be added in one piece");
            }
        }
        Ok(())
    }

    /// The same bits under another type (`<2 x float>` as `double`), if the types differ.
    pub(super) fn view(&mut self, value: Operand, ty: TypeId) -> Operand {
        self.b.cast(CastOp::BitCast, value, ty)
    }

    /// The shadow of a pointer in the reverse pass; `None` if the memory is constant.
    pub(super) fn target(&mut self, inst: InstId, ptr: Operand, size: u64) -> Result<Option<Target>, Diagnostic> {
        match self.cx().pointer_kind(ptr) {
            PointerKind::Constant => Ok(None),
            PointerKind::Duplicated => {
                let ptr = self.reverse_shadow(ptr)?;
                Ok(Some(Target { ptr, real: None }))
            }
            PointerKind::Mixed if size > SCRATCH => {
                self.unsupported(inst, "a large object that may or may not be constant")
            }
            PointerKind::Mixed => {
                let shadow = self.reverse_shadow(ptr)?;
                let primal = self.reverse_primal(ptr)?;
                let real = self.b.icmp(IntPred::Ne, shadow, primal);
                let scratch = self.scratch();
                Ok(Some(Target { ptr: self.b.select(real, shadow, scratch), real: Some(real) }))
            }
        }
    }

    /// Reads the adjoint of memory and clears it; zero for constant memory.
    pub(super) fn take_memory(&mut self, target: Target, ty: TypeId, align: u64) -> Operand {
        let value = self.b.load(ty, target.ptr, shadow_align(align));
        if !self.has_fault(Fault::StaleShadow) {
            self.clear_memory(target, ty, align);
        }
        match target.real {
            None => value,
            Some(real) => {
                let zero = self.b.m.zero(ty);
                self.b.select(real, value, zero)
            }
        }
    }

    /// Clears the adjoint of memory.
    pub(super) fn clear_memory(&mut self, target: Target, ty: TypeId, align: u64) {
        let zero = self.b.m.zero(ty);
        self.role(Role::Zero);
        self.b.store(zero, target.ptr, shadow_align(align));
        self.role(Role::Adjoint);
    }

    /// Notes the accesses that were emitted from an instruction on as those of a cell of the primal's.
    pub(super) fn are_of(&mut self, inst: InstId, (from, target): (usize, Target)) {
        let insts = &self.b.f.insts;
        let accesses = (from..insts.len()).map(InstId::new).filter(|access| match insts[*access].kind {
            InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => target.real.is_none() && ptr == target.ptr,
            _ => false,
        });
        self.cells.extend(accesses.map(|access| (access, inst)));
        let apart = target.real.is_none();
        let pieces = (from..insts.len()).map(InstId::new).filter(|call| {
            let args = || insts[*call].kind.as_call().map(|call| call.args[0]);
            apart && is_in_one_piece(self.b.m, &insts[*call]) && args() == Some(target.ptr)
        });
        self.pieces.extend(pieces);
    }

    /// Clears all slots, at the start of the reverse pass.
    pub(super) fn clear_slots(&mut self) {
        self.b.origin = None;
        let mut slots: Vec<(ValueId, (Operand, TypeId))> = self.slots.iter().map(|(v, s)| (*v, *s)).collect();
        slots.sort_by_key(|(v, _)| *v);
        for (_, (slot, ty)) in slots {
            let zero = self.neutral(ty);
            let align = self.b.align(ty);
            self.b.effect(InstKind::Store { value: zero, ptr: slot, align, volatile: false, atomic: None });
        }
    }
}
