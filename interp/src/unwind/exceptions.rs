//! Exceptions are thrown, matched and thrown again (Itanium C++ ABI, "Exception Handling"), or the program terminates.

use crate::engine::Engine;
use crate::library::Library;
use crate::machine::Machine;
use crate::memory::AllocId;
use crate::outcome::{ABORTED, Fault, Res};
use crate::output::Stream;
use crate::thrown::{ClassRef, Thrown};
use crate::unwind::types;
use crate::value::{Pointer, Value};

/// The number by which a landing pad's code knows a type.
pub fn selector(ty: Pointer) -> i32 {
    1 + AllocId::from_bits(ty.prov).index as i32
}

/// What a handler for the type sees of the exception, if it takes it.
pub fn catches<M: Machine, L: Library>(
    interp: &Engine<'_, M, L>,
    ty: Pointer,
    thrown: &Thrown,
) -> Res<Option<Pointer>> {
    if ty.is_null() {
        return Ok(Some(thrown.object));
    }
    let wanted = types::class_at(interp, ty)?;
    types::convert(interp, &thrown.ty, &wanted, thrown.object)
}

/// The end of a program that leaves an exception uncaught, with libstdc++'s message.
pub fn terminate<M: Machine, L: Library>(interp: &mut Engine<'_, M, L>, thrown: Option<&Thrown>) -> Box<Fault> {
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

/// Throws an object.
pub fn throw<M: Machine, L: Library>(
    interp: &mut Engine<'_, M, L>,
    object: Pointer,
    ty: ClassRef,
    destructor: Pointer,
) -> Res<Value<M::Shadow>> {
    let thrown = Thrown { object, ty, destructor, handlers: 0, seen: object };
    interp.exceptions.thrown.insert(object.addr, thrown.clone());
    interp.exceptions.uncaught += 1;
    match interp.throw(&thrown)? {}
}

/// Throws an exception that is being handled.
pub fn throw_again<M: Machine, L: Library>(interp: &mut Engine<'_, M, L>, object: Pointer) -> Res<Value<M::Shadow>> {
    let exceptions = &mut interp.exceptions;
    let Some(thrown) = exceptions.thrown.get_mut(&object.addr) else {
        return Err(Fault::bug("an exception is thrown again that is none"));
    };
    thrown.handlers = -thrown.handlers;
    thrown.seen = thrown.object;
    exceptions.uncaught += 1;
    let thrown = thrown.clone();
    match interp.throw(&thrown)? {}
}
