//! Tells the machine which blocks and instructions are executed, if it wants to know.

use crate::code::Code;
use crate::engine::Engine;
use crate::library::Library;
use crate::machine::Machine;
use crate::outcome::Location;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// A block is entered at this op.
    #[inline(always)]
    pub(super) fn observe_block(&mut self, code: &Code, pc: usize) {
        if M::OBSERVES_STEPS {
            self.machine.block(Location { func: self.func, inst: code.origin[pc] });
        }
    }

    /// This op is about to be executed. Those of one instruction stand together, and only its first one counts.
    #[inline(always)]
    pub(super) fn observe_step(&mut self, code: &Code, pc: usize) {
        if M::OBSERVES_STEPS && (pc == 0 || code.origin[pc - 1] != code.origin[pc]) {
            self.machine.step(Location { func: self.func, inst: code.origin[pc] }, self.threads.current);
        }
    }
}
