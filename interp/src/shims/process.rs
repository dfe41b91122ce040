//! The process: `exit`, `abort`, `atexit`, failed assertions; `errno`; guards of C++ static objects; what gradients
//! cannot do.

use crate::library::errno;
use crate::machine::Machine;
use crate::outcome::{ABORTED, Fault, Res};
use crate::output::Stream;
use crate::races::Mode;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::threads::Awaited;
use crate::value::{Pointer, Value};

/// Ends a gradient where it cannot go on: a text and its length. Natively it writes the text and aborts; here its
/// caller has a place.
pub const REFUSE: &str = "__adj_unsupported";

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "exit" => exit,
        "_exit" | "_Exit" | "quick_exit" => |_, c| Err(Fault::exit(c.int(0)? as i32 & 0xff)),
        "abort" | "__cxa_pure_virtual" | "__stack_chk_fail" => |_, _| Err(Fault::exit(ABORTED)),
        "atexit" => |i, c| {
            i.at_exit.push((c.ptr(0)?, None));
            Ok(Value::i32(0))
        },
        "__cxa_atexit" => |i, c| {
            i.at_exit.push((c.ptr(0)?, Some(c.ptr(1)?)));
            Ok(Value::i32(0))
        },
        "__assert_fail" => assert_fail,
        REFUSE => |i, c| {
            let text = i.memory.slice(c.ptr(0)?, c.uint(1)?)?;
            Err(Fault::unsupported(String::from_utf8_lossy(&text).trim_end()))
        },
        "__errno_location" => |i, _| Ok(Value::ptr(errno(i)?)),
        "__cxa_guard_acquire" => guard_acquire,
        "__cxa_guard_release" => |i, c| guard_leave(i, c.ptr(0)?, true),
        "__cxa_guard_abort" => |i, c| guard_leave(i, c.ptr(0)?, false),
        "__cxa_finalize" => |_, _| Ok(Value::void()),
        _ => return None,
    })
}

fn exit<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    interp.run_exit_handlers()?;
    Err(Fault::exit(call.int(0)? as i32 & 0xff))
}

/// glibc's message: `prog: file.c:12: function: Assertion `text' failed.`
fn assert_fail<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let text = |i: usize| -> Res<String> {
        let bytes = interp.memory.read_cstr(call.ptr(i)?)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let message = format!("{}:{}: {}: Assertion `{}' failed.\n", text(1)?, call.uint(2)?, text(3)?, text(0)?);
    interp.output.flush();
    interp.output.write(Stream::Err, message.as_bytes());
    Err(Fault::exit(ABORTED))
}

/// `__cxa_guard_acquire`: must the object of static storage still be made? The first byte of the guard says so, the
/// second that a thread is about it. Others wait for it; what it did is known to whoever finds the first byte set
/// (Itanium C++ ABI, 3.3.3).
fn guard_acquire<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let guard = call.ptr(0)?;
    let state = interp.memory.accessed_as(Mode::Atomic, |m| m.read_bytes(guard, 2))?;
    if state[0] != 0 {
        let key = interp.memory.key(guard);
        if let Some(races) = interp.memory.races() {
            races.atomic_load(key, ir::Ordering::Acquire);
        }
        return Ok(Value::i32(0));
    }
    if state[1] != 0 && interp.threads.live {
        return Err(interp.wait(Awaited::Object(guard.addr), "the initialisation of a static object", None));
    }
    interp.memory.accessed_as(Mode::Atomic, |m| m.write_bytes(guard.offset(1), &[1]))?;
    Ok(Value::i32(1))
}

/// `__cxa_guard_release` (made) and `__cxa_guard_abort`.
fn guard_leave<M: Machine>(interp: &mut Interp<'_, M>, guard: Pointer, made: bool) -> Res<Value<M::Shadow>> {
    interp.memory.accessed_as(Mode::Atomic, |m| m.write_bytes(guard, &[u8::from(made), 0]))?;
    let key = interp.memory.key(guard);
    if let Some(races) = interp.memory.races() {
        races.atomic_store(key, ir::Ordering::Release, false);
    }
    interp.threads.wake(Awaited::Object(guard.addr));
    Ok(Value::void())
}
