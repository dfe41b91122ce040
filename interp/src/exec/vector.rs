//! Lanes at a variable index. An index outside of the vector makes poison.

use crate::code::Slot;
use crate::engine::Engine;
use crate::forgets::Forgets;
use crate::library::Library;
use crate::machine::Machine;
use crate::value::{Scalar, Tag};

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// The lane an index register names, or the poison it makes.
    fn lane(&self, index: Slot, width: u8, n: u32) -> Result<u32, Scalar> {
        let index = self.index_value(index, width);
        match index.tag {
            Tag::Init if index.lo < u64::from(n) => Ok(index.lo as u32),
            Tag::Poison => Err(index),
            Tag::Init | Tag::Undef => Err(self.poison()),
        }
    }

    pub(super) fn extract(&mut self, dst: Slot, vector: Slot, index: Slot, n: u32, width: u8) {
        match self.lane(index, width, n) {
            Ok(lane) => {
                self.transfer(dst, vector + lane);
                self.forget(Forgets::Extract, dst, 1);
            }
            Err(poison) => self.set(dst, poison),
        }
    }

    pub(super) fn insert(&mut self, dst: Slot, vector: Slot, value: Slot, index: (Slot, u8), n: u32) {
        let lane = self.lane(index.0, index.1, n);
        for i in 0..n {
            match lane {
                Ok(at) if at == i => {
                    self.transfer(dst + i, value);
                    self.forget(Forgets::Insert, dst + i, 1);
                }
                Ok(_) => self.transfer(dst + i, vector + i),
                Err(poison) => self.set(dst + i, poison),
            }
        }
    }
}
