//! Memory instructions: offsets and sizes are worked out here.

use super::{Lower, Lowered, POISON, attrs};
use crate::code::{Gep, LoadAt, Op, Slot, flag};
use crate::value::Leaf;
use ir::{FloatKind, GepFlags, Inst, InstKind, Operand, Type, TypeId, ValueId};

/// log2 of an alignment.
pub fn log2(align: u64) -> u8 {
    align.max(1).trailing_zeros() as u8
}

/// log2 of the alignment at `offset` from an address aligned to `align`.
fn align_at(align: u64, offset: u64) -> u8 {
    log2(align).min(if offset == 0 { 63 } else { offset.trailing_zeros() as u8 })
}

impl Lower<'_, '_> {
    pub(super) fn alloca(&mut self, ty: TypeId, count: Option<Operand>, align: u64, inalloca: bool) -> Lowered {
        if let Some(leaf) =
            self.func.insts[self.inst].result.and_then(|address| self.homes.leaf(Operand::Local(address)))
        {
            self.make_home(leaf);
            return Ok(());
        }
        if inalloca {
            return Err("inalloca".to_owned());
        }
        let size = u32::try_from(self.env.module.size_of(ty)).map_err(|_| "a stack object of 4 GiB or more")?;
        let natural = self.env.module.layout.align_of(&self.env.module.types, ty);
        let align = log2(if align == 0 { natural } else { align });
        let (count, width) = match count {
            // The common constant 1 needs no multiplication.
            Some(count) if self.env.module.as_int(count) != Some(1) => (self.slot(count)?, self.leaf(count)?.bits()),
            _ => (POISON, 0),
        };
        let dst = self.result();
        self.emit(Op::Alloca { dst, count, size, align, width });
        Ok(())
    }

    pub(super) fn load(&mut self, inst: &Inst, ptr: Operand, align: u64) -> Lowered {
        let (dst, home) = (self.result(), self.homes.leaf(ptr));
        let ptr = self.slot(ptr)?;
        match home {
            Some(_) => self.copy(dst, ptr),
            None => self.load_value(inst.ty, dst, ptr, align)?,
        }
        if let (Some(load), None) = (self.tentative.number(self.inst), home) {
            self.make_tentative(load);
        }
        if let (Type::Vector { .. }, None) = (self.env.module.types.get(inst.ty), home) {
            self.pass_over_unused(inst);
        }
        if let Some(checks) = attrs::load_checks(self.env, inst)? {
            self.check(dst, checks);
        }
        Ok(())
    }

    /// The scalar that has just been loaded may never be used.
    fn make_tentative(&mut self, load: u32) {
        let Some(op) = self.code.ops.last_mut() else { return };
        *op = match *op {
            Op::Load { dst, ptr, offset, leaf, align } | Op::Load64 { dst, ptr, offset, leaf, align } => {
                Op::LoadTentative { at: LoadAt { dst, ptr, offset, leaf, align }, load }
            }
            Op::LoadPtr { dst, ptr, offset, align } => {
                Op::LoadTentative { at: LoadAt { dst, ptr, offset, leaf: Leaf::Ptr, align }, load }
            }
            other => other,
        };
    }

    /// Of the lanes that have just been loaded, those that nobody looks at are no accesses.
    fn pass_over_unused(&mut self, inst: &Inst) {
        let (Some(vector), Ok(flat)) = (inst.result, self.env.flat(inst.ty)) else { return };
        let lanes = flat.leaves.len();
        if flat.packed_bits || self.code.ops.len() < lanes {
            return;
        }
        let used = self.lanes_used(vector, lanes);
        let from = self.code.ops.len() - lanes;
        for (op, _) in self.code.ops[from..].iter_mut().zip(used).filter(|(_, used)| !used) {
            if let Op::Load { dst, ptr, offset, leaf, align } | Op::Load64 { dst, ptr, offset, leaf, align } = *op {
                *op = Op::LoadUnused { dst, ptr, offset, leaf, align };
            }
        }
    }

    /// Which lanes of a vector any instruction looks at.
    fn lanes_used(&self, vector: ValueId, lanes: usize) -> Vec<bool> {
        let (operand, mut used, mut uses) = (Operand::Local(vector), vec![false; lanes], 0);
        let lane = |index: &Operand| self.env.module.as_int(*index).map(|index| index as usize);
        for inst in self.takers.get(&vector).into_iter().flatten() {
            match &self.func.insts[*inst].kind {
                InstKind::ExtractElement { index, .. } => match lane(index).and_then(|at| used.get_mut(at)) {
                    Some(taken) => (*taken, uses) = (true, uses + 1),
                    None => continue,
                },
                InstKind::InsertElement { index, .. } => {
                    let over = lane(index);
                    (0..lanes).filter(|i| Some(*i) != over).for_each(|i| used[i] = true);
                    uses += 1;
                }
                InstKind::ShuffleVector { a, b, mask } => {
                    for first in [(a, 0), (b, lanes)].into_iter().filter(|(of, _)| **of == operand).map(|(_, at)| at) {
                        let taken = mask.iter().flatten().filter_map(|i| (*i as usize).checked_sub(first));
                        taken.filter(|i| *i < lanes).for_each(|i| used[i] = true);
                        uses += 1;
                    }
                }
                _ => {}
            }
        }
        // Who else uses it looks at all of it.
        if uses == self.uses[vector] { used } else { vec![true; lanes] }
    }

    fn load_value(&mut self, ty: TypeId, dst: Slot, ptr: Slot, align: u64) -> Lowered {
        let flat = self.env.flat(ty)?;
        if !flat.packed_bits {
            for (i, (leaf, offset)) in (0..).zip(&flat.leaves) {
                self.load_leaf(dst + i, ptr, *leaf, *offset, align)?;
            }
        } else if let Type::Vector { .. } = self.env.module.types.get(ty) {
            let (n, width) = packed(&flat.leaves)?;
            self.emit(Op::LoadBits { dst, ptr, n, width, align: log2(align) });
        } else {
            for (at, member, ptr, align) in self.members(ty, ptr, align)? {
                self.load_value(member, dst + at, ptr, align)?;
            }
        }
        Ok(())
    }

    /// The members of an aggregate: first leaf, type, register with the address, alignment.
    fn members(&mut self, ty: TypeId, ptr: Slot, align: u64) -> Lowered<Vec<(Slot, TypeId, Slot, u64)>> {
        let module = self.env.module;
        let count = module.types.element_count(ty).ok_or("a value that is no aggregate")?;
        let (mut found, mut leaves) = (Vec::new(), 0);
        for index in 0..count {
            let member = module.types.element(ty, index).ok_or("an index outside of its type")?;
            let offset =
                module.layout.element_offset(&module.types, ty, index).ok_or("an index outside of its type")?;
            let at = self.take(1);
            self.emit(Op::GepConst { dst: at, base: ptr, offset: offset as i64, flags: 0 });
            found.push((leaves, member, at, 1 << align_at(align, offset)));
            leaves += self.env.flat(member)?.leaves.len() as Slot;
        }
        Ok(found)
    }

    fn load_leaf(&mut self, dst: Slot, ptr: Slot, leaf: Leaf, offset: u64, align: u64) -> Lowered {
        let align = align_at(align, offset);
        let offset = u32::try_from(offset).map_err(|_| "a value of 4 GiB or more")?;
        self.emit(match leaf {
            Leaf::Int(64) | Leaf::Float(FloatKind::Double) => Op::Load64 { dst, ptr, offset, leaf, align },
            Leaf::Ptr => Op::LoadPtr { dst, ptr, offset, align },
            _ => Op::Load { dst, ptr, offset, leaf, align },
        });
        Ok(())
    }

    pub(super) fn check(&mut self, src: Slot, checks: crate::code::Checks) {
        self.code.checks.push(checks);
        self.emit(Op::Check { src, table: self.code.checks.len() as u32 - 1 });
    }

    pub(super) fn store(&mut self, value: Operand, ptr: Operand, align: u64) -> Lowered {
        let (src, home) = (self.slot(value)?, self.homes.leaf(ptr));
        let ptr = self.slot(ptr)?;
        if home.is_some() {
            self.copy(ptr, src);
            return Ok(());
        }
        self.store_value(self.ty(value), src, ptr, align)
    }

    fn store_value(&mut self, ty: TypeId, src: Slot, ptr: Slot, align: u64) -> Lowered {
        let flat = self.env.flat(ty)?;
        if flat.packed_bits {
            if let Type::Vector { .. } = self.env.module.types.get(ty) {
                let (n, width) = packed(&flat.leaves)?;
                self.emit(Op::StoreBits { src, ptr, n, width, align: log2(align) });
            } else {
                for (at, member, ptr, align) in self.members(ty, ptr, align)? {
                    self.store_value(member, src + at, ptr, align)?;
                }
            }
            return Ok(());
        }
        for (i, (leaf, offset)) in (0..).zip(&flat.leaves) {
            let align = align_at(align, *offset);
            let offset = u32::try_from(*offset).map_err(|_| "a value of 4 GiB or more")?;
            self.emit(Op::Store { src: src + i, ptr, offset, leaf: *leaf, align });
        }
        Ok(())
    }

    pub(super) fn gep(
        &mut self,
        inst: &Inst,
        elem_ty: TypeId,
        flags: GepFlags,
        base: Operand,
        indices: &[Operand],
    ) -> Lowered {
        let flags = (u8::from(flags.inbounds) * (flag::INBOUNDS | flag::NUSW))
            | (u8::from(flags.nusw) * flag::NUSW)
            | (u8::from(flags.nuw) * flag::NUW);
        let lanes = match self.env.module.types.get(inst.ty) {
            Type::Vector { len, .. } => Some(*len),
            _ => None,
        };
        let dst = self.result();
        for lane in 0..lanes.unwrap_or(1) {
            let of_lane = |lower: &Self, operand: Operand| {
                let slot = lower.slot(operand)?;
                Ok::<Slot, String>(if lower.is_vector(operand) { slot + lane } else { slot })
            };
            let base = of_lane(self, base)?;
            let mut gep = Gep { offset: 0, terms: Vec::new() };
            let mut ty = elem_ty;
            for (i, index) in indices.iter().enumerate() {
                let index = &self.unextended(*index);
                let constant = self.index_constant(*index, lane);
                let scale = if i == 0 { Some(self.env.module.size_of(ty) as i64) } else { self.element_scale(ty) };
                match (constant, scale) {
                    (Some(value), _) if i == 0 => {
                        gep.offset = gep.offset.wrapping_add(value.wrapping_mul(self.env.module.size_of(ty) as i64));
                    }
                    (Some(value), _) => {
                        let (offset, next) = self.env.step(ty, value)?;
                        gep.offset = gep.offset.wrapping_add(offset);
                        ty = next;
                        continue;
                    }
                    (None, Some(scale)) => {
                        let width = self.leaves(*index)?.first().map_or(64, |l| l.bits());
                        gep.terms.push((of_lane(self, *index)?, width, scale));
                    }
                    (None, None) => return Err("a variable index into a structure".to_owned()),
                }
                if i > 0 {
                    ty = self.env.step(ty, 0)?.1;
                }
            }
            self.emit_gep(dst + lane, base, gep, flags);
        }
        Ok(())
    }

    /// The number of which an index is the extension with sign, if that has been left to the address computation.
    fn unextended(&self, index: Operand) -> Operand {
        let extended = index.local().filter(|v| self.extended == Some(*v)).and_then(|v| self.func.def_inst(v));
        match extended.map(|inst| &self.func.insts[inst].kind) {
            Some(InstKind::Cast { value, .. }) => *value,
            _ => index,
        }
    }

    /// The value of a constant index, sign-extended (of a vector constant, that of the lane).
    fn index_constant(&self, index: Operand, lane: u32) -> Option<i64> {
        let id = index.constant()?;
        let leaves = self.env.constant(id).ok()?;
        let kinds = self.leaves(index).ok()?;
        let at = if leaves.len() == 1 { 0 } else { lane as usize };
        let (value, leaf) = (leaves.get(at)?, kinds.get(at)?);
        value.is_init().then(|| super::consts::sign_extend(value.bits(), leaf.bits()))
    }

    /// Distance of consecutive elements of an array or vector.
    fn element_scale(&self, ty: TypeId) -> Option<i64> {
        match self.env.module.types.get(ty) {
            Type::Array { elem, .. } | Type::Vector { elem, .. } => Some(self.env.module.size_of(*elem) as i64),
            _ => None,
        }
    }

    fn emit_gep(&mut self, dst: Slot, base: Slot, gep: Gep, flags: u8) {
        match gep.terms.as_slice() {
            [] => self.emit(Op::GepConst { dst, base, offset: gep.offset, flags }),
            [(index, width, scale)] if u32::try_from(*scale).is_ok() && i32::try_from(gep.offset).is_ok() => {
                let (scale, offset) = (*scale as u32, gep.offset as i32);
                self.emit(Op::GepIndex { dst, base, index: *index, scale, offset, width: *width, flags });
            }
            _ => {
                self.code.geps.push(gep);
                self.emit(Op::Gep { dst, base, table: self.code.geps.len() as u32 - 1, flags });
            }
        }
    }
}

/// Number of lanes and their width, of a vector that lies bit-packed in memory.
fn packed(leaves: &[(Leaf, u64)]) -> Lowered<(u32, u8)> {
    match leaves.first() {
        Some((Leaf::Int(width), _)) if leaves.iter().all(|(l, _)| l.bits() == *width) => {
            Ok((leaves.len() as u32, *width))
        }
        _ => Err("an aggregate of vectors whose lanes are not whole bytes".to_owned()),
    }
}
