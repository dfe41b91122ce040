//! Signs of floats set, cleared and copied by integer arithmetic on their bits.
//!
//! LangRef says of `fneg` and `llvm.fabs` that they change the sign bit and no other ("fneg", "llvm.fabs.*"). So an
//! integer that carries a float of its own width may be treated as that float where only its highest bit is touched,
//! and the derivative is that of the table:
//!
//! | bits | float |
//! |---|---|
//! | `x ^ 1000…` | −x |
//! | `x & 0111…` | \|x\| |
//! | `x \| 1000…` | −\|x\| |
//! | `x ^ (y & 1000…)` | −x if y is negative, else x |
//! | `x \| (y & 1000…)` | −\|x\| if y is negative, else x |
//!
//! The last two make `copysign` and products by a sign; where y is a constant with the bit in some lanes only, the
//! product of complex numbers. The rewritten functions compute the same bits. Other arithmetic on the bits of floats
//! has no rule and is refused when it comes back to a float ([`crate::analysis::memory`]).

use crate::analysis::memory::{Facts, lane_bits};
use crate::base::blocks::{before, bitcast};
use crate::base::builder;
use crate::base::names::declare;
use crate::normalise::sources::Sources;
use crate::program::cell::Cell;
use ir::{
    BinOp, CastOp, FastMath, FloatKind, FuncId, Function, Inst, InstId, InstKind, IntFlags, IntPred, Module, Operand,
    Type, TypeId, ValueId,
};

/// What happens to the sign.
#[derive(Clone, Copy)]
enum Sign {
    /// It is turned round.
    Flip(Operand),
    /// It is cleared.
    Clear(Operand),
    /// It is set.
    Set(Operand),
    /// It is turned round if the second integer is negative.
    FlipIf(Operand, Operand),
    /// It is set if the second integer is negative.
    SetIf(Operand, Operand),
}

/// Writes such arithmetic as operations on floats; says whether there was any.
pub fn rewrite(m: &mut Module, sources: &mut Sources, facts: &Facts) -> bool {
    let mut any = false;
    for (id, func) in sources.iter_mut() {
        for (_, inst) in func.inst_order().collect::<Vec<_>>() {
            any |= read_as_float(m, facts, *id, func, inst).is_some();
        }
        for block in func.layout.clone() {
            let mut out = Vec::new();
            for inst in func.blocks[block].insts.clone() {
                if let Some((sign, float)) = recognise(m, facts, *id, func, inst) {
                    replace(m, func, inst, sign, float, &mut out);
                    any = true;
                }
                out.push(inst);
            }
            func.blocks[block].insts = out;
        }
    }
    any
}

/// Where nothing tells what an integer carries that was loaded for such an operation alone, and the result is used as a
/// float alone, it is loaded as that float: the bits are the same, and an access of a float's type tells what lies
/// there. (Vector code reads `long`s to take absolute values of `double`s, at places of a structure that depend on an
/// index.)
fn read_as_float(m: &mut Module, facts: &Facts, id: FuncId, func: &mut Function, inst: InstId) -> Option<()> {
    let InstKind::Binary { op, lhs, rhs, .. } = func.insts[inst].kind else { return None };
    let Type::Int(bits @ (32 | 64)) = *m.types.get(m.types.scalar(func.insts[inst].ty)) else { return None };
    let top = 1u128 << (bits - 1);
    let mask = match op {
        BinOp::And => top - 1,
        BinOp::Xor | BinOp::Or => top,
        _ => return None,
    };
    for (x, other) in [(lhs, rhs), (rhs, lhs)] {
        let (Some(value), Some(result)) = (x.local(), func.insts[inst].result) else { continue };
        let Some(load) = func.def_inst(value) else { continue };
        let plain = matches!(func.insts[load].kind, InstKind::Load { volatile: false, atomic: None, .. });
        let told = facts.content(id, x).iter().any(|s| matches!(s.cell, Cell::Float(_) | Cell::Ptr));
        if !plain || told || lane_bits::uniform(m, func, other, bits) != Some(mask) {
            continue;
        }
        let users = |value: ValueId| -> Vec<InstId> {
            let uses = |i: &InstId| func.insts[*i].kind.operands().contains(&Operand::Local(value));
            func.inst_order().map(|(_, i)| i).filter(uses).collect()
        };
        let cast_to = |i: &InstId| match func.insts[*i].kind {
            InstKind::Cast { op: CastOp::BitCast, .. } => Some(func.insts[*i].ty),
            _ => None,
        };
        let casts: Option<Vec<TypeId>> = users(result).iter().map(cast_to).collect();
        let Some([float, rest @ ..]) = casts.as_deref() else { continue };
        let same_lanes = m.types.float_kind(m.types.scalar(*float)).is_some_and(|kind| kind.bits() == bits);
        if users(value) == [inst] && same_lanes && rest.iter().all(|ty| ty == float) {
            let (float, ty, loc) = (*float, func.insts[load].ty, func.insts[load].loc);
            // The float is loaded, and its bits are what was loaded before.
            let mut read = func.insts[load].clone();
            (read.ty, read.result) = (float, None);
            let read = func.create_inst(read, true);
            let number = func.insts[read].result?;
            let value = Operand::Local(number);
            let kind =
                InstKind::Cast { op: CastOp::BitCast, flags: IntFlags::default(), fast: FastMath::default(), value };
            let mut bits_of = Inst::new(kind, ty);
            (bits_of.loc, bits_of.result) = (loc, func.insts[load].result);
            func.insts[load] = bits_of;
            for block in func.layout.clone() {
                if let Some(at) = func.blocks[block].insts.iter().position(|i| *i == load) {
                    func.blocks[block].insts.insert(at, read);
                }
            }
            return Some(());
        }
    }
    None
}

/// What an instruction does to the sign of the float that an operand carries, with that float's type.
fn recognise(m: &mut Module, facts: &Facts, id: FuncId, func: &Function, inst: InstId) -> Option<(Sign, TypeId)> {
    let data = &func.insts[inst];
    let InstKind::Binary { op, lhs, rhs, .. } = data.kind else { return None };
    let Type::Int(bits) = *m.types.get(m.types.scalar(data.ty)) else { return None };
    if bits > 128 {
        return None;
    }
    let top = 1u128 << (bits - 1);
    for (x, other) in [(lhs, rhs), (rhs, lhs)] {
        let Some(float) = carried_float(m, facts, id, data.ty, bits, x) else { continue };
        let sign = match (op, lane_bits::uniform(m, func, other, bits)) {
            (BinOp::Xor, Some(mask)) if mask == top => Sign::Flip(x),
            (BinOp::And, Some(mask)) if mask == top - 1 => Sign::Clear(x),
            (BinOp::Or, Some(mask)) if mask == top => Sign::Set(x),
            (BinOp::Xor, None) if is_sign(m, func, other, bits) => Sign::FlipIf(x, other),
            (BinOp::Or, None) if is_sign(m, func, other, bits) => Sign::SetIf(x, other),
            _ => continue,
        };
        return Some((sign, float));
    }
    None
}

/// The float type that fills an integer (or each element of a vector of them), if the operand carries that and no more.
pub(crate) fn carried_float(
    m: &mut Module,
    facts: &Facts,
    id: FuncId,
    ty: TypeId,
    bits: u32,
    operand: Operand,
) -> Option<TypeId> {
    let content = facts.content(id, operand);
    let kind = match content.first()?.cell {
        Cell::Float(kind) => kind,
        _ => return None,
    };
    let size = u64::from(bits / 8);
    let fills = content.iter().enumerate().all(|(i, s)| s.cell == Cell::Float(kind) && s.offset == i as u64 * size);
    let count = match m.types.get(ty) {
        Type::Vector { len, .. } => *len,
        _ => 1,
    };
    // In the extended format of the x87 the sign is not the highest bit in memory.
    if !fills || content.len() != count as usize || kind.bits() != bits || kind == FloatKind::X86Fp80 {
        return None;
    }
    let float = m.types.float(kind);
    Some(if matches!(m.types.get(ty), Type::Vector { .. }) { m.types.vector(count, float) } else { float })
}

/// Is at most the highest bit of the operand set, in each lane?
fn is_sign(m: &Module, func: &Function, operand: Operand, bits: u32) -> bool {
    if let Some(lanes) = lane_bits::each_lane(m, func, operand, bits) {
        return lanes.iter().all(|lane| *lane == 0 || *lane == 1 << (bits - 1));
    }
    let Some(inst) = operand.local().and_then(|v| func.def_inst(v)) else { return false };
    match &func.insts[inst].kind {
        InstKind::Binary { op: BinOp::And, lhs, rhs, .. } => {
            [lhs, rhs].into_iter().any(|o| lane_bits::uniform(m, func, *o, bits) == Some(1 << (bits - 1)))
        }
        _ => false,
    }
}

/// Puts the operations on floats before the instruction, which becomes the cast of the result to bits.
fn replace(m: &mut Module, func: &mut Function, inst: InstId, sign: Sign, float: TypeId, out: &mut Vec<InstId>) {
    let ty = func.insts[inst].ty;
    let mut add = |func: &mut Function, kind, ty| before(func, inst, kind, ty, out);
    let negated = |value| InstKind::FNeg { fast: FastMath::default(), value };
    let (Sign::Flip(x) | Sign::Clear(x) | Sign::Set(x) | Sign::FlipIf(x, _) | Sign::SetIf(x, _)) = sign;
    let Some(x) = add(func, bitcast(x), float) else { return };
    let absolute = match sign {
        Sign::Clear(_) | Sign::Set(_) | Sign::SetIf(..) => {
            let Some(call) = absolute(m, x, float) else { return };
            add(func, call, float)
        }
        Sign::Flip(_) | Sign::FlipIf(..) => Some(x),
    };
    let Some(absolute) = absolute else { return };
    let result = match sign {
        Sign::Clear(_) => Some(absolute),
        Sign::Flip(_) | Sign::Set(_) => add(func, negated(absolute), float),
        Sign::FlipIf(_, by) | Sign::SetIf(_, by) => {
            let Some(opposite) = add(func, negated(absolute), float) else { return };
            let (zero, bool_ty) = (m.zero(ty), m.types.truth(ty));
            let Some(cond) = add(func, InstKind::ICmp { pred: IntPred::Slt, lhs: by, rhs: zero }, bool_ty) else {
                return;
            };
            let choice = InstKind::Select { fast: FastMath::default(), cond, if_true: opposite, if_false: x };
            add(func, choice, float)
        }
    };
    if let Some(result) = result {
        func.insts[inst].kind = bitcast(result);
    }
}

/// The absolute value, by the intrinsic of the table.
pub(crate) fn absolute(m: &mut Module, x: Operand, float: TypeId) -> Option<InstKind> {
    let intrinsic = rules::Op::Fabs.row().symbols.intrinsics.first()?;
    let suffix = m.types.float_kind(m.types.scalar(float))?.suffix();
    let name = match m.types.get(float) {
        Type::Vector { len, .. } => format!("{intrinsic}.v{len}{suffix}"),
        _ => format!("{intrinsic}.{suffix}"),
    };
    let f = declare(m, &name, float, &[float]);
    let fn_ty = m.types.func(float, vec![float]);
    Some(InstKind::Call(Box::new(builder::plain_call(m.function_address(f), fn_ty, vec![x], String::new()))))
}
