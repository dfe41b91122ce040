//! Quick ops that compute addresses, load and store.

use super::arithmetic::sign_extended;
use super::{Passed, Run, Then};
use crate::code::Slot;
use crate::code::words::Size;
use crate::exec::signed;
use crate::machine::Machine;
use crate::value::{Leaf, Scalar};

/// How a number or integer lies in memory.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub size: Size,
    pub align: u8,
    pub number: bool,
}

/// The address of an element: a base, and an index of that width times a scale, plus an offset.
#[derive(Clone, Copy)]
pub(super) struct Element {
    pub base: Slot,
    pub index: Slot,
    pub scale: u32,
    pub offset: i64,
    pub width: u8,
    pub inbounds: bool,
}

/// Memory.
impl<M: Machine, const THREADS: bool> Run<'_, '_, M, THREADS> {
    /// The address that an access names.
    #[inline(always)]
    pub(super) fn place(&self, ptr: Slot, offset: u32) -> Option<Scalar> {
        let at = self.defined(ptr)?;
        self.address([ptr])?;
        Some(Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at })
    }

    /// An op that many further has loaded a leaf.
    #[inline(always)]
    pub(super) fn loaded(&mut self, further: usize, dst: Slot, at: Scalar, leaf: Leaf, value: Scalar) -> Passed {
        if Self::WATCHED {
            let shadow = self.beside.load(self.memory, self.pc + further, at, leaf, value)?;
            self.beside.put(dst, shadow);
        }
        self.regs[dst as usize] = value;
        Some(Then::Next)
    }

    /// May a leaf be stored by an op that many further?
    #[inline(always)]
    fn may_store(&mut self, further: usize, at: Scalar, leaf: Leaf, align: u8) -> Option<()> {
        let (size, pc) = (leaf.store_size(), self.pc + further);
        let may = !Self::WATCHED || self.beside.before_store(self.memory, pc, at, size, align);
        if may { Some(()) } else { None }
    }

    /// It has stored it.
    #[inline(always)]
    fn stored(&mut self, further: usize, at: Scalar, leaf: Leaf, (src, value): (Slot, Scalar)) -> Passed {
        if Self::WATCHED {
            self.beside.stored(self.memory, self.pc + further, at, leaf, (src, value));
        }
        Some(Then::Next)
    }

    #[inline(always)]
    pub(super) fn load(&mut self, dst: Slot, ptr: Slot, offset: u32, cell: Cell) -> Passed {
        let at = self.place(ptr, offset)?;
        let value = Scalar::word(self.memory.quick_load(at, cell.size, cell.align)?);
        self.loaded(0, dst, at, cell.size.leaf(cell.number), value)
    }

    #[inline(always)]
    pub(super) fn load_ptr(&mut self, dst: Slot, ptr: Slot, offset: u32, align: u8) -> Passed {
        let at = self.place(ptr, offset)?;
        let value = self.memory.quick_load_ptr(at, align)?;
        self.loaded(0, dst, at, Leaf::Ptr, value)
    }

    /// A load of 32 bits and its extension.
    #[inline(always)]
    pub(super) fn load_extended(&mut self, dst: Slot, ptr: Slot, align: u8, wide: Slot, to: u8) -> Passed {
        let at = self.place(ptr, 0)?;
        let value = Scalar::word(self.memory.quick_load(at, Size::B32, align)?);
        self.loaded(0, dst, at, Leaf::Int(32), value)?;
        // A shadow that came along is the extension's business.
        if !self.beside.absent([dst]) {
            return Some(Then::Next);
        }
        self.pass();
        self.set(wide, sign_extended(value, 32, to))
    }

    #[inline(always)]
    pub(super) fn store(&mut self, src: Slot, ptr: Slot, offset: u32, cell: Cell) -> Passed {
        let (value, at) = self.both(src, ptr)?;
        self.address([ptr])?;
        let at = Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at };
        self.store_at(0, (src, value), at, cell)
    }

    #[inline(always)]
    fn store_at(&mut self, further: usize, (src, value): (Slot, Scalar), at: Scalar, cell: Cell) -> Passed {
        let leaf = cell.size.leaf(cell.number);
        self.may_store(further, at, leaf, cell.align)?;
        self.memory.quick_store(at, value.lo, cell.size, cell.align, cell.number)?;
        self.stored(further, at, leaf, (src, value))
    }

    #[inline(always)]
    pub(super) fn store_ptr(&mut self, src: Slot, ptr: Slot, offset: u32, align: u8) -> Passed {
        let (value, at) = self.both(src, ptr)?;
        self.address([ptr])?;
        let at = Scalar { lo: at.lo.wrapping_add(u64::from(offset)), ..at };
        self.may_store(0, at, Leaf::Ptr, align)?;
        self.memory.quick_store_ptr(at, value, align)?;
        self.stored(0, at, Leaf::Ptr, (src, value))
    }

    /// Are an address and what it is made from within one object?
    #[inline(always)]
    pub(super) fn within(&self, base: Scalar, addr: u64) -> Option<()> {
        let (start, size) = self.memory.quick_bounds(base.hi)?;
        let outside = addr.wrapping_sub(start) > size || base.lo.wrapping_sub(start) > size;
        if outside { None } else { Some(()) }
    }

    #[inline(always)]
    pub(super) fn field(&mut self, dst: Slot, base: Slot, offset: i64, inbounds: bool) -> Passed {
        self.address([base])?;
        let base = self.defined(base)?;
        let addr = base.lo.wrapping_add_signed(offset);
        if inbounds && offset != 0 {
            self.within(base, addr)?;
        }
        self.set(dst, Scalar { lo: addr, ..base })
    }

    #[inline(always)]
    pub(super) fn element_at(&self, element: Element) -> Option<Scalar> {
        let Element { base, index, scale, offset, width, inbounds } = element;
        let (start, number) = self.both(base, index)?;
        self.address([base, index])?;
        let by = signed(number.lo, width).checked_mul(i64::from(scale))?.checked_add(offset)?;
        let addr = start.lo.wrapping_add_signed(by);
        if inbounds && by != 0 {
            self.within(start, addr)?;
        }
        Some(Scalar { hi: start.hi, ..Scalar::word(addr) })
    }

    #[inline(always)]
    pub(super) fn element(&mut self, dst: Slot, element: Element) -> Passed {
        let at = self.element_at(element)?;
        self.set(dst, at)
    }

    #[inline(always)]
    pub(super) fn load_element(&mut self, dst: Slot, element: Element, into: Slot, cell: Cell) -> Passed {
        let at = self.element_at(element)?;
        let value = Scalar::word(self.memory.quick_load(at, cell.size, cell.align)?);
        self.loaded(1, into, at, cell.size.leaf(cell.number), value)?;
        self.pass();
        self.set(dst, at)
    }

    #[inline(always)]
    pub(super) fn store_element(&mut self, dst: Slot, element: Element, src: Slot, cell: Cell) -> Passed {
        let at = self.element_at(element)?;
        let value = self.defined(src)?;
        self.store_at(1, (src, value), at, cell)?;
        self.pass();
        self.set(dst, at)
    }
}
