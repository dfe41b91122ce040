//! `std::exception_ptr`: exceptions that outlive their handlers and go to other threads (C++17 [propagation];
//! `bits/exception_ptr.h`).
//!
//! A pointer is the address of the exception object. An object to which there is or was a pointer is shared: it has a
//! number of pointers, and of threads in which it is on its way or handled. Who takes the last of both away destroys
//! it. The counts are atomic in libstdc++, so each decrement happens before the destruction.

use crate::engine::{Engine, Shim};
use crate::library::Library;
use crate::machine::Machine;
use crate::memory::HeapKind;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::sync::{acquire, release};
use crate::thrown::{Shared, Thrown, pointer};
use crate::unwind::{exceptions, types};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine, L: Library>(name: &str) -> Option<Shim<M, L>> {
    Some(match name {
        "_ZSt17current_exceptionv" => current,
        "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE" => rethrow,
        "__cxa_init_primary_exception" => |i, c| {
            let (object, ty) = (c.ptr(0)?, types::class_at(i, c.ptr(1)?)?);
            let shared = Shared { object, ty, destructor: c.ptr(2)?, pointers: 0, threads: 0 };
            i.exceptions.common.shared.insert(object.addr, shared);
            Ok(Value::ptr(object))
        },
        "_ZNSt15__exception_ptr13exception_ptrC1EPv" | "_ZNSt15__exception_ptr13exception_ptrC2EPv" => |i, c| {
            let object = c.ptr(1)?;
            i.memory.store(c.ptr(0)?, Leaf::Ptr, Scalar::ptr(object), 8)?;
            if !object.is_null() {
                add(i, object)?;
            }
            Ok(Value::void())
        },
        "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv" => |i, c| {
            let object = target(i, c.ptr(0)?)?;
            add(i, object)?;
            Ok(Value::void())
        },
        "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv" => |i, c| {
            drop_pointer(i, c, c.ptr(0)?)?;
            i.memory.store(c.ptr(0)?, Leaf::Ptr, Scalar::ptr(Pointer::NULL), 8)?;
            Ok(Value::void())
        },
        "_ZNKSt15__exception_ptr13exception_ptr6_M_getEv" => |i, c| Ok(Value::ptr(target(i, c.ptr(0)?)?)),
        _ => return None,
    })
}

/// The object that a pointer points to.
fn target<M: Machine, L: Library>(interp: &Engine<'_, M, L>, at: Pointer) -> Res<Pointer> {
    pointer(interp.memory.load_ptr(at, 8)?)
}

fn shared<'i, M: Machine, L: Library>(interp: &'i mut Engine<'_, M, L>, object: Pointer) -> Res<&'i mut Shared> {
    let known = interp.exceptions.common.shared.get_mut(&object.addr);
    known.ok_or_else(|| Fault::ub(UbKind::Library, "a std::exception_ptr to an exception that is gone"))
}

fn add<M: Machine, L: Library>(interp: &mut Engine<'_, M, L>, object: Pointer) -> Res {
    shared(interp, object)?.pointers += 1;
    Ok(())
}

/// `std::current_exception()`: its result is an object of the caller's.
fn current<M: Machine, L: Library>(
    interp: &mut Engine<'_, M, L>,
    call: &ShimCall<'_, M::Shadow>,
) -> Res<Value<M::Shadow>> {
    let handled = interp.exceptions.handled();
    let object = handled.as_ref().map_or(Pointer::NULL, |thrown| thrown.object);
    if let Some(Thrown { object, ty, destructor, .. }) = handled {
        let new = Shared { object, ty, destructor, pointers: 0, threads: 1 };
        interp.exceptions.common.shared.entry(object.addr).or_insert(new).pointers += 1;
    }
    interp.memory.store(call.ptr(0)?, Leaf::Ptr, Scalar::ptr(object), 8)?;
    Ok(Value::void())
}

fn rethrow<M: Machine, L: Library>(
    interp: &mut Engine<'_, M, L>,
    call: &ShimCall<'_, M::Shadow>,
) -> Res<Value<M::Shadow>> {
    let object = target(interp, call.ptr(0)?)?;
    if object.is_null() {
        return Err(Fault::ub(UbKind::Library, "std::rethrow_exception of a null pointer ([propagation])"));
    }
    // In its own handler: what `throw;` does.
    if interp.exceptions.find(object.addr).is_some() {
        return exceptions::throw_again(interp, object);
    }
    let shared = shared(interp, object)?;
    shared.threads += 1;
    let (ty, destructor) = (shared.ty.clone(), shared.destructor);
    acquire(interp, object);
    exceptions::throw(interp, object, ty, destructor)
}

pub fn drop_pointer<M: Machine, L: Library>(
    interp: &mut Engine<'_, M, L>,
    call: &ShimCall<'_, M::Shadow>,
    pointer: Pointer,
) -> Res {
    let object = target(interp, pointer)?;
    let shared = shared(interp, object)?;
    shared.pointers = shared.pointers.saturating_sub(1);
    release(interp, object);
    destroy_unowned(interp, call, object)
}

/// The running thread has left the last handler of an exception: whether that is shared, and so not yet to be destroyed
/// by others.
pub fn leave<M: Machine, L: Library>(
    interp: &mut Engine<'_, M, L>,
    call: &ShimCall<'_, M::Shadow>,
    object: Pointer,
) -> Res<bool> {
    let Some(shared) = interp.exceptions.common.shared.get_mut(&object.addr) else { return Ok(false) };
    shared.threads = shared.threads.saturating_sub(1);
    release(interp, object);
    destroy_unowned(interp, call, object)?;
    Ok(true)
}

fn destroy_unowned<M: Machine, L: Library>(
    interp: &mut Engine<'_, M, L>,
    call: &ShimCall<'_, M::Shadow>,
    object: Pointer,
) -> Res {
    let Shared { object, destructor, pointers, threads, .. } = shared(interp, object)?.clone();
    if pointers + threads > 0 {
        return Ok(());
    }
    acquire(interp, object);
    interp.exceptions.common.shared.remove(&object.addr);
    if !destructor.is_null() {
        interp.call_back(destructor, &[Value::ptr(object)])?;
    }
    interp.memory.free(object, HeapKind::Malloc, Some(call.at))
}
