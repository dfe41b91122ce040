//! Floats, and integers that hold the bits of one, or an address.

use ir::{CastOp, Function, InstId, InstKind, Module, Operand, RmwOp, Type, TypeId, ValueId};

pub(super) fn is_float(m: &Module, ty: TypeId) -> bool {
    matches!(m.types.get(ty), Type::Float(_))
}

/// Does an atomic load or store access a float, or the bits of one?
pub(super) fn accesses_float(m: &Module, func: &Function, inst: InstId) -> bool {
    match func.insts[inst].kind {
        InstKind::Store { value, .. } => is_float(m, m.operand_ty(func, value)) || float_of(m, func, value).is_some(),
        InstKind::Load { .. } => {
            is_float(m, func.insts[inst].ty) || func.insts[inst].result.is_some_and(|v| becomes_float(m, func, v))
        }
        _ => false,
    }
}

/// The type of the float that lies in the variable that an address is.
fn slot_of_float(m: &Module, func: &Function, ptr: Operand) -> Option<TypeId> {
    slot_of(m, func, ptr, |ty| is_float(m, ty))
}

/// The type of what lies in the variable that an address is: as it is declared, or accessed.
fn slot_of(m: &Module, func: &Function, ptr: Operand, is_wanted: impl Fn(TypeId) -> bool) -> Option<TypeId> {
    let slot = variable_at(m, func, ptr)?;
    if let InstKind::Alloca { elem_ty, .. } = func.insts[slot].kind
        && is_wanted(elem_ty)
    {
        return Some(elem_ty);
    }
    func.inst_order().find_map(|(_, inst)| {
        let (ty, ptr) = match func.insts[inst].kind {
            InstKind::Load { ptr, .. } => (func.insts[inst].ty, ptr),
            InstKind::Store { value, ptr, .. } => (m.operand_ty(func, value), ptr),
            _ => return None,
        };
        (is_wanted(ty) && variable_at(m, func, ptr) == Some(slot)).then_some(ty)
    })
}

/// The variable of a function that an address is; without optimisation, through pointers that are set once.
fn variable_at(m: &Module, func: &Function, ptr: Operand) -> Option<InstId> {
    const DEEPEST: usize = 8;
    let mut at = ptr.local()?;
    for _ in 0..DEEPEST {
        let inst = func.def_inst(at)?;
        at = match &func.insts[inst].kind {
            InstKind::Alloca { .. } => return Some(inst),
            InstKind::Gep { elem_ty, base, indices, .. }
                if ir::gep::constant_offset(m, *elem_ty, indices) == Some(0) =>
            {
                base.local()?
            }
            InstKind::Load { ptr: from, .. } => {
                let mut stored = func.inst_order().filter_map(|(_, inst)| match func.insts[inst].kind {
                    InstKind::Store { value, ptr, .. } if ptr == *from => Some(value),
                    _ => None,
                });
                let (Some(value), None) = (stored.next(), stored.next()) else { return None };
                value.local()?
            }
            _ => return None,
        };
    }
    None
}

/// The type of the float whose bits an integer is.
pub(super) fn float_of(m: &Module, func: &Function, bits: Operand) -> Option<TypeId> {
    match func.insts[func.def_inst(bits.local()?)?].kind {
        InstKind::Cast { op: CastOp::BitCast, value, .. } => {
            Some(m.operand_ty(func, value)).filter(|ty| is_float(m, *ty))
        }
        InstKind::Load { ptr, .. } => slot_of_float(m, func, ptr),
        _ => None,
    }
}

/// Is it an address, or an integer that one was made into?
pub(super) fn is_address(m: &Module, func: &Function, value: Operand) -> bool {
    let (mut seen, mut work) = (Vec::new(), vec![value]);
    while let Some(value) = work.pop() {
        if m.types.is_ptr(m.operand_ty(func, value)) {
            return true;
        }
        let Some(v) = value.local().filter(|v| !seen.contains(v)) else { continue };
        seen.push(v);
        match func.def_inst(v).map(|inst| &func.insts[inst].kind) {
            Some(InstKind::Cast { op: CastOp::PtrToInt, .. }) => return true,
            // Elsewhere than in a variable nobody says what a word is.
            Some(InstKind::Load { ptr, .. }) => {
                let unknown = variable_at(m, func, *ptr).is_none() && m.size_of(m.operand_ty(func, value)) == 8;
                if unknown || slot_of(m, func, *ptr, |ty| m.types.is_ptr(ty)).is_some() {
                    return true;
                }
            }
            Some(InstKind::Phi { incoming, .. }) => work.extend(incoming.iter().map(|(value, _)| *value)),
            Some(InstKind::Select { if_true, if_false, .. }) => work.extend([*if_true, *if_false]),
            Some(InstKind::Freeze(value)) => work.push(*value),
            _ => {}
        }
    }
    false
}

/// The type as which what a comparison exchanges is accessed, if that is a float or an address.
pub(super) fn exchanged(m: &Module, func: &Function, inst: InstId) -> Option<TypeId> {
    let InstKind::CmpXchg { expected, new, .. } = func.insts[inst].kind else { return None };
    let address = || [new, expected].iter().any(|value| is_address(m, func, *value));
    float_of(m, func, new).or_else(|| address().then(|| m.operand_ty(func, new)))
}

/// Does an update exchange one address for another one?
pub(super) fn exchanges_address(m: &Module, func: &Function, inst: InstId) -> bool {
    let InstKind::AtomicRmw { op: RmwOp::Xchg, value, .. } = func.insts[inst].kind else { return false };
    let becomes_address = |v: ValueId| {
        let made = |user: InstId| match func.insts[user].kind {
            InstKind::Cast { op: CastOp::IntToPtr, value, .. } => value == Operand::Local(v),
            _ => false,
        };
        func.inst_order().any(|(_, user)| made(user))
    };
    is_address(m, func, value) || func.insts[inst].result.is_some_and(becomes_address)
}

/// Does an integer become a float of the same bits, or is it compared with what lies where such a one does?
fn becomes_float(m: &Module, func: &Function, v: ValueId) -> bool {
    let (mut seen, mut work) = (vec![v], vec![v]);
    while let Some(v) = work.pop() {
        let is = |operand: Operand| operand == Operand::Local(v);
        for (_, user) in func.inst_order() {
            let data = &func.insts[user];
            match &data.kind {
                InstKind::Cast { op: CastOp::BitCast, value, .. } if is(*value) && is_float(m, data.ty) => return true,
                InstKind::Store { value, ptr, .. } if is(*value) && slot_of_float(m, func, *ptr).is_some() => {
                    return true;
                }
                InstKind::CmpXchg { expected, new, .. } if is(*expected) && float_of(m, func, *new).is_some() => {
                    return true;
                }
                InstKind::Phi { incoming, .. } if incoming.iter().any(|(value, _)| is(*value)) => {
                    work.extend(data.result.filter(|v| !seen.contains(v)));
                    seen.extend(data.result);
                }
                _ => {}
            }
        }
    }
    false
}
