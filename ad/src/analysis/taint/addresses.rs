//! Addresses outside of the pointers: as text, in a file, in the entries of a table, by decisions on their bits.
//!
//! The shadow of a pointer goes along with it while its bits are moved, masked and joined again, as bytes, halves or
//! integers ([`crate::analysis::memory`]). A word that was made of the bits in any other way is no address to that
//! analysis; but where it lies in memory that holds real addresses at other times, the shadow beside it would be taken
//! for its own, and it is not. So this is followed as [`super`] follows numbers: what was made of an address in a way
//! that no shadow follows is marked, through values, memory, calls and the library, and no memory with a shadow is
//! accessed by a pointer with a mark.
//!
//! - *Sources*: an integer that a table gives at an index made of an address; a product or a quotient of one; an
//!   integer chosen by a comparison of its bits; what a function of the library returns or writes that gets the bits,
//!   or prints the address, or takes memory that holds it as bytes.
//! - Where memory holds addresses at some times and numbers at others, or a number is put to what may be an address,
//!   only a run tells which it is: a word that was put together from numbers is its own shadow. There the gradient
//!   stops ([`crate::analysis::analyses::Analyses::may_lose`]).
//! - The *difference* of two addresses is a number of its own, and an index that was made of an address says where, not
//!   what: a table of pointers has its shadow at the same index.

use crate::analysis::analyses::Remade;
use crate::analysis::memory::Facts;
use crate::analysis::memory::marked::{Marked, Marker};
use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::memory::pieces::{is_shift, moves_bits};
use crate::analysis::memory::query::PointerKind;
use crate::analysis::taint::shapes::Shapes;
use crate::analysis::taint::{Site, library};
use crate::error::{Diagnostic, Reason};
use crate::normalise::sources::Sources;
use crate::program::externals::{External, classify};
use ir::hash::HashMap;
use ir::{BinOp, BlockId, Call, CastOp, FuncId, Function, InstId, InstKind, Module, Operand, TypeId, ValueId};
use std::collections::BTreeMap;

/// Instructions followed back to find the address that an index was cut out of.
const TRACE: u32 = 8;

/// How something depends on an address, or looks like one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum How {
    /// A pointer that was moved by it, and holds nothing of it.
    Index,
    /// An address, or a number that lies in the same memory at other times, or is the sum of numbers: a run tells,
    /// since a number is its own shadow.
    Number,
    /// The same, with bits of a number put to it.
    Joined,
    /// Made of its bits.
    Data,
}

/// What was made of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Mark {
    /// Where it ceased to be one.
    from: Site,
    how: How,
}

impl Marker for Mark {
    fn join(self, other: Mark) -> Mark {
        if other.how > self.how { other } else { self }
    }
}

/// Adds a mark; says whether that changed anything.
fn add(to: &mut Option<Mark>, mark: Mark) -> bool {
    let joined = to.map_or(mark, |known| known.join(mark));
    to.replace(joined) != Some(joined)
}

/// The mark that says most.
fn most<const N: usize>(marks: [Option<Mark>; N]) -> Option<Mark> {
    marks.into_iter().flatten().reduce(Mark::join)
}

struct Addresses<'a> {
    m: &'a Module,
    sources: &'a Sources,
    facts: &'a Facts,
    shapes: Shapes,
    values: HashMap<(FuncId, ValueId), Mark>,
    memory: Marked<Mark>,
    returned: BTreeMap<FuncId, Option<Mark>>,
    /// What the library holds.
    held: Option<Mark>,
    changed: bool,
}

/// Refuses accesses to memory with a shadow by what was made of an address in ways that no shadow follows; returns
/// those by words that may have been put together from numbers.
pub(crate) fn check(m: &Module, sources: &Sources, facts: &Facts) -> Result<Remade, Diagnostic> {
    let found = Addresses::find(m, sources, facts);
    let accesses = found.accesses();
    for (id, at, ptr, mark) in &accesses {
        let mixed = facts.pointer_kind(m, *id, *ptr) == PointerKind::Mixed;
        if mark.how == How::Data || mark.how == How::Joined && mixed {
            return Err(found.refusal(*mark, (*id, *at)));
        }
    }
    Ok(found.guarded(accesses))
}

/// The accesses to guard, of functions that have been checked and are made anew.
pub(crate) fn remade(m: &Module, sources: &Sources, facts: &Facts) -> Remade {
    let found = Addresses::find(m, sources, facts);
    found.guarded(found.accesses())
}

impl<'a> Addresses<'a> {
    fn find(m: &'a Module, sources: &'a Sources, facts: &'a Facts) -> Addresses<'a> {
        let mut found = Addresses {
            m,
            sources,
            facts,
            shapes: Shapes::new(sources),
            values: HashMap::default(),
            memory: Marked::default(),
            returned: BTreeMap::new(),
            held: None,
            changed: true,
        };
        // Each round adds a mark, or one that says more: this ends.
        while std::mem::take(&mut found.changed) {
            for (id, func) in sources {
                for (block, at) in func.inst_order() {
                    found.instruction(*id, func, (block, at));
                }
            }
        }
        found
    }

    fn mark(&self, id: FuncId, operand: Operand) -> Option<Mark> {
        self.values.get(&(id, operand.local()?)).copied()
    }

    /// The mark of a value that holds something of an address.
    fn data(&self, id: FuncId, operand: Operand) -> Option<Mark> {
        self.mark(id, operand).filter(|mark| mark.how == How::Data)
    }

    /// The mark that says most among those of some operands.
    fn joined(&self, id: FuncId, operands: impl IntoIterator<Item = Operand>) -> Option<Mark> {
        operands.into_iter().filter_map(|operand| self.mark(id, operand)).reduce(Mark::join)
    }

    fn set(&mut self, id: FuncId, value: Option<ValueId>, mark: Option<Mark>) {
        let (Some(value), Some(mark)) = (value, mark) else { return };
        let mut known = self.values.get(&(id, value)).copied();
        if add(&mut known, mark) {
            self.values.insert((id, value), mark);
            self.changed = true;
        }
    }

    fn leave(&mut self, targets: &Targets, size: Option<u64>, mark: Mark) {
        for (object, place) in targets {
            self.changed |= self.memory.leave(*object, *place, size, mark);
        }
    }

    fn is_integer(&self, ty: TypeId) -> bool {
        self.m.types.is_int(self.m.types.scalar(ty))
    }

    /// Does an integer lead where an address does, so that its shadow is known?
    fn is_carried(&self, id: FuncId, operand: Operand) -> bool {
        let known = |o: &ObjId| self.facts.objects[*o].kind != ObjKind::Lost;
        self.facts.points_to(self.m, id, operand).keys().any(known)
    }

    /// Does an integer hold bits of an address of memory with a shadow, perhaps a few that were cut out?
    fn holds_address(&self, id: FuncId, func: &Function, operand: Operand, depth: u32) -> bool {
        if !self.is_integer(self.m.operand_ty(func, operand)) {
            return false;
        }
        if self.facts.points_to(self.m, id, operand).keys().any(|o| self.facts.is_shadowed(*o)) {
            return true;
        }
        let Some(inst) = operand.local().and_then(|v| func.def_inst(v)).filter(|_| depth < TRACE) else { return false };
        let constant = |operand: &Operand| operand.local().is_none();
        match &func.insts[inst].kind {
            InstKind::Cast { op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt, value, .. } | InstKind::Freeze(value) => {
                self.holds_address(id, func, *value, depth + 1)
            }
            InstKind::Cast { op: CastOp::PtrToInt, value, .. } => {
                self.facts.points_to(self.m, id, *value).keys().any(|o| self.facts.is_shadowed(*o))
            }
            InstKind::Binary { op: BinOp::And | BinOp::Or | BinOp::Xor, lhs, rhs, .. } if constant(rhs) => {
                self.holds_address(id, func, *lhs, depth + 1)
            }
            InstKind::Binary { op: BinOp::Shl | BinOp::LShr | BinOp::AShr, lhs, .. } => {
                self.holds_address(id, func, *lhs, depth + 1)
            }
            _ => false,
        }
    }

    /// A value that holds something of an address, or bits of one.
    fn bits(&self, (id, func, at): (FuncId, &Function, InstId), operand: Operand) -> Option<Mark> {
        let new = || Mark { from: (id, at), how: How::Data };
        self.data(id, operand).or_else(|| self.holds_address(id, func, operand, 0).then(new))
    }

    fn instruction(&mut self, id: FuncId, func: &Function, (block, at): (BlockId, InstId)) {
        let inst = &func.insts[at];
        let here = (id, func, at);
        // Choosing among addresses is choosing among their shadows.
        let carried = inst.result.is_some_and(|v| self.is_carried(id, Operand::Local(v)));
        let made_here = self.is_integer(inst.ty) && !carried;
        let mark = match &inst.kind {
            InstKind::Load { ptr, .. } => self.loaded(here, *ptr, inst.ty),
            InstKind::Store { value, ptr, .. } => {
                self.store(here, block, (*value, *ptr));
                None
            }
            InstKind::AtomicRmw { value, ptr, .. } | InstKind::CmpXchg { new: value, ptr, .. } => {
                self.store(here, block, (*value, *ptr));
                self.loaded(here, *ptr, self.m.operand_ty(func, *value))
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                for callee in self.facts.callees(self.m, id, at, call) {
                    self.call(here, call, callee);
                }
                None
            }
            InstKind::Ret(Some(value)) => {
                if let Some(mark) = self.mark(id, *value) {
                    self.changed |= add(self.returned.entry(id).or_default(), mark);
                }
                None
            }
            // A comparison of pointers chooses among things of its own.
            InstKind::ICmp { lhs, rhs, .. } => self.bits(here, *lhs).or_else(|| self.bits(here, *rhs)),
            InstKind::FCmp { .. } => None,
            InstKind::Gep { base, indices, .. } => self.mark(id, *base).or_else(|| {
                let index = indices.iter().find_map(|index| self.bits(here, *index));
                index.map(|mark| Mark { how: How::Index, ..mark })
            }),
            // As a float it has no shadow, whatever it is made of.
            InstKind::Cast { op: CastOp::UIToFP | CastOp::SIToFP, value, .. } => self.bits(here, *value),
            InstKind::Binary { op, lhs, rhs, .. } => {
                let own = self.joined(id, [*lhs, *rhs]).filter(|mark| mark.how > How::Index);
                let lost = !carried && self.loses(*op, [*lhs, *rhs]);
                let made = lost.then(|| self.bits(here, *lhs).or_else(|| self.bits(here, *rhs))).flatten();
                let put = self.put(id, *op, [*lhs, *rhs]).filter(|_| carried);
                most([own, made, put.map(|how| Mark { from: (id, at), how })])
            }
            InstKind::Phi { incoming, .. } => {
                let own = self.joined(id, incoming.iter().map(|(value, _)| *value));
                let condition = || self.shapes.condition(id, func, block);
                most([own, made_here.then(condition).flatten().and_then(|c| self.bits(here, c))])
            }
            InstKind::Select { cond, if_true, if_false, .. } => {
                let own = self.joined(id, [*if_true, *if_false]);
                most([own, made_here.then(|| self.bits(here, *cond)).flatten()])
            }
            kind => self.joined(id, kind.operands()),
        };
        self.set(id, inst.result, mark);
    }

    /// How an operation puts a number to what may be an address, or no more than a number so far, if it does. A
    /// constant alone makes no address of a number.
    fn put(&self, id: FuncId, op: BinOp, operands: [Operand; 2]) -> Option<How> {
        let number = |o: &Operand| o.local().is_some() && !self.is_carried(id, *o);
        let how = match op {
            BinOp::Or | BinOp::Xor => How::Joined,
            BinOp::Add | BinOp::Sub => How::Number,
            _ => return None,
        };
        operands.iter().any(number).then_some(how)
    }

    /// Does an operation on an address make something that is none of its bits?
    fn loses(&self, op: BinOp, operands: [Operand; 2]) -> bool {
        matches!(op, BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
            && !is_shift(self.m, op, operands)
    }

    fn loaded(&self, (id, func, at): (FuncId, &Function, InstId), ptr: Operand, ty: TypeId) -> Option<Mark> {
        let size = self.m.layout.store_size(&self.m.types, ty);
        let targets = self.facts.points_to(self.m, id, ptr);
        let own = self.memory.found(&targets, Some(size));
        let carried = func.insts[at].result.is_some_and(|v| self.is_carried(id, Operand::Local(v)));
        // A table that is read where an address says tells of it; what pointers it holds have their shadows there. A
        // string is none: where a text that is put in overlaps it, the library goes by distances of addresses.
        let text = || targets.iter().any(|(object, place)| self.facts.short_text(*object, *place).is_some());
        let told = || {
            let by = self.mark(id, ptr).filter(|mark| {
                matches!(mark.how, How::Index | How::Data) && self.is_integer(ty) && !carried && !text()
            })?;
            Some(Mark { how: How::Data, ..by })
        };
        let numbers = carried && self.facts.is_made_of_numbers(&targets);
        most([own, told(), numbers.then_some(Mark { from: (id, at), how: How::Number })])
    }

    fn store(&mut self, here: (FuncId, &Function, InstId), block: BlockId, (value, ptr): (Operand, Operand)) {
        let (id, func, _) = here;
        let ty = self.m.operand_ty(func, value);
        let decided = || {
            let integer = self.is_integer(ty) && !self.is_carried(id, value);
            let condition = integer.then(|| self.shapes.condition(id, func, block))?;
            condition.and_then(|c| self.bits(here, c))
        };
        if let Some(mark) = most([self.mark(id, value), decided()]) {
            let size = self.m.layout.store_size(&self.m.types, ty);
            self.leave(&self.facts.points_to(self.m, id, ptr), Some(size), mark);
        }
    }

    fn call(&mut self, here: (FuncId, &Function, InstId), call: &Call, callee: Option<FuncId>) {
        let (id, func, at) = here;
        let result = func.insts[at].result;
        if let Some((target, body)) = callee.and_then(|f| Some((f, self.sources.get(&f)?))) {
            for (arg, param) in call.args.iter().zip(&body.params) {
                let mark = self.mark(id, *arg);
                self.set(target, Some(param.value), mark);
            }
            let mark = self.returned.get(&target).copied().flatten();
            return self.set(id, result, mark);
        }
        match callee.map_or(External::Unknown, |f| classify(self.m, &self.m.functions[f])) {
            External::Copy => {
                let [to, from] = [0, 1].map(|i| self.facts.points_to(self.m, id, call.args[i]));
                let size = self.m.as_int(call.args[2]).map(|n| n as u64);
                let text = |object, place| self.facts.short_text(object, place);
                self.changed |= self.memory.copy((&to, &from), size, text, |mark| mark);
            }
            External::Set => {
                if let Some(mark) = self.bits(here, call.args[1]) {
                    let size = self.m.as_int(call.args[2]).map(|n| n as u64);
                    self.leave(&self.facts.points_to(self.m, id, call.args[0]), size, mark);
                }
            }
            External::Message(row) if row.follows_floats(self.m, call) => {}
            External::Inactive | External::Unknown | External::Message(_) => {
                let name = callee.map(|f| self.m.functions[f].name.as_str());
                match name.filter(|name| name.starts_with("llvm.")) {
                    Some(name) => {
                        let own = self.joined(id, call.args.iter().copied());
                        let integer = self.is_integer(func.insts[at].ty);
                        let carried = result.is_some_and(|v| self.is_carried(id, Operand::Local(v)));
                        let lost = integer && !carried && !moves_bits(name);
                        let made = || call.args.iter().find_map(|arg| self.bits(here, *arg));
                        self.set(id, result, most([own, lost.then(made).flatten()]));
                    }
                    None => self.call_library(here, (call, callee), name),
                }
            }
            External::Rule(_) | External::Reduction(_) | External::Custom | External::Held => {
                let mark = self.joined(id, call.args.iter().copied());
                self.set(id, result, mark);
            }
            External::Allocate { .. } | External::Free { .. } | External::Links(_) | External::Order(_) => {}
        }
    }

    fn call_library(
        &mut self,
        here: (FuncId, &Function, InstId),
        (call, callee): (&Call, Option<FuncId>),
        name: Option<&str>,
    ) {
        let (id, func, at) = here;
        if name.is_some_and(library::is_inert) {
            return;
        }
        let effect = name.map_or_else(library::unknown, library::effect);
        let gets = (0..call.args.len()).find_map(|i| self.given(here, (call, callee), (name, i)));
        let gives = gets.or(self.held.filter(|_| effect.gives || effect.reloads));
        if let (Some(mark), true) = (gets, effect.keeps)
            && self.held.is_none()
        {
            self.held = Some(mark);
            self.changed = true;
        }
        let Some(mark) = gives else { return };
        self.set(id, func.insts[at].result, Some(mark));
        for (_, arg) in call.args.iter().enumerate().filter(|(i, _)| effect.outs.written(*i)) {
            if self.m.types.is_ptr(self.m.operand_ty(func, *arg)) {
                self.leave(&self.facts.points_to(self.m, id, *arg), None, mark);
            }
        }
    }

    /// What a function of the library gets of an address by an argument: its bits, the address to be printed, or memory
    /// that it takes as bytes and that holds one.
    fn given(
        &self,
        here: (FuncId, &Function, InstId),
        (call, callee): (&Call, Option<FuncId>),
        (name, index): (Option<&str>, usize),
    ) -> Option<Mark> {
        let (id, _, at) = here;
        let (arg, new) = (call.args[index], Mark { from: (id, at), how: How::Data });
        if let Some(mark) = self.bits(here, arg) {
            return Some(mark);
        }
        let targets = self.facts.points_to(self.m, id, arg);
        if let Some(mark) = self.memory.found(&targets, None).filter(|mark| mark.how == How::Data) {
            return Some(mark);
        }
        let fixed = callee.map_or(0, |f| self.m.functions[f].params.len());
        if name.is_some_and(library::prints_by_format) && index >= fixed {
            let format = fixed.checked_sub(1).and_then(|i| call.args.get(i));
            let text = format.and_then(|f| match f {
                Operand::Const(c) => self.m.text(*c),
                Operand::Local(_) => None,
            });
            let printed = text.is_none_or(|text| text.contains("%p"));
            return (printed && targets.keys().any(|o| self.facts.is_shadowed(*o))).then_some(new);
        }
        if name.and_then(library::takes_bytes) == Some(index) {
            let leads = |t: &Targets| t.keys().any(|o| self.facts.is_shadowed(*o));
            let holds = targets.keys().any(|o| self.facts.objects[*o].pointers.values().any(leads));
            return holds.then_some(new);
        }
        None
    }

    /// Accesses to memory with a shadow by what is marked: each with its pointer and the mark.
    fn accesses(&self) -> Vec<(FuncId, InstId, Operand, Mark)> {
        let mut out = Vec::new();
        for (id, func) in self.sources.iter().filter(|_| !self.values.is_empty()) {
            for (_, at) in func.inst_order() {
                for ptr in self.pointers(*id, func, at) {
                    let mark = self.mark(*id, ptr).filter(|mark| mark.how > How::Index);
                    if let Some(mark) = mark.filter(|mark| self.may_be_shadowed(*id, ptr, *mark)) {
                        out.push((*id, at, ptr, mark));
                    }
                }
            }
        }
        out
    }

    /// May a marked pointer lead to memory with a shadow? What was made of the bits of an address in any way may be
    /// turned back into that address: where nothing tells where it leads, it leads there.
    fn may_be_shadowed(&self, id: FuncId, ptr: Operand, mark: Mark) -> bool {
        self.facts.pointer_kind(self.m, id, ptr) != PointerKind::Constant
            || mark.how == How::Data
                && (self.facts.points_to(self.m, id, ptr).is_empty() || self.facts.leads_elsewhere(self.m, id, ptr))
    }

    /// The pointers by which an instruction accesses memory, if that counts for derivatives.
    fn pointers(&self, id: FuncId, func: &Function, at: InstId) -> Vec<Operand> {
        let counts = |v: ValueId| {
            let value = Operand::Local(v);
            self.facts.has_adjoint(self.m, id, func, value) || self.facts.has_shadow(self.m, id, func, value)
        };
        let mut pointers = match &func.insts[at].kind {
            InstKind::Load { ptr, .. } if func.insts[at].result.is_some_and(counts) => vec![*ptr],
            InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => vec![*ptr],
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                let known = |callee: &Option<FuncId>| callee.is_some_and(|f| self.sources.contains_key(&f));
                match self.facts.callees(self.m, id, at, call).iter().all(known) {
                    true => Vec::new(),
                    false => call.args.to_vec(),
                }
            }
            _ => Vec::new(),
        };
        pointers.retain(|ptr| self.m.types.is_ptr(self.m.operand_ty(func, *ptr)));
        pointers
    }

    /// The accesses that a run can tell about: a pointer that always has a shadow of its own is no number unless it is
    /// its own shadow.
    fn guarded(&self, accesses: Vec<(FuncId, InstId, Operand, Mark)>) -> Remade {
        let mut remade = Remade::new();
        for (id, at, ptr, _) in accesses {
            if self.facts.pointer_kind(self.m, id, ptr) == PointerKind::Duplicated {
                remade.entry((id, at)).or_default().push(ptr);
            }
        }
        remade
    }

    fn refusal(&self, mark: Mark, (id, at): Site) -> Diagnostic {
        let func = &self.sources[&id];
        let (from, left) = mark.from;
        let place = self.m.source_loc(&self.sources[&from], left).map_or(String::new(), |loc| format!(" ({loc})"));
        if mark.how == How::Joined {
            let message = format!(
                "memory is accessed by a pointer that may have been put together from numbers{place}, or lead to \
                 memory that the call marks constant (`enzyme_const`): either is its own shadow, so that a gradient \
                 cannot tell which it is. Pass that memory with a shadow (`enzyme_dup`), or keep addresses and numbers \
                 in variables of their own"
            );
            return Diagnostic::at(self.m, func, at, Reason::Unsupported, message);
        }
        let message = format!(
            "memory is accessed by a pointer that was put together from what an address was made into before{place}: \
             its shadow is not known. A pointer may be kept as bytes, in parts, or as an integer, as long as its bits \
             are only moved, or masked and joined again; no shadow follows it through products, text, files, tables \
             and decisions on its bits"
        );
        Diagnostic::at(self.m, func, at, Reason::Unsupported, message)
    }
}
