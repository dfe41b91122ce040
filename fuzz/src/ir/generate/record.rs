//! Structures: in memory with fields of several types, copied as a whole; and first-class aggregates.

use super::Body;
use super::memory::Array;
use crate::ir::ty::Ty;
use ir::{InstKind, Operand, TypeId};

/// A structure in memory: each field is an array of at least one cell.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub base: Operand,
    pub ty: TypeId,
    pub fields: Vec<(Ty, u32)>,
    pub root: Option<u32>,
}

impl Body<'_, '_> {
    /// Something with a structure: made, read, written, copied, chosen.
    pub(super) fn record(&mut self) {
        let all = self.records.clone();
        let Some(one) = self.c.pick(&all).filter(|_| self.c.chance(75)) else { return self.new_record() };
        let alike: Vec<Record> = all.iter().filter(|r| r.ty == one.ty).cloned().collect();
        let other = self.c.pick(&alike).unwrap_or_else(|| one.clone());
        let ptr = self.b.module.types.ptr();
        match self.c.index(7) {
            0 => {
                let size = self.b.module.size_of(one.ty);
                let bytes = self.b.i64(size);
                let apart = one.root.is_some() && other.root.is_some() && one.root != other.root;
                self.copy_bytes(one.base, other.base, bytes, apart);
            }
            1 => {
                let align = self.record_align(one.ty);
                let whole = self.b.load(one.ty, other.base, align);
                self.b.store(whole, one.base, align);
            }
            2 => {
                let cond = self.condition(Ty::BIT, 1);
                let base = self.b.select(ptr, cond, one.base, other.base);
                self.records.push(Record { base, root: None, ..one });
            }
            3 => {
                // A copy of its own.
                let size = self.b.module.size_of(one.ty);
                let align = self.record_align(one.ty);
                let base = self.b.alloca(one.ty, align);
                let bytes = self.b.i64(size);
                self.copy_bytes(base, one.base, bytes, true);
                self.roots += 1;
                self.records.push(Record { base, root: Some(self.roots), ..one });
            }
            4 => {
                let array = self.field(&one);
                self.arrays.push(array);
            }
            5 => {
                let array = self.field(&one);
                let (at, id, align) = (self.cell(&array), self.b.ty(array.cell), self.align(array.cell));
                let value = self.b.load(id, at, align);
                self.keep(value, array.cell);
            }
            _ => {
                let array = self.field(&one);
                let value = self.value(array.cell, self.odds.expression);
                let (at, align) = (self.cell(&array), self.align(array.cell));
                self.b.store(value, at, align);
            }
        }
    }

    fn record_align(&self, ty: TypeId) -> u64 {
        self.b.module.layout.align_of(&self.b.module.types, ty)
    }

    /// A field as an array.
    fn field(&mut self, record: &Record) -> Array {
        let index = self.c.index(record.fields.len());
        self.field_at(record, index)
    }

    fn field_at(&mut self, record: &Record, index: usize) -> Array {
        let (cell, len) = record.fields[index];
        let (zero, at) = (self.b.i64(0), self.b.i32(index as u32));
        let base = self.b.gep(record.ty, record.base, vec![zero, at]);
        Array { base, cell, len, writable: true, root: None }
    }

    /// A new structure, initialised; often of a type that there is.
    fn new_record(&mut self) {
        let all = self.records.clone();
        let (fields, ty) = match self.c.pick(&all).filter(|_| self.c.chance(50)) {
            Some(known) => (known.fields, known.ty),
            None => {
                let count = self.c.int(1, 4);
                let mut fields: Vec<(Ty, u32)> = (0..count).map(|_| self.field_ty()).collect();
                if self.c.chance(self.odds.long) {
                    self.b.note("a long structure");
                    let (at, len) = (self.c.index(fields.len()), self.c.int(130, 170) as u32);
                    fields[at].1 = len;
                }
                let ids = fields.iter().map(|(ty, len)| {
                    let id = ty.id(&mut self.b.module.types);
                    if *len == 1 { id } else { self.b.module.types.array(u64::from(*len), id) }
                });
                let ids = ids.collect();
                let ty = self.b.module.types.tuple(ids);
                (fields, ty)
            }
        };
        let align = self.record_align(ty);
        let base = self.b.alloca(ty, align);
        self.roots += 1;
        let record = Record { base, ty, fields, root: Some(self.roots) };
        if record.fields.iter().any(|(_, len)| *len > 16) {
            let bytes = self.b.i64(self.b.module.size_of(ty));
            self.fill_by_memset(base, bytes);
        }
        for index in 0..record.fields.len() {
            let array = self.field_at(&record, index);
            let (id, align) = (self.b.ty(array.cell), self.align(array.cell));
            // Of many cells a few get values of their own.
            let step = if array.len > 16 { 37 } else { 1 };
            for cell in (0..array.len).step_by(step) {
                let value = self.value(array.cell, 1);
                let cell = self.b.i64(u64::from(cell));
                let at = self.b.gep(id, array.base, vec![cell]);
                self.b.store(value, at, align);
            }
        }
        self.records.push(record);
    }

    fn field_ty(&mut self) -> (Ty, u32) {
        let ty = match self.smooth {
            true if self.c.chance(60) => self.any_float(),
            true => Ty::int(self.c.pick(&[32, 64, 8, 16]).unwrap_or(32)),
            false => self.any_ty().lane(),
        };
        (ty, self.c.pick(&[1, 1, 1, 2, 3]).unwrap_or(1))
    }

    /// A first-class structure or array, built field by field, chosen, and taken apart.
    pub(super) fn aggregate(&mut self) {
        let count = self.c.int(2, 4) as usize;
        let array = self.c.chance(35);
        let first = self.any_ty();
        let parts: Vec<Ty> = (0..count).map(|_| if array { first } else { self.any_ty() }).collect();
        let ids: Vec<TypeId> = parts.iter().map(|ty| ty.id(&mut self.b.module.types)).collect();
        let id = match array {
            true => self.b.module.types.array(count as u64, ids[0]),
            false => self.b.module.types.tuple(ids.clone()),
        };
        let mut made = Vec::new();
        for _ in 0..2 {
            let mut aggregate = self.b.poison(id);
            for (index, ty) in parts.iter().enumerate() {
                let value = self.value(*ty, 1);
                let indices = vec![index as u32];
                aggregate = self.b.emit(InstKind::InsertValue { aggregate, value, indices }, id);
            }
            made.push(aggregate);
        }
        let cond = self.condition(Ty::BIT, 1);
        let aggregate = self.b.select(id, cond, made[0], made[1]);
        let index = self.c.index(count);
        let value = self.b.emit(InstKind::ExtractValue { aggregate, indices: vec![index as u32] }, ids[index]);
        self.keep(value, parts[index]);
    }
}
