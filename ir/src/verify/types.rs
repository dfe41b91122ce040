//! Checks 8 to 11 of the verifier: arithmetic, control flow, vectors and aggregates.

use super::Checker;
use crate::function::InstId;
use crate::hash::HashSet;
use crate::inst::{BinOp, CastOp, FastMath, Inst, InstKind, IntFlags, Operand};
use crate::types::{FloatKind, Type, TypeId};

impl Checker<'_> {
    /// Types and flags of one instruction.
    pub(super) fn inst(&mut self, id: InstId) {
        let inst = &self.func.insts[id];
        self.debug_location(inst);
        match &inst.kind {
            InstKind::Ret(value) => self.ret(*value),
            InstKind::Br(_) | InstKind::Unreachable => {}
            InstKind::CondBr { cond, .. } => self.bit(*cond, "the condition"),
            InstKind::Switch { value, cases, .. } => self.switch(*value, cases.iter().map(|c| c.0)),
            InstKind::IndirectBr { address, .. } => self.require_pointer(*address, "the address"),
            InstKind::Invoke { call, .. } | InstKind::Call(call) => self.call(id, inst, call),
            InstKind::Resume(value) => {
                let first_class = self.is_first_class(self.ty(*value));
                self.require(first_class, "a resume of no value");
            }
            InstKind::FNeg { value, .. } => {
                self.float(inst.ty, "the result");
                self.require_same(self.ty(*value), inst.ty, "the operand");
            }
            InstKind::Binary { op, flags, fast, lhs, rhs } => self.binary(inst, *op, (*flags, *fast), [*lhs, *rhs]),
            InstKind::ExtractElement { .. }
            | InstKind::InsertElement { .. }
            | InstKind::ShuffleVector { .. }
            | InstKind::ExtractValue { .. }
            | InstKind::InsertValue { .. } => self.element(inst),
            InstKind::Alloca { .. }
            | InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::Fence(_)
            | InstKind::CmpXchg { .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::Gep { .. }
            | InstKind::VaArg { .. } => self.memory(inst),
            InstKind::Cast { op, flags, fast, value } => self.cast(inst, *op, (*flags, *fast), *value),
            InstKind::ICmp { lhs, rhs, .. } => {
                let operand = self.ty(*lhs);
                let comparable = matches!(self.scalar(operand), Type::Int(_) | Type::Ptr(_));
                self.require(comparable, "icmp compares integers or pointers");
                self.comparison(inst.ty, operand, *rhs);
            }
            InstKind::FCmp { lhs, rhs, .. } => {
                self.float(self.ty(*lhs), "the left operand");
                self.comparison(inst.ty, self.ty(*lhs), *rhs);
            }
            InstKind::Phi { fast, incoming } => {
                for (value, _) in incoming {
                    self.require_same(self.ty(*value), inst.ty, "an incoming value");
                }
                self.fast_fits(*fast, inst.ty);
            }
            InstKind::Select { fast, cond, if_true, if_false } => {
                self.require_same(self.ty(*if_true), inst.ty, "the first value");
                self.require_same(self.ty(*if_false), inst.ty, "the second value");
                self.fast_fits(*fast, inst.ty);
                let cond = self.ty(*cond);
                let lanes_agree = self.lanes(cond).is_none() || self.lanes(cond) == self.lanes(inst.ty);
                let fits = *self.scalar(cond) == Type::Int(1) && lanes_agree;
                self.require(
                    fits,
                    "the condition of a select is i1, or a vector of i1 with as many lanes as the values",
                );
            }
            InstKind::Freeze(value) => self.require_same(self.ty(*value), inst.ty, "the operand"),
            InstKind::LandingPad { cleanup, clauses } => {
                self.require(*cleanup || !clauses.is_empty(), "a landingpad without clause that is no cleanup");
            }
        }
    }

    fn ret(&mut self, value: Option<Operand>) {
        let wanted = self.func.ret;
        match value {
            Some(value) => self.require_same(self.ty(value), wanted, "the returned value"),
            None => {
                let void = *self.module.types.get(wanted) == Type::Void;
                self.require(void, "a return without value from a function that returns one");
            }
        }
    }

    fn bit(&mut self, operand: Operand, what: &str) {
        if *self.module.types.get(self.ty(operand)) != Type::Int(1) {
            self.error(format!("{what} is not i1"));
        }
    }

    fn switch(&mut self, value: Operand, cases: impl Iterator<Item = crate::ConstId>) {
        let ty = self.ty(value);
        self.require(self.module.types.is_int(ty), "a switch on a value that is no integer");
        let mut seen = HashSet::default();
        for case in cases {
            self.require_same(self.module.constants.get(case).ty, ty, "a case");
            self.require(seen.insert(case), "a switch with two equal cases");
        }
    }

    fn float(&mut self, ty: TypeId, what: &str) {
        if !matches!(self.scalar(ty), Type::Float(_)) {
            self.error(format!("{what} is not of floating-point type"));
        }
    }

    /// Check 9 for fast-math flags: they stand on floating-point results, and arrays of them.
    pub(super) fn fast_fits(&mut self, fast: FastMath, ty: TypeId) {
        let mut ty = ty;
        while let Type::Array { elem, .. } = self.module.types.get(ty) {
            ty = *elem;
        }
        let fits = fast == FastMath::default() || matches!(self.scalar(ty), Type::Float(_));
        self.require(fits, "fast-math flags on a result that is not of floating-point type");
    }

    fn binary(&mut self, inst: &Inst, op: BinOp, (flags, fast): (IntFlags, FastMath), operands: [Operand; 2]) {
        for operand in operands {
            self.require_same(self.ty(operand), inst.ty, "an operand");
        }
        let kind_fits = match self.scalar(inst.ty) {
            Type::Int(_) => !op.is_float(),
            Type::Float(_) => op.is_float(),
            _ => false,
        };
        self.require(kind_fits, "the instruction does not work on operands of this type");
        let wraps = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl);
        let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::LShr | BinOp::AShr);
        let IntFlags { nuw, nsw, exact, disjoint, nneg } = flags;
        let fits = (wraps || !(nuw || nsw)) && (divides || !exact) && (op == BinOp::Or || !disjoint) && !nneg;
        self.require(fits, "a flag that means nothing on this instruction");
        self.require(op.is_float() || fast == FastMath::default(), "fast-math flags on integer arithmetic");
    }

    fn comparison(&mut self, result: TypeId, operand: TypeId, rhs: Operand) {
        self.require_same(self.ty(rhs), operand, "the right operand");
        let fits = *self.scalar(result) == Type::Int(1) && self.lanes(result) == self.lanes(operand);
        self.require(fits, "a comparison gives i1, or a vector of i1 with as many lanes as the operands");
    }

    fn cast(&mut self, inst: &Inst, op: CastOp, (flags, fast): (IntFlags, FastMath), value: Operand) {
        let from = self.ty(value);
        if op == CastOp::BitCast {
            let (layout, types) = (&self.module.layout, &self.module.types);
            let pointers = |ty| matches!(self.scalar(ty), Type::Ptr(_));
            let same_size = layout.bit_width(types, from) == layout.bit_width(types, inst.ty);
            let fits = pointers(from) == pointers(inst.ty) && same_size && layout.bit_width(types, from).is_some();
            self.require(fits, "a bitcast between types of different size, or between a pointer and a number");
        } else {
            let fits = cast_fits(op, self.scalar(from), self.scalar(inst.ty));
            self.require(fits, "a conversion between types that it does not work on");
            self.require(self.lanes(from) == self.lanes(inst.ty), "a conversion that changes the number of lanes");
        }
        let IntFlags { nuw, nsw, exact, disjoint, nneg } = flags;
        let nneg_fits = matches!(op, CastOp::ZExt | CastOp::UIToFP) || !nneg;
        let fits = nneg_fits && (op == CastOp::Trunc || !(nuw || nsw)) && !exact && !disjoint;
        self.require(fits, "a flag that means nothing on this instruction");
        self.fast_fits(fast, inst.ty);
    }

    fn element(&mut self, inst: &Inst) {
        match &inst.kind {
            InstKind::ExtractElement { vector, index } => {
                let ty = self.ty(*vector);
                self.require(self.lanes(ty).is_some(), "extractelement from a type that is no vector");
                self.require_same(self.module.types.scalar(ty), inst.ty, "the lane");
                self.require(self.module.types.is_int(self.ty(*index)), "an index that is no integer");
            }
            InstKind::InsertElement { vector, value, index } => {
                self.require(self.lanes(inst.ty).is_some(), "insertelement into a type that is no vector");
                self.require_same(self.ty(*vector), inst.ty, "the vector");
                self.require_same(self.ty(*value), self.module.types.scalar(inst.ty), "the lane");
                self.require(self.module.types.is_int(self.ty(*index)), "an index that is no integer");
            }
            InstKind::ShuffleVector { a, b, mask } => {
                let ty = self.ty(*a);
                self.require_same(self.ty(*b), ty, "the second vector");
                self.require_same(
                    self.module.types.scalar(inst.ty),
                    self.module.types.scalar(ty),
                    "a lane of the result",
                );
                let lanes = self.lanes(ty);
                self.require(lanes.is_some(), "a shuffle of types that are no vectors");
                self.require(
                    self.lanes(inst.ty) == Some(mask.len() as u32),
                    "a mask of another length than the result",
                );
                let limit = u64::from(lanes.unwrap_or(0)) * 2;
                let in_range = mask.iter().flatten().all(|lane| u64::from(*lane) < limit);
                self.require(in_range, "a mask that names a lane beyond both vectors");
            }
            InstKind::ExtractValue { aggregate, indices } => match self.path(self.ty(*aggregate), indices) {
                Some(element) => self.require_same(element, inst.ty, "the element"),
                None => self.error("indices that lead to no element of the aggregate"),
            },
            InstKind::InsertValue { aggregate, value, indices } => {
                self.require_same(self.ty(*aggregate), inst.ty, "the aggregate");
                match self.path(inst.ty, indices) {
                    Some(element) => self.require_same(self.ty(*value), element, "the inserted value"),
                    None => self.error("indices that lead to no element of the aggregate"),
                }
            }
            // `inst` sends the instructions above alone.
            _ => {}
        }
    }

    fn path(&self, ty: TypeId, indices: &[u32]) -> Option<TypeId> {
        let step = |ty: TypeId, index: &u32| match self.lanes(ty) {
            Some(_) => None,
            None => self.module.types.element(ty, u64::from(*index)),
        };
        if indices.is_empty() { None } else { indices.iter().try_fold(ty, step) }
    }
}

/// Is the conversion defined from one scalar type to the other?
fn cast_fits(op: CastOp, from: &Type, to: &Type) -> bool {
    // A wider format holds more; half and bfloat have the same width, and neither holds the other.
    let wider = |a: FloatKind, b: FloatKind| a.bits() > b.bits();
    match (op, from, to) {
        (CastOp::Trunc, Type::Int(a), Type::Int(b)) => a > b,
        (CastOp::ZExt | CastOp::SExt, Type::Int(a), Type::Int(b)) => a < b,
        (CastOp::FPTrunc, Type::Float(a), Type::Float(b)) => wider(*a, *b),
        (CastOp::FPExt, Type::Float(a), Type::Float(b)) => wider(*b, *a),
        (CastOp::FPToUI | CastOp::FPToSI, Type::Float(_), Type::Int(_)) => true,
        (CastOp::UIToFP | CastOp::SIToFP, Type::Int(_), Type::Float(_)) => true,
        (CastOp::PtrToInt, Type::Ptr(_), Type::Int(_)) => true,
        (CastOp::IntToPtr, Type::Int(_), Type::Ptr(_)) => true,
        (CastOp::AddrSpaceCast, Type::Ptr(a), Type::Ptr(b)) => a != b,
        _ => false,
    }
}
