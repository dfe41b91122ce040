//! Frees that wait until the end of a combined gradient, which reads the memory again ([`crate::analysis::reload`]).

use crate::reverse::Emitter;
use ir::{Call, FuncId, Operand, TypeId};

/// A deallocator, and the slots of its arguments.
pub(super) type Waiting = (FuncId, Vec<(Operand, TypeId)>);

impl Emitter<'_, '_> {
    /// Leaves the arguments of a free where the end finds them; a null pointer is there if the free is not reached.
    pub(super) fn free_at_end(&mut self, call: &Call) {
        let Some(callee) = self.b.m.as_function(call.callee) else { return };
        let mut slots = Vec::new();
        for arg in &call.args {
            let ty = self.cx().ty(*arg);
            let (value, align) = (self.primal_of(*arg), self.b.align(ty));
            let slot = self.clear_stack(ty, align);
            self.b.store(value, slot, align);
            slots.push((slot, ty));
        }
        self.waiting.push((callee, slots));
    }

    /// What waited is freed.
    pub(super) fn free_what_waited(&mut self) {
        for (free, slots) in std::mem::take(&mut self.waiting) {
            let mut args = Vec::new();
            for (slot, ty) in slots {
                let align = self.b.align(ty);
                args.push(self.b.load(ty, slot, align));
            }
            self.b.call(free, args);
        }
    }
}
