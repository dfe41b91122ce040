//! `memcpy`, `memmove`, `memset`, `memcmp`, `strlen`: what compilers call by themselves.

use super::{Shim, ShimCall};
use crate::interp::Interp;
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::value::Value;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "memcpy" | "__memcpy_chk" => memcpy,
        "memmove" | "__memmove_chk" => |i, c| {
            i.memory.copy(c.ptr(0)?, c.ptr(1)?, c.uint(2)?)?;
            Ok(Value::ptr(c.ptr(0)?))
        },
        "memset" | "__memset_chk" => |i, c| {
            i.memory.fill(c.ptr(0)?, c.leaf(1)?, c.uint(2)?)?;
            Ok(Value::ptr(c.ptr(0)?))
        },
        "bzero" => |i, c| {
            i.memory.fill(c.ptr(0)?, crate::Scalar::word(0), c.uint(1)?)?;
            Ok(Value::void())
        },
        "memcmp" | "bcmp" => |i, c| {
            let len = c.uint(2)?;
            let order = i.memory.slice(c.ptr(0)?, len)?.cmp(i.memory.slice(c.ptr(1)?, len)?);
            Ok(Value::i32(order as i32))
        },
        "strlen" => |i, c| Ok(Value::i64(i.memory.read_cstr(c.ptr(0)?)?.len() as i64)),
        _ => return None,
    })
}

fn memcpy<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (dst, src, len) = (call.ptr(0)?, call.ptr(1)?, call.uint(2)?);
    if interp.memory.overlaps(dst, src, len) {
        return Err(Fault::ub(UbKind::Overlap, format!("memcpy of {len} bytes between overlapping ranges")));
    }
    interp.memory.copy(dst, src, len)?;
    Ok(Value::ptr(dst))
}
