//! `va_start`, `va_copy`, `va_end` as the x86-64 System V ABI has them (its section 3.5.7).
//!
//! clang lowers `va_arg` to loads through the fields of a `va_list`:
//! `{ i32 gp_offset, i32 fp_offset, ptr overflow_arg_area, ptr reg_save_area }`. So `va_start` lays out real areas in
//! interpreted memory and that code runs as it is.

use crate::code::Slot;
use crate::engine::Engine;
use crate::exec::va_list;
use crate::forgets::Forgets;
use crate::library::Library;
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res};
use crate::threads::frame::{Piece, Variadic};
use crate::value::{Leaf, Pointer, Scalar};
use ir::FloatKind;

/// Registers an argument is passed in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    General,
    /// Two general registers, or memory if there are not two.
    Pair,
    Vector,
    Memory,
}

fn class(leaf: Leaf) -> Class {
    match leaf {
        Leaf::Int(width) if width <= 64 => Class::General,
        Leaf::Ptr => Class::General,
        Leaf::Int(_) => Class::Pair,
        Leaf::Float(FloatKind::X86Fp80) => Class::Memory,
        Leaf::Float(_) => Class::Vector,
    }
}

/// The class of an argument: a vector of at most 16 bytes takes one register.
fn piece<S>(arg: &Variadic<S>, size: u64) -> Class {
    match arg.pieces.as_slice() {
        _ if arg.by_value => Class::Memory,
        [one] => class(one.leaf),
        _ if size <= 16 => Class::Vector,
        _ => Class::Memory,
    }
}

const GENERAL: u64 = 6;
const VECTORS: u64 = 8;
/// Where the vector registers start in the register save area.
const VECTOR_AREA: u64 = 8 * GENERAL;
const SAVE_AREA: u64 = VECTOR_AREA + 16 * VECTORS;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    pub(super) fn va_start(&mut self, list: Pointer) -> Res {
        let code = self.code(self.func);
        let (mut general, mut vectors) = (0, 0);
        for leaf in code.params.iter().filter(|p| p.byval.is_none()).flat_map(|p| &p.leaves) {
            match class(*leaf) {
                Class::General => general = (general + 1).min(GENERAL),
                Class::Vector => vectors = (vectors + 1).min(VECTORS),
                Class::Pair if general + 2 <= GENERAL => general += 2,
                Class::Pair | Class::Memory => {}
            }
        }
        let Some(frame) = self.frames.last() else { return Err(Fault::bug("va_start without a frame")) };
        if !code.vararg {
            return Err(Fault::unsupported("va_start in a function without variadic parameters"));
        }
        let args = frame.varargs.clone();
        let here = self.location();
        // More than enough: the size of each piece and its alignment.
        let room: u64 = args.iter().map(|a| self.size(a).next_multiple_of(16) + 16).sum();
        let save = self.memory.allocate(SAVE_AREA, 16, AllocKind::Stack, here)?;
        let overflow = self.memory.allocate(room, 16, AllocKind::Stack, here)?;
        let (gp_offset, fp_offset) = (8 * general, VECTOR_AREA + 16 * vectors);
        let mut top: u64 = 0;
        for arg in args {
            let size = self.size(&arg);
            let place = match piece(&arg, size) {
                Class::General if general < GENERAL => {
                    general += 1;
                    save.offset(8 * (general as i64 - 1))
                }
                Class::Pair if general + 2 <= GENERAL => {
                    general += 2;
                    save.offset(8 * (general as i64 - 2))
                }
                Class::Vector if vectors < VECTORS => {
                    vectors += 1;
                    save.offset((VECTOR_AREA + 16 * (vectors - 1)) as i64)
                }
                Class::General | Class::Pair | Class::Vector | Class::Memory => {
                    if size > 8 && !arg.by_value {
                        top = top.next_multiple_of(16);
                    }
                    let place = overflow.offset(top as i64);
                    top += size.next_multiple_of(8);
                    place
                }
            };
            self.place(&arg, place, size)?;
        }
        self.memory.store(list, Leaf::Int(32), Scalar::word(gp_offset), 4)?;
        self.memory.store(list.offset(4), Leaf::Int(32), Scalar::word(fp_offset), 4)?;
        self.memory.store(list.offset(8), Leaf::Ptr, Scalar::ptr(overflow), 8)?;
        self.memory.store(list.offset(16), Leaf::Ptr, Scalar::ptr(save), 8)
    }

    /// Bytes that a piece takes in memory.
    fn size(&self, arg: &Variadic<M::Shadow>) -> u64 {
        match arg.pieces.as_slice() {
            [one] if arg.by_value => self.memory.bounds(one.value.as_ptr()).map_or(0, |(_, size)| size),
            [one] if one.leaf.bits() > 64 => 16,
            pieces => pieces.iter().map(|piece| piece.leaf.store_size()).sum(),
        }
    }

    /// Stores a piece where the ABI wants it.
    fn place(&mut self, arg: &Variadic<M::Shadow>, place: Pointer, size: u64) -> Res {
        if let ([pointer], true) = (arg.pieces.as_slice(), arg.by_value) {
            return self.memory.copy(place, pointer.value.as_ptr(), size);
        }
        let mut offset = 0;
        for Piece { value, shadow, parts, leaf } in &arg.pieces {
            let at = place.offset(offset);
            self.memory.store(at, *leaf, *value, 1)?;
            if M::SHADOWS && !self.forgets(Forgets::Variadic) {
                if !shadow.is_absent() {
                    self.memory.set_shadow(at, leaf.store_size(), shadow.clone());
                }
                self.store_bytes_of(parts.iter().cloned(), at);
            }
            offset += leaf.store_size() as i64;
        }
        Ok(())
    }

    /// The instruction `va_arg`.
    pub(super) fn va_arg(&mut self, dst: Slot, list: Slot, leaf: Leaf) -> Res {
        let list = self.need(self.reg(list), "the list of va_arg")?.as_ptr();
        let at = va_list::next_place(&mut self.memory, list, leaf)?;
        let value = self.memory.load(at, leaf, 1)?;
        self.set_loaded(dst, at, leaf, value);
        Ok(())
    }

    pub(super) fn va_copy(&mut self, to: Pointer, from: Pointer) -> Res {
        self.memory.copy(to, from, 24)
    }

    /// The list may not be used any more.
    pub(super) fn va_end(&mut self, list: Pointer) -> Res {
        self.memory.fill(list, Scalar::undef(Leaf::Int(8)), 24)
    }
}
