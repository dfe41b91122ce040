//! Copies of functions whose operations are carried out in another format.

use super::format::{self, Format};
use super::{Change, Copies};
use crate::base::builder::{Builder, plain_call};
use crate::base::{blocks, names};
use crate::error::{Diagnostic, Reason};
use crate::program::externals::{External, classify, width};
use ir::{BinOp, Call, CastOp, FuncId, Function, InstId, InstKind, Module, Operand, RmwOp, Type, TypeId};
use rules::{lookup, lookup_reduction};

/// The copy of a function, and of what it calls.
pub(super) fn copy(m: &mut Module, copies: &mut Copies, id: FuncId, change: Change) -> Result<FuncId, Diagnostic> {
    if change.to == Format::of(change.from) {
        return Ok(id);
    }
    if let Some(known) = copies.get(&(id, change)) {
        return Ok(*known);
    }
    let (e, s) = (change.to.exponent, change.to.significand);
    let name = format!("{}.in_{e}_{s}", m.functions[id].name);
    let mut func = names::copied(m, &m.functions[id], &name);
    let new = m.functions.push(func.clone());
    copies.insert((id, change), new);
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in std::mem::take(&mut func.blocks[block].insts) {
            let callees: Vec<FuncId> =
                func.insts[inst].kind.operands().into_iter().filter_map(|operand| m.as_function(operand)).collect();
            for callee in callees.into_iter().filter(|f| !m.functions[*f].is_declaration()).collect::<Vec<_>>() {
                let own = copy(m, copies, callee, change)?;
                let (old, own) = (m.function_address(callee), m.function_address(own));
                func.insts[inst].kind.for_each_operand_mut(|operand| {
                    if *operand == old {
                        *operand = own;
                    }
                });
            }
            let mut rewrite = Rewrite { m: &mut *m, func: &mut func, out: &mut out, inst, change };
            rewrite
                .instruction()
                .map_err(|message| Diagnostic::at(m, &m.functions[id], inst, Reason::Unsupported, message))?;
            out.push(inst);
        }
        func.blocks[block].insts = out;
    }
    m.functions[new] = func;
    Ok(new)
}

/// A number, rounded.
pub(super) fn rounded(b: &mut Builder<'_>, value: Operand, change: Change) -> Operand {
    let float = b.ty(value);
    match change.to.kind() {
        Some(kind) => {
            let narrow = b.m.types.float(kind);
            let value = b.cast(CastOp::FPTrunc, value, narrow);
            b.cast(CastOp::FPExt, value, float)
        }
        None => {
            let rounding = format::rounding(b.m, change.from, change.to);
            b.call(rounding, vec![value]).unwrap_or(value)
        }
    }
}

/// One instruction of a copy, before it is put behind `out`.
struct Rewrite<'a> {
    m: &'a mut Module,
    func: &'a mut Function,
    out: &'a mut Vec<InstId>,
    inst: InstId,
    change: Change,
}

impl Rewrite<'_> {
    /// Instructions that compute; all others move numbers as they are.
    fn instruction(&mut self) -> Result<(), String> {
        let inst = &self.func.insts[self.inst];
        let (kind, ty) = (inst.kind.clone(), inst.ty);
        match kind {
            InstKind::Binary { op: BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem, .. }
            | InstKind::FNeg { .. }
                if self.is_from(ty) =>
            {
                self.computed(kind, ty);
            }
            InstKind::FCmp { lhs, .. } if self.is_from(self.m.operand_ty(self.func, lhs)) => self.with_rounded(),
            InstKind::Cast { op: CastOp::FPToUI | CastOp::FPToSI, value, .. }
                if self.is_from(self.m.operand_ty(self.func, value)) =>
            {
                self.with_rounded();
            }
            InstKind::Cast { op: CastOp::UIToFP | CastOp::SIToFP, .. } if self.is_from(ty) => self.computed(kind, ty),
            InstKind::AtomicRmw { op: RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin, .. }
                if self.is_from(ty) =>
            {
                return Err("an atomic operation is not carried out in another precision".to_owned());
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => self.call(&call)?,
            _ => {}
        }
        Ok(())
    }

    /// Numbers of the type whose operations change, or vectors of them?
    fn is_from(&self, ty: TypeId) -> bool {
        self.m.types.float_kind(self.m.types.scalar(ty)) == Some(self.change.from)
    }

    /// The same shape with numbers of the narrower type, if there is one.
    fn narrow(&mut self, ty: TypeId) -> Option<TypeId> {
        let kind = self.change.to.kind()?;
        let narrow = self.m.types.float(kind);
        Some(match *self.m.types.get(ty) {
            Type::Vector { len, .. } => self.m.types.vector(len, narrow),
            _ => narrow,
        })
    }

    /// An operation in the narrower type, whose result becomes that of the instruction.
    fn computed(&mut self, mut kind: InstKind, ty: TypeId) {
        match self.narrow(ty) {
            Some(narrow) => {
                for operand in floats(&mut kind) {
                    let of = self.m.operand_ty(self.func, *operand);
                    if self.is_from(of) {
                        *operand = self.push(blocks::cast(CastOp::FPTrunc, *operand), narrow);
                    }
                }
                let value = self.push(kind, narrow);
                self.func.insts[self.inst].kind = blocks::cast(CastOp::FPExt, value);
            }
            None => {
                for operand in floats(&mut kind) {
                    let of = self.m.operand_ty(self.func, *operand);
                    if self.is_from(of) {
                        *operand = self.rounded(*operand, of);
                    }
                }
                let value = self.push(kind, ty);
                self.becomes_rounded(value, ty);
            }
        }
    }

    /// The instruction takes rounded numbers.
    fn with_rounded(&mut self) {
        let mut kind = self.func.insts[self.inst].kind.clone();
        for operand in floats(&mut kind) {
            let of = self.m.operand_ty(self.func, *operand);
            if self.is_from(of) {
                *operand = self.rounded(*operand, of);
            }
        }
        self.func.insts[self.inst].kind = kind;
    }

    fn call(&mut self, call: &Call) -> Result<(), String> {
        let Some(callee) = self.m.as_function(call.callee) else {
            let message = "what a pointer leads to is not carried out in another precision: call it by its name";
            return Err(message.to_owned());
        };
        let f = &self.m.functions[callee];
        if lookup_reduction(&f.name).is_some_and(|found| found.width == width(self.change.from)) {
            return Err(format!("`{}` is not carried out in another precision", f.name));
        }
        let ty = self.func.insts[self.inst].ty;
        let Some(symbol) = lookup(&f.name).filter(|_| f.is_declaration()) else {
            let unknown = f.is_declaration() && matches!(classify(self.m, f), External::Unknown);
            let takes = |arg: &Operand| self.is_from(self.m.operand_ty(self.func, *arg));
            return match unknown && (self.is_from(ty) || call.args.iter().any(takes)) {
                true => Err(format!("`{}` has no body here, and is not known in another precision", f.name)),
                false => Ok(()),
            };
        };
        let in_memory = |output: &rules::Output| matches!(output.place, rules::Place::Pointer(_));
        if width(self.change.from) == symbol.width && symbol.row.outputs.iter().any(in_memory) {
            return Err(format!("`{}` stores a result, which is not carried out in another precision", f.name));
        }
        if !self.is_from(ty) {
            self.with_rounded();
            return Ok(());
        }
        let name = self.change.to.kind().and_then(|kind| {
            let (name, width) = (symbol.row.callee(width(kind))?, width(kind).mangled());
            Some(match symbol.lanes {
                Some(lanes) => name.replacen(&format!(".{width}"), &format!(".v{lanes}{width}"), 1),
                None => name,
            })
        });
        if let (Some(name), Some(narrow)) = (name, self.narrow(ty))
            && let Some(value) = self.narrow_call(call, &name, narrow)
        {
            self.becomes(blocks::cast(CastOp::FPExt, value));
            return Ok(());
        }
        self.with_rounded();
        let InstKind::Call(_) = self.func.insts[self.inst].kind else { return Ok(()) };
        let kind = self.func.insts[self.inst].kind.clone();
        let value = self.push(kind, ty);
        self.becomes_rounded(value, ty);
        Ok(())
    }

    /// The same function of the narrower type, where the module has none of that name with another signature.
    fn narrow_call(&mut self, call: &Call, name: &str, narrow: TypeId) -> Option<Operand> {
        if !matches!(self.func.insts[self.inst].kind, InstKind::Call(_)) {
            return None;
        }
        let types: Vec<TypeId> = call.args.iter().map(|arg| self.m.operand_ty(self.func, *arg)).collect();
        if types.iter().any(|ty| self.m.types.is_ptr(*ty)) {
            return None;
        }
        let params: Vec<TypeId> = types.iter().map(|ty| if self.is_from(*ty) { narrow } else { *ty }).collect();
        let callee = names::declare(self.m, name, narrow, &params);
        let f = &self.m.functions[callee];
        if f.ret != narrow || !f.params.iter().map(|p| p.ty).eq(params.iter().copied()) {
            return None;
        }
        let mut args = call.args.clone();
        for (arg, ty) in args.iter_mut().zip(&types) {
            if self.is_from(*ty) {
                *arg = self.push(blocks::cast(CastOp::FPTrunc, *arg), narrow);
            }
        }
        let (callee, fn_ty) = (self.m.function_address(callee), self.m.types.func(narrow, params));
        let mut made = plain_call(callee, fn_ty, args, String::new());
        made.fast = call.fast;
        Some(self.push(InstKind::Call(Box::new(made)), narrow))
    }

    /// A number, or each lane of a vector, rounded.
    fn rounded(&mut self, value: Operand, ty: TypeId) -> Operand {
        match self.narrow(ty) {
            Some(narrow) => {
                let value = self.push(blocks::cast(CastOp::FPTrunc, value), narrow);
                self.push(blocks::cast(CastOp::FPExt, value), ty)
            }
            None => {
                let kind = self.rounding_of(value, ty);
                self.push(kind, ty)
            }
        }
    }

    /// The instruction becomes what rounds a value.
    fn becomes_rounded(&mut self, value: Operand, ty: TypeId) {
        let kind = match self.narrow(ty) {
            Some(narrow) => blocks::cast(CastOp::FPExt, self.push(blocks::cast(CastOp::FPTrunc, value), narrow)),
            None => self.rounding_of(value, ty),
        };
        self.becomes(kind);
    }

    fn becomes(&mut self, kind: InstKind) {
        self.func.insts[self.inst].kind = kind;
    }

    /// A call that rounds; of a vector, the last step of putting it together again.
    fn rounding_of(&mut self, value: Operand, ty: TypeId) -> InstKind {
        let float = self.m.types.float(self.change.from);
        let rounding = format::rounding(self.m, self.change.from, self.change.to);
        let (callee, fn_ty) = (self.m.function_address(rounding), self.m.types.func(float, vec![float]));
        let of = |value| InstKind::Call(Box::new(plain_call(callee, fn_ty, vec![value], String::new())));
        let Type::Vector { len, .. } = *self.m.types.get(ty) else { return of(value) };
        let mut kind = blocks::bitcast(value);
        for lane in 0..len {
            let index = self.m.int(32, u128::from(lane));
            let whole = if lane == 0 { value } else { self.push(kind, ty) };
            let element = self.push(InstKind::ExtractElement { vector: value, index }, float);
            let element = self.push(of(element), float);
            kind = InstKind::InsertElement { vector: whole, value: element, index };
        }
        kind
    }

    fn push(&mut self, kind: InstKind, ty: TypeId) -> Operand {
        let id = blocks::like(self.m, self.func, self.inst, kind, ty);
        self.out.push(id);
        // What is pushed computes a number.
        Operand::Local(self.func.insts[id].result.unwrap_or_else(|| unreachable!("a number without a result")))
    }
}

/// The operands of an operation that may be numbers.
fn floats(kind: &mut InstKind) -> Vec<&mut Operand> {
    match kind {
        InstKind::Binary { lhs, rhs, .. } | InstKind::FCmp { lhs, rhs, .. } => vec![lhs, rhs],
        InstKind::FNeg { value, .. } | InstKind::Cast { value, .. } => vec![value],
        InstKind::Call(call) | InstKind::Invoke { call, .. } => call.args.iter_mut().collect(),
        _ => Vec::new(),
    }
}
