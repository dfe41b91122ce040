//! Barriers, computed branches, masks of pointers and the allocators of OpenMP in the terms of other instructions;
//! [`masked`] accesses of vectors, [`shuffles`], addresses of one of two [`members`].
//!
//! Inline assembly without instructions moves what its constraints say ([`ir::asm`]): a value passes through
//! (`freeze`), or is stored. Assembly with instructions stays, and is refused where it gets anything active.
//!
//! `indirectbr p, [a, b, c]` becomes `if (p == &&a) goto a; else if (p == &&b) goto b; else goto c;`. The addresses are
//! those of the blocks of the original function, which the program's tables hold; here they are numbers that are
//! compared. To jump to a block that is not in the list is undefined behaviour (LangRef, `indirectbr`), so that the
//! last one needs no test. In a gradient the edge that was taken is recorded like that of any branch.

pub mod masked;
pub mod members;
pub mod shuffles;

use crate::base::blocks;
use crate::base::builder::plain_call;
use crate::base::names::{append, called_outside, declare};
use ir::asm::Effect;
use ir::entity::EntityRef;
use ir::{
    BinOp, BlockId, CastOp, ConstKind, FastMath, FuncId, Function, Inst, InstId, InstKind, IntFlags, IntPred, Module,
    Operand,
};
use std::collections::BTreeSet;

/// What LLVM may not remove (LangRef, "The 'llvm.compiler.used' Global Variable"). Of a function that is removed all
/// addresses of blocks are one.
const USED: &str = "llvm.compiler.used";

/// Replaces inline assembly without instructions.
pub fn barriers(m: &mut Module, func: &mut Function) {
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            match moves(m, func, inst) {
                Some(effects) => replace(m, func, inst, &effects, &mut out),
                None => out.push(inst),
            }
        }
        func.blocks[block].insts = out;
    }
}

/// Functions of OpenMP that take memory or give it back (5.2, chapter 6; those of the compiler get the thread first):
/// the function of C that does the same where all memory is alike, and which of their arguments it gets.
const ALLOCATORS: [(&str, &str, &[usize]); 8] = [
    ("omp_alloc", "malloc", &[0]),
    ("omp_aligned_alloc", "aligned_alloc", &[0, 1]),
    ("omp_calloc", "calloc", &[0, 1]),
    ("omp_free", "free", &[0]),
    ("__kmpc_alloc", "malloc", &[1]),
    ("__kmpc_aligned_alloc", "aligned_alloc", &[1, 2]),
    ("__kmpc_calloc", "calloc", &[1, 2]),
    ("__kmpc_free", "free", &[1]),
];

/// Replaces the allocators of OpenMP: no derivative depends on what kind of memory it is.
pub fn allocators(m: &mut Module, func: &mut Function) {
    for (_, inst) in func.inst_order().collect::<Vec<_>>() {
        let Some(name) = called_outside(m, &func.insts[inst]).map(|callee| callee.name.as_str()) else { continue };
        let Some((_, like, taken)) = ALLOCATORS.iter().find(|(known, ..)| *known == name) else { continue };
        let Some(call) = func.insts[inst].kind.as_call() else { continue };
        let args: Vec<Operand> = taken.iter().filter_map(|i| call.args.get(*i).copied()).collect();
        let (ret, params) = (func.insts[inst].ty, args.iter().map(|arg| m.operand_ty(func, *arg)).collect::<Vec<_>>());
        let f = declare(m, like, ret, &params);
        let fn_ty = m.types.func(ret, params);
        func.insts[inst].kind = InstKind::Call(Box::new(plain_call(m.function_address(f), fn_ty, args, String::new())));
    }
}

/// Replaces masks of pointers by what they are equal to but for where the result may point (LangRef, "llvm.ptrmask"):
/// that is told from the address.
pub fn pointer_masks(m: &mut Module, func: &mut Function) {
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            let is_mask = |callee: &Function| callee.name.starts_with("llvm.ptrmask.");
            let scalar = m.types.is_ptr(func.insts[inst].ty);
            if scalar
                && called_outside(m, &func.insts[inst]).is_some_and(is_mask)
                && let Some([ptr, mask]) =
                    func.insts[inst].kind.as_call().and_then(|call| call.args.first_chunk().copied())
            {
                let bits = m.operand_ty(func, mask);
                let address = blocks::before(func, inst, blocks::cast(CastOp::PtrToInt, ptr), bits, &mut out);
                let (flags, fast) = (IntFlags::default(), FastMath::default());
                let and = |lhs| InstKind::Binary { op: BinOp::And, flags, fast, lhs, rhs: mask };
                let masked = address.and_then(|lhs| blocks::before(func, inst, and(lhs), bits, &mut out));
                if let Some(masked) = masked {
                    func.insts[inst].kind = blocks::cast(CastOp::IntToPtr, masked);
                    func.insts[inst].metadata.clear();
                }
            }
            out.push(inst);
        }
        func.blocks[block].insts = out;
    }
}

/// What a call of inline assembly does, where that can be said by other instructions.
fn moves(m: &Module, func: &Function, inst: InstId) -> Option<Vec<Effect>> {
    let call = func.insts[inst].kind.as_call()?;
    let effects = m.as_asm(call.callee)?.effects().ok()?;
    let ty = func.insts[inst].ty;
    let results = effects.iter().filter(|e| matches!(e, Effect::Result { .. })).count();
    let fits = |effect: &Effect| match effect {
        Effect::Result { output, from } => {
            let part = if results == 1 { Some(ty) } else { m.types.element(ty, *output as u64) };
            call.args.get(*from).is_some_and(|arg| part == Some(m.operand_ty(func, *arg)))
        }
        Effect::Store { to, from } => *to.max(from) < call.args.len(),
        Effect::Copy { to, from } => call.args.get(*to) == call.args.get(*from),
        Effect::Barrier => true,
    };
    effects.iter().all(fits).then_some(effects)
}

fn replace(m: &mut Module, func: &mut Function, inst: InstId, effects: &[Effect], out: &mut Vec<InstId>) {
    let Some(args) = func.insts[inst].kind.as_call().map(|c| c.args.clone()) else { return };
    let (ty, loc, void) = (func.insts[inst].ty, func.insts[inst].loc, m.types.void());
    let results: Vec<(usize, Operand)> = effects
        .iter()
        .filter_map(|e| match e {
            Effect::Result { output, from } => Some((*output, args[*from])),
            _ => None,
        })
        .collect();
    for effect in effects {
        if let Effect::Store { to, from } = effect {
            let kind = InstKind::Store { value: args[*from], ptr: args[*to], align: 1, volatile: false, atomic: None };
            let mut store = Inst::new(kind, void);
            store.loc = loc;
            out.push(func.create_inst(store, false));
        }
    }
    let Some(((last, value), before)) = results.split_last() else { return };
    let kind = match before {
        [] => InstKind::Freeze(*value),
        _ => {
            let mut aggregate = m.constant(ty, ConstKind::Poison);
            for (output, value) in before {
                let kind = InstKind::InsertValue { aggregate, value: *value, indices: vec![*output as u32] };
                let mut part = Inst::new(kind, ty);
                part.loc = loc;
                let id = func.create_inst(part, true);
                out.push(id);
                aggregate = func.insts[id].result.map_or(aggregate, Operand::Local);
            }
            InstKind::InsertValue { aggregate, value: *value, indices: vec![*last as u32] }
        }
    };
    func.insts[inst].kind = kind;
    func.insts[inst].metadata.clear();
    out.push(inst);
}

/// Replaces the indirect branches of a copy of function `id`. That function stays in the program, as the addresses of
/// its blocks do, and the blocks have names: LLVM reads no address of a block by its number behind the function.
pub fn computed_branches(m: &mut Module, id: FuncId, func: &mut Function) {
    let mut compared: BTreeSet<BlockId> = BTreeSet::new();
    for block in func.layout.clone() {
        let Some(term) = func.terminator(block) else { continue };
        let InstKind::IndirectBr { address, targets } = func.insts[term].kind.clone() else { continue };
        let mut distinct: Vec<BlockId> = Vec::new();
        for target in targets {
            if !distinct.contains(&target) {
                distinct.push(target);
                forget_repeated(func, target, block);
            }
        }
        choose(m, (id, func), block, term, address, &distinct);
        compared.extend(distinct);
    }
    for block in &compared {
        let name = format!("label.{}", block.index());
        let blocks = &mut m.functions[id].blocks;
        if blocks[*block].name.is_empty() && blocks.values().all(|b| b.name != name) {
            blocks[*block].name = name;
        }
    }
    if let (false, Some(address)) = (compared.is_empty(), m.function_address(id).constant()) {
        let ptr = m.types.ptr();
        let list = append(m, USED, (ptr, address));
        m.globals[list].clauses = vec!["section \"llvm.metadata\"".to_owned()];
    }
}

/// A block that is named twice has been entered twice from the same block, with the same values.
fn forget_repeated(func: &mut Function, target: BlockId, from: BlockId) {
    for phi in blocks::phis(func, target) {
        let InstKind::Phi { incoming, .. } = &mut func.insts[phi].kind else { continue };
        let mut known = false;
        incoming.retain(|(_, pred)| *pred != from || !std::mem::replace(&mut known, true));
    }
}

fn choose(
    m: &mut Module,
    (id, func): (FuncId, &mut Function),
    block: BlockId,
    term: InstId,
    address: Operand,
    targets: &[BlockId],
) {
    let (void, i1, ptr) = (m.types.void(), m.types.int(1), m.types.ptr());
    let loc = func.insts[term].loc;
    let Some((last, tested)) = targets.split_last() else {
        func.insts[term].kind = InstKind::Unreachable;
        return;
    };
    func.blocks[block].insts.pop();
    let mut here = block;
    for target in tested {
        let label = m.constant(ptr, ConstKind::BlockAddress(id, *target));
        let mut compare = Inst::new(InstKind::ICmp { pred: IntPred::Eq, lhs: address, rhs: label }, i1);
        compare.loc = loc;
        let compare = func.append(here, compare, true);
        let Some(cond) = func.insts[compare].result.map(Operand::Local) else { return };
        let next = func.add_block("other.label");
        let mut branch = Inst::new(InstKind::CondBr { cond, then_to: *target, else_to: next }, void);
        branch.loc = loc;
        func.append(here, branch, false);
        blocks::rename_pred(func, *target, block, here);
        here = next;
    }
    blocks::rename_pred(func, *last, block, here);
    func.insts[term].kind = InstKind::Br(*last);
    func.blocks[here].insts.push(term);
}
