//! Messages in forward mode: tangents travel as what they belong to does, right behind it.
//!
//! A tangent is received from the rank that has sent the message, with its tag: messages of one rank do not overtake
//! each other, so it is the next one. A constant buffer has the tangent zero, which is sent all the same: what the
//! partner makes of it is not known. What one call begins and another completes has tangents that begin and are
//! complete with it; the sender and the tag must be known from the beginning. Reductions other than sums are sums of
//! weighted tangents ([`super::reduction`]).

use super::Call;
use crate::base::names::memcpy_intrinsic;
use crate::program::mpi::Kind;
use ir::{Operand, TypeId};

/// A buffer of tangents for one message: what stands in for a constant one is given back.
struct Duals {
    at: Operand,
    room: Operand,
}

impl Call<'_> {
    /// The tangents of buffers that are arguments of the function that is written, behind the frame.
    fn dual(&mut self, buffer: usize) -> Operand {
        self.c.param(1 + buffer)
    }

    /// Where the tangents of a buffer are; zeros where it is constant.
    fn duals(&mut self, buffer: usize, (count, bytes): (Operand, Operand)) -> Duals {
        let dual = self.dual(buffer);
        let room = self.c.zeros(count, bytes);
        Duals { at: self.c.or(dual, room), room }
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
    pub(super) fn tangent(&mut self, kind: Kind, name: &str) {
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
            Kind::Reduce | Kind::Allreduce | Kind::ReduceScatterBlock | Kind::Scan | Kind::Exscan => {
                self.tangent_of_reduction(kind, name);
            }
            Kind::Isend => self.begin_tangent(name, false),
            Kind::Irecv => self.begin_tangent(name, true),
            Kind::Barrier
            | Kind::Wait
            | Kind::Waitall
            | Kind::Waitany
            | Kind::Test
            | Kind::Testall
            | Kind::Refused
            | Kind::Make(_)
            | Kind::Free => {}
        }
    }

    /// One message: what has come tells how many there are, and of whom.
    fn tangent_of_one(&mut self, name: &str, received: bool) {
        let (count, bytes, peer) = (self.count(1), self.bytes(2), self.arg(3));
        let nobody = self.c.handles.nobody();
        let nobody = self.c.int(nobody);
        let (floats, somebody) = (self.c.any(bytes), self.c.is_not(peer, nobody));
        let moved = self.c.b.binary(ir::BinOp::And, floats, somebody);
        let [go, done] = ["go", "done"].map(|n| self.c.b.f.add_block(n));
        self.c.b.cond_br(moved, go, done);
        self.c.b.at = go;
        let duals = self.duals(0, (count, bytes));
        let ignore = self.c.handles.ignore(self.c.b.m);
        let status = received.then_some((6, ignore));
        let others: Vec<(usize, Operand)> = [(0, duals.at)].into_iter().chain(status).collect();
        self.sent_with(name, &others);
        self.c.free(duals.room);
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
        self.c.free(given.room);
        self.c.free(taken.room);
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
        self.c.free(duals.room);
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
            rooms.push(duals.room);
        }
        self.sent_with(name, &others);
        rooms.into_iter().for_each(|room| self.c.free(room));
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
        let extent = self.list_extent(at_root, size);
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

    fn tangent_of_reduction(&mut self, kind: Kind, name: &str) {
        let (count, bytes) = (self.count(2), self.bytes(3));
        let comm = self.arg(if kind == Kind::Reduce { 6 } else { 5 });
        let weights = match kind {
            Kind::Scan | Kind::Exscan => self.c.null(),
            _ => self.weights(),
        };
        let [_, size] = self.c.ranks(comm);
        let terms = if kind == Kind::ReduceScatterBlock { self.c.times(count, size) } else { count };
        let (given, taken, in_place) = (self.dual(0), self.dual(1), self.is_in_place(0));
        let input = self.c.b.select(in_place, taken, given);
        let floats = self.c.any(bytes);
        let [go, done] = ["go", "done"].map(|n| self.c.b.f.add_block(n));
        self.c.b.cond_br(floats, go, done);
        self.c.b.at = go;
        let weighted = self.c.zeros(terms, bytes);
        let null = self.c.null();
        let there = self.c.is_not(input, null);
        self.c.when(there, |c| {
            let (copy, length, plain) = (memcpy_intrinsic(c.b.m), c.times(terms, bytes), c.b.m.int(1, 0));
            c.b.call(copy, vec![weighted, input, length, plain]);
        });
        self.c.scale(weighted, weights, terms, bytes);
        let (out, sum) = (self.duals(1, (count, bytes)), self.c.handles.sum(self.c.b.m));
        self.sent_with(name, &[(0, weighted), (1, out.at), (4, sum)]);
        self.c.free(weighted);
        self.c.free(out.room);
        self.c.b.br(done);
        self.c.b.at = done;
    }
}

/// The parameters of the function of a tangent: the frame, and the tangents of the buffers.
pub(super) fn parameters(ptr: TypeId, buffers: usize) -> Vec<TypeId> {
    vec![ptr; 1 + buffers]
}
