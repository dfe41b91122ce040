//! Messages between ranks: the call, and then one message more for each direction ([`crate::emit::messages`]).

use super::Emitter;
use crate::analysis::memory::query::PointerKind;
use crate::emit::messages;
use crate::error::Diagnostic;
use crate::program::mpi::{Kind, Row};
use crate::runtime::tape::{TAPE_SIZE, clear, tape_free};
use ir::{Call, Inst, InstId, InstKind, Operand, Role};

impl Emitter<'_, '_> {
    /// A call that sends or receives floats, with its tangents.
    pub(super) fn message(&mut self, inst: InstId, data: &Inst, call: &Call, row: &Row) -> Result<(), Diagnostic> {
        let Some(callee) = self.b.m.as_function(call.callee) else {
            return self.unsupported(inst, "a function of MPI that is called through a pointer");
        };
        if matches!(row.kind, Kind::Make(_) | Kind::Free) {
            self.clone_inst(data);
            return Ok(());
        }
        self.stand_for(inst, Role::Tangent);
        // What reductions keep for the tangents is on a tape that lives as long as the call.
        let frame = self.bytes_on_stack(messages::frame_size(self.b.m, row, callee));
        let tape = self.bytes_on_stack(TAPE_SIZE);
        let size = self.b.m.int(64, u128::from(TAPE_SIZE));
        clear(&mut self.b, tape, size);
        let ptr = self.b.m.types.ptr();
        let null = self.b.m.zero(ptr);
        let mut args = vec![frame, tape];
        args.extend(call.args.iter().map(|arg| self.primal_of(*arg)));
        args.extend(row.buffers.iter().map(|_| null));
        let floats = self.cx().facts.untold_floats(self.b.m, self.id, call, row);
        args.push(self.b.m.int(32, u128::from(floats)));
        let primal = messages::forward(self.b.m, row, callee, None);
        if let (Some(v), Some(result)) = (data.result, self.b.call(primal, args)) {
            self.primal.insert(v, result);
        }
        let tangent = messages::tangent(self.b.m, row, callee);
        for d in self.directions() {
            let mut args = vec![frame];
            for buffer in row.buffers {
                let dual = self.buffer_dual(call.args[buffer.at], d);
                args.push(dual);
            }
            self.b.call(tangent, args);
        }
        let free = tape_free(self.b.m);
        self.b.call(free, vec![tape]);
        Ok(())
    }

    /// The tangents of a buffer; null if it is constant.
    fn buffer_dual(&mut self, buffer: Operand, d: usize) -> Operand {
        let ptr = self.b.m.types.ptr();
        let null = self.b.m.zero(ptr);
        match self.cx().pointer_kind(buffer) {
            PointerKind::Constant => null,
            PointerKind::Duplicated => self.dual(buffer, d),
            PointerKind::Mixed => {
                let (constant, dual) = (self.is_constant(buffer, d), self.dual(buffer, d));
                self.b.select(constant, null, dual)
            }
        }
    }

    /// Memory in the frame of the function.
    fn bytes_on_stack(&mut self, bytes: u64) -> Operand {
        let (ptr, i8t) = (self.b.m.types.ptr(), self.b.m.types.int(8));
        let elem_ty = self.b.m.types.array(bytes, i8t);
        let kind = InstKind::Alloca { elem_ty, count: None, align: 16, addr_space: 0, inalloca: false };
        let id = self.b.f.create_inst(Inst::new(kind, ptr), true);
        let entry = self.b.f.entry();
        self.b.f.blocks[entry].insts.insert(0, id);
        self.b.result(id)
    }
}
