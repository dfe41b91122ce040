//! Messages among all ranks with a number of elements and a place for each of them (MPI 4.0, 6.5 to 6.7).
//!
//! The forward pass keeps the two lists, for the program may write to them. Parts of what is scattered may overlap:
//! what comes back from each rank lands in a place of its own, and is added where it came from.

use super::Call;
use super::code::Code;
use super::layout::Spot;
use crate::runtime::tape::tape_alloc;
use ir::{BinOp, IntPred, Operand};

/// Two lists, each with a number for each rank: of elements, and of those before its part.
#[derive(Clone, Copy)]
pub(super) struct Lists {
    pub counts: Operand,
    pub places: Operand,
}

impl Call<'_> {
    /// Calls the function; copies of its lists, which are these arguments, are left in the frame. Where there is a
    /// root, the others have none.
    pub(super) fn keep_lists(&mut self, lists: &[usize], comm: usize, rooted: bool) -> Operand {
        let args = self.given();
        let [rank, size] = self.c.ranks(args[comm]);
        let has = if rooted {
            let root = self.c.widened(args[comm - 1]);
            self.c.is(rank, root)
        } else {
            self.c.b.m.int(1, 1)
        };
        for (n, list) in lists.iter().enumerate() {
            self.keep_list(args[*list], n, (has, size));
        }
        self.as_it_is()
    }

    /// `MPI_Alltoallv`: where the send buffer is in place, its lists are those of the other one.
    pub(super) fn keep_lists_of_both(&mut self) -> Operand {
        let args = self.given();
        let ([_, size], yes) = (self.c.ranks(args[8]), self.c.b.m.int(1, 1));
        let in_place = self.is_in_place(0);
        for (n, (sent, received)) in [(1, 5), (2, 6)].into_iter().enumerate() {
            let list = self.c.b.select(in_place, args[received], args[sent]);
            self.keep_list(list, n, (yes, size));
            self.keep_list(args[received], 2 + n, (yes, size));
        }
        self.as_it_is()
    }

    /// A copy of a list of counts, and one of where each part begins; their sum.
    pub(super) fn keep_counts(&mut self, list: Operand, size: Operand) -> Operand {
        let yes = self.c.b.m.int(1, 1);
        for n in 0..2 {
            self.keep_list(list, n, (yes, size));
        }
        let lists = self.lists(0);
        self.c.side_by_side(lists, size)
    }

    /// A copy of a list, at a place of the frame; null unless the condition holds.
    fn keep_list(&mut self, from: Operand, place: usize, (has, size): (Operand, Operand)) {
        let (at, tape, place, null) = (self.at, self.tape(), self.frame.more(place), self.c.null());
        let alloc = tape_alloc(self.c.b.m);
        self.c.store(at, place, null);
        self.c.when(has, |c| {
            let four = c.long(4);
            let length = c.times(size, four);
            let copy = c.call(alloc, vec![tape, length]);
            c.each(size, |c, i| {
                let offset = c.times(i, four);
                let (from, to) = (c.b.offset_by(from, offset), c.b.offset_by(copy, offset));
                let number = c.b.load(c.i32t, from, 4);
                c.b.store(number, to, 4);
            });
            c.store(at, place, copy);
        });
    }

    /// How many floats a buffer must have for all parts; none if the condition does not hold. Its lists are the first
    /// ones of the call, or the second ones.
    pub(super) fn list_extent(&mut self, first: usize, cond: Operand, size: Operand) -> Operand {
        let lists = self.lists(first);
        self.c.extent(lists, (cond, size))
    }

    /// Two lists in the frame.
    pub(super) fn lists(&mut self, first: usize) -> Lists {
        let ptr = self.c.ptr;
        let [counts, places] = [0, 1].map(|n| {
            let place = self.frame.more(first + n);
            self.c.load(self.at, place, ptr)
        });
        Lists { counts, places }
    }

    /// `Alltoallv(s, r)`: all parts go back. What was sent may overlap, so it comes back side by side.
    pub(super) fn all_to_all_list_back(&mut self) {
        let (sent, received) = (self.lists(0), self.lists(2));
        let [sent_type, received_type, comm] = [3, 7, 8].map(|i| self.arg(i));
        let ([rank, size], in_place) = (self.c.ranks(comm), self.is_in_place(0));
        let own_type = self.c.b.select(in_place, received_type, sent_type);
        let (source, target, bytes) = (self.shadow(0), self.shadow(1), self.bytes(7));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let (yes, no, four) = (c.b.m.int(1, 1), c.b.m.int(1, 0), c.long(4));
            let extent = c.extent(received, (yes, size));
            let packed = Lists { counts: sent.counts, places: c.zeros(size, four) };
            let all = c.side_by_side(packed, size);
            let (nothing, came) = (c.zeros(extent, bytes), c.zeros(all, bytes));
            let from = c.or(target, nothing, extent, bytes);
            let back = vec![from, received.counts, received.places, received_type];
            let out = vec![came, packed.counts, packed.places, own_type, comm];
            c.mpi("Alltoallv", [back, out].concat());
            c.clear_parts(target, received, (size, bytes), (no, rank));
            let to = c.choose(in_place, target, source);
            c.add_parts(to, sent, (came, packed), (size, bytes));
            for block in [packed.places, nothing, came] {
                c.free(block);
            }
        });
    }

    /// `Gatherv(s, r)`: each rank gets the adjoint of its part.
    pub(super) fn gather_list_back(&mut self) {
        let lists = self.lists(0);
        let [sent, sent_type, part_type, root, comm] = [1, 2, 6, 7, 8].map(|i| self.arg(i));
        let [rank, size] = self.c.ranks(comm);
        let (whole, in_place) = (self.count(7), self.is_in_place(0));
        let is_root = self.c.is(rank, whole);
        let own_type = self.c.b.select(in_place, part_type, sent_type);
        let (source, target, bytes) = (self.shadow(0), self.shadow(1), self.c.bytes_of(own_type));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let own = c.own_count(lists, (in_place, rank), sent);
            let long = c.widened(own);
            let extent = c.extent(lists, (is_root, size));
            let (nothing, came) = (c.zeros(extent, bytes), c.zeros(long, bytes));
            let from = c.or(target, nothing, extent, bytes);
            let args = vec![from, lists.counts, lists.places, part_type, came, own, own_type, root, comm];
            c.mpi("Scatterv", args);
            c.when(is_root, |c| c.clear_parts(target, lists, (size, bytes), (in_place, rank)));
            let null = c.null();
            let to = c.choose(in_place, null, source);
            c.add(to, came, long, bytes);
            c.free(nothing);
            c.free(came);
        });
    }

    /// `Scatterv(s, r)`: the root gets the adjoints of all parts.
    pub(super) fn scatter_list_back(&mut self) {
        let lists = self.lists(0);
        let [part_type, own, own_type, root, comm] = [3, 5, 6, 7, 8].map(|i| self.arg(i));
        let [rank, size] = self.c.ranks(comm);
        let (whole, in_place) = (self.count(7), self.is_in_place(4));
        let is_root = self.c.is(rank, whole);
        let own_type = self.c.b.select(in_place, part_type, own_type);
        let (source, target, bytes) = (self.shadow(0), self.shadow(1), self.c.bytes_of(own_type));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let (null, four) = (c.null(), c.long(4));
            let target = c.choose(in_place, null, target);
            let own = c.own_count(lists, (in_place, rank), own);
            let long = c.widened(own);
            let zero = c.long(0);
            let ranks = c.b.select(is_root, size, zero);
            let packed = Lists { counts: lists.counts, places: c.zeros(ranks, four) };
            let all = c.side_by_side(packed, ranks);
            let (nothing, came) = (c.zeros(long, bytes), c.zeros(all, bytes));
            let from = c.or(target, nothing, long, bytes);
            c.mpi("Gatherv", vec![from, own, own_type, came, packed.counts, packed.places, part_type, root, comm]);
            c.clear(target, long, bytes);
            c.add_parts(source, lists, (came, packed), (ranks, bytes));
            for block in [packed.places, nothing, came] {
                c.free(block);
            }
        });
    }

    /// `Allgatherv(s, r)`: each rank gets the sum over the ranks of the adjoints of its part.
    pub(super) fn gather_list_all_back(&mut self) {
        let lists = self.lists(0);
        let [ty, comm] = [6, 7].map(|i| self.arg(i));
        let [rank, size] = self.c.ranks(comm);
        let (bytes, in_place) = (self.bytes(6), self.is_in_place(0));
        let (source, target) = (self.shadow(0), self.shadow(1));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let (yes, no, op) = (c.b.m.int(1, 1), c.b.m.int(1, 0), c.handles.sum(c.b.m));
            let extent = c.extent(lists, (yes, size));
            let own = c.entry(lists.counts, rank);
            let (nothing, sum) = (c.zeros(extent, bytes), c.zeros(own, bytes));
            c.each(size, |c, i| {
                let (count, place, root) = (c.entry(lists.counts, i), c.entry(lists.places, i), c.narrowed(i));
                let (part, zeros) = (c.float(target, place, bytes), c.float(nothing, place, bytes));
                let (from, number) = (c.or(part, zeros.at, count, bytes), c.narrowed(count));
                c.mpi("Reduce", vec![from, sum, number, ty, op, root, comm]);
            });
            c.clear_parts(target, lists, (size, bytes), (no, rank));
            let place = c.entry(lists.places, rank);
            let mine = c.float(target, place, bytes);
            let to = c.choose(in_place, mine, source);
            c.add(to, sum, own, bytes);
            c.free(nothing);
            c.free(sum);
        });
    }
}

impl Code<'_> {
    /// A number of a list, in 64 bits.
    pub(super) fn entry(&mut self, list: Operand, index: Operand) -> Operand {
        let four = self.long(4);
        let offset = self.times(index, four);
        let at = self.b.offset_by(list, offset);
        let number = self.b.load(self.i32t, at, 4);
        self.widened(number)
    }

    /// The sum of a list of counts.
    pub(super) fn total(&mut self, lists: Lists, size: Operand) -> Operand {
        let (slot, zero) = (self.local(self.i64t), self.long(0));
        self.b.store(zero, slot, 8);
        self.each(size, |c, i| {
            let (before, count) = (c.b.load(c.i64t, slot, 8), c.entry(lists.counts, i));
            let behind = c.b.binary(BinOp::Add, before, count);
            c.b.store(behind, slot, 8);
        });
        self.b.load(self.i64t, slot, 8)
    }

    /// Parts are one behind the other: where each begins is written to the list of places. The sum of the counts.
    pub(super) fn side_by_side(&mut self, lists: Lists, size: Operand) -> Operand {
        let (slot, zero, four) = (self.local(self.i64t), self.long(0), self.long(4));
        self.b.store(zero, slot, 8);
        self.each(size, |c, i| {
            let (before, count) = (c.b.load(c.i64t, slot, 8), c.entry(lists.counts, i));
            let offset = c.times(i, four);
            let (at, number) = (c.b.offset_by(lists.places, offset), c.narrowed(before));
            c.b.store(number, at, 4);
            let behind = c.b.binary(BinOp::Add, before, count);
            c.b.store(behind, slot, 8);
        });
        self.b.load(self.i64t, slot, 8)
    }

    /// Adds parts of a room, one behind the other, where the lists say.
    fn add_parts(
        &mut self,
        to: Spot,
        lists: Lists,
        (came, packed): (Operand, Lists),
        (size, bytes): (Operand, Operand),
    ) {
        self.each(size, |c, i| {
            let (there, here) = (c.entry(lists.places, i), c.entry(packed.places, i));
            let (to, from) = (c.float(to, there, bytes), c.float(came, here, bytes));
            let count = c.entry(lists.counts, i);
            c.add(to, from.at, count, bytes);
        });
    }

    /// The address of a float behind so many; null if there are none.
    fn float(&mut self, base: impl Into<Spot>, index: Operand, bytes: Operand) -> Spot {
        let one = self.long(1);
        self.element(base, (index, one, bytes))
    }

    /// How many elements a rank's own part has: by the lists, where it is in place, or by an argument.
    fn own_count(&mut self, lists: Lists, (in_place, rank): (Operand, Operand), given: Operand) -> Operand {
        let slot = self.local(self.i32t);
        self.b.store(given, slot, 4);
        self.when(in_place, |c| {
            let count = c.entry(lists.counts, rank);
            let count = c.narrowed(count);
            c.b.store(count, slot, 4);
        });
        self.b.load(self.i32t, slot, 4)
    }

    /// How many floats a buffer must have for all parts; none if the condition does not hold.
    fn extent(&mut self, lists: Lists, (cond, size): (Operand, Operand)) -> Operand {
        let (slot, zero) = (self.local(self.i64t), self.long(0));
        self.b.store(zero, slot, 8);
        let ranks = self.b.select(cond, size, zero);
        self.each(ranks, |c, i| {
            let (count, place) = (c.entry(lists.counts, i), c.entry(lists.places, i));
            let end = c.b.binary(BinOp::Add, count, place);
            let known = c.b.load(c.i64t, slot, 8);
            let more = c.b.icmp(IntPred::Sgt, end, known);
            let most = c.b.select(more, end, known);
            c.b.store(most, slot, 8);
        });
        self.b.load(self.i64t, slot, 8)
    }

    /// Clears all parts; that of a rank stays if the condition holds.
    fn clear_parts(
        &mut self,
        to: Spot,
        lists: Lists,
        (size, bytes): (Operand, Operand),
        (stays, rank): (Operand, Operand),
    ) {
        let zero = self.long(0);
        self.each(size, |c, i| {
            let (count, place) = (c.entry(lists.counts, i), c.entry(lists.places, i));
            let own = c.is(i, rank);
            let kept = c.b.binary(BinOp::And, own, stays);
            let count = c.b.select(kept, zero, count);
            let at = c.float(to, place, bytes);
            c.clear(at, count, bytes);
        });
    }
}
