//! Condition variables.
//!
//! The waiting threads are known to the scheduler; the object's only field is a mark at 44 of its destruction. A signal
//! wakes one of the threads that wait, chosen by the seed ("at least one"); nobody wakes without one. The signal itself
//! orders nothing: what orders the waker's writes and the woken thread's reads is the mutex.

use super::{Out, TIMED_OUT, deadline, get, is_late, mutex, put};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::{Interp, Shim};
use crate::threads::{Awaited, Progress, State};
use crate::value::{Pointer, Value};

const MARK: i64 = 44;
const DESTROYED: i32 = 0x0dead;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "pthread_cond_init" => |i, c| {
            super::clear(i, c.ptr(0)?, 48)?;
            Ok(Value::i32(0))
        },
        "pthread_cond_destroy" => |i, c| destroy(i, c.ptr(0)?),
        "pthread_cond_wait" => |i, c| wait(i, c.ptr(0)?, c.ptr(1)?, None),
        "pthread_cond_timedwait" => |i, c| {
            let until = deadline(i, c.ptr(2)?)?;
            wait(i, c.ptr(0)?, c.ptr(1)?, Some(until))
        },
        "pthread_cond_clockwait" => |i, c| {
            let until = deadline(i, c.ptr(3)?)?;
            wait(i, c.ptr(0)?, c.ptr(1)?, Some(until))
        },
        "pthread_cond_signal" => |i, c| signal(i, c.ptr(0)?, false),
        "pthread_cond_broadcast" => |i, c| signal(i, c.ptr(0)?, true),
        "pthread_condattr_init" => |i, c| {
            super::clear(i, c.ptr(0)?, 4)?;
            Ok(Value::i32(0))
        },
        "pthread_condattr_destroy" | "pthread_condattr_setclock" => |_, _| Ok(Value::i32(0)),
        _ => return None,
    })
}

fn check<M: Machine>(interp: &mut Interp<'_, M>, condition: Pointer) -> Res {
    if get(interp, condition, MARK)? == DESTROYED {
        return Err(Fault::ub(UbKind::Library, "a condition variable is used that has been destroyed"));
    }
    Ok(())
}

/// Destroys a condition variable: nobody may wait for it.
pub fn destroy<M: Machine>(interp: &mut Interp<'_, M>, condition: Pointer) -> Out<M> {
    check(interp, condition)?;
    if let Some(thread) = interp.threads.waiting(Awaited::Object(condition.addr)).first() {
        let text = format!("a condition variable is destroyed that thread {thread} waits for");
        return Err(Fault::ub(UbKind::Library, text));
    }
    put(interp, condition, MARK, DESTROYED)?;
    Ok(Value::i32(0))
}

/// Gives the mutex back, waits, and takes it again.
pub fn wait<M: Machine>(interp: &mut Interp<'_, M>, condition: Pointer, mutex: Pointer, until: Option<u64>) -> Out<M> {
    check(interp, condition)?;
    let signalled = match *interp.progress() {
        Some(Progress::Condition { signalled }) => signalled,
        _ => {
            if !mutex::is_mine(interp, mutex)? {
                let text = "a thread waits for a condition with a mutex that it does not hold";
                return Err(Fault::ub(UbKind::Library, text));
            }
            interp.go_parallel()?;
            mutex::give(interp, mutex)?;
            *interp.progress() = Some(Progress::Condition { signalled: false });
            return Err(interp.wait(Awaited::Object(condition.addr), "a condition", until));
        }
    };
    // Woken by a signal or by the time; the mutex comes first.
    mutex::take(interp, mutex, None)?;
    *interp.progress() = None;
    Ok(Value::i32(if !signalled && is_late(interp, until) { TIMED_OUT } else { 0 }))
}

/// Wakes one of the threads that wait, or all.
pub fn signal<M: Machine>(interp: &mut Interp<'_, M>, condition: Pointer, all: bool) -> Out<M> {
    check(interp, condition)?;
    let waiting = interp.threads.waiting(Awaited::Object(condition.addr));
    let chosen = match (all, waiting.is_empty()) {
        (_, true) => Vec::new(),
        (true, false) => waiting,
        (false, false) => vec![waiting[(interp.threads.schedule.random() % waiting.len() as u64) as usize]],
    };
    for id in chosen {
        interp.threads.set_state(id, State::Ready);
        let thread = &mut interp.threads.all[id];
        if let Some(frame) = thread.frames.last_mut() {
            frame.progress = Some(Progress::Condition { signalled: true });
        }
    }
    Ok(Value::i32(0))
}
