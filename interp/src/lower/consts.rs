//! Constants as leaves (LangRef, "Constants", "Constant Expressions").

use super::Env;
use crate::value::{Leaf, Pointer, Scalar, Tag, mask128};
use ir::{BinOp, CastOp, ConstExpr, ConstId, ConstKind, TypeId};

impl Env<'_> {
    /// The leaves of a constant; an error says what is not supported.
    pub fn constant(&self, id: ConstId) -> Result<Vec<Scalar>, String> {
        let constant = self.module.constants.get(id);
        let flat = || self.flat(constant.ty);
        Ok(match &constant.kind {
            ConstKind::Int(bits) | ConstKind::Float(bits) => {
                flat()?;
                vec![Scalar::wide(*bits)]
            }
            ConstKind::Null => vec![Scalar::word(0); flat()?.leaves.len()],
            ConstKind::Zero => vec![Scalar::word(0); flat()?.leaves.len()],
            ConstKind::Undef => flat()?.leaves.iter().map(|(leaf, _)| Scalar::undef(*leaf)).collect(),
            ConstKind::Poison => vec![Scalar::POISON; flat()?.leaves.len()],
            ConstKind::TokenNone => Vec::new(),
            ConstKind::Aggregate(elements) => {
                let mut out = Vec::new();
                for element in elements {
                    out.extend(self.constant(*element)?);
                }
                out
            }
            ConstKind::Bytes(bytes) => bytes.iter().map(|b| Scalar::word(u64::from(*b))).collect(),
            ConstKind::Global(global) => match self.module.globals[*global].alias_of {
                Some(target) => self.constant(target)?,
                None => vec![Scalar::ptr(self.globals[*global])],
            },
            ConstKind::Function(func) => vec![Scalar::ptr(self.functions[*func])],
            ConstKind::BlockAddress(func, block) => match self.memo.blocks.get(&(*func, *block)) {
                Some(address) => vec![Scalar::word(*address)],
                None => return Err("the address of a block that does not exist".to_owned()),
            },
            ConstKind::Expr(expr) => vec![self.expression(constant.ty, expr)?],
            ConstKind::InlineAsm(_) => return Err("the address of inline assembly".to_owned()),
            ConstKind::Metadata(_) => Vec::new(),
        })
    }

    fn scalar(&self, id: ConstId) -> Result<Scalar, String> {
        match self.constant(id)?.as_slice() {
            [one] => Ok(*one),
            _ => Err("a constant expression on vectors".to_owned()),
        }
    }

    fn width(&self, ty: TypeId) -> Result<u8, String> {
        match self.flat(ty)?.leaves.as_slice() {
            [(leaf, _)] => Ok(leaf.bits()),
            _ => Err("a constant expression on vectors".to_owned()),
        }
    }

    fn expression(&self, ty: TypeId, expr: &ConstExpr) -> Result<Scalar, String> {
        match expr {
            ConstExpr::Cast(op, value) => {
                let scalar = self.scalar(*value)?;
                let width = self.width(ty)?;
                let keep = scalar.tag != Tag::Init;
                Ok(match op {
                    CastOp::BitCast | CastOp::AddrSpaceCast => scalar,
                    _ if keep => scalar,
                    CastOp::PtrToInt => Scalar::wide(u128::from(scalar.lo) & mask128(width)),
                    CastOp::IntToPtr => Scalar::word(scalar.lo),
                    CastOp::Trunc | CastOp::ZExt => Scalar::wide(scalar.bits() & mask128(width)),
                    CastOp::SExt
                    | CastOp::FPTrunc
                    | CastOp::FPExt
                    | CastOp::FPToUI
                    | CastOp::FPToSI
                    | CastOp::UIToFP
                    | CastOp::SIToFP => return Err(format!("a constant expression `{}`", op.name())),
                })
            }
            ConstExpr::Gep { elem_ty, base, indices, .. } => {
                let base = self.scalar(*base)?;
                let mut offset: i64 = 0;
                let mut ty = *elem_ty;
                for (i, index) in indices.iter().enumerate() {
                    let value = self.scalar(*index)?;
                    let index_width = self.width(self.module.constants.get(*index).ty)?;
                    let value = sign_extend(value.bits(), index_width);
                    if i == 0 {
                        offset = offset.wrapping_add(value.wrapping_mul(self.module.size_of(ty) as i64));
                    } else {
                        let (step, next) = self.step(ty, value)?;
                        offset = offset.wrapping_add(step);
                        ty = next;
                    }
                }
                Ok(Scalar::ptr(Pointer { addr: base.lo, prov: base.hi }.offset(offset)))
            }
            ConstExpr::Binary { op, lhs, rhs, .. } => {
                let (a, b) = (self.scalar(*lhs)?.bits(), self.scalar(*rhs)?.bits());
                let mask = mask128(self.width(ty)?);
                let bits = match op {
                    BinOp::Add => a.wrapping_add(b),
                    BinOp::Sub => a.wrapping_sub(b),
                    BinOp::Mul => a.wrapping_mul(b),
                    BinOp::Shl => a.checked_shl(b as u32).unwrap_or(0),
                    BinOp::Xor => a ^ b,
                    BinOp::And => a & b,
                    BinOp::Or => a | b,
                    other => return Err(format!("a constant expression `{}`", other.name())),
                };
                Ok(Scalar::wide(bits & mask))
            }
        }
    }

    /// The offset of element `index` of an aggregate, and its type.
    pub fn step(&self, ty: TypeId, index: i64) -> Result<(i64, TypeId), String> {
        let types = &self.module.types;
        // An index into an array may lie outside; of a struct it may not.
        let element =
            types.element(ty, 0).filter(|_| types.fields(ty).is_none()).or_else(|| types.element(ty, index as u64));
        let element = match (element, types.get(ty)) {
            (Some(element), _) => element,
            (None, ir::Type::Array { elem, .. }) => *elem,
            (None, _) => return Err("an index outside of its type".to_owned()),
        };
        let offset = self.module.layout.element_offset(types, ty, index as u64);
        Ok((offset.ok_or("an index outside of its type")? as i64, element))
    }
}

/// The value of the lowest `width` bits as a signed number.
pub fn sign_extend(bits: u128, width: u8) -> i64 {
    let shift = 128 - u32::from(width);
    (((bits << shift) as i128) >> shift) as i64
}

/// Is it an integer leaf?
pub fn is_int(leaf: Leaf) -> bool {
    matches!(leaf, Leaf::Int(_))
}
