//! A cursor that appends instructions to a function under construction.
//!
//! The function is owned, not yet part of the module, so that types and constants of the module can
//! be interned while it grows. Every instruction gets the current location and origin.

use ir::{
    BinOp, BlockId, Call, CastOp, ConstKind, FastMath, FuncId, Function, GepFlags, Inst, InstId, InstKind, IntFlags,
    IntPred, MdId, Module, Operand, Origin, Type, TypeId,
};

/// The cursor.
pub struct Builder<'m> {
    /// The module whose types and constants are used.
    pub m: &'m mut Module,
    /// The function under construction.
    pub f: Function,
    /// The block at whose end instructions are appended.
    pub at: BlockId,
    /// The source location of new instructions.
    pub loc: Option<MdId>,
    /// The origin of new instructions.
    pub origin: Option<Origin>,
}

impl<'m> Builder<'m> {
    /// A cursor at the end of a new entry block of `f`.
    pub fn new(m: &'m mut Module, mut f: Function) -> Self {
        let at = f.add_block("entry");
        Builder { m, f, at, loc: None, origin: None }
    }

    /// Appends an instruction; the operand is its result (meaningless for `void`).
    pub fn push(&mut self, kind: InstKind, ty: TypeId) -> InstId {
        let mut inst = Inst::new(kind, ty);
        inst.loc = self.loc;
        inst.origin = self.origin;
        let has_result = !matches!(self.m.types.get(ty), Type::Void);
        self.f.append(self.at, inst, has_result)
    }

    /// Appends an instruction that has a result.
    pub fn value(&mut self, kind: InstKind, ty: TypeId) -> Operand {
        let id = self.push(kind, ty);
        self.result(id)
    }

    /// The result of an instruction that has one.
    pub fn result(&self, id: InstId) -> Operand {
        // A `void` result is never asked for: callers check the type first.
        Operand::Local(self.f.insts[id].result.unwrap_or_else(|| unreachable!("instruction without a result")))
    }

    /// Appends an instruction without a result.
    pub fn effect(&mut self, kind: InstKind) {
        let void = self.m.types.void();
        self.push(kind, void);
    }

    /// The type of an operand.
    pub fn ty(&self, operand: Operand) -> TypeId {
        self.m.operand_ty(&self.f, operand)
    }

    /// `br label %to`
    pub fn br(&mut self, to: BlockId) {
        self.effect(InstKind::Br(to));
    }

    /// `br i1 %cond, …`
    pub fn cond_br(&mut self, cond: Operand, then_to: BlockId, else_to: BlockId) {
        self.effect(InstKind::CondBr { cond, then_to, else_to });
    }

    /// `load`
    pub fn load(&mut self, ty: TypeId, ptr: Operand, align: u64) -> Operand {
        self.value(InstKind::Load { ptr, align, volatile: false, atomic: None }, ty)
    }

    /// `store`
    pub fn store(&mut self, value: Operand, ptr: Operand, align: u64) {
        self.effect(InstKind::Store { value, ptr, align, volatile: false, atomic: None });
    }

    /// Natural alignment of `ty`.
    pub fn align(&self, ty: TypeId) -> u64 {
        self.m.layout.align_of(&self.m.types, ty)
    }

    /// A pointer `bytes` behind `base`.
    pub fn offset(&mut self, base: Operand, bytes: u64) -> Operand {
        if bytes == 0 {
            return base;
        }
        let index = self.m.int(64, u128::from(bytes));
        self.offset_by(base, index)
    }

    /// A pointer `bytes` (an `i64`) behind `base`.
    pub fn offset_by(&mut self, base: Operand, bytes: Operand) -> Operand {
        let (elem_ty, ptr) = (self.m.types.int(8), self.m.types.ptr());
        let flags = GepFlags { inbounds: true, nusw: true, nuw: false };
        self.value(InstKind::Gep { elem_ty, flags, base, indices: vec![bytes] }, ptr)
    }

    /// Integer or floating-point arithmetic without flags.
    pub fn binary(&mut self, op: BinOp, lhs: Operand, rhs: Operand) -> Operand {
        let ty = self.ty(lhs);
        self.value(InstKind::Binary { op, flags: IntFlags::default(), fast: FastMath::default(), lhs, rhs }, ty)
    }

    /// `icmp`
    pub fn icmp(&mut self, pred: IntPred, lhs: Operand, rhs: Operand) -> Operand {
        let i1 = self.m.types.int(1);
        self.value(InstKind::ICmp { pred, lhs, rhs }, i1)
    }

    /// A number in all lanes of a vector type; the number itself for another type.
    pub fn splat(&mut self, value: Operand, ty: TypeId) -> Operand {
        let Type::Vector { len, .. } = *self.m.types.get(ty) else { return value };
        if let Operand::Const(c) = value {
            return self.m.constant(ty, ConstKind::Aggregate(vec![c; len as usize]));
        }
        let mut whole = self.m.zero(ty);
        for lane in 0..len {
            let index = self.m.int(32, u128::from(lane));
            whole = self.value(InstKind::InsertElement { vector: whole, value, index }, ty);
        }
        whole
    }

    /// `fcmp oeq`, lane by lane on vectors.
    pub fn float_equal(&mut self, lhs: Operand, rhs: Operand) -> Operand {
        let ty = self.m.types.truth(self.ty(lhs));
        self.value(InstKind::FCmp { pred: ir::FloatPred::Oeq, fast: FastMath::default(), lhs, rhs }, ty)
    }

    /// A conversion without flags; the operand itself if the type is already right.
    pub fn cast(&mut self, op: CastOp, value: Operand, to: TypeId) -> Operand {
        if self.ty(value) == to {
            return value;
        }
        self.value(InstKind::Cast { op, flags: IntFlags::default(), fast: FastMath::default(), value }, to)
    }

    /// Another edge into a phi.
    pub fn incoming(&mut self, phi: InstId, from: (Operand, BlockId)) {
        if let InstKind::Phi { incoming, .. } = &mut self.f.insts[phi].kind {
            incoming.push(from);
        }
    }

    /// A loop that goes on while `more` says so; what it does, from what goes round to what goes round next.
    pub fn repeat(
        &mut self,
        first: &[Operand],
        more: impl FnOnce(&mut Self, &[Operand]) -> Operand,
        each: impl FnOnce(&mut Self, &[Operand]) -> Vec<Operand>,
    ) {
        let [look, again, done] = ["look", "again", "done"].map(|name| self.f.add_block(name));
        let entry = self.at;
        self.br(look);
        self.at = look;
        let mut phis = Vec::new();
        for value in first {
            let ty = self.ty(*value);
            phis.push(self.push(InstKind::Phi { fast: FastMath::default(), incoming: vec![(*value, entry)] }, ty));
        }
        let values: Vec<Operand> = phis.iter().map(|phi| self.result(*phi)).collect();
        let goes_on = more(self, &values);
        self.cond_br(goes_on, again, done);
        self.at = again;
        let next = each(self, &values);
        let from = self.at;
        for (phi, value) in phis.into_iter().zip(next) {
            self.incoming(phi, (value, from));
        }
        self.br(look);
        self.at = done;
    }

    /// Executes something if the condition holds.
    pub fn only_if(&mut self, cond: Operand, then: impl FnOnce(&mut Self)) {
        let [yes, done] = ["yes", "done"].map(|name| self.f.add_block(name));
        self.cond_br(cond, yes, done);
        self.at = yes;
        then(self);
        self.br(done);
        self.at = done;
    }

    /// An unsigned integer of any width as one of 64 bits.
    pub fn as_i64(&mut self, value: Operand) -> Operand {
        let i64t = self.m.types.int(64);
        match self.m.types.get(self.ty(value)) {
            Type::Int(bits) if *bits > 64 => self.cast(CastOp::Trunc, value, i64t),
            _ => self.cast(CastOp::ZExt, value, i64t),
        }
    }

    /// `select`
    pub fn select(&mut self, cond: Operand, if_true: Operand, if_false: Operand) -> Operand {
        let ty = self.ty(if_true);
        self.value(InstKind::Select { fast: FastMath::default(), cond, if_true, if_false }, ty)
    }

    /// `extractvalue`
    pub fn extract(&mut self, aggregate: Operand, index: u32) -> Operand {
        let ty = self.ty(aggregate);
        // Callers index aggregates they built themselves.
        let elem = self.m.types.element(ty, u64::from(index)).unwrap_or_else(|| unreachable!("aggregate index"));
        self.value(InstKind::ExtractValue { aggregate, indices: vec![index] }, elem)
    }

    /// The element of a vector or the member of an aggregate.
    pub fn part(&mut self, whole: Operand, index: usize) -> Operand {
        let ty = self.ty(whole);
        if let Type::Vector { elem, .. } = *self.m.types.get(ty) {
            let index = self.m.int(32, index as u128);
            return self.value(InstKind::ExtractElement { vector: whole, index }, elem);
        }
        self.extract(whole, index as u32)
    }

    /// The vector or aggregate with another element or member.
    pub fn with_part(&mut self, whole: Operand, index: usize, value: Operand) -> Operand {
        let ty = self.ty(whole);
        if let Type::Vector { .. } = self.m.types.get(ty) {
            let index = self.m.int(32, index as u128);
            return self.value(InstKind::InsertElement { vector: whole, value, index }, ty);
        }
        self.insert(whole, value, index as u32)
    }

    /// `insertvalue`
    pub fn insert(&mut self, aggregate: Operand, value: Operand, index: u32) -> Operand {
        let ty = self.ty(aggregate);
        self.value(InstKind::InsertValue { aggregate, value, indices: vec![index] }, ty)
    }

    /// A direct call of a function of the module; its result, or `None` for `void`.
    pub fn call(&mut self, func: FuncId, args: Vec<Operand>) -> Option<Operand> {
        let callee_fn = &self.m.functions[func];
        let (ret, vararg) = (callee_fn.ret, callee_fn.vararg);
        let params = callee_fn.params.iter().map(|p| p.ty).collect();
        let cc = callee_fn.cc.clone();
        let fn_ty = self.m.types.intern(Type::Func { ret, params, vararg });
        let callee = self.m.function_address(func);
        let call = plain_call(callee, fn_ty, args, cc);
        let id = self.push(InstKind::Call(Box::new(call)), ret);
        self.f.insts[id].result.map(Operand::Local)
    }
}

/// A call without attributes.
pub fn plain_call(callee: Operand, fn_ty: TypeId, args: Vec<Operand>, cc: String) -> Call {
    Call { cc, ..Call::plain(callee, fn_ty, args) }
}
