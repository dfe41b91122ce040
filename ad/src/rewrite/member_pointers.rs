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
use crate::base::blocks::drop_unreachable;
use crate::base::fold;
use crate::normalise::sources::Sources;
use crate::program::externals::{External, classify, orders_threads};
use crate::program::threads::END_OF_STATE;
use ir::hash::HashMap;
use ir::{
    BinOp, CastOp, ConstExpr, ConstId, ConstKind, FuncId, Function, InstId, InstKind, Module, Operand, Type, TypeId,
    ValueId,
};
use std::collections::BTreeSet;

/// What is taken for granted of memory that is loaded from: more functions may turn out to be called.
#[derive(Default)]
pub struct Assumed(Vec<(FuncId, InstId, Word, Holds)>);

/// Eight bytes of memory, so far behind where a pointer of a function leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Word {
    func: FuncId,
    ptr: Operand,
    at: u64,
}

/// Bytes of either part of such a pointer.
const WORD: u64 = 8;

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
            for (inst, word, holds, values) in (Program { m, facts, sources }).even(*id) {
                self.0.push((*id, inst, word, holds));
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
        let broken = |(id, at, word, holds): &&(FuncId, InstId, Word, Holds)| {
            let there = |func: &Function| func.inst_order().any(|(_, inst)| inst == *at);
            sources.get(id).is_some_and(there) && !Program { m, facts, sources }.holds_only(*word, *holds)
        };
        self.0.iter().find(broken).map(|(id, at, ..)| (*id, *at))
    }
}

/// A part of a pointer to a member, where it was loaded from, what alone lies there, and what is zero for that: values
/// and their types.
type Known = (InstId, Word, Holds, Vec<(ValueId, TypeId)>);

/// What is known by now.
#[derive(Clone, Copy)]
struct Program<'a> {
    m: &'a Module,
    facts: &'a Facts,
    sources: &'a Sources,
}

impl Program<'_> {
    /// Integers that are the address of a function, with what is asked of their last bits, and, beside them, offsets of
    /// the object that are zero.
    fn even(&self, id: FuncId) -> Vec<Known> {
        let Program { m, .. } = *self;
        let func = &self.sources[&id];
        let is_used = |v: ValueId| {
            let operand = Operand::Local(v);
            func.inst_order().any(|(_, inst)| func.insts[inst].kind.operands().contains(&operand))
        };
        let (mut out, mut asks) = (Vec::new(), false);
        for (_, inst) in func.inst_order() {
            let data = &func.insts[inst];
            let InstKind::Binary { op: BinOp::And, lhs, rhs, .. } = data.kind else { continue };
            let (Some((part, word)), Some(v)) =
                (self.loaded(id, lhs).filter(|_| m.as_int(rhs) == Some(1)), data.result)
            else {
                continue;
            };
            asks = true;
            if is_used(v) && self.holds_only(word, Holds::Even) {
                out.push((part, word, Holds::Even, vec![(v, data.ty)]));
            }
        }
        // The offset may be zero where a function may be virtual, too.
        if !asks {
            return out;
        }
        for (_, inst) in func.inst_order() {
            let InstKind::Gep { indices, .. } = &func.insts[inst].kind else { continue };
            for (part, word) in indices.iter().filter_map(|index| self.loaded(id, *index)) {
                if self.holds_only(word, Holds::Zero) {
                    let offset = func.insts[part].result.map(|v| (v, func.insts[part].ty));
                    out.push((part, word, Holds::Zero, offset.into_iter().collect()));
                }
            }
        }
        out
    }

    /// The instruction that gives a word that is loaded plainly, alone or as a field of something, and where from.
    fn loaded(&self, id: FuncId, value: Operand) -> Option<(InstId, Word)> {
        let (m, func) = (self.m, self.sources.get(&id)?);
        let inst = func.def_inst(value.local()?)?;
        if !matches!(m.types.get(func.insts[inst].ty), Type::Int(64)) {
            return None;
        }
        let (load, at) = match &func.insts[inst].kind {
            InstKind::ExtractValue { aggregate, indices } => {
                let [field] = indices[..] else { return None };
                let load = func.def_inst(aggregate.local()?)?;
                (load, m.layout.element_offset(&m.types, func.insts[load].ty, u64::from(field))?)
            }
            _ => (inst, 0),
        };
        Some((inst, Word { at, ..self.whole(id, load)? }))
    }

    /// Where what a plain load gives begins.
    fn whole(&self, id: FuncId, load: InstId) -> Option<Word> {
        match self.sources.get(&id)?.insts[load].kind {
            InstKind::Load { ptr, volatile: false, atomic: None, .. } => Some(Word { func: id, ptr, at: 0 }),
            _ => None,
        }
    }

    /// Do the functions write nothing to some memory of their own but such constants?
    fn holds_only(&self, word: Word, holds: Holds) -> bool {
        self.holds_only_beside(word, holds, &mut BTreeSet::new())
    }

    /// The same, if the words in `seen` do, from which others are copied.
    fn holds_only_beside(&self, word: Word, holds: Holds, seen: &mut BTreeSet<Word>) -> bool {
        let Program { m, facts, sources } = *self;
        if !seen.insert(word) {
            return true;
        }
        let places = facts.points_to(m, word.func, word.ptr);
        let own = |o: &ObjId| matches!(facts.objects[*o].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
        if places.is_empty() || !places.keys().all(own) || facts.leads_elsewhere(m, word.func, word.ptr) {
            return false;
        }
        let share = |o: &ObjId| places.keys().any(|p| p == o || facts.same_memory(*o, *p));
        let meets = |(o, place): (&ObjId, Place), bytes: u64| match places.get(o) {
            Some(asked) => asked.moved(word.at as i64, 0).overlaps(WORD, place, bytes),
            None => share(o),
        };
        sources.iter().all(|(f, func)| {
            func.inst_order().all(|(_, inst)| match &func.insts[inst].kind {
                InstKind::Store { value, ptr, .. } => {
                    let (unknown, there) = (facts.leads_elsewhere(m, *f, *ptr), facts.points_to(m, *f, *ptr));
                    self.parts((*f, func), *value).into_iter().all(|(at, bytes, part)| {
                        let meets = |(o, place): (&ObjId, &Place)| meets((o, place.moved(at as i64, 0)), bytes);
                        match part {
                            Part::Constant(value) if holds.is(m, value) => true,
                            _ if !unknown && !there.iter().any(meets) => true,
                            Part::Copied(word) => self.holds_only_beside(word, holds, seen),
                            Part::Constant(_) | Part::Computed => false,
                        }
                    })
                }
                // What it calls is looked at, too.
                _ if !facts.called(m, sources, (*f, func), inst).is_empty() => true,
                kind if is_of_life(m, kind) => true,
                // What others have written is written by their instructions.
                kind if orders_threads(m, &func.insts[inst]) => {
                    let given = kind.as_call().into_iter().flat_map(|call| &call.args);
                    !given.flat_map(|arg| facts.points_to(m, *f, *arg).into_keys()).any(|o| share(&o))
                }
                _ => !facts.writes(*f, inst).iter().any(share),
            })
        })
    }

    /// What a value is made of: offsets, sizes and parts.
    fn parts(&self, (id, func): (FuncId, &Function), value: Operand) -> Vec<(u64, u64, Part)> {
        let m = self.m;
        let ty = m.operand_ty(func, value);
        let offset = |field: usize| m.layout.element_offset(&m.types, ty, field as u64).unwrap_or(0);
        let Some(v) = value.local() else {
            return match m.as_constant(value).map(|constant| &constant.kind) {
                Some(ConstKind::Aggregate(fields)) => {
                    let part = |(n, field): (usize, &ConstId)| {
                        let field = Operand::Const(*field);
                        (offset(n), m.size_of(m.operand_ty(func, field)), Part::Constant(field))
                    };
                    fields.iter().enumerate().map(part).collect()
                }
                _ => vec![(0, m.size_of(ty), Part::Constant(value))],
            };
        };
        let load = func.def_inst(v).and_then(|inst| self.whole(id, inst));
        let words = m.types.fields(ty).is_some_and(|(fields, _)| fields.iter().all(|field| m.size_of(*field) == WORD));
        match load {
            Some(word) if m.size_of(ty) == WORD => vec![(0, WORD, Part::Copied(word))],
            Some(word) if words => {
                let fields = m.types.fields(ty).map_or(0, |(fields, _)| fields.len());
                (0..fields).map(|n| (offset(n), WORD, Part::Copied(Word { at: offset(n), ..word }))).collect()
            }
            _ => vec![(0, m.size_of(ty), Part::Computed)],
        }
    }
}

/// A part of what is stored.
enum Part {
    Constant(Operand),
    /// It was loaded from there.
    Copied(Word),
    Computed,
}

/// A call by which the life of memory begins or ends: nobody reads what lies there then.
fn is_of_life(m: &Module, kind: &InstKind) -> bool {
    let callee = kind.as_call().and_then(|call| m.as_function(call.callee)).map(|f| &m.functions[f]);
    callee.is_some_and(|f| {
        f.name == END_OF_STATE
            || f.name.starts_with("llvm.lifetime.")
            || matches!(classify(m, f), External::Free { .. })
    })
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
