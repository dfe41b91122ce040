//! Instructions other than calls and branches.

use super::{Exec, Frame, Stop, Val};
use crate::term::Term;
use ir::{BinOp, CastOp, FloatPred, InstId, InstKind, IntPred, Operand, RmwOp, Type, TypeId};
use rug::Rational;

/// The low bits of a number, and their sign.
fn mask(value: u128, bits: u32) -> u128 {
    if bits >= 128 { value } else { value & ((1 << bits) - 1) }
}

pub(super) fn signed(value: u128, bits: u32) -> i128 {
    if bits >= 128 {
        return value as i128;
    }
    let value = mask(value, bits);
    if value >> (bits - 1) & 1 == 1 { value as i128 - (1 << bits) } else { value as i128 }
}

impl<'m> Exec<'m> {
    pub(super) fn instruction(&mut self, frame: &mut Frame<'m>, id: InstId) -> Result<Val, Stop> {
        let (module, inst) = (self.module, &frame.func.insts[id]);
        let of = |operand: Operand| module.operand_ty(frame.func, operand);
        match &inst.kind {
            InstKind::FNeg { value, .. } => {
                let value = self.operand(frame, *value)?;
                self.lanes1(value, &mut |this, value| {
                    let term = this.real(&value)?;
                    Ok(Val::Real(this.terms.neg(term)))
                })
            }
            InstKind::Binary { op, lhs, rhs, .. } => {
                let ty = module.types.scalar(inst.ty);
                let (a, b) = (self.operand(frame, *lhs)?, self.operand(frame, *rhs)?);
                let op = *op;
                self.lanes2(a, b, &mut |this, a, b| this.binary(op, ty, a, b))
            }
            InstKind::ICmp { pred, lhs, rhs } => {
                let bits = self.width(of(*lhs));
                let (a, b) = (self.operand(frame, *lhs)?, self.operand(frame, *rhs)?);
                let pred = *pred;
                self.lanes2(a, b, &mut |_, a, b| compare_ints(pred, bits, &a, &b))
            }
            InstKind::FCmp { pred, lhs, rhs, .. } => {
                let (a, b) = (self.operand(frame, *lhs)?, self.operand(frame, *rhs)?);
                let pred = *pred;
                self.lanes2(a, b, &mut |this, a, b| this.compare_reals(pred, &a, &b))
            }
            InstKind::Cast { op, value, .. } => {
                let (from, to) = (of(*value), inst.ty);
                let value = self.operand(frame, *value)?;
                self.cast(*op, value, from, to)
            }
            InstKind::Select { cond, if_true, if_false, .. } => {
                let cond = self.operand(frame, *cond)?;
                let (a, b) = (self.operand(frame, *if_true)?, self.operand(frame, *if_false)?);
                match (cond, a, b) {
                    (Val::Int(cond), a, b) => Ok(if cond & 1 == 1 { a } else { b }),
                    (Val::Many(conds), Val::Many(a), Val::Many(b)) => {
                        let lane = |((cond, a), b)| match cond {
                            Val::Int(cond) => Ok(if cond & 1 == 1 { a } else { b }),
                            _ => Err(Stop::unsupported("an undefined condition")),
                        };
                        conds.into_iter().zip(a).zip(b).map(lane).collect::<Result<_, _>>().map(Val::Many)
                    }
                    _ => Err(Stop::unsupported("an undefined condition")),
                }
            }
            InstKind::Freeze(value) => match self.operand(frame, *value)? {
                Val::Undef => Ok(self.zero(inst.ty)),
                value => Ok(value),
            },
            InstKind::Alloca { elem_ty, count, .. } => {
                let count = count.map(|count| self.int(frame, count)).transpose()?.unwrap_or(1);
                let address = self.memory.allocate(module.size_of(*elem_ty) * count as u64);
                frame.stack.push(address);
                Ok(Val::Int(u128::from(address)))
            }
            InstKind::Load { ptr, .. } => {
                let address = self.address(frame, *ptr)?;
                self.load(address, inst.ty)
            }
            InstKind::Store { value, ptr, .. } => {
                let ty = of(*value);
                let (value, address) = (self.operand(frame, *value)?, self.address(frame, *ptr)?);
                self.store(address, ty, value)?;
                Ok(Val::Undef)
            }
            InstKind::Gep { elem_ty, base, indices, .. } => {
                let base = self.operand(frame, *base)?;
                let mut values = Vec::new();
                for index in indices {
                    let bits = self.width(of(*index));
                    values.push(match self.operand(frame, *index)? {
                        Val::Int(value) => Val::Int(signed(value, bits) as u128),
                        other => other,
                    });
                }
                self.offset(*elem_ty, &base, &values)
            }
            InstKind::AtomicRmw { op, ptr, value, .. } => {
                let ty = of(*value);
                let (address, value) = (self.address(frame, *ptr)?, self.operand(frame, *value)?);
                let old = self.load(address, ty)?;
                let op = match op {
                    RmwOp::FAdd => BinOp::FAdd,
                    RmwOp::FSub => BinOp::FSub,
                    RmwOp::Add => BinOp::Add,
                    RmwOp::Sub => BinOp::Sub,
                    _ => return Err(Stop::unsupported("an atomic operation")),
                };
                let new = self.binary(op, ty, old.clone(), value)?;
                self.store(address, ty, new)?;
                Ok(old)
            }
            InstKind::Fence(_) => Ok(Val::Undef),
            InstKind::ExtractElement { vector, index } => {
                let (vector, index) = (self.operand(frame, *vector)?, self.int(frame, *index)?);
                element(&vector, index as usize)
            }
            InstKind::InsertElement { vector, value, index } => {
                let (vector, value) = (self.operand(frame, *vector)?, self.operand(frame, *value)?);
                let index = self.int(frame, *index)? as usize;
                replaced(vector, &[index], value)
            }
            InstKind::ShuffleVector { a, b, mask } => {
                let (a, b) = (self.operand(frame, *a)?, self.operand(frame, *b)?);
                let (Val::Many(mut lanes), Val::Many(more)) = (a, b) else {
                    return Err(Stop::unsupported("an undefined vector"));
                };
                lanes.extend(more);
                let lane = |index: &Option<u32>| {
                    index.and_then(|index| lanes.get(index as usize).cloned()).unwrap_or(Val::Undef)
                };
                Ok(Val::Many(mask.iter().map(lane).collect()))
            }
            InstKind::ExtractValue { aggregate, indices } => {
                let mut value = self.operand(frame, *aggregate)?;
                for index in indices {
                    value = element(&value, *index as usize)?;
                }
                Ok(value)
            }
            InstKind::InsertValue { aggregate, value, indices } => {
                let (aggregate, value) = (self.operand(frame, *aggregate)?, self.operand(frame, *value)?);
                let indices: Vec<usize> = indices.iter().map(|index| *index as usize).collect();
                replaced(aggregate, &indices, value)
            }
            _ => Err(Stop::unsupported(format!("an instruction: {}", ir::print_inst(module, frame.func, id)))),
        }
    }

    fn width(&self, ty: TypeId) -> u32 {
        match self.module.types.get(self.module.types.scalar(ty)) {
            Type::Int(bits) => *bits,
            _ => 64,
        }
    }

    pub(super) fn real(&self, value: &Val) -> Result<Term, Stop> {
        match value {
            Val::Real(term) => Ok(*term),
            Val::Int(_) | Val::Undef | Val::Many(_) => Err(Stop::unsupported("a number that is no real number")),
        }
    }

    /// Applies to each lane.
    pub(super) fn lanes1(
        &mut self,
        a: Val,
        f: &mut dyn FnMut(&mut Self, Val) -> Result<Val, Stop>,
    ) -> Result<Val, Stop> {
        match a {
            Val::Many(a) => a.into_iter().map(|a| self.lanes1(a, f)).collect::<Result<_, _>>().map(Val::Many),
            a => f(self, a),
        }
    }

    pub(super) fn lanes2(
        &mut self,
        a: Val,
        b: Val,
        f: &mut dyn FnMut(&mut Self, Val, Val) -> Result<Val, Stop>,
    ) -> Result<Val, Stop> {
        match (a, b) {
            (Val::Many(a), Val::Many(b)) => {
                a.into_iter().zip(b).map(|(a, b)| self.lanes2(a, b, f)).collect::<Result<_, _>>().map(Val::Many)
            }
            (a, b) => f(self, a, b),
        }
    }

    pub(super) fn binary(&mut self, op: BinOp, ty: TypeId, a: Val, b: Val) -> Result<Val, Stop> {
        if op.is_float() {
            let (a, b) = (self.real(&a)?, self.real(&b)?);
            let term = match op {
                BinOp::FAdd => self.terms.add(a, b),
                BinOp::FSub => self.terms.sub(a, b),
                BinOp::FMul => self.terms.mul(a, b),
                BinOp::FDiv => self.divided(a, b)?,
                _ => return Err(Stop::unsupported("a remainder of real numbers")),
            };
            return Ok(Val::Real(self.tidy(term)?));
        }
        let bits = self.width(ty);
        let (Val::Int(a), Val::Int(b)) = (&a, &b) else {
            return match (&a, &b) {
                (Val::Undef, _) | (_, Val::Undef) => Ok(Val::Undef),
                _ => Err(Stop::unsupported("integer arithmetic on the bits of a floating-point number")),
            };
        };
        integer(op, bits, *a, *b).map(Val::Int)
    }

    /// a · (1/b): quotients by the same divisor share one inverse.
    pub(super) fn divided(&mut self, a: Term, b: Term) -> Result<Term, Stop> {
        let one = self.terms.number(1);
        if self.terms.as_number(b).is_some_and(|number| *number == 0) {
            return Err(Stop::unsupported("a division by zero"));
        }
        let inverse = self.terms.div(one, b);
        Ok(self.terms.mul(a, inverse))
    }

    fn compare_reals(&mut self, pred: FloatPred, a: &Val, b: &Val) -> Result<Val, Stop> {
        let fixed = match pred {
            FloatPred::False | FloatPred::Uno => Some(false),
            FloatPred::True | FloatPred::Ord => Some(true),
            _ => None,
        };
        let (a, b) = (self.real(a)?, self.real(b)?);
        if let Some(value) = fixed {
            return Ok(Val::Int(u128::from(value)));
        }
        let t = &mut self.terms;
        let condition = match pred {
            FloatPred::Oeq | FloatPred::Ueq => t.equal(a, b),
            FloatPred::One | FloatPred::Une => t.differ(a, b),
            FloatPred::Olt | FloatPred::Ult => t.less(a, b),
            FloatPred::Ogt | FloatPred::Ugt => t.less(b, a),
            FloatPred::Ole | FloatPred::Ule => t.at_most(a, b),
            _ => t.at_most(b, a),
        };
        Ok(Val::Int(u128::from(self.decide(condition)?)))
    }

    fn cast(&mut self, op: CastOp, value: Val, from: TypeId, to: TypeId) -> Result<Val, Stop> {
        if op == CastOp::BitCast {
            let (from_lanes, to_lanes) = (self.module.types.element_count(from), self.module.types.element_count(to));
            return match (from_lanes, to_lanes) {
                (None, None) => Ok(self.reinterpreted(value, to)),
                _ if from == to => Ok(value),
                // Through memory, which is what a bitcast of vectors means.
                _ => {
                    let address = self.memory.allocate(self.module.size_of(from).max(self.module.size_of(to)));
                    let accessed = self.accessed.take();
                    let result = self.store(address, from, value).and_then(|()| self.load(address, to));
                    self.accessed = accessed;
                    self.memory.free(address)?;
                    result
                }
            };
        }
        let (wide, narrow) = (self.width(from), self.width(to));
        let to = self.module.types.scalar(to);
        self.lanes1(value, &mut |this, value| match (op, value) {
            (CastOp::FPTrunc | CastOp::FPExt, value) => Ok(value),
            (_, Val::Undef) => Ok(Val::Undef),
            (CastOp::Trunc, Val::Int(value)) => Ok(Val::Int(mask(value, narrow))),
            (CastOp::ZExt, Val::Int(value)) => Ok(Val::Int(mask(value, wide))),
            (CastOp::SExt, Val::Int(value)) => Ok(Val::Int(mask(signed(value, wide) as u128, narrow))),
            (CastOp::SIToFP, Val::Int(value)) => Ok(Val::Real(this.terms.number(Rational::from(signed(value, wide))))),
            (CastOp::UIToFP, Val::Int(value)) => Ok(Val::Real(this.terms.number(Rational::from(value)))),
            (CastOp::PtrToInt, Val::Int(value)) => Ok(Val::Int(mask(value, narrow))),
            (CastOp::IntToPtr | CastOp::AddrSpaceCast, Val::Int(value)) => Ok(Val::Int(value)),
            (CastOp::FPToSI | CastOp::FPToUI, Val::Real(term)) => match this.terms.as_number(term) {
                Some(number) => {
                    let whole = number.clone().trunc().numer().to_i128();
                    whole
                        .map(|whole| Val::Int(mask(whole as u128, narrow)))
                        .ok_or_else(|| Stop::unsupported("an overflow"))
                }
                None => Err(Stop::unsupported("an unknown number as an integer")),
            },
            (op, value) => {
                let kind = this.module.types.get(to);
                Err(Stop::unsupported(format!("{} of {value:?} to {kind:?}", op.name())))
            }
        })
    }

    /// The address of an element (LangRef, `getelementptr`).
    pub(super) fn offset(&mut self, elem_ty: TypeId, base: &Val, indices: &[Val]) -> Result<Val, Stop> {
        let Val::Int(base) = base else { return Err(Stop::unsupported("an undefined address, or a vector of them")) };
        let (module, mut ty, mut address) = (self.module, elem_ty, *base as u64);
        for (position, index) in indices.iter().enumerate() {
            let Val::Int(index) = index else { return Err(Stop::unsupported("an undefined index")) };
            let index = *index as u64;
            if position == 0 {
                address = address.wrapping_add(index.wrapping_mul(module.size_of(ty)));
                continue;
            }
            let unknown = || Stop::unsupported("an unknown layout");
            let offset = module.layout.element_offset(&module.types, ty, index).ok_or_else(unknown)?;
            let inner = match module.types.get(ty) {
                Type::Array { elem, .. } | Type::Vector { elem, .. } => Some(*elem),
                _ => module.types.element(ty, index),
            };
            (address, ty) = (address.wrapping_add(offset), inner.ok_or_else(unknown)?);
        }
        Ok(Val::Int(u128::from(address)))
    }
}

fn element(value: &Val, index: usize) -> Result<Val, Stop> {
    match value {
        Val::Many(parts) => parts.get(index).cloned().ok_or_else(|| Stop::unsupported("an index out of range")),
        Val::Undef => Ok(Val::Undef),
        Val::Int(_) | Val::Real(_) => Err(Stop::unsupported("an aggregate that is none")),
    }
}

fn replaced(value: Val, indices: &[usize], by: Val) -> Result<Val, Stop> {
    let Some((first, rest)) = indices.split_first() else { return Ok(by) };
    let Val::Many(mut parts) = value else { return Err(Stop::unsupported("an aggregate that is none")) };
    let slot = parts.get_mut(*first).ok_or_else(|| Stop::unsupported("an index out of range"))?;
    *slot = replaced(std::mem::replace(slot, Val::Undef), rest, by)?;
    Ok(Val::Many(parts))
}

fn compare_ints(pred: IntPred, bits: u32, a: &Val, b: &Val) -> Result<Val, Stop> {
    let (Val::Int(a), Val::Int(b)) = (a, b) else { return Err(Stop::unsupported("an undefined integer is compared")) };
    let (a, b) = (mask(*a, bits), mask(*b, bits));
    let (x, y) = (signed(a, bits), signed(b, bits));
    let value = match pred {
        IntPred::Eq => a == b,
        IntPred::Ne => a != b,
        IntPred::Ugt => a > b,
        IntPred::Uge => a >= b,
        IntPred::Ult => a < b,
        IntPred::Ule => a <= b,
        IntPred::Sgt => x > y,
        IntPred::Sge => x >= y,
        IntPred::Slt => x < y,
        IntPred::Sle => x <= y,
    };
    Ok(Val::Int(u128::from(value)))
}

fn integer(op: BinOp, bits: u32, a: u128, b: u128) -> Result<u128, Stop> {
    let (a, b) = (mask(a, bits), mask(b, bits));
    let (x, y) = (signed(a, bits), signed(b, bits));
    let zero = || Stop::unsupported("an integer division by zero");
    let value = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b).ok_or_else(zero)?,
        BinOp::URem => a.checked_rem(b).ok_or_else(zero)?,
        BinOp::SDiv => x.checked_div(y).ok_or_else(zero)? as u128,
        BinOp::SRem => x.checked_rem(y).ok_or_else(zero)? as u128,
        BinOp::Shl | BinOp::LShr | BinOp::AShr if b >= u128::from(bits) => {
            return Err(Stop::unsupported("a shift by too much"));
        }
        BinOp::Shl => a << b,
        BinOp::LShr => a >> b,
        BinOp::AShr => (x >> b) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem => {
            return Err(Stop::unsupported("an integer operation that is none"));
        }
    };
    Ok(mask(value, bits))
}
