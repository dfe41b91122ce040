//! What is done with the floats of messages: added, cleared, and told from other data where only a run can tell.

use super::code::Code;
use crate::base::names::declare;
use crate::runtime::tape;
use ir::{FloatKind, FuncId, Module, Operand};

/// `i64 @__adj_message_known(type)`: 8 for `MPI_DOUBLE`, 4 for `MPI_FLOAT`, 0 for types that are no floats, -1 for
/// others.
fn known(m: &mut Module, handle: ir::TypeId) -> FuncId {
    let i64t = m.types.int(64);
    let mut c = match Code::new(m, "__adj_message_known", i64t, &[handle]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (ty, handles) = (c.param(0), c.handles);
    let (double, float) = (handles.double(c.b.m), handles.float(c.b.m));
    let known = [(double, 8), (float, 4)].into_iter();
    for (handle, bytes) in known.chain(handles.integers(c.b.m).into_iter().map(|handle| (handle, 0))) {
        let same = c.is(ty, handle);
        let bytes = c.long(bytes);
        c.when(same, |c| c.give(bytes));
    }
    let other = c.long(-1);
    c.finish(Some(other))
}

/// `i64 @__adj_message_bytes(type)`: the same; other types stop the gradient, for what lies in such a message is not
/// known.
fn bytes_of(m: &mut Module, handle: ir::TypeId) -> FuncId {
    let (i64t, known) = (m.types.int(64), known(m, handle));
    let mut c = match Code::new(m, "__adj_message_bytes", i64t, &[handle]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let ty = c.param(0);
    let (bytes, none) = (c.call(known, vec![ty]), c.long(-1));
    let known = c.is_not(bytes, none);
    c.when(known, |c| c.give(bytes));
    c.stop("a message of another type than MPI_DOUBLE or MPI_FLOAT: what lies in it is not known\n");
    let f = c.b.f;
    c.b.m.functions.push(f)
}

/// `void @__adj_message_add(ptr to, ptr from, i64 count, i64 bytes)`: moves the floats in `from` to `to`, where
/// they are added, unless one of them is null. `from` is clear behind it.
fn add(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let kinds = [(FloatKind::Double, 8), (FloatKind::Float, 4)];
    let sums = kinds.map(|(kind, bytes)| (tape::accumulate(m, kind, false), bytes));
    let mut c = match Code::new(m, "__adj_message_add", void, &[ptr, ptr, i64t, i64t]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let [to, from, count, bytes] = [0, 1, 2, 3].map(|i| c.param(i));
    let null = c.null();
    let [to_there, from_there] = [to, from].map(|p| c.is_not(p, null));
    let there = c.b.binary(ir::BinOp::And, to_there, from_there);
    c.when(there, |c| {
        for (sum, size) in sums {
            let size = c.long(size);
            let this = c.is(bytes, size);
            c.when(this, |c| {
                c.b.call(sum, vec![from, to, count, size]);
            });
        }
    });
    c.finish(None)
}

/// `void @__adj_message_clear(ptr to, i64 count, i64 bytes)`: clears so many floats, unless the address is null.
fn clear(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let mut c = match Code::new(m, "__adj_message_clear", void, &[ptr, i64t, i64t]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let [to, count, bytes] = [0, 1, 2].map(|i| c.param(i));
    let null = c.null();
    let there = c.is_not(to, null);
    c.when(there, |c| {
        let length = c.times(count, bytes);
        tape::clear(&mut c.b, to, length);
    });
    c.finish(None)
}

impl Code<'_> {
    /// The size of the floats of a type; 0 if it has none.
    pub fn bytes_of(&mut self, ty: Operand) -> Operand {
        let handle = self.b.ty(ty);
        let f = bytes_of(self.b.m, handle);
        self.call(f, vec![ty])
    }

    /// The size of the floats of a type; -1 if it is none that is known by its handle.
    pub fn known(&mut self, ty: Operand) -> Operand {
        let handle = self.b.ty(ty);
        let f = known(self.b.m, handle);
        self.call(f, vec![ty])
    }

    /// Adds floats that lie side by side.
    pub fn add_dense(&mut self, to: Operand, from: Operand, count: Operand, bytes: Operand) {
        let f = add(self.b.m);
        self.b.call(f, vec![to, from, count, bytes]);
    }

    /// Clears floats that lie side by side.
    pub fn clear_dense(&mut self, to: Operand, count: Operand, bytes: Operand) {
        let f = clear(self.b.m);
        self.b.call(f, vec![to, count, bytes]);
    }

    /// Room for so many floats, all zero, to be given back by [`Code::free`].
    pub fn zeros(&mut self, count: Operand, bytes: Operand) -> Operand {
        let calloc = declare(self.b.m, "calloc", self.ptr, &[self.i64t, self.i64t]);
        self.call(calloc, vec![count, bytes])
    }

    pub fn free(&mut self, block: Operand) {
        let void = self.b.m.types.void();
        let free = declare(self.b.m, "free", void, &[self.ptr]);
        self.b.call(free, vec![block]);
    }
}
