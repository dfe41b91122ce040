//! Requests that are made once and started again and again (MPI 4.0, 3.9).
//!
//! Such a request has a node that is only a model: each start makes a node of its own from it, which is that of a
//! message that is begun ([`super::requests`]). In forward mode the tangents have requests of the same kind, as links
//! of the model, which are started behind it.

use super::Call;
use super::code::Code;
use super::requests::{
    BYTES, COMM, COMPLETED, COUNT, KIND, LAYOUT, PEER, PENDING, PERSISTENT, RECEIVED, REQUEST, ROOM, SHADOW, STATE,
    TAG, TYPE, drop_node, end_if_any, post,
};
use crate::runtime::tape::tape_alloc;
use ir::{FuncId, Module, Operand};

/// `ptr @__adj_message_model(request)`: the model of a request; null if it is none that can be started.
pub(super) fn find(m: &mut Module) -> FuncId {
    let (ptr, handle) = (m.types.ptr(), super::library::Handles::of(m).ty(m));
    let mut c = match Code::new(m, "__adj_message_model", ptr, &[handle]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (request, null) = (c.param(0), c.null());
    c.look_for(PERSISTENT, request);
    c.finish(Some(null))
}

/// `ptr @__adj_message_started(ptr tape, request)`: a node for the message of a request that is started.
fn started(m: &mut Module) -> FuncId {
    let (ptr, i32t, i64t) = (m.types.ptr(), m.types.int(32), m.types.int(64));
    let handle = super::library::Handles::of(m).ty(m);
    let (find, post) = (find(m), post(m));
    let mut c = match Code::new(m, "__adj_message_started", ptr, &[ptr, handle]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (tape, request) = (c.param(0), c.param(1));
    let model = c.call(find, vec![request]);
    let unknown = c.is_null(model);
    let [stop, go] = ["stop", "go"].map(|n| c.b.f.add_block(n));
    c.b.cond_br(unknown, stop, go);
    c.b.at = stop;
    c.stop("a request that was not made in what is differentiated is started there\n");
    c.b.at = go;
    let places = [
        (KIND, i64t),
        (STATE, i64t),
        (SHADOW, ptr),
        (COUNT, i32t),
        (TYPE, handle),
        (PEER, i32t),
        (TAG, i32t),
        (COMM, handle),
        (BYTES, i64t),
        (LAYOUT, ptr),
    ];
    let mut args = vec![tape];
    for (place, ty) in places {
        let value = if place == STATE { c.long(PENDING) } else { c.load(model, place, ty) };
        args.push(value);
    }
    let node = c.call(post, args);
    let links = c.load(model, ROOM, ptr);
    c.store(node, ROOM, links);
    c.store(node, REQUEST, request);
    c.finish(Some(node))
}

/// `void @__adj_message_forget(ptr model)`: a request is freed, or what made it is reversed. In forward mode the
/// requests of its tangents are freed, too.
fn forget(m: &mut Module, listed: bool) -> FuncId {
    let (ptr, i64t, void, drop_node) = (m.types.ptr(), m.types.int(64), m.types.void(), drop_node(m));
    let name = if listed { "__adj_message_forget" } else { "__adj_message_forget_tangents" };
    let mut c = match Code::new(m, name, void, &[ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let model = c.param(0);
    let (state, persistent) = (c.load(model, STATE, i64t), c.long(PERSISTENT));
    let known = c.is(state, persistent);
    c.when(known, |c| {
        let completed = c.long(COMPLETED);
        c.store(model, STATE, completed);
        c.b.call(drop_node, vec![model]);
        if !listed {
            let first = c.load(model, ROOM, ptr);
            c.walk(first, |c, link| {
                let (next, request, room) = (c.load(link, 0, ptr), c.b.offset(link, 8), c.load(link, 2, ptr));
                c.mpi("Request_free", vec![request]);
                c.free(room);
                c.free(link);
                next
            });
            c.free(model);
        }
    });
    c.finish(None)
}

impl Call<'_> {
    /// `Send_init` and `Recv_init`.
    pub(super) fn make_persistent(&mut self, kind: i64) -> Operand {
        if kind == RECEIVED {
            self.only_from_one(3, 4);
        }
        let model = self.post((kind, PERSISTENT), (0, [1, 2, 3, 4, 5]));
        let place = self.frame.more(0);
        self.c.store(self.at, place, model);
        let result = self.as_it_is();
        self.note_request(model, 6);
        result
    }

    /// Their reverse.
    pub(super) fn make_persistent_back(&mut self) {
        let (place, ptr, forget) = (self.frame.more(0), self.c.ptr, forget(self.c.b.m, true));
        let model = self.c.load(self.at, place, ptr);
        self.c.b.call(forget, vec![model]);
    }

    /// `Start` and `Startall`, one request after the other: each with its tangents behind it.
    pub(super) fn start(&mut self, count: Option<usize>) -> Operand {
        let (args, ptr) = (self.given(), self.c.ptr);
        let (handle, started) = (self.c.handles.ty(self.c.b.m), started(self.c.b.m));
        let (one, eight, fine) = (self.c.long(1), self.c.long(8), self.c.int(0));
        let number = count.map_or(one, |count| self.c.widened(args[count]));
        let requests = args[usize::from(count.is_some())];
        let (alloc, tape, listed) = (tape_alloc(self.c.b.m), self.tape(), self.listed);
        let length = self.c.times(number, eight);
        let nodes = self.c.call(alloc, vec![tape, length]);
        let bytes = self.c.b.m.size_of(handle);
        let places = [self.frame.more(0), self.frame.more(1)];
        self.c.store(self.at, places[0], nodes);
        self.c.store(self.at, places[1], number);
        self.c.each(number, |c, i| {
            let size = c.long(bytes as i64);
            let (from, to) = (c.times(i, size), c.times(i, eight));
            let (at, entry) = (c.b.offset_by(requests, from), c.b.offset_by(nodes, to));
            let request = c.b.load(handle, at, bytes);
            let on_tape = if listed { tape } else { c.null() };
            let node = c.call(started, vec![on_tape, request]);
            c.b.store(node, entry, 8);
            c.mpi("Start", vec![at]);
            if !listed {
                let first = c.load(node, ROOM, ptr);
                c.walk(first, |c, link| {
                    let (next, request) = (c.load(link, 0, ptr), c.b.offset(link, 8));
                    c.mpi("Start", vec![request]);
                    next
                });
            }
        });
        fine
    }

    /// Their reverse.
    pub(super) fn start_back(&mut self) {
        let end = end_if_any(self.c.b.m);
        self.each_node_back(end);
    }

    /// `Request_free`, of a request that can be started and is not.
    pub(super) fn free_request(&mut self) -> Operand {
        let (at, handle, find) = (self.given()[0], self.c.handles.ty(self.c.b.m), find(self.c.b.m));
        let (align, forget) = (self.c.b.align(handle), forget(self.c.b.m, self.listed));
        let request = self.c.b.load(handle, at, align);
        let model = self.c.call(find, vec![request]);
        let unknown = self.c.is_null(model);
        let [stop, go] = ["stop", "go"].map(|n| self.c.b.f.add_block(n));
        self.c.b.cond_br(unknown, stop, go);
        self.c.b.at = stop;
        self.c.stop(
            "MPI_Request_free of a request that was not made by MPI_Send_init or MPI_Recv_init in what is \
             differentiated: wait for it instead\n",
        );
        self.c.b.at = go;
        self.c.b.call(forget, vec![model]);
        self.as_it_is()
    }
}
