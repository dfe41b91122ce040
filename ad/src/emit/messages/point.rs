//! Messages from one rank to one other (MPI 4.0, chapter 3).
//!
//! The adjoint of `Send(b)` is `Recv(t)` from the same rank with the same tag, and `d_b += t`; that of `Recv(b)` is
//! `Send(d_b)` to the rank that has sent, with the tag that it has sent, as many as have come, and `d_b = 0`. Messages
//! between two ranks do not overtake each other, and both sides reverse their orders, so that each finds its partner.
//!
//! What was received from `MPI_PROC_NULL` has not come, and the buffer is what it was.
//!
//! A receive from any source, or with any tag, must not take what a rank sends back that is in its reverse already. So
//! where a program has such receives, no rank begins its reverse before all have come to theirs.

use super::Call;
use super::library::{Handles, STATUS};
use super::requests::{RECEIVED, SENT};
use crate::base::builder::Builder;
use crate::base::names::declare;
use crate::program::mpi::{self, Kind, Row};
use ir::{BinOp, Function, Inst, InstKind, Module, Operand, Type};

/// What a call of a function of MPI does.
fn row(m: &Module, inst: &Inst) -> Option<&'static Row> {
    let callee = inst.kind.as_call().and_then(|call| m.as_function(call.callee)).map(|f| &m.functions[f]);
    callee.and_then(mpi::lookup)
}

/// A call that receives from one rank, or looks for a message from it.
fn receives(m: &Module, inst: &Inst) -> bool {
    let kind = row(m, inst).map(|row| row.kind);
    let callee = inst.kind.as_call().and_then(|call| m.as_function(call.callee)).map(|f| &m.functions[f]);
    matches!(kind, Some(Kind::Recv | Kind::Exchange | Kind::Replace | Kind::Irecv | Kind::RecvInit))
        || callee.is_some_and(mpi::looks_for_messages)
}

/// May a program receive from any source or with any tag? Where it says so is a constant that is passed, stored, chosen
/// or returned somewhere, or that a variable begins with.
fn takes_from_any(m: &Module) -> bool {
    let (int, any) = (m.types.find(&Type::Int(32)), [Handles::of(m).anybody(), ANY_TAG]);
    let is_any = |operand: &Operand| {
        let typed = operand.constant().is_some_and(|c| Some(m.constants.get(c).ty) == int);
        typed && m.as_int(*operand).is_some_and(|n| any.contains(&(n as u32 as i32)))
    };
    let says = |inst: &Inst| match &inst.kind {
        InstKind::Call(call) | InstKind::Invoke { call, .. } => {
            let own = m.as_function(call.callee).is_none_or(|f| !m.functions[f].is_declaration());
            (own || receives(m, inst)) && call.args.iter().any(is_any)
        }
        InstKind::Store { value, .. } => is_any(value),
        InstKind::Phi { incoming, .. } => incoming.iter().any(|(value, _)| is_any(value)),
        InstKind::Select { if_true, if_false, .. } => is_any(if_true) || is_any(if_false),
        InstKind::Ret(Some(value)) => is_any(value),
        _ => false,
    };
    let begins = m.globals.values().filter_map(|global| global.init).any(|init| is_any(&Operand::Const(init)));
    begins || m.functions.values().any(|f| f.inst_order().any(|(_, inst)| says(&f.insts[inst])))
}

/// `MPI_ANY_TAG`
const ANY_TAG: i32 = -1;

/// All ranks have come to the reverse of what they differentiate, which these functions are, if some may receive from
/// anyone before. (Another rank may differentiate another function, one that only sends.)
pub(crate) fn separate<'f>(b: &mut Builder, mut functions: impl Iterator<Item = &'f Function>) {
    let takes_part = functions.any(|f| f.inst_order().any(|(_, inst)| row(b.m, &f.insts[inst]).is_some()));
    if !takes_part || !takes_from_any(b.m) {
        return;
    }
    let (handles, i32t) = (Handles::of(b.m), b.m.types.int(32));
    let world = handles.world(b.m);
    let handle = b.ty(world);
    let barrier = declare(b.m, "MPI_Barrier", i32t, &[handle]);
    b.call(barrier, vec![world]);
}

impl Call<'_> {
    /// `MPI_Recv` with a status; number, sender and tag in the frame become those of the message that has come.
    pub(super) fn receive(&mut self) -> Operand {
        self.only_from_one(3, 4);
        let (result, status) = self.with_status(6);
        self.note((status, 0), 2, 1, [3, 4]);
        self.list(0, RECEIVED, (0, [1, 2, 3, 4, 5]));
        result
    }

    /// `MPI_Sendrecv`, likewise.
    pub(super) fn exchange(&mut self) -> Operand {
        self.only_from_one(8, 9);
        let (result, status) = self.with_status(11);
        self.note((status, 1), 7, 6, [8, 9]);
        self.list(0, SENT, (0, [1, 2, 3, 4, 10]));
        self.list(1, RECEIVED, (1, [6, 7, 8, 9, 10]));
        result
    }

    /// `MPI_Sendrecv_replace`: how many have come stands apart from how many were sent.
    pub(super) fn replace(&mut self) -> Operand {
        self.only_from_one(5, 6);
        let (result, status) = self.with_status(8);
        let place = self.frame.more(2);
        self.note((status, 0), 2, place, [5, 6]);
        self.list(0, SENT, (0, [1, 2, 3, 4, 7]));
        self.list(1, RECEIVED, (0, [1, 2, 5, 6, 7]));
        result
    }

    /// A receive from anyone that nothing in the program tells of ends the gradient ([`separate`]).
    pub(super) fn only_from_one(&mut self, source: usize, tag: usize) {
        if !self.listed || takes_from_any(self.c.b.m) {
            return;
        }
        let (source, tag) = (self.arg(source), self.arg(tag));
        let anybody = self.c.handles.anybody();
        let (anybody, any_tag) = (self.c.int(anybody), self.c.int(ANY_TAG));
        let (from_any, with_any) = (self.c.is(source, anybody), self.c.is(tag, any_tag));
        let any = self.c.b.binary(BinOp::Or, from_any, with_any);
        let [stop, go] = ["stop", "go"].map(|n| self.c.b.f.add_block(n));
        self.c.b.cond_br(any, stop, go);
        self.c.b.at = stop;
        self.c
            .stop("MPI_ANY_SOURCE or MPI_ANY_TAG comes from where it is not seen: name it in the call that receives\n");
        self.c.b.at = go;
    }

    /// Calls the function with a status: that of the program, or one of ours where it wants none.
    fn with_status(&mut self, index: usize) -> (Operand, Operand) {
        let mut args = self.given();
        let own = self.c.room(STATUS);
        let ignore = self.c.handles.ignore(self.c.b.m);
        let ignored = self.c.is(args[index], ignore);
        let status = self.c.b.select(ignored, own, args[index]);
        args[index] = status;
        (self.called(args), status)
    }

    /// What a status tells of a buffer goes into the frame.
    fn note(&mut self, (status, buffer): (Operand, usize), ty: usize, count: usize, sender: [usize; 2]) {
        let (handles, i32t, ptr) = (self.c.handles, self.c.i32t, self.c.ptr);
        let (place, ty) = (self.frame.layout(buffer), self.arg(ty));
        let layout = self.c.load(self.at, place, ptr);
        let number = self.c.come(layout, ty, status);
        self.c.store(self.at, count, number);
        for (place, offset) in sender.into_iter().zip([handles.source(), handles.tag()]) {
            let at = self.c.b.offset(status, offset);
            let value = self.c.b.load(i32t, at, 4);
            self.c.store(self.at, place, value);
        }
    }

    /// `Send(b)`: what comes back is added.
    pub(super) fn send_back(&mut self) {
        let [buffer, ty, peer, tag, comm] = [1, 2, 3, 4, 5].map(|i| self.arg(i));
        let (count, bytes, shadow) = (self.count(1), self.bytes(2), self.shadow(0));
        let floats = self.c.any(bytes);
        self.c.when(floats, |c| {
            let came = c.zeros(count, bytes);
            let ignore = c.handles.ignore(c.b.m);
            c.mpi("Recv", vec![came, buffer, ty, peer, tag, comm, ignore]);
            c.add(shadow, came, count, bytes);
            c.free(came);
        });
        self.unlist(&[0]);
    }

    /// `Recv(b)`: its adjoint goes back.
    pub(super) fn receive_back(&mut self) {
        let [number, ty, peer, tag, comm] = [1, 2, 3, 4, 5].map(|i| self.arg(i));
        let (count, bytes, shadow) = (self.count(1), self.bytes(2), self.shadow(0));
        let nobody = self.c.handles.nobody();
        let nobody = self.c.int(nobody);
        let (floats, somebody) = (self.c.any(bytes), self.c.is_not(peer, nobody));
        let sent = self.c.b.binary(BinOp::And, floats, somebody);
        self.c.when(sent, |c| {
            let nothing = c.zeros(count, bytes);
            let back = c.or(shadow, nothing, count, bytes);
            c.mpi("Send", vec![back, number, ty, peer, tag, comm]);
            c.clear(shadow, count, bytes);
            c.free(nothing);
        });
        self.unlist(&[0]);
    }

    /// `Sendrecv(s, r)`: both at once. A side that is no message of floats has no partner.
    pub(super) fn exchange_back(&mut self) {
        let [sent, sent_type, to, sent_tag] = [1, 2, 3, 4].map(|i| self.arg(i));
        let [came, came_type, from, came_tag, comm] = [6, 7, 8, 9, 10].map(|i| self.arg(i));
        let (out, back) = (self.count(1), self.count(6));
        let (out_bytes, back_bytes) = (self.bytes(2), self.bytes(7));
        let (source, target) = (self.shadow(0), self.shadow(1));
        let to = self.only(out_bytes, to);
        let from = self.only(back_bytes, from);
        let (sent_tag, came_tag) = (self.tag_to(to, sent_tag), self.tag_to(from, came_tag));
        let c = &mut self.c;
        let (nothing, room) = (c.zeros(back, back_bytes), c.zeros(out, out_bytes));
        let given = c.or(target, nothing, back, back_bytes);
        let ignore = c.handles.ignore(c.b.m);
        let (back_args, out_args) =
            (vec![given, came, came_type, from, came_tag], vec![room, sent, sent_type, to, sent_tag, comm, ignore]);
        c.mpi("Sendrecv", [back_args, out_args].concat());
        c.clear(target, back, back_bytes);
        c.add(source, room, out, out_bytes);
        c.free(nothing);
        c.free(room);
        self.unlist(&[0, 1]);
    }

    /// `Sendrecv_replace(b)`: the same, in one buffer; what has not been replaced keeps its adjoint.
    pub(super) fn replace_back(&mut self) {
        let [sent, ty, to, sent_tag, from, came_tag, comm] = [1, 2, 3, 4, 5, 6, 7].map(|i| self.arg(i));
        let place = self.frame.more(2);
        let came = self.c.load(self.at, place, self.c.i32t);
        let (out, back, bytes, shadow) = (self.count(1), self.c.widened(came), self.bytes(2), self.shadow(0));
        let (to, from) = (self.only(bytes, to), self.only(bytes, from));
        let (sent_tag, came_tag) = (self.tag_to(to, sent_tag), self.tag_to(from, came_tag));
        let c = &mut self.c;
        let (nothing, room) = (c.zeros(back, bytes), c.zeros(out, bytes));
        let given = c.or(shadow, nothing, back, bytes);
        let ignore = c.handles.ignore(c.b.m);
        c.mpi("Sendrecv", vec![given, came, ty, from, came_tag, room, sent, ty, to, sent_tag, comm, ignore]);
        c.clear(shadow, back, bytes);
        c.add(shadow, room, out, bytes);
        c.free(nothing);
        c.free(room);
        self.unlist(&[0, 1]);
    }

    /// The partner of a message of floats; of others there is none.
    pub(super) fn only(&mut self, bytes: Operand, peer: Operand) -> Operand {
        let nobody = self.c.handles.nobody();
        let nobody = self.c.int(nobody);
        let floats = self.c.any(bytes);
        self.c.b.select(floats, peer, nobody)
    }

    /// The tag of a message; what comes from nobody has none.
    pub(super) fn tag_to(&mut self, peer: Operand, tag: Operand) -> Operand {
        let nobody = self.c.handles.nobody();
        let (nobody, zero) = (self.c.int(nobody), self.c.int(0));
        let none = self.c.is(peer, nobody);
        self.c.b.select(none, zero, tag)
    }
}
