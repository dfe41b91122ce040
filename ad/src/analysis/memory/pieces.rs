//! Pointers that travel in pieces: byte by byte, in halves, in vectors of bytes, or put together again from such.
//!
//! A loop that copies bytes, a swap of two records, a word that is split in two: none of their accesses has the size of
//! a pointer, so the types of memory ([`crate::analysis::memory::types`]) say nothing of what moves. Here it is
//! followed by where pointers lead. An integer that is loaded from a part of a stored pointer leads where that pointer
//! does, and so does what is computed from it ([`crate::analysis::memory::transfer`]); where such an integer is stored,
//! the memory holds a *piece*. The shadow of a piece is the same piece of the shadow pointer: each operation on bytes
//! is done to the shadow as well, and what is put together from the shadows of all pieces is the shadow of what is put
//! together from the pieces.
//!
//! Beside pieces, memory may hold *numbers*: integers of which nothing tells that they come from an address. A pointer
//! that can only have been made of these leads to [`ObjKind::Lost`], and no float may be read there
//! ([`crate::analysis::memory::validate`]).

use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::memory::place::Place;
use crate::analysis::memory::{Facts, Key, Phase, add_target, types};
use crate::program::cell::{Cell, typed};
use crate::program::externals::holds_pointer;
use ir::{BinOp, FuncId, Function, Inst, InstKind, Module, Operand, Type, TypeId};
use std::collections::BTreeSet;

/// Places of pieces, and of numbers, that are told apart in one object.
const MAX_PLACES: usize = 64;

/// Bytes of a pointer.
const POINTER: u64 = 8;

impl Facts {
    /// The integers in a value without pointers, by offset and size: pieces, or addresses put together, if they lead
    /// anywhere.
    fn integers(m: &Module, ty: TypeId) -> Vec<(u64, u64)> {
        let (mut data, mut integers) = (Vec::new(), Vec::new());
        if !holds_pointer(m, ty) {
            typed(m, ty, 0, &mut data, &mut integers);
        }
        integers
    }

    /// Where what an integer loaded from `targets` holds of a pointer leads, if it is too short for one, or made of
    /// bytes.
    pub(super) fn load_pieces(&mut self, m: &Module, func: &Function, inst: &Inst, targets: &Targets) -> Targets {
        let mut out = Targets::new();
        let plain = self.is_plain_access(m, func, inst, targets);
        let size = m.layout.store_size(&m.types, inst.ty);
        for (object, place) in targets {
            let declared = plain || self.is_declared(*object, *place, size);
            if declared && !self.holds_pieces(*object, *place, size) {
                continue;
            }
            self.name_parts(*object, *place, size);
            for (at, stored) in &self.objects[*object].pointers {
                if at.overlaps(POINTER, *place, size) {
                    for (target, p) in stored {
                        add_target(&mut out, *target, *p);
                    }
                }
            }
        }
        out
    }

    /// Is this exactly what is declared an integer there?
    fn is_declared(&self, object: ObjId, place: Place, size: u64) -> bool {
        self.objects[object].cells.get(&(place, size)) == Some(&Cell::Int)
    }

    /// Names what the pointers of the caller lead to of which a part is read.
    fn name_parts(&mut self, object: ObjId, place: Place, size: u64) {
        if !matches!(self.objects[object].kind, ObjKind::External { .. }) {
            return;
        }
        let pointers = self.objects[object].cells.iter().filter(|(_, cell)| cell.may_be_pointer()).map(|(at, _)| at.0);
        for at in pointers.filter(|at| at.overlaps(POINTER, place, size)).collect::<Vec<_>>() {
            self.load_pointers(&Targets::from([(object, at)]));
        }
    }

    /// May pieces of pointers lie in `size` bytes behind a place?
    pub fn holds_pieces(&self, object: ObjId, place: Place, size: u64) -> bool {
        self.objects[object].pieces.iter().any(|(at, bytes)| at.overlaps(*bytes, place, size))
    }

    /// An integer that leads where `stored` says, and is no pointer as a whole, is stored at `targets`.
    pub(super) fn store_pieces(
        &mut self,
        m: &Module,
        (id, func, value): (FuncId, &Function, Operand),
        targets: &Targets,
        stored: &Targets,
    ) {
        if stored.is_empty() || self.phase < Phase::Pieces {
            return;
        }
        // What carries a pointer has it as a whole; what carries floats travels beside pointers.
        let content = self.content(id, value);
        let floats = !content.is_empty() && content.iter().all(|s| s.cell.float().is_some());
        let whole = floats || content.iter().any(|s| s.cell.may_be_pointer());
        for (offset, size) in Self::integers(m, m.operand_ty(func, value)) {
            for (object, place) in targets {
                let at = place.moved(offset as i64, 0);
                if !whole {
                    self.add_piece(*object, at, size);
                }
                for first in (0..size).step_by(POINTER as usize) {
                    self.store_pointers(*object, at.moved(first as i64, 0), stored);
                }
            }
        }
    }

    /// An integer that leads nowhere, or a float, is stored at `targets`: if anything, a number.
    pub(super) fn store_numbers(&mut self, m: &Module, (func, value): (&Function, Operand), targets: &Targets) {
        let ty = m.operand_ty(func, value);
        if self.phase < Phase::Pieces || value.local().is_none() {
            return;
        }
        let mut stored = Self::integers(m, ty);
        if m.types.float_kind(ty).is_some() {
            stored.push((0, m.size_of(ty)));
        }
        for (offset, size) in stored {
            for (object, place) in targets {
                let at = place.moved(offset as i64, 0);
                self.changed |= note(&mut self.objects[*object].numbers, at, size);
            }
        }
    }

    fn add_piece(&mut self, object: ObjId, place: Place, size: u64) {
        self.changed |= note(&mut self.objects[object].pieces, place, size);
    }

    /// `size` bytes are copied, and with them pieces and numbers. Of a pointer at either end only a part may go along.
    pub(super) fn copy_pieces(
        &mut self,
        (src, src_place): (ObjId, Place),
        (dst, dst_place): (ObjId, Place),
        size: Option<u64>,
        m: &Module,
    ) {
        if self.phase < Phase::Pieces {
            return;
        }
        let shift = |(at, bytes): (Place, u64)| types::shift(at, bytes, src_place, dst_place, size, src == dst);
        for piece in self.objects[src].pieces.clone() {
            for at in shift(piece) {
                self.add_piece(dst, at, piece.1);
            }
        }
        for number in self.objects[src].numbers.clone() {
            for at in shift(number) {
                self.changed |= note(&mut self.objects[dst].numbers, at, number.1);
            }
        }
        let Some(size) = size else { return };
        let exact = |p: &Place| p.stride == 0 && p.extent() == 0;
        let cut = |at: &Place| {
            exact(at) && !(src_place.start <= at.start && at.start + POINTER as i64 <= src_place.start + size as i64)
        };
        let parts: Vec<_> = self.objects[src]
            .pointers
            .iter()
            .filter(|(at, to)| cut(at) && at.overlaps(POINTER, src_place, size) && !self.are_plain(m, to))
            .map(|(at, to)| (*at, to.clone()))
            .collect();
        for (at, to) in parts {
            let by = dst_place.start.wrapping_sub(src_place.start);
            let first = at.start.max(src_place.start);
            let end = (at.start + POINTER as i64).min(src_place.start + size as i64);
            let place = Place { start: first.wrapping_add(by), ..dst_place };
            self.add_piece(dst, place, (end - first) as u64);
            self.store_pointers(dst, place, &to);
        }
    }

    /// May a pointer that is loaded from there have been made of numbers? It has, if it is not known to lead anywhere.
    pub fn is_made_of_numbers(&self, targets: &Targets) -> bool {
        targets.iter().any(|(object, place)| {
            let numbers = &self.objects[*object].numbers;
            numbers.iter().any(|(at, bytes)| at.overlaps(*bytes, *place, POINTER))
        })
    }

    /// The pointer has been made of numbers.
    pub(super) fn lose(&mut self, key: Key) {
        let object = self.object(ObjKind::Lost);
        self.point_to(key, object, Place::ANY);
    }

    /// May an address have been made of numbers?
    pub fn is_lost(&self, m: &Module, func: FuncId, ptr: Operand) -> bool {
        self.points_to(m, func, ptr).keys().any(|o| self.objects[*o].kind == ObjKind::Lost)
    }

    /// The integers in what a store puts where pieces of pointers may lie, so that it puts their shadows there too: by
    /// offset and size. None where the store is of what is declared an integer, and leads nowhere.
    pub fn stored_pieces(&self, m: &Module, (id, func): (FuncId, &Function), store: &Inst) -> Vec<(u64, u64)> {
        let (InstKind::Store { value, ptr, .. } | InstKind::AtomicRmw { value, ptr, .. }) = &store.kind else {
            return Vec::new();
        };
        let targets = self.points_to(m, id, *ptr);
        let held = |at: i64, size: u64| {
            let here = |(o, p): (&ObjId, &Place)| self.is_shadowed(*o) && self.holds_pieces(*o, p.moved(at, 0), size);
            targets.iter().any(here)
        };
        let mut integers = Self::integers(m, m.operand_ty(func, *value));
        integers.retain(|(at, size)| held(*at as i64, *size));
        if integers.is_empty() || self.content(id, *value).iter().any(|s| s.cell.may_be_pointer()) {
            return Vec::new();
        }
        if self.points_to(m, id, *value).is_empty() {
            let declared = |(at, size): &(u64, u64)| {
                targets.iter().all(|(o, p)| self.is_declared(*o, p.moved(*at as i64, 0), *size))
            };
            let plain = self.is_plain_access(m, func, store, &targets);
            if plain || integers.iter().all(declared) || self.meets_floats(&targets, 0, size_of(&integers)) {
                return Vec::new();
            }
        }
        integers
    }

    /// May floats with adjoints lie in `[at, at + size)` behind a pointer with these targets?
    pub fn meets_floats(&self, targets: &Targets, at: u64, size: u64) -> bool {
        targets.iter().any(|(o, place)| {
            let object = &self.objects[*o];
            let place = place.moved(at as i64, 0);
            let meets =
                |((p, bytes), cell): (&(Place, u64), &Cell)| cell.may_be_float() && p.overlaps(*bytes, place, size);
            self.is_shadowed(*o) && object.varied && object.cells.iter().any(meets)
        })
    }

    /// Does a value that leads to memory with a shadow lie in memory where nobody keeps its shadow? What is wrong, if
    /// so.
    pub(super) fn piece_objection(
        &self,
        m: &Module,
        (id, func): (FuncId, &Function),
        store: &Inst,
        (value, ptr): (Operand, Operand),
    ) -> Option<&'static str> {
        let integers = self.stored_pieces(m, (id, func), store);
        let to = self.points_to(m, id, value);
        if integers.is_empty() || to.is_empty() || self.are_plain(m, &to) {
            return None;
        }
        if self.meets_floats(&self.points_to(m, id, ptr), 0, size_of(&integers)) {
            return Some(
                "a part of a pointer is stored where floats may lie, too: its shadow and their adjoints cannot be told \
                 apart",
            );
        }
        let shadowed = to.keys().any(|o| self.is_shadowed(*o));
        (shadowed && !self.has_shadow(m, id, func, value))
            .then_some("a part of a pointer is moved together with other data: its shadow is not known")
    }
}

/// Bytes from the start to the end of the last of these.
fn size_of(integers: &[(u64, u64)]) -> u64 {
    integers.iter().map(|(at, size)| at + size).max().unwrap_or(0)
}

/// Notes so many bytes at a place, or everywhere if there are too many places. Says whether that is new.
fn note(places: &mut BTreeSet<(Place, u64)>, place: Place, size: u64) -> bool {
    let everywhere = (Place::ANY, POINTER);
    if places.contains(&everywhere) {
        return false;
    }
    if places.len() < MAX_PLACES {
        return places.insert((place, size));
    }
    *places = BTreeSet::from([everywhere]);
    true
}

/// Can an integer, or one in a vector or an aggregate without pointers, be a piece of a pointer?
pub(super) fn may_be_piece(m: &Module, ty: TypeId) -> bool {
    let part = |ty| may_be_piece(m, ty);
    match m.types.get(ty) {
        Type::Int(bits) => *bits >= 8,
        Type::Vector { elem, .. } | Type::Array { elem, .. } => part(*elem),
        _ => !holds_pointer(m, ty) && m.types.fields(ty).is_some_and(|(f, _)| f.iter().any(|t| part(*t))),
    }
}

/// Is an operation on integers one on bits: a product, quotient or remainder by a power of two?
pub(crate) fn is_shift(m: &Module, op: BinOp, [lhs, rhs]: [Operand; 2]) -> bool {
    let power = |o: Operand| m.as_int(o).is_some_and(u128::is_power_of_two);
    match op {
        BinOp::Mul => power(lhs) || power(rhs),
        BinOp::UDiv | BinOp::URem => power(rhs),
        _ => false,
    }
}

/// Intrinsics that move bits, so that the shadow of the result is the result for the shadow.
pub(crate) fn moves_bits(name: &str) -> bool {
    ["llvm.bswap.", "llvm.bitreverse.", "llvm.fshl.", "llvm.fshr."].iter().any(|p| name.starts_with(p))
}
