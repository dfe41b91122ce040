//! Attributes and metadata that make a value poison or a call undefined, as checks.

use super::Env;
use crate::code::{Checks, Require, kinds};
use crate::value::{Leaf, mask128};
use ir::{AttrValue, Attrs, Call, ConstKind, FastMath, Inst, MdId, MdOperand, TypeId};
use std::borrow::Cow;

/// The checks that attributes of a parameter or result of type `ty`, which is called `what`, ask for; `None` if there
/// are none.
pub fn checks(
    env: &Env<'_>,
    attrs: &Attrs,
    ty: TypeId,
    what: impl FnOnce() -> String,
) -> Result<Option<Checks>, String> {
    if attrs.is_empty() {
        return Ok(None);
    }
    let leaves = kinds(&*env.flat(ty)?);
    let mut requires = Vec::new();
    let scalar_ptr = leaves.as_slice() == [Leaf::Ptr];
    let pointers = !leaves.is_empty() && leaves.iter().all(|leaf| *leaf == Leaf::Ptr);
    if let (Some(AttrValue::Text(text)), Some(Leaf::Int(width))) = (attrs.get("range"), leaves.first()) {
        requires.extend(parse_range(text, *width));
    }
    if attrs.has("nonnull") && scalar_ptr {
        requires.push(Require::NonNull);
    }
    // "If applied to a vector of pointers, all pointers have the specified alignment."
    if let (Some(align), true) = (attrs.int("align"), pointers) {
        requires.push(Require::Align(align));
    }
    if let (Some(AttrValue::Text(text)), true) = (attrs.get("nofpclass"), leaves.iter().all(|l| l.is_float())) {
        requires.extend(parse_classes(text).map(Require::NoFpClass));
    }
    // `dereferenceable` implies `noundef`: what is poison by now is undefined behaviour.
    let bytes = attrs.int("dereferenceable").map(|bytes| (bytes, false));
    let bytes = bytes.or_else(|| attrs.int("dereferenceable_or_null").map(|bytes| (bytes, true)));
    if attrs.has("noundef") || bytes.is_some() {
        requires.push(Require::NoUndef);
    }
    if let (Some((bytes, or_null)), true) = (bytes, scalar_ptr) {
        requires.push(Require::Dereferenceable { bytes, or_null });
    }
    Ok((!requires.is_empty()).then(|| Checks { leaves, requires, what: what() }))
}

/// The attributes of an argument or the result of a function as they are meant. clang hands a region of OpenMP a
/// captured number of fewer than eight bytes in a word of which it sets the lower part alone, and says `noundef` all
/// the same; so it does of the result of a function that calls the destructors of a task, which returns nothing.
pub fn as_meant<'a>(env: &Env<'_>, function: &str, attrs: &'a Attrs, ty: TypeId) -> Cow<'a, Attrs> {
    let region =
        [".omp_outlined", "__omp_offloading_", ".omp_task_destructor."].iter().any(|part| function.contains(part));
    let word = region && env.module.types.is_int(ty);
    match word && attrs.has("noundef") {
        true => Cow::Owned(Attrs(attrs.0.iter().filter(|a| a.name != "noundef").cloned().collect())),
        false => Cow::Borrowed(attrs),
    }
}

/// The checks of a call's result: its attributes, `!range`, and fast-math flags.
pub fn result_checks(
    env: &Env<'_>,
    call: &Call,
    inst: &Inst,
    what: impl Fn() -> String,
) -> Result<Option<Checks>, String> {
    let mut found = checks(env, &call.ret_attrs, inst.ty, &what)?;
    let leaves = kinds(&*env.flat(inst.ty)?);
    let mut more = Vec::new();
    if let (Some(range), [Leaf::Int(_)]) = (inst.metadata("range"), leaves.as_slice()) {
        more.push(metadata_range(env, range)?);
    }
    more.extend(fast_classes(call.fast));
    if !more.is_empty() {
        let all = found.get_or_insert_with(|| Checks { leaves, requires: Vec::new(), what: what() });
        // What makes poison comes before what forbids it.
        all.requires.splice(0..0, more);
    }
    Ok(found)
}

/// The classes that fast-math flags forbid: "if the result would be a nan, it produces a poison value instead".
pub fn fast_classes(fast: FastMath) -> Option<Require> {
    let mask = (u32::from(fast.nnan) * 0x003) | (u32::from(fast.ninf) * 0x204);
    (mask != 0).then_some(Require::NoFpClass(mask))
}

/// Size and alignment of the copy a `byval` parameter asks for.
pub fn byval(env: &Env<'_>, attrs: &Attrs) -> Option<(u64, u64)> {
    let ty = attrs.ty("byval")?;
    let natural = env.module.layout.align_of(&env.module.types, ty);
    Some((env.module.size_of(ty), attrs.int("align").unwrap_or(natural)))
}

/// The checks that metadata of a load ask for.
pub fn load_checks(env: &Env<'_>, inst: &Inst) -> Result<Option<Checks>, String> {
    if inst.metadata.is_empty() {
        return Ok(None);
    }
    let leaves = kinds(&*env.flat(inst.ty)?);
    let mut requires = Vec::new();
    if let (Some(range), [Leaf::Int(_)]) = (inst.metadata("range"), leaves.as_slice()) {
        requires.push(metadata_range(env, range)?);
    }
    let number = |kind: &str| inst.metadata(kind).and_then(|id| constants(env, id).first().copied());
    if inst.metadata("nonnull").is_some() {
        requires.push(Require::NonNull);
    }
    if let Some(align) = number("align") {
        requires.push(Require::Align(align as u64));
    }
    let bytes = number("dereferenceable").map(|bytes| (bytes as u64, false));
    let bytes = bytes.or_else(|| number("dereferenceable_or_null").map(|bytes| (bytes as u64, true)));
    if inst.metadata("noundef").is_some() || bytes.is_some() {
        requires.push(Require::NoUndef);
    }
    if let Some((bytes, or_null)) = bytes {
        requires.push(Require::Dereferenceable { bytes, or_null });
    }
    Ok((!requires.is_empty()).then(|| Checks { leaves, requires, what: "the loaded value".to_owned() }))
}

fn constants(env: &Env<'_>, id: MdId) -> Vec<u128> {
    let number = |operand: &MdOperand| match operand {
        MdOperand::Const(c) => match env.module.constants.get(*c).kind {
            ConstKind::Int(bits) => Some(bits),
            _ => None,
        },
        MdOperand::Null | MdOperand::Node(_) | MdOperand::Str(_) | MdOperand::Inline(_) | MdOperand::Local(_) => None,
    };
    env.module.metadata[id].operands().iter().filter_map(number).collect()
}

/// `!range`: pairs of bounds, each as of the attribute `range`.
pub fn metadata_range(env: &Env<'_>, id: MdId) -> Result<Require, String> {
    let bounds = constants(env, id);
    match bounds.as_slice() {
        [low, high] => Ok(Require::Range { low: *low, high: *high }),
        [_, _, ..] if bounds.len().is_multiple_of(2) => {
            Ok(Require::Ranges(bounds.chunks(2).map(|p| (p[0], p[1])).collect()))
        }
        _ => Err("a `!range` without pairs of bounds".to_owned()),
    }
}

/// `i32 0, 10`
fn parse_range(text: &str, width: u8) -> Option<Require> {
    let (_, bounds) = text.trim().split_once(' ')?;
    let (low, high) = bounds.split_once(',')?;
    let number = |s: &str| s.trim().parse::<i128>().ok().map(|n| n as u128 & mask128(width));
    Some(Require::Range { low: number(low)?, high: number(high)? })
}

/// The class mask of `nofpclass(nan inf)`, bits as of `llvm.is.fpclass`.
fn parse_classes(text: &str) -> Option<u32> {
    text.split_whitespace().try_fold(0, |mask, word| {
        let bits = match word {
            "all" => 0x3ff,
            "nan" => 0x003,
            "snan" => 0x001,
            "qnan" => 0x002,
            "inf" => 0x204,
            "ninf" => 0x004,
            "pinf" => 0x200,
            "norm" => 0x108,
            "nnorm" => 0x008,
            "pnorm" => 0x100,
            "sub" => 0x090,
            "nsub" => 0x010,
            "psub" => 0x080,
            "zero" => 0x060,
            "nzero" => 0x020,
            "pzero" => 0x040,
            number => number.parse().ok()?,
        };
        Some(mask | bits)
    })
}
