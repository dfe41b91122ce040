//! Messages in forward mode: tangents travel as what they belong to does, right behind it.
//!
//! A tangent is received from the rank that has sent the message, with its tag: messages of one rank do not overtake
//! each other, so it is the next one. A constant buffer has the tangent zero, which is sent all the same: what the
//! partner makes of it is not known. What one call begins and another completes has tangents that begin and are
//! complete with it; the sender and the tag must be known from the beginning. Reductions other than sums are sums of
//! weighted tangents ([`super::reduction`]).

use super::Call;
use super::code::Frame;
use super::layout::Spot;
use super::requests::ROOM;
use crate::base::names::memcpy_intrinsic;
use crate::program::mpi::{Count, Kind, Row};
use ir::{BinOp, Operand, TypeId};

/// A buffer of tangents for one message: what stands in for a constant one, or for one whose floats do not lie side by
/// side, is given back.
#[derive(Clone, Copy)]
struct Duals {
    at: Operand,
    room: Operand,
    spot: Spot,
    size: (Operand, Operand),
}

impl Call<'_> {
    /// The tangents of buffers that are arguments of the function that is written, behind the frame.
    fn dual(&mut self, buffer: usize) -> Spot {
        let (place, ptr) = (self.frame.layout(buffer), self.c.ptr);
        Spot { at: self.c.param(1 + buffer), layout: Some(self.c.load(self.at, place, ptr)) }
    }

    /// Where the tangents of a buffer are; zeros where it is constant.
    fn duals(&mut self, buffer: usize, (count, bytes): (Operand, Operand)) -> Duals {
        let (spot, room) = (self.dual(buffer), self.c.zeros(count, bytes));
        Duals { at: self.c.or(spot, room, count, bytes), room, spot, size: (count, bytes) }
    }

    /// The tangents have been sent, or so many have come.
    fn settle(&mut self, duals: Duals, came: Option<Operand>) {
        if let Some(came) = came {
            self.c.put_back(duals.spot, duals.room, came, duals.size.1);
        }
        self.c.free(duals.room);
    }

    /// The arguments in the frame, with other buffers, called under a name.
    fn sent_with(&mut self, name: &str, others: &[(usize, Operand)]) {
        let mut args: Vec<Operand> = (0..self.frame.args.len()).map(|i| self.arg(i)).collect();
        for (index, other) in others {
            args[*index] = *other;
        }
        self.c.mpi(name, args);
    }

    /// The tangent of a call whose frame has been filled.
    pub(super) fn tangent(&mut self, row: &Row) {
        let (kind, name) = (row.kind, row.name);
        if row.request.is_some() {
            return self.begin_tangent_of_all(row);
        }
        match kind {
            Kind::Send => self.tangent_of_one(name, false),
            Kind::Recv => self.tangent_of_one("Recv", true),
            Kind::Exchange => self.tangent_of_exchange(),
            Kind::Replace => self.tangent_of_replace(),
            Kind::Bcast => {
                let (count, bytes) = (self.count(1), self.bytes(2));
                self.tangent_of_two(name, (0, None), [(count, bytes); 2], bytes);
            }
            Kind::Gather | Kind::Allgather | Kind::Alltoall | Kind::Scatter => self.tangent_of_parts(kind, name),
            Kind::Gatherv | Kind::Scatterv | Kind::Allgatherv => self.tangent_of_lists(kind, name),
            Kind::Alltoallv => self.tangent_of_both_lists(),
            Kind::Reduce
            | Kind::Allreduce
            | Kind::ReduceScatterBlock
            | Kind::ReduceScatter
            | Kind::Scan
            | Kind::Exscan => self.tangent_of_reduction(kind, name),
            Kind::Isend | Kind::Irecv | Kind::SendInit | Kind::RecvInit => self.begin_tangent(row),
            _ => {}
        }
    }

    /// What one call begins and another completes: the tangents travel likewise, and are complete when it is.
    fn begin_tangent(&mut self, row: &Row) {
        let received = matches!(row.kind, Kind::Irecv | Kind::RecvInit);
        let stays = matches!(row.kind, Kind::SendInit | Kind::RecvInit);
        let (place, ptr, count) = (self.frame.more(0), self.c.ptr, self.count(1));
        let (node, dual) = (self.c.load(self.at, place, ptr), self.dual(0));
        let [number, ty, peer, tag, comm] = [1, 2, 3, 4, 5].map(|i| self.arg(i));
        let base = self.c.base(dual.layout, ty);
        let bytes = self.c.bytes_of(base);
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            if received {
                let any = c.handles.anybody();
                let (anybody, any_tag) = (c.int(any), c.int(-1));
                let (from_any, with_any) = (c.is(peer, anybody), c.is(tag, any_tag));
                let unknown = c.b.binary(BinOp::Or, from_any, with_any);
                let [stop, go] = ["stop", "go"].map(|n| c.b.f.add_block(n));
                c.b.cond_br(unknown, stop, go);
                c.b.at = stop;
                c.stop("a receive from any source or with any tag, which another call completes, has no tangent\n");
                c.b.at = go;
            }
            let extent = c.extent_of(ty);
            let room = c.zeros(count, extent);
            let (at, request) = (c.or(dual.at, room, count, bytes), c.link(node, room, stays));
            c.mpi(row.name, vec![at, number, ty, peer, tag, comm, request]);
        });
    }

    /// The same for all ranks.
    fn begin_tangent_of_all(&mut self, row: &Row) {
        let (Some(comm), Some(request), i64t) = (row.collective(), row.request, self.c.i64t) else { return };
        let (comm, zero, ptr) = (self.arg(comm), self.c.long(0), self.c.ptr);
        let [_, ranks] = self.c.ranks(comm);
        let floats = self.c.local(i64t);
        self.c.b.store(zero, floats, 8);
        // How many bytes the buffers have: the second one's zeros lie behind the first one's.
        let mut sizes = Vec::new();
        for (index, buffer) in row.buffers.iter().enumerate() {
            let size = self.c.local(i64t);
            self.c.b.store(zero, size, 8);
            sizes.push(size);
            let (Count::Whole(count) | Count::Each(count)) = buffer.count else { continue };
            let (there, count, ty, dual) =
                (self.is_there(buffer), self.count(count), self.arg(buffer.ty), self.dual(index));
            self.c.when(there, |c| {
                let base = c.base(dual.layout, ty);
                let (bytes, extent) = (c.bytes_of(base), c.extent_of(ty));
                c.b.store(bytes, floats, 8);
                let number = if matches!(buffer.count, Count::Each(_)) { c.times(count, ranks) } else { count };
                let length = c.times(number, extent);
                c.b.store(length, size, 8);
            });
        }
        let sizes: Vec<Operand> = sizes.into_iter().map(|size| self.c.b.load(i64t, size, 8)).collect();
        let place = self.frame.more(Frame::NODE);
        let (node, bytes) = (self.c.load(self.at, place, ptr), self.c.b.load(i64t, floats, 8));
        let mut args: Vec<Operand> = (0..self.frame.args.len()).map(|i| self.arg(i)).collect();
        let duals: Vec<Spot> = (0..row.buffers.len()).map(|index| self.dual(index)).collect();
        let any = self.c.any(bytes);
        self.c.when(any, |c| {
            let (one, in_place) = (c.long(1), c.handles.in_place(c.b.m));
            let whole = sizes.iter().fold(zero, |sum, size| c.b.binary(BinOp::Add, sum, *size));
            let (room, mut behind) = (c.zeros(one, whole), zero);
            for (index, buffer) in row.buffers.iter().enumerate() {
                let zeros = c.b.offset_by(room, behind);
                behind = c.b.binary(BinOp::Add, behind, sizes[index]);
                let (given, at) = (args[buffer.at], c.or(duals[index].at, zeros, one, bytes));
                let same = c.is(given, in_place);
                args[buffer.at] = c.b.select(same, given, at);
            }
            args[request] = c.link(node, room, false);
            c.mpi(row.name, args);
        });
    }

    /// One message: what has come tells how many there are, and of whom.
    fn tangent_of_one(&mut self, name: &str, received: bool) {
        let (count, bytes, peer) = (self.count(1), self.bytes(2), self.arg(3));
        let nobody = self.c.handles.nobody();
        let nobody = self.c.int(nobody);
        let (floats, somebody) = (self.c.any(bytes), self.c.is_not(peer, nobody));
        let moved = self.c.b.binary(BinOp::And, floats, somebody);
        let [go, done] = ["go", "done"].map(|n| self.c.b.f.add_block(n));
        self.c.b.cond_br(moved, go, done);
        self.c.b.at = go;
        let duals = self.duals(0, (count, bytes));
        let ignore = self.c.handles.ignore(self.c.b.m);
        let status = received.then_some((6, ignore));
        let others: Vec<(usize, Operand)> = [(0, duals.at)].into_iter().chain(status).collect();
        self.sent_with(name, &others);
        self.settle(duals, received.then_some(count));
        self.c.b.br(done);
        self.c.b.at = done;
    }

    fn tangent_of_exchange(&mut self) {
        let (out, back, out_bytes, back_bytes) = (self.count(1), self.count(6), self.bytes(2), self.bytes(7));
        let [to, sent_tag, from, came_tag] = [3, 4, 8, 9].map(|i| self.arg(i));
        let (to, from) = (self.only(out_bytes, to), self.only(back_bytes, from));
        let (sent_tag, came_tag) = (self.tag_to(to, sent_tag), self.tag_to(from, came_tag));
        let (given, taken) = (self.duals(0, (out, out_bytes)), self.duals(1, (back, back_bytes)));
        let ignore = self.c.handles.ignore(self.c.b.m);
        let partners = [(3, to), (4, sent_tag), (8, from), (9, came_tag), (11, ignore)];
        self.sent_with("Sendrecv", &[&[(0, given.at), (5, taken.at)][..], &partners].concat());
        self.settle(given, None);
        self.settle(taken, Some(back));
    }

    fn tangent_of_replace(&mut self) {
        let (count, bytes) = (self.count(1), self.bytes(2));
        let [to, sent_tag, from, came_tag] = [3, 4, 5, 6].map(|i| self.arg(i));
        let (to, from) = (self.only(bytes, to), self.only(bytes, from));
        let (sent_tag, came_tag) = (self.tag_to(to, sent_tag), self.tag_to(from, came_tag));
        let duals = self.duals(0, (count, bytes));
        let ignore = self.c.handles.ignore(self.c.b.m);
        let others = [(0, duals.at), (3, to), (4, sent_tag), (5, from), (6, came_tag), (8, ignore)];
        self.sent_with("Sendrecv_replace", &others);
        let (place, i32t) = (self.frame.more(2), self.c.i32t);
        let came = self.c.load(self.at, place, i32t);
        let came = self.c.widened(came);
        self.settle(duals, Some(came));
    }

    /// Send and receive buffer, at two arguments, each with its number of floats; one of them may be in place.
    fn tangent_of_two(
        &mut self,
        name: &str,
        (first, second): (usize, Option<usize>),
        counts: [(Operand, Operand); 2],
        bytes: Operand,
    ) {
        let floats = self.c.any(bytes);
        let [go, done] = ["go", "done"].map(|n| self.c.b.f.add_block(n));
        self.c.b.cond_br(floats, go, done);
        self.c.b.at = go;
        let (mut others, mut rooms) = (Vec::new(), Vec::new());
        for (buffer, index) in [Some(first), second].into_iter().flatten().enumerate() {
            let duals = self.duals(buffer, counts[buffer]);
            let (in_place, given) = (self.is_in_place(index), self.arg(index));
            others.push((index, self.c.b.select(in_place, given, duals.at)));
            rooms.push(duals);
        }
        self.sent_with(name, &others);
        for (buffer, duals) in rooms.into_iter().enumerate() {
            // A buffer that stands alone is that of a broadcast, which some receive into.
            let receives = buffer == 1 || second.is_none();
            self.settle(duals, receives.then_some(duals.size.0));
        }
        self.c.b.br(done);
        self.c.b.at = done;
    }

    /// The root of a call, if it has one; else each rank.
    fn is_at_root(&mut self, root: Option<usize>, rank: Operand) -> Operand {
        match root {
            Some(root) => {
                let root = self.count(root);
                self.c.is(rank, root)
            }
            None => self.c.b.m.int(1, 1),
        }
    }

    fn tangent_of_parts(&mut self, kind: Kind, name: &str) {
        let (root, comm) = match kind {
            Kind::Gather | Kind::Scatter => (Some(6), self.arg(7)),
            _ => (None, self.arg(6)),
        };
        let [rank, size] = self.c.ranks(comm);
        let (zero, at_root) = (self.c.long(0), self.is_at_root(root, rank));
        let here = self.c.b.select(at_root, size, zero);
        let (sent, came) = (self.count(1), self.count(4));
        let parts = |this: &mut Self, count: Operand, all: bool| if all { this.c.times(count, here) } else { count };
        let sent_from_root = matches!(kind, Kind::Scatter | Kind::Alltoall);
        let in_place = self.is_in_place(0);
        let received_in_place = self.is_in_place(3);
        // The number and the type of a buffer that is in place, or of the other ranks' that the root alone has, mean
        // nothing.
        let sent = self.c.b.select(in_place, zero, sent);
        let came = self.c.b.select(received_in_place, zero, came);
        let (sent, came) = (parts(self, sent, sent_from_root), parts(self, came, kind != Kind::Scatter));
        let ty = match kind {
            Kind::Scatter => self.either(received_in_place, [2, 2], [5, 5])[0],
            _ => self.either(in_place, [5, 5], [2, 2])[0],
        };
        let bytes = self.c.bytes_of(ty);
        self.tangent_of_two(name, (0, Some(3)), [(sent, bytes), (came, bytes)], bytes);
    }

    fn tangent_of_lists(&mut self, kind: Kind, name: &str) {
        let (root, comm, receive) = match kind {
            Kind::Gatherv => (Some(7), self.arg(8), 3),
            Kind::Scatterv => (Some(7), self.arg(8), 4),
            _ => (None, self.arg(7), 3),
        };
        let [rank, size] = self.c.ranks(comm);
        let at_root = self.is_at_root(root, rank);
        let extent = self.list_extent(0, at_root, size);
        let (zero, in_place) = (self.c.long(0), self.is_in_place(if kind == Kind::Scatterv { 4 } else { 0 }));
        let own = self.count(if kind == Kind::Scatterv { 5 } else { 1 });
        let own = self.c.b.select(in_place, zero, own);
        let ty = match kind {
            Kind::Scatterv => self.either(in_place, [3, 3], [6, 6])[0],
            _ => self.either(in_place, [6, 6], [2, 2])[0],
        };
        let bytes = self.c.bytes_of(ty);
        let counts = if kind == Kind::Scatterv { [extent, own] } else { [own, extent] };
        self.tangent_of_two(name, (0, Some(receive)), counts.map(|count| (count, bytes)), bytes);
    }

    fn tangent_of_both_lists(&mut self) {
        let (comm, yes) = (self.arg(8), self.c.b.m.int(1, 1));
        let [_, size] = self.c.ranks(comm);
        let bytes = self.bytes(7);
        let [sent, received] = [0, 2].map(|first| self.list_extent(first, yes, size));
        self.tangent_of_two("Alltoallv", (0, Some(4)), [(sent, bytes), (received, bytes)], bytes);
    }

    fn tangent_of_reduction(&mut self, kind: Kind, name: &str) {
        let bytes = self.bytes(3);
        let comm = self.arg(if kind == Kind::Reduce { 6 } else { 5 });
        let weights = match kind {
            Kind::Scan | Kind::Exscan => self.c.null(),
            Kind::ReduceScatter => self.weights_at(2),
            _ => self.weights(),
        };
        let [rank, size] = self.c.ranks(comm);
        let (terms, count) = if kind == Kind::ReduceScatter {
            let lists = self.lists(0);
            (self.c.total(lists, size), self.c.entry(lists.counts, rank))
        } else {
            let count = self.count(2);
            (if kind == Kind::ReduceScatterBlock { self.c.times(count, size) } else { count }, count)
        };
        let (given, taken, in_place) = (self.dual(0), self.dual(1), self.is_in_place(0));
        let input = self.c.choose(in_place, taken, given);
        let floats = self.c.any(bytes);
        let [go, done] = ["go", "done"].map(|n| self.c.b.f.add_block(n));
        self.c.b.cond_br(floats, go, done);
        self.c.b.at = go;
        let weighted = self.c.zeros(terms, bytes);
        let from = self.c.or(input, weighted, terms, bytes);
        let there = self.c.is_not(from, weighted);
        self.c.when(there, |c| {
            let (copy, length, plain) = (memcpy_intrinsic(c.b.m), c.times(terms, bytes), c.b.m.int(1, 0));
            c.b.call(copy, vec![weighted, from, length, plain]);
        });
        self.c.scale(weighted, weights, terms, bytes);
        let (out, sum) = (self.duals(1, (count, bytes)), self.c.handles.sum(self.c.b.m));
        self.sent_with(name, &[(0, weighted), (1, out.at), (4, sum)]);
        // Of `MPI_Reduce` only the root gets something, of `MPI_Exscan` all but the first.
        let gets = match kind {
            Kind::Reduce => {
                let root = self.count(5);
                self.c.is(rank, root)
            }
            Kind::Exscan => {
                let zero = self.c.long(0);
                self.c.is_not(rank, zero)
            }
            _ => self.c.b.m.int(1, 1),
        };
        let none = self.c.long(0);
        let came = self.c.b.select(gets, count, none);
        self.settle(out, Some(came));
        self.c.free(weighted);
        self.c.b.br(done);
        self.c.b.at = done;
    }
}

impl super::Code<'_> {
    /// A link for the tangents of a node; where their request goes. Their room is given back when they are complete,
    /// or when a request that can be started again is freed.
    fn link(&mut self, node: Operand, room: Operand, stays: bool) -> Operand {
        let (one, size, ptr, stays) = (self.long(1), self.long(4 * 8), self.ptr, self.long(i64::from(stays)));
        let (link, before) = (self.zeros(one, size), self.load(node, ROOM, ptr));
        for (place, value) in [(0, before), (2, room), (3, stays)] {
            self.store(link, place, value);
        }
        self.store(node, ROOM, link);
        self.b.offset(link, 8)
    }
}

/// The parameters of the function of a tangent: the frame, and the tangents of the buffers.
pub(super) fn parameters(ptr: TypeId, buffers: usize) -> Vec<TypeId> {
    vec![ptr; 1 + buffers]
}
