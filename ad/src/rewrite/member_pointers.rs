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
use ir::{BinOp, CastOp, ConstExpr, ConstKind, FuncId, InstId, InstKind, Module, Operand, Type, TypeId, ValueId};

/// What is taken for granted of memory that is loaded from: more functions may turn out to be called.
#[derive(Default)]
pub struct Assumed(Vec<(FuncId, InstId, Holds)>);

/// What alone is written to some memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Addresses of functions, and even numbers.
    Even,
    /// Zeros.
    Zero,
}

impl Assumed {
    /// Is there nothing of the kind?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Answers the question where that is so in what is known by now; says whether it was anywhere.
    pub fn rewrite(&mut self, m: &mut Module, facts: &Facts, sources: &mut Sources) -> bool {
        let mut found: Vec<(FuncId, HashMap<ValueId, Operand>)> = Vec::new();
        for id in sources.keys() {
            let mut known: HashMap<ValueId, Operand> = HashMap::default();
            for (load, holds, values) in even(m, facts, sources, *id) {
                self.0.push((*id, load, holds));
                known.extend(values.into_iter().map(|(v, ty)| (v, m.zero(ty))));
            }
            if !known.is_empty() {
                found.push((*id, known));
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

    /// Where that was not so, now that all functions are known that may be called.
    pub fn broken(&self, m: &Module, facts: &Facts, sources: &Sources) -> Option<(FuncId, InstId)> {
        let broken = |(id, load, holds): &&(FuncId, InstId, Holds)| {
            let Some(func) = sources.get(id) else { return false };
            let there = func.inst_order().any(|(_, inst)| inst == *load);
            match func.insts[*load].kind {
                InstKind::Load { ptr, .. } if there => {
                    !holds_only(m, facts, sources, (*id, ptr, m.size_of(func.insts[*load].ty)), *holds)
                }
                _ => false,
            }
        };
        self.0.iter().find(broken).map(|(id, load, _)| (*id, *load))
    }
}

/// A load from memory that holds such constants alone, and what is zero for that: values and their types.
type Known = (InstId, Holds, Vec<(ValueId, TypeId)>);

/// Loads of integers that are the address of a function, with what is asked of their last bits, and, beside them, of
/// offsets of the object that are zero.
fn even(m: &Module, facts: &Facts, sources: &Sources, id: FuncId) -> Vec<Known> {
    let func = &sources[&id];
    let is_used = |v: ValueId| {
        let operand = Operand::Local(v);
        func.inst_order().any(|(_, inst)| func.insts[inst].kind.operands().contains(&operand))
    };
    // A word that is loaded plainly, and where from.
    let loaded = |value: Operand| {
        let inst = func.def_inst(value.local()?)?;
        let word = matches!(m.types.get(func.insts[inst].ty), Type::Int(64));
        match func.insts[inst].kind {
            InstKind::Load { ptr, volatile: false, atomic: None, .. } if word => Some((inst, (id, ptr, WORD))),
            _ => None,
        }
    };
    let mut out = Vec::new();
    for (_, inst) in func.inst_order() {
        let data = &func.insts[inst];
        let InstKind::Binary { op: BinOp::And, lhs, rhs, .. } = data.kind else { continue };
        let (Some((load, place)), Some(v)) = (loaded(lhs).filter(|_| m.as_int(rhs) == Some(1)), data.result) else {
            continue;
        };
        if is_used(v) && holds_only(m, facts, sources, place, Holds::Even) {
            out.push((load, Holds::Even, vec![(v, data.ty)]));
        }
    }
    if out.is_empty() {
        return out;
    }
    for (_, inst) in func.inst_order() {
        let InstKind::Gep { indices, .. } = &func.insts[inst].kind else { continue };
        for (load, place) in indices.iter().filter_map(|index| loaded(*index)) {
            if holds_only(m, facts, sources, place, Holds::Zero) {
                let offset = func.insts[load].result.map(|v| (v, func.insts[load].ty));
                out.push((load, Holds::Zero, offset.into_iter().collect()));
            }
        }
    }
    out
}

/// Bytes of either part of such a pointer.
const WORD: u64 = 8;

/// Do the functions write nothing to some memory of their own but such constants?
fn holds_only(
    m: &Module,
    facts: &Facts,
    sources: &Sources,
    (id, ptr, size): (FuncId, Operand, u64),
    holds: Holds,
) -> bool {
    let places = facts.points_to(m, id, ptr);
    let own = |o: &ObjId| matches!(facts.objects[*o].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
    if places.is_empty() || !places.keys().all(own) || facts.leads_elsewhere(m, id, ptr) {
        return false;
    }
    let share = |o: &ObjId| places.keys().any(|p| p == o || facts.same_memory(*o, *p));
    let meets = |(o, place): (&ObjId, &Place), bytes: u64| match places.get(o) {
        Some(asked) => asked.overlaps(size, *place, bytes),
        None => share(o),
    };
    sources.iter().all(|(f, func)| {
        func.inst_order().all(|(_, inst)| match &func.insts[inst].kind {
            InstKind::Store { value, ptr, .. } => {
                let (bytes, there) = (m.size_of(m.operand_ty(func, *value)), facts.points_to(m, *f, *ptr));
                let apart = || !facts.leads_elsewhere(m, *f, *ptr) && !there.iter().any(|at| meets(at, bytes));
                holds.is(m, *value) || apart()
            }
            // What it calls is looked at, too.
            _ if !facts.called(m, sources, (*f, func), inst).is_empty() => true,
            kind if is_end(m, kind) => true,
            _ => !facts.writes(*f, inst).iter().any(share),
        })
    })
}

/// A call that ends the life of what lies in memory: nothing is read there afterwards.
fn is_end(m: &Module, kind: &InstKind) -> bool {
    let callee = kind.as_call().and_then(|call| m.as_function(call.callee)).map(|f| &m.functions[f]);
    callee.is_some_and(|f| f.name == END_OF_STATE || matches!(classify(m, f), External::Free { .. }))
}

impl Holds {
    /// Is it such a constant?
    fn is(self, m: &Module, value: Operand) -> bool {
        let number = m.as_int(value);
        match self {
            Holds::Zero => number == Some(0),
            Holds::Even => number.map_or_else(|| is_function(m, value), |number| number % 2 == 0),
        }
    }
}

/// The address of a function, or the number that it is.
fn is_function(m: &Module, value: Operand) -> bool {
    let address = match m.as_constant(value).map(|constant| &constant.kind) {
        Some(ConstKind::Expr(ConstExpr::Cast(CastOp::PtrToInt, inner))) => Operand::Const(*inner),
        _ => value,
    };
    m.as_function(address).is_some()
}
