//! Intrinsics that only move lanes, and those that give their pointer back, in the terms of other instructions.
//!
//! LangRef, "Vector Manipulation Intrinsics": of vectors of fixed length `llvm.vector.reverse`, `.splice`,
//! `.interleave2`, `.deinterleave2`, `.insert` and `.extract` are shuffles, which have their adjoint.
//! `llvm.launder.invariant.group`, `llvm.strip.invariant.group` and `llvm.threadlocal.address` return the address that
//! they are given: what they tell optimisers of it is nothing that a derivative depends on.

use crate::base::blocks::before;
use ir::{ConstKind, Function, InstId, InstKind, Module, Operand, TypeId};

/// Replaces such calls.
pub fn lower(m: &mut Module, func: &mut Function) {
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            if let Some(kind) = replacement(m, func, inst, &mut out) {
                func.insts[inst].kind = kind;
                func.insts[inst].metadata.clear();
            }
            out.push(inst);
        }
        func.blocks[block].insts = out;
    }
}

/// What the call becomes; instructions that come before it are added to `out`.
fn replacement(m: &mut Module, func: &mut Function, inst: InstId, out: &mut Vec<InstId>) -> Option<InstKind> {
    let call = func.insts[inst].kind.as_call()?;
    let name = m.functions[m.as_function(call.callee)?].name.strip_prefix("llvm.")?;
    let is = |prefix: &str| name.starts_with(prefix);
    let (args, ty) = (call.args.clone(), func.insts[inst].ty);
    if ["launder.invariant.group.", "strip.invariant.group.", "threadlocal.address."].into_iter().any(is) {
        let (elem_ty, indices) = (m.types.int(8), vec![m.int(64, 0)]);
        return Some(InstKind::Gep { elem_ty, flags: Default::default(), base: args[0], indices });
    }
    let first = *args.first()?;
    let whole = m.operand_ty(func, first);
    let lanes = m.types.element_count(whole)? as u32;
    let every = |from: std::ops::Range<u32>| from.map(Some).collect::<Vec<_>>();
    if is("vector.reverse.") {
        return Some(shuffle(m, whole, first, None, (0..lanes).rev().map(Some).collect()));
    }
    if is("vector.splice.") {
        let by = m.as_int(args[2])? as u32 as i32;
        let start = if by < 0 { lanes.checked_sub(by.unsigned_abs())? } else { by as u32 };
        return Some(shuffle(m, whole, first, Some(args[1]), every(start..start + lanes)));
    }
    if is("vector.interleave2.") {
        let mask = (0..lanes).flat_map(|lane| [Some(lane), Some(lanes + lane)]).collect();
        return Some(shuffle(m, whole, first, Some(args[1]), mask));
    }
    if is("vector.extract.") {
        let (start, count) = (m.as_int(args[1])? as u32, m.types.element_count(ty)? as u32);
        return Some(shuffle(m, whole, first, None, every(start..start + count)));
    }
    if is("vector.insert.") {
        let part = m.operand_ty(func, args[1]);
        let (start, count) = (m.as_int(args[2])? as u32, m.types.element_count(part)? as u32);
        let widened = (0..lanes).map(|lane| (lane < count).then_some(lane)).collect();
        let widened = shuffle(m, part, args[1], None, widened);
        let widened = before(func, inst, widened, whole, out)?;
        let inside = start..start + count;
        let mask = (0..lanes).map(|l| Some(if inside.contains(&l) { lanes + l - start } else { l })).collect();
        return Some(shuffle(m, whole, first, Some(widened), mask));
    }
    if is("vector.deinterleave2.") {
        let half = m.types.element(ty, 0)?;
        let [even, odd] = [0, 1].map(|first_lane| (0..lanes / 2).map(|l| Some(2 * l + first_lane)).collect());
        let even = shuffle(m, whole, first, None, even);
        let even = before(func, inst, even, half, out)?;
        let odd = shuffle(m, whole, first, None, odd);
        let odd = before(func, inst, odd, half, out)?;
        let aggregate = m.constant(ty, ConstKind::Poison);
        let pair = InstKind::InsertValue { aggregate, value: even, indices: vec![0] };
        let aggregate = before(func, inst, pair, ty, out)?;
        return Some(InstKind::InsertValue { aggregate, value: odd, indices: vec![1] });
    }
    None
}

fn shuffle(m: &mut Module, ty: TypeId, a: Operand, b: Option<Operand>, mask: Vec<Option<u32>>) -> InstKind {
    let b = b.unwrap_or_else(|| m.constant(ty, ConstKind::Poison));
    InstKind::ShuffleVector { a, b, mask }
}
