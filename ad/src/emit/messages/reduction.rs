//! Reductions (MPI 4.0, 6.9 to 6.12).
//!
//! The adjoint of a sum goes to all of its terms. That of a maximum, a minimum or a product has a *weight* for each
//! term, which the forward pass finds with messages of its own: 1 for the lowest rank that has the extreme value, and
//! 0 for the others; the product of what the other ranks bring, without a division. What a scan sums over the ranks
//! before, its adjoint sums over the ranks behind: it is a scan over the ranks in reverse order.

use super::Call;
use super::code::Code;
use super::layout::Spot;
use crate::runtime::refuse::{message, refuse};
use crate::runtime::tape::tape_alloc;
use ir::{BinOp, CastOp, FloatKind, FuncId, InstKind, IntPred, Module, Operand, TypeId};

/// How many terms a rank brings to a reduction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Terms {
    /// As many as it gets.
    Alike,
    /// That many for each rank.
    Parts,
    /// Numbers for each rank stand in a list.
    Listed,
}

/// Bytes of a weight.
const WEIGHT: i64 = 8;

/// `ptr @__adj_message_weights(ptr tape, ptr input, i64 count, i64 bytes, type, op, comm)`: the weights of the terms
/// that a rank brings, on the tape; null for a sum.
fn weights(m: &mut Module, handle: TypeId) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let alloc = tape_alloc(m);
    let params = [ptr, ptr, i64t, i64t, handle, handle, handle];
    let mut c = match Code::new(m, "__adj_message_weights", ptr, &params) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let [tape, input, count, bytes, ty, op, comm] = [0, 1, 2, 3, 4, 5, 6].map(|i| c.param(i));
    let is = |c: &mut Code, handle: Operand| c.is(op, handle);
    let (sum, null) = (c.handles.sum(c.b.m), c.null());
    let is_sum = is(&mut c, sum);
    c.when(is_sum, |c| c.give(null));
    let eight = c.long(WEIGHT);
    let length = c.times(count, eight);
    let out = c.call(alloc, vec![tape, length]);
    let [rank, size] = c.ranks(comm);
    let (max, min) = (c.handles.max(c.b.m), c.handles.min(c.b.m));
    let (is_max, is_min) = (is(&mut c, max), is(&mut c, min));
    let extreme = c.b.binary(BinOp::Or, is_max, is_min);
    c.when(extreme, |c| {
        c.winners((input, out), (count, bytes), (ty, op, comm), rank);
        c.give(out);
    });
    let located = [c.handles.max_with_index(c.b.m), c.handles.min_with_index(c.b.m)].map(|op| is(&mut c, op));
    let located = c.b.binary(BinOp::Or, located[0], located[1]);
    c.when(located, |c| {
        c.winners_with_index((input, out), count, (ty, op, comm), rank);
        c.give(out);
    });
    let product = c.handles.product(c.b.m);
    let is_product = is(&mut c, product);
    c.when(is_product, |c| {
        c.cofactors((input, out), (count, bytes), (ty, comm), (rank, size));
        c.give(out);
    });
    c.stop(
        "a reduction of floats by another operation than MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_MINLOC and \
         MPI_MAXLOC\n",
    );
    let f = c.b.f;
    c.b.m.functions.push(f)
}

/// `void @__adj_message_scale(ptr values, ptr weights, i64 count, i64 bytes)`: a weight of zero makes zero of anything.
fn scale(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let mut c = match Code::new(m, "__adj_message_scale", void, &[ptr, ptr, i64t, i64t]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let [values, weights, count, bytes] = [0, 1, 2, 3].map(|i| c.param(i));
    let null = c.null();
    let there = c.is_not(weights, null);
    c.when(there, |c| {
        c.each(count, |c, i| {
            let eight = c.long(WEIGHT);
            let weight = c.float_at(weights, i, eight);
            let value = c.float_at(values, i, bytes);
            let product = c.b.binary(BinOp::FMul, weight, value);
            let double = c.b.ty(weight);
            let zero = c.b.m.zero(double);
            let none = c.b.float_equal(weight, zero);
            let product = c.b.select(none, zero, product);
            c.put_float(product, values, i, bytes);
        });
    });
    c.finish(None)
}

impl Code<'_> {
    /// Returns from the function; what follows is not reached.
    pub fn give(&mut self, value: Operand) {
        self.b.effect(InstKind::Ret(Some(value)));
        self.b.at = self.b.f.add_block("never");
    }

    /// Ends the gradient with a message.
    pub fn stop(&mut self, text: &str) {
        let (stop, message, length) = (refuse(self.b.m), message(self.b.m, text), self.long(text.len() as i64));
        self.b.call(stop, vec![message, length]);
        self.b.effect(InstKind::Unreachable);
    }

    /// `MPI_Comm_rank` and `MPI_Comm_size`, in 64 bits.
    pub fn ranks(&mut self, comm: Operand) -> [Operand; 2] {
        ["Comm_rank", "Comm_size"].map(|name| {
            let i32t = self.i32t;
            let number = self.local(i32t);
            self.mpi(name, vec![comm, number]);
            let number = self.b.load(i32t, number, 4);
            self.widened(number)
        })
    }

    /// Reads a float of 8 or 4 bytes as a `double`.
    pub fn float_at(&mut self, base: Operand, index: Operand, bytes: Operand) -> Operand {
        let (double, float) = (self.b.m.types.float(FloatKind::Double), self.b.m.types.float(FloatKind::Float));
        let offset = self.times(index, bytes);
        let at = self.b.offset_by(base, offset);
        let [long, short, done] = ["double", "float", "read"].map(|n| self.b.f.add_block(n));
        let eight = self.long(WEIGHT);
        let is_double = self.is(bytes, eight);
        self.b.cond_br(is_double, long, short);
        self.b.at = long;
        let first = self.b.load(double, at, 1);
        self.b.br(done);
        self.b.at = short;
        let second = self.b.load(float, at, 1);
        let second = self.b.cast(CastOp::FPExt, second, double);
        self.b.br(done);
        self.b.at = done;
        self.b.value(InstKind::Phi { fast: Default::default(), incoming: vec![(first, long), (second, short)] }, double)
    }

    /// The other way.
    pub fn put_float(&mut self, value: Operand, base: Operand, index: Operand, bytes: Operand) {
        let float = self.b.m.types.float(FloatKind::Float);
        let offset = self.times(index, bytes);
        let at = self.b.offset_by(base, offset);
        let [long, short, done] = ["double", "float", "written"].map(|n| self.b.f.add_block(n));
        let eight = self.long(WEIGHT);
        let is_double = self.is(bytes, eight);
        self.b.cond_br(is_double, long, short);
        self.b.at = long;
        self.b.store(value, at, 1);
        self.b.br(done);
        self.b.at = short;
        let narrow = self.b.cast(CastOp::FPTrunc, value, float);
        self.b.store(narrow, at, 1);
        self.b.br(done);
        self.b.at = done;
    }

    /// The weights of a maximum or minimum: of the ranks that have the extreme value, the lowest has it all.
    fn winners(
        &mut self,
        (input, out): (Operand, Operand),
        (count, bytes): (Operand, Operand),
        (ty, op, comm): (Operand, Operand, Operand),
        rank: Operand,
    ) {
        let (number, best) = (self.narrowed(count), self.zeros(count, bytes));
        self.mpi("Allreduce", vec![input, best, number, ty, op, comm]);
        self.lowest(out, count, (comm, rank), |c, i| {
            let (own, extreme) = (c.float_at(input, i, bytes), c.float_at(best, i, bytes));
            c.b.float_equal(own, extreme)
        });
        self.free(best);
    }

    /// The same where each number has an index beside it, which the extreme value brings along.
    fn winners_with_index(
        &mut self,
        (input, out): (Operand, Operand),
        count: Operand,
        (ty, op, comm): (Operand, Operand, Operand),
        rank: Operand,
    ) {
        let (number, pair) = (self.narrowed(count), self.handles.double_with_index(self.b.m));
        let (is_long, long, short) = (self.is(ty, pair), self.long(16), self.long(8));
        let stride = self.b.select(is_long, long, short);
        let (eight, four) = (self.long(8), self.long(4));
        let bytes = self.b.select(is_long, eight, four);
        let best = self.zeros(count, stride);
        self.mpi("Allreduce", vec![input, best, number, ty, op, comm]);
        self.lowest(out, count, (comm, rank), |c, i| {
            let (offset, zero) = (c.times(i, stride), c.long(0));
            let [own, extreme] = [input, best].map(|base| {
                let at = c.b.offset_by(base, offset);
                let behind = c.b.offset_by(at, bytes);
                (c.float_at(at, zero, bytes), c.b.load(c.i32t, behind, 4))
            });
            let (same, there) = (c.b.float_equal(own.0, extreme.0), c.is(own.1, extreme.1));
            c.b.binary(BinOp::And, same, there)
        });
        self.free(best);
    }

    /// The weight is 1 for the lowest rank for which a condition holds, and 0 for the others.
    fn lowest(
        &mut self,
        out: Operand,
        count: Operand,
        (comm, rank): (Operand, Operand),
        holds: impl FnOnce(&mut Self, Operand) -> Operand,
    ) {
        let (number, four) = (self.narrowed(count), self.long(4));
        let (mine, first, me, nobody) =
            (self.zeros(count, four), self.zeros(count, four), self.narrowed(rank), self.int(i32::MAX));
        self.each(count, |c, i| {
            let has = holds(c, i);
            let candidate = c.b.select(has, me, nobody);
            let offset = c.times(i, four);
            let at = c.b.offset_by(mine, offset);
            c.b.store(candidate, at, 4);
        });
        let (int, min) = (self.handles.int(self.b.m), self.handles.min(self.b.m));
        self.mpi("Allreduce", vec![mine, first, number, int, min, comm]);
        self.each(count, |c, i| {
            let offset = c.times(i, four);
            let at = c.b.offset_by(first, offset);
            let winner = c.b.load(c.i32t, at, 4);
            let won = c.is(winner, me);
            let double = c.b.m.types.float(FloatKind::Double);
            let one = c.b.m.constant(double, ir::ConstKind::Float(u128::from(1f64.to_bits())));
            let zero = c.b.m.zero(double);
            let weight = c.b.select(won, one, zero);
            let eight = c.long(8);
            c.put_float(weight, out, i, eight);
        });
        self.free(mine);
        self.free(first);
    }

    /// The weights of a product: the product of what the others bring.
    fn cofactors(
        &mut self,
        (input, out): (Operand, Operand),
        (count, bytes): (Operand, Operand),
        (ty, comm): (Operand, Operand),
        (rank, size): (Operand, Operand),
    ) {
        let number = self.narrowed(count);
        let all = self.times(count, size);
        let factors = self.zeros(all, bytes);
        self.mpi("Allgather", vec![input, number, ty, factors, number, ty, comm]);
        let double = self.b.m.types.float(FloatKind::Double);
        let one = self.b.m.constant(double, ir::ConstKind::Float(u128::from(1f64.to_bits())));
        let eight = self.long(WEIGHT);
        self.each(count, |c, i| c.put_float(one, out, i, eight));
        self.each(size, |c, other| {
            let is_other = c.is_not(other, rank);
            c.when(is_other, |c| {
                c.each(count, |c, i| {
                    let first = c.times(other, count);
                    let index = c.b.binary(BinOp::Add, first, i);
                    let (factor, before) = (c.float_at(factors, index, bytes), c.float_at(out, i, eight));
                    let product = c.b.binary(BinOp::FMul, before, factor);
                    c.put_float(product, out, i, eight);
                });
            });
        });
        self.free(factors);
    }

    pub fn scale(&mut self, values: Operand, weights: Operand, count: Operand, bytes: Operand) {
        let f = scale(self.b.m);
        self.b.call(f, vec![values, weights, count, bytes]);
    }
}

impl Call<'_> {
    /// A reduction: send and receive buffer, count, type, operation. The terms have their weights in the frame.
    pub(super) fn reduce(&mut self, comm: usize, terms: Terms) -> Operand {
        let args = self.given();
        let bytes = self.bytes(3);
        let (null, at) = (self.c.null(), self.at);
        let place = self.frame.more(if terms == Terms::Listed { 2 } else { 0 });
        self.c.store(at, place, null);
        let in_place = self.c.handles.in_place(self.c.b.m);
        let same = self.c.is(args[0], in_place);
        let input = self.c.b.select(same, args[1], args[0]);
        let [_, size] = self.c.ranks(args[comm]);
        let number = match terms {
            Terms::Listed => self.keep_counts(args[2], size),
            Terms::Alike | Terms::Parts => self.count(2),
        };
        let number = if terms == Terms::Parts { self.c.times(number, size) } else { number };
        let handle = self.c.b.ty(args[3]);
        let weights = weights(self.c.b.m, handle);
        let tape = self.tape();
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let found = c.call(weights, vec![tape, input, number, bytes, args[3], args[4], args[comm]]);
            c.store(at, place, found);
        });
        self.as_it_is()
    }

    /// A scan: only of a sum.
    pub(super) fn scan(&mut self) -> Operand {
        self.only_sums("a scan of floats by another operation than MPI_SUM\n");
        self.as_it_is()
    }

    /// Other operations than a sum end the gradient with a message.
    pub(super) fn only_sums(&mut self, text: &str) {
        let (args, bytes) = (self.given(), self.bytes(3));
        let (floats, sum) = (self.c.any(bytes), self.c.handles.sum(self.c.b.m));
        let other = self.c.is_not(args[4], sum);
        let refused = self.c.b.binary(BinOp::And, floats, other);
        let [stop, go] = ["stop", "go"].map(|n| self.c.b.f.add_block(n));
        self.c.b.cond_br(refused, stop, go);
        self.c.b.at = stop;
        self.c.stop(text);
        self.c.b.at = go;
    }

    /// The weights of a reduction's terms; those of one that is only begun are all 1.
    pub(super) fn weights(&mut self) -> Operand {
        self.weights_at(0)
    }

    pub(super) fn weights_at(&mut self, place: usize) -> Operand {
        let (place, ptr) = (self.frame.more(place), self.c.ptr);
        self.c.load(self.at, place, ptr)
    }

    /// Where the adjoints of a reduction's terms are.
    fn terms(&mut self) -> Spot {
        let (in_place, source, target) = (self.is_in_place(0), self.shadow(0), self.shadow(1));
        self.c.choose(in_place, target, source)
    }

    /// `Reduce(s, r)`: the root's adjoint goes to all.
    pub(super) fn reduce_begin(&mut self) {
        let [number, ty, root, comm] = [2, 3, 5, 6].map(|i| self.arg(i));
        let (count, bytes, target) = (self.count(2), self.bytes(3), self.shadow(1));
        let ([rank, _], whole, request, rooms) = (self.c.ranks(comm), self.count(5), self.request, self.rooms());
        let is_root = self.c.is(rank, whole);
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let (adjoint, null) = (c.zeros(count, bytes), c.null());
            c.when(is_root, |c| {
                let packed = c.zeros(count, bytes);
                let from = c.or(target, packed, count, bytes);
                c.add(adjoint, from, count, bytes);
                c.clear(target, count, bytes);
                c.free(packed);
            });
            c.keep(rooms, [adjoint, null]);
            c.transposed(request, "Bcast", vec![adjoint, number, ty, root, comm]);
        });
    }

    pub(super) fn reduce_finish(&mut self) {
        let (count, bytes, weights, rooms) = (self.count(2), self.bytes(3), self.weights(), self.rooms());
        let (terms, floats) = (self.terms(), self.c.any(bytes));
        self.c.when(floats, |c| {
            let [adjoint, _] = c.kept(rooms);
            c.scale(adjoint, weights, count, bytes);
            c.add(terms, adjoint, count, bytes);
            c.free(adjoint);
        });
    }

    /// `Allreduce(s, r)`: the sum of all adjoints goes to all.
    pub(super) fn reduce_all_begin(&mut self) {
        let [number, ty, comm] = [2, 3, 5].map(|i| self.arg(i));
        let (count, bytes, target) = (self.count(2), self.bytes(3), self.shadow(1));
        let (floats, request, rooms) = (self.c.any(bytes), self.request, self.rooms());
        self.c.when(floats, |c| {
            let (nothing, sum) = (c.zeros(count, bytes), c.zeros(count, bytes));
            let (from, op) = (c.or(target, nothing, count, bytes), c.handles.sum(c.b.m));
            c.keep(rooms, [nothing, sum]);
            c.transposed(request, "Allreduce", vec![from, sum, number, ty, op, comm]);
        });
    }

    pub(super) fn reduce_all_finish(&mut self) {
        let (count, bytes, weights, rooms) = (self.count(2), self.bytes(3), self.weights(), self.rooms());
        let (terms, target, floats) = (self.terms(), self.shadow(1), self.c.any(bytes));
        self.c.when(floats, |c| {
            let [nothing, sum] = c.kept(rooms);
            c.clear(target, count, bytes);
            c.scale(sum, weights, count, bytes);
            c.add(terms, sum, count, bytes);
            c.free(nothing);
            c.free(sum);
        });
    }

    /// `Reduce_scatter(s, r)`: the adjoints of all parts go to all.
    pub(super) fn reduce_list_back(&mut self) {
        let [ty, comm] = [3, 5].map(|i| self.arg(i));
        let (lists, bytes, weights) = (self.lists(0), self.bytes(3), self.weights_at(2));
        let (terms, target) = (self.terms(), self.shadow(1));
        let [rank, size] = self.c.ranks(comm);
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let (all, own) = (c.total(lists, size), c.entry(lists.counts, rank));
            let (nothing, came) = (c.zeros(own, bytes), c.zeros(all, bytes));
            let (from, number) = (c.or(target, nothing, own, bytes), c.narrowed(own));
            c.mpi("Allgatherv", vec![from, number, ty, came, lists.counts, lists.places, ty, comm]);
            c.clear(target, own, bytes);
            c.scale(came, weights, all, bytes);
            c.add(terms, came, all, bytes);
            c.free(nothing);
            c.free(came);
        });
    }

    /// `Reduce_scatter_block(s, r)`: the adjoints of all parts go to all.
    pub(super) fn reduce_parts_back(&mut self) {
        let [number, ty, comm] = [2, 3, 5].map(|i| self.arg(i));
        let (count, bytes, weights) = (self.count(2), self.bytes(3), self.weights());
        let (terms, target) = (self.terms(), self.shadow(1));
        let [_, size] = self.c.ranks(comm);
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let all = c.times(count, size);
            let (nothing, came) = (c.zeros(count, bytes), c.zeros(all, bytes));
            let from = c.or(target, nothing, count, bytes);
            c.mpi("Allgather", vec![from, number, ty, came, number, ty, comm]);
            c.clear(target, count, bytes);
            c.scale(came, weights, all, bytes);
            c.add(terms, came, all, bytes);
            c.free(nothing);
            c.free(came);
        });
    }

    /// `Scan(s, r)` and `Exscan(s, r)`: the same over the ranks in reverse order. Of the latter, rank 0 gets nothing.
    pub(super) fn scan_back(&mut self, exclusive: bool) {
        let [number, ty, comm] = [2, 3, 5].map(|i| self.arg(i));
        let (count, bytes, terms) = (self.count(2), self.bytes(3), self.terms());
        let (target, [rank, size]) = (self.shadow(1), self.c.ranks(comm));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let (null, zero, one) = (c.null(), c.long(0), c.long(1));
            let first = c.is(rank, zero);
            let target = if exclusive { c.choose(first, null, target) } else { target };
            let last = c.b.binary(BinOp::Sub, size, one);
            let (key, none) = (c.b.binary(BinOp::Sub, last, rank), c.int(0));
            let (key, handle) = (c.narrowed(key), c.b.ty(comm));
            let slot = c.local(handle);
            c.mpi("Comm_split", vec![comm, none, key, slot]);
            let align = c.b.align(handle);
            let reversed = c.b.load(handle, slot, align);
            let (nothing, sum) = (c.zeros(count, bytes), c.zeros(count, bytes));
            let (from, op) = (c.or(target, nothing, count, bytes), c.handles.sum(c.b.m));
            c.mpi(if exclusive { "Exscan" } else { "Scan" }, vec![from, sum, number, ty, op, reversed]);
            c.mpi("Comm_free", vec![slot]);
            c.clear(target, count, bytes);
            let behind = c.b.icmp(IntPred::Slt, rank, last);
            let to = if exclusive { c.choose(behind, terms, null) } else { terms };
            c.add(to, sum, count, bytes);
            c.free(nothing);
            c.free(sum);
        });
    }
}
