//! Roundings written as two sums, `(x + 0x1p52) - 0x1p52`, have slope zero: [`Shift`] says which constants and why.
//!
//! The second sum is the rounding. Its operand is traced back to the first through what moves values without changing them, variables of one block
//! among it, and along all paths; a sum that cannot be found, or whose constant is no literal, is none: then the two sums have slope one, each
//! for itself. The bits of the first sum are a multiple of a power of two, too, where they are taken apart.

use crate::known::{External, classify};
use crate::masks;
use crate::synth::expr::width;
use ir::hash::HashSet;
use ir::{BinOp, CastOp, Function, InstId, InstKind, Module, Operand};
use rules::{Op, Shift};

/// How many instructions are asked in a trace.
const MAX_TRACE: usize = 1024;

/// Does the instruction take off, in every lane, the constant that made its operand a multiple of a power of two?
pub fn rounds(m: &Module, func: &Function, inst: InstId) -> bool {
    let Some((op, terms)) = sum(m, func, inst).filter(|(_, terms)| terms.len() == 2) else { return false };
    [(0, 1), (1, 0)].into_iter().any(|(shifted, constant)| {
        let Some((precision, lanes)) = constant_lanes(m, func, inst, terms[constant]) else { return false };
        let off = |shift: Shift| lanes.iter().all(|bits| shift.is_taken_off(op, shifted, precision, *bits));
        comes_from(m, func, terms[shifted], &off, &mut HashSet::default())
    })
}

/// Is the value a sum that leaves no fraction?
pub fn is_shifted(m: &Module, func: &Function, value: Operand) -> bool {
    comes_from(m, func, value, &|_| true, &mut HashSet::default())
}

/// The operation of the table that an instruction is, if it makes a sum, and its operands.
fn sum(m: &Module, func: &Function, inst: InstId) -> Option<(Op, Vec<Operand>)> {
    match &func.insts[inst].kind {
        InstKind::Binary { op: BinOp::FAdd, lhs, rhs, .. } => Some((Op::FAdd, vec![*lhs, *rhs])),
        InstKind::Binary { op: BinOp::FSub, lhs, rhs, .. } => Some((Op::FSub, vec![*lhs, *rhs])),
        InstKind::Call(call) => {
            let op = rules::lookup(&m.functions[m.as_function(call.callee)?].name)?.row.op;
            matches!(op, Op::Fma | Op::FMulAdd).then(|| (op, call.args.to_vec()))
        }
        _ => None,
    }
}

/// The bits of an operand in each lane, if they are known, and the bits of the significand.
fn constant_lanes(m: &Module, func: &Function, inst: InstId, operand: Operand) -> Option<(u32, Vec<u128>)> {
    let kind = m.types.float_kind(m.types.scalar(func.insts[inst].ty))?;
    Some((width(kind).precision(), masks::each_lane(m, func, operand, kind.bits())?))
}

/// Is the value, on all paths, a sum with a constant that `off` takes off?
fn comes_from(
    m: &Module,
    func: &Function,
    value: Operand,
    off: &impl Fn(Shift) -> bool,
    seen: &mut HashSet<InstId>,
) -> bool {
    let Some(inst) = value.local().and_then(|v| func.def_inst(v)) else { return false };
    if !seen.insert(inst) {
        return true;
    }
    if seen.len() > MAX_TRACE {
        return false;
    }
    let mut from = |value: &Operand| comes_from(m, func, *value, off, seen);
    match &func.insts[inst].kind {
        InstKind::Freeze(value)
        | InstKind::Cast { op: CastOp::BitCast | CastOp::FPExt | CastOp::FPTrunc, value, .. } => from(value),
        InstKind::Phi { incoming, .. } => incoming.iter().all(|(value, _)| from(value)),
        InstKind::Select { if_true, if_false, .. } => from(if_true) && from(if_false),
        InstKind::ExtractElement { vector, .. } => from(vector),
        InstKind::ShuffleVector { a, b, .. } => from(a) && (b.local().is_none() || from(b)),
        InstKind::Load { ptr, volatile: false, atomic: None, .. } => {
            stored(m, func, inst, *ptr).is_some_and(|value| from(&value))
        }
        _ => {
            let Some((op, terms)) = sum(m, func, inst) else { return false };
            terms.iter().enumerate().any(|(i, term)| {
                let lanes = constant_lanes(m, func, inst, *term);
                lanes.is_some_and(|(precision, lanes)| {
                    lanes.iter().all(|bits| Shift::of(op, i, precision, *bits).is_some_and(off))
                })
            })
        }
    }
}

/// What a load from a variable gives, if it was stored before in the same block, whole, and nothing in between may have changed that.
fn stored(m: &Module, func: &Function, load: InstId, ptr: Operand) -> Option<Operand> {
    let is_variable = |o: Operand| {
        let inst = o.local().and_then(|v| func.def_inst(v));
        inst.is_some_and(|i| matches!(func.insts[i].kind, InstKind::Alloca { .. }))
    };
    let elsewhere = |to: Operand| to != ptr && is_variable(to);
    let block = func.blocks.values().find(|block| block.insts.contains(&load)).filter(|_| is_variable(ptr))?;
    let before = block.insts.iter().take_while(|i| **i != load).collect::<Vec<_>>();
    for inst in before.into_iter().rev() {
        match &func.insts[*inst].kind {
            InstKind::Store { ptr: to, value, volatile: false, atomic: None, .. } if *to == ptr => {
                return Some(*value).filter(|v| m.operand_ty(func, *v) == func.insts[load].ty);
            }
            InstKind::Store { ptr: to, .. } if elsewhere(*to) => {}
            InstKind::Call(call) => {
                let callee = &m.functions[m.as_function(call.callee)?];
                match classify(m, callee) {
                    External::Copy if elsewhere(*call.args.first()?) => {}
                    External::Rule(_) if call.args.iter().all(|arg| !m.types.is_ptr(m.operand_ty(func, *arg))) => {}
                    _ if callee.name.starts_with("llvm.lifetime.") => {}
                    _ => return None,
                }
            }
            InstKind::Store { .. } | InstKind::CmpXchg { .. } | InstKind::AtomicRmw { .. } | InstKind::VaArg { .. } => {
                return None;
            }
            _ => {}
        }
    }
    None
}
