//! `<threads.h>` (C11 7.26). Its objects are those of POSIX threads under other names; `thrd_success` is 0, `thrd_busy`
//! 1, `thrd_error` 2, `thrd_timedout` 4 (glibc).

use super::{BUSY, Out, TIMED_OUT, cond, deadline, mutex, sync, thread};
use crate::machine::Machine;
use crate::memory::shadow::Shadow;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::Role;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "thrd_create" => create,
        "thrd_join" => |i, c| {
            let id = thread::thread(i, c.uint(0)?)?;
            let Some(result) = thread::join(i, id)? else { return Ok(Value::i32(2)) };
            let out = c.ptr(1)?;
            if !out.is_null() {
                i.memory.store(out, Leaf::Int(32), Scalar { hi: 0, ..result }, 4)?;
            }
            Ok(Value::i32(0))
        },
        "thrd_detach" => |i, c| {
            let id = thread::thread(i, c.uint(0)?)?;
            thread::detach(i, id)?;
            Ok(Value::i32(0))
        },
        "thrd_current" => |i, _| Ok(Value::i64(thread::handle(i.threads.current) as i64)),
        "thrd_equal" => |_, c| Ok(Value::i32(i32::from(c.uint(0)? == c.uint(1)?))),
        "thrd_yield" => |i, _| {
            i.threads.turn = 0;
            Ok(Value::void())
        },
        "thrd_exit" => |i, c| {
            let value = c.leaf(0)?;
            match i.exit_thread(value)? {}
        },
        "mtx_init" => |i, c| {
            let recursive = c.int(1)? & 1;
            mutex::init(i, c.ptr(0)?, recursive as i32)
        },
        "mtx_lock" => |i, c| status(mutex::take(i, c.ptr(0)?, None)),
        "mtx_timedlock" => |i, c| {
            let until = deadline(i, c.ptr(1)?)?;
            status(mutex::take(i, c.ptr(0)?, Some(until)))
        },
        "mtx_trylock" => |i, c| status(mutex::try_take(i, c.ptr(0)?)),
        "mtx_unlock" => |i, c| status(mutex::give(i, c.ptr(0)?)),
        "mtx_destroy" => |i, c| mutex::destroy(i, c.ptr(0)?).map(|_| Value::void()),
        "cnd_init" => |i, c| {
            super::clear(i, c.ptr(0)?, 48)?;
            Ok(Value::i32(0))
        },
        "cnd_wait" => |i, c| status(cond::wait(i, c.ptr(0)?, c.ptr(1)?, None)),
        "cnd_timedwait" => |i, c| {
            let until = deadline(i, c.ptr(2)?)?;
            status(cond::wait(i, c.ptr(0)?, c.ptr(1)?, Some(until)))
        },
        "cnd_signal" => |i, c| status(cond::signal(i, c.ptr(0)?, false)),
        "cnd_broadcast" => |i, c| status(cond::signal(i, c.ptr(0)?, true)),
        "cnd_destroy" => |i, c| cond::destroy(i, c.ptr(0)?).map(|_| Value::void()),
        "call_once" => |i, c| sync::once(i, c.ptr(0)?, c.ptr(1)?, &[]).map(|_| Value::void()),
        _ => return None,
    })
}

/// The status of `<threads.h>` for an error number.
fn status<S: Shadow>(result: crate::outcome::Res<Value<S>>) -> crate::outcome::Res<Value<S>> {
    let number = result?.first().map_or(0, |s| s.lo as i32);
    Ok(Value::i32(match number {
        0 => 0,
        BUSY => 1,
        TIMED_OUT => 4,
        _ => 2,
    }))
}

fn create<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let (out, function, argument): (Pointer, Pointer, Scalar) = (call.ptr(0)?, call.ptr(1)?, call.leaf(2)?);
    interp.go_parallel()?;
    let id = interp.threads.all.len();
    interp.memory.store(out, Leaf::Int(64), Scalar::word(thread::handle(id)), 8)?;
    interp.create_thread(Role::Own, function, vec![Value::scalar(argument)], Some(call.at))?;
    Ok(Value::i32(0))
}
