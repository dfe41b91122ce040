//! What each thread has of its own: keys, and destructors of thread-local objects.

use super::{INVALID, Out};
use crate::machine::Machine;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "pthread_key_create" => |i, c| create(i, c),
        "pthread_key_delete" => |i, c| {
            let key = c.uint(0)? as u32 as usize;
            Ok(Value::i32(match i.threads.keys.get_mut(key) {
                Some(entry) if entry.is_some() => {
                    *entry = None;
                    0
                }
                _ => INVALID,
            }))
        },
        "pthread_setspecific" => |i, c| {
            let (key, value) = (c.uint(0)?, c.leaf(1)?);
            if !matches!(i.threads.keys.get(key as usize), Some(Some(_))) {
                return Ok(Value::i32(INVALID));
            }
            i.threads.me().specific.insert(key, value);
            Ok(Value::i32(0))
        },
        "pthread_getspecific" => |i, c| {
            let key = c.uint(0)?;
            Ok(Value::scalar(i.threads.me().specific.get(&key).copied().unwrap_or(Scalar::ptr(Pointer::NULL))))
        },
        "__cxa_thread_atexit" | "__cxa_thread_atexit_impl" => |i, c| {
            let entry = (c.ptr(0)?, c.ptr(1)?);
            i.threads.me().destructors.push(entry);
            Ok(Value::i32(0))
        },
        _ => return None,
    })
}

fn create<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Out<M> {
    let key = interp.threads.keys.len();
    interp.threads.keys.push(Some(call.ptr(1)?));
    interp.memory.store(call.ptr(0)?, Leaf::Int(32), Scalar::i32(key as i32), 4)?;
    Ok(Value::i32(0))
}
