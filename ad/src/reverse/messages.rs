//! Messages between ranks: in each pass a call of a function that is written for it ([`crate::emit::messages`]).

use crate::analysis::context::Item;
use crate::analysis::memory::query::PointerKind;
use crate::emit::messages::{self, Lists};
use crate::error::Diagnostic;
use crate::program::mpi::Row;
use crate::reverse::Emitter;
use crate::runtime::tape;
use ir::{Call, InstId, IntPred, Operand, Role};

impl Emitter<'_, '_> {
    /// The forward function in place of the call; its frame is the record of the call.
    pub(super) fn forward_message(&mut self, inst: InstId, call: &Call, row: &Row) -> Result<(), Diagnostic> {
        let Some(callee) = self.b.m.as_function(call.callee) else {
            return self.unsupported(inst, "a function of MPI that is called through a pointer");
        };
        let size = messages::frame_size(self.b.m, row, callee);
        let size = self.b.m.int(64, u128::from(size));
        let (alloc, tape) = (tape::tape_alloc(self.b.m), self.tape);
        let frame = self.b.call(alloc, vec![tape, size]).unwrap_or(tape);
        let mut args = vec![frame, tape];
        args.extend(call.args.iter().map(|arg| self.primal_of(*arg)));
        for buffer in row.buffers {
            let shadow = self.buffer_shadow(call.args[buffer.at]);
            args.push(shadow);
        }
        let floats = self.env.facts.untold_floats(self.b.m, self.id, call, row);
        args.push(self.b.m.int(32, u128::from(floats)));
        let forward = messages::forward(self.b.m, row, callee, Some(self.lists()));
        let result = self.b.call(forward, args);
        if let (Some(v), Some(result)) = (self.func.insts[inst].result, result) {
            self.primal.insert(v, result);
        }
        self.call_records.insert(inst, frame);
        self.role(Role::Push);
        self.record(Item::Record(inst));
        Ok(())
    }

    /// The shadow of a buffer; null if it is constant.
    fn buffer_shadow(&mut self, ptr: Operand) -> Operand {
        let ty = self.b.m.types.ptr();
        let null = self.b.m.zero(ty);
        match self.cx().pointer_kind(ptr) {
            PointerKind::Constant => null,
            PointerKind::Duplicated => self.shadow_of(ptr),
            PointerKind::Mixed => {
                let (primal, shadow) = (self.primal_of(ptr), self.shadow_of(ptr));
                let constant = self.b.icmp(IntPred::Eq, primal, shadow);
                self.b.select(constant, null, shadow)
            }
        }
    }

    /// What the gradient lists of its messages.
    fn lists(&self) -> Lists {
        Lists::of(self.b.m, self.env.sources.values())
    }

    /// The reverse function.
    pub(super) fn reverse_message(&mut self, inst: InstId, call: &Call, row: &Row) -> Result<(), Diagnostic> {
        let Some(callee) = self.b.m.as_function(call.callee) else { return Ok(()) };
        let frame = self.fetch(Item::Record(inst))?;
        let reverse = messages::reverse(self.b.m, row, callee, self.lists());
        self.b.call(reverse, vec![frame]);
        Ok(())
    }
}
