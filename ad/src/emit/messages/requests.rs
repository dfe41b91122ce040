//! Messages that are begun by one call and completed by another (MPI 4.0, 3.7).
//!
//! Where the program waits for a message, its reverse begins the transposed one, and where the program begins it, the
//! reverse waits: what overlapped with computation overlaps again. A *node* on the tape tells of each message. The
//! call that completes it finds the node by the request, in a list of the nodes whose messages have been begun and not
//! reversed, the last one first. (Requests of messages that are complete at once may be equal. Then any of their nodes
//! will do: all of them were begun before, and each is found once.)
//!
//! Messages from one rank to another with one tag arrive in the order in which they were sent; so those of the reverse
//! must begin in the opposite order on both sides. The order in which the program begins them is that one, but it may
//! wait for them in any order. So the reverse of a wait is *deferred* while a message of the same partner, direction
//! and tag was begun later by the program and has not been begun by the reverse. Collective operations of a
//! communicator are in one order on all ranks; where some are only begun, all have nodes, and the same holds for them.

use super::Call;
use super::code::Code;
use super::layout::Spot;
use crate::base::builder::plain_call;
use crate::program::mpi::{self, Kind, Row};
use crate::runtime::tape::tape_alloc;
use ir::{BinOp, FuncId, Function, InstKind, Module, Operand};

/// The variable with the list of requests.
pub(super) const LIST: &str = "__adj_messages";

/// Places of a node.
pub(super) const BEFORE: usize = 0;
const BEHIND: usize = 1;
pub(super) const TAPE: usize = 2;
pub(super) const KIND: usize = 3;
pub(super) const STATE: usize = 4;
pub(super) const SHADOW: usize = 5;
pub(super) const COUNT: usize = 6;
pub(super) const TYPE: usize = 7;
pub(super) const PEER: usize = 8;
pub(super) const TAG: usize = 9;
pub(super) const COMM: usize = 10;
pub(super) const REQUEST: usize = 11;
pub(super) const ROOM: usize = 12;
pub(super) const BYTES: usize = 13;
pub(super) const LAYOUT: usize = 14;
/// Of a collective operation: the function that begins the transposed one, and the frame that this takes.
pub(super) const BEGIN: usize = 15;
pub(super) const FRAME: usize = 16;
const NODE: i64 = 17 * 8;

/// Kinds of messages: no floats, sent, received, among all ranks.
pub(super) const PLAIN: i64 = 0;
pub(super) const SENT: i64 = 1;
pub(super) const RECEIVED: i64 = 2;
pub(super) const COLLECTIVE: i64 = 3;

/// States: begun, completed, to be begun by the reverse, begun by the reverse; made, to be started later.
pub(super) const PENDING: i64 = 0;
pub(super) const COMPLETED: i64 = 1;
const DEFERRED: i64 = 2;
const BEGUN: i64 = 3;
pub(super) const PERSISTENT: i64 = 4;

/// What of the functions that a gradient is made of is listed, so that its reverse begins it in its order. (Not what of
/// the module: a gradient that needs no list can be differentiated again.)
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Lists {
    /// Messages: some are begun by one call and completed by another.
    pub messages: bool,
    /// Collective operations: some are only begun.
    pub collectives: bool,
}

impl Lists {
    /// Of the functions that a gradient is made of.
    pub(crate) fn of<'f>(m: &Module, functions: impl Iterator<Item = &'f Function>) -> Lists {
        let mut lists = Lists::default();
        for inst in functions.flat_map(|f| f.inst_order().map(|(_, inst)| &f.insts[inst])) {
            let callee = inst.kind.as_call().and_then(|call| m.as_function(call.callee));
            let Some(row) = callee.and_then(|f| mpi::lookup(&m.functions[f])) else { continue };
            lists.messages |= row.begins() && row.request.is_none();
            lists.collectives |= row.request.is_some();
        }
        lists
    }

    /// What is listed of the calls of a function; its name is another one then.
    pub(super) fn name(self, row: &Row) -> &'static str {
        let message = matches!(row.kind, Kind::Send | Kind::Recv | Kind::Exchange | Kind::Replace);
        let collective = row.collective().is_some() && row.request.is_none();
        if message && self.messages || collective && self.collectives { "_listed" } else { "" }
    }
}

fn last(c: &mut Code) -> Operand {
    c.variable(LIST)
}

/// `ptr @__adj_message_post(ptr tape, i64 kind, i64 state, ptr shadow, i32 count, type, i32 peer, i32 tag, comm, i64
/// bytes, ptr layout)`: a new node, the last of the list; without a tape, in a block of its own.
pub(super) fn post(m: &mut Module) -> FuncId {
    let (ptr, i64t, i32t) = (m.types.ptr(), m.types.int(64), m.types.int(32));
    let (alloc, handle) = (tape_alloc(m), super::library::Handles::of(m).ty(m));
    let params = [ptr, i64t, i64t, ptr, i32t, handle, i32t, i32t, handle, i64t, ptr];
    let mut c = match Code::new(m, "__adj_message_post", ptr, &params) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (tape, size) = (c.param(0), c.long(NODE));
    let slot = c.local(ptr);
    let (one, none) = (c.long(1), c.is_null(tape));
    let [aside, on_tape, made] = ["aside", "on_tape", "made"].map(|n| c.b.f.add_block(n));
    c.b.cond_br(none, aside, on_tape);
    c.b.at = aside;
    let node = c.zeros(one, size);
    c.b.store(node, slot, 8);
    c.b.br(made);
    c.b.at = on_tape;
    let node = c.call(alloc, vec![tape, size]);
    c.b.store(node, slot, 8);
    c.b.br(made);
    c.b.at = made;
    let node = c.b.load(ptr, slot, 8);
    let places = [TAPE, KIND, STATE, SHADOW, COUNT, TYPE, PEER, TAG, COMM, BYTES, LAYOUT];
    for (index, place) in places.into_iter().enumerate() {
        let value = c.param(index);
        c.store(node, place, value);
    }
    let (last, null) = (last(&mut c), c.null());
    let before = c.b.load(ptr, last, 8);
    c.store(node, BEFORE, before);
    c.store(node, BEHIND, null);
    c.store(node, ROOM, null);
    let any = c.is_not(before, null);
    c.when(any, |c| c.store(before, BEHIND, node));
    c.b.store(node, last, 8);
    c.finish(Some(node))
}

/// `void @__adj_message_drop(ptr node)`: takes a node out of the list.
pub(super) fn drop_node(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let mut c = match Code::new(m, "__adj_message_drop", void, &[ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let node = c.param(0);
    let (before, behind) = (c.load(node, BEFORE, ptr), c.load(node, BEHIND, ptr));
    let (last, null) = (last(&mut c), c.null());
    let any = c.is_not(before, null);
    c.when(any, |c| c.store(before, BEHIND, behind));
    let any = c.is_not(behind, null);
    c.when(any, |c| c.store(behind, BEFORE, before));
    let was_last = c.is(behind, null);
    c.when(was_last, |c| c.b.store(before, last, 8));
    c.finish(None)
}

/// `ptr @__adj_message_of(request)`: the node of a pending message; null for the null request, and for one that can be
/// started and is not. One that was begun elsewhere stops the gradient.
pub(super) fn find(m: &mut Module) -> FuncId {
    let ptr = m.types.ptr();
    let handle = super::library::Handles::of(m).ty(m);
    let made = super::persistent::find(m);
    let mut c = match Code::new(m, "__adj_message_of", ptr, &[handle]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (request, null) = (c.param(0), c.null());
    let no_request = c.handles.no_request(c.b.m);
    let none = c.is(request, no_request);
    c.when(none, |c| c.give(null));
    c.look_for(PENDING, request);
    let idle = c.call(made, vec![request]);
    let is_idle = c.is_not(idle, null);
    c.when(is_idle, |c| c.give(null));
    c.stop("a request that was not begun in what is differentiated is waited for there\n");
    let f = c.b.f;
    c.b.m.functions.push(f)
}

/// `ptr @__adj_message_came(ptr node, ptr status)`: a message is complete; the node, or null if it has no floats.
pub(super) fn came(m: &mut Module) -> FuncId {
    let (ptr, i64t, i32t) = (m.types.ptr(), m.types.int(64), m.types.int(32));
    let drop_node = drop_node(m);
    let mut c = match Code::new(m, "__adj_message_came", ptr, &[ptr, ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (node, status, null) = (c.param(0), c.param(1), c.null());
    let none = c.is_null(node);
    c.when(none, |c| c.give(null));
    let completed = c.long(COMPLETED);
    c.store(node, STATE, completed);
    let (kind, plain, received) = (c.load(node, KIND, i64t), c.long(PLAIN), c.long(RECEIVED));
    let is_plain = c.is(kind, plain);
    c.when(is_plain, |c| {
        c.b.call(drop_node, vec![node]);
        c.give(null);
    });
    let is_received = c.is(kind, received);
    c.when(is_received, |c| {
        let (handles, handle) = (c.handles, c.handles.ty(c.b.m));
        let (ty, layout) = (c.load(node, TYPE, handle), c.load(node, LAYOUT, ptr));
        let number = c.come(layout, ty, status);
        c.store(node, COUNT, number);
        for (place, offset) in [(PEER, handles.source()), (TAG, handles.tag())] {
            let at = c.b.offset(status, offset);
            let value = c.b.load(i32t, at, 4);
            c.store(node, place, value);
        }
    });
    c.finish(Some(node))
}

/// `i1 @__adj_message_waits(ptr node)`: must its reverse wait for that of a message that was begun later?
fn waits(m: &mut Module) -> FuncId {
    let (ptr, i64t, i32t, i1) = (m.types.ptr(), m.types.int(64), m.types.int(32), m.types.int(1));
    let mut c = match Code::new(m, "__adj_message_waits", i1, &[ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (node, handle) = (c.param(0), c.handles.ty(c.b.m));
    let (yes, no, begun) = (c.b.m.int(1, 1), c.b.m.int(1, 0), c.long(BEGUN));
    let first = c.load(node, BEHIND, ptr);
    let places = [(TAPE, ptr), (KIND, i64t), (PEER, i32t), (TAG, i32t), (COMM, handle)];
    c.walk(first, |c, other| {
        let state = c.load(other, STATE, i64t);
        let mut same = c.is_not(state, begun);
        for (place, ty) in places {
            let (ours, theirs) = (c.load(node, place, ty), c.load(other, place, ty));
            let equal = c.is(ours, theirs);
            same = c.b.binary(BinOp::And, same, equal);
        }
        c.when(same, |c| c.give(yes));
        c.load(other, BEHIND, ptr)
    });
    c.finish(Some(no))
}

/// `void @__adj_message_start(ptr node)`: begins the transposed message.
fn start(m: &mut Module) -> FuncId {
    let (ptr, i64t, i32t, void) = (m.types.ptr(), m.types.int(64), m.types.int(32), m.types.void());
    let mut c = match Code::new(m, "__adj_message_start", void, &[ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (node, handle, nobody) = (c.param(0), c.handles.ty(c.b.m), c.handles.nobody());
    let begun = c.long(BEGUN);
    c.store(node, STATE, begun);
    let (kind, collective) = (c.load(node, KIND, i64t), c.long(COLLECTIVE));
    let is_collective = c.is(kind, collective);
    c.when(is_collective, |c| {
        let request = c.b.offset(node, 8 * REQUEST as u64);
        let (none, align) = (c.handles.no_request(c.b.m), c.b.align(handle));
        c.b.store(none, request, align);
        let (begin, frame) = (c.load(node, BEGIN, ptr), c.load(node, FRAME, ptr));
        let fn_ty = c.b.m.types.intern(ir::Type::Func { ret: void, params: vec![ptr, ptr], vararg: false });
        c.b.effect(InstKind::Call(Box::new(plain_call(begin, fn_ty, vec![frame, request], String::new()))));
        c.b.effect(InstKind::Ret(None));
        c.b.at = c.b.f.add_block("never");
    });
    let (peer, nobody) = (c.load(node, PEER, i32t), c.int(nobody));
    let somebody = c.is_not(peer, nobody);
    c.when(somebody, |c| {
        let (number, bytes, kind) = (c.load(node, COUNT, i32t), c.load(node, BYTES, i64t), c.load(node, KIND, i64t));
        let (count, shadow) = (c.widened(number), c.shadow_of(node));
        let room = c.zeros(count, bytes);
        c.store(node, ROOM, room);
        let (ty, tag, comm) = (c.load(node, TYPE, handle), c.load(node, TAG, i32t), c.load(node, COMM, handle));
        let request = c.b.offset(node, 8 * REQUEST as u64);
        let (sent, received) = (c.long(SENT), c.long(RECEIVED));
        let is_sent = c.is(kind, sent);
        c.when(is_sent, |c| {
            c.mpi("Irecv", vec![room, number, ty, peer, tag, comm, request]);
        });
        let is_received = c.is(kind, received);
        c.when(is_received, |c| {
            let from = c.or(shadow, room, count, bytes);
            c.mpi("Isend", vec![from, number, ty, peer, tag, comm, request]);
        });
    });
    c.finish(None)
}

/// `void @__adj_message_release()`: begins what was deferred and waits for nothing any more.
fn release(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let (waits, start) = (waits(m), start(m));
    let mut c = match Code::new(m, "__adj_message_release", void, &[]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let first = last(&mut c);
    let first = c.b.load(ptr, first, 8);
    // The last first, so that one that begins lets the one before it begin.
    c.walk(first, |c, node| {
        let (state, deferred) = (c.load(node, STATE, i64t), c.long(DEFERRED));
        let is_deferred = c.is(state, deferred);
        c.when(is_deferred, |c| {
            let (waits, no) = (c.call(waits, vec![node]), c.b.m.int(1, 0));
            let goes = c.is(waits, no);
            c.when(goes, |c| {
                c.b.call(start, vec![node]);
            });
        });
        c.load(node, BEFORE, ptr)
    });
    c.finish(None)
}

/// `void @__adj_message_begin(ptr node)`: the reverse of what completes a message.
pub(super) fn begin(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let release = release(m);
    let mut c = match Code::new(m, "__adj_message_begin", void, &[ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (node, null) = (c.param(0), c.null());
    let any = c.is_not(node, null);
    c.when(any, |c| {
        let deferred = c.long(DEFERRED);
        c.store(node, STATE, deferred);
        c.b.call(release, vec![]);
    });
    c.finish(None)
}

/// `void @__adj_message_end(ptr node)`: the reverse of what begins a message.
pub(super) fn end(m: &mut Module) -> FuncId {
    let (ptr, i64t, i32t, void) = (m.types.ptr(), m.types.int(64), m.types.int(32), m.types.void());
    let (start, drop_node, release) = (start(m), drop_node(m), release(m));
    let mut c = match Code::new(m, "__adj_message_end", void, &[ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (node, nobody) = (c.param(0), c.handles.nobody());
    let (state, deferred) = (c.load(node, STATE, i64t), c.long(DEFERRED));
    let is_deferred = c.is(state, deferred);
    c.when(is_deferred, |c| {
        c.b.call(start, vec![node]);
    });
    let (state, begun) = (c.load(node, STATE, i64t), c.long(BEGUN));
    let never = c.is_not(state, begun);
    let [stop, go] = ["stop", "go"].map(|n| c.b.f.add_block(n));
    c.b.cond_br(never, stop, go);
    c.b.at = stop;
    c.stop("a message is begun in what is differentiated, and nothing there waits until it is complete\n");
    c.b.at = go;
    let (kind, collective) = (c.load(node, KIND, i64t), c.long(COLLECTIVE));
    let is_collective = c.is(kind, collective);
    c.when(is_collective, |c| {
        let request = c.b.offset(node, 8 * REQUEST as u64);
        let ignore = c.handles.ignore(c.b.m);
        c.mpi("Wait", vec![request, ignore]);
        c.b.call(drop_node, vec![node]);
        c.b.call(release, vec![]);
        c.b.effect(InstKind::Ret(None));
        c.b.at = c.b.f.add_block("never");
    });
    let (peer, nobody) = (c.load(node, PEER, i32t), c.int(nobody));
    let somebody = c.is_not(peer, nobody);
    c.when(somebody, |c| {
        let (number, bytes) = (c.load(node, COUNT, i32t), c.load(node, BYTES, i64t));
        let (count, shadow, room) = (c.widened(number), c.shadow_of(node), c.load(node, ROOM, ptr));
        let request = c.b.offset(node, 8 * REQUEST as u64);
        let ignore = c.handles.ignore(c.b.m);
        c.mpi("Wait", vec![request, ignore]);
        let (sent, received) = (c.long(SENT), c.long(RECEIVED));
        let is_sent = c.is(kind, sent);
        c.when(is_sent, |c| c.add(shadow, room, count, bytes));
        let is_received = c.is(kind, received);
        c.when(is_received, |c| c.clear(shadow, count, bytes));
        c.free(room);
    });
    c.b.call(drop_node, vec![node]);
    c.b.call(release, vec![]);
    c.finish(None)
}

/// `void @__adj_message_end_if_any(ptr node)`: the same, unless there are no floats in the message.
pub(super) fn end_if_any(m: &mut Module) -> FuncId {
    let (ptr, i64t, void, end) = (m.types.ptr(), m.types.int(64), m.types.void(), end(m));
    let mut c = match Code::new(m, "__adj_message_end_if_any", void, &[ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let node = c.param(0);
    let (kind, plain) = (c.load(node, KIND, i64t), c.long(PLAIN));
    let floats = c.is_not(kind, plain);
    c.when(floats, |c| {
        c.b.call(end, vec![node]);
    });
    c.finish(None)
}

/// `void @__adj_message_settle(ptr node)`: in forward mode, a message is complete; so are its tangents then, each of
/// which has a link: the next one, its request, what stands in for a constant buffer (null if there is nothing to give
/// back), and whether the link belongs to a request that can be started again.
pub(super) fn settle(m: &mut Module) -> FuncId {
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let drop_node = drop_node(m);
    let mut c = match Code::new(m, "__adj_message_settle", void, &[ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (node, null) = (c.param(0), c.null());
    let any = c.is_not(node, null);
    c.when(any, |c| {
        let first = c.load(node, ROOM, ptr);
        c.walk(first, |c, link| {
            let (next, room) = (c.load(link, 0, ptr), c.load(link, 2, ptr));
            let (request, ignore) = (c.b.offset(link, 8), c.handles.ignore(c.b.m));
            c.mpi("Wait", vec![request, ignore]);
            let (stays, no) = (c.load(link, 3, i64t), c.long(0));
            let goes = c.is(stays, no);
            c.when(goes, |c| {
                c.free(room);
                c.free(link);
            });
            next
        });
        c.b.call(drop_node, vec![node]);
        c.free(node);
    });
    c.finish(None)
}

impl Code<'_> {
    /// Returns the last node of a state that has a request, if there is one.
    pub fn look_for(&mut self, state: i64, request: Operand) {
        let (ptr, i64t, handle) = (self.ptr, self.i64t, self.b.ty(request));
        let first = last(self);
        let first = self.b.load(ptr, first, 8);
        self.walk(first, |c, node| {
            let (theirs, other) = (c.load(node, STATE, i64t), c.load(node, REQUEST, handle));
            let state = c.long(state);
            let (is_so, same) = (c.is(theirs, state), c.is(other, request));
            let found = c.b.binary(BinOp::And, is_so, same);
            c.when(found, |c| c.give(node));
            c.load(node, BEFORE, ptr)
        });
    }

    /// The shadow of a node's buffer.
    fn shadow_of(&mut self, node: Operand) -> Spot {
        let ptr = self.ptr;
        Spot { at: self.load(node, SHADOW, ptr), layout: Some(self.load(node, LAYOUT, ptr)) }
    }

    /// Follows a list from a node on; the body says which is the next one.
    pub fn walk(&mut self, first: Operand, body: impl FnOnce(&mut Self, Operand) -> Operand) {
        let entry = self.b.at;
        let [head, inner, done] = ["head", "body", "done"].map(|n| self.b.f.add_block(n));
        self.b.br(head);
        self.b.at = head;
        let phi = self.b.push(InstKind::Phi { fast: Default::default(), incoming: vec![(first, entry)] }, self.ptr);
        let node = self.b.result(phi);
        let end = self.is_null(node);
        self.b.cond_br(end, done, inner);
        self.b.at = inner;
        let next = body(self, node);
        self.b.br(head);
        let last = self.b.at;
        if let InstKind::Phi { incoming, .. } = &mut self.b.f.insts[phi].kind {
            incoming.push((next, last));
        }
        self.b.at = done;
    }
}

/// Where a message's arguments stand: the buffer among the buffers, and number, type, partner, tag, communicator.
pub(super) type Message = (usize, [usize; 5]);

impl Call<'_> {
    /// A node for a message whose arguments stand in the frame; one of a plain message if there are no floats in it.
    pub(super) fn post(&mut self, (kind, state): (i64, i64), (buffer, rest): Message) -> Operand {
        let ptr = self.c.ptr;
        let [shadow, layout] = [self.frame.shadow(buffer), self.frame.layout(buffer)];
        let [shadow, layout] = [shadow, layout].map(|place| self.c.load(self.at, place, ptr));
        let [count, ty, peer, tag, comm] = rest.map(|i| self.arg(i));
        let base = self.c.base(Some(layout), ty);
        let bytes = self.c.bytes_of(base);
        let floats = self.c.any(bytes);
        let (plain, kind) = (self.c.long(PLAIN), self.c.long(kind));
        let kind = self.c.b.select(floats, kind, plain);
        let (state, f) = (self.c.long(state), post(self.c.b.m));
        let tape = if self.listed { self.tape() } else { self.c.null() };
        self.c.call(f, vec![tape, kind, state, shadow, count, ty, peer, tag, comm, bytes, layout])
    }

    /// A message that is complete, in a program in which others are pending: its node is left at a place of the frame.
    pub(super) fn list(&mut self, place: usize, kind: i64, message: Message) {
        if self.listed && self.lists.messages {
            let node = self.post((kind, COMPLETED), message);
            let place = self.frame.more(place);
            self.c.store(self.at, place, node);
        }
    }

    /// The reverse of such a message has been carried out.
    pub(super) fn unlist(&mut self, places: &[usize]) {
        if self.lists.messages {
            self.unlist_all(places);
        }
    }

    pub(super) fn unlist_all(&mut self, places: &[usize]) {
        let (drop_node, release, ptr) = (drop_node(self.c.b.m), release(self.c.b.m), self.c.ptr);
        for place in places {
            let place = self.frame.more(*place);
            let node = self.c.load(self.at, place, ptr);
            self.c.b.call(drop_node, vec![node]);
        }
        self.c.b.call(release, vec![]);
    }

    /// The request that a call has left where an argument says.
    pub(super) fn note_request(&mut self, node: Operand, request: usize) {
        let (handle, at) = (self.c.handles.ty(self.c.b.m), self.given()[request]);
        let align = self.c.b.align(handle);
        let request = self.c.b.load(handle, at, align);
        self.c.store(node, REQUEST, request);
    }

    /// `Isend` and `Irecv`.
    pub(super) fn begin(&mut self, kind: i64) -> Operand {
        if kind == RECEIVED {
            self.only_from_one(3, 4);
        }
        let node = self.post((kind, PENDING), (0, [1, 2, 3, 4, 5]));
        let place = self.frame.more(0);
        self.c.store(self.at, place, node);
        let result = self.as_it_is();
        self.note_request(node, 6);
        result
    }

    /// Their reverse.
    pub(super) fn end_back(&mut self) {
        let (place, ptr, end) = (self.frame.more(0), self.c.ptr, end_if_any(self.c.b.m));
        let node = self.c.load(self.at, place, ptr);
        self.c.b.call(end, vec![node]);
    }
}
