//! Exceptions: `__cxa_throw` and its kin (Itanium C++ ABI, "Exception Handling", level II), and `std::terminate`.
//!
//! What the ABI keeps in a header before the exception object is kept here, by the object's address. Objects are heap
//! blocks, so that a use after the last handler ends is found.

use crate::interp::Interp;
use crate::library::{Shim, ShimCall};
use crate::machine::Machine;
use crate::memory::{AllocId, AllocKind, HeapKind};
use crate::outcome::{ABORTED, Fault, Res, UbKind};
use crate::output::Stream;
use crate::unwind::exception_ptr::Shared;
use crate::unwind::types::ClassRef;
use crate::unwind::{exception_ptr, types};
use crate::value::{Pointer, Scalar, Value};
use std::collections::BTreeMap;

/// An exception: its object and type.
#[derive(Clone, Debug)]
pub struct Thrown {
    /// The object.
    pub object: Pointer,
    /// Its type.
    pub ty: ClassRef,
    /// Its destructor, or null.
    pub destructor: Pointer,
    /// Handlers that have begun and not ended; negative while it is thrown again.
    handlers: i64,
    /// What the handler just entered sees.
    seen: Pointer,
}

/// What all threads have in common.
#[derive(Clone, Debug, Default)]
pub struct Common {
    /// Vtables and texts of standard exceptions made so far.
    pub tables: BTreeMap<String, Pointer>,
    /// Exceptions with pointers to them, by address of the object.
    pub shared: BTreeMap<u64, Shared>,
}

/// The exceptions of a thread.
#[derive(Clone, Debug, Default)]
pub struct Exceptions {
    /// By address of the object.
    thrown: BTreeMap<u64, Thrown>,
    /// Those in handlers, the innermost last.
    caught: Vec<u64>,
    /// Thrown and not yet in a handler.
    uncaught: i64,
    /// What all threads have in common.
    pub common: Common,
    /// What the landing pad just entered gives.
    pub landing: (Pointer, i32),
}

impl Exceptions {
    /// The exception with that object.
    pub fn find(&self, object: u64) -> Option<Thrown> {
        self.thrown.get(&object).cloned()
    }

    /// The exception whose handler runs.
    pub fn handled(&self) -> Option<Thrown> {
        self.caught.last().and_then(|object| self.find(*object))
    }

    /// A landing pad is entered, whose handler will see `seen`.
    pub fn enter(&mut self, object: Pointer, seen: Pointer, selector: i32) {
        if let Some(thrown) = self.thrown.get_mut(&object.addr) {
            thrown.seen = seen;
        }
        self.landing = (object, selector);
    }
}

/// The number by which a landing pad's code knows a type.
pub fn selector(ty: Pointer) -> i32 {
    1 + AllocId::from_bits(ty.prov).index as i32
}

/// What a handler for the type sees of the exception, if it takes it.
pub fn catches<M: Machine>(interp: &Interp<'_, M>, ty: Pointer, thrown: &Thrown) -> Res<Option<Pointer>> {
    if ty.is_null() {
        return Ok(Some(thrown.object));
    }
    let wanted = types::class_at(interp, ty)?;
    types::convert(interp, &thrown.ty, &wanted, thrown.object)
}

/// The end of a program that leaves an exception uncaught, with libstdc++'s message.
pub fn terminate<M: Machine>(interp: &mut Interp<'_, M>, thrown: Option<&Thrown>) -> Box<Fault> {
    interp.output.flush();
    let text = match thrown {
        Some(thrown) => {
            format!("terminate called after throwing an instance of '{}'\n", types::readable(&thrown.ty.name))
        }
        None => "terminate called without an active exception\n".to_owned(),
    };
    interp.output.write(Stream::Err, text.as_bytes());
    Fault::exit(ABORTED)
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
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
            let thrown = i.runtime.exceptions.find(c.ptr(0)?.addr);
            thrown.map(|t| Value::ptr(t.seen)).ok_or_else(|| Fault::ub(UbKind::Library, "no exception is there"))
        },
        "_ZSt9terminatev" | "__cxa_call_unexpected" => |i, _| {
            let innermost = i.runtime.exceptions.handled();
            Err(terminate(i, innermost.as_ref()))
        },
        "_ZSt18uncaught_exceptionv" => |i, _| Ok(Value::i32(i32::from(i.runtime.exceptions.uncaught > 0))),
        "_ZSt19uncaught_exceptionsv" => |i, _| Ok(Value::i32(i.runtime.exceptions.uncaught as i32)),
        "__dynamic_cast" => |i, c| {
            let wanted = types::class_at(i, c.ptr(2)?)?;
            Ok(Value::ptr(types::dynamic_cast(i, c.ptr(0)?, &wanted)?))
        },
        _ => return None,
    })
}

/// Throws an object.
pub fn throw<M: Machine>(
    interp: &mut Interp<'_, M>,
    object: Pointer,
    ty: ClassRef,
    destructor: Pointer,
) -> Res<Value<M::Shadow>> {
    let thrown = Thrown { object, ty, destructor, handlers: 0, seen: object };
    interp.runtime.exceptions.thrown.insert(object.addr, thrown.clone());
    interp.runtime.exceptions.uncaught += 1;
    match interp.throw(&thrown)? {}
}

fn begin_catch<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let object = call.ptr(0)?.addr;
    let exceptions = &mut interp.runtime.exceptions;
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

fn end_catch<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let exceptions = &mut interp.runtime.exceptions;
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

fn rethrow<M: Machine>(interp: &mut Interp<'_, M>, _: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    match interp.runtime.exceptions.handled() {
        Some(thrown) => throw_again(interp, thrown.object),
        None => Err(terminate(interp, None)),
    }
}

/// Throws an exception that is being handled.
pub fn throw_again<M: Machine>(interp: &mut Interp<'_, M>, object: Pointer) -> Res<Value<M::Shadow>> {
    let exceptions = &mut interp.runtime.exceptions;
    let Some(thrown) = exceptions.thrown.get_mut(&object.addr) else {
        return Err(Fault::bug("an exception is thrown again that is none"));
    };
    thrown.handlers = -thrown.handlers;
    thrown.seen = thrown.object;
    exceptions.uncaught += 1;
    let thrown = thrown.clone();
    match interp.throw(&thrown)? {}
}

/// A scalar that is a pointer to a run-time object.
pub fn pointer(scalar: Scalar) -> Res<Pointer> {
    if scalar.is_init() {
        return Ok(scalar.as_ptr());
    }
    Err(Fault::ub(UbKind::Uninitialised, "a pointer of an object with virtual functions is uninitialised"))
}
