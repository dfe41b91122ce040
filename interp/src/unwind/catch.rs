//! `__cxa_throw` and its kin (Itanium C++ ABI, "Exception Handling", level II), and `std::terminate`, as functions of a
//! library.

use crate::engine::{Engine, Shim};
use crate::library::Library;
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::thrown::Thrown;
use crate::unwind::exceptions::{terminate, throw, throw_again};
use crate::unwind::{exception_ptr, types};
use crate::value::Value;

/// The shims of this file by name.
pub fn find<M: Machine, L: Library>(name: &str) -> Option<Shim<M, L>> {
    Some(match name {
        "__cxa_allocate_exception" => |i, c| {
            let kind = AllocKind::Heap(HeapKind::Malloc);
            Ok(Value::ptr(i.memory.allocate(c.uint(0)?, 16, kind, Some(c.at))?))
        },
        "__cxa_free_exception" => |i, c| {
            i.memory.free(c.ptr(0)?, HeapKind::Malloc, Some(c.at))?;
            Ok(Value::void())
        },
        "__cxa_throw" => |i, c| {
            let ty = types::class_at(i, c.ptr(1)?)?;
            throw(i, c.ptr(0)?, ty, c.ptr(2)?)
        },
        "__cxa_begin_catch" => begin_catch,
        "__cxa_end_catch" => end_catch,
        "__cxa_rethrow" => rethrow,
        "__cxa_get_exception_ptr" => |i, c| {
            let thrown = i.exceptions.find(c.ptr(0)?.addr);
            thrown.map(|t| Value::ptr(t.seen)).ok_or_else(|| Fault::ub(UbKind::Library, "no exception is there"))
        },
        "_ZSt9terminatev" | "__cxa_call_unexpected" => |i, _| {
            let innermost = i.exceptions.handled();
            Err(terminate(i, innermost.as_ref()))
        },
        "_ZSt18uncaught_exceptionv" => |i, _| Ok(Value::i32(i32::from(i.exceptions.uncaught > 0))),
        "_ZSt19uncaught_exceptionsv" => |i, _| Ok(Value::i32(i.exceptions.uncaught as i32)),
        "__dynamic_cast" => |i, c| {
            let wanted = types::class_at(i, c.ptr(2)?)?;
            Ok(Value::ptr(types::dynamic_cast(i, c.ptr(0)?, &wanted)?))
        },
        _ => return None,
    })
}

fn begin_catch<M: Machine, L: Library>(
    interp: &mut Engine<'_, M, L>,
    call: &ShimCall<'_, M::Shadow>,
) -> Res<Value<M::Shadow>> {
    let object = call.ptr(0)?.addr;
    let exceptions = &mut interp.exceptions;
    let Some(thrown) = exceptions.thrown.get_mut(&object) else {
        return Err(Fault::ub(UbKind::Library, "a handler begins without an exception"));
    };
    thrown.handlers = thrown.handlers.abs() + 1;
    exceptions.uncaught -= 1;
    if exceptions.caught.last() != Some(&object) {
        exceptions.caught.push(object);
    }
    Ok(Value::ptr(thrown.seen))
}

fn end_catch<M: Machine, L: Library>(
    interp: &mut Engine<'_, M, L>,
    call: &ShimCall<'_, M::Shadow>,
) -> Res<Value<M::Shadow>> {
    let exceptions = &mut interp.exceptions;
    let innermost = exceptions.caught.last().copied();
    let Some(thrown) = innermost.and_then(|object| exceptions.thrown.get_mut(&object)) else {
        return Err(Fault::ub(UbKind::Library, "a handler ends that never began"));
    };
    if thrown.handlers < 0 {
        // It is on its way again: the handler is left, the exception lives on.
        thrown.handlers += 1;
        if thrown.handlers == 0 {
            exceptions.caught.pop();
        }
        return Ok(Value::void());
    }
    thrown.handlers -= 1;
    if thrown.handlers > 0 {
        return Ok(Value::void());
    }
    let Thrown { object, destructor, .. } = thrown.clone();
    exceptions.caught.pop();
    exceptions.thrown.remove(&object.addr);
    if exception_ptr::leave(interp, call, object)? {
        return Ok(Value::void());
    }
    if !destructor.is_null() {
        interp.call_back(destructor, &[Value::ptr(object)])?;
    }
    interp.memory.free(object, HeapKind::Malloc, Some(call.at))?;
    Ok(Value::void())
}

fn rethrow<M: Machine, L: Library>(
    interp: &mut Engine<'_, M, L>,
    _: &ShimCall<'_, M::Shadow>,
) -> Res<Value<M::Shadow>> {
    match interp.exceptions.handled() {
        Some(thrown) => throw_again(interp, thrown.object),
        None => Err(terminate(interp, None)),
    }
}
