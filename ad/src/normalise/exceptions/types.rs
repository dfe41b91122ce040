//! Which handler takes what is thrown ([except.handle]), as far as it is known before the program runs.

use ir::exceptions::{TYPE_INFO, standard_base};
use ir::{ConstExpr, ConstId, ConstKind, GlobalId, Module, Operand};

/// How a handler takes an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// It does not.
    No,
    /// It sees the object, or a base so many bytes behind its beginning.
    Object(i64),
    /// It gets the pointer that was thrown.
    Pointer,
    /// A virtual base, or one that a thrown pointer has to be adjusted to.
    Otherwise,
}

/// The mangled name of the type that a `std::type_info` object tells of.
pub(super) fn type_name(m: &Module, info: Operand) -> Option<String> {
    named(m, info.constant()?).map(|(_, name)| name)
}

fn named(m: &Module, constant: ConstId) -> Option<(GlobalId, String)> {
    match m.constants.get(constant).kind {
        ConstKind::Global(global) => {
            let name = m.globals[global].name.strip_prefix(TYPE_INFO)?;
            Some((global, name.to_owned()))
        }
        _ => None,
    }
}

/// How a handler of type `wanted` takes an exception of type `thrown`.
pub(super) fn taken(m: &Module, thrown: &str, wanted: &str) -> Taken {
    if thrown.starts_with('P') && wanted.starts_with('P') {
        return pointer_taken(m, &thrown[1..], &wanted[1..]);
    }
    if thrown == wanted {
        return Taken::Object(0);
    }
    // A null pointer of no type is taken as one of any ([except.handle]).
    if thrown == "Dn" && wanted.starts_with(['P', 'M']) {
        return Taken::Otherwise;
    }
    match places(m, thrown, wanted).as_slice() {
        places if places.contains(&None) => Taken::Otherwise,
        [Some(at)] => Taken::Object(*at),
        // An ambiguous base takes nothing.
        _ => Taken::No,
    }
}

/// Only `const` may be added to what a pointer points to; a pointer to an object is one to a base of it, too.
fn pointer_taken(m: &Module, from: &str, to: &str) -> Taken {
    let (from_const, from) = from.strip_prefix('K').map_or((false, from), |rest| (true, rest));
    let (to_const, to) = to.strip_prefix('K').map_or((false, to), |rest| (true, rest));
    if from_const && !to_const {
        return Taken::No;
    }
    if from == to || to == "v" {
        return Taken::Pointer;
    }
    // Conversions of pointers to pointers, functions and members, and to volatile, are not followed.
    if [from, to].iter().any(|pointee| pointee.starts_with(['P', 'F', 'D', 'M', 'V'])) {
        return Taken::Otherwise;
    }
    match places(m, from, to).as_slice() {
        [] => Taken::No,
        [Some(0)] => Taken::Pointer,
        _ => Taken::Otherwise,
    }
}

/// Where the public bases `wanted` of a class lie in its objects; no place for a virtual base, and where the bases of a
/// class are told in another file.
fn places(m: &Module, class: &str, wanted: &str) -> Vec<Option<i64>> {
    if class == wanted {
        return vec![Some(0)];
    }
    let Some(bases) = bases(m, class) else { return vec![None] };
    let mut found = Vec::new();
    for (base, at) in bases {
        let within = places(m, &base, wanted);
        found.extend(within.into_iter().map(|offset| Some(offset? + at?)));
    }
    found
}

/// The direct public bases of a class, and where they lie, unless they are virtual (Itanium C++ ABI, 2.9.5); none if
/// that is told in another file. What is no class has no bases.
fn bases(m: &Module, class: &str) -> Option<Vec<(String, Option<i64>)>> {
    if let Some(base) = standard_base(class) {
        return Some(vec![(base.to_owned(), Some(0))]);
    }
    let is_class = class.starts_with(|c: char| c.is_ascii_digit() || "NSZ".contains(c));
    if class == ROOT || !is_class { Some(Vec::new()) } else { read_bases(m, class) }
}

/// The class that all exception classes of the library are derived from.
const ROOT: &str = "St9exception";

fn read_bases(m: &Module, class: &str) -> Option<Vec<(String, Option<i64>)>> {
    const IS_VIRTUAL: i64 = 1;
    const IS_PUBLIC: i64 = 2;
    let info = &m.globals[m.global(&format!("{TYPE_INFO}{class}"))?];
    let ConstKind::Aggregate(fields) = &m.constants.get(info.init?).kind else { return None };
    let base = |field: usize| named(m, *fields.get(field)?).map(|(_, name)| name);
    let number = |field: usize| m.as_int(Operand::Const(*fields.get(field)?)).map(|n| n as i64);
    match vtable(m, *fields.first()?)? {
        "_ZTVN10__cxxabiv120__si_class_type_infoE" => Some(vec![(base(2)?, Some(0))]),
        "_ZTVN10__cxxabiv121__vmi_class_type_infoE" => {
            // { vtable, name, flags, count, then for each base its type, and its offset above eight bits of flags }
            let each = (4..fields.len()).step_by(2).map(|at| Some((base(at)?, number(at + 1)?)));
            let all: Vec<(String, i64)> = each.collect::<Option<_>>()?;
            let public = all.into_iter().filter(|(_, flags)| flags & IS_PUBLIC != 0);
            Some(public.map(|(name, flags)| (name, (flags & IS_VIRTUAL == 0).then_some(flags >> 8))).collect())
        }
        "_ZTVN10__cxxabiv117__class_type_infoE" | "_ZTVN10__cxxabiv116__enum_type_infoE" => Some(Vec::new()),
        _ => None,
    }
}

/// The virtual table into which a pointer points.
fn vtable(m: &Module, constant: ConstId) -> Option<&str> {
    match &m.constants.get(constant).kind {
        ConstKind::Global(global) => Some(&m.globals[*global].name),
        ConstKind::Expr(ConstExpr::Gep { base, .. }) => vtable(m, *base),
        _ => None,
    }
}
