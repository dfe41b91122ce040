//! Threads: creation, end, join; what they are called.

use super::{DEADLOCK, INVALID, Out, sleep};
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::{Awaited, Role, State};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "pthread_create" => create,
        "pthread_join" => |i, c| {
            let id = thread(i, c.uint(0)?)?;
            let Some(result) = join(i, id)? else { return Ok(Value::i32(DEADLOCK)) };
            let out = c.ptr(1)?;
            if !out.is_null() {
                i.memory.store(out, Leaf::Ptr, result, 8)?;
            }
            Ok(Value::i32(0))
        },
        "pthread_detach" => |i, c| {
            let id = thread(i, c.uint(0)?)?;
            detach(i, id)?;
            Ok(Value::i32(0))
        },
        "pthread_self" => |i, _| Ok(Value::i64(handle(i.threads.current) as i64)),
        "pthread_equal" => |_, c| Ok(Value::i32(i32::from(c.uint(0)? == c.uint(1)?))),
        "pthread_exit" => |i, c| {
            let value = c.leaf(0)?;
            match i.exit_thread(value)? {}
        },
        "pthread_yield" | "sched_yield" => |i, _| {
            i.threads.turn = 0;
            Ok(Value::i32(0))
        },
        "pthread_attr_init" => |i, c| {
            super::clear(i, c.ptr(0)?, 56)?;
            Ok(Value::i32(0))
        },
        "pthread_attr_destroy"
        | "pthread_attr_setstacksize"
        | "pthread_attr_setguardsize"
        | "pthread_attr_setscope"
        | "pthread_setname_np"
        | "pthread_setconcurrency" => |_, _| Ok(Value::i32(0)),
        "pthread_attr_setdetachstate" => |i, c| {
            let state = c.int(1)?;
            if !(0..=1).contains(&state) {
                return Ok(Value::i32(INVALID));
            }
            i.memory.store(c.ptr(0)?, Leaf::Int(32), Scalar::i32(state as i32), 4)?;
            Ok(Value::i32(0))
        },
        "pthread_attr_getdetachstate" => |i, c| {
            let state = i.memory.load(c.ptr(0)?, Leaf::Int(32), 4)?;
            i.memory.store(c.ptr(1)?, Leaf::Int(32), state, 4)?;
            Ok(Value::i32(0))
        },
        "usleep" => |i, c| {
            let time = c.uint(0)? & 0xffff_ffff;
            sleep(i, time * 1000)
        },
        "sleep" => |i, c| {
            let time = c.uint(0)? & 0xffff_ffff;
            sleep(i, time * 1_000_000_000)
        },
        "nanosleep" => |i, c| nanosleep(i, c.ptr(0)?),
        "clock_nanosleep" => |i, c| {
            if c.int(1)? != 0 {
                return Err(Fault::unsupported("a sleep until a moment"));
            }
            nanosleep(i, c.ptr(2)?)
        },
        "get_nprocs" | "get_nprocs_conf" => |_, _| Ok(Value::i32(PROCESSORS)),
        // _SC_NPROCESSORS_CONF and _SC_NPROCESSORS_ONLN; _SC_PAGESIZE.
        "sysconf" => |_, c| match c.int(0)? {
            83 | 84 => Ok(Value::i64(i64::from(PROCESSORS))),
            30 => Ok(Value::i64(4096)),
            other => Err(Fault::unsupported(format!("sysconf({other})"))),
        },
        _ => return None,
    })
}

/// Processors that programs see.
pub const PROCESSORS: i32 = 4;

/// The `pthread_t` of a thread.
pub fn handle(id: usize) -> u64 {
    (id as u64 + 1) << 8
}

/// The thread that a word names, if it is a `pthread_t`: the first one is number 0.
pub fn thread_of_handle(handle: u64) -> Option<usize> {
    let number = usize::try_from(handle >> 8).ok()?;
    number.checked_sub(1).filter(|_| handle & 0xff == 0)
}

/// The thread that a `pthread_t` names.
pub fn thread<M: Machine>(interp: &Interp<'_, M>, handle: u64) -> Res<usize> {
    let known = thread_of_handle(handle).filter(|id| *id < interp.threads.all.len());
    known.ok_or_else(|| Fault::ub(UbKind::Library, format!("{handle:#x} is given as a thread and is none")))
}

fn create<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let (out, attributes, function, argument) = (call.ptr(0)?, call.ptr(1)?, call.ptr(2)?, call.leaf(3)?);
    interp.go_parallel()?;
    let detached = if attributes.is_null() { false } else { interp.memory.load(attributes, Leaf::Int(32), 4)?.lo == 1 };
    let id = interp.threads.all.len();
    interp.memory.store(out, Leaf::Int(64), Scalar::word(handle(id)), 8)?;
    let id = interp.create_thread(
        Role::Own,
        function,
        vec![Value::shadowed(argument, call.shadows.get(3).cloned().unwrap_or_default())],
        Some(call.at),
    )?;
    interp.threads.all[id].detached = detached;
    Ok(Value::i32(0))
}

/// Waits for a thread's end; its result, or nothing if it would wait for itself.
pub fn join<M: Machine>(interp: &mut Interp<'_, M>, id: usize) -> Res<Option<Scalar>> {
    if id == interp.threads.current {
        return Ok(None);
    }
    let thread = &interp.threads.all[id];
    if thread.joined || thread.detached {
        let what = if thread.joined { "has been joined before" } else { "is detached" };
        let text = format!("thread {id} is joined, which {what}");
        return Err(Fault::ub(UbKind::Library, text).note("it was created here", thread.created));
    }
    if *thread.state() != State::Ended {
        return Err(interp.wait(Awaited::Thread(id), format!("the end of thread {id}"), None));
    }
    let result = thread.result;
    interp.threads.all[id].joined = true;
    if let Some(races) = interp.memory.races() {
        races.learn_from(id);
    }
    Ok(Some(result))
}

/// Lets a thread go.
pub fn detach<M: Machine>(interp: &mut Interp<'_, M>, id: usize) -> Res {
    let thread = &mut interp.threads.all[id];
    if thread.joined || thread.detached {
        let what = if thread.joined { "has been joined before" } else { "is detached already" };
        let fault = Fault::ub(UbKind::Library, format!("thread {id} is detached, which {what}"));
        return Err(fault.note("it was created here", thread.created));
    }
    thread.detached = true;
    Ok(())
}

fn nanosleep<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer) -> Out<M> {
    let seconds = interp.memory.load(at, Leaf::Int(64), 8)?;
    let part = interp.memory.load(at.offset(8), Leaf::Int(64), 8)?;
    if !seconds.is_init() || !part.is_init() {
        return Err(Fault::ub(UbKind::Uninitialised, "a time is not initialised"));
    }
    sleep(interp, seconds.lo.saturating_mul(1_000_000_000).saturating_add(part.lo))
}
