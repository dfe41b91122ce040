//! Instructions, one exhaustive match; arithmetic and conversions, unrolled over lanes.

use super::call::Invoke;
use super::consts::is_int;
use super::{Lower, Lowered};
use crate::code::{Bitcast, Checks, Op, Slot, flag};
use crate::value::Leaf;
use ir::{BinOp, BlockId, CastOp, FastMath, FloatKind, FloatPred, Inst, InstKind, IntFlags, IntPred, Operand};

/// Fast-math flags that make poison.
pub fn fast_bits(fast: FastMath) -> u8 {
    (u8::from(fast.nnan) * flag::NNAN) | (u8::from(fast.ninf) * flag::NINF)
}

fn int_bits(flags: IntFlags) -> u8 {
    (u8::from(flags.nuw) * flag::NUW)
        | (u8::from(flags.nsw) * flag::NSW)
        | (u8::from(flags.exact) * flag::EXACT)
        | (u8::from(flags.disjoint) * flag::DISJOINT)
        | (u8::from(flags.nneg) * flag::NNEG)
}

impl Lower<'_, '_> {
    /// Lowers one instruction of `block`.
    pub(super) fn instruction(&mut self, block: BlockId, inst: &Inst) -> Lowered {
        match &inst.kind {
            InstKind::Ret(value) => self.ret(*value),
            InstKind::Br(to) => self.br(block, *to),
            InstKind::CondBr { cond, then_to, else_to } => self.cond_br(block, *cond, *then_to, *else_to),
            InstKind::Switch { value, default, cases } => self.switch(block, *value, *default, cases),
            InstKind::IndirectBr { address, targets } => self.indirect_br(block, *address, targets),
            InstKind::Invoke { call, normal, unwind } => {
                let landing = self.landing(*unwind)?;
                let (normal, unwind) = (self.edge(block, *normal)?, self.edge(block, *unwind)?);
                self.call(call, inst, Some(Invoke { normal, unwind, landing }))
            }
            InstKind::Resume(value) => {
                let src = self.slot(*value)?;
                self.emit(Op::Resume { src });
                Ok(())
            }
            InstKind::Unreachable => {
                self.emit(Op::Unreachable);
                Ok(())
            }
            InstKind::FNeg { fast, value } => self.fneg(*fast, *value),
            InstKind::Binary { op, flags, fast, lhs, rhs } => self.binary(*op, *flags, *fast, *lhs, *rhs),
            InstKind::ExtractElement { vector, index } => self.extract_element(*vector, *index),
            InstKind::InsertElement { vector, value, index } => self.insert_element(*vector, *value, *index),
            InstKind::ShuffleVector { a, b, mask } => self.shuffle(*a, *b, mask),
            InstKind::ExtractValue { aggregate, indices } => self.extract_value(*aggregate, indices),
            InstKind::InsertValue { aggregate, value, indices } => self.insert_value(*aggregate, *value, indices),
            InstKind::Alloca { elem_ty, count, align, inalloca, .. } => {
                self.alloca(*elem_ty, *count, *align, *inalloca)
            }
            InstKind::Load { ptr, align, atomic: None, .. } => self.load(inst, *ptr, *align),
            InstKind::Load { ptr, align, atomic: Some(atomic), .. } => {
                self.atomic_load(inst, *ptr, *align, atomic.ordering)
            }
            InstKind::Store { value, ptr, align, atomic: None, .. } => self.store(*value, *ptr, *align),
            InstKind::Store { value, ptr, align, atomic: Some(atomic), .. } => {
                self.atomic_store(*value, *ptr, *align, atomic.ordering)
            }
            InstKind::Fence(atomic) => {
                // A fence between a thread and its own signal handlers orders no threads.
                if atomic.scope != "singlethread" {
                    self.emit(Op::Fence { order: atomic.ordering });
                }
                Ok(())
            }
            InstKind::CmpXchg { .. } => self.cmpxchg(&inst.kind),
            InstKind::AtomicRmw { .. } => self.rmw(&inst.kind),
            InstKind::Gep { elem_ty, flags, base, indices } => self.gep(inst, *elem_ty, *flags, *base, indices),
            InstKind::Cast { op, flags, value, .. } => self.cast(inst, *op, *flags, *value),
            InstKind::ICmp { pred, lhs, rhs } => self.icmp(*pred, *lhs, *rhs),
            InstKind::FCmp { pred, fast, lhs, rhs } => self.fcmp(*pred, *fast, *lhs, *rhs),
            // The edges do the work.
            InstKind::Phi { fast, .. } => self.check_fast(*fast, inst),
            InstKind::Select { cond, if_true, if_false, fast } => {
                self.select(*cond, *if_true, *if_false)?;
                self.check_fast(*fast, inst)
            }
            InstKind::Freeze(value) => self.freeze(*value),
            InstKind::Call(call) => self.call(call, inst, None),
            InstKind::VaArg { list } => self.va_arg(inst, *list),
            InstKind::LandingPad { .. } => {
                let dst = self.result();
                self.emit(Op::LandingPad { dst });
                Ok(())
            }
        }
    }

    /// Fast-math flags of an instruction that only passes a number on.
    fn check_fast(&mut self, fast: FastMath, inst: &Inst) -> Lowered {
        if let Some(require) = super::attrs::fast_classes(fast) {
            let leaves = crate::code::kinds(&*self.env.flat(inst.ty)?);
            let what = String::new();
            self.check(self.result(), Checks { leaves, requires: vec![require], what });
        }
        Ok(())
    }

    fn ret(&mut self, value: Option<Operand>) -> Lowered {
        let (src, n) = match value {
            Some(value) => (self.slot(value)?, self.leaves(value)?.len() as u32),
            None => (super::POISON, 0),
        };
        self.emit(Op::Ret { src, n });
        Ok(())
    }

    fn br(&mut self, block: BlockId, to: BlockId) -> Lowered {
        let edge = self.edge(block, to)?;
        self.emit(Op::Jump { edge });
        Ok(())
    }

    fn icmp(&mut self, pred: IntPred, lhs: Operand, rhs: Operand) -> Lowered {
        let (dst, a, b) = (self.result(), self.slot(lhs)?, self.slot(rhs)?);
        for (i, leaf) in (0..).zip(self.leaves(lhs)?) {
            self.emit(Op::ICmp { pred, dst: dst + i, a: a + i, b: b + i, width: leaf.bits() });
        }
        Ok(())
    }

    fn fcmp(&mut self, pred: FloatPred, fast: FastMath, lhs: Operand, rhs: Operand) -> Lowered {
        let (dst, a, b) = (self.result(), self.slot(lhs)?, self.slot(rhs)?);
        let fast = fast_bits(fast);
        for (i, leaf) in (0..).zip(self.leaves(lhs)?) {
            let kind = float_kind(leaf)?;
            self.emit(Op::FCmp { pred, kind, fast, dst: dst + i, a: a + i, b: b + i });
        }
        Ok(())
    }

    fn freeze(&mut self, value: Operand) -> Lowered {
        let (dst, a) = (self.result(), self.slot(value)?);
        for (i, leaf) in (0..).zip(self.leaves(value)?) {
            self.emit(Op::Freeze { dst: dst + i, a: a + i, leaf });
        }
        Ok(())
    }

    fn va_arg(&mut self, inst: &Inst, list: Operand) -> Lowered {
        match crate::code::kinds(&*self.env.flat(inst.ty)?).as_slice() {
            [leaf] => {
                let (dst, list) = (self.result(), self.slot(list)?);
                self.emit(Op::VaArg { dst, list, leaf: *leaf });
                Ok(())
            }
            _ => Err("va_arg of an aggregate".to_owned()),
        }
    }

    fn fneg(&mut self, fast: FastMath, value: Operand) -> Lowered {
        let (dst, a) = (self.result(), self.slot(value)?);
        for (i, leaf) in (0..).zip(self.leaves(value)?) {
            self.emit(Op::FNeg { kind: float_kind(leaf)?, fast: fast_bits(fast), dst: dst + i, a: a + i });
        }
        Ok(())
    }

    fn binary(&mut self, op: BinOp, flags: IntFlags, fast: FastMath, lhs: Operand, rhs: Operand) -> Lowered {
        let (dst, a, b) = (self.result(), self.slot(lhs)?, self.slot(rhs)?);
        for (i, leaf) in (0..).zip(self.leaves(lhs)?) {
            let (dst, a, b) = (dst + i, a + i, b + i);
            match leaf {
                Leaf::Float(kind) => self.float_binary(op, kind, fast_bits(fast), dst, a, b),
                Leaf::Int(width) => self.int_binary(op, width, int_bits(flags), dst, a, b),
                Leaf::Ptr => return Err("arithmetic on pointers".to_owned()),
            }
        }
        Ok(())
    }

    pub(super) fn float_binary(&mut self, op: BinOp, kind: FloatKind, fast: u8, dst: Slot, a: Slot, b: Slot) {
        self.emit(match (op, kind, fast) {
            (BinOp::FAdd, FloatKind::Double, 0) => Op::FAdd { dst, a, b },
            (BinOp::FSub, FloatKind::Double, 0) => Op::FSub { dst, a, b },
            (BinOp::FMul, FloatKind::Double, 0) => Op::FMul { dst, a, b },
            (BinOp::FDiv, FloatKind::Double, 0) => Op::FDiv { dst, a, b },
            _ => Op::FloatBin { op, kind, fast, dst, a, b },
        });
    }

    pub(super) fn int_binary(&mut self, op: BinOp, width: u8, flags: u8, dst: Slot, a: Slot, b: Slot) {
        self.emit(match op {
            BinOp::Add if width <= 64 => Op::Add { dst, a, b, width, flags },
            BinOp::Sub if width <= 64 => Op::Sub { dst, a, b, width, flags },
            BinOp::Mul if width <= 64 => Op::Mul { dst, a, b, width, flags },
            BinOp::And if width <= 64 => Op::And { dst, a, b, width },
            BinOp::Or if width <= 64 => Op::Or { dst, a, b, width, flags },
            BinOp::Xor if width <= 64 => Op::Xor { dst, a, b, width, flags },
            BinOp::Shl if width <= 64 => Op::Shl { dst, a, b, width, flags },
            BinOp::LShr if width <= 64 => Op::LShr { dst, a, b, width, flags },
            BinOp::AShr if width <= 64 => Op::AShr { dst, a, b, width, flags },
            _ => Op::IntBin { op, dst, a, b, width, flags },
        });
    }

    fn cast(&mut self, inst: &Inst, op: CastOp, flags: IntFlags, value: Operand) -> Lowered {
        let (dst, src) = (self.result(), self.slot(value)?);
        let from = self.leaves(value)?;
        let to = crate::code::kinds(&*self.env.flat(inst.ty)?);
        let same_shape = from.len() == to.len() && from.iter().zip(&to).all(|(f, t)| f.bits() == t.bits());
        if op == CastOp::BitCast && !same_shape {
            self.code.bitcasts.push(Bitcast { from, to });
            self.emit(Op::Bitcast { dst, src, table: self.code.bitcasts.len() as u32 - 1 });
            return Ok(());
        }
        let bits = match (op, self.env.module.types.get(inst.ty)) {
            // The space that the pointer must be in.
            (CastOp::AddrSpaceCast, ir::Type::Ptr(space)) => u8::try_from(*space).unwrap_or(0),
            _ => int_bits(flags),
        };
        for (i, (from, to)) in (0..).zip(from.into_iter().zip(to)) {
            let (dst, a) = (dst + i, src + i);
            let narrow = is_int(from) && from.bits() <= 64 && to.bits() <= 64;
            self.emit(match op {
                CastOp::Trunc if narrow => Op::Trunc { dst, a, from: from.bits(), to: to.bits(), flags: bits },
                CastOp::ZExt if narrow => Op::ZExt { dst, a, from: from.bits(), to: to.bits(), flags: bits },
                CastOp::SExt if narrow => Op::SExt { dst, a, from: from.bits(), to: to.bits() },
                CastOp::BitCast if from == to => Op::Copy { dst, src: a, n: 1 },
                _ => Op::Convert { op, from, to, flags: bits, dst, a },
            });
        }
        Ok(())
    }

    fn select(&mut self, cond: Operand, if_true: Operand, if_false: Operand) -> Lowered {
        let (dst, c, a, b) = (self.result(), self.slot(cond)?, self.slot(if_true)?, self.slot(if_false)?);
        let n = self.leaves(if_true)?.len() as u32;
        let lanes = self.leaves(cond)?.len() as u32;
        if lanes == 1 && !self.is_vector(cond) {
            self.emit(Op::Select { dst, cond: c, a, b, n });
        } else {
            for i in 0..n {
                self.emit(Op::Select { dst: dst + i, cond: c + i, a: a + i, b: b + i, n: 1 });
            }
        }
        Ok(())
    }
}

/// The format of a floating-point leaf.
pub fn float_kind(leaf: Leaf) -> Lowered<FloatKind> {
    match leaf {
        Leaf::Float(kind) => Ok(kind),
        Leaf::Int(_) | Leaf::Ptr => Err("a floating-point operation on another type".to_owned()),
    }
}
