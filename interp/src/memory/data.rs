//! The contents of one allocation: bytes, a state for each byte, and the provenance of stored pointers.
//!
//! The state of a byte is one of the constants in [`state`]. Provenance is kept for each aligned 8-byte word that holds a whole
//! pointer; a pointer stored unaligned, or taken apart, loses it and is afterwards resolved by its address. Bytes of which only
//! some bits are defined (bit-fields) keep the mask of the undefined bits aside.

use std::collections::BTreeMap;

/// States of a byte.
pub mod state {
    /// Never written, or written with an undefined value.
    pub const UNDEF: u8 = 0;
    /// Defined.
    pub const INIT: u8 = 1;
    /// Poison was stored.
    pub const POISON: u8 = 2;
    /// Some bits are undefined; which ones stands in [`super::Data::partial`].
    pub const PARTIAL: u8 = 3;
    /// Defined, and part of a pointer whose provenance stands in [`super::Data::prov`].
    pub const POINTER: u8 = 5;
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
