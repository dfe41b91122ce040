//! Barriers, semaphores and `pthread_once`.
//!
//! A barrier's fields: threads it needs at 0, arrived at 4, round at 8. Each round publishes under a name of its own
//! (the object's address plus the round's parity), so that what a fast thread does before its next arrival is not known
//! to a slow one that still leaves. A semaphore's field: its value at 0. A once control's: 0 new, 1 running, 2 done.

use super::{AGAIN, INVALID, Out, deadline, get, is_late, put};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::{Interp, Shim};
use crate::sync::{acquire, release};
use crate::threads::{Awaited, Progress};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "pthread_barrier_init" => |i, c| {
            let (barrier, count) = (c.ptr(0)?, c.uint(2)? as u32);
            if count == 0 {
                return Ok(Value::i32(INVALID));
            }
            super::clear(i, barrier, 32)?;
            put(i, barrier, 0, count as i32)?;
            Ok(Value::i32(0))
        },
        "pthread_barrier_destroy" => |i, c| {
            let barrier = c.ptr(0)?;
            if get(i, barrier, 4)? != 0 {
                return Err(Fault::ub(UbKind::Library, "a barrier is destroyed while threads wait at it"));
            }
            put(i, barrier, 0, 0)?;
            Ok(Value::i32(0))
        },
        "pthread_barrier_wait" => |i, c| barrier(i, c.ptr(0)?),
        "pthread_once" => |i, c| once(i, c.ptr(0)?, c.ptr(1)?, &[]),
        "sem_init" => |i, c| {
            super::clear(i, c.ptr(0)?, 32)?;
            i.memory.store(c.ptr(0)?, Leaf::Int(32), Scalar::i32(c.uint(2)? as i32), 4)?;
            Ok(Value::i32(0))
        },
        "sem_destroy" => |_, _| Ok(Value::i32(0)),
        "sem_post" => |i, c| {
            let semaphore = c.ptr(0)?;
            let value = get(i, semaphore, 0)?;
            put(i, semaphore, 0, value + 1)?;
            release(i, semaphore);
            i.threads.wake(Awaited::Object(semaphore.addr));
            Ok(Value::i32(0))
        },
        "sem_wait" => |i, c| sem_wait(i, c.ptr(0)?, None),
        "sem_timedwait" => |i, c| {
            let until = deadline(i, c.ptr(1)?)?;
            sem_wait(i, c.ptr(0)?, Some(until))
        },
        "sem_trywait" => |i, c| {
            if get(i, c.ptr(0)?, 0)? > 0 {
                return sem_wait(i, c.ptr(0)?, None);
            }
            crate::library::set_errno(i, AGAIN)?;
            Ok(Value::i32(-1))
        },
        "sem_getvalue" => |i, c| {
            let value = get(i, c.ptr(0)?, 0)?;
            i.memory.store(c.ptr(1)?, Leaf::Int(32), Scalar::i32(value), 4)?;
            Ok(Value::i32(0))
        },
        _ => return None,
    })
}

fn barrier<M: Machine>(interp: &mut Interp<'_, M>, barrier: Pointer) -> Out<M> {
    let (needed, round) = (get(interp, barrier, 0)?, get(interp, barrier, 8)?);
    if needed == 0 {
        return Err(Fault::ub(UbKind::Library, "a barrier is used that has been destroyed"));
    }
    let meeting = |round: i32| barrier.offset(i64::from(round & 1));
    if let Some(Progress::Barrier(mine)) = *interp.progress() {
        if mine == round as u64 {
            return Err(interp.wait(Awaited::Object(barrier.addr), "others to arrive at a barrier", None));
        }
        *interp.progress() = None;
        acquire(interp, meeting(mine as i32));
        return Ok(Value::i32(0));
    }
    interp.go_parallel()?;
    let arrived = get(interp, barrier, 4)? + 1;
    if arrived == 1 {
        let key = interp.memory.key(meeting(round));
        if let Some(races) = interp.memory.races() {
            races.clear(key);
        }
    }
    release(interp, meeting(round));
    if arrived == needed {
        put(interp, barrier, 4, 0)?;
        put(interp, barrier, 8, round.wrapping_add(1))?;
        acquire(interp, meeting(round));
        interp.threads.wake(Awaited::Object(barrier.addr));
        // PTHREAD_BARRIER_SERIAL_THREAD
        return Ok(Value::i32(-1));
    }
    put(interp, barrier, 4, arrived)?;
    *interp.progress() = Some(Progress::Barrier(round as u64));
    Err(interp.wait(Awaited::Object(barrier.addr), "others to arrive at a barrier", None))
}

/// Calls a function if nobody has; all others wait until it has returned.
pub fn once<M: Machine>(
    interp: &mut Interp<'_, M>,
    control: Pointer,
    function: Pointer,
    args: &[Value<M::Shadow>],
) -> Out<M> {
    if *interp.progress() == Some(Progress::Once) && get(interp, control, 0)? == 1 {
        *interp.progress() = None;
        put(interp, control, 0, 2)?;
        release(interp, control);
        interp.threads.wake(Awaited::Object(control.addr));
        return Ok(Value::i32(0));
    }
    match get(interp, control, 0)? {
        0 => {
            let function = once_function(interp, function)?;
            put(interp, control, 0, 1)?;
            *interp.progress() = Some(Progress::Once);
            Err(interp.call_first(function, args))
        }
        1 => Err(interp.wait(Awaited::Object(control.addr), "the end of a function that is called once", None)),
        _ => {
            acquire(interp, control);
            Ok(Value::i32(0))
        }
    }
}

fn sem_wait<M: Machine>(interp: &mut Interp<'_, M>, semaphore: Pointer, until: Option<u64>) -> Out<M> {
    let value = get(interp, semaphore, 0)?;
    if value > 0 {
        put(interp, semaphore, 0, value - 1)?;
        acquire(interp, semaphore);
        return Ok(Value::i32(0));
    }
    if is_late(interp, until) {
        crate::library::set_errno(interp, super::TIMED_OUT)?;
        return Ok(Value::i32(-1));
    }
    interp.go_parallel()?;
    Err(interp.wait(Awaited::Object(semaphore.addr), "a semaphore", until))
}

/// The function that `std::call_once` has left for the running thread, if that is what `pthread_once` is to call.
fn once_function<M: Machine>(interp: &mut Interp<'_, M>, function: Pointer) -> Res<Pointer> {
    let program = interp.program;
    let is_proxy =
        interp.memory.function_at(function).is_some_and(|f| program.module.functions[f].name == "__once_proxy");
    match program.module.global("_ZSt11__once_call") {
        Some(variable) if is_proxy => {
            let place = interp.thread_local(program.globals[variable])?;
            Ok(interp.memory.load_ptr(place, 8)?.as_ptr())
        }
        _ => Ok(function),
    }
}
