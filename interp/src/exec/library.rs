//! Losses in the library: what a call writes and returns depends on all that it has read.
//!
//! That is conservative, since a function of the library is not looked into. Streams, files and pipes keep text and
//! bytes between calls: what reads from them depends on all that was written to any of them before.

use crate::code::Slot;
use crate::engine::Engine;
use crate::forgets::Forgets;
use crate::library::Library;
use crate::machine::{Loss, Machine};
use crate::memory::shadow::Shadow;
use crate::outcome::Res;
use crate::shim_call::ShimCall;
use crate::value::{Leaf, Value};

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// The shadow of an argument of the library; of one that has shadows of parts, where losses are followed, that of a
    /// part.
    pub(super) fn given(&self, slot: Slot) -> M::Shadow {
        let whole = self.shadow(slot);
        let parts = || self.parts.get(&(self.base + slot as usize))?.first().map(|(.., shadow)| shadow.clone());
        if M::FOLLOWS_LOSSES && whole.is_absent() { parts().unwrap_or_default() } else { whole }
    }

    /// The library keeps a value that is lost.
    pub(super) fn keep(&mut self, shadow: &M::Shadow) {
        if !shadow.is_absent() && self.library.is_absent() {
            let at = self.here();
            self.library = self.machine.lost(shadow, Loss::Library, at);
        }
    }

    /// Executes a call of the library, and follows what it loses.
    pub(super) fn followed(
        &mut self,
        call: &ShimCall<'_, M::Shadow>,
        execute: impl FnOnce(&mut Self) -> Res<Value<M::Shadow>>,
    ) -> Res<Value<M::Shadow>> {
        let before = self.memory.record_touches(true);
        let result = execute(self);
        let touched = self.memory.touches(before);
        self.residue = M::Shadow::default();
        let mut result = result?;
        let Some(touched) = touched else { return Ok(result) };
        let name = &self.program.module.functions[call.func].name;
        let keeps = L::keeps_text::<M>(name) && !self.forgets(Forgets::Kept);
        let (mut read, forgotten) = (M::Shadow::default(), self.forgets(Forgets::LibraryResult));
        let seen = if self.forgets(Forgets::LibraryReads) { &[] } else { touched.read.as_slice() };
        for shadow in seen.iter().chain(call.shadows).filter(|s| !s.is_absent()) {
            let left = self.machine.lost(shadow, Loss::Library, call.at);
            read = if read.is_absent() { left } else { read };
        }
        if keeps && self.library.is_absent() {
            self.library = read.clone();
        } else if keeps && read.is_absent() {
            read = self.library.clone();
        }
        if !read.is_absent() {
            if !self.forgets(Forgets::LibraryWrites) {
                self.memory.put_touched(&touched, &read);
            }
            for ((value, shadow), leaf) in result.leaves.iter_mut().zip(call.result) {
                // A pointer to a new object says nothing of what was read; one to an argument's does.
                let given = || call.args.iter().any(|arg| arg.hi == value.hi);
                let number = *leaf != Leaf::Ptr || value.hi == 0 || given();
                if shadow.is_absent() && number && !forgotten {
                    *shadow = read.clone();
                }
            }
        }
        Ok(result)
    }
}
