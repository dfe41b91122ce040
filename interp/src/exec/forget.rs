//! Forgets shadows where the machine says so ([`Forgets`]).

use crate::code::Slot;
use crate::engine::Engine;
use crate::forgets::Forgets;
use crate::library::Library;
use crate::machine::Machine;
use crate::value::Pointer;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Is that forgotten here?
    #[inline(always)]
    pub(crate) fn forgets(&self, what: Forgets) -> bool {
        M::SHADOWS && self.machine.forgets(what)
    }

    /// Forgets the shadows of registers that have just been written, if that is planted.
    #[inline(always)]
    pub(crate) fn forget(&mut self, what: Forgets, dst: Slot, n: u32) {
        if self.forgets(what) {
            self.forget_at(self.base + dst as usize, n as usize);
        }
    }

    /// Forgets the shadows of registers by absolute index.
    #[cold]
    pub(crate) fn forget_at(&mut self, index: usize, n: usize) {
        self.shadows[index..index + n].fill(M::Shadow::default());
        (index..index + n).for_each(|at| drop(self.parts.remove(&at)));
    }

    /// Forgets the shadows of memory that has just been written, if that is planted.
    #[inline(always)]
    pub(crate) fn forget_cells(&mut self, what: Forgets, at: Pointer, len: u64) {
        if self.forgets(what) {
            for (offset, size, _) in self.memory.touched_shadows(at, len) {
                self.memory.set_shadow(at.offset(offset), u64::from(size), M::Shadow::default());
            }
        }
    }

    /// Shadows of memory that is about to be written, to be kept if that is planted.
    pub(crate) fn stale(&self, what: Forgets, at: Pointer, len: u64) -> Vec<(i64, u8, M::Shadow)> {
        if self.forgets(what) { self.memory.touched_shadows(at, len) } else { Vec::new() }
    }

    /// Puts them back where nothing has come.
    pub(crate) fn keep_stale(&mut self, at: Pointer, stale: Vec<(i64, u8, M::Shadow)>) {
        for (offset, size, shadow) in stale {
            let (at, size) = (at.offset(offset), u64::from(size));
            if self.memory.touched_shadows(at, size).is_empty() {
                self.memory.set_shadow(at, size, shadow);
            }
        }
    }
}
