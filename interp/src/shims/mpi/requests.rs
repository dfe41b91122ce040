//! Requests by their handles (MPI 4.0, 3.7, 3.9, 6.12): messages that are on their way, requests that are started again
//! and again, and collective operations that are only begun.
//!
//! A message that is begun is a request of the world. One that can be started has a number of its own, and the request
//! of the message that it has begun last. A collective operation that is only begun is the call itself: it brings its
//! part, and is executed again when all are there and somebody waits for it.

use super::kept::{Begun, How, Kept, Persistent, Sent};
use super::point::{self, finish};
use super::state::Rank;
use super::{
    NOBODY, Out, Shim, ShimCall, UNDEFINED, answered, collective, comm, flag, list, load, open, park, poll, store,
    world,
};
use crate::machine::Machine;
use crate::outcome::{Fault, FaultKind, Location, Res, UbKind};
use crate::shims::state::Interp;
use crate::threads::Progress;
use crate::value::{Pointer, Value};

/// The first handle of a request that can be started.
const PERSISTENT: i64 = 1 << 24;
/// The first handle of a collective operation.
const COLLECTIVE: i64 = 1 << 25;

/// Something that is waited for.
#[derive(Clone, Copy)]
enum Pending {
    Message { number: usize, again: Option<usize> },
    Collective(usize),
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "Send_init" | "Rsend_init" => |i, c| make(i, c, How::Send(Sent::Standard)),
        "Bsend_init" => |i, c| make(i, c, How::Send(Sent::Buffered)),
        "Ssend_init" => |i, c| make(i, c, How::Send(Sent::Synchronous)),
        "Recv_init" => |i, c| make(i, c, How::Receive),
        "Start" => |i, c| {
            start(i, c.ptr(0)?)?;
            Ok(Value::i32(0))
        },
        "Startall" => |i, c| {
            for n in 0..c.int(0)? {
                start(i, c.ptr(1)?.offset(4 * n))?;
            }
            Ok(Value::i32(0))
        },
        "Request_free" => |i, c| {
            let handle = load(i, c.ptr(0)?)?;
            let own = persistent(open(i)?, handle);
            match own {
                Some(Some(own)) if own.active.is_none() => {
                    if let Some(slot) = slot(open(i)?, handle) {
                        *slot = None;
                    }
                    flag(i, c.ptr(0)?, 0)
                }
                Some(_) => Err(Fault::unsupported("MPI_Request_free while the request is active")),
                None => Err(Fault::unsupported("MPI_Request_free of a message that was begun")),
            }
        },
        "Ibarrier" => |i, c| begin(i, c, "Barrier", (0, 1)),
        "Ibcast" => |i, c| begin(i, c, "Bcast", (4, 5)),
        "Ireduce" => |i, c| begin(i, c, "Reduce", (6, 7)),
        "Iallreduce" => |i, c| begin(i, c, "Allreduce", (5, 6)),
        "Ireduce_scatter_block" => |i, c| begin(i, c, "Reduce_scatter_block", (5, 6)),
        "Igather" => |i, c| begin(i, c, "Gather", (7, 8)),
        "Iscatter" => |i, c| begin(i, c, "Scatter", (7, 8)),
        "Iallgather" => |i, c| begin(i, c, "Allgather", (6, 7)),
        "Ialltoall" => |i, c| begin(i, c, "Alltoall", (6, 7)),
        "Wait" => |i, c| {
            wait_all(i, 1, c.ptr(0)?, c.ptr(1)?)?;
            Ok(Value::i32(0))
        },
        "Waitall" => |i, c| {
            wait_all(i, c.int(0)?, c.ptr(1)?, c.ptr(2)?)?;
            Ok(Value::i32(0))
        },
        "Waitany" => |i, c| wait_any(i, c),
        "Test" => |i, c| test(i, (1, c.ptr(0)?), c.ptr(1)?, c.ptr(2)?),
        "Testall" => |i, c| test(i, (c.int(0)?, c.ptr(1)?), c.ptr(2)?, c.ptr(3)?),
        "Testany" => test_any,
        "Waitsome" => |i, c| some(i, c, true),
        "Testsome" => |i, c| some(i, c, false),
        _ => return None,
    })
}

fn slot(me: &mut Rank, handle: i64) -> Option<&mut Option<Persistent>> {
    usize::try_from(handle - PERSISTENT).ok().and_then(|index| me.persistent.get_mut(index))
}

/// A request that can be started, by its handle; none within if it has been freed.
fn persistent(me: &mut Rank, handle: i64) -> Option<Option<Persistent>> {
    slot(me, handle).map(|slot| slot.clone())
}

fn make<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, how: How) -> Out<M> {
    let me = open(interp)?;
    me.persistent.push(Some(Persistent { kept: Kept::of(call), how, active: None }));
    let handle = PERSISTENT + me.persistent.len() as i64 - 1;
    flag(interp, call.ptr(6)?, handle)
}

fn start<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer) -> Res {
    let handle = load(interp, at)?;
    let Some(Some(own)) = persistent(open(interp)?, handle) else {
        return Err(Fault::ub(
            UbKind::Library,
            "a request is started that MPI_Send_init and MPI_Recv_init did not make",
        ));
    };
    if own.active.is_some() {
        return Err(Fault::ub(UbKind::Library, "a request is started that has been started and not awaited"));
    }
    let call = own.kept.call();
    let number = match own.how {
        How::Send(how) => point::send(interp, &call, 0, how)?,
        How::Receive => point::receive_by(interp, &call)?,
    };
    if let Some(Some(own)) = slot(open(interp)?, handle) {
        own.active = Some(number);
    }
    Ok(())
}

/// Begins a collective operation whose waiting form has that name; where communicator and request stand.
fn begin<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    name: &'static str,
    (comm, request): (usize, usize),
) -> Out<M> {
    let comm = call.int(comm)?;
    let comm = comm::index(interp, comm)?;
    let Some(shim) = collective::find::<M>(name) else {
        return Err(Fault::bug("a collective operation without a form that waits"));
    };
    open(interp)?.begins = true;
    let joined = shim(interp, call);
    open(interp)?.begins = false;
    match joined {
        Err(fault) if fault.kind == FaultKind::Parked => {}
        Err(fault) => return Err(fault),
        Ok(_) => return Err(Fault::bug("a collective operation that did not begin")),
    }
    let Some(Progress::Collective(number)) = interp.progress().take() else {
        return Err(Fault::bug("a collective operation that has no number"));
    };
    let me = open(interp)?;
    me.begun.push(Some(Begun { kept: Kept::of(call), name, comm, number }));
    let handle = COLLECTIVE + me.begun.len() as i64 - 1;
    flag(interp, call.ptr(request)?, handle)
}

/// The requests in an array with their places: those that are null, or not started, are left out.
fn pending<M: Machine>(interp: &mut Interp<'_, M>, count: i64, at: Pointer) -> Res<Vec<(usize, Pending)>> {
    let mut all = Vec::new();
    for (place, handle) in list(interp, at, count.max(0) as usize)?.into_iter().enumerate() {
        let found = match handle {
            ..=0 => None,
            1..PERSISTENT => Some(Pending::Message { number: handle as usize - 1, again: None }),
            PERSISTENT..COLLECTIVE => {
                let again = Some((handle - PERSISTENT) as usize);
                let own = persistent(open(interp)?, handle).flatten();
                own.and_then(|own| own.active).map(|number| Pending::Message { number, again })
            }
            COLLECTIVE.. => Some(Pending::Collective((handle - COLLECTIVE) as usize)),
        };
        all.extend(found.map(|pending| (place, pending)));
    }
    Ok(all)
}

/// Is it over?
fn is_over<M: Machine>(interp: &mut Interp<'_, M>, pending: Pending) -> Res<bool> {
    match pending {
        Pending::Message { number, .. } => point::done(interp, number),
        Pending::Collective(index) => {
            let begun = begun(interp, index)?;
            let over = world(interp)?.complete(begun.comm, begun.number).is_some();
            Ok(over)
        }
    }
}

fn begun<M: Machine>(interp: &mut Interp<'_, M>, index: usize) -> Res<Begun> {
    let found = open(interp)?.begun.get(index).cloned().flatten();
    found.ok_or_else(|| Fault::ub(UbKind::Library, "a request that is over, or never was one"))
}

/// Ends what is over; its handle becomes null, unless it can be started again.
fn end<M: Machine>(
    interp: &mut Interp<'_, M>,
    pending: Pending,
    (at, place): (Pointer, usize),
    status: Pointer,
) -> Res {
    match pending {
        Pending::Message { number, again } => {
            finish(interp, number, status, true)?;
            if let Some(again) = again {
                if let Some(Some(own)) = open(interp)?.persistent.get_mut(again) {
                    own.active = None;
                }
                return Ok(());
            }
        }
        Pending::Collective(index) => {
            let Begun { kept, name, number, .. } = begun(interp, index)?;
            *interp.progress() = Some(Progress::Collective(number));
            if let Some(shim) = collective::find::<M>(name) {
                shim(interp, &kept.call())?;
            }
            open(interp)?.begun[index] = None;
            point::write_status(interp, status, (NOBODY, -1, 0))?;
        }
    }
    store(interp, at.offset(4 * place as i64), 0)
}

/// `MPI_Waitsome` and `MPI_Testsome`: number of requests, requests, number of those that are over, their places,
/// statuses.
fn some<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, waits: bool) -> Out<M> {
    let (at, indices, statuses) = (call.ptr(1)?, call.ptr(3)?, call.ptr(4)?);
    let all = pending(interp, call.int(0)?, at)?;
    let mut over = Vec::new();
    for (place, pending) in &all {
        if is_over(interp, *pending)? {
            over.push((*place, *pending));
        }
    }
    if over.is_empty() && !all.is_empty() {
        if waits {
            return Err(park(interp, "some of the operations that it has begun"));
        }
        poll(interp)?;
        return flag(interp, call.ptr(2)?, 0);
    }
    answered(interp)?;
    for (n, (place, pending)) in over.iter().enumerate() {
        let status = if statuses.is_null() { Pointer::NULL } else { statuses.offset(16 * n as i64) };
        end(interp, *pending, (at, *place), status)?;
        store(interp, indices.offset(4 * n as i64), *place as i64)?;
    }
    flag(interp, call.ptr(2)?, if all.is_empty() { UNDEFINED } else { over.len() as i64 })
}

fn is_done<M: Machine>(interp: &mut Interp<'_, M>, requests: &[(usize, Pending)]) -> Res<bool> {
    for (_, request) in requests {
        if !is_over(interp, *request)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Ends requests that are over.
fn finish_all<M: Machine>(
    interp: &mut Interp<'_, M>,
    requests: &[(usize, Pending)],
    at: Pointer,
    statuses: Pointer,
) -> Res {
    for (place, request) in requests {
        let status = if statuses.is_null() { Pointer::NULL } else { statuses.offset(16 * *place as i64) };
        end(interp, *request, (at, *place), status)?;
    }
    Ok(())
}

fn wait_all<M: Machine>(interp: &mut Interp<'_, M>, count: i64, at: Pointer, statuses: Pointer) -> Res {
    let requests = pending(interp, count, at)?;
    if !is_done(interp, &requests)? {
        return Err(park(interp, "operations that it has begun"));
    }
    finish_all(interp, &requests, at, statuses)
}

/// The place of one that is over, which is ended, if there is one; whether there is any to wait for.
fn any<M: Machine>(interp: &mut Interp<'_, M>, count: i64, at: Pointer, status: Pointer) -> Res<(Option<usize>, bool)> {
    let requests = pending(interp, count, at)?;
    for (place, request) in &requests {
        if is_over(interp, *request)? {
            end(interp, *request, (at, *place), status)?;
            return Ok((Some(*place), true));
        }
    }
    Ok((None, !requests.is_empty()))
}

fn wait_any<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    match any(interp, call.int(0)?, call.ptr(1)?, call.ptr(3)?)? {
        (Some(place), _) => flag(interp, call.ptr(2)?, place as i64),
        (None, true) => Err(park(interp, "one of the operations that it has begun")),
        (None, false) => flag(interp, call.ptr(2)?, UNDEFINED),
    }
}

fn test_any<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let (place, some) = any(interp, call.int(0)?, call.ptr(1)?, call.ptr(4)?)?;
    let over = place.is_some() || !some;
    if over {
        answered(interp)?;
    } else {
        poll(interp)?;
    }
    store(interp, call.ptr(2)?, place.map_or(UNDEFINED, |place| place as i64))?;
    flag(interp, call.ptr(3)?, i64::from(over))
}

fn test<M: Machine>(
    interp: &mut Interp<'_, M>,
    (count, at): (i64, Pointer),
    answer: Pointer,
    statuses: Pointer,
) -> Out<M> {
    let requests = pending(interp, count, at)?;
    let over = is_done(interp, &requests)?;
    if over {
        answered(interp)?;
        finish_all(interp, &requests, at, statuses)?;
    } else {
        poll(interp)?;
    }
    flag(interp, answer, i64::from(over))
}

impl Rank {
    /// Where an operation was begun that is awaited nowhere.
    pub(super) fn unawaited(&self) -> Option<Location> {
        self.begun.iter().flatten().map(|begun| begun.kept.at).next()
    }
}
