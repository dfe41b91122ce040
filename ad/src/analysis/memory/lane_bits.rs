//! The bits that each lane of an integer or a vector is known to have.

use crate::analysis::memory::lanes;
use ir::{BinOp, CastOp, ConstKind, Function, InstKind, Module, Operand, Type};

/// The value that all lanes of so many bits have, if that is known.
pub fn uniform(m: &Module, func: &Function, operand: Operand, bits: u32) -> Option<u128> {
    if let Some(value) = lanes::uniform(m, operand) {
        return Some(value);
    }
    let values = each_lane(m, func, operand, bits)?;
    let first = *values.first()?;
    values.iter().all(|value| *value == first).then_some(first)
}

/// The values of lanes of so many bits, if they are known.
pub fn each_lane(m: &Module, func: &Function, operand: Operand, bits: u32) -> Option<Vec<u128>> {
    let size = Some(bits as usize / 8).filter(|size| (1..=16).contains(size) && bits.is_multiple_of(8))?;
    let bytes: Vec<u8> = known_bytes(m, func, operand, 0)?.into_iter().collect::<Option<_>>()?;
    let value = |lane: &[u8]| lane.iter().rev().fold(0u128, |value, byte| value << 8 | u128::from(*byte));
    Some(bytes.chunks(size).map(value).collect())
}

/// The bytes of a value that constants make, in memory order; those that may be anything are none.
pub(crate) fn known_bytes(m: &Module, func: &Function, operand: Operand, depth: usize) -> Option<Vec<Option<u8>>> {
    const MAX_DEPTH: usize = 24;
    let ty = m.operand_ty(func, operand);
    let width =
        m.layout.bit_width(&m.types, m.types.scalar(ty)).filter(|w| *w > 0 && w.is_multiple_of(8))? as usize / 8;
    let Some(v) = operand.local() else { return constant_bytes(m, m.as_constant(operand)?) };
    let inst = func.def_inst(v).filter(|_| depth < MAX_DEPTH)?;
    let of = |o: Operand| known_bytes(m, func, o, depth + 1);
    match &func.insts[inst].kind {
        InstKind::Cast { op: CastOp::BitCast, value, .. } | InstKind::Freeze(value) => of(*value),
        InstKind::InsertElement { vector, value, index } => {
            let at = m.as_int(*index)? as usize * width;
            let (mut whole, part) = (of(*vector)?, of(*value)?);
            whole.get_mut(at..at + width)?.copy_from_slice(&part);
            Some(whole)
        }
        InstKind::ShuffleVector { a, b, mask } => {
            let both: Vec<_> = of(*a)?.into_iter().chain(of(*b)?).collect();
            let mut out = Vec::new();
            for lane in mask {
                match lane {
                    Some(lane) => {
                        out.extend_from_slice(both.get(*lane as usize * width..(*lane as usize + 1) * width)?)
                    }
                    None => out.extend(std::iter::repeat_n(None, width)),
                }
            }
            Some(out)
        }
        InstKind::Binary { op: op @ (BinOp::And | BinOp::Or | BinOp::Xor), lhs, rhs, .. } => {
            let combine = |(a, b): (Option<u8>, Option<u8>)| {
                Some(match op {
                    BinOp::And => a? & b?,
                    BinOp::Or => a? | b?,
                    _ => a? ^ b?,
                })
            };
            Some(of(*lhs)?.into_iter().zip(of(*rhs)?).map(combine).collect())
        }
        _ => None,
    }
}

fn constant_bytes(m: &Module, c: &ir::Constant) -> Option<Vec<Option<u8>>> {
    let size = m.layout.store_size(&m.types, c.ty) as usize;
    match &c.kind {
        ConstKind::Int(value) | ConstKind::Float(value) if size <= 16 => {
            Some(value.to_le_bytes().into_iter().take(size).map(Some).collect())
        }
        ConstKind::Zero => Some(vec![Some(0); size]),
        ConstKind::Undef | ConstKind::Poison => Some(vec![None; size]),
        ConstKind::Aggregate(elems) if matches!(m.types.get(c.ty), Type::Vector { .. }) => {
            let parts: Option<Vec<_>> = elems.iter().map(|e| constant_bytes(m, m.constants.get(*e))).collect();
            Some(parts?.concat())
        }
        _ => None,
    }
}
