//! MPI (MPI: A Message-Passing Interface Standard, Version 4.0): ranks that send each other messages.
//!
//! Each rank is an execution of its own, with its own memory; [`crate::shims::mpi::ranks`] lets one run after the
//! other. A call that has to wait leaves its request in the [`World`] and parks the rank; it is executed again when
//! something has happened. The numbers of types, operations and communicators are those of the `mpi.h` that ships with
//! the project.

mod collective;
mod comm;
pub mod company;
mod datatype;
mod handover;
mod kept;
mod layout;
mod parcel;
mod point;
pub mod ranks;
mod reduce;
mod requests;
pub(crate) mod state;
mod types;
pub(crate) mod world;

use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::Awaited;
use crate::value::{Leaf, Pointer, Scalar, Value};
use state::Rank;
use std::cell::RefMut;
use world::World;

type Out<M> = Res<Value<<M as Machine>::Shadow>>;

/// `MPI_PROC_NULL`
const NOBODY: i64 = -2;
/// `MPI_UNDEFINED`
const UNDEFINED: i64 = -32766;
/// `MPI_IN_PLACE`
const IN_PLACE: u64 = u64::MAX;

/// The shims of this folder by name; `PMPI_…` are the same.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    let name = name.strip_prefix('P').unwrap_or(name).strip_prefix("MPI_")?;
    let messages = point::find(name).or_else(|| requests::find(name)).or_else(|| collective::find(name));
    messages.or_else(|| comm::find(name)).or_else(|| datatype::find(name)).or_else(|| general(name))
}

fn general<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "Init" => |i, _| begin(i),
        "Init_thread" => |i, c| {
            store(i, c.ptr(3)?, c.int(2)?)?;
            begin(i)
        },
        "Initialized" => |i, c| {
            let value = i64::from(rank(i)?.initialised);
            flag(i, c.ptr(0)?, value)
        },
        "Finalized" => |i, c| {
            let value = i64::from(rank(i)?.finalised);
            flag(i, c.ptr(0)?, value)
        },
        "Finalize" => finalise,
        "Abort" => |_, c| Err(Fault::exit(c.int(1)? as i32 & 0xff)),
        "Wtime" => |i, _| Ok(Value::f64(i.nanoseconds() as f64 * 1e-9)),
        "Wtick" => |_, _| Ok(Value::f64(1e-9)),
        "Get_processor_name" => |i, c| {
            let text = format!("rank{}\0", rank(i)?.rank);
            i.memory.write_bytes(c.ptr(0)?, text.as_bytes())?;
            flag(i, c.ptr(1)?, text.len() as i64 - 1)
        },
        "Op_create" => |i, c| {
            let function = c.ptr(0)?;
            let me = rank(i)?;
            me.operations.push(function);
            let number = types::FIRST_OWN_OPERATION + me.operations.len() as i64 - 1;
            flag(i, c.ptr(2)?, number)
        },
        "Op_free" => |i, c| flag(i, c.ptr(0)?, 0),
        "Buffer_attach" => |i, c| {
            let given = (c.ptr(0)?, c.int(1)?);
            match rank(i)?.buffer.replace(given) {
                None => Ok(Value::i32(0)),
                Some(_) => Err(Fault::ub(UbKind::Library, "a buffer for messages is attached, and one is already")),
            }
        },
        "Buffer_detach" => |i, c| match rank(i)?.buffer.take() {
            None => Err(Fault::ub(UbKind::Library, "a buffer for messages is detached, and none is attached")),
            Some((buffer, size)) => {
                i.memory.store(c.ptr(0)?, Leaf::Ptr, Scalar::ptr(buffer), 8)?;
                flag(i, c.ptr(1)?, size)
            }
        },
        "Comm_set_errhandler" | "Errhandler_free" => |_, _| Ok(Value::i32(0)),
        _ => return None,
    })
}

/// The running rank.
fn rank<'i, M: Machine>(interp: &'i mut Interp<'_, M>) -> Res<&'i mut Rank> {
    let missing =
        || Fault::unsupported("a call of MPI by a program that does not run as ranks: say how many by `--ranks N`");
    interp.runtime.mpi.as_mut().ok_or_else(missing)
}

/// The running rank, between `MPI_Init` and `MPI_Finalize`.
fn open<'i, M: Machine>(interp: &'i mut Interp<'_, M>) -> Res<&'i mut Rank> {
    let me = rank(interp)?;
    match (me.initialised, me.finalised) {
        (true, false) => Ok(me),
        (false, _) => Err(Fault::ub(UbKind::Library, "a call of MPI before MPI_Init")),
        (_, true) => Err(Fault::ub(UbKind::Library, "a call of MPI behind MPI_Finalize")),
    }
}

fn world<'i, M: Machine>(interp: &'i mut Interp<'_, M>) -> Res<RefMut<'i, World>> {
    Ok(rank(interp)?.world.borrow_mut())
}

fn store<M: Machine>(interp: &mut Interp<'_, M>, out: Pointer, value: i64) -> Res {
    interp.memory.store(out, Leaf::Int(32), Scalar::i32(value as i32), 4)
}

/// Stores an answer, and says that all went well.
fn flag<M: Machine>(interp: &mut Interp<'_, M>, out: Pointer, value: i64) -> Out<M> {
    store(interp, out, value)?;
    Ok(Value::i32(0))
}

fn load<M: Machine>(interp: &Interp<'_, M>, at: Pointer) -> Res<i64> {
    let value = interp.memory.load(at, Leaf::Int(32), 4)?;
    if !value.is_init() {
        return Err(Fault::ub(UbKind::Uninitialised, "MPI is given a number that is uninitialised"));
    }
    Ok(i64::from(value.lo as i32))
}

/// Loads so many numbers.
fn list<M: Machine>(interp: &Interp<'_, M>, at: Pointer, count: usize) -> Res<Vec<i64>> {
    (0..count).map(|n| load(interp, at.offset(4 * n as i64))).collect()
}

/// The rank waits for others; the call is executed again.
fn park<M: Machine>(interp: &mut Interp<'_, M>, what: impl Into<String>) -> Box<Fault> {
    interp.wait(Awaited::Rank, what, None)
}

/// The first time that a question is answered with no, others run before the rank is told.
fn poll<M: Machine>(interp: &mut Interp<'_, M>) -> Res {
    let me = rank(interp)?;
    me.polled = !me.polled;
    if me.polled { Err(park(interp, "the other ranks")) } else { Ok(()) }
}

/// A question is answered with yes.
fn answered<M: Machine>(interp: &mut Interp<'_, M>) -> Res {
    rank(interp)?.polled = false;
    Ok(())
}

fn begin<M: Machine>(interp: &mut Interp<'_, M>) -> Out<M> {
    let me = rank(interp)?;
    if std::mem::replace(&mut me.initialised, true) {
        return Err(Fault::ub(UbKind::Library, "MPI_Init is called a second time"));
    }
    Ok(Value::i32(0))
}

fn finalise<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let mine = open(interp)?.rank;
    let pending = world(interp)?.requests[mine].iter().flatten().next().map(|request| request.at);
    let pending = pending.or(open(interp)?.unawaited());
    if let Some(at) = pending {
        let text = "MPI_Finalize is called while an operation is pending that nobody has waited for";
        return Err(Fault::ub(UbKind::Library, text).note("it was begun here", Some(at)));
    }
    collective::synchronise(interp, call, "MPI_Finalize", 0)?;
    let lost = world(interp)?.unreceived(mine).next().map(|message| message.at);
    if let Some(at) = lost {
        let text = format!("a message to rank {mine} is never received");
        return Err(Fault::ub(UbKind::Message, text).note("it was sent here", Some(at)));
    }
    rank(interp)?.finalised = true;
    Ok(Value::i32(0))
}
