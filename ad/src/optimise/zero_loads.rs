//! Shadow memory that has just been cleared is not read.
//!
//! `x[i] = f(x[i])` is reversed by taking the adjoint of the store, which clears it, and adding to that of the load: to
//! the same memory. LLVM knows the sum's first term only if nothing between may write there, and in a loop over two
//! places of an array something may. But what it writes is mostly zero as well: whatever is cleared in between, a clear
//! place stays clear. So within a block, a sum of an adjoint that was read from a place known to be clear is its other
//! term.
//!
//! Only adjoints are treated so: `0.0 + x` is `x` but for the sign of a zero, which a primal must keep.

use crate::base::affine::form::Form;
use crate::base::affine::integers::{self, Made};
use crate::emit::zero_guard;
use crate::program::externals::{External, classify};
use ir::hash::{HashMap, HashSet};
use ir::{BinOp, ConstKind, Function, Inst, InstId, InstKind, Module, Operand, Role, TypeId, ValueId};

/// Drops the sums of a gradient's function that have a clear term.
/// `apart` tells of accesses that never meet in one execution of their block.
pub(crate) fn apply(m: &Module, f: &mut Function, apart: impl Fn(InstId, InstId) -> bool) {
    let slots = slots(f);
    let mut same: HashMap<ValueId, Operand> = HashMap::default();
    for block in &f.layout {
        let mut clear: Vec<(Operand, TypeId, InstId)> = Vec::new();
        let mut zeros: HashSet<ValueId> = HashSet::default();
        for inst in &f.blocks[*block].insts {
            let data = &f.insts[*inst];
            match &data.kind {
                InstKind::Store { ptr, volatile: false, atomic: None, .. } if slots.contains(ptr) => {}
                InstKind::Store { value, ptr, volatile: false, atomic: None, .. } => {
                    let ty = m.operand_ty(f, *value);
                    match is_zero(m, *value) {
                        true if has_role(data, Role::Zero) => clear.push((*ptr, ty, *inst)),
                        true => {}
                        false => clear.retain(|(place, of, cleared)| {
                            never_meet(m, f, (*place, m.size_of(*of)), (*ptr, m.size_of(ty))) || apart(*cleared, *inst)
                        }),
                    }
                }
                InstKind::Load { ptr, volatile: false, atomic: None, .. }
                    if clear.iter().any(|(place, of, _)| place == ptr && *of == data.ty) =>
                {
                    zeros.extend(data.result);
                }
                InstKind::Load { volatile: false, atomic: None, .. } => {}
                InstKind::Binary { op: BinOp::FAdd, lhs, rhs, .. } if has_role(data, Role::Adjoint) => {
                    let is_clear = |o: &Operand| o.local().is_some_and(|v| zeros.contains(&v));
                    if let (Some(v), true) = (data.result, is_clear(lhs)) {
                        same.insert(v, *rhs);
                    }
                }
                kind if writes(m, kind) => clear.clear(),
                _ => {}
            }
        }
    }
    if same.is_empty() {
        return;
    }
    let found = |mut o: Operand| {
        while let Some(other) = o.local().and_then(|v| same.get(&v)) {
            o = *other;
        }
        o
    };
    for data in f.insts.values_mut() {
        data.kind.for_each_operand_mut(|o| *o = found(*o));
    }
    for block in f.layout.clone() {
        let insts = &f.insts;
        f.blocks[block].insts.retain(|i| insts[*i].result.is_none_or(|v| !same.contains_key(&v)));
    }
}

fn has_role(data: &Inst, role: Role) -> bool {
    data.origin.is_some_and(|origin| origin.role == role)
}

/// Stack memory of which nothing knows but the loads and stores of it.
pub(crate) fn slots(f: &Function) -> HashSet<Operand> {
    let allocas = f.inst_order().filter(|(_, i)| matches!(f.insts[*i].kind, InstKind::Alloca { .. }));
    let mut out: HashSet<Operand> = allocas.filter_map(|(_, i)| f.insts[i].result.map(Operand::Local)).collect();
    for (_, inst) in f.inst_order() {
        match &f.insts[inst].kind {
            InstKind::Load { .. } => {}
            InstKind::Store { value, .. } => {
                out.remove(value);
            }
            other => {
                for operand in other.operands() {
                    out.remove(&operand);
                }
            }
        }
    }
    out
}

/// All bits are zero.
fn is_zero(m: &Module, operand: Operand) -> bool {
    let Some(constant) = m.as_constant(operand) else { return false };
    match &constant.kind {
        ConstKind::Float(bits) | ConstKind::Int(bits) => *bits == 0,
        ConstKind::Zero => true,
        ConstKind::Aggregate(parts) => parts.iter().all(|part| is_zero(m, Operand::Const(*part))),
        _ => false,
    }
}

/// Have two accesses the same base and variable indices, and constant offsets that do not overlap?
pub(crate) fn never_meet(m: &Module, f: &Function, (a, a_size): (Operand, u64), (b, b_size): (Operand, u64)) -> bool {
    let (Some((from_a, a)), Some((from_b, b))) = (place(m, f, a), place(m, f, b)) else { return false };
    let ahead = b.plus(&a, -1).and_then(|way| way.constant());
    from_a == from_b && ahead.is_some_and(|by| by >= i128::from(a_size) || -by >= i128::from(b_size))
}

/// A pointer as a base, and bytes: a number, and indices.
fn place(m: &Module, f: &Function, ptr: Operand) -> Option<(Operand, Form<Operand, i128>)> {
    let Some((Made::Element(base, offset), _)) = integers::made(m, f, ptr) else { return Some((ptr, Form::default())) };
    // No number goes round all addresses.
    let number = |o: Operand| integers::number(m, o).map(i128::from).filter(|n| n.abs() < 1 << 32).map(Form::number);
    let mut form = Form::number(i128::from(offset.bytes));
    for (index, bytes) in offset.scaled {
        let index = match (number(index), integers::made(m, f, index)) {
            (Some(number), _) => number,
            // A sum that goes round is the same address.
            (None, Some((Made::Sum(lhs, rhs), _))) if integers::is_wide(m, f, index) => {
                number(rhs).map_or(Some(Form::of(index)), |number| Form::of(lhs).plus(&number, 1))?
            }
            _ => Form::of(index),
        };
        form = form.plus(&index, i128::from(bytes))?;
    }
    Some((base, form))
}

/// May the instruction write memory, or let others write it?
pub(crate) fn writes(m: &Module, kind: &InstKind) -> bool {
    match kind {
        InstKind::Call(call) => match m.as_function(call.callee).map(|f| &m.functions[f]) {
            Some(f) if zero_guard::is_guard(&f.name) => false,
            Some(f) => match classify(m, f) {
                External::Rule(row) => row.operands.contains(&rules::Operand::FloatOut),
                External::Held => false,
                _ => true,
            },
            None => true,
        },
        InstKind::Load { .. } | InstKind::Store { .. } => true,
        InstKind::Invoke { .. } | InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } | InstKind::Fence { .. } => {
            true
        }
        _ => false,
    }
}
