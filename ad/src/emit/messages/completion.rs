//! What waits for requests, and what asks whether they are complete (MPI 4.0, 3.7.3 to 3.7.5).

use super::Call;
use super::library::STATUS;
use super::requests::{begin, came, find, settle};
use crate::program::mpi::Kind;
use crate::runtime::tape::tape_alloc;
use ir::{BinOp, FuncId, IntPred, Operand};

impl Call<'_> {
    /// What waits for requests, or asks whether they are complete. One entry of a list on the tape for each that is.
    pub(super) fn complete(&mut self, kind: Kind) -> Operand {
        // Where the arguments stand: how many requests, the requests, how many are complete, which, whether, statuses.
        let (count, requests, number_done, index, flag, statuses) = match kind {
            Kind::Waitall => (Some(0), 1, None, None, None, 2),
            Kind::Waitany => (Some(0), 1, None, Some(2), None, 3),
            Kind::Waitsome | Kind::Testsome => (Some(0), 1, Some(2), Some(3), None, 4),
            Kind::Testany => (Some(0), 1, None, Some(2), Some(3), 4),
            Kind::Testall => (Some(0), 1, None, None, Some(2), 3),
            Kind::Test => (None, 0, None, None, Some(1), 2),
            _ => (None, 0, None, None, None, 1),
        };
        let mut args = self.given();
        let (zero, one, i32t) = (self.c.long(0), self.c.long(1), self.c.i32t);
        let number = count.map_or(one, |count| self.c.widened(args[count]));
        let (handle, find, came) = (self.c.handles.ty(self.c.b.m), find(self.c.b.m), came(self.c.b.m));
        let (bytes, settle, listed) = (self.c.b.m.size_of(handle), settle(self.c.b.m), self.listed);
        let (alloc, tape, eight) = (tape_alloc(self.c.b.m), self.tape(), self.c.long(8));
        let length = self.c.times(number, eight);
        let nodes = self.c.call(alloc, vec![tape, length]);
        let (place, numbers) = (self.frame.more(0), self.frame.more(1));
        self.c.store(self.at, place, nodes);
        // The requests as they were, and statuses of our own if the program wants none.
        let before = self.c.zeros(number, eight);
        self.c.each(number, |c, i| {
            let size = c.long(bytes as i64);
            let (from, to) = (c.times(i, size), c.times(i, eight));
            let (from, to) = (c.b.offset_by(args[requests], from), c.b.offset_by(before, to));
            let request = c.b.load(handle, from, bytes);
            c.b.store(request, to, 8);
        });
        let one_status = count.is_none() || index.is_some() && number_done.is_none();
        let (all, size) = (if one_status { one } else { number }, self.c.long(STATUS as i64));
        let own = self.c.zeros(all, size);
        let ignore = self.c.handles.ignore(self.c.b.m);
        let ignored = self.c.is(args[statuses], ignore);
        args[statuses] = self.c.b.select(ignored, own, args[statuses]);
        let result = self.called(args.clone());
        // How many are complete. (`MPI_UNDEFINED` is negative, as a number and as an index.)
        let mut done = match (number_done, index) {
            (Some(at), _) => self.c.b.load(i32t, args[at], 4),
            (None, Some(_)) => self.c.int(1),
            (None, None) => self.c.narrowed(number),
        };
        let none = self.c.int(0);
        if let Some(flag) = flag {
            let answer = self.c.b.load(i32t, args[flag], 4);
            let yes = self.c.is_not(answer, none);
            done = self.c.b.select(yes, done, none);
        }
        let done = self.c.widened(done);
        let some = self.c.b.icmp(IntPred::Sgt, done, zero);
        let done = self.c.b.select(some, done, zero);
        self.c.store(self.at, numbers, done);
        let stride = self.c.handles.status();
        self.c.each(done, |c, k| {
            let (eight, four, null, stride) = (c.long(8), c.long(4), c.null(), c.long(stride as i64));
            let (entry, at) = (c.times(k, eight), c.times(k, four));
            let entry = c.b.offset_by(nodes, entry);
            c.b.store(null, entry, 8);
            let chosen = match index {
                None => k,
                Some(index) => {
                    let at = c.b.offset_by(args[index], at);
                    let chosen = c.b.load(i32t, at, 4);
                    c.widened(chosen)
                }
            };
            let there = c.b.icmp(IntPred::Sge, chosen, zero);
            c.when(there, |c| {
                let (offset, behind) = (c.times(chosen, eight), c.times(k, stride));
                let from = c.b.offset_by(before, offset);
                let request = c.b.load(handle, from, 8);
                let node = c.call(find, vec![request]);
                if listed {
                    let status = c.b.offset_by(args[statuses], behind);
                    let node = c.call(came, vec![node, status]);
                    c.b.store(node, entry, 8);
                } else {
                    c.b.call(settle, vec![node]);
                }
            });
        });
        self.c.free(before);
        self.c.free(own);
        result
    }

    /// Their reverse begins the transposed messages, the last first.
    pub(super) fn complete_back(&mut self) {
        let begin = begin(self.c.b.m);
        self.each_node_back(begin);
    }

    /// Calls a function for each node of a list in the frame, the last first.
    pub(super) fn each_node_back(&mut self, f: FuncId) {
        let (place, numbers, ptr, i64t) = (self.frame.more(0), self.frame.more(1), self.c.ptr, self.c.i64t);
        let (nodes, number) = (self.c.load(self.at, place, ptr), self.c.load(self.at, numbers, i64t));
        self.c.each(number, |c, i| {
            let (one, eight) = (c.long(1), c.long(8));
            let last = c.b.binary(BinOp::Sub, number, one);
            let mirrored = c.b.binary(BinOp::Sub, last, i);
            let offset = c.times(mirrored, eight);
            let at = c.b.offset_by(nodes, offset);
            let node = c.b.load(ptr, at, 8);
            c.b.call(f, vec![node]);
        });
    }
}
