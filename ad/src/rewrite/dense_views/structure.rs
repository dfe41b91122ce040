//! Which entries a sparse matrix has.
//!
//! A number that is stored may be zero whatever the inputs are, or only at this point. The first is found by following
//! the number back: a sum is zero if both terms are, a product if a factor is, what is chosen if what is chosen is.
//! What the program itself computes, before any derivative, is taken not to be zero; a constant, an integer, and what
//! comes from such memory or from where shadows lie are asked when the program runs.

use super::Accessors;
use crate::base::builder::plain_call;
use crate::base::{blocks, names};
use crate::normalise::promote::promote;
use ir::attr::Attrs;
use ir::hash::HashMap;
use ir::{
    BinOp, CastOp, ConstKind, FastMath, FloatPred, FuncId, Function, InstId, InstKind, IntFlags, IntPred, Module,
    Operand, Role, TypeId, ValueId,
};
use std::collections::BTreeMap;

/// Makes the calls that store tell whether the number is zero, where the function asks.
pub(super) fn tell(
    m: &mut Module,
    known: &mut BTreeMap<FuncId, Option<FuncId>>,
    func: &mut Function,
    stores: &[(InstId, Accessors)],
) {
    let mut finder = Finder { m, func, found: HashMap::default(), behind: HashMap::default(), first: Vec::new() };
    for (inst, accessors) in stores {
        let store = accessors.store;
        let told = match known.get(&store) {
            Some(told) => *told,
            None => {
                let told = told(finder.m, store);
                known.insert(store, told);
                told
            }
        };
        let InstKind::Call(call) = finder.func.insts[*inst].kind.clone() else { continue };
        let Some(told) = told else { continue };
        let is_there = finder.is_there(call.args[0]);
        let (mut args, cc) = (call.args.clone(), call.cc.clone());
        args.push(is_there);
        let f = &finder.m.functions[told];
        let (ret, types) = (f.ret, f.params.iter().map(|p| p.ty).collect());
        let (callee, fn_ty) = (finder.m.function_address(told), finder.m.types.func(ret, types));
        finder.func.insts[*inst].kind = InstKind::Call(Box::new(plain_call(callee, fn_ty, args, cc)));
    }
    finder.place();
}

/// A copy of a function that stores, with one parameter more: whether the number is not zero. `None` if it does not
/// ask.
fn told(m: &mut Module, store: FuncId) -> Option<FuncId> {
    let name = format!("{}.told", m.functions[store].name);
    let mut func = names::copied(m, &m.functions[store], &name);
    blocks::drop_unreachable(&mut func);
    promote(m, &mut func);
    let number = func.param(0);
    let truth = m.types.int(1);
    let asked: Vec<(InstId, bool)> = func
        .inst_order()
        .filter_map(|(_, inst)| {
            let InstKind::FCmp { pred, lhs, rhs, .. } = func.insts[inst].kind else { return None };
            let (number_side, other) = if is_number(&func, lhs, number) { (lhs, rhs) } else { (rhs, lhs) };
            if !is_number(&func, number_side, number) || !is_zero(m, other) {
                return None;
            }
            match pred {
                FloatPred::Oeq | FloatPred::Ueq => Some((inst, false)),
                FloatPred::One | FloatPred::Une => Some((inst, true)),
                _ => None,
            }
        })
        .collect();
    if asked.is_empty() {
        return None;
    }
    let is_there = Operand::Local(func.add_param(truth, Attrs::default(), ""));
    let one = m.int(1, 1);
    for (inst, wanted) in asked {
        // `is_there` itself, or its opposite.
        let by = if wanted { m.int(1, 0) } else { one };
        func.insts[inst].kind = InstKind::Binary {
            op: BinOp::Xor,
            flags: IntFlags::default(),
            fast: FastMath::default(),
            lhs: is_there,
            rhs: by,
        };
    }
    Some(m.functions.push(func))
}

/// Is it the constant zero, of either sign?
fn is_zero(m: &Module, operand: Operand) -> bool {
    let Some(constant) = m.as_constant(operand) else { return false };
    match constant.kind {
        ConstKind::Float(bits) => {
            let sign = m.types.float_kind(constant.ty).map_or(0, |kind| 1 << (kind.bits() - 1));
            bits == 0 || bits == sign
        }
        ConstKind::Zero => true,
        _ => false,
    }
}

/// Is it that number, or the same in a wider type?
fn is_number(func: &Function, operand: Operand, number: Operand) -> bool {
    if operand == number {
        return true;
    }
    let def = operand.local().and_then(|value| func.def_inst(value));
    match def.map(|inst| &func.insts[inst].kind) {
        Some(InstKind::Cast { op: CastOp::FPExt | CastOp::FPTrunc, value, .. } | InstKind::Freeze(value)) => {
            is_number(func, *value, number)
        }
        _ => false,
    }
}

/// Finds whether numbers of a function are zero.
struct Finder<'a> {
    m: &'a mut Module,
    func: &'a mut Function,
    found: HashMap<ValueId, Operand>,
    /// New instructions behind others.
    behind: HashMap<InstId, Vec<InstId>>,
    /// New instructions at the beginning.
    first: Vec<InstId>,
}

impl Finder<'_> {
    /// Is a number other than zero? A truth value that is there where the number is.
    fn is_there(&mut self, number: Operand) -> Operand {
        let Some(value) = number.local() else {
            let undefined = |kind: &ConstKind| matches!(kind, ConstKind::Undef | ConstKind::Poison);
            let zero = is_zero(self.m, number) || self.m.as_constant(number).is_some_and(|c| undefined(&c.kind));
            return self.m.int(1, u128::from(!zero));
        };
        if let Some(known) = self.found.get(&value) {
            return *known;
        }
        let Some(inst) = self.func.def_inst(value) else {
            let asked = self.asked(number, None);
            self.found.insert(value, asked);
            return asked;
        };
        let (kind, ty) = (self.func.insts[inst].kind.clone(), self.func.insts[inst].ty);
        let is_primal = self.func.insts[inst].origin.is_some_and(|origin| origin.role == Role::Clone);
        if is_primal {
            let yes = self.m.int(1, 1);
            self.found.insert(value, yes);
            return yes;
        }
        if let InstKind::Phi { incoming, fast } = &kind {
            let truth = self.m.types.int(1);
            let phi = InstKind::Phi { fast: *fast, incoming: Vec::new() };
            let id = blocks::like(self.m, self.func, inst, phi, truth);
            self.behind.entry(inst).or_default().push(id);
            let own = self.func.insts[id].result.map_or(number, Operand::Local);
            self.found.insert(value, own);
            let incoming: Vec<_> = incoming.iter().map(|(value, from)| (self.is_there(*value), *from)).collect();
            if let InstKind::Phi { incoming: own, .. } = &mut self.func.insts[id].kind {
                *own = incoming;
            }
            return own;
        }
        let result = self.of_instruction(inst, (kind, ty), number);
        self.found.insert(value, result);
        result
    }

    fn of_instruction(&mut self, inst: InstId, (kind, ty): (InstKind, TypeId), number: Operand) -> Operand {
        match kind {
            InstKind::Binary { op: BinOp::FAdd | BinOp::FSub, lhs, rhs, .. } => self.both(inst, BinOp::Or, lhs, rhs),
            InstKind::Binary { op: BinOp::FMul, lhs, rhs, .. } => self.both(inst, BinOp::And, lhs, rhs),
            InstKind::Binary { op: BinOp::FDiv, lhs: value, .. }
            | InstKind::FNeg { value, .. }
            | InstKind::Freeze(value)
            | InstKind::Cast { op: CastOp::FPExt | CastOp::FPTrunc, value, .. } => self.is_there(value),
            InstKind::Select { cond, if_true, if_false, .. } if self.m.operand_ty(self.func, cond) != ty => {
                let (if_true, if_false) = (self.is_there(if_true), self.is_there(if_false));
                let truth = self.m.types.int(1);
                self.push(inst, InstKind::Select { fast: FastMath::default(), cond, if_true, if_false }, truth)
            }
            InstKind::Cast { op: CastOp::UIToFP | CastOp::SIToFP, value, .. } => {
                let zero = self.m.zero(self.m.operand_ty(self.func, value));
                let truth = self.m.types.int(1);
                self.push(inst, InstKind::ICmp { pred: IntPred::Ne, lhs: value, rhs: zero }, truth)
            }
            InstKind::Call(call) if self.multiplies_and_adds(&call) => {
                let product = self.both(inst, BinOp::And, call.args[0], call.args[1]);
                let sum = self.is_there(call.args[2]);
                self.combined(inst, BinOp::Or, product, sum)
            }
            _ => self.asked(number, Some(inst)),
        }
    }

    fn multiplies_and_adds(&self, call: &ir::Call) -> bool {
        let name = self.m.as_function(call.callee).map_or("", |f| self.m.functions[f].name.as_str());
        ["llvm.fma.", "llvm.fmuladd."].iter().any(|start| name.starts_with(start))
    }

    fn both(&mut self, near: InstId, op: BinOp, lhs: Operand, rhs: Operand) -> Operand {
        let (lhs, rhs) = (self.is_there(lhs), self.is_there(rhs));
        self.combined(near, op, lhs, rhs)
    }

    fn combined(&mut self, near: InstId, op: BinOp, lhs: Operand, rhs: Operand) -> Operand {
        let truth = self.m.types.int(1);
        let kind = InstKind::Binary { op, flags: IntFlags::default(), fast: FastMath::default(), lhs, rhs };
        self.push(near, kind, truth)
    }

    /// The question, asked of the number itself.
    fn asked(&mut self, number: Operand, near: Option<InstId>) -> Operand {
        let (ty, truth) = (self.m.operand_ty(self.func, number), self.m.types.int(1));
        if self.m.types.float_kind(ty).is_none() {
            return self.m.int(1, 1);
        }
        let zero = self.m.zero(ty);
        let kind = InstKind::FCmp { pred: FloatPred::Une, fast: FastMath::default(), lhs: number, rhs: zero };
        match near {
            Some(near) => self.push(near, kind, truth),
            None => {
                let id = self.func.create_inst(ir::Inst::new(kind, truth), true);
                self.first.push(id);
                self.func.insts[id].result.map_or(number, Operand::Local)
            }
        }
    }

    /// A new instruction behind `near`.
    fn push(&mut self, near: InstId, kind: InstKind, ty: TypeId) -> Operand {
        let id = blocks::like(self.m, self.func, near, kind, ty);
        self.behind.entry(near).or_default().push(id);
        // What is pushed is a truth value.
        Operand::Local(self.func.insts[id].result.unwrap_or_else(|| unreachable!("an instruction without a result")))
    }

    /// Puts the new instructions where they belong.
    fn place(mut self) {
        let entry = self.func.entry();
        for block in self.func.layout.clone() {
            let mut out = if block == entry { std::mem::take(&mut self.first) } else { Vec::new() };
            for inst in std::mem::take(&mut self.func.blocks[block].insts) {
                out.push(inst);
                out.extend(self.behind.remove(&inst).unwrap_or_default());
            }
            self.func.blocks[block].insts = out;
        }
    }
}
