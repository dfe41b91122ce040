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
//! and tag was begun later by the program and has not been begun by the reverse.

use super::Call;
use super::code::Code;
use super::library::STATUS;
use crate::program::mpi;
use crate::runtime::tape::tape_alloc;
use ir::{BinOp, FuncId, InstKind, Module, Operand};

/// Places of a node.
const BEFORE: usize = 0;
const BEHIND: usize = 1;
const TAPE: usize = 2;
const KIND: usize = 3;
const STATE: usize = 4;
const SHADOW: usize = 5;
const COUNT: usize = 6;
const TYPE: usize = 7;
const PEER: usize = 8;
const TAG: usize = 9;
const COMM: usize = 10;
const REQUEST: usize = 11;
const ROOM: usize = 12;
const BYTES: usize = 13;
const NODE: i64 = 14 * 8;

/// Kinds of messages: no floats, sent, received.
const PLAIN: i64 = 0;
pub(super) const SENT: i64 = 1;
pub(super) const RECEIVED: i64 = 2;

/// States: begun, completed, to be begun by the reverse, begun by the reverse.
const PENDING: i64 = 0;
const COMPLETED: i64 = 1;
const DEFERRED: i64 = 2;
const BEGUN: i64 = 3;

/// Has the module messages that are begun by one call and completed by another?
pub(super) fn are_used(m: &Module) -> bool {
    m.functions
        .values()
        .any(|f| mpi::lookup(f).is_some_and(|row| matches!(row.kind, mpi::Kind::Isend | mpi::Kind::Irecv)))
}

fn last(c: &mut Code) -> Operand {
    c.variable("__adj_messages")
}

/// `ptr @__adj_message_post(ptr tape, i64 kind, i64 state, ptr shadow, i32 count, type, i32 peer, i32 tag, comm, i64
/// bytes)`: a new node, the last of the list; without a tape, in a block of its own.
fn post(m: &mut Module) -> FuncId {
    let (ptr, i64t, i32t) = (m.types.ptr(), m.types.int(64), m.types.int(32));
    let (alloc, handle) = (tape_alloc(m), super::library::Handles::of(m).ty(m));
    let params = [ptr, i64t, i64t, ptr, i32t, handle, i32t, i32t, handle, i64t];
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
    let places = [TAPE, KIND, STATE, SHADOW, COUNT, TYPE, PEER, TAG, COMM, BYTES];
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
fn drop_node(m: &mut Module) -> FuncId {
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

/// `ptr @__adj_message_of(request)`: the node of a pending message; null for the null request. One that was begun
/// elsewhere stops the gradient.
fn find(m: &mut Module) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let handle = super::library::Handles::of(m).ty(m);
    let mut c = match Code::new(m, "__adj_message_of", ptr, &[handle]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let (request, null) = (c.param(0), c.null());
    let no_request = c.handles.no_request(c.b.m);
    let none = c.is(request, no_request);
    c.when(none, |c| c.give(null));
    let first = last(&mut c);
    let first = c.b.load(ptr, first, 8);
    c.walk(first, |c, node| {
        let (state, theirs) = (c.load(node, STATE, i64t), c.load(node, REQUEST, handle));
        let pending = c.long(PENDING);
        let (is_pending, same) = (c.is(state, pending), c.is(theirs, request));
        let found = c.b.binary(BinOp::And, is_pending, same);
        c.when(found, |c| c.give(node));
        c.load(node, BEFORE, ptr)
    });
    c.stop("a request that was not begun in what is differentiated is waited for there\n");
    let f = c.b.f;
    c.b.m.functions.push(f)
}

/// `ptr @__adj_message_came(ptr node, ptr status)`: a message is complete; the node, or null if it has no floats.
fn came(m: &mut Module) -> FuncId {
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
        let (ty, number) = (c.load(node, TYPE, handle), c.local(i32t));
        c.mpi("Get_count", vec![status, ty, number]);
        let number = c.b.load(i32t, number, 4);
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
    let (peer, nobody) = (c.load(node, PEER, i32t), c.int(nobody));
    let somebody = c.is_not(peer, nobody);
    c.when(somebody, |c| {
        let (number, bytes, kind) = (c.load(node, COUNT, i32t), c.load(node, BYTES, i64t), c.load(node, KIND, i64t));
        let (count, shadow) = (c.widened(number), c.load(node, SHADOW, ptr));
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
            let from = c.or(shadow, room);
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
fn begin(m: &mut Module) -> FuncId {
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
fn end(m: &mut Module) -> FuncId {
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
    let (peer, nobody) = (c.load(node, PEER, i32t), c.int(nobody));
    let somebody = c.is_not(peer, nobody);
    c.when(somebody, |c| {
        let (number, bytes, kind) = (c.load(node, COUNT, i32t), c.load(node, BYTES, i64t), c.load(node, KIND, i64t));
        let (count, shadow, room) = (c.widened(number), c.load(node, SHADOW, ptr), c.load(node, ROOM, ptr));
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

/// `void @__adj_message_settle(ptr node)`: in forward mode, a message is complete; so are its tangents then, each of
/// which has a link: the next one, its request, and what stands in for a constant buffer.
fn settle(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
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
            c.free(room);
            c.free(link);
            next
        });
        c.b.call(drop_node, vec![node]);
        c.free(node);
    });
    c.finish(None)
}

impl Code<'_> {
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

/// Where a message's arguments stand: shadow (a place of the frame), number, type, partner, tag, communicator.
pub(super) type Message = [usize; 6];

impl Call<'_> {
    /// A node for a message whose arguments stand in the frame, if there are floats in it; else null, or one of a plain
    /// message.
    fn post(&mut self, (kind, state): (i64, i64), [shadow, count, ty, peer, tag, comm]: Message) -> Operand {
        let bytes = self.bytes(ty);
        let floats = self.c.any(bytes);
        let (plain, kind) = (self.c.long(PLAIN), self.c.long(kind));
        let kind = self.c.b.select(floats, kind, plain);
        let (state, ptr) = (self.c.long(state), self.c.ptr);
        let shadow = self.c.load(self.at, shadow, ptr);
        let [count, ty, peer, tag, comm] = [count, ty, peer, tag, comm].map(|i| self.arg(i));
        let f = post(self.c.b.m);
        let tape = if self.listed { self.tape() } else { self.c.null() };
        self.c.call(f, vec![tape, kind, state, shadow, count, ty, peer, tag, comm, bytes])
    }

    /// A message that is complete, in a program in which others are pending: its node is left at a place of the frame.
    pub(super) fn list(&mut self, place: usize, kind: i64, message: Message) {
        if self.listed && are_used(self.c.b.m) {
            let node = self.post((kind, COMPLETED), message);
            let place = self.frame.more(place);
            self.c.store(self.at, place, node);
        }
    }

    /// The reverse of such a message has been carried out.
    pub(super) fn unlist(&mut self, places: &[usize]) {
        if !are_used(self.c.b.m) {
            return;
        }
        let (drop_node, release, ptr) = (drop_node(self.c.b.m), release(self.c.b.m), self.c.ptr);
        for place in places {
            let place = self.frame.more(*place);
            let node = self.c.load(self.at, place, ptr);
            self.c.b.call(drop_node, vec![node]);
        }
        self.c.b.call(release, vec![]);
    }

    /// `Isend` and `Irecv`.
    pub(super) fn begin(&mut self, kind: i64) -> Operand {
        let shadow = self.frame.shadow(0);
        let node = self.post((kind, PENDING), [shadow, 1, 2, 3, 4, 5]);
        let place = self.frame.more(0);
        self.c.store(self.at, place, node);
        let result = self.as_it_is();
        let (handle, at) = (self.c.handles.ty(self.c.b.m), self.given()[6]);
        let align = self.c.b.align(handle);
        let request = self.c.b.load(handle, at, align);
        self.c.store(node, REQUEST, request);
        result
    }

    /// A tangent of theirs travels likewise; it is complete when they are.
    pub(super) fn begin_tangent(&mut self, name: &str, received: bool) {
        let (place, ptr) = (self.frame.more(0), self.c.ptr);
        let (node, dual, bytes, count) =
            (self.c.load(self.at, place, ptr), self.c.param(1), self.bytes(2), self.count(1));
        let [number, ty, peer, tag, comm] = [1, 2, 3, 4, 5].map(|i| self.arg(i));
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
            let (one, size) = (c.long(1), c.long(3 * 8));
            let (link, room, before) = (c.zeros(one, size), c.zeros(count, bytes), c.load(node, ROOM, ptr));
            c.store(link, 0, before);
            c.store(link, 2, room);
            c.store(node, ROOM, link);
            let (at, request) = (c.or(dual, room), c.b.offset(link, 8));
            c.mpi(name, vec![at, number, ty, peer, tag, comm, request]);
        });
    }

    /// Their reverse.
    pub(super) fn end_back(&mut self) {
        let (place, ptr, bytes) = (self.frame.more(0), self.c.ptr, self.bytes(2));
        let floats = self.c.any(bytes);
        let node = self.c.load(self.at, place, ptr);
        let end = end(self.c.b.m);
        self.c.when(floats, |c| {
            c.b.call(end, vec![node]);
        });
    }

    /// What waits for requests, or asks whether they are complete. Which arguments are: their number, the requests, the
    /// index of the one that is complete, whether any is, and the statuses.
    pub(super) fn complete(
        &mut self,
        (count, requests, index, flag, statuses): (Option<usize>, usize, Option<usize>, Option<usize>, usize),
    ) -> Operand {
        let mut args = self.given();
        let (one, i32t) = (self.c.long(1), self.c.i32t);
        let number = count.map_or(one, |count| self.c.widened(args[count]));
        let (handle, find, came) = (self.c.handles.ty(self.c.b.m), find(self.c.b.m), came(self.c.b.m));
        let (bytes, settle, listed) = (self.c.b.m.size_of(handle), settle(self.c.b.m), self.listed);
        let (alloc, tape, eight) = (tape_alloc(self.c.b.m), self.tape(), self.c.long(8));
        let length = self.c.times(number, eight);
        let nodes = self.c.call(alloc, vec![tape, length]);
        let (place, numbers) = (self.frame.more(0), self.frame.more(1));
        self.c.store(self.at, place, nodes);
        self.c.store(self.at, numbers, number);
        // The requests as they were, and statuses of our own if the program wants none.
        let before = self.c.zeros(number, eight);
        self.c.each(number, |c, i| {
            let size = c.long(bytes as i64);
            let (from, to) = (c.times(i, size), c.times(i, eight));
            let (from, to) = (c.b.offset_by(args[requests], from), c.b.offset_by(before, to));
            let request = c.b.load(handle, from, bytes);
            c.b.store(request, to, 8);
        });
        let several = index.is_none() && count.is_some();
        let all = if several { number } else { one };
        let size = self.c.long(STATUS as i64);
        let own = self.c.zeros(all, size);
        let ignore = self.c.handles.ignore(self.c.b.m);
        let ignored = self.c.is(args[statuses], ignore);
        args[statuses] = self.c.b.select(ignored, own, args[statuses]);
        let result = self.called(args.clone());
        let stride = self.c.handles.status();
        self.c.each(number, |c, i| {
            let eight = c.long(8);
            let offset = c.times(i, eight);
            let (from, to) = (c.b.offset_by(before, offset), c.b.offset_by(nodes, offset));
            let null = c.null();
            c.b.store(null, to, 8);
            let mut done = c.b.m.int(1, 1);
            if let Some(index) = index {
                let chosen = c.b.load(i32t, args[index], 4);
                let chosen = c.widened(chosen);
                done = c.is(chosen, i);
            }
            if let Some(flag) = flag {
                let (answer, no) = (c.b.load(i32t, args[flag], 4), c.int(0));
                let yes = c.is_not(answer, no);
                done = c.b.binary(BinOp::And, done, yes);
            }
            c.when(done, |c| {
                let request = c.b.load(handle, from, 8);
                let node = c.call(find, vec![request]);
                let zero = c.long(0);
                let nth = if several { i } else { zero };
                let stride = c.long(stride as i64);
                let offset = c.times(nth, stride);
                let status = c.b.offset_by(args[statuses], offset);
                if listed {
                    let node = c.call(came, vec![node, status]);
                    c.b.store(node, to, 8);
                } else {
                    c.b.call(settle, vec![node]);
                }
            });
        });
        self.c.free(before);
        self.c.free(own);
        result
    }

    /// Their reverse begins the transposed messages, the last first.
    pub(super) fn complete_back(&mut self) {
        let (place, numbers, ptr, i64t) = (self.frame.more(0), self.frame.more(1), self.c.ptr, self.c.i64t);
        let (nodes, number) = (self.c.load(self.at, place, ptr), self.c.load(self.at, numbers, i64t));
        let begin = begin(self.c.b.m);
        self.c.each(number, |c, i| {
            let (one, eight) = (c.long(1), c.long(8));
            let last = c.b.binary(BinOp::Sub, number, one);
            let mirrored = c.b.binary(BinOp::Sub, last, i);
            let offset = c.times(mirrored, eight);
            let at = c.b.offset_by(nodes, offset);
            let node = c.b.load(ptr, at, 8);
            c.b.call(begin, vec![node]);
        });
    }
}
