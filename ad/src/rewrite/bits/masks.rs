//! Floats chosen by masks: integers of which each lane is all ones or all zeros.
//!
//! Vector code picks lanes by arithmetic on their bits: what a comparison gives is widened to a mask of each lane's
//! width (`sext`; Intel's manual of intrinsics, `_mm_cmplt_pd`), and `and`, `andnot`, `or` and `xor` put results
//! together. On integers that carry floats of the lanes' own width these are choices, which have their derivative
//! (LangRef, `select`):
//!
//! | bits | float |
//! |---|---|
//! | `x & m` | m ? x : 0 |
//! | `(x & m) \| (y & ~m)`, also with `^` or `+` | m ? x : y |
//! | `y ^ (m & (x ^ y))` | m ? x : y |
//!
//! The rewritten functions compute the same bits. What cannot be shown to be a mask is none: the bits of the float are
//! then cut, and refused where they come back to a float ([`crate::analysis::memory`]). [`crate::rewrite::bits::signs`]
//! treats masks of the sign.

use crate::analysis::memory::lane_bits::known_bytes;
use crate::analysis::memory::{Facts, lanes};
use crate::base::blocks::{before, bitcast};
use crate::normalise::sources::Sources;
use crate::rewrite::bits::signs::carried_float;
use ir::hash::HashSet;
use ir::{BinOp, CastOp, FastMath, FuncId, Function, InstId, InstKind, IntPred, Module, Operand, Type, TypeId};

/// How far a mask is traced.
const MAX_TRACE: usize = 64;

/// Where the mask is set `set`, else `clear` (zero, if there is none).
#[derive(Clone, Copy)]
struct Choice {
    mask: Operand,
    set: Operand,
    clear: Option<Operand>,
}

/// Writes such arithmetic as choices between floats; says whether there was any.
pub fn rewrite(m: &mut Module, sources: &mut Sources, facts: &Facts) -> bool {
    let mut all = false;
    for (id, func) in sources.iter_mut() {
        let mut any = false;
        // Of a choice between two, the halves are choices too: first the whole.
        for recognise in [between, alone] {
            for block in func.layout.clone() {
                let mut out = Vec::new();
                for inst in func.blocks[block].insts.clone() {
                    if let Some(choice) = recognise(m, func, inst)
                        && let Some(float) = float_of(m, facts, *id, func, inst, &choice)
                    {
                        replace(m, func, inst, choice, float, &mut out);
                        any = true;
                    }
                    out.push(inst);
                }
                func.blocks[block].insts = out;
            }
        }
        if any {
            drop_unused(m, func);
        }
        all |= any;
    }
    all
}

/// Drops arithmetic on bits that nothing uses any more: it would be judged for itself.
fn drop_unused(m: &Module, func: &mut Function) {
    loop {
        let used: HashSet<Operand> = func.inst_order().flat_map(|(_, i)| func.insts[i].kind.operands()).collect();
        let unused = |i: &InstId| {
            let data = &func.insts[*i];
            let bits = match &data.kind {
                InstKind::Binary { op: BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Add, .. } => true,
                InstKind::Cast { op: CastOp::BitCast, value, .. } => {
                    [m.operand_ty(func, *value), data.ty].into_iter().any(|ty| lane_bits(m, ty).is_some())
                }
                _ => false,
            };
            bits && data.result.is_some_and(|v| !used.contains(&Operand::Local(v)))
        };
        let dead: HashSet<InstId> = func.inst_order().map(|(_, i)| i).filter(unused).collect();
        if dead.is_empty() {
            return;
        }
        for block in func.layout.clone() {
            func.blocks[block].insts.retain(|i| !dead.contains(i));
        }
    }
}

/// The float type of the lanes, if what is chosen carries active floats of their width.
fn float_of(
    m: &mut Module,
    facts: &Facts,
    id: FuncId,
    func: &Function,
    inst: InstId,
    choice: &Choice,
) -> Option<TypeId> {
    let ty = func.insts[inst].ty;
    let bits = lane_bits(m, ty)?;
    let chosen = [Some(choice.set), choice.clear];
    let float = chosen
        .into_iter()
        .flatten()
        .filter(|o| facts.is_active(id, *o))
        .find_map(|o| carried_float(m, facts, id, ty, bits, o))?;
    let mut seen = Vec::new();
    is_mask(m, func, choice.mask, bits, &mut seen).then_some(float)
}

fn lane_bits(m: &Module, ty: TypeId) -> Option<u32> {
    match m.types.get(m.types.scalar(ty)) {
        Type::Int(bits) if *bits <= 64 => Some(*bits),
        _ => None,
    }
}

/// A choice between two values.
fn between(m: &Module, func: &Function, inst: InstId) -> Option<Choice> {
    let InstKind::Binary { op, lhs, rhs, .. } = func.insts[inst].kind else { return None };
    if !matches!(op, BinOp::Or | BinOp::Xor | BinOp::Add) {
        return None;
    }
    let ty = func.insts[inst].ty;
    let operands = |o: Operand, wanted: BinOp| match binary(func, o)? {
        (inst, op, x, y) if op == wanted && func.insts[inst].ty == ty => Some([(x, y), (y, x)]),
        _ => None,
    };
    if let (Some(a), Some(b)) = (operands(lhs, BinOp::And), operands(rhs, BinOp::And)) {
        for (set, mask) in a {
            for (clear, other) in b {
                if is_not(m, func, mask, other) || is_not(m, func, other, mask) {
                    return Some(Choice { mask, set, clear: Some(clear) });
                }
            }
        }
    }
    for (clear, rest) in [(lhs, rhs), (rhs, lhs)] {
        for (mask, difference) in operands(rest, BinOp::And).filter(|_| op == BinOp::Xor).into_iter().flatten() {
            for (x, y) in operands(difference, BinOp::Xor).into_iter().flatten() {
                if strip(func, y) == strip(func, clear) {
                    return Some(Choice { mask, set: x, clear: Some(clear) });
                }
            }
        }
    }
    None
}

/// A choice between a value and zero.
fn alone(m: &Module, func: &Function, inst: InstId) -> Option<Choice> {
    let InstKind::Binary { op: BinOp::And, lhs, rhs, .. } = func.insts[inst].kind else { return None };
    let bits = lane_bits(m, func.insts[inst].ty)?;
    let masks = |o: &(Operand, Operand)| is_mask(m, func, o.1, bits, &mut Vec::new());
    let (set, mask) = [(lhs, rhs), (rhs, lhs)].into_iter().find(masks)?;
    Some(Choice { mask, set, clear: None })
}

/// Is `other` the complement of `mask`?
fn is_not(m: &Module, func: &Function, mask: Operand, other: Operand) -> bool {
    let Some((_, BinOp::Xor, x, y)) = binary(func, other) else { return false };
    let ones = |o| known_bytes(m, func, o, 0).is_some_and(|b| b.iter().all(|b| *b == Some(0xff)));
    [(x, y), (y, x)].into_iter().any(|(x, y)| ones(y) && strip(func, x) == strip(func, mask))
}

/// What an operand is but for bit casts.
fn strip(func: &Function, mut operand: Operand) -> Operand {
    while let Some(InstKind::Cast { op: CastOp::BitCast, value, .. } | InstKind::Freeze(value)) =
        operand.local().and_then(|v| func.def_inst(v)).map(|i| &func.insts[i].kind)
    {
        operand = *value;
    }
    operand
}

fn binary(func: &Function, operand: Operand) -> Option<(InstId, BinOp, Operand, Operand)> {
    let inst = func.def_inst(strip(func, operand).local()?)?;
    match func.insts[inst].kind {
        InstKind::Binary { op, lhs, rhs, .. } => Some((inst, op, lhs, rhs)),
        _ => None,
    }
}

/// Is each run of so many bits all ones or all zeros, whatever the program does?
fn is_mask(m: &Module, func: &Function, operand: Operand, bits: u32, seen: &mut Vec<Operand>) -> bool {
    if seen.contains(&operand) {
        return true;
    }
    seen.push(operand);
    if seen.len() > MAX_TRACE {
        return false;
    }
    if let Some(bytes) = known_bytes(m, func, operand, 0) {
        let lane = |lane: &[Option<u8>]| [0, 0xff].iter().any(|b| lane.iter().all(|byte| byte.is_none_or(|x| x == *b)));
        return bits.is_multiple_of(8) && bytes.chunks(bits as usize / 8).all(lane);
    }
    let Some(inst) = operand.local().and_then(|v| func.def_inst(v)) else { return false };
    let mut of = |o: Operand| is_mask(m, func, o, bits, seen);
    // Lanes that move as they are must be whole runs.
    let whole = |ty: TypeId| {
        let width = m.layout.bit_width(&m.types, m.types.scalar(ty)).unwrap_or(0);
        width != 0 && width.is_multiple_of(u64::from(bits))
    };
    let ty = func.insts[inst].ty;
    let bit = |o: Operand| matches!(m.types.get(m.types.scalar(m.operand_ty(func, o))), Type::Int(1));
    match &func.insts[inst].kind {
        InstKind::Cast { op: CastOp::SExt, value, .. } => whole(ty) && (bit(*value) || of(*value)),
        InstKind::Cast { op: CastOp::BitCast, value, .. } | InstKind::Freeze(value) => of(*value),
        InstKind::Binary { op: BinOp::And | BinOp::Or | BinOp::Xor, lhs, rhs, .. } => of(*lhs) && of(*rhs),
        InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. } => {
            let zero = lanes::uniform(m, *lhs) == Some(0);
            zero && whole(ty) && is_bit(m, func, *rhs)
        }
        InstKind::Select { if_true, if_false, .. } => of(*if_true) && of(*if_false),
        InstKind::Phi { incoming, .. } => incoming.iter().all(|(o, _)| of(*o)),
        InstKind::InsertElement { vector, value, .. } => whole(ty) && of(*vector) && of(*value),
        InstKind::ExtractElement { vector, .. } => whole(ty) && of(*vector),
        InstKind::ShuffleVector { a, b, .. } => whole(ty) && of(*a) && of(*b),
        _ => false,
    }
}

/// Is an integer 0 or 1, whatever the program does: a widened bit?
fn is_bit(m: &Module, func: &Function, mut operand: Operand) -> bool {
    while let Some(InstKind::Cast { op: op @ (CastOp::ZExt | CastOp::SExt), value, .. }) =
        operand.local().and_then(|v| func.def_inst(v)).map(|i| &func.insts[i].kind)
    {
        if matches!(m.types.get(m.types.scalar(m.operand_ty(func, *value))), Type::Int(1)) {
            return *op == CastOp::ZExt;
        }
        operand = *value;
    }
    false
}

/// Puts the choice before the instruction, which becomes the cast of the result to bits.
fn replace(m: &mut Module, func: &mut Function, inst: InstId, choice: Choice, float: TypeId, out: &mut Vec<InstId>) {
    let ty = func.insts[inst].ty;
    let mut add = |func: &mut Function, kind, ty| before(func, inst, kind, ty, out);
    let bits = m.types.truth(ty);
    let (zero, nothing) = (m.zero(ty), m.zero(float));
    let Some(if_true) = add(func, bitcast(choice.set), float) else { return };
    let if_false = match choice.clear {
        Some(clear) => add(func, bitcast(clear), float),
        None => Some(nothing),
    };
    let set = InstKind::ICmp { pred: IntPred::Slt, lhs: choice.mask, rhs: zero };
    let (Some(cond), Some(if_false)) = (add(func, set, bits), if_false) else { return };
    let select = InstKind::Select { fast: FastMath::default(), cond, if_true, if_false };
    if let Some(result) = add(func, select, float) {
        func.insts[inst].kind = bitcast(result);
    }
}
