//! Run-time type information (Itanium C++ ABI 2.9): which class is a base of which, and where it lies.
//!
//! A type is known by the mangled name of its `std::type_info` object, `_ZTI` cut off. Its bases are read from that
//! object when the program defines it; those of the standard library's own exception classes are in [`ir::exceptions`].

use crate::engine::Engine;
use crate::library::Library;
use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::outcome::{Fault, Res};
use crate::thrown::{ClassRef, pointer};
use crate::value::{Leaf, Pointer};
use ir::exceptions;

/// A base class: static, or found through the virtual table; whether it is public.
struct Base {
    class: ClassRef,
    offset: i64,
    is_virtual: bool,
    is_public: bool,
}

/// The name of the global variable that a pointer points to.
fn global_name<'i, M: Machine, L: Library>(interp: &'i Engine<'_, M, L>, at: Pointer) -> Option<&'i str> {
    match interp.memory.info(at)?.kind {
        AllocKind::Global(id) => Some(&interp.program.module.globals[id].name),
        _ => None,
    }
}

/// The type whose `std::type_info` is at `at`.
pub fn class_at<M: Machine, L: Library>(interp: &Engine<'_, M, L>, at: Pointer) -> Res<ClassRef> {
    match global_name(interp, at).and_then(|name| name.strip_prefix(exceptions::TYPE_INFO)) {
        Some(name) => Ok(ClassRef { name: name.to_owned(), info: at }),
        None => Err(Fault::unsupported(format!("a type description at {:#x} that is no `_ZTI` object", at.addr))),
    }
}

/// The direct bases of a class.
fn bases<M: Machine, L: Library>(interp: &Engine<'_, M, L>, class: &ClassRef) -> Res<Vec<Base>> {
    let plain = |class: ClassRef| Base { class, offset: 0, is_virtual: false, is_public: true };
    if let Some(base) = exceptions::standard_base(&class.name) {
        return Ok(vec![plain(ClassRef::standard(base))]);
    }
    let defined = match interp.memory.info(class.info).map(|i| i.kind) {
        Some(AllocKind::Global(id)) => interp.program.module.globals[id].init.is_some(),
        _ => false,
    };
    if !defined {
        return Ok(Vec::new());
    }
    let field = |offset: i64| interp.memory.load_ptr(class.info.offset(offset), 8).and_then(pointer);
    let kind = global_name(interp, field(0)?).unwrap_or_default();
    match kind {
        "_ZTVN10__cxxabiv120__si_class_type_infoE" => Ok(vec![plain(class_at(interp, field(16)?)?)]),
        "_ZTVN10__cxxabiv121__vmi_class_type_infoE" => {
            let count = interp.memory.load(class.info.offset(20), Leaf::Int(32), 4)?.lo as i64;
            let mut found = Vec::new();
            for n in 0..count {
                // `{ const __class_type_info *base; long offset_flags; }`, offset above eight bits of flags.
                let flags = interp.memory.load(class.info.offset(24 + 16 * n + 8), Leaf::Int(64), 8)?.lo as i64;
                found.push(Base {
                    class: class_at(interp, field(24 + 16 * n)?)?,
                    offset: flags >> 8,
                    is_virtual: flags & 1 != 0,
                    is_public: flags & 2 != 0,
                });
            }
            Ok(found)
        }
        _ => Ok(Vec::new()),
    }
}

/// Where the public bases of type `wanted` lie in an object of type `class`, the object itself included.
fn places<M: Machine, L: Library>(
    interp: &Engine<'_, M, L>,
    class: &ClassRef,
    wanted: &ClassRef,
    object: Pointer,
    found: &mut Vec<Pointer>,
) -> Res {
    if class.name == wanted.name {
        if !found.iter().any(|p| p.addr == object.addr) {
            found.push(object);
        }
        return Ok(());
    }
    for base in bases(interp, class)?.into_iter().filter(|base| base.is_public) {
        let offset = if base.is_virtual {
            // The offset stands in the virtual table, before its address point.
            let table = pointer(interp.memory.load_ptr(object, 8)?)?;
            interp.memory.load(table.offset(base.offset), Leaf::Int(64), 8)?.lo as i64
        } else {
            base.offset
        };
        places(interp, &base.class, wanted, object.offset(offset), found)?;
    }
    Ok(())
}

/// What a handler of type `wanted` sees of an object of type `thrown`; none if it does not take it ([except.handle]).
pub fn convert<M: Machine, L: Library>(
    interp: &Engine<'_, M, L>,
    thrown: &ClassRef,
    wanted: &ClassRef,
    object: Pointer,
) -> Res<Option<Pointer>> {
    if let (Some(from), Some(to)) = (thrown.name.strip_prefix('P'), wanted.name.strip_prefix('P')) {
        // A pointer: the handler gets its value.
        let value = pointer(interp.memory.load_ptr(object, 8)?)?;
        return convert_pointer(interp, (thrown, from), (wanted, to), value);
    }
    if thrown.name == wanted.name {
        return Ok(Some(object));
    }
    let mut found = Vec::new();
    places(interp, thrown, wanted, object, &mut found)?;
    // An ambiguous base catches nothing.
    Ok(if let [one] = found.as_slice() { Some(*one) } else { None })
}

fn convert_pointer<M: Machine, L: Library>(
    interp: &Engine<'_, M, L>,
    (thrown, from): (&ClassRef, &str),
    (wanted, to): (&ClassRef, &str),
    value: Pointer,
) -> Res<Option<Pointer>> {
    // Only `const` may be added.
    let (from_const, from) = from.strip_prefix('K').map_or((false, from), |rest| (true, rest));
    let (to_const, to) = to.strip_prefix('K').map_or((false, to), |rest| (true, rest));
    if from_const && !to_const {
        return Ok(None);
    }
    if from == to || to == "v" {
        return Ok(Some(value));
    }
    let pointee = |class: &ClassRef| -> Res<Option<ClassRef>> {
        // `__pointer_type_info`: { vtable, name, flags, pointee }
        match interp.memory.info(class.info).filter(|i| i.size >= 32) {
            Some(_) => class_at(interp, pointer(interp.memory.load_ptr(class.info.offset(24), 8)?)?).map(Some),
            None => Ok(None),
        }
    };
    let (Some(from), Some(to)) = (pointee(thrown)?, pointee(wanted)?) else { return Ok(None) };
    if value.is_null() {
        return Ok(None);
    }
    let mut found = Vec::new();
    places(interp, &from, &to, value, &mut found)?;
    Ok(if let [one] = found.as_slice() { Some(*one) } else { None })
}

/// `dynamic_cast` of a pointer to a polymorphic object: the only public part of that type of the whole object.
pub fn dynamic_cast<M: Machine, L: Library>(
    interp: &Engine<'_, M, L>,
    part: Pointer,
    wanted: &ClassRef,
) -> Res<Pointer> {
    let table = pointer(interp.memory.load_ptr(part, 8)?)?;
    let to_top = interp.memory.load(table.offset(-16), Leaf::Int(64), 8)?.lo as i64;
    let class = class_at(interp, pointer(interp.memory.load_ptr(table.offset(-8), 8)?)?)?;
    let mut found = Vec::new();
    places(interp, &class, wanted, part.offset(to_top), &mut found)?;
    Ok(if let [one] = found.as_slice() { *one } else { Pointer::NULL })
}

/// A mangled name as one reads it, where that is simple: `St13runtime_error`, `4Oops`, `N2ns4OopsE`, `i`.
pub fn readable(name: &str) -> String {
    let builtin =
        [("i", "int"), ("d", "double"), ("l", "long"), ("j", "unsigned int"), ("PKc", "char const*"), ("c", "char")];
    if let Some((_, text)) = builtin.iter().find(|(mangled, _)| *mangled == name) {
        return (*text).to_owned();
    }
    let mut rest = name.strip_prefix('N').and_then(|n| n.strip_suffix('E')).unwrap_or(name);
    let mut parts = Vec::new();
    if let Some(inner) = rest.strip_prefix("St") {
        parts.push("std");
        rest = inner;
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = rest[..digits].parse::<usize>().unwrap_or(0);
        match rest.get(digits..digits + length) {
            Some(part) if length > 0 => parts.push(part),
            _ => return name.to_owned(),
        }
        rest = &rest[digits + length..];
    }
    parts.join("::")
}
