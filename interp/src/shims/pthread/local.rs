//! What each thread has of its own: keys, and destructors of thread-local objects.

use super::{INVALID, Out};
use crate::interp::Interp;
use crate::library::{Shim, ShimCall};
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::outcome::Res;
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

impl<M: Machine> Interp<'_, M> {
    /// The running thread's copy of a thread-local variable, or its block's of a shared one.
    pub(crate) fn thread_local(&mut self, variable: Pointer) -> Res<Pointer> {
        // The main thread uses the variable itself.
        if self.threads.current == 0 || variable.prov == 0 {
            return Ok(variable);
        }
        let Some(info) = self.memory.info(variable) else { return Ok(variable) };
        // What is not the variable itself is a copy already.
        let original = matches!(info.kind, AllocKind::Global(id) if self.program.globals[id].prov == variable.prov);
        if !original {
            return Ok(variable);
        }
        if let AllocKind::Global(id) = info.kind
            && self.program.module.globals[id].addr_space == crate::lower::SHARED
        {
            return self.shared_copy(variable, info.pointer(), info.size);
        }
        if let Some(copy) = self.threads.me().locals.get(&variable.prov) {
            return Ok(copy.offset(variable.addr.wrapping_sub(info.base) as i64));
        }
        let copy = self.memory.allocate_like(&self.program.image, info.id)?;
        self.threads.me().locals.insert(variable.prov, copy);
        Ok(copy.offset(variable.addr.wrapping_sub(info.base) as i64))
    }

    /// Destroys the main thread's thread-local objects, last first.
    pub(crate) fn run_thread_destructors(&mut self) -> Res {
        while let Some((destructor, object)) = self.threads.me().destructors.pop() {
            self.call_back(destructor, &[Value::ptr(object)])?;
        }
        Ok(())
    }
}
