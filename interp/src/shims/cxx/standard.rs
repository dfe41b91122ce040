//! The exception classes of the standard library: construction, `what()`, and the functions that throw them
//! (`functexcept.h`).
//!
//! `std::logic_error`, `std::runtime_error` and those derived from them hold `{ vtable, message }`, the message being a
//! pointer to the characters of a shared string whose `{ length, capacity, count of other owners }` stands before them;
//! the others hold the vtable alone. A vtable has the slots offset to top, type, two destructors, `what`. Programs that
//! throw or catch need these functions even where they do not declare them, so they are declared in any case.

use crate::exec::va_list::Arguments;
use crate::link::Symbols;
use crate::machine::Machine;
use crate::memory::shadow::Shadow;
use crate::memory::{AllocKind, HeapKind, Memory};
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::format::format;
use crate::shims::state::{Interp, Shim};
use crate::thrown::ClassRef;
use crate::thrown::pointer;
use crate::unwind::exceptions;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// A class with a message and, behind it, an error code.
pub const FUTURE: &str = "future_error";

/// Classes with a message, by the class whose functions serve them.
const LOGIC: &[&str] = &["logic_error", "domain_error", "invalid_argument", "length_error", "out_of_range", FUTURE];
const RUNTIME: &[&str] = &["runtime_error", "range_error", "overflow_error", "underflow_error"];
/// Classes without one.
const PLAIN: &[&str] = &[
    "exception",
    "bad_alloc",
    "bad_array_new_length",
    "bad_cast",
    "bad_typeid",
    "bad_exception",
    "bad_function_call",
    "bad_weak_ptr",
];

/// The class whose destructors and `what` serve a class.
fn family(class: &str) -> Option<&str> {
    if LOGIC.contains(&class) {
        return Some("logic_error");
    }
    if RUNTIME.contains(&class) {
        return Some("runtime_error");
    }
    PLAIN.contains(&class).then_some(class)
}

fn has_message(class: &str) -> bool {
    LOGIC.contains(&class) || RUNTIME.contains(&class)
}

/// `std::NAME` mangled.
fn mangled(class: &str) -> String {
    format!("St{}{class}", class.len())
}

fn slots(class: &str) -> [String; 3] {
    let of = family(class).unwrap_or(class);
    let name = mangled(of);
    [format!("_ZN{name}D1Ev"), format!("_ZN{name}D0Ev"), format!("_ZNK{name}4whatEv")]
}

/// Members that vtables of standard exceptions hold: the two destructors and `what`, class by class.
pub fn members() -> impl Iterator<Item = [String; 3]> {
    LOGIC[..1].iter().chain(&RUNTIME[..1]).chain(PLAIN).map(|class| slots(class))
}

/// Fills the vtables of standard exceptions that the program refers to.
pub fn initialise(symbols: Symbols<'_>, memory: &mut Memory<()>) -> Res {
    for (id, global) in symbols.module.globals.iter().filter(|(_, g)| g.init.is_none() && g.alias_of.is_none()) {
        let Some(class) = global.name.strip_prefix("_ZTVSt") else { continue };
        let class = class.trim_start_matches(|c: char| c.is_ascii_digit());
        if family(class).is_some() {
            fill(symbols, memory, class, symbols.globals[id])?;
        }
    }
    Ok(())
}

/// Writes a vtable.
fn fill<S: Shadow>(symbols: Symbols<'_>, memory: &mut Memory<S>, class: &str, at: Pointer) -> Res {
    memory.store(at, Leaf::Int(64), Scalar::word(0), 8)?;
    let ty = symbols.module.global(&format!("_ZTI{}", mangled(class)));
    let ty = ty.map_or(Pointer::NULL, |id| symbols.globals[id]);
    memory.store(at.offset(8), Leaf::Ptr, Scalar::ptr(ty), 8)?;
    for (index, name) in (2..).zip(slots(class)) {
        let target = symbols.module.function(&name).map_or(Pointer::NULL, |func| symbols.functions[func]);
        memory.store(at.offset(8 * index), Leaf::Ptr, Scalar::ptr(target), 8)?;
    }
    Ok(())
}

/// The vtable's address point for a class: the program's own, or one made for it.
fn table<M: Machine>(interp: &mut Interp<'_, M>, class: &str) -> Res<Pointer> {
    let program = interp.program;
    if let Some(id) = program.module.global(&format!("_ZTV{}", mangled(class))) {
        return Ok(program.globals[id].offset(16));
    }
    if let Some(made) = interp.exceptions.common.tables.get(class) {
        return Ok(made.offset(16));
    }
    let made = interp.memory.allocate(40, 8, AllocKind::Runtime, None)?;
    fill(program.symbols(), &mut interp.memory, class, made)?;
    interp.exceptions.common.tables.insert(class.to_owned(), made);
    Ok(made.offset(16))
}

/// `_ZN[K]St<n><class><member>`: class and member.
fn parse(name: &str) -> Option<(&str, &str)> {
    let rest = name.strip_prefix("_ZNKSt").or_else(|| name.strip_prefix("_ZNSt"))?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let length = rest[..digits].parse::<usize>().ok()?;
    let (class, member) = (rest.get(digits..digits + length)?, rest.get(digits + length..)?);
    family(class)?;
    Some((class, member))
}

/// `_ZSt<n>__throw_<what>…`: what is thrown.
fn parse_throw(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("_ZSt")?.trim_start_matches(|c: char| c.is_ascii_digit());
    let what = rest.strip_prefix("__throw_")?;
    let what = what.strip_suffix("PKc").or_else(|| what.strip_suffix("PKcz")).or_else(|| what.strip_suffix('v'))?;
    let class = what.strip_suffix("_fmt").unwrap_or(what);
    family(class)?;
    Some(what)
}

const STRING: &str = "ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    if parse_throw(name).is_some() {
        return Some(throw);
    }
    match name {
        "__cxa_bad_cast" => return Some(|i, c| thrown(i, c, "bad_cast", b"")),
        "__cxa_bad_typeid" => return Some(|i, c| thrown(i, c, "bad_typeid", b"")),
        "__cxa_throw_bad_array_new_length" => return Some(|i, c| thrown(i, c, "bad_array_new_length", b"")),
        _ => {}
    }
    let (_, member) = parse(name)?;
    match member {
        "C1EPKc" | "C2EPKc" => Some(|i, c| {
            let text = i.memory.read_cstr(c.ptr(1)?)?;
            construct(i, c, &text)
        }),
        "C1ERKS_" | "C2ERKS_" => Some(copy),
        "D0Ev" | "D1Ev" | "D2Ev" => Some(destroy),
        "4whatEv" => Some(what),
        _ if member.strip_prefix("C1").or_else(|| member.strip_prefix("C2")) == Some(STRING) => Some(|i, c| {
            let string = c.ptr(1)?;
            let length = i.memory.load(string.offset(8), Leaf::Int(64), 8)?.lo;
            let characters = pointer(i.memory.load_ptr(string, 8)?)?;
            let text = i.memory.read_bytes(characters, length)?;
            construct(i, c, &text)
        }),
        _ => None,
    }
}

/// The class that the called function is a member of.
fn class_of<'p, M: Machine>(interp: &Interp<'p, M>, call: &ShimCall<'_, M::Shadow>) -> &'p str {
    let program = interp.program;
    parse(&program.module.functions[call.func].name).map_or("exception", |(class, _)| class)
}

/// A shared string with one owner; returns its characters.
fn message<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, text: &[u8]) -> Res<Pointer> {
    let length = text.len() as u64;
    let block = interp.memory.allocate(25 + length, 16, AllocKind::Heap(HeapKind::New), Some(call.at))?;
    for (offset, word) in [(0, length), (8, length), (16, 0)] {
        interp.memory.store(block.offset(offset), Leaf::Int(64), Scalar::word(word), 8)?;
    }
    interp.memory.write_bytes(block.offset(24), text)?;
    interp.memory.write_bytes(block.offset(24 + length as i64), &[0])?;
    Ok(block.offset(24))
}

/// Sets the vtable and, where there is one, the message.
fn build<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    (object, class): (Pointer, &str),
    text: &[u8],
) -> Res {
    let table = table(interp, class)?;
    interp.memory.store(object, Leaf::Ptr, Scalar::ptr(table), 8)?;
    if has_message(class) {
        let characters = message(interp, call, text)?;
        interp.memory.store(object.offset(8), Leaf::Ptr, Scalar::ptr(characters), 8)?;
    }
    Ok(())
}

fn construct<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    text: &[u8],
) -> Res<Value<M::Shadow>> {
    let class = class_of(interp, call);
    build(interp, call, (call.ptr(0)?, class), text)?;
    Ok(Value::void())
}

/// Owners of the message beside the first, and a change of their number.
fn owners<M: Machine>(interp: &mut Interp<'_, M>, characters: Pointer, change: i64) -> Res<i64> {
    let at = characters.offset(-8);
    let count = interp.memory.load(at, Leaf::Int(64), 8)?;
    if !count.is_init() {
        return Err(Fault::ub(UbKind::Uninitialised, "an exception of the standard library was never constructed"));
    }
    let count = count.lo as i64 + change;
    interp.memory.store(at, Leaf::Int(64), Scalar::word(count as u64), 8)?;
    Ok(count)
}

fn copy<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (class, to, from) = (class_of(interp, call), call.ptr(0)?, call.ptr(1)?);
    let table = table(interp, class)?;
    interp.memory.store(to, Leaf::Ptr, Scalar::ptr(table), 8)?;
    if has_message(class) {
        let characters = pointer(interp.memory.load_ptr(from.offset(8), 8)?)?;
        owners(interp, characters, 1)?;
        interp.memory.store(to.offset(8), Leaf::Ptr, Scalar::ptr(characters), 8)?;
    }
    Ok(Value::void())
}

fn destroy<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (class, object) = (class_of(interp, call), call.ptr(0)?);
    if has_message(class) {
        let characters = pointer(interp.memory.load_ptr(object.offset(8), 8)?)?;
        if owners(interp, characters, -1)? < 0 {
            interp.memory.free(characters.offset(-24), HeapKind::New, Some(call.at))?;
        }
    }
    let deletes = interp.program.module.functions[call.func].name.ends_with("D0Ev");
    if deletes {
        interp.memory.free(object, HeapKind::New, Some(call.at))?;
    }
    Ok(Value::void())
}

fn what<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let class = class_of(interp, call);
    if has_message(class) {
        let characters = interp.memory.load_ptr(call.ptr(0)?.offset(8), 8)?;
        return Ok(Value::ptr(pointer(characters)?));
    }
    // A constant text, made when first asked for.
    let key = format!("std::{class}");
    if let Some(made) = interp.exceptions.common.tables.get(&key) {
        return Ok(Value::ptr(*made));
    }
    let text = if class == "bad_function_call" || class == "bad_weak_ptr" { class } else { key.as_str() };
    let made = interp.memory.allocate(text.len() as u64 + 1, 1, AllocKind::Runtime, None)?;
    interp.memory.write_bytes(made, text.as_bytes())?;
    interp.memory.write_bytes(made.offset(text.len() as i64), &[0])?;
    interp.memory.freeze_object(made);
    interp.exceptions.common.tables.insert(key, made);
    Ok(Value::ptr(made))
}

/// `std::__throw_length_error(text)` and its like.
fn throw<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let program = interp.program;
    let what = parse_throw(&program.module.functions[call.func].name).unwrap_or("exception");
    if let Some(class) = what.strip_suffix("_fmt") {
        let text = format(interp, call.ptr(0)?, &mut Arguments::of(call))?;
        return thrown(interp, call, class, &text);
    }
    let text = if has_message(what) { interp.memory.read_cstr(call.ptr(0)?)? } else { Vec::new() };
    thrown(interp, call, what, &text)
}

/// The fault that throws a standard exception, for other files.
pub fn raise<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    class: &str,
    text: &[u8],
) -> Box<Fault> {
    match thrown(interp, call, class, text) {
        Err(fault) => fault,
        Ok(_) => Fault::bug("a throw that returns"),
    }
}

/// Throws a standard exception.
fn thrown<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    class: &str,
    text: &[u8],
) -> Res<Value<M::Shadow>> {
    let size = if has_message(class) { 16 } else { 8 };
    let object = interp.memory.allocate(size, 16, AllocKind::Heap(HeapKind::Malloc), Some(call.at))?;
    throw_built(interp, call, (object, class), text)
}

/// Makes a standard exception of memory that holds the rest of it, and throws it.
pub fn throw_built<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    (object, class): (Pointer, &str),
    text: &[u8],
) -> Res<Value<M::Shadow>> {
    build(interp, call, (object, class), text)?;
    let program = interp.program;
    let destructor = program.function(&slots(class)[0]).map_or(Pointer::NULL, |func| program.functions[func]);
    exceptions::throw(interp, object, ClassRef::standard(&mangled(class)), destructor)
}
