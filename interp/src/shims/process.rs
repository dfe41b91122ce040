//! The process: `exit`, `abort`, `atexit`, failed assertions; `errno`; guards of C++ static objects; what gradients cannot do.

use super::{Shim, ShimCall};
use crate::interp::Interp;
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::outcome::{Fault, Res};
use crate::output::Stream;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// Exit status of a process that a shell reports after SIGABRT.
pub const ABORTED: i32 = 134;
/// The same after SIGILL, as a trap instruction raises.
pub const TRAPPED: i32 = 132;

/// Ends a gradient where it cannot go on: a text and its length. Natively it writes the text and aborts; here its caller has a place.
pub const REFUSE: &str = "__adj_unsupported";

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "exit" => exit,
        "_exit" | "_Exit" | "quick_exit" => |_, c| Err(Fault::exit(c.int(0)? as i32 & 0xff)),
        "abort" | "__cxa_pure_virtual" | "__stack_chk_fail" => |_, _| Err(Fault::exit(ABORTED)),
        "atexit" => |i, c| {
            i.runtime.at_exit.push((c.ptr(0)?, None));
            Ok(Value::i32(0))
        },
        "__cxa_atexit" => |i, c| {
            i.runtime.at_exit.push((c.ptr(0)?, Some(c.ptr(1)?)));
            Ok(Value::i32(0))
        },
        "__assert_fail" => assert_fail,
        REFUSE => |i, c| {
            let text = i.memory.slice(c.ptr(0)?, c.uint(1)?)?;
            Err(Fault::unsupported(String::from_utf8_lossy(text).trim_end()))
        },
        "__errno_location" => |i, _| Ok(Value::ptr(errno(i)?)),
        "__cxa_guard_acquire" => guard_acquire,
        "__cxa_guard_release" => |i, c| {
            i.memory.write_bytes(c.ptr(0)?, &[1])?;
            Ok(Value::void())
        },
        "__cxa_guard_abort" | "__cxa_finalize" => |_, _| Ok(Value::void()),
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

/// The `errno` object, made when it is first asked for.
fn errno<M: Machine>(interp: &mut Interp<'_, M>) -> Res<Pointer> {
    if let Some(pointer) = interp.runtime.errno {
        return Ok(pointer);
    }
    let pointer = interp.memory.allocate(4, 4, AllocKind::Runtime, None)?;
    interp.memory.fill(pointer, Scalar::word(0), 4)?;
    Ok(*interp.runtime.errno.insert(pointer))
}

/// Sets `errno`.
pub fn set_errno<M: Machine>(interp: &mut Interp<'_, M>, number: i32) -> Res {
    let at = errno(interp)?;
    interp.memory.store(at, Leaf::Int(32), Scalar::i32(number), 4)
}

/// `__cxa_guard_acquire`: must the object of static storage still be made? Its first byte says so.
fn guard_acquire<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let made = interp.memory.slice(call.ptr(0)?, 1)?.first().is_some_and(|b| *b != 0);
    Ok(Value::i32(i32::from(!made)))
}
