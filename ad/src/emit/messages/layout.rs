//! Where the floats of a buffer lie whose type was made from others (MPI 4.0, 5.1), or has an index beside each.
//!
//! Adjoints travel as floats side by side, whatever the type of the program lays out: both sides of a message have to
//! agree on the floats alone. So a call with such a type has a *layout* on the tape, made while the type is there (the
//! program may free it): the basic type, how many floats an element has, how far the next element is, how
//! `MPI_Get_count` is to be asked and how many floats each that it counts has, and where each float of an element lies
//! ([`super::places`]). The frame says how many floats there are, and their basic type.

use super::Call;
use super::code::Code;
use super::places;
use crate::program::mpi::{Buffer, Count, Row, Whose};
use crate::runtime::tape::tape_alloc;
use ir::{BinOp, FuncId, IntPred, Module, Operand, TypeId};

/// Places of a layout.
const BASE: usize = 0;
const PER: usize = 1;
const EXTENT: usize = 2;
const COUNTED: usize = 3;
const TIMES: usize = 4;
const FLOATS: usize = 5;

/// A buffer: its address, and how its floats lie, if not side by side. Both may be null when it runs.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub at: Operand,
    pub layout: Option<Operand>,
}

impl From<Operand> for Spot {
    fn from(at: Operand) -> Spot {
        Spot { at, layout: None }
    }
}

/// `ptr @__adj_message_layout(ptr tape, type)`: how the floats of a type lie; null if they do side by side, or if it is
/// a type of MPI's own that is not followed.
fn layout(m: &mut Module, handle: TypeId) -> FuncId {
    let (ptr, i32t, i64t) = (m.types.ptr(), m.types.int(32), m.types.int(64));
    let (alloc, places) = (tape_alloc(m), places::places(m, handle));
    let mut c = match Code::new(m, "__adj_message_layout", ptr, &[ptr, handle]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (tape, ty) = (c.param(0), c.param(1));
    let (known, none, null) = (c.known(ty), c.long(-1), c.null());
    let is_known = c.is_not(known, none);
    c.when(is_known, |c| c.give(null));
    let numbers = [(); 4].map(|()| c.local(i32t));
    c.mpi("Type_get_envelope", [&[ty][..], &numbers].concat());
    let (made, named) = (c.b.load(i32t, numbers[3], 4), c.int(c.handles.combiners().named));
    let mut unknown = c.is(made, named);
    for pair in [c.handles.double_with_index(c.b.m), c.handles.float_with_index(c.b.m)] {
        let other = c.is_not(ty, pair);
        unknown = c.b.binary(BinOp::And, unknown, other);
    }
    c.when(unknown, |c| c.give(null));
    let (zero, one, eight) = (c.long(0), c.long(1), c.long(8));
    let found = c.call(places, vec![ty, zero]);
    let [lower, extent] = [(); 2].map(|()| c.local(i64t));
    c.mpi("Type_get_extent", vec![ty, lower, extent]);
    let [count, mixed] = [places::COUNT, places::MIXED].map(|place| c.load(found, place, i64t));
    let (base, whole, mixed) = (c.load(found, places::BASE, handle), c.b.load(i64t, extent, 8), c.any(mixed));
    let head = c.long(FLOATS as i64);
    let words = c.b.binary(BinOp::Add, count, head);
    let size = c.times(words, eight);
    let made = c.call(alloc, vec![tape, size]);
    // Elements are counted where there are other numbers among the floats.
    let (counted, times) = (c.b.select(mixed, ty, base), c.b.select(mixed, count, one));
    for (place, value) in [(BASE, base), (PER, count), (EXTENT, whole), (COUNTED, counted), (TIMES, times)] {
        c.store(made, place, value);
    }
    c.each(count, |c, i| {
        let offset = c.times(i, eight);
        let (from, to) = (c.b.offset_by(found, offset), c.b.offset_by(made, offset));
        let (place, to) = (c.load(from, places::FIRST, i64t), c.b.offset(to, 8 * FLOATS as u64));
        c.b.store(place, to, 8);
    });
    c.free(found);
    c.finish(Some(made))
}

/// `ptr @__adj_message_float(ptr at, ptr layout, i64 index)`: the address of a float.
fn float(m: &mut Module) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let mut c = match Code::new(m, "__adj_message_float", ptr, &[ptr, ptr, i64t]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let [at, layout, index] = [0, 1, 2].map(|i| c.param(i));
    let (per, extent) = (c.load(layout, PER, i64t), c.load(layout, EXTENT, i64t));
    let (element, within) = (c.b.binary(BinOp::SDiv, index, per), c.b.binary(BinOp::SRem, index, per));
    let (eight, far) = (c.long(8), c.times(element, extent));
    let offset = c.times(within, eight);
    let place = c.b.offset_by(layout, offset);
    let place = c.load(place, FLOATS, i64t);
    let offset = c.b.binary(BinOp::Add, far, place);
    let address = c.b.offset_by(at, offset);
    c.finish(Some(address))
}

/// What is done with floats of a layout.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Move {
    /// Those of a room are added.
    Add,
    /// Those of a room take their place.
    Put,
    /// They are cleared.
    Clear,
    /// They go to a room.
    Out,
}

impl Move {
    fn name(self) -> &'static str {
        match self {
            Move::Add => "__adj_message_add_each",
            Move::Put => "__adj_message_put_each",
            Move::Clear => "__adj_message_clear_each",
            Move::Out => "__adj_message_out_each",
        }
    }
}

/// `ptr @…(ptr at, ptr layout, ptr room, i64 count, i64 bytes)`: moves so many floats between a buffer, unless it is
/// null, and a room, in which they lie side by side. Where then what is sent lies: in the room, or in the buffer if its
/// floats lie side by side.
fn moved(m: &mut Module, what: Move) -> FuncId {
    let (ptr, i64t, float) = (m.types.ptr(), m.types.int(64), float(m));
    let mut c = match Code::new(m, what.name(), ptr, &[ptr, ptr, ptr, i64t, i64t]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let [at, layout, room, count, bytes] = [0, 1, 2, 3, 4].map(|i| c.param(i));
    let nowhere = c.is_null(at);
    c.when(nowhere, |c| c.give(room));
    let dense = c.is_null(layout);
    c.when(dense, |c| {
        match what {
            Move::Add => c.add_dense(at, room, count, bytes),
            Move::Clear => c.clear_dense(at, count, bytes),
            Move::Put | Move::Out => {}
        }
        c.give(at);
    });
    c.each(count, |c, i| {
        let (here, zero, double) =
            (c.call(float, vec![at, layout, i]), c.long(0), c.b.m.types.float(ir::FloatKind::Double));
        match what {
            Move::Add => {
                let (old, new) = (c.float_at(here, zero, bytes), c.float_at(room, i, bytes));
                let sum = c.b.binary(BinOp::FAdd, old, new);
                c.put_float(sum, here, zero, bytes);
            }
            Move::Put => {
                let new = c.float_at(room, i, bytes);
                c.put_float(new, here, zero, bytes);
            }
            Move::Clear => {
                let nothing = c.b.m.zero(double);
                c.put_float(nothing, here, zero, bytes);
            }
            Move::Out => {
                let value = c.float_at(here, zero, bytes);
                c.put_float(value, room, i, bytes);
            }
        }
    });
    c.finish(Some(room))
}

/// `ptr @__adj_message_part(ptr at, ptr layout, i64 floats, i64 bytes)`: the address behind so many floats, which are
/// whole elements; null if there is no buffer.
fn part(m: &mut Module) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let mut c = match Code::new(m, "__adj_message_part", ptr, &[ptr, ptr, i64t, i64t]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let [at, layout, floats, bytes] = [0, 1, 2, 3].map(|i| c.param(i));
    let nowhere = c.is_null(at);
    c.when(nowhere, |c| c.give(at));
    let dense = c.is_null(layout);
    c.when(dense, |c| {
        let offset = c.times(floats, bytes);
        let behind = c.b.offset_by(at, offset);
        c.give(behind);
    });
    let (per, extent, zero) = (c.load(layout, PER, i64t), c.load(layout, EXTENT, i64t), c.long(0));
    let some = c.b.icmp(IntPred::Sgt, per, zero);
    c.when(some, |c| {
        let elements = c.b.binary(BinOp::SDiv, floats, per);
        let offset = c.times(elements, extent);
        let behind = c.b.offset_by(at, offset);
        c.give(behind);
    });
    c.finish(Some(at))
}

impl Code<'_> {
    fn moved(&mut self, what: Move, spot: Spot, room: Operand, (count, bytes): (Operand, Operand)) -> Operand {
        let layout = spot.layout.unwrap_or_else(|| self.null());
        let f = moved(self.b.m, what);
        self.call(f, vec![spot.at, layout, room, count, bytes])
    }

    /// Adds the floats of a room to those of a buffer, if there is one.
    pub fn add(&mut self, to: impl Into<Spot>, from: Operand, count: Operand, bytes: Operand) {
        let to = to.into();
        match to.layout {
            None => self.add_dense(to.at, from, count, bytes),
            Some(_) => drop(self.moved(Move::Add, to, from, (count, bytes))),
        }
    }

    /// Clears the floats of a buffer, if there is one.
    pub fn clear(&mut self, to: impl Into<Spot>, count: Operand, bytes: Operand) {
        let (to, null) = (to.into(), self.null());
        match to.layout {
            None => self.clear_dense(to.at, count, bytes),
            Some(_) => drop(self.moved(Move::Clear, to, null, (count, bytes))),
        }
    }

    /// Where the floats of a buffer lie side by side: there, or in a room, which also stands in for a buffer that is
    /// not there.
    pub fn or(&mut self, from: impl Into<Spot>, room: Operand, count: Operand, bytes: Operand) -> Operand {
        let from = from.into();
        match from.layout {
            None => {
                let none = self.is_null(from.at);
                self.b.select(none, room, from.at)
            }
            Some(_) => self.moved(Move::Out, from, room, (count, bytes)),
        }
    }

    /// What came into the room that stands in for a buffer goes where it belongs.
    pub fn put_back(&mut self, to: Spot, room: Operand, count: Operand, bytes: Operand) {
        if to.layout.is_some() {
            self.moved(Move::Put, to, room, (count, bytes));
        }
    }

    /// One buffer or another.
    pub fn choose(&mut self, cond: Operand, this: impl Into<Spot>, that: impl Into<Spot>) -> Spot {
        let (this, that) = (this.into(), that.into());
        let at = self.b.select(cond, this.at, that.at);
        let layout = (this.layout.is_some() || that.layout.is_some()).then(|| {
            let [this, that] = [this, that].map(|spot| spot.layout.unwrap_or_else(|| self.null()));
            self.b.select(cond, this, that)
        });
        Spot { at, layout }
    }

    /// A part among parts of so many floats each; null if there are none.
    pub fn element(&mut self, base: impl Into<Spot>, (index, count, bytes): (Operand, Operand, Operand)) -> Spot {
        let base = base.into();
        let (floats, layout) = (self.times(index, count), base.layout.unwrap_or_else(|| self.null()));
        let f = part(self.b.m);
        let at = self.call(f, vec![base.at, layout, floats, bytes]);
        Spot { at, ..base }
    }

    /// How many floats have come, as `MPI_Get_count` tells of a status.
    pub fn come(&mut self, layout: Operand, ty: Operand, status: Operand) -> Operand {
        let (number, counted) = (self.local(self.i32t), self.told(Some(layout), COUNTED, ty));
        self.mpi("Get_count", vec![status, counted, number]);
        let (null, i32t, i64t) = (self.null(), self.i32t, self.i64t);
        let any = self.is_not(layout, null);
        self.when(any, |c| {
            let (elements, times) = (c.b.load(i32t, number, 4), c.load(layout, TIMES, i64t));
            let times = c.narrowed(times);
            let floats = c.times(elements, times);
            c.b.store(floats, number, 4);
        });
        self.b.load(i32t, number, 4)
    }

    /// The type of the floats of a type.
    pub fn base(&mut self, layout: Option<Operand>, ty: Operand) -> Operand {
        self.told(layout, BASE, ty)
    }

    /// A type that a layout tells, or another one if there is no layout.
    fn told(&mut self, layout: Option<Operand>, place: usize, other: Operand) -> Operand {
        let Some(layout) = layout else { return other };
        let handle = self.b.ty(other);
        let (slot, align, null) = (self.local(handle), self.b.align(handle), self.null());
        self.b.store(other, slot, align);
        let any = self.is_not(layout, null);
        self.when(any, |c| {
            let told = c.load(layout, place, handle);
            c.b.store(told, slot, align);
        });
        self.b.load(handle, slot, align)
    }

    /// Ends the gradient if a buffer that may hold floats, which its bit tells, has a type of integers.
    fn not_integers(&mut self, floats: Operand, bit: Operand, ty: Operand) {
        let (asked, none, zero) = (self.b.binary(BinOp::And, floats, bit), self.int(0), self.long(0));
        let (may, known) = (self.is_not(asked, none), self.known(ty));
        let integers = self.is(known, zero);
        let lost = self.b.binary(BinOp::And, may, integers);
        let [stop, go] = ["stop", "go"].map(|n| self.b.f.add_block(n));
        self.b.cond_br(lost, stop, go);
        self.b.at = stop;
        self.stop("memory that may hold floats is sent or received as integers\n");
        self.b.at = go;
    }

    /// The bytes from one element of a type to the next.
    pub fn extent_of(&mut self, ty: Operand) -> Operand {
        let i64t = self.i64t;
        let [lower, extent] = [(); 2].map(|()| self.local(i64t));
        self.mpi("Type_get_extent", vec![ty, lower, extent]);
        let (below, zero) = (self.b.load(i64t, lower, 8), self.long(0));
        let below = self.b.icmp(IntPred::Slt, below, zero);
        let [stop, go] = ["stop", "go"].map(|n| self.b.f.add_block(n));
        self.b.cond_br(below, stop, go);
        self.b.at = stop;
        self.stop(
            "a message of a type that begins before its address has no tangent where another call completes it\n",
        );
        self.b.at = go;
        self.b.load(i64t, extent, 8)
    }
}

impl Call<'_> {
    /// Does a rank have a buffer: is it not in place, nor one that the root alone has?
    pub(super) fn is_there(&mut self, buffer: &Buffer) -> Operand {
        let (in_place, at) = (self.c.handles.in_place(self.c.b.m), self.arg(buffer.at));
        let there = self.c.is_not(at, in_place);
        let Whose::Root(root, comm) = buffer.whose else { return there };
        let (root, comm) = (self.count(root), self.arg(comm));
        let [rank, _] = self.c.ranks(comm);
        let is_root = self.c.is(rank, root);
        self.c.b.binary(BinOp::And, there, is_root)
    }

    /// The layouts of the buffers go into the frame, with how many floats they have and of which type. (In forward mode
    /// what is only begun has its tangents in elements of the program's type.)
    pub(super) fn lay_out(&mut self, row: &Row) {
        let given = self.given();
        let (tape, at, i64t) = (self.tape(), self.at, self.c.i64t);
        let as_given = !self.listed && row.begins();
        for (index, buffer) in row.buffers.iter().enumerate() {
            let (null, place) = (self.c.null(), self.frame.layout(index));
            self.c.store(at, place, null);
            let (there, ty) = (self.is_there(buffer), given[buffer.ty]);
            let (handle, last) = (self.c.b.ty(ty), self.frame.args.len() + self.frame.buffers + 2);
            let (floats, bit) = (self.c.param(last), self.c.int(1 << index));
            self.c.when(there, |c| {
                let (Count::Whole(count) | Count::Each(count)) = buffer.count else {
                    return c.not_integers(floats, bit, ty);
                };
                let f = layout(c.b.m, handle);
                let found = c.call(f, vec![tape, ty]);
                c.store(at, place, found);
                let (any, base) = (c.is_not(found, null), c.base(Some(found), ty));
                c.not_integers(floats, bit, base);
                if as_given {
                    return;
                }
                c.when(any, |c| {
                    let per = c.load(found, PER, i64t);
                    let elements = c.widened(given[count]);
                    let floats = c.times(elements, per);
                    let floats = c.narrowed(floats);
                    for (place, value) in [(count, floats), (buffer.ty, base)] {
                        c.store(at, place, value);
                    }
                });
            });
        }
    }
}
