//! Clocks and the environment: simulated, so that every run of a program is the same.
//!
//! Time is counted in executed instructions: a nanosecond each, from a fixed date. No variable is set in the
//! environment.

use crate::machine::Machine;
use crate::outcome::Res;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// 2024-01-01 00:00:00 UTC.
pub const START: u64 = 1_704_067_200;
const NANOSECONDS: u64 = 1_000_000_000;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "clock" => |i, _| Ok(Value::i64((i.nanoseconds() / 1000) as i64)),
        "_ZNSt6chrono3_V212steady_clock3nowEv" | "_ZNSt6chrono3_V212system_clock3nowEv" => {
            |i, _| Ok(Value::i64((START * NANOSECONDS + i.nanoseconds()) as i64))
        }
        "time" => |i, c| {
            let seconds = START + i.nanoseconds() / NANOSECONDS;
            let out = c.ptr(0)?;
            if !out.is_null() {
                i.memory.store(out, Leaf::Int(64), Scalar::word(seconds), 8)?;
            }
            Ok(Value::i64(seconds as i64))
        },
        "clock_gettime" => |i, c| {
            store_now(i, c.ptr(1)?, 1)?;
            Ok(Value::i32(0))
        },
        "timespec_get" => |i, c| {
            store_now(i, c.ptr(0)?, 1)?;
            Ok(Value::i32(c.int(1)? as i32))
        },
        "gettimeofday" => |i, c| {
            store_now(i, c.ptr(0)?, 1000)?;
            Ok(Value::i32(0))
        },
        "difftime" => |_, c| Ok(Value::f64((c.int(0)? - c.int(1)?) as f64)),
        "getenv" | "secure_getenv" => |i, c| {
            i.memory.read_cstr(c.ptr(0)?)?;
            Ok(Value::ptr(Pointer::NULL))
        },
        _ => return None,
    })
}

/// Stores the time as a pair of seconds and parts of a second, in units of so many nanoseconds.
fn store_now<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer, unit: u64) -> Res {
    let steps = interp.nanoseconds();
    interp.memory.store(at, Leaf::Int(64), Scalar::word(START + steps / NANOSECONDS), 8)?;
    interp.memory.store(at.offset(8), Leaf::Int(64), Scalar::word(steps % NANOSECONDS / unit), 8)
}
