//! Messages among all ranks of a communicator that have one root or none (MPI 4.0, chapter 6).
//!
//! The adjoint of a broadcast is a sum at the root, and the other way round; that of a gather is a scatter whose
//! parts are added; of `Allgather` the sum of all, of which each rank gets its part; `Alltoall` is its own. Where a
//! buffer is `MPI_IN_PLACE`, a rank's own part stays where it is: so does its adjoint.

use super::Call;
use super::layout::Spot;
use ir::{BinOp, Operand};

impl Call<'_> {
    /// Does an argument say that the other buffer holds the data, too?
    pub(super) fn is_in_place(&mut self, index: usize) -> Operand {
        let given = self.arg(index);
        let in_place = self.c.handles.in_place(self.c.b.m);
        self.c.is(given, in_place)
    }

    /// Is it the root's number?
    fn is_root(&mut self, index: usize, rank: Operand) -> Operand {
        let root = self.count(index);
        self.c.is(rank, root)
    }

    /// `Bcast(b)`: the root gets the sum of the others' adjoints, which are cleared.
    pub(super) fn broadcast_begin(&mut self) {
        let [number, ty, root, comm] = [1, 2, 3, 4].map(|i| self.arg(i));
        let (count, bytes, shadow, rooms) = (self.count(1), self.bytes(2), self.shadow(0), self.rooms());
        let ([rank, _], request) = (self.c.ranks(comm), self.request);
        let (floats, is_root) = (self.c.any(bytes), self.is_root(3, rank));
        self.c.when(floats, |c| {
            let (nothing, sum, null) = (c.zeros(count, bytes), c.zeros(count, bytes), c.null());
            let theirs = c.choose(is_root, null, shadow);
            let (from, op) = (c.or(theirs, nothing, count, bytes), c.handles.sum(c.b.m));
            c.keep(rooms, [nothing, sum]);
            c.transposed(request, "Reduce", vec![from, sum, number, ty, op, root, comm]);
        });
    }

    pub(super) fn broadcast_finish(&mut self) {
        let (comm, count, bytes, shadow, rooms) =
            (self.arg(4), self.count(1), self.bytes(2), self.shadow(0), self.rooms());
        let [rank, _] = self.c.ranks(comm);
        let (floats, is_root) = (self.c.any(bytes), self.is_root(3, rank));
        self.c.when(floats, |c| {
            let ([nothing, sum], null) = (c.kept(rooms), c.null());
            let theirs = c.choose(is_root, null, shadow);
            c.clear(theirs, count, bytes);
            c.when(is_root, |c| c.add(shadow, sum, count, bytes));
            c.free(nothing);
            c.free(sum);
        });
    }

    /// What a rank of a gather sends: how many, and of which type.
    fn sent_part(&mut self, in_place: Operand) -> [Operand; 2] {
        self.either(in_place, [4, 5], [1, 2])
    }

    /// `Gather(s, r)`: each rank gets the adjoint of its part.
    pub(super) fn gather_begin(&mut self) {
        let [root, comm] = [6, 7].map(|i| self.arg(i));
        let ([rank, size], request, rooms) = (self.c.ranks(comm), self.request, self.rooms());
        let (is_root, in_place) = (self.is_root(6, rank), self.is_in_place(0));
        let [own_count, own_type] = self.sent_part(in_place);
        let (own, bytes) = (self.c.widened(own_count), self.c.bytes_of(own_type));
        let [part, part_type] = [4, 5].map(|i| self.arg(i));
        let (target, part_count) = (self.shadow(1), self.count(4));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let zero = c.long(0);
            let parts = c.times(part_count, size);
            let all = c.b.select(is_root, parts, zero);
            let (nothing, came) = (c.zeros(all, bytes), c.zeros(own, bytes));
            let from = c.or(target, nothing, all, bytes);
            c.keep(rooms, [nothing, came]);
            c.transposed(request, "Scatter", vec![from, part, part_type, came, own_count, own_type, root, comm]);
        });
    }

    pub(super) fn gather_finish(&mut self) {
        let (comm, rooms) = (self.arg(7), self.rooms());
        let [rank, size] = self.c.ranks(comm);
        let (is_root, in_place) = (self.is_root(6, rank), self.is_in_place(0));
        let [own_count, own_type] = self.sent_part(in_place);
        let (own, bytes) = (self.c.widened(own_count), self.c.bytes_of(own_type));
        let (source, target, part_count) = (self.shadow(0), self.shadow(1), self.count(4));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let ([nothing, came], null) = (c.kept(rooms), c.null());
            c.when(is_root, |c| c.clear_but(target, (part_count, size, bytes), (in_place, rank)));
            let to = c.choose(in_place, null, source);
            c.add(to, came, own, bytes);
            c.free(nothing);
            c.free(came);
        });
    }

    /// `Scatter(s, r)`: the root gets the adjoints of all parts.
    pub(super) fn scatter_begin(&mut self) {
        let [root, comm] = [6, 7].map(|i| self.arg(i));
        let ([rank, size], request, rooms) = (self.c.ranks(comm), self.request, self.rooms());
        let (is_root, in_place) = (self.is_root(6, rank), self.is_in_place(3));
        let [own_count, own_type] = self.either(in_place, [1, 2], [4, 5]);
        let (own, bytes) = (self.c.widened(own_count), self.c.bytes_of(own_type));
        let [part, part_type] = [1, 2].map(|i| self.arg(i));
        let (target, part_count) = (self.shadow(1), self.count(1));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let (zero, null) = (c.long(0), c.null());
            let target = c.choose(in_place, null, target);
            let parts = c.times(part_count, size);
            let all = c.b.select(is_root, parts, zero);
            let (nothing, came) = (c.zeros(own, bytes), c.zeros(all, bytes));
            let from = c.or(target, nothing, own, bytes);
            c.keep(rooms, [nothing, came]);
            c.transposed(request, "Gather", vec![from, own_count, own_type, came, part, part_type, root, comm]);
        });
    }

    pub(super) fn scatter_finish(&mut self) {
        let (comm, rooms) = (self.arg(7), self.rooms());
        let [rank, size] = self.c.ranks(comm);
        let (is_root, in_place) = (self.is_root(6, rank), self.is_in_place(3));
        let [own_count, own_type] = self.either(in_place, [1, 2], [4, 5]);
        let (own, bytes) = (self.c.widened(own_count), self.c.bytes_of(own_type));
        let (source, target, part_count) = (self.shadow(0), self.shadow(1), self.count(1));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let ([nothing, came], null) = (c.kept(rooms), c.null());
            let target = c.choose(in_place, null, target);
            c.clear(target, own, bytes);
            let all = c.times(part_count, size);
            c.when(is_root, |c| c.add(source, came, all, bytes));
            c.free(nothing);
            c.free(came);
        });
    }

    /// `Allgather(s, r)`: each rank gets the sum over the ranks of the adjoints of its part.
    pub(super) fn gather_all_begin(&mut self) {
        let [part, ty, comm] = [4, 5, 6].map(|i| self.arg(i));
        let ([_, size], request, rooms) = (self.c.ranks(comm), self.request, self.rooms());
        let (count, bytes, target) = (self.count(4), self.bytes(5), self.shadow(1));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let all = c.times(count, size);
            let (nothing, sum) = (c.zeros(all, bytes), c.zeros(count, bytes));
            let (from, op) = (c.or(target, nothing, all, bytes), c.handles.sum(c.b.m));
            c.keep(rooms, [nothing, sum]);
            c.transposed(request, "Reduce_scatter_block", vec![from, sum, part, ty, op, comm]);
        });
    }

    pub(super) fn gather_all_finish(&mut self) {
        let (comm, rooms) = (self.arg(6), self.rooms());
        let [rank, size] = self.c.ranks(comm);
        let (count, bytes, in_place) = (self.count(4), self.bytes(5), self.is_in_place(0));
        let (source, target) = (self.shadow(0), self.shadow(1));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let (all, [nothing, sum]) = (c.times(count, size), c.kept(rooms));
            c.clear(target, all, bytes);
            let mine = c.element(target, (rank, count, bytes));
            let to = c.choose(in_place, mine, source);
            c.add(to, sum, count, bytes);
            c.free(nothing);
            c.free(sum);
        });
    }

    /// `Alltoall(s, r)`: all parts go back.
    pub(super) fn all_to_all_begin(&mut self) {
        let [back, back_type, comm] = [4, 5, 6].map(|i| self.arg(i));
        let ([_, size], request, rooms) = (self.c.ranks(comm), self.request, self.rooms());
        let (bytes, in_place) = (self.bytes(5), self.is_in_place(0));
        let [own_count, own_type] = self.sent_part(in_place);
        let (own, count, target) = (self.c.widened(own_count), self.count(4), self.shadow(1));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let (all, own) = (c.times(count, size), c.times(own, size));
            let (nothing, came) = (c.zeros(all, bytes), c.zeros(own, bytes));
            let from = c.or(target, nothing, all, bytes);
            c.keep(rooms, [nothing, came]);
            c.transposed(request, "Alltoall", vec![from, back, back_type, came, own_count, own_type, comm]);
        });
    }

    pub(super) fn all_to_all_finish(&mut self) {
        let (comm, rooms) = (self.arg(6), self.rooms());
        let [_, size] = self.c.ranks(comm);
        let (bytes, in_place) = (self.bytes(5), self.is_in_place(0));
        let [own_count, _] = self.sent_part(in_place);
        let (own, count) = (self.c.widened(own_count), self.count(4));
        let (source, target) = (self.shadow(0), self.shadow(1));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let (all, own, [nothing, came]) = (c.times(count, size), c.times(own, size), c.kept(rooms));
            c.clear(target, all, bytes);
            let to = c.choose(in_place, target, source);
            c.add(to, came, own, bytes);
            c.free(nothing);
            c.free(came);
        });
    }

    /// One pair of arguments or another.
    pub(super) fn either(&mut self, cond: Operand, these: [usize; 2], those: [usize; 2]) -> [Operand; 2] {
        [0, 1].map(|i| {
            let (this, that) = (self.arg(these[i]), self.arg(those[i]));
            self.c.b.select(cond, this, that)
        })
    }
}

impl super::Code<'_> {
    /// Clears all parts; that of a rank stays if the condition holds.
    fn clear_but(
        &mut self,
        to: Spot,
        (count, size, bytes): (Operand, Operand, Operand),
        (stays, rank): (Operand, Operand),
    ) {
        let one = self.long(1);
        let behind = self.b.binary(BinOp::Add, rank, one);
        let first = self.b.select(stays, rank, size);
        let second = self.b.select(stays, behind, size);
        let before = self.times(first, count);
        self.clear(to, before, bytes);
        let rest = self.b.binary(BinOp::Sub, size, second);
        let rest = self.times(rest, count);
        let at = self.element(to, (second, count, bytes));
        self.clear(at, rest, bytes);
    }
}
