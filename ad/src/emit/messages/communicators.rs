//! Communicators that are made and freed in what is differentiated (MPI 4.0, 7.4).
//!
//! The reverse sends by the communicators of the program, so one that the program frees is freed by the reverse of
//! the call that has made it, behind all of its messages. Until then it stands in a list. (One that was made elsewhere
//! is not freed: nobody here knows when the reverse is over.)

use super::Call;
use super::code::Code;
use crate::base::names::declare;
use ir::{FuncId, InstKind, Module, Operand};

/// Places of an entry: the next one, the handle.
const NEXT: usize = 0;
const HANDLE: usize = 1;
const ENTRY: i64 = 2 * 8;

fn first(c: &mut Code) -> Operand {
    c.variable("__adj_communicators")
}

/// `void @__adj_communicator_frees(comm)`: an entry for a communicator that the program frees.
fn frees(m: &mut Module) -> FuncId {
    let (ptr, void, handle) = (m.types.ptr(), m.types.void(), super::library::Handles::of(m).ty(m));
    let mut c = match Code::new(m, "__adj_communicator_frees", void, &[handle]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (comm, one, size) = (c.param(0), c.long(1), c.long(ENTRY));
    let (entry, first) = (c.zeros(one, size), first(&mut c));
    let before = c.b.load(ptr, first, 8);
    c.store(entry, NEXT, before);
    c.store(entry, HANDLE, comm);
    c.b.store(entry, first, 8);
    c.finish(None)
}

/// `void @__adj_communicator_made(comm)`: frees a communicator for which there is an entry.
fn made(m: &mut Module) -> FuncId {
    let (ptr, i32t, void, handle) =
        (m.types.ptr(), m.types.int(32), m.types.void(), super::library::Handles::of(m).ty(m));
    let free = declare(m, "MPI_Comm_free", i32t, &[ptr]);
    let mut c = match Code::new(m, "__adj_communicator_made", void, &[handle]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (comm, first, slot) = (c.param(0), first(&mut c), c.local(handle));
    let align = c.b.align(handle);
    c.b.store(comm, slot, align);
    // Where the address of the entry stands: in the variable, or in the entry before.
    let place = c.local(ptr);
    c.b.store(first, place, 8);
    let entry = c.b.load(ptr, first, 8);
    c.walk(entry, |c, entry| {
        let (theirs, next) = (c.load(entry, HANDLE, handle), c.load(entry, NEXT, ptr));
        let same = c.is(theirs, comm);
        c.when(same, |c| {
            let before = c.b.load(ptr, place, 8);
            c.b.store(next, before, 8);
            c.free(entry);
            c.b.call(free, vec![slot]);
            c.b.effect(InstKind::Ret(None));
            c.b.at = c.b.f.add_block("never");
        });
        let at = c.b.offset(entry, 8 * NEXT as u64);
        c.b.store(at, place, 8);
        next
    });
    c.finish(None)
}

impl Call<'_> {
    /// A communicator is made, and left where an argument says.
    pub(super) fn make_communicator(&mut self, out: usize) -> Operand {
        let result = self.as_it_is();
        let (handle, at, place) = (self.c.handles.ty(self.c.b.m), self.given()[out], self.frame.more(0));
        let align = self.c.b.align(handle);
        let comm = self.c.b.load(handle, at, align);
        self.c.store(self.at, place, comm);
        result
    }

    /// Its reverse.
    pub(super) fn make_communicator_back(&mut self) {
        let (handle, place, made) = (self.c.handles.ty(self.c.b.m), self.frame.more(0), made(self.c.b.m));
        let comm = self.c.load(self.at, place, handle);
        self.c.b.call(made, vec![comm]);
    }

    /// A communicator is to be freed; the program is told that it is.
    pub(super) fn free_communicator(&mut self) -> Operand {
        let (handle, at, frees) = (self.c.handles.ty(self.c.b.m), self.given()[0], frees(self.c.b.m));
        let (align, none) = (self.c.b.align(handle), self.c.handles.no_communicator(self.c.b.m));
        let comm = self.c.b.load(handle, at, align);
        self.c.b.call(frees, vec![comm]);
        self.c.b.store(none, at, align);
        self.c.int(0)
    }
}
