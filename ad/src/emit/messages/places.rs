//! Where the floats of a type of MPI lie, whatever functions it was made with (MPI 4.0, 5.1).
//!
//! `MPI_Type_get_envelope` and `MPI_Type_get_contents` tell of what a type was made, and how: *blocks* of elements side
//! by side, each from a displacement on. So the floats of a type are those of its elements, moved to where these lie;
//! types of MPI's own are floats, or other numbers, which have no adjoints. They are gathered in a list:
//!
//! ```text
//! list: { count, room, basic type, are there other numbers too, displacements … }
//! ```

use super::code::Code;
use super::library::Combiners;
use crate::base::names::declare;
use ir::{BinOp, FuncId, Function, InstKind, IntPred, Module, Operand, TypeId};

/// Places of a list.
pub(super) const COUNT: usize = 0;
const ROOM: usize = 1;
pub(super) const BASE: usize = 2;
pub(super) const MIXED: usize = 3;
pub(super) const FIRST: usize = 4;

const TWO_FORMATS: &str = "a message of records with floats of two formats: send them one by one\n";
const NOT_FOLLOWED: &str = "a message of a type that is made by another function than MPI_Type_contiguous, \
    MPI_Type_vector, MPI_Type_create_hvector, MPI_Type_indexed, MPI_Type_create_hindexed, \
    MPI_Type_create_indexed_block, MPI_Type_create_hindexed_block, MPI_Type_create_struct, \
    MPI_Type_create_subarray, MPI_Type_create_resized and MPI_Type_dup: send its parts one by one\n";
const UNKNOWN: &str = "a message of a type in which there are other numbers than MPI_DOUBLE, MPI_FLOAT and integers: \
    what lies in it is not known\n";

impl Code<'_> {
    /// Ends the gradient where a condition holds.
    fn stop_if(&mut self, cond: Operand, why: &str) {
        let [stop, go] = ["stop", "go"].map(|n| self.b.f.add_block(n));
        self.b.cond_br(cond, stop, go);
        self.b.at = stop;
        self.stop(why);
        self.b.at = go;
    }

    /// A number of a list of `int`s.
    fn number(&mut self, list: Operand, index: Operand) -> Operand {
        let (four, i32t) = (self.long(4), self.i32t);
        let offset = self.times(index, four);
        let at = self.b.offset_by(list, offset);
        let number = self.b.load(i32t, at, 4);
        self.widened(number)
    }

    /// A number of a list of those of 64 bits.
    fn long_number(&mut self, list: Operand, index: Operand) -> Operand {
        let (eight, i64t) = (self.long(8), self.i64t);
        let offset = self.times(index, eight);
        let at = self.b.offset_by(list, offset);
        self.b.load(i64t, at, 8)
    }

    fn plus(&mut self, a: Operand, b: Operand) -> Operand {
        self.b.binary(BinOp::Add, a, b)
    }

    /// Gives the list of a type that is MPI's own.
    fn give_own_types(&mut self, list: FuncId, ty: Operand) {
        let (zero, one, handles) = (self.long(0), self.long(1), self.handles);
        let (double, float) = (handles.double(self.b.m), handles.float(self.b.m));
        for (pair, base) in [(handles.double_with_index(self.b.m), double), (handles.float_with_index(self.b.m), float)]
        {
            let same = self.is(ty, pair);
            self.when(same, |c| {
                let made = c.call(list, vec![base, one, one]);
                c.give(made);
            });
        }
        let (known, none) = (self.known(ty), self.long(-1));
        let followed = self.is_not(known, none);
        self.when(followed, |c| {
            let floats = c.is_not(known, zero);
            let (count, mixed) = (c.b.select(floats, one, zero), c.b.select(floats, zero, one));
            let made = c.call(list, vec![ty, count, mixed]);
            c.give(made);
        });
    }
}

/// `ptr @__adj_message_list(type base, i64 count, i64 mixed)`: a list with a float at no displacement, or with none.
fn list(m: &mut Module, handle: TypeId) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let mut c = match Code::new(m, "__adj_message_list", ptr, &[handle, i64t, i64t]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let [base, count, mixed] = [0, 1, 2].map(|i| c.param(i));
    let (one, room) = (c.long(1), c.long(4));
    let size = c.long(8 * (FIRST as i64 + 4));
    let made = c.zeros(one, size);
    for (place, value) in [(COUNT, count), (ROOM, room), (BASE, base), (MIXED, mixed)] {
        c.store(made, place, value);
    }
    c.finish(Some(made))
}

/// `ptr @__adj_message_append(ptr list, ptr other, i64 at)`: the list, perhaps elsewhere, with the floats of another
/// one moved to a displacement.
fn append(m: &mut Module, handle: TypeId) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let realloc = declare(m, "realloc", ptr, &[ptr, i64t]);
    let mut c = match Code::new(m, "__adj_message_append", ptr, &[ptr, ptr, i64t]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let [list, other, at] = [0, 1, 2].map(|i| c.param(i));
    let (here, zero) = (c.local(ptr), c.long(0));
    c.b.store(list, here, 8);
    let [before, more] = [list, other].map(|list| c.load(list, COUNT, i64t));
    let [base, other_base] = [list, other].map(|list| c.load(list, BASE, handle));
    let [none, some, any] = [c.is(before, zero), c.any(before), c.any(more)];
    let differ = c.is_not(base, other_base);
    let both = c.b.binary(BinOp::And, some, any);
    let two = c.b.binary(BinOp::And, both, differ);
    c.stop_if(two, TWO_FORMATS);
    c.when(none, |c| c.store(list, BASE, other_base));
    let [mixed, other_mixed] = [list, other].map(|list| c.load(list, MIXED, i64t));
    let mixed = c.b.binary(BinOp::Or, mixed, other_mixed);
    c.store(list, MIXED, mixed);
    let (all, room) = (c.plus(before, more), c.load(list, ROOM, i64t));
    let full = c.b.icmp(IntPred::Sgt, all, room);
    c.when(full, |c| {
        let (two, head, eight) = (c.long(2), c.long(FIRST as i64), c.long(8));
        let room = c.times(all, two);
        let words = c.plus(room, head);
        let bytes = c.times(words, eight);
        let larger = c.call(realloc, vec![list, bytes]);
        c.store(larger, ROOM, room);
        c.b.store(larger, here, 8);
    });
    let list = c.b.load(ptr, here, 8);
    c.store(list, COUNT, all);
    let head = c.long(FIRST as i64);
    c.each(more, |c, i| {
        let (from, to) = (c.plus(i, head), c.plus(before, i));
        let to = c.plus(to, head);
        let place = c.long_number(other, from);
        let place = c.plus(place, at);
        let eight = c.long(8);
        let offset = c.times(to, eight);
        let slot = c.b.offset_by(list, offset);
        c.b.store(place, slot, 8);
    });
    c.finish(Some(list))
}

/// `i64 @__adj_message_element(ptr ints, i64 index)`: which element of an array one of its part is, for
/// `MPI_Type_create_subarray`.
fn element(m: &mut Module) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let mut c = match Code::new(m, "__adj_message_element", i64t, &[ptr, i64t]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (ints, index) = (c.param(0), c.param(1));
    let [rest, stride, place] = [(); 3].map(|()| c.local(i64t));
    let (zero, one, two, three) = (c.long(0), c.long(1), c.long(2), c.long(3));
    for (value, at) in [(index, rest), (one, stride), (zero, place)] {
        c.b.store(value, at, 8);
    }
    // ints: { rank, sizes, sizes of the part, where it begins, order }
    let rank = c.number(ints, zero);
    let last = c.times(rank, three);
    let last = c.plus(last, one);
    let (order, of_c) = (c.number(ints, last), c.long(i64::from(c.handles.order_of_c())));
    let is_c = c.is(order, of_c);
    c.each(rank, |c, i| {
        // The dimension whose elements are neighbours comes first: in C, it is the last.
        let from_behind = c.b.binary(BinOp::Sub, rank, i);
        let from_behind = c.b.binary(BinOp::Sub, from_behind, one);
        let d = c.b.select(is_c, from_behind, i);
        let size = c.plus(d, one);
        let [part, from] = [one, two].map(|n| {
            let behind = c.times(rank, n);
            c.plus(size, behind)
        });
        let [size, part, from] = [size, part, from].map(|index| c.number(ints, index));
        let [left, step, sum] = [rest, stride, place].map(|at| c.b.load(i64t, at, 8));
        let (along, left) = (c.b.binary(BinOp::SRem, left, part), c.b.binary(BinOp::SDiv, left, part));
        let along = c.plus(along, from);
        let far = c.times(along, step);
        for (value, at) in [(left, rest), (c.times(step, size), stride), (c.plus(sum, far), place)] {
            c.b.store(value, at, 8);
        }
    });
    let found = c.b.load(i64t, place, 8);
    c.finish(Some(found))
}

/// How long a block is and where it begins, by `ints`, `addresses`, the extent and the number of the block, and by how
/// many blocks there are.
type Says = fn(&mut Code, [Operand; 4], Operand) -> [Operand; 2];

/// The ways in which types are made of blocks: their number, whether there are several blocks (`ints` begins with how
/// many), and what each block is.
fn ways_of_blocks(names: Combiners) -> [(i32, bool, Says); 10] {
    let one_block: Says = |c, [ints, ..], _| {
        let zero = c.long(0);
        [c.number(ints, zero), zero]
    };
    let single: Says = |c, _, _| [c.long(1), c.long(0)];
    let vector: Says = |c, [ints, _, extent, j], _| {
        let (one, two) = (c.long(1), c.long(2));
        let (length, stride) = (c.number(ints, one), c.number(ints, two));
        let elements = c.times(j, stride);
        [length, c.times(elements, extent)]
    };
    let hvector: Says = |c, [ints, addresses, _, j], _| {
        let (zero, one) = (c.long(0), c.long(1));
        let (length, stride) = (c.number(ints, one), c.long_number(addresses, zero));
        [length, c.times(j, stride)]
    };
    let indexed: Says = |c, [ints, _, extent, j], blocks| {
        let one = c.long(1);
        let at = c.plus(j, one);
        let (length, behind) = (c.number(ints, at), c.plus(at, blocks));
        let place = c.number(ints, behind);
        [length, c.times(place, extent)]
    };
    let hindexed: Says = |c, [ints, addresses, _, j], _| {
        let one = c.long(1);
        let at = c.plus(j, one);
        [c.number(ints, at), c.long_number(addresses, j)]
    };
    let indexed_block: Says = |c, [ints, _, extent, j], _| {
        let (one, two) = (c.long(1), c.long(2));
        let at = c.plus(j, two);
        let (length, place) = (c.number(ints, one), c.number(ints, at));
        [length, c.times(place, extent)]
    };
    let hindexed_block: Says = |c, [ints, addresses, _, j], _| {
        let one = c.long(1);
        [c.number(ints, one), c.long_number(addresses, j)]
    };
    [
        (names.dup, false, single),
        (names.resized, false, single),
        (names.contiguous, false, one_block),
        (names.vector, true, vector),
        (names.hvector, true, hvector),
        (names.indexed, true, indexed),
        (names.hindexed, true, hindexed),
        (names.indexed_block, true, indexed_block),
        (names.hindexed_block, true, hindexed_block),
        (names.structure, true, hindexed),
    ]
}

/// `void @__adj_message_block(i32 made, ptr ints, ptr addresses, i64 extent, i64 block, ptr out)`: how many elements a
/// block of a type has, and where they begin. For block -1, how many blocks there are.
fn block(m: &mut Module) -> FuncId {
    let (ptr, i32t, i64t, void) = (m.types.ptr(), m.types.int(32), m.types.int(64), m.types.void());
    let element = element(m);
    let mut c = match Code::new(m, "__adj_message_block", void, &[i32t, ptr, ptr, i64t, i64t, ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let [made, ints, addresses, extent, index, out] = [0, 1, 2, 3, 4, 5].map(|i| c.param(i));
    let (zero, one, names) = (c.long(0), c.long(1), c.handles.combiners());
    let ask = c.b.icmp(IntPred::Slt, index, zero);
    for (number, several, says) in ways_of_blocks(names) {
        let number = c.int(number);
        let same = c.is(made, number);
        let [this, next] = ["this", "next"].map(|n| c.b.f.add_block(n));
        c.b.cond_br(same, this, next);
        c.b.at = this;
        let blocks = if several { c.number(ints, zero) } else { one };
        let [asked, told] = ["asked", "told"].map(|n| c.b.f.add_block(n));
        c.b.cond_br(ask, asked, told);
        c.b.at = asked;
        c.store(out, 0, blocks);
        c.b.effect(InstKind::Ret(None));
        c.b.at = told;
        let [length, place] = says(&mut c, [ints, addresses, extent, index], blocks);
        c.store(out, 0, length);
        c.store(out, 1, place);
        c.b.effect(InstKind::Ret(None));
        c.b.at = next;
    }
    // What is left is a part of an array: blocks of one element.
    let [asked, told] = ["asked", "told"].map(|n| c.b.f.add_block(n));
    c.b.cond_br(ask, asked, told);
    c.b.at = asked;
    c.store(out, 0, one);
    let rank = c.number(ints, zero);
    c.each(rank, |c, d| {
        let index = c.plus(rank, d);
        let index = c.plus(index, one);
        let (part, all) = (c.number(ints, index), c.load(out, 0, i64t));
        let all = c.times(all, part);
        c.store(out, 0, all);
    });
    c.b.effect(InstKind::Ret(None));
    c.b.at = told;
    let place = c.call(element, vec![ints, index]);
    let place = c.times(place, extent);
    c.store(out, 0, one);
    c.store(out, 1, place);
    c.finish(None)
}

/// `ptr @__adj_message_places(type, i64 ours)`: the list of the floats of a type, to be freed by the caller. A type
/// that is ours is freed.
pub(super) fn places(m: &mut Module, handle: TypeId) -> FuncId {
    const NAME: &str = "__adj_message_places";
    let (ptr, i32t, i64t) = (m.types.ptr(), m.types.int(32), m.types.int(64));
    let (list, append, block) = (list(m, handle), append(m, handle), block(m));
    let mut c = match Code::new(m, NAME, ptr, &[handle, i64t]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    // It calls itself.
    let own = c.b.m.functions.push(Function::new(NAME, ptr, &[handle, i64t]));
    let (ty, ours) = (c.param(0), c.param(1));
    let (zero, one, none, names) = (c.long(0), c.long(1), c.long(-1), c.handles.combiners());
    c.give_own_types(list, ty);
    let numbers = [(); 4].map(|()| c.local(i32t));
    c.mpi("Type_get_envelope", [&[ty][..], &numbers].concat());
    let [int_count, address_count, type_count, made] = numbers.map(|at| c.b.load(i32t, at, 4));
    let is_named = {
        let named = c.int(names.named);
        c.is(made, named)
    };
    c.stop_if(is_named, UNKNOWN);
    let mut unknown = c.b.m.int(1, 1);
    for number in names.followed() {
        let number = c.int(number);
        let other = c.is_not(made, number);
        unknown = c.b.binary(BinOp::And, unknown, other);
    }
    c.stop_if(unknown, NOT_FOLLOWED);
    let eight = c.long(8);
    let [ints, addresses, olds] = [int_count, address_count, type_count].map(|count| {
        let count = c.widened(count);
        // There may be none.
        let count = c.plus(count, one);
        c.zeros(count, eight)
    });
    c.mpi("Type_get_contents", vec![ty, int_count, address_count, type_count, ints, addresses, olds]);
    let [lower, extent] = [(); 2].map(|()| c.local(i64t));
    let (inner, out, result) = (c.local(ptr), c.room(16), c.local(ptr));
    let null = c.null();
    c.b.store(null, inner, 8);
    let double = c.handles.double(c.b.m);
    let empty = c.call(list, vec![double, zero, zero]);
    c.b.store(empty, result, 8);
    let (align, record) = (c.b.align(handle), c.int(names.structure));
    let is_record = c.is(made, record);
    c.b.call(block, vec![made, ints, addresses, zero, none, out]);
    let blocks = c.load(out, 0, i64t);
    // Without any block, what it was made of is still to be freed.
    let no_blocks = c.is(blocks, zero);
    let rounds = c.b.select(no_blocks, one, blocks);
    let size_of_handle = c.long(c.b.m.size_of(handle) as i64);
    c.each(rounds, |c, j| {
        let first = c.is(j, zero);
        let anew = c.b.binary(BinOp::Or, first, is_record);
        c.when(anew, |c| {
            let index = c.b.select(is_record, j, zero);
            let offset = c.times(index, size_of_handle);
            let at = c.b.offset_by(olds, offset);
            let old = c.b.load(handle, at, align);
            c.mpi("Type_get_extent", vec![old, lower, extent]);
            let before = c.b.load(ptr, inner, 8);
            c.free(before);
            let floats = c.call(own, vec![old, one]);
            c.b.store(floats, inner, 8);
        });
        let some = c.b.icmp(IntPred::Slt, j, blocks);
        c.when(some, |c| {
            let (step, floats) = (c.b.load(i64t, extent, 8), c.b.load(ptr, inner, 8));
            c.b.call(block, vec![made, ints, addresses, step, j, out]);
            let (length, place) = (c.load(out, 0, i64t), c.load(out, 1, i64t));
            c.each(length, |c, k| {
                let along = c.times(k, step);
                let at = c.plus(place, along);
                let all = c.b.load(ptr, result, 8);
                let all = c.call(append, vec![all, floats, at]);
                c.b.store(all, result, 8);
            });
        });
    });
    let floats = c.b.load(ptr, inner, 8);
    for block in [floats, ints, addresses, olds] {
        c.free(block);
    }
    let is_ours = c.any(ours);
    c.when(is_ours, |c| {
        let slot = c.local(handle);
        c.b.store(ty, slot, align);
        c.mpi("Type_free", vec![slot]);
    });
    let all = c.b.load(ptr, result, 8);
    c.b.effect(InstKind::Ret(Some(all)));
    c.b.m.functions[own] = c.b.f;
    own
}
