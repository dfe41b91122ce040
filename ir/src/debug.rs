//! Types as the source declares them, read from debug information (LLVM's DWARF metadata).
//!
//! A type is a metadata node. Sizes and offsets are in bytes. What the nodes mean stands in LLVM's "Source Level
//! Debugging with LLVM".

use crate::{FloatKind, Function, MdField, MdId, MdOperand, Module, Param};
use std::collections::BTreeSet;

/// The types that hold an address.
const POINTERS: [&str; 3] = ["DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"];

/// A data member or base of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its offset.
    pub offset: u64,
    /// Its type.
    pub ty: MdId,
    /// Its name; empty for a base.
    pub name: String,
}

/// Structures, and what C++ has for them.
const STRUCTURES: [&str; 3] = ["DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"];

/// The types of a function's parameters as the source declares them (`None` for `void`).
fn declared(m: &Module, func: &Function) -> Option<Vec<Option<MdId>>> {
    let (_, subprogram) = func.metadata.iter().find(|(k, _)| k == "dbg")?;
    let ty = m.metadata[*subprogram].node("type")?;
    let list = m.metadata[ty].node("types")?;
    let all: Vec<Option<MdId>> = m.metadata[list].operands().iter().map(node_of).collect();
    Some(all.get(1..)?.to_vec())
}

/// How many parameters of the IR each declared parameter has become, behind one for what is returned through memory:
/// two for a structure (or complex number) of more than eight and at most sixteen bytes that is passed in registers
/// (System V psABI, AMD64, "Parameter Passing"). `None` if the numbers do not come out even.
pub fn pieces(m: &Module, func: &Function) -> Option<Vec<usize>> {
    let returned = usize::from(func.params.first().is_some_and(|param| param.attrs.has("sret")));
    let (mut out, mut at) = (vec![1; returned], returned);
    for ty in declared(m, func)? {
        let in_two = ty.is_some_and(|ty| {
            let plain = plain(m, ty);
            let whole =
                STRUCTURES.contains(&words(m, plain, "tag")) || words(m, plain, "encoding") == "DW_ATE_complex_float";
            whole && (9..=16).contains(&size(m, ty))
        });
        // What is passed through memory has the attributes of a pointer; pieces have none.
        let in_memory = |p: &Param| p.attrs.has("byval") || m.types.is_ptr(p.ty) && p.attrs.has("noundef");
        let length = if in_two && !func.params.get(at).is_some_and(in_memory) { 2 } else { 1 };
        out.push(length);
        at += length;
    }
    (at == func.params.len()).then_some(out)
}

/// The declared type of each parameter (`None` for `void`), if they correspond to the IR's: one to one, no structure
/// having been passed in pieces or through memory.
pub fn parameter_types(m: &Module, func: &Function) -> Option<Vec<Option<MdId>>> {
    let params = declared(m, func)?;
    let fits = params.len() == func.params.len()
        && params.iter().zip(&func.params).all(|(declared, param)| {
            let is_pointer = declared.is_some_and(|d| is_pointer(m, d));
            is_pointer == m.types.is_ptr(param.ty)
        });
    fits.then_some(params)
}

/// A pointer or reference.
pub fn is_pointer(m: &Module, ty: MdId) -> bool {
    POINTERS.contains(&words(m, plain(m, ty), "tag"))
}

/// Does it lead to one object and never to one of an array: a reference or `this`?
pub fn leads_to_one(m: &Module, ty: MdId) -> bool {
    let ty = plain(m, ty);
    words(m, ty, "tag") != POINTERS[0] || words(m, ty, "flags").contains("DIFlagObjectPointer")
}

/// What a pointer or reference type points to; `None` if it is `void` or no pointer.
pub fn pointee(m: &Module, ty: MdId) -> Option<MdId> {
    let ty = plain(m, ty);
    is_pointer(m, ty).then(|| m.metadata[ty].node("baseType"))?
}

/// The data members and bases of a structure that are not bit fields.
pub fn members(m: &Module, ty: MdId) -> Vec<Member> {
    let member = |id: &MdId| {
        let flags = words(m, *id, "flags");
        let kept = match words(m, *id, "tag") {
            "DW_TAG_member" => !flags.contains("BitField") && !flags.contains("StaticMember"),
            "DW_TAG_inheritance" => !flags.contains("Virtual"),
            _ => false,
        };
        let field = &m.metadata[*id];
        let name = field.str("name").unwrap_or_default();
        kept.then(|| {
            Some(Member { offset: field.int("offset").unwrap_or(0) as u64 / 8, ty: field.node("baseType")?, name })
        })?
    };
    elements(m, ty).iter().filter_map(member).collect()
}

/// The types that others inherit from.
pub fn base_classes(m: &Module) -> BTreeSet<MdId> {
    let inherits = |id: &MdId| words(m, *id, "tag") == "DW_TAG_inheritance";
    let base = |id: MdId| m.metadata[id].node("baseType").map(|ty| plain(m, ty));
    m.metadata.iter().map(|(id, _)| id).filter(inherits).filter_map(base).collect()
}

/// The elements of a composite type, as they are listed.
pub fn elements(m: &Module, ty: MdId) -> Vec<MdId> {
    let list = m.metadata[plain(m, ty)].node("elements");
    list.map_or(Vec::new(), |l| m.metadata[l].operands().iter().filter_map(node_of).collect())
}

/// The type of an array's elements of the innermost dimension, and their number in all dimensions; `None` if it is no
/// array.
pub fn array(m: &Module, ty: MdId) -> Option<(MdId, u64)> {
    let ty = plain(m, ty);
    let elem = (words(m, ty, "tag") == "DW_TAG_array_type").then(|| m.metadata[ty].node("baseType"))??;
    Some((elem, size(m, ty).checked_div(size(m, elem)).unwrap_or(0)))
}

/// Characters, or an array of them.
pub fn is_text(m: &Module, ty: MdId) -> bool {
    let ty = plain(m, ty);
    match array(m, ty) {
        Some((elem, _)) => is_text(m, elem),
        None => m.metadata[ty].class() == "DIBasicType" && size(m, ty) == 1,
    }
}

/// The numbers that a basic type consists of, one or the two of a complex one: their format, `None` where their size
/// does not settle it, and how many they are. `None` for types of no floating-point numbers.
pub fn floats(m: &Module, ty: MdId) -> Option<(Option<FloatKind>, u64)> {
    let ty = plain(m, ty);
    let count = match words(m, ty, "encoding") {
        "DW_ATE_float" => 1,
        "DW_ATE_complex_float" => 2,
        _ => return None,
    };
    let name = m.metadata[ty].str("name").unwrap_or_default();
    let kind = match (size(m, ty) / count, name.as_str()) {
        (2, "_Float16") => Some(FloatKind::Half),
        (2, "__bf16") => Some(FloatKind::BFloat),
        (4, _) => Some(FloatKind::Float),
        (8, _) => Some(FloatKind::Double),
        (16, "long double") => Some(FloatKind::X86Fp80),
        (16, "__float128") => Some(FloatKind::Fp128),
        _ => None,
    };
    Some((kind, count))
}

/// The type without `const`, `typedef` and the like.
pub fn plain(m: &Module, mut ty: MdId) -> MdId {
    // A chain of qualifiers is short; a cyclic one, which LLVM does not make, must not hang us.
    for _ in 0..64 {
        let tag = words(m, ty, "tag");
        let through =
            matches!(tag, "DW_TAG_typedef" | "DW_TAG_const_type" | "DW_TAG_volatile_type" | "DW_TAG_restrict_type");
        match m.metadata[ty].node("baseType").filter(|_| through) {
            Some(base) => ty = base,
            None => return ty,
        }
    }
    ty
}

/// The size of a type, qualifiers taken off; 0 if it is not known.
pub fn size(m: &Module, ty: MdId) -> u64 {
    m.metadata[plain(m, ty)].int("size").map_or(0, |bits| bits as u64 / 8)
}

/// A field of a node that is written in words, such as its tag or flags; empty if it is missing.
pub fn words<'m>(m: &'m Module, ty: MdId, name: &str) -> &'m str {
    match m.metadata[ty].field(name) {
        Some(MdField::Words(text)) => text,
        _ => "",
    }
}

fn node_of(operand: &MdOperand) -> Option<MdId> {
    match operand {
        MdOperand::Node(id) => Some(*id),
        _ => None,
    }
}

/// The types of the pointers and references among a function's parameters, by index.
pub fn declared_pointers(m: &Module, func: &Function) -> Vec<(usize, MdId)> {
    let types = parameter_types(m, func).unwrap_or_default();
    let of = |(i, ty): (usize, Option<MdId>)| {
        let declared = ty.filter(|ty| m.types.is_ptr(func.params[i].ty) && pointee(m, *ty).is_some());
        declared.map(|declared| (i, declared))
    };
    types.into_iter().enumerate().filter_map(of).collect()
}

/// The function that a place in the source is in, before inlining.
pub fn function_at(m: &Module, place: MdId) -> Option<MdId> {
    let mut scope = m.metadata[place].node("scope")?;
    // A malformed chain may form a circle.
    for _ in 0..m.metadata.len() {
        if m.metadata[scope].class() == "DISubprogram" {
            return Some(scope);
        }
        scope = m.metadata[scope].node("scope")?;
    }
    None
}
