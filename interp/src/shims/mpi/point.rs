//! Messages from one rank to one other (MPI 4.0, chapter 3).
//!
//! A standard send of a short message is over at once, that of a longer one when it is received ([`World::eager`]);
//! `MPI_Ssend` always waits. A buffer that is given to a pending operation may not be touched: a receive makes its
//! buffer uninitialised until it is over, and what a pending send is to send is compared with what it was when the send
//! is awaited.

use super::kept::Sent;
use super::world::{ANY, Message, Request};
use super::{
    NOBODY, Out, Shim, ShimCall, UNDEFINED, answered, comm, datatype, flag, handover, load, open, park, poll, store,
    types, world,
};
use crate::machine::Machine;
use crate::memory::data::state;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::Interp;
use crate::threads::Progress;
use crate::value::{Pointer, Value};
use std::rc::Rc;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "Send" => |i, c| blocking(i, |i| send(i, c, 0, Sent::Standard)),
        "Ssend" => |i, c| blocking(i, |i| send(i, c, 0, Sent::Synchronous)),
        "Bsend" => |i, c| blocking(i, |i| send(i, c, 0, Sent::Buffered)),
        "Rsend" => |i, c| blocking(i, |i| send(i, c, 0, Sent::Standard)),
        "Recv" => |i, c| {
            let status = c.ptr(6)?;
            receive_blocking(i, status, |i| {
                receive(i, (c.ptr(0)?, c.int(1)?, c.int(2)?), (c.int(3)?, c.int(4)?, c.int(5)?), c, false)
            })
        },
        "Isend" => |i, c| {
            let request = send(i, c, 0, Sent::Standard)?;
            flag(i, c.ptr(6)?, request as i64 + 1)
        },
        "Issend" => |i, c| {
            let request = send(i, c, 0, Sent::Synchronous)?;
            flag(i, c.ptr(6)?, request as i64 + 1)
        },
        "Irecv" => |i, c| {
            let request = receive_by(i, c)?;
            flag(i, c.ptr(6)?, request as i64 + 1)
        },
        "Sendrecv" => exchange,
        "Sendrecv_replace" => replace,
        "Probe" => |i, c| {
            if !look(i, c, c.ptr(3)?)? {
                return Err(park(i, "a message that it probes for"));
            }
            Ok(Value::i32(0))
        },
        "Iprobe" => |i, c| {
            let found = look(i, c, c.ptr(4)?)?;
            if found {
                answered(i)?
            } else {
                poll(i)?
            }
            flag(i, c.ptr(3)?, i64::from(found))
        },
        "Get_count" | "Get_elements" => |i, c| {
            let (status, size) = (c.ptr(0)?, datatype::committed(i, c.int(1)?)?.size() as i64);
            let bytes = load(i, status.offset(12))?;
            let count = if size > 0 && bytes % size == 0 { bytes / size } else { UNDEFINED };
            flag(i, c.ptr(2)?, count)
        },
        _ => return None,
    })
}

/// Begins a send whose arguments stand from `first` on: buffer, count, type, destination, tag and communicator.
pub(super) fn send<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    first: usize,
    how: Sent,
) -> Res<usize> {
    let int = |n: usize| call.int(first + n);
    send_to(interp, (call.ptr(first)?, int(1)?, int(2)?), (int(3)?, int(4)?, int(5)?), call, how)
}

fn send_to<M: Machine>(
    interp: &mut Interp<'_, M>,
    (buffer, count, ty): (Pointer, i64, i64),
    (to, tag, communicator): (i64, i64, i64),
    call: &ShimCall<'_, M::Shadow>,
    how: Sent,
) -> Res<usize> {
    let mine = open(interp)?.rank;
    let span = datatype::span(interp, buffer, count, ty)?;
    let comm = comm::index(interp, communicator)?;
    let mut request = Request {
        receives: false,
        done: true,
        message: None,
        buffer: span.clone(),
        at: call.at,
        before: None,
        nobody: to == NOBODY,
    };
    if to == NOBODY {
        return Ok(world(interp)?.request(mine, request));
    }
    if tag < 0 {
        return Err(Fault::ub(UbKind::Library, format!("a message is sent with the tag {tag}")));
    }
    let (source, target) = {
        let world = world(interp)?;
        let members = &world.comms[comm].members;
        (members.iter().position(|m| *m == mine), members.get(to.max(0) as usize).copied().filter(|_| to >= 0))
    };
    let Some(target) = target else {
        return Err(Fault::ub(
            UbKind::Library,
            format!("a message to rank {to}, which its communicator does not have"),
        ));
    };
    let parcel = handover::take(interp, &span, call.at)?;
    request.before = Some(parcel.clone());
    let mut world = world(interp)?;
    let rendezvous = match how {
        Sent::Standard => span.bytes > world.eager,
        Sent::Synchronous => true,
        Sent::Buffered => false,
    };
    request.done = !rendezvous;
    let number = world.request(mine, request);
    let message = Message {
        comm,
        source: source.unwrap_or(0) as i64,
        tag,
        parcel: Rc::new(parcel),
        ty: span.base,
        at: call.at,
        sender: rendezvous.then_some((mine, number)),
    };
    world.send(target, message);
    Ok(number)
}

/// Begins a receive.
fn receive<M: Machine>(
    interp: &mut Interp<'_, M>,
    (buffer, count, ty): (Pointer, i64, i64),
    (source, tag, communicator): (i64, i64, i64),
    call: &ShimCall<'_, M::Shadow>,
    pending: bool,
) -> Res<usize> {
    let mine = open(interp)?.rank;
    let span = datatype::span(interp, buffer, count, ty)?;
    let comm = comm::index(interp, communicator)?;
    let nobody = source == NOBODY;
    if !nobody && source != ANY && !(0..world(interp)?.comms[comm].members.len() as i64).contains(&source) {
        return Err(Fault::ub(
            UbKind::Library,
            format!("a receive from rank {source}, which its communicator does not have"),
        ));
    }
    handover::check(interp, &span)?;
    let before = handover::keep(interp, &span)?;
    if pending && !nobody {
        handover::blank(interp, &span)?;
    }
    let request = Request {
        receives: true,
        done: nobody,
        message: None,
        buffer: span,
        at: call.at,
        before: Some(before),
        nobody,
    };
    let mut world = world(interp)?;
    let number = world.request(mine, request);
    if !nobody {
        world.receive(mine, comm, source, tag, number);
    }
    Ok(number)
}

/// Begins a receive by the arguments of a call: buffer, count, type, source, tag and communicator.
pub(super) fn receive_by<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<usize> {
    let int = |n: usize| call.int(n);
    receive(interp, (call.ptr(0)?, int(1)?, int(2)?), (int(3)?, int(4)?, int(5)?), call, true)
}

/// A request of the running rank that is over is finished: data arrive, the status is written.
pub(super) fn finish<M: Machine>(interp: &mut Interp<'_, M>, number: usize, status: Pointer, pending: bool) -> Res {
    let mine = open(interp)?.rank;
    let Some(request) = world(interp)?.requests[mine].get_mut(number).and_then(Option::take) else {
        return Err(Fault::ub(UbKind::Library, "a request that is not one"));
    };
    if pending {
        untouched(interp, &request)?;
    }
    let (mut source, mut tag, mut length) = (if request.nobody { NOBODY } else { 0 }, ANY, 0);
    if let Some(message) = &request.message {
        let (sent, received) = (message.ty, request.buffer.base);
        if !types::agree(sent, received) {
            let text = format!("a message of {} is received as {}", types::name(sent), types::name(received));
            return Err(Fault::ub(UbKind::Message, text)
                .note("it was sent here", Some(message.at))
                .note("the receive", Some(request.at)));
        }
        length = message.parcel.data.bytes.len() as u64;
        if length > request.buffer.bytes {
            let text = format!("a message of {length} bytes is received into a buffer of {}", request.buffer.bytes);
            return Err(Fault::ub(UbKind::Message, text)
                .note("it was sent here", Some(message.at))
                .note("the receive", Some(request.at)));
        }
        if pending && let Some(before) = &request.before {
            handover::put(interp, &request.buffer, before, None)?;
        }
        handover::put(interp, &request.buffer, &message.parcel, Some(request.at))?;
        (source, tag) = (message.source, message.tag);
    }
    write_status(interp, status, (source, tag, length as i64))
}

/// Writes a status, unless none is wanted: source, tag, bytes.
pub(super) fn write_status<M: Machine>(
    interp: &mut Interp<'_, M>,
    status: Pointer,
    (source, tag, length): (i64, i64, i64),
) -> Res {
    if !status.is_null() {
        for (field, value) in [(0, source), (4, tag), (8, 0), (12, length)] {
            store(interp, status.offset(field), value)?;
        }
    }
    Ok(())
}

/// Has the program left alone what a pending operation uses?
fn untouched<M: Machine>(interp: &mut Interp<'_, M>, request: &Request) -> Res {
    if request.buffer.bytes == 0 || request.nobody {
        return Ok(());
    }
    let now = handover::keep(interp, &request.buffer)?.data;
    let touched = match &request.before {
        Some(_) if request.receives => now.state.iter().any(|s| *s != state::UNDEF),
        Some(before) => now.bytes != before.data.bytes,
        None => false,
    };
    if !touched {
        return Ok(());
    }
    let what = if request.receives { "receive" } else { "send" };
    let text = format!("the buffer of a pending {what} has been written to before the operation was over");
    Err(Fault::ub(UbKind::PendingBuffer, text).note(format!("the {what} was begun here"), Some(request.at)))
}

pub(super) fn done<M: Machine>(interp: &mut Interp<'_, M>, number: usize) -> Res<bool> {
    let mine = open(interp)?.rank;
    match world(interp)?.requests[mine].get(number) {
        Some(Some(request)) => Ok(request.done),
        _ => Err(Fault::ub(UbKind::Library, "a request that is over, or never was one")),
    }
}

/// The request that the present call has begun; made when it is executed for the first time.
fn begun<'p, M: Machine>(
    interp: &mut Interp<'p, M>,
    begin: impl FnOnce(&mut Interp<'p, M>) -> Res<usize>,
) -> Res<usize> {
    if let Some(Progress::Message(request)) = *interp.progress() {
        return Ok(request);
    }
    let request = begin(interp)?;
    *interp.progress() = Some(Progress::Message(request));
    Ok(request)
}

fn blocking<'p, M: Machine>(
    interp: &mut Interp<'p, M>,
    begin: impl FnOnce(&mut Interp<'p, M>) -> Res<usize>,
) -> Out<M> {
    let request = begun(interp, begin)?;
    if !done(interp, request)? {
        return Err(park(interp, "a receiver of its message"));
    }
    *interp.progress() = None;
    finish(interp, request, Pointer::NULL, false)?;
    Ok(Value::i32(0))
}

fn receive_blocking<'p, M: Machine>(
    interp: &mut Interp<'p, M>,
    status: Pointer,
    begin: impl FnOnce(&mut Interp<'p, M>) -> Res<usize>,
) -> Out<M> {
    let request = begun(interp, begin)?;
    if !done(interp, request)? {
        return Err(park(interp, "a message"));
    }
    *interp.progress() = None;
    finish(interp, request, status, false)?;
    Ok(Value::i32(0))
}

/// `MPI_Sendrecv`: both are begun before either is awaited.
fn exchange<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let receiving = begun(interp, |i| {
        let communicator = call.int(10)?;
        send_to(
            i,
            (call.ptr(0)?, call.int(1)?, call.int(2)?),
            (call.int(3)?, call.int(4)?, communicator),
            call,
            Sent::Standard,
        )?;
        receive(i, (call.ptr(5)?, call.int(6)?, call.int(7)?), (call.int(8)?, call.int(9)?, communicator), call, false)
    })?;
    // The send is the request before.
    if !done(interp, receiving)? || !done(interp, receiving - 1)? {
        return Err(park(interp, "its partners in an exchange"));
    }
    *interp.progress() = None;
    finish(interp, receiving - 1, Pointer::NULL, false)?;
    finish(interp, receiving, call.ptr(11)?, false)?;
    Ok(Value::i32(0))
}

/// `MPI_Sendrecv_replace`: the same with one buffer, which is read before it is written.
fn replace<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let receiving = begun(interp, |i| {
        let (buffer, communicator) = ((call.ptr(0)?, call.int(1)?, call.int(2)?), call.int(7)?);
        send_to(i, buffer, (call.int(3)?, call.int(4)?, communicator), call, Sent::Standard)?;
        receive(i, buffer, (call.int(5)?, call.int(6)?, communicator), call, false)
    })?;
    if !done(interp, receiving)? || !done(interp, receiving - 1)? {
        return Err(park(interp, "its partners in an exchange"));
    }
    *interp.progress() = None;
    finish(interp, receiving - 1, Pointer::NULL, false)?;
    finish(interp, receiving, call.ptr(8)?, false)?;
    Ok(Value::i32(0))
}

/// Is there a message for source, tag and communicator of the call? Its status is written.
fn look<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, status: Pointer) -> Res<bool> {
    let mine = open(interp)?.rank;
    let comm = comm::index(interp, call.int(2)?)?;
    let (source, tag) = (call.int(0)?, call.int(1)?);
    let found =
        world(interp)?.probe(mine, comm, source, tag).map(|m| (m.source, m.tag, m.parcel.data.bytes.len() as i64));
    let Some((source, tag, length)) = found else { return Ok(false) };
    write_status(interp, status, (source, tag, length))?;
    Ok(true)
}
