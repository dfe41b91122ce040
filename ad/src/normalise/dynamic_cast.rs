//! `dynamic_cast` of a pointer to an object of which the compiler knows how it lies in the wanted one.
//!
//! | before | after |
//! |---|---|
//! | `r = __dynamic_cast(p, from, to, hint)` | the same; where `r` is used, null if `r` is null, and else `p - hint` |
//!
//! `hint` says where an object of the first class lies in one of the second, as its only public base that is not
//! virtual (Itanium C++ ABI, 2.9.7, "The dynamic_cast algorithm"). It is a hint: the whole object may also hold the
//! second one elsewhere, and then the differentiated function ends with a message.

use crate::base::blocks;
use crate::error::{Diagnostic, Reason};
use crate::program::externals::DYNAMIC_CAST;
use crate::runtime::refuse;
use ir::{BinOp, BlockId, Function, GepFlags, InstId, InstKind, IntFlags, IntPred, Module, Operand, TypeId};

const ELSEWHERE: &str = "a dynamic_cast finds another part of the object than the one around it\n";

/// Replaces what the casts of a function give.
pub fn lower(m: &mut Module, func: &mut Function) -> Result<(), Diagnostic> {
    for block in func.layout.clone() {
        let mut at = block;
        while let Some((position, inst)) = next(m, func, at) {
            let Some(hint) = hint(m, func, inst) else {
                let message = "a `dynamic_cast` to another base class is not differentiated: cast to the class that is \
                               derived from both";
                return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
            };
            at = write_out(m, func, (at, position), hint);
        }
    }
    Ok(())
}

/// The first cast in a block.
fn next(m: &Module, func: &Function, block: BlockId) -> Option<(usize, InstId)> {
    let casts = |inst: &InstId| {
        let callee = func.insts[*inst].kind.as_call().and_then(|call| m.as_function(call.callee));
        callee.is_some_and(|f| m.functions[f].name == DYNAMIC_CAST) && func.insts[*inst].result.is_some()
    };
    let insts = &func.blocks[block].insts;
    insts.iter().position(casts).map(|at| (at, insts[at]))
}

/// Where the object lies in the wanted one.
fn hint(m: &Module, func: &Function, inst: InstId) -> Option<u64> {
    let call = func.insts[inst].kind.as_call()?;
    let hint = m.as_int(*call.args.get(3)?)?;
    u64::try_from(hint as i64).ok()
}

/// Puts the choice behind a cast; gives the block behind it.
fn write_out(m: &mut Module, func: &mut Function, (block, at): (BlockId, usize), hint: u64) -> BlockId {
    let inst = func.blocks[block].insts[at];
    let (void, ptr, i1, i8t) = (m.types.void(), m.types.ptr(), m.types.int(1), m.types.int(8));
    let (null, back) = (m.zero(ptr), m.int(64, u128::from(hint.wrapping_neg())));
    let rest = blocks::split(func, block, at + 1, "cast.done");
    let other = func.add_block("cast.elsewhere");
    let (Some(result), Some(call)) = (func.insts[inst].result, func.insts[inst].kind.as_call()) else { return rest };
    let (found, from) = (Operand::Local(result), call.args[0]);
    let mut push = |block: BlockId, kind: InstKind, ty: TypeId| {
        let id = blocks::like(m, func, inst, kind, ty);
        func.blocks[block].insts.push(id);
        func.insts[id].result.map_or(found, Operand::Local)
    };
    let whole = match hint {
        0 => from,
        _ => {
            let gep = InstKind::Gep { elem_ty: i8t, flags: GepFlags::default(), base: from, indices: vec![back] };
            push(block, gep, ptr)
        }
    };
    let compare = |rhs| InstKind::ICmp { pred: IntPred::Eq, lhs: found, rhs };
    let (none, same) = (push(block, compare(null), i1), push(block, compare(whole), i1));
    let or =
        InstKind::Binary { op: BinOp::Or, flags: IntFlags::default(), fast: Default::default(), lhs: none, rhs: same };
    let known = push(block, or, i1);
    let choice =
        push(block, InstKind::Select { cond: none, if_true: null, if_false: whole, fast: Default::default() }, ptr);
    push(block, InstKind::CondBr { cond: known, then_to: rest, else_to: other }, void);
    let ours: Vec<InstId> = func.blocks[block].insts[at + 1..].to_vec();
    let refusal = refuse::refusal(m, ELSEWHERE);
    for kind in [refusal, InstKind::Unreachable] {
        let id = blocks::like(m, func, inst, kind, void);
        func.blocks[other].insts.push(id);
    }
    // The comparisons here still look at what the call gives.
    let kept: Vec<InstKind> = ours.iter().map(|id| func.insts[*id].kind.clone()).collect();
    blocks::replace_uses(func, result, choice);
    for (id, kind) in ours.into_iter().zip(kept) {
        func.insts[id].kind = kind;
    }
    rest
}
