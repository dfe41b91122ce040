//! The contents of one allocation: bytes, a state for each byte, and the provenance of stored pointers.
//!
//! The state of a byte is one of the constants in [`state`], or says that it is a part of a number: memory has the type
//! of what was last stored there and copies take it along, as the effective type of C (C17 6.5p6). Provenance is kept
//! for each aligned 8-byte word that holds a whole pointer; a pointer stored unaligned, or taken apart, loses it and is
//! afterwards resolved by its address. Bytes of which only some bits are defined (bit-fields) keep the mask of the
//! undefined bits aside.

use crate::value::Leaf;
use ir::FloatKind;
use std::collections::BTreeMap;

/// States of a byte. Bit 0 says that all of its bits are defined.
pub mod state {
    use ir::FloatKind;

    /// Never written, or written with an undefined value.
    pub const UNDEF: u8 = 0;
    /// Defined.
    pub const INIT: u8 = 1;
    /// Poison was stored.
    pub const POISON: u8 = 2;
    /// Defined, and part of a pointer whose provenance stands in [`super::Data::prov`].
    pub const POINTER: u8 = 3;
    /// Some bits are undefined; which ones stands in [`super::Data::partial`].
    pub const PARTIAL: u8 = 4;
    /// Defined, and part of a number: the format in the upper four bits.
    const NUMBER: u8 = INIT | 8;
    /// It is not the first byte of the number.
    const REST: u8 = 2;

    /// Is every bit of the byte defined?
    #[inline]
    pub const fn is_defined(state: u8) -> bool {
        state & INIT != 0
    }

    /// The first byte of a number.
    #[inline]
    pub const fn first(kind: FloatKind) -> u8 {
        (kind as u8) << 4 | NUMBER
    }

    /// The other bytes of a number.
    #[inline]
    pub const fn rest(kind: FloatKind) -> u8 {
        first(kind) | REST
    }

    /// The format of the number whose first byte this is.
    pub fn number(state: u8) -> Option<FloatKind> {
        FloatKind::ALL.into_iter().find(|kind| first(*kind) == state)
    }

    /// Is it a part of a number?
    pub const fn is_number(state: u8) -> bool {
        state & NUMBER == NUMBER
    }
}

/// The contents of an allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Data {
    /// The bytes; those without a value are 0.
    pub bytes: Vec<u8>,
    /// The state of each byte.
    pub state: Vec<u8>,
    /// Provenance by aligned word; empty until the first pointer is stored.
    pub prov: Vec<u64>,
    /// Undefined bits of the bytes in state `PARTIAL` (entries of other bytes are stale).
    pub partial: BTreeMap<u64, u8>,
}

impl Data {
    /// Makes the contents `size` bytes of uninitialised memory.
    pub fn reset(&mut self, size: usize) {
        if size <= 4096 && self.bytes.capacity() >= size {
            self.bytes.clear();
            self.bytes.resize(size, 0);
            self.state.clear();
            self.state.resize(size, state::UNDEF);
            self.prov.clear();
            self.partial.clear();
        } else {
            // Zeroed anew: pages that are never touched cost nothing.
            *self = Data { bytes: vec![0; size], state: vec![state::UNDEF; size], ..Data::default() };
        }
    }

    /// Records the provenance of the pointer at the aligned offset.
    pub fn set_prov(&mut self, offset: usize, prov: u64) {
        if self.prov.is_empty() {
            self.prov.resize(self.bytes.len().div_ceil(8), 0);
        }
        if let Some(word) = self.prov.get_mut(offset / 8) {
            *word = prov;
        }
    }

    /// The provenance of the whole pointer at `offset`, 0 if there is none.
    pub fn prov_at(&self, offset: usize) -> u64 {
        let whole = offset.is_multiple_of(8)
            && self.state[offset..].iter().take(8).filter(|s| **s == state::POINTER).count() == 8;
        if whole { self.prov.get(offset / 8).copied().unwrap_or(0) } else { 0 }
    }

    /// The format of the number that fills the bytes at `offset`.
    pub fn number_at(&self, offset: usize) -> Option<FloatKind> {
        let kind = state::number(*self.state.get(offset)?)?;
        let end = offset + Leaf::Float(kind).store_size() as usize;
        self.state.get(offset + 1..end)?.iter().all(|s| *s == state::rest(kind)).then_some(kind)
    }

    /// The undefined bits of a byte.
    pub fn undef_bits(&self, offset: usize) -> u8 {
        match self.state[offset] {
            state::UNDEF => 0xff,
            state::PARTIAL => self.partial.get(&(offset as u64)).copied().unwrap_or(0xff),
            _ => 0,
        }
    }

    /// Sets a byte of which the bits of `undef` are undefined.
    pub fn set_partial(&mut self, offset: usize, byte: u8, undef: u8) {
        self.bytes[offset] = byte & !undef;
        self.state[offset] = match undef {
            0 => state::INIT,
            0xff => state::UNDEF,
            _ => {
                self.partial.insert(offset as u64, undef);
                state::PARTIAL
            }
        };
    }

    /// Copies `len` bytes with their states from `from` at `src` to `dst` here.
    pub fn copy_from(&mut self, dst: usize, from: &Data, src: usize, len: usize) {
        self.bytes[dst..dst + len].copy_from_slice(&from.bytes[src..src + len]);
        self.state[dst..dst + len].copy_from_slice(&from.state[src..src + len]);
        self.copy_sides(dst, from, src, len);
    }

    /// What [`Data::copy_from`] does beside bytes and states. `from` is the source as it was before.
    fn copy_sides(&mut self, dst: usize, from: &Data, src: usize, len: usize) {
        if !from.partial.is_empty() {
            let found: Vec<(u64, u8)> = from
                .partial
                .range(src as u64..(src + len) as u64)
                .map(|(k, v)| (k - src as u64 + dst as u64, *v))
                .collect();
            self.partial.extend(found);
        }
        if from.prov.is_empty() {
            return;
        }
        let congruent = dst % 8 == src % 8;
        let mut at = 0;
        while at < len {
            if from.state[src + at] != state::POINTER {
                at += 1;
                continue;
            }
            let prov = if at + 8 <= len && congruent { from.prov_at(src + at) } else { 0 };
            if prov != 0 {
                self.set_prov(dst + at, prov);
                at += 8;
            } else {
                self.state[dst + at] = state::INIT;
                at += 1;
            }
        }
    }

    /// Moves `len` bytes inside this allocation; the ranges may overlap.
    pub fn copy_within(&mut self, dst: usize, src: usize, len: usize) {
        let part = Data {
            bytes: self.bytes[src..src + len].to_vec(),
            state: self.state[src..src + len].to_vec(),
            ..Data::default()
        };
        let plain = self.prov.is_empty() && self.partial.is_empty();
        self.bytes[dst..dst + len].copy_from_slice(&part.bytes);
        self.state[dst..dst + len].copy_from_slice(&part.state);
        if !plain {
            let before = Data { prov: self.prov.clone(), partial: self.partial.clone(), ..Data::default() };
            let mut old = before;
            // Only the states of the source range are asked for.
            old.state = vec![state::INIT; self.state.len()];
            old.state[src..src + len].copy_from_slice(&part.state);
            self.copy_sides(dst, &old, src, len);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::memory::{AllocId, AllocKind, HeapKind, Memory};
    use crate::value::{Leaf, Pointer, Scalar};
    use ir::FloatKind;

    /// The number that memory says is at `offset` of an object.
    fn number(memory: &Memory, object: Pointer, offset: usize) -> Option<FloatKind> {
        memory.data(AllocId::from_bits(object.prov)).and_then(|data| data.number_at(offset))
    }

    /// C17 6.5p6: a store gives memory its effective type, and a copy gives it that of the original.
    #[test]
    fn memory_has_the_type_of_what_was_stored_last() {
        for kind in FloatKind::ALL {
            let size = Leaf::Float(kind).store_size();
            let mut memory: Memory = Memory::new(1 << 20);
            let object = memory.allocate(64, 16, AllocKind::Heap(HeapKind::Malloc), None).unwrap();
            let one = Scalar::wide(0x1234_5678_9abc_def0_1234);
            memory.store(object, Leaf::Float(kind), one, 1).unwrap();
            assert_eq!(number(&memory, object, 0), Some(kind));
            assert_eq!(number(&memory, object, 1), None, "a number begins at its first byte");
            memory.copy(object.offset(33), object, size).unwrap();
            assert_eq!(number(&memory, object, 33), Some(kind), "copies take the type along");
            memory.copy(object.offset(17), object, size - 1).unwrap();
            assert_eq!(number(&memory, object, 17), None, "a part of a number is none");
            memory.store(object.offset(size as i64 - 1), Leaf::Int(8), Scalar::word(7), 1).unwrap();
            assert_eq!(number(&memory, object, 0), None, "a byte of it is something else now");
            memory.fill(object.offset(33), Scalar::word(0), size).unwrap();
            assert_eq!(number(&memory, object, 33), None, "zeros are of any type");
        }
    }

    #[test]
    fn neighbours_are_told_apart() {
        let mut memory: Memory = Memory::new(1 << 20);
        let object = memory.allocate(16, 16, AllocKind::Heap(HeapKind::Malloc), None).unwrap();
        for at in [0, 4] {
            memory.store(object.offset(at), Leaf::Float(FloatKind::Float), Scalar::word(1), 1).unwrap();
        }
        memory.store(object.offset(8), Leaf::Float(FloatKind::Double), Scalar::word(1), 1).unwrap();
        let numbers: Vec<_> = (0..16).filter_map(|at| Some((at, number(&memory, object, at)?))).collect();
        assert_eq!(numbers, [(0, FloatKind::Float), (4, FloatKind::Float), (8, FloatKind::Double)]);
        assert_eq!(memory.load(object, Leaf::Int(64), 1).unwrap().bits(), 0x1_0000_0001);
    }
}
