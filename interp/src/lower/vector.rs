//! Vectors and aggregates: moves between slots.

use super::{Lower, Lowered, POISON};
use crate::code::{Op, Slot};
use ir::{Operand, Type, TypeId};

impl Lower<'_, '_> {
    pub(super) fn is_vector(&self, operand: Operand) -> bool {
        matches!(self.env.module.types.get(self.ty(operand)), Type::Vector { .. })
    }

    /// A constant index below `n`.
    fn constant_index(&self, index: Operand, n: u32) -> Option<u32> {
        let index = self.env.module.as_int(index)?;
        (index < u128::from(n)).then_some(index as u32)
    }

    pub(super) fn extract_element(&mut self, vector: Operand, index: Operand) -> Lowered {
        let n = self.leaves(vector)?.len() as u32;
        let (dst, vector_slot) = (self.result(), self.slot(vector)?);
        match self.constant_index(index, n) {
            Some(i) => self.emit(Op::Copy { dst, src: vector_slot + i, n: 1 }),
            None => {
                let width = self.leaf(index)?.bits();
                let index = self.slot(index)?;
                self.emit(Op::Extract { dst, vector: vector_slot, index, n, width });
            }
        }
        Ok(())
    }

    pub(super) fn insert_element(&mut self, vector: Operand, value: Operand, index: Operand) -> Lowered {
        let n = self.leaves(vector)?.len() as u32;
        let (dst, vector, value) = (self.result(), self.slot(vector)?, self.slot(value)?);
        match self.constant_index(index, n) {
            Some(i) => {
                self.emit(Op::Copy { dst, src: vector, n });
                self.emit(Op::Copy { dst: dst + i, src: value, n: 1 });
            }
            None => {
                let width = self.leaf(index)?.bits();
                let index = self.slot(index)?;
                self.emit(Op::Insert { dst, vector, value, index, n, width });
            }
        }
        Ok(())
    }

    pub(super) fn shuffle(&mut self, a: Operand, b: Operand, mask: &[Option<u32>]) -> Lowered {
        let n = self.leaves(a)?.len() as u32;
        let (dst, a, b) = (self.result(), self.slot(a)?, self.slot(b)?);
        let source = |lane: &Option<u32>| match lane {
            Some(i) if *i < n => a + i,
            Some(i) => b + (i - n),
            None => POISON,
        };
        self.gather_slots(dst, &mask.iter().map(source).collect::<Vec<_>>());
        Ok(())
    }

    /// Copies slots to consecutive ones, runs at once.
    pub(super) fn gather_slots(&mut self, dst: Slot, sources: &[Slot]) {
        let mut at = 0;
        while at < sources.len() {
            let src = sources[at];
            let run = (1..).take_while(|k| sources.get(at + k) == Some(&(src + *k as Slot))).count() + 1;
            self.emit(Op::Copy { dst: dst + at as Slot, src, n: run as u32 });
            at += run;
        }
    }

    /// Number of leaves before, and in, the element that the indices name.
    fn element_leaves(&self, mut ty: TypeId, indices: &[u32]) -> Lowered<(Slot, u32)> {
        let types = &self.env.module.types;
        let mut before = 0;
        for index in indices {
            for i in 0..u64::from(*index) {
                let earlier = types.element(ty, i).ok_or("an index outside of its type")?;
                before += self.env.flat(earlier)?.leaves.len() as Slot;
            }
            ty = types.element(ty, u64::from(*index)).ok_or("an index outside of its type")?;
        }
        Ok((before, self.env.flat(ty)?.leaves.len() as u32))
    }

    pub(super) fn extract_value(&mut self, aggregate: Operand, indices: &[u32]) -> Lowered {
        let (before, n) = self.element_leaves(self.ty(aggregate), indices)?;
        let (dst, src) = (self.result(), self.slot(aggregate)?);
        self.emit(Op::Copy { dst, src: src + before, n });
        Ok(())
    }

    pub(super) fn insert_value(&mut self, aggregate: Operand, value: Operand, indices: &[u32]) -> Lowered {
        let (before, n) = self.element_leaves(self.ty(aggregate), indices)?;
        let all = self.leaves(aggregate)?.len() as u32;
        let (dst, src, value) = (self.result(), self.slot(aggregate)?, self.slot(value)?);
        self.emit(Op::Copy { dst, src, n: all });
        self.emit(Op::Copy { dst: dst + before, src: value, n });
        Ok(())
    }
}
