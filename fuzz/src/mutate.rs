//! Mutations of gradients: one instruction of what `ad` has made is changed, and everything else stays.
//!
//! The operators are those of mutation analysis (DeMillo, Lipton, Sayward, IEEE Computer 11(4), 1978), chosen for what
//! gradients are made of: a store to a shadow or a tape is dropped, a term is skipped, an operand or a cached value is
//! another one, an index is off by one, a branch or a loop goes the other way, a partial of the table has another
//! operation, function or constant in it.

use ir::{BinOp, ConstKind, FuncId, Function, Inst, InstId, InstKind, IntPred, Module, Operand, Role, TypeId, ValueId};
use std::collections::BTreeSet;

/// What is changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mutation {
    /// A store is not made.
    DropStore,
    /// What is stored has the other sign.
    NegateStored,
    /// A sum, difference or product is its first operand.
    First,
    /// It is its second operand.
    Second,
    /// A quotient or difference has its operands exchanged.
    Exchange,
    /// Another operation: sums become differences, products sums, and so on.
    Operation,
    /// A negation is not made.
    DropNegation,
    /// A number is added twice.
    Twice,
    /// A constant of a rule is another one.
    Constant,
    /// An index or count is one more.
    OffByOne,
    /// A value is loaded from where the load before loads.
    OtherLoad,
    /// A phi gets nothing along an edge.
    PhiZero,
    /// A phi has its first two values exchanged.
    PhiExchange,
    /// A choice is made the other way.
    Select,
    /// A comparison includes the bound, or no longer does.
    Bound,
    /// A branch goes the other way.
    Branch,
    /// A call without result is not made.
    DropCall,
    /// A call of a function of numbers is its argument.
    Argument,
}

/// A mutation at an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mutant {
    /// The function.
    pub func: FuncId,
    /// The instruction.
    pub inst: InstId,
    /// What is done to it.
    pub mutation: Mutation,
}

/// All mutants of what was made: functions that are not among the first `before`, and stand for something in the
/// primal.
pub fn all(m: &Module, before: usize, roots: &[FuncId]) -> Vec<Mutant> {
    let mut out = Vec::new();
    for func in reached(m, roots) {
        let f = &m.functions[func];
        let made = m.functions.keys().position(|id| id == func).is_some_and(|at| at >= before);
        if !made || !f.insts.values().any(|i| i.origin.is_some_and(|o| o.role != Role::Clone)) {
            continue;
        }
        for (_, inst) in f.inst_order() {
            out.extend(of(m, f, inst).into_iter().map(|mutation| Mutant { func, inst, mutation }));
        }
    }
    out
}

fn reached(m: &Module, roots: &[FuncId]) -> BTreeSet<FuncId> {
    let mut seen = BTreeSet::new();
    let mut work = roots.to_vec();
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let f = &m.functions[id];
        for (_, inst) in f.inst_order() {
            work.extend(f.insts[inst].kind.operands().into_iter().filter_map(|o| m.as_function(o)));
        }
    }
    seen
}

/// What can be done to an instruction.
fn of(m: &Module, f: &Function, inst: InstId) -> Vec<Mutation> {
    let it = &f.insts[inst];
    let float = |o: Operand| m.types.float_kind(m.operand_ty(f, o)).is_some();
    let integer = |o: Operand| m.types.is_int(m.operand_ty(f, o));
    match &it.kind {
        InstKind::Store { value, .. } if float(*value) => vec![Mutation::DropStore, Mutation::NegateStored],
        InstKind::Store { .. } => vec![Mutation::DropStore],
        InstKind::Load { .. } if m.types.float_kind(it.ty).is_some() && earlier(m, f, inst).is_some() => {
            vec![Mutation::OtherLoad]
        }
        InstKind::FNeg { .. } => vec![Mutation::DropNegation],
        InstKind::Binary { op, lhs, rhs, .. } => {
            let mut all = match op {
                BinOp::FAdd => vec![Mutation::First, Mutation::Second, Mutation::Operation, Mutation::Twice],
                BinOp::FSub => vec![Mutation::First, Mutation::Exchange, Mutation::Operation],
                BinOp::FMul => vec![Mutation::First, Mutation::Second, Mutation::Operation],
                BinOp::FDiv => vec![Mutation::First, Mutation::Exchange, Mutation::Operation],
                BinOp::Add | BinOp::Sub if integer(*rhs) => vec![Mutation::OffByOne],
                _ => Vec::new(),
            };
            let constant = |o: &Operand| o.constant().is_some() && float(*o);
            if constant(lhs) || constant(rhs) {
                all.push(Mutation::Constant);
            }
            all
        }
        InstKind::Gep { indices, .. } if indices.last().is_some_and(|i| integer(*i)) => vec![Mutation::OffByOne],
        InstKind::Phi { incoming, .. } if incoming.len() > 1 => {
            let zero = m.types.float_kind(it.ty).is_some().then_some(Mutation::PhiZero);
            zero.into_iter().chain((incoming[0].0 != incoming[1].0).then_some(Mutation::PhiExchange)).collect()
        }
        InstKind::Select { .. } => vec![Mutation::Select],
        InstKind::ICmp { pred, .. } if bound(*pred).is_some() => vec![Mutation::Bound],
        InstKind::CondBr { then_to, else_to, .. } if then_to != else_to => vec![Mutation::Branch],
        InstKind::Call(call) => match (it.result, call.args.first()) {
            (None, _) => vec![Mutation::DropCall],
            (Some(_), Some(arg)) if float(*arg) && m.operand_ty(f, *arg) == it.ty => vec![Mutation::Argument],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn bound(pred: IntPred) -> Option<IntPred> {
    Some(match pred {
        IntPred::Ugt => IntPred::Uge,
        IntPred::Uge => IntPred::Ugt,
        IntPred::Ult => IntPred::Ule,
        IntPred::Ule => IntPred::Ult,
        IntPred::Sgt => IntPred::Sge,
        IntPred::Sge => IntPred::Sgt,
        IntPred::Slt => IntPred::Sle,
        IntPred::Sle => IntPred::Slt,
        IntPred::Eq | IntPred::Ne => return None,
    })
}

/// The address of the load before, of the same type and in the same block, if it is another one.
fn earlier(m: &Module, f: &Function, inst: InstId) -> Option<Operand> {
    let (_, block) = f.blocks.iter().find(|(_, b)| b.insts.contains(&inst))?;
    let at = block.insts.iter().position(|i| *i == inst)?;
    let InstKind::Load { ptr: own, .. } = f.insts[inst].kind else { return None };
    let other = |id: &InstId| match f.insts[*id].kind {
        InstKind::Load { ptr, .. } if f.insts[*id].ty == f.insts[inst].ty && ptr != own => Some(ptr),
        _ => None,
    };
    let found = block.insts[..at].iter().rev().find_map(other);
    found.filter(|ptr| m.types.is_ptr(m.operand_ty(f, *ptr)))
}

/// The text of the instruction that is mutated.
pub fn text(m: &Module, mutant: &Mutant) -> String {
    ir::print::print_inst(m, &m.functions[mutant.func], mutant.inst).trim().to_owned()
}

/// The mutated module; none where nothing well formed comes of it.
pub fn apply(m: &Module, mutant: &Mutant) -> Option<Module> {
    let mut out = m.clone();
    let mut f = out.functions[mutant.func].clone();
    change(&mut out, &mut f, mutant.inst, mutant.mutation)?;
    out.functions[mutant.func] = f;
    ir::verify::verify_function(&out, &out.functions[mutant.func]).is_ok().then_some(out)
}

/// The module with undefined behaviour in place of the instruction: what a run does not notice it does not reach.
pub fn trapped(m: &Module, mutant: &Mutant) -> Module {
    let mut out = m.clone();
    let (ptr, int, void) = (out.types.ptr(), out.types.int(32), out.types.void());
    let (null, zero) = (out.constant(ptr, ConstKind::Null), out.zero(int));
    let kind = InstKind::Store { value: zero, ptr: null, align: 4, volatile: false, atomic: None };
    let mut f = out.functions[mutant.func].clone();
    let trap = f.create_inst(Inst::new(kind, void), false);
    insert(&mut f, mutant.inst, trap);
    out.functions[mutant.func] = f;
    out
}

/// Puts an instruction in front of another, behind the phis of its block.
pub(crate) fn insert(f: &mut Function, before: InstId, new: InstId) {
    let block = f.blocks.iter().find(|(_, b)| b.insts.contains(&before)).map(|(id, _)| id);
    let Some(block) = block else { return };
    let own = f.blocks[block].insts.iter().position(|i| *i == before).unwrap_or(0);
    let phis = f.blocks[block].insts.iter().take_while(|i| matches!(f.insts[**i].kind, InstKind::Phi { .. })).count();
    f.blocks[block].insts.insert(own.max(phis), new);
}

pub(crate) fn remove(f: &mut Function, inst: InstId) {
    for block in f.blocks.values_mut() {
        block.insts.retain(|i| *i != inst);
    }
}

pub(crate) fn replace(f: &mut Function, inst: InstId, by: Operand) -> Option<()> {
    let result = f.insts[inst].result?;
    for (id, other) in f.insts.iter_mut() {
        if id != inst {
            other.kind.for_each_operand_mut(|o| {
                if *o == Operand::Local(result) {
                    *o = by;
                }
            });
        }
    }
    Some(())
}

/// A new instruction in front of `inst`, and its result.
pub(crate) fn before(f: &mut Function, inst: InstId, kind: InstKind, ty: TypeId) -> Option<ValueId> {
    let new = f.create_inst(Inst::new(kind, ty), true);
    insert(f, inst, new);
    f.insts[new].result
}

fn change(m: &mut Module, f: &mut Function, inst: InstId, mutation: Mutation) -> Option<()> {
    let it = f.insts[inst].clone();
    match (mutation, it.kind) {
        (Mutation::DropStore | Mutation::DropCall, _) => remove(f, inst),
        (Mutation::NegateStored, InstKind::Store { value, .. }) => {
            let ty = m.operand_ty(f, value);
            let negative = before(f, inst, InstKind::FNeg { fast: Default::default(), value }, ty)?;
            if let InstKind::Store { value, .. } = &mut f.insts[inst].kind {
                *value = Operand::Local(negative);
            }
        }
        (Mutation::First, InstKind::Binary { lhs, .. }) => replace(f, inst, lhs)?,
        (Mutation::Second, InstKind::Binary { rhs, .. }) => replace(f, inst, rhs)?,
        (Mutation::DropNegation, InstKind::FNeg { value, .. }) => replace(f, inst, value)?,
        (Mutation::Argument, InstKind::Call(call)) => replace(f, inst, *call.args.first()?)?,
        (Mutation::Exchange, _) => {
            if let InstKind::Binary { lhs, rhs, .. } = &mut f.insts[inst].kind {
                std::mem::swap(lhs, rhs);
            }
        }
        (Mutation::Operation, _) => {
            if let InstKind::Binary { op, .. } = &mut f.insts[inst].kind {
                *op = match op {
                    BinOp::FAdd => BinOp::FSub,
                    BinOp::FDiv => BinOp::FMul,
                    _ => BinOp::FAdd,
                };
            }
        }
        (Mutation::Twice, InstKind::Binary { lhs, rhs, .. }) => {
            let fast = Default::default();
            let sum = InstKind::Binary { op: BinOp::FAdd, flags: Default::default(), fast, lhs, rhs };
            let sum = before(f, inst, sum, it.ty)?;
            if let InstKind::Binary { lhs, .. } = &mut f.insts[inst].kind {
                *lhs = Operand::Local(sum);
            }
        }
        (Mutation::Constant, InstKind::Binary { lhs, rhs, .. }) => {
            let old = if rhs.constant().is_some() { rhs } else { lhs };
            let new = doubled(m, old)?;
            if let InstKind::Binary { lhs, rhs, .. } = &mut f.insts[inst].kind {
                *(if rhs.constant().is_some() { rhs } else { lhs }) = new;
            }
        }
        (Mutation::OffByOne, InstKind::Binary { rhs, .. }) => {
            let more = one_more(m, f, inst, rhs)?;
            if let InstKind::Binary { rhs, .. } = &mut f.insts[inst].kind {
                *rhs = more;
            }
        }
        (Mutation::OffByOne, InstKind::Gep { indices, .. }) => {
            let more = one_more(m, f, inst, *indices.last()?)?;
            if let InstKind::Gep { indices, .. } = &mut f.insts[inst].kind {
                *indices.last_mut()? = more;
            }
        }
        (Mutation::OtherLoad, _) => {
            let other = earlier(m, f, inst)?;
            if let InstKind::Load { ptr, .. } = &mut f.insts[inst].kind {
                *ptr = other;
            }
        }
        (Mutation::PhiZero, _) => {
            let zero = m.zero(it.ty);
            if let InstKind::Phi { incoming, .. } = &mut f.insts[inst].kind {
                let last = incoming.iter_mut().rev().find(|(value, _)| *value != zero)?;
                last.0 = zero;
            }
        }
        (Mutation::PhiExchange, _) => {
            if let InstKind::Phi { incoming, .. } = &mut f.insts[inst].kind {
                let (a, b) = (incoming[0].0, incoming[1].0);
                (incoming[0].0, incoming[1].0) = (b, a);
            }
        }
        (Mutation::Select, _) => {
            if let InstKind::Select { if_true, if_false, .. } = &mut f.insts[inst].kind {
                std::mem::swap(if_true, if_false);
            }
        }
        (Mutation::Bound, _) => {
            if let InstKind::ICmp { pred, .. } = &mut f.insts[inst].kind {
                *pred = bound(*pred)?;
            }
        }
        (Mutation::Branch, _) => {
            if let InstKind::CondBr { then_to, else_to, .. } = &mut f.insts[inst].kind {
                std::mem::swap(then_to, else_to);
            }
        }
        _ => return None,
    }
    Some(())
}

/// Twice a constant; one for zero.
fn doubled(m: &mut Module, old: Operand) -> Option<Operand> {
    let constant = m.as_constant(old)?.clone();
    let ConstKind::Float(bits) = constant.kind else { return None };
    let bits = match m.types.float_kind(constant.ty)? {
        ir::FloatKind::Double => {
            let value = f64::from_bits(bits as u64);
            u128::from((if value == 0.0 { 1.0 } else { 2.0 * value }).to_bits())
        }
        ir::FloatKind::Float => {
            let value = f32::from_bits(bits as u32);
            u128::from((if value == 0.0 { 1.0 } else { 2.0 * value }).to_bits())
        }
        _ => return None,
    };
    Some(m.constant(constant.ty, ConstKind::Float(bits)))
}

fn one_more(m: &mut Module, f: &mut Function, inst: InstId, old: Operand) -> Option<Operand> {
    let ty = m.operand_ty(f, old);
    let ir::Type::Int(bits) = *m.types.get(ty) else { return None };
    let one = m.int(bits, 1);
    let fast = Default::default();
    let sum = InstKind::Binary { op: BinOp::Add, flags: Default::default(), fast, lhs: old, rhs: one };
    before(f, inst, sum, ty).map(Operand::Local)
}
