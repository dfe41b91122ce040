//! Vectors in memory under a mask: masked loads and stores, gather and scatter, expansion and compression.

use super::Body;
use crate::ir::ty::{Elem, Ty};
use ir::{BinOp, IntPred, Operand};

impl Body<'_, '_> {
    /// One access under a mask.
    pub(super) fn masked(&mut self) {
        let scalar = |cell: Ty| cell.lanes.is_none() && cell.is_bytes();
        let Some(array) = self.array_where(|a| scalar(a.cell) && a.len >= 2) else { return };
        let lanes = if array.len >= 4 && self.c.chance(50) { 4 } else { 2 };
        let ty = array.cell.times(lanes);
        let mask = self.mask(lanes);
        let (id, ptr) = (self.b.ty(ty), self.b.module.types.ptr());
        let (bits, int) = (self.b.ty(Ty::BIT.times(lanes)), self.b.ty(Ty::int(32)));
        let align = self.align(array.cell);
        let align = self.b.i32(align as u32);
        let suffix = ty.suffix();
        let writes = array.writable && self.c.chance(50);
        let value = self.value(ty, 2);
        match self.c.index(3) {
            0 => {
                let at = self.stretch(&array, lanes);
                if writes {
                    let name = format!("llvm.masked.store.{suffix}.p0");
                    return self.b.intrinsic_effect(&name, &[id, ptr, int, bits], vec![value, at, align, mask]);
                }
                let name = format!("llvm.masked.load.{suffix}.p0");
                let loaded = self.b.intrinsic(&name, id, &[ptr, int, bits, id], vec![at, align, mask, value]);
                self.keep(loaded, ty);
            }
            1 => {
                let ptrs = self.b.ty(Ty::PTR.times(lanes));
                let indices = self.indices(lanes, array.len);
                let cell = self.b.ty(array.cell);
                let flags = ir::GepFlags { inbounds: true, ..ir::GepFlags::default() };
                let kind = ir::InstKind::Gep { elem_ty: cell, flags, base: array.base, indices: vec![indices] };
                let at = self.b.emit(kind, ptrs);
                if writes {
                    let name = format!("llvm.masked.scatter.{suffix}.v{lanes}p0");
                    return self.b.intrinsic_effect(&name, &[id, ptrs, int, bits], vec![value, at, align, mask]);
                }
                let name = format!("llvm.masked.gather.{suffix}.v{lanes}p0");
                let loaded = self.b.intrinsic(&name, id, &[ptrs, int, bits, id], vec![at, align, mask, value]);
                self.keep(loaded, ty);
            }
            _ if self.smooth => {}
            _ => {
                let at = self.stretch(&array, lanes);
                if writes {
                    let name = format!("llvm.masked.compressstore.{suffix}");
                    return self.b.intrinsic_effect(&name, &[id, ptr, bits], vec![value, at, mask]);
                }
                let name = format!("llvm.masked.expandload.{suffix}");
                let loaded = self.b.intrinsic(&name, id, &[ptr, bits, id], vec![at, mask, value]);
                self.keep(loaded, ty);
            }
        }
    }

    /// Which lanes are accessed.
    fn mask(&mut self, lanes: u32) -> Operand {
        let ty = Ty::BIT.times(lanes);
        match self.c.index(3) {
            0 => self.constant(ty),
            1 => {
                let word = Ty::int(32);
                let (id, of) = (self.b.ty(ty), self.b.ty(word));
                let (base, count) = (self.b.i32(0), self.value(word, 1));
                let name = format!("llvm.get.active.lane.mask.{}.i32", ty.suffix());
                let one = self.b.i32(1);
                // A count of zero is poison.
                let count = self.b.uniform("llvm.umax", word, vec![count, one]);
                self.b.intrinsic(&name, id, &[of, of], vec![base, count])
            }
            _ => {
                let of = ty.of(Elem::Int(32));
                let (a, b) = (self.value(of, 1), self.value(of, 1));
                self.b.icmp(IntPred::Ult, of, a, b)
            }
        }
    }

    /// A number below `len` in each lane.
    fn indices(&mut self, lanes: u32, len: u32) -> Operand {
        let ty = Ty::int(64).times(lanes);
        let value = self.value(ty, 1);
        let (op, by) = if len.is_power_of_two() { (BinOp::And, len - 1) } else { (BinOp::URem, len) };
        let by = self.b.bits(ty, u128::from(by));
        self.b.binary(op, ty, value, by)
    }
}
