//! Pointers to members of C++ that lead to no virtual function.
//!
//! Such a pointer is an integer and an offset of the object (Itanium C++ ABI, 2.3). If the integer is odd, it says
//! where the table of the object's class has the function; else it is the address of the function. Whoever calls by it
//! asks which, and would read any object as one with a table; and would find any field of an object that an unknown
//! offset moves. Where all that is ever written there are functions of the program, which stand at even addresses, and
//! zeros, the question has one answer.

use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::place::Place;
use crate::base::fold;
use crate::normalise::collect::{Sources, drop_unreachable};
use crate::program::externals::{External, classify};
use crate::program::threads::END_OF_STATE;
use ir::hash::HashMap;
use ir::{BinOp, CastOp, ConstExpr, ConstKind, FuncId, Inst, InstKind, Module, Operand, Type, TypeId, ValueId};

/// Answers the question where that is so; says whether it was anywhere.
pub fn rewrite(m: &mut Module, facts: &Facts, sources: &mut Sources) -> bool {
    let mut found: Vec<(FuncId, HashMap<ValueId, Operand>)> = Vec::new();
    for id in sources.keys() {
        let even = even(m, facts, sources, *id);
        if !even.is_empty() {
            found.push((*id, even.into_iter().map(|(v, ty)| (v, m.zero(ty))).collect()));
        }
    }
    let any = !found.is_empty();
    for (id, known) in found {
        if let Some(func) = sources.get_mut(&id) {
            fold::fold(m, func, known);
            drop_unreachable(func);
        }
    }
    any
}

/// What is asked of the last bit of an integer that is the address of a function, and offsets of the object that are
/// zero; with their types.
fn even(m: &Module, facts: &Facts, sources: &Sources, id: FuncId) -> Vec<(ValueId, TypeId)> {
    let func = &sources[&id];
    let users = |v: ValueId| {
        let uses = move |kind: &InstKind| kind.operands().contains(&Operand::Local(v));
        func.inst_order().map(|(_, inst)| &func.insts[inst]).filter(move |data| uses(&data.kind))
    };
    let asks = |data: &Inst, v: ValueId| match data.kind {
        InstKind::Binary { op: BinOp::And, lhs, rhs, .. } => lhs == Operand::Local(v) && m.as_int(rhs) == Some(1),
        _ => false,
    };
    let mut out = Vec::new();
    for (_, inst) in func.inst_order() {
        let data = &func.insts[inst];
        let InstKind::Load { ptr, volatile: false, atomic: None, .. } = data.kind else { continue };
        let Some(loaded) = data.result.filter(|_| matches!(m.types.get(data.ty), Type::Int(64))) else { continue };
        let place = (id, ptr, m.size_of(data.ty));
        let asked: Vec<_> = users(loaded).filter(|user| asks(user, loaded)).collect();
        let asked =
            asked.iter().filter_map(|user| Some((user.result?, user.ty))).filter(|(v, _)| users(*v).next().is_some());
        let asked: Vec<(ValueId, TypeId)> = asked.collect();
        if !asked.is_empty() && holds_only(m, facts, sources, place, is_even) {
            out.extend(asked);
        }
        let moves = users(loaded).any(|user| matches!(user.kind, InstKind::Gep { .. }));
        if moves && holds_only(m, facts, sources, place, |m, value| m.as_int(value) == Some(0)) {
            out.push((loaded, data.ty));
        }
    }
    out
}

/// Do the functions write nothing to some memory of their own but such constants?
fn holds_only(
    m: &Module,
    facts: &Facts,
    sources: &Sources,
    (id, ptr, size): (FuncId, Operand, u64),
    holds: impl Fn(&Module, Operand) -> bool,
) -> bool {
    let places = facts.points_to(m, id, ptr);
    let own = |o: &ObjId| matches!(facts.objects[*o].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
    if places.is_empty() || !places.keys().all(own) || facts.leads_elsewhere(m, id, ptr) {
        return false;
    }
    sources.iter().all(|(f, func)| {
        func.inst_order().all(|(_, inst)| match &func.insts[inst].kind {
            InstKind::Store { value, ptr, .. } => {
                let bytes = m.size_of(m.operand_ty(func, *value));
                let there = facts.points_to(m, *f, *ptr);
                let meets = |(o, place): (&ObjId, &Place)| {
                    places.get(o).is_some_and(|asked| asked.overlaps(size, *place, bytes))
                };
                holds(m, *value) || !there.iter().any(meets)
            }
            // What it calls has been looked at.
            _ if !facts.called(m, sources, (*f, func), inst).is_empty() => true,
            kind if is_end(m, kind) => true,
            _ => !facts.writes(*f, inst).iter().any(|o| places.contains_key(o)),
        })
    })
}

/// A call that ends the life of what lies in memory: nothing is read there afterwards.
fn is_end(m: &Module, kind: &InstKind) -> bool {
    let callee = kind.as_call().and_then(|call| m.as_function(call.callee)).map(|f| &m.functions[f]);
    callee.is_some_and(|f| f.name == END_OF_STATE || matches!(classify(m, f), External::Free { .. }))
}

/// A constant that is the address of a function, or an even number.
fn is_even(m: &Module, value: Operand) -> bool {
    if let Some(number) = m.as_int(value) {
        return number % 2 == 0;
    }
    let address = match m.as_constant(value).map(|constant| &constant.kind) {
        Some(ConstKind::Expr(ConstExpr::Cast(CastOp::PtrToInt, inner))) => Operand::Const(*inner),
        _ => value,
    };
    m.as_function(address).is_some()
}
