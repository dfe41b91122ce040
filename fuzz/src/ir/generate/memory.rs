//! Arrays of equal cells on the stack, the heap and behind parameters; pointers to them that are chosen, moved
//! and kept in memory.

use super::Body;
use crate::ir::ty::{Elem, Ty};
use ir::{Atomic, BinOp, CastOp, InstKind, Operand, Ordering, RmwOp};

/// Cells of one type, all of them initialised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array {
    pub base: Operand,
    pub cell: Ty,
    pub len: u32,
    pub writable: bool,
    /// The object, where the address is its start and nothing else.
    pub root: Option<u32>,
}

impl Body<'_, '_> {
    /// A number below `len`.
    pub(super) fn index(&mut self, len: u32) -> Operand {
        let ty = Ty::int(self.c.pick(&[32, 64, 64, 8]).unwrap_or(64));
        // An index has a sign.
        let len = if ty.bits() == 8 { len.min(128) } else { len };
        if len <= 1 || self.c.chance(40) {
            let index = self.c.int(0, i64::from(len.max(1)) - 1);
            return self.b.bits(ty, index as u128);
        }
        let value = self.known_int(ty);
        let (op, by) = if len.is_power_of_two() { (BinOp::And, len - 1) } else { (BinOp::URem, len) };
        let by = self.b.bits(ty, u128::from(by));
        self.b.binary(op, ty, value, by)
    }

    /// An integer that is there, as one of another width. It is never loaded: loads need indices themselves.
    pub(super) fn known_int(&mut self, ty: Ty) -> Operand {
        let integer = |k: &&super::Known| k.ty.lanes.is_none() && matches!(k.ty.elem, Elem::Int(_));
        let all: Vec<super::Known> = self.known.iter().rev().filter(integer).take(6).copied().collect();
        let Some(one) = self.c.pick(&all) else { return self.constant(ty) };
        match one.ty.bits().cmp(&ty.bits()) {
            std::cmp::Ordering::Less => self.b.cast(CastOp::ZExt, ty, one.value),
            std::cmp::Ordering::Equal => one.value,
            std::cmp::Ordering::Greater => self.b.cast(CastOp::Trunc, ty, one.value),
        }
    }

    pub(super) fn some_array(&mut self) -> Option<Array> {
        let all = self.arrays.clone();
        self.c.pick(&all)
    }

    pub(super) fn array_where(&mut self, fits: impl Fn(&Array) -> bool) -> Option<Array> {
        let all: Vec<Array> = self.arrays.iter().filter(|a| fits(a)).copied().collect();
        self.c.pick(&all)
    }

    /// The address of a cell.
    pub(super) fn cell(&mut self, array: &Array) -> Operand {
        if array.len <= 1 && self.c.chance(70) {
            return array.base;
        }
        let index = self.index(array.len);
        let id = self.b.ty(array.cell);
        self.b.gep(id, array.base, vec![index])
    }

    /// The alignment of a cell in bytes.
    pub(super) fn align(&mut self, ty: Ty) -> u64 {
        let id = self.b.ty(ty);
        self.b.module.layout.align_of(&self.b.module.types, id)
    }

    /// A value of that type out of some array.
    pub(super) fn load_of(&mut self, ty: Ty) -> Option<Operand> {
        if let Some(array) = self.array_where(|a| a.cell == ty) {
            let (at, id, align) = (self.cell(&array), self.b.ty(ty), self.align(ty));
            return Some(self.b.load(id, at, align));
        }
        let lanes = ty.lanes?;
        let array = self.array_where(|a| a.cell == ty.lane() && a.len >= lanes && ty.is_bytes())?;
        let at = self.stretch(&array, lanes);
        let (id, align) = (self.b.ty(ty), self.align(ty.lane()));
        Some(self.b.load(id, at, align))
    }

    /// The address of that many cells in a row.
    pub(super) fn stretch(&mut self, array: &Array, cells: u32) -> Operand {
        let index = self.index(array.len - cells + 1);
        let id = self.b.ty(array.cell);
        self.b.gep(id, array.base, vec![index])
    }

    pub(super) fn store_statement(&mut self) {
        let Some(array) = self.array_where(|a| a.writable) else { return self.allocate() };
        let ty = match array.len >= 2 && array.cell.is_bytes() && array.cell.lanes.is_none() && self.c.chance(15) {
            true => array.cell.times(2),
            false => array.cell,
        };
        let value = self.value(ty, self.odds.expression);
        let at = if ty == array.cell { self.cell(&array) } else { self.stretch(&array, 2) };
        let align = self.align(array.cell);
        if let (Elem::Int(8 | 16 | 32 | 64), None, true) = (ty.elem, ty.lanes, self.c.chance(5)) {
            let atomic = Some(Atomic { ordering: Ordering::Monotonic, scope: String::new() });
            self.b.effect(InstKind::Store { value, ptr: at, align, volatile: false, atomic });
            return;
        }
        self.b.store(value, at, align);
    }

    /// What the cells of a new array are.
    fn cell_ty(&mut self) -> Ty {
        let ty = match self.smooth {
            true if self.c.chance(80) => Ty::float(self.real),
            true => Ty::int(self.c.pick(&[32, 64, 8]).unwrap_or(32)),
            false => self.any_ty(),
        };
        // Lanes that are not whole bytes lie in memory as bits.
        if ty.lanes.is_some() && !ty.is_bytes() { ty.lane() } else { ty }
    }

    /// A new array, initialised.
    pub(super) fn allocate(&mut self) {
        let cell = self.cell_ty();
        let len = self.c.pick(&[1, 2, 2, 4, 4, 8, 3]).unwrap_or(2);
        self.new_array(cell, len);
    }

    pub(super) fn new_array(&mut self, cell: Ty, len: u32) -> Array {
        let (id, align) = (self.b.ty(cell), self.align(cell));
        let size = self.b.module.size_of(id);
        // `malloc` aligns to 16 bytes.
        let base = if align <= 16 && self.c.chance(40) {
            let (ptr, word) = (self.b.module.types.ptr(), self.b.ty(Ty::int(64)));
            let bytes = self.b.i64(size * u64::from(len));
            let malloc = self.b.declare("malloc", ptr, &[word], false);
            let base = self.b.call(malloc, vec![bytes]).unwrap_or(bytes);
            self.heap.push(base);
            base
        } else {
            let whole = self.b.module.types.array(u64::from(len), id);
            self.b.alloca(whole, align)
        };
        self.roots += 1;
        let array = Array { base, cell, len, writable: true, root: Some(self.roots) };
        if len > 2 && cell.is_bytes() && self.c.chance(40) {
            let bytes = self.b.i64(size * u64::from(len));
            self.fill_by_memset(base, bytes);
            let value = self.value(cell, 1);
            let at = self.cell(&array);
            self.b.store(value, at, align);
        } else {
            for index in 0..len {
                let value = self.value(cell, 1);
                let index = self.b.i64(u64::from(index));
                let at = self.b.gep(id, base, vec![index]);
                self.b.store(value, at, align);
            }
        }
        self.arrays.push(array);
        array
    }

    pub(super) fn fill_by_memset(&mut self, at: Operand, bytes: Operand) {
        let (ptr, byte, word, bit) = self.copy_types();
        let value = self.b.bits(Ty::int(8), 0);
        let no = self.b.bits(Ty::BIT, 0);
        let args = vec![at, value, bytes, no];
        self.b.intrinsic_effect("llvm.memset.p0.i64", &[ptr, byte, word, bit], args);
    }

    fn copy_types(&mut self) -> (ir::TypeId, ir::TypeId, ir::TypeId, ir::TypeId) {
        let ptr = self.b.module.types.ptr();
        (ptr, self.b.ty(Ty::int(8)), self.b.ty(Ty::int(64)), self.b.ty(Ty::BIT))
    }

    /// Copies so many bytes; `apart` if the two cannot overlap.
    pub(super) fn copy_bytes(&mut self, to: Operand, from: Operand, bytes: Operand, apart: bool) {
        let (ptr, _, word, bit) = self.copy_types();
        let no = self.b.bits(Ty::BIT, 0);
        let name = if apart && self.c.chance(70) { "llvm.memcpy.p0.p0.i64" } else { "llvm.memmove.p0.p0.i64" };
        self.b.intrinsic_effect(name, &[ptr, ptr, word, bit], vec![to, from, bytes, no]);
    }

    /// `memcpy`, `memmove`, `memset`.
    pub(super) fn copy(&mut self) {
        let Some(to) = self.array_where(|a| a.writable) else { return self.allocate() };
        let id = self.b.ty(to.cell);
        let size = self.b.module.size_of(id);
        let cells = self.c.int(1, i64::from(to.len)) as u32;
        if to.cell.is_bytes() && self.c.chance(20) {
            let at = self.stretch(&to, cells);
            let bytes = self.b.i64(size * u64::from(cells));
            return self.fill_by_memset(at, bytes);
        }
        let Some(from) = self.array_where(|a| a.cell == to.cell && a.len >= cells) else { return };
        let apart = to.root.is_some() && from.root.is_some() && to.root != from.root;
        let (target, source) = (self.stretch(&to, cells), self.stretch(&from, cells));
        // A length that only the run knows, now and then.
        let bytes = match self.c.chance(25) {
            true => {
                let count = self.index(cells + 1);
                let word = Ty::int(64);
                let id = self.int_width(count);
                let count = if id == 64 { count } else { self.b.cast(CastOp::ZExt, word, count) };
                let size = self.b.i64(size);
                self.b.binary(BinOp::Mul, word, count, size)
            }
            false => self.b.i64(size * u64::from(cells)),
        };
        self.copy_bytes(target, source, bytes, apart);
    }

    /// The width of an integer operand.
    fn int_width(&self, operand: Operand) -> u32 {
        let module = &self.b.module;
        match module.types.get(module.operand_ty(&module.functions[self.b.func], operand)) {
            ir::Type::Int(bits) => *bits,
            _ => 0,
        }
    }

    /// A second name for an array, or for a part of it.
    pub(super) fn alias(&mut self) {
        let Some(one) = self.some_array() else { return self.allocate() };
        let ptr = self.b.module.types.ptr();
        let other = self.array_where(|a| a.cell == one.cell).unwrap_or(one);
        let both = Array { len: one.len.min(other.len), writable: one.writable && other.writable, root: None, ..one };
        let base = match self.c.index(4) {
            0 if one.len > 1 => {
                let skip = self.c.int(1, i64::from(one.len) - 1) as u32;
                let (id, index) = (self.b.ty(one.cell), self.b.i64(u64::from(skip)));
                let base = self.b.gep(id, one.base, vec![index]);
                self.arrays.push(Array { base, len: one.len - skip, root: None, ..one });
                return;
            }
            0 | 1 => {
                let cond = self.condition(Ty::BIT, 1);
                self.b.select(ptr, cond, one.base, other.base)
            }
            2 => {
                // A table of pointers on the stack.
                let pair = self.b.module.types.array(2, ptr);
                let table = self.b.alloca(pair, 8);
                for (index, base) in [one.base, other.base].into_iter().enumerate() {
                    let index = self.b.i64(index as u64);
                    let at = self.b.gep(ptr, table, vec![index]);
                    self.b.store(base, at, 8);
                }
                let index = self.index(2);
                let at = self.b.gep(ptr, table, vec![index]);
                self.b.load(ptr, at, 8)
            }
            _ => {
                let slot = self.b.alloca(ptr, 8);
                self.b.store(one.base, slot, 8);
                let cond = self.condition(Ty::BIT, 1);
                let (then_to, join) = (self.b.new_block(), self.b.new_block());
                self.b.cond_br(cond, then_to, join);
                self.b.block = then_to;
                self.b.store(other.base, slot, 8);
                self.b.br(join);
                self.b.block = join;
                self.b.load(ptr, slot, 8)
            }
        };
        self.arrays.push(Array { base, ..both });
    }

    /// `atomicrmw`, `cmpxchg`, atomic loads.
    pub(super) fn atomic(&mut self) {
        let fits =
            |a: &Array| a.writable && a.cell.lanes.is_none() && matches!(a.cell.elem, Elem::Int(8 | 16 | 32 | 64));
        let Some(array) = self.array_where(fits) else { return };
        let (ptr, id) = (self.cell(&array), self.b.ty(array.cell));
        let align = self.align(array.cell);
        let ordering =
            self.c.pick(&[Ordering::SeqCst, Ordering::Monotonic, Ordering::AcqRel]).unwrap_or(Ordering::SeqCst);
        let value = self.value(array.cell, 2);
        let kept = match self.c.index(4) {
            0 => {
                let expected = self.value(array.cell, 1);
                let bit = self.b.ty(Ty::BIT);
                let pair = self.b.module.types.tuple(vec![id, bit]);
                let kind = InstKind::CmpXchg {
                    ptr,
                    expected,
                    new: value,
                    align,
                    weak: false,
                    volatile: false,
                    success: ordering,
                    failure: Ordering::Monotonic,
                    scope: String::new(),
                };
                let both = self.b.emit(kind, pair);
                let swapped = self.b.emit(InstKind::ExtractValue { aggregate: both, indices: vec![1] }, bit);
                self.keep(swapped, Ty::BIT);
                self.b.emit(InstKind::ExtractValue { aggregate: both, indices: vec![0] }, id)
            }
            1 => {
                let atomic = Some(Atomic { ordering: Ordering::Acquire, scope: String::new() });
                self.b.emit(InstKind::Load { ptr, align, volatile: false, atomic }, id)
            }
            _ => {
                let on_integers = |op: &RmwOp| !op.is_float();
                let ops: Vec<RmwOp> = RmwOp::ALL.into_iter().filter(on_integers).collect();
                let op = self.c.pick(&ops).unwrap_or(RmwOp::Add);
                let kind =
                    InstKind::AtomicRmw { op, ptr, value, align, volatile: false, ordering, scope: String::new() };
                self.b.emit(kind, id)
            }
        };
        self.keep(kept, array.cell);
    }

    /// Integers read or written as others, by bytes.
    pub(super) fn pun(&mut self) {
        let integer = |a: &Array| a.cell.lanes.is_none() && matches!(a.cell.elem, Elem::Int(8 | 16 | 32 | 64));
        let Some(array) = self.array_where(integer) else { return };
        let bytes = array.len * array.cell.bits() / 8;
        let fitting: Vec<u32> = [8, 16, 32, 64, 24, 128].into_iter().filter(|bits| bits / 8 <= bytes).collect();
        let Some(bits) = self.c.pick(&fitting) else { return };
        let ty = Ty::int(bits);
        // An `i24` takes four bytes in an array, but a load of it reads three.
        let index = self.index(bytes - bits / 8 + 1);
        let (byte, id) = (self.b.ty(Ty::int(8)), self.b.ty(ty));
        let at = self.b.gep(byte, array.base, vec![index]);
        if array.writable && bits != 24 && self.c.chance(40) {
            let value = self.value(ty, 2);
            return self.b.store(value, at, 1);
        }
        let value = self.b.load(id, at, 1);
        self.keep(value, ty);
    }

    /// Frees what is on the heap above a mark, last first.
    pub(super) fn free_above(&mut self, mark: usize) {
        let (ptr, void) = (self.b.module.types.ptr(), self.b.module.types.void());
        let mut above: Vec<Operand> = self.heap.get(mark..).unwrap_or_default().to_vec();
        above.reverse();
        for at in above {
            let free = self.b.declare("free", void, &[ptr], false);
            self.b.call(free, vec![at]);
        }
    }
}
