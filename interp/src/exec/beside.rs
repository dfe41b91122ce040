//! What rides beside the quick loop: the machine with its shadows, and the race detector.
//!
//! These are the hooks of the ops in this directory, for the case that nothing has to be taken apart: no register has
//! shadows of parts, an integer operation meets no shadow, a load meets a whole cell or none. In every other case the
//! op itself is executed, which asks the race detector again; it gives the same answer to the same access.

use crate::code::Slot;
use crate::machine::{CompareEvent, FloatArg, Machine, MemAccess};
use crate::memory::Memory;
use crate::memory::access::Access;
use crate::memory::shadow::Shadow;
use crate::outcome::Location;
use crate::value::{Leaf, Scalar};
use ir::{FloatKind, FloatPred, FuncId, InstId};

/// Borrowed apart from registers and memory.
pub(super) struct Beside<'a, M: Machine> {
    pub machine: &'a mut M,
    /// Of the frame; empty if the machine has none.
    pub shadows: &'a mut [M::Shadow],
    pub func: FuncId,
    /// The instruction of each op.
    pub origin: &'a [InstId],
    /// The call context, as the race detector counts them.
    pub context: u64,
}

impl<M: Machine> Beside<'_, M> {
    /// The instruction of an op.
    #[inline(always)]
    pub fn at(&self, pc: usize) -> Location {
        Location { func: self.func, inst: self.origin[pc] }
    }

    /// Has none of the registers a shadow?
    #[inline(always)]
    pub fn absent<const N: usize>(&self, slots: [Slot; N]) -> bool {
        let mut absent = true;
        if M::SHADOWS {
            for slot in slots {
                absent &= self.shadows[slot as usize].is_absent();
            }
        }
        absent
    }

    /// The shadow of a register that has been written.
    #[inline(always)]
    pub fn put(&mut self, slot: Slot, shadow: M::Shadow) {
        if M::SHADOWS {
            self.shadows[slot as usize] = shadow;
        }
    }

    /// A register has been written to which nothing belongs.
    #[inline(always)]
    pub fn clear(&mut self, slot: Slot) {
        self.put(slot, M::Shadow::default());
    }

    /// A register has been copied.
    #[inline(always)]
    pub fn copy(&mut self, dst: Slot, src: Slot) {
        if M::SHADOWS {
            self.shadows[dst as usize] = self.shadows[src as usize].clone();
        }
    }

    /// Two numbers have been compared.
    #[inline(always)]
    pub fn compare(
        &mut self,
        pc: usize,
        pred: FloatPred,
        kind: FloatKind,
        [a, b]: [(Slot, Scalar); 2],
        concrete: bool,
    ) {
        if self.absent([a.0, b.0]) {
            return;
        }
        let arg =
            |(slot, value): (Slot, Scalar)| FloatArg { kind, bits: value.bits(), shadow: &self.shadows[slot as usize] };
        self.machine.compare(&CompareEvent { pred, a: arg(a), b: arg(b), concrete, at: self.at(pc) });
    }

    /// A leaf has been loaded: its shadow. `None` if the op has to be executed.
    #[inline(always)]
    pub fn load(
        &mut self,
        memory: &mut Memory<M::Shadow>,
        pc: usize,
        at: Scalar,
        leaf: Leaf,
        value: Scalar,
    ) -> Option<M::Shadow> {
        let (pointer, size) = (at.as_ptr(), leaf.store_size());
        let kept = if M::SHADOWS { memory.whole_shadow(pointer, size)?.cloned() } else { None };
        if !memory.quick_watch(at, size, 1, Access::Read, self.context | u64::from(self.origin[pc].as_u32())) {
            return None;
        }
        let made = if M::OBSERVES_MEMORY {
            self.machine.load(&MemAccess { pointer, leaf, at: self.at(pc) }, value)
        } else {
            None
        };
        Some(match (kept, made) {
            (Some(shadow), _) => shadow,
            (None, Some(shadow)) => {
                memory.set_shadow(pointer, size, shadow.clone());
                shadow
            }
            (None, None) => M::Shadow::default(),
        })
    }

    /// May a leaf be stored? False if the op has to be executed.
    #[inline(always)]
    pub fn before_store(&self, memory: &mut Memory<M::Shadow>, pc: usize, at: Scalar, size: u64, align: u8) -> bool {
        memory.quick_watch(at, size, align, Access::Write, self.context | u64::from(self.origin[pc].as_u32()))
    }

    /// A leaf has been stored, from that register.
    #[inline(always)]
    pub fn stored(
        &mut self,
        memory: &mut Memory<M::Shadow>,
        pc: usize,
        at: Scalar,
        leaf: Leaf,
        (src, value): (Slot, Scalar),
    ) {
        if M::OBSERVES_MEMORY {
            let access = MemAccess { pointer: at.as_ptr(), leaf, at: self.at(pc) };
            let none = M::Shadow::default();
            let shadow = if M::SHADOWS { &self.shadows[src as usize] } else { &none };
            self.machine.store(&access, value, shadow);
        }
        if M::SHADOWS {
            memory.set_shadow(at.as_ptr(), leaf.store_size(), self.shadows[src as usize].clone());
        }
    }
}
