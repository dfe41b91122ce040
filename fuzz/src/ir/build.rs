//! Instructions into a module: the current function and block, types interned, intrinsics declared once.

use super::ty::{Elem, Ty};
use ir::{
    BinOp, BlockId, Call, CastOp, ConstKind, FastMath, FloatKind, FloatPred, FuncId, Function, GepFlags, Global,
    GlobalId, Inst, InstId, InstKind, IntFlags, IntPred, Module, Operand, TypeId,
};
use std::collections::{BTreeSet, HashMap};

/// Programs of one module are built by one builder.
pub struct Builder {
    /// The module.
    pub module: Module,
    /// The function that is being written.
    pub func: FuncId,
    /// The block that instructions go to.
    pub block: BlockId,
    declared: HashMap<String, FuncId>,
    notes: BTreeSet<String>,
}

impl Builder {
    /// An empty module for x86-64 with the C library of Linux.
    pub fn new(name: &str) -> Builder {
        let layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
        let module = Module {
            id: name.to_owned(),
            source_filename: name.to_owned(),
            triple: "x86_64-pc-linux-gnu".to_owned(),
            // The text is a constant; the default is as good where it is not understood.
            layout: ir::DataLayout::parse(layout).unwrap_or_default(),
            ..Module::default()
        };
        let (func, block) = (FuncId::from_u32(0), BlockId::from_u32(0));
        Builder { module, func, block, declared: HashMap::new(), notes: BTreeSet::new() }
    }

    /// Notes a construct that instructions alone do not tell.
    pub fn note(&mut self, construct: &str) {
        if !self.notes.contains(construct) {
            self.notes.insert(construct.to_owned());
        }
    }

    /// The constructs noted since this was last asked.
    pub fn take_notes(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.notes)
    }

    /// A new function, to be written later.
    pub fn function(&mut self, name: &str, ret: TypeId, params: &[TypeId]) -> FuncId {
        self.module.functions.push(Function::new(name, ret, params))
    }

    /// Goes to a function and gives it its first block.
    pub fn start(&mut self, func: FuncId) {
        self.func = func;
        self.block = self.new_block();
    }

    /// A declared function; the same one for the same name.
    pub fn declare(&mut self, name: &str, ret: TypeId, params: &[TypeId], vararg: bool) -> FuncId {
        if let Some(known) = self.declared.get(name) {
            return *known;
        }
        let id = self.function(name, ret, params);
        self.module.functions[id].vararg = vararg;
        self.declared.insert(name.to_owned(), id);
        id
    }

    /// A new block at the end of the function.
    pub fn new_block(&mut self) -> BlockId {
        self.module.functions[self.func].add_block("")
    }

    /// The n-th parameter.
    pub fn param(&self, index: usize) -> Operand {
        self.module.functions[self.func].param(index)
    }

    /// A global variable.
    pub fn global(&mut self, global: Global) -> GlobalId {
        self.module.globals.push(global)
    }

    /// A type of the module.
    pub fn ty(&mut self, ty: Ty) -> TypeId {
        ty.id(&mut self.module.types)
    }

    /// An instruction with a result.
    pub fn emit(&mut self, kind: InstKind, ty: TypeId) -> Operand {
        let function = &mut self.module.functions[self.func];
        let inst = function.append(self.block, Inst::new(kind, ty), true);
        // The line above has given it a result.
        Operand::Local(function.insts[inst].result.unwrap_or(ir::ValueId::from_u32(0)))
    }

    /// An instruction without a result.
    pub fn effect(&mut self, kind: InstKind) -> InstId {
        let void = self.module.types.void();
        self.module.functions[self.func].append(self.block, Inst::new(kind, void), false)
    }

    /// A scalar constant by its bits, or a vector of them.
    pub fn bits(&mut self, ty: Ty, value: u128) -> Operand {
        let bits = ty.bits();
        let value = if bits >= 128 { value } else { value & ((1 << bits) - 1) };
        let lane = self.ty(ty.lane());
        let kind = match ty.elem {
            Elem::Int(_) => ConstKind::Int(value),
            Elem::Float(_) => ConstKind::Float(value),
            Elem::Ptr => ConstKind::Null,
        };
        let one = self.module.constants.intern(lane, kind);
        match ty.lanes {
            None => Operand::Const(one),
            Some(lanes) => self.vector(ty, vec![one; lanes as usize]),
        }
    }

    /// A vector of constants.
    pub fn vector(&mut self, ty: Ty, lanes: Vec<ir::ConstId>) -> Operand {
        let id = self.ty(ty);
        let zero = |c: &ir::ConstId| {
            matches!(
                self.module.constants.get(*c).kind,
                ConstKind::Int(0) | ConstKind::Float(0) | ConstKind::Null | ConstKind::Zero
            )
        };
        let kind = if lanes.iter().all(zero) { ConstKind::Zero } else { ConstKind::Aggregate(lanes) };
        self.module.constant(id, kind)
    }

    /// A number of any format that holds it exactly, or a vector of it.
    pub fn number(&mut self, ty: Ty, value: f64) -> Operand {
        let bits = ty.kind().map_or(0, |kind| number_bits(kind, value));
        self.bits(ty, bits)
    }

    /// An `i32` constant.
    pub fn i32(&mut self, value: u32) -> Operand {
        self.bits(Ty::int(32), u128::from(value))
    }

    /// An `i64` constant.
    pub fn i64(&mut self, value: u64) -> Operand {
        self.bits(Ty::int(64), u128::from(value))
    }

    /// Poison of a type.
    pub fn poison(&mut self, ty: TypeId) -> Operand {
        self.module.constant(ty, ConstKind::Poison)
    }

    /// Arithmetic without flags.
    pub fn binary(&mut self, op: BinOp, ty: Ty, lhs: Operand, rhs: Operand) -> Operand {
        self.flagged(op, ty, IntFlags::default(), lhs, rhs)
    }

    /// Arithmetic on integers with flags.
    pub fn flagged(&mut self, op: BinOp, ty: Ty, flags: IntFlags, lhs: Operand, rhs: Operand) -> Operand {
        let id = self.ty(ty);
        self.emit(InstKind::Binary { op, flags, fast: FastMath::default(), lhs, rhs }, id)
    }

    /// A conversion without flags.
    pub fn cast(&mut self, op: CastOp, to: Ty, value: Operand) -> Operand {
        let id = self.ty(to);
        self.emit(InstKind::Cast { op, flags: IntFlags::default(), fast: FastMath::default(), value }, id)
    }

    /// A comparison of integers or pointers of type `of`.
    pub fn icmp(&mut self, pred: IntPred, of: Ty, lhs: Operand, rhs: Operand) -> Operand {
        let id = self.ty(of.of(Elem::Int(1)));
        self.emit(InstKind::ICmp { pred, lhs, rhs }, id)
    }

    /// A comparison of numbers of type `of`.
    pub fn fcmp(&mut self, pred: FloatPred, of: Ty, lhs: Operand, rhs: Operand) -> Operand {
        let id = self.ty(of.of(Elem::Int(1)));
        self.emit(InstKind::FCmp { pred, fast: FastMath::default(), lhs, rhs }, id)
    }

    /// One of two values.
    pub fn select(&mut self, ty: TypeId, cond: Operand, if_true: Operand, if_false: Operand) -> Operand {
        self.emit(InstKind::Select { fast: FastMath::default(), cond, if_true, if_false }, ty)
    }

    /// A phi at the head of the current block, which must have no other instruction yet.
    pub fn phi(&mut self, ty: TypeId, incoming: Vec<(Operand, BlockId)>) -> Operand {
        self.emit(InstKind::Phi { fast: FastMath::default(), incoming }, ty)
    }

    /// One more entry for a phi.
    pub fn add_incoming(&mut self, phi: Operand, value: Operand, from: BlockId) {
        let function = &mut self.module.functions[self.func];
        let inst = phi.local().and_then(|v| function.def_inst(v));
        if let Some(InstKind::Phi { incoming, .. }) = inst.map(|i| &mut function.insts[i].kind) {
            incoming.push((value, from));
        }
    }

    /// A jump.
    pub fn br(&mut self, to: BlockId) {
        self.effect(InstKind::Br(to));
    }

    /// A branch.
    pub fn cond_br(&mut self, cond: Operand, then_to: BlockId, else_to: BlockId) {
        self.effect(InstKind::CondBr { cond, then_to, else_to });
    }

    /// `count` cells of a type on the stack.
    pub fn alloca(&mut self, elem_ty: TypeId, align: u64) -> Operand {
        let ptr = self.module.types.ptr();
        self.emit(InstKind::Alloca { elem_ty, count: None, align, addr_space: 0, inalloca: false }, ptr)
    }

    /// The address of a cell.
    pub fn gep(&mut self, elem_ty: TypeId, base: Operand, indices: Vec<Operand>) -> Operand {
        let ptr = self.module.types.ptr();
        let flags = GepFlags { inbounds: true, ..GepFlags::default() };
        self.emit(InstKind::Gep { elem_ty, flags, base, indices }, ptr)
    }

    /// A load.
    pub fn load(&mut self, ty: TypeId, ptr: Operand, align: u64) -> Operand {
        self.emit(InstKind::Load { ptr, align, volatile: false, atomic: None }, ty)
    }

    /// A store.
    pub fn store(&mut self, value: Operand, ptr: Operand, align: u64) {
        self.effect(InstKind::Store { value, ptr, align, volatile: false, atomic: None });
    }

    /// A call of a function that may return nothing.
    pub fn call(&mut self, func: FuncId, args: Vec<Operand>) -> Option<Operand> {
        let callee = self.module.function_address(func);
        let (ret, params, vararg) = {
            let f = &self.module.functions[func];
            (f.ret, f.params.iter().map(|p| p.ty).collect(), f.vararg)
        };
        let fn_ty = self.module.types.intern(ir::Type::Func { ret, params, vararg });
        self.call_through(callee, fn_ty, ret, args)
    }

    /// A call of whatever the callee points to.
    pub fn call_through(&mut self, callee: Operand, fn_ty: TypeId, ret: TypeId, args: Vec<Operand>) -> Option<Operand> {
        let kind = InstKind::Call(Box::new(Call::plain(callee, fn_ty, args)));
        if ret == self.module.types.void() {
            self.effect(kind);
            return None;
        }
        Some(self.emit(kind, ret))
    }

    /// Gives the call that was written last in the current block an attribute.
    pub fn mark_call(&mut self, attribute: &str) {
        let function = &mut self.module.functions[self.func];
        let last = function.blocks[self.block].insts.last().copied();
        if let Some(InstKind::Call(call)) = last.map(|inst| &mut function.insts[inst].kind) {
            call.fn_attrs = std::mem::take(&mut call.fn_attrs).flag(attribute);
        }
    }

    /// A call of an intrinsic by its full name.
    pub fn intrinsic(&mut self, name: &str, ret: TypeId, params: &[TypeId], args: Vec<Operand>) -> Operand {
        let func = self.declare(name, ret, params, false);
        // Intrinsics with `void` are called by `intrinsic_effect`.
        self.call(func, args).unwrap_or(Operand::Const(ir::ConstId::from_u32(0)))
    }

    /// A call of an intrinsic without a result.
    pub fn intrinsic_effect(&mut self, name: &str, params: &[TypeId], args: Vec<Operand>) {
        let void = self.module.types.void();
        let func = self.declare(name, void, params, false);
        self.call(func, args);
    }

    /// An intrinsic whose operands and result all have one type; `name` is without that type.
    pub fn uniform(&mut self, name: &str, ty: Ty, args: Vec<Operand>) -> Operand {
        let id = self.ty(ty);
        let params = vec![id; args.len()];
        self.intrinsic(&format!("{name}.{}", ty.suffix()), id, &params, args)
    }
}

/// The bit pattern of a number in a format; the nearest one toward zero where it does not hold it.
pub fn number_bits(kind: FloatKind, value: f64) -> u128 {
    let bits = value.to_bits();
    let (sign, exponent, fraction) = (bits >> 63, (bits >> 52 & 0x7ff) as i64 - 1023, bits & ((1 << 52) - 1));
    if kind == FloatKind::Double {
        return u128::from(bits);
    }
    if kind == FloatKind::Float {
        return u128::from((value as f32).to_bits());
    }
    let (exponent_bits, fraction_bits) = match kind {
        FloatKind::Half => (5, 10),
        FloatKind::BFloat => (8, 7),
        FloatKind::X86Fp80 => (15, 63),
        FloatKind::Fp128 => (15, 112),
        FloatKind::Float | FloatKind::Double => (8, 23),
    };
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let wide = if fraction_bits >= 52 {
        u128::from(fraction) << (fraction_bits - 52)
    } else {
        u128::from(fraction >> (52 - fraction_bits))
    };
    let explicit = u32::from(kind == FloatKind::X86Fp80);
    let top = fraction_bits + explicit + exponent_bits;
    if value == 0.0 || exponent + bias <= 0 {
        return u128::from(sign) << top;
    }
    let lead = if kind == FloatKind::X86Fp80 { 1u128 << 63 } else { 0 };
    u128::from(sign) << top | ((exponent + bias) as u128) << (fraction_bits + explicit) | lead | wide
}
