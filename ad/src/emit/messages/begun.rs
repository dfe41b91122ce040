//! Collective operations that are only begun (MPI 4.0, 6.12).
//!
//! They have nodes as messages have ([`super::requests`]): where the program waits, the reverse begins the transposed
//! operation, and where the program begins, it waits. All ranks must have all operations of a communicator in one
//! order, in which those that are not only begun have their places, too.

use super::Call;
use super::code::Frame;
use super::requests::{BEGIN, COLLECTIVE, COMPLETED, FRAME, PENDING, end, post};
use crate::program::mpi::Row;
use ir::{FuncId, Operand};

impl Call<'_> {
    /// A node for a collective operation, at its place of the frame.
    fn post_collective(&mut self, comm: usize, state: i64) -> Operand {
        let (null, zero, none) = (self.c.null(), self.c.long(0), self.c.int(0));
        let (kind, state, comm) = (self.c.long(COLLECTIVE), self.c.long(state), self.arg(comm));
        let (ty, f) = (self.c.handles.double(self.c.b.m), post(self.c.b.m));
        let tape = if self.listed { self.tape() } else { null };
        let node = self.c.call(f, vec![tape, kind, state, null, none, ty, none, none, comm, zero, null]);
        let place = self.frame.more(Frame::NODE);
        self.c.store(self.at, place, node);
        node
    }

    /// A collective operation, in a program in which others are only begun.
    pub(super) fn list_collective(&mut self, row: &Row) {
        if let (true, true, Some(comm)) = (self.listed, self.lists.collectives, row.collective()) {
            self.post_collective(comm, COMPLETED);
        }
    }

    /// The reverse of such an operation has been carried out.
    pub(super) fn unlist_collective(&mut self, row: &Row) {
        if self.lists.collectives && row.request.is_none() {
            self.unlist_all(&[Frame::NODE]);
        }
    }

    /// A collective operation is begun; what completes it begins the transposed one by the function that is given.
    pub(super) fn begin_collective(&mut self, row: &Row, begin: Option<FuncId>) -> Operand {
        let (Some(comm), Some(request)) = (row.collective(), row.request) else { return self.as_it_is() };
        if row.reduces() {
            self.only_sums("a reduction that is only begun, by another operation than MPI_SUM\n");
            let (null, place) = (self.c.null(), self.frame.more(0));
            self.c.store(self.at, place, null);
        }
        let node = self.post_collective(comm, PENDING);
        if let Some(begin) = begin {
            let begin = self.c.b.m.function_address(begin);
            self.c.store(node, BEGIN, begin);
            self.c.store(node, FRAME, self.at);
        }
        let result = self.as_it_is();
        self.note_request(node, request);
        result
    }

    /// The reverse waits for the transposed operation.
    pub(super) fn await_collective(&mut self) {
        let (place, ptr, end) = (self.frame.more(Frame::NODE), self.c.ptr, end(self.c.b.m));
        let node = self.c.load(self.at, place, ptr);
        self.c.b.call(end, vec![node]);
    }
}
