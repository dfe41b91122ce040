//! Active data that may go to constant memory and be read from there again: where it does, its derivative is lost.
//!
//! Memory that a call marks constant (`enzyme_const`), or a variable that the program declares inactive, has no shadow.
//! A number that depends on active inputs may be left there as long as the differentiated functions do not read it
//! again: a result that the caller declares constant is ignored. Read again, it would be taken for a constant; so would
//! a pointer to memory with a shadow. Where a pointer leads to constant memory only, such a store is refused
//! ([`crate::analysis::memory::validate`]). Where it may lead elsewhere, only a run can tell, by comparing it with its
//! shadow: constant memory is its own ([`PointerKind::Mixed`]). The instructions in question are found here, and the
//! synthesis guards them: a gradient that comes to store there stops with the place.
//!
//! What is read only to be compared, or to be stored again where it was (a statistic, a sum), is not read in that
//! sense. Which reads are meant is decided without regard to order: any read, in any of the differentiated functions,
//! that may reach the same bytes. Two pointers of the caller to constant memory may be the same, as everywhere
//! ([`Facts::same_memory`]).
//!
//! With activity told at run time a value that looks active here need not be, and what the caller gave as its own
//! shadow is constant by the caller's word: only memory that the call marks constant is looked at.

use crate::analysis::memory::Facts;
use crate::analysis::memory::blind::Blind;
use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::memory::place::Place;
use crate::analysis::memory::query::PointerKind;
use crate::error::{Diagnostic, Reason};
use crate::normalise::sources::Sources;
use crate::program::attributes::{INACTIVE, ROUTINE};
use crate::program::externals::{External, classify};
use crate::program::mpi::Datatype;
use ir::{Call, FuncId, Function, InstId, InstKind, Module, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// What is said of a variable that holds an address without a shadow.
const FROM_BEFORE: &str = "a variable holds the address of memory that was there before the differentiated call and \
    has no shadow: pass that memory as an argument, with its shadow";

/// What may be lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// A number that depends on active inputs.
    Number,
    /// A pointer to memory with a shadow.
    Address,
    /// What is accessed by a word that was put together from numbers, as if it were an address.
    Remade,
}

/// Where data goes that an instruction writes: through a pointer, as many bytes.
struct Write {
    to: Operand,
    size: u64,
    what: Lost,
}

/// A place that is read.
struct Read {
    reader: FuncId,
    object: ObjId,
    place: Place,
    size: u64,
    what: Lost,
}

/// Bytes of an access of unknown length.
pub(super) const ANY_SIZE: u64 = 1 << 40;

/// A line for the one who runs the gradient, with the place of an instruction.
fn located(m: &Module, func: &Function, inst: InstId, message: &str) -> String {
    let place = m.source_loc(func, inst).or_else(|| m.function_loc(func));
    let place = place.map_or_else(|| format!("in `{}`", func.name), |loc| loc.to_string());
    format!("{place}: {message}\n")
}

impl Facts {
    /// Finds the instructions by which active data may be lost.
    pub(super) fn find_lost(&mut self, m: &Module, sources: &Sources) {
        let mut reads: Option<Vec<Read>> = None;
        let mut found = BTreeMap::new();
        for (id, func) in sources {
            for (_, inst) in func.inst_order() {
                for write in self.active_writes(m, *id, func, inst) {
                    let mut targets = self.points_to(m, *id, write.to);
                    targets.retain(|o, _| self.is_told_constant(*o));
                    if targets.is_empty() || self.may_be_constant_at_run_time(m, *id, write.to) {
                        continue;
                    }
                    let reads = reads.get_or_insert_with(|| self.constant_reads(m, sources));
                    // What a routine of BLAS makes of its operands, from what they were, is their new value, and no
                    // more.
                    let within = |read: &Read| read.reader == *id && func.attrs.has(ROUTINE);
                    let mut meant = reads.iter().filter(|read| read.what == write.what && !within(read));
                    if meant.any(|read| self.reads_again(read, &targets, write.size)) {
                        found.insert((*id, inst), write.what);
                    }
                }
            }
        }
        if !self.overlooks(Blind::ReadAgain) {
            self.lost = found;
        }
    }

    /// May what the instruction stores be read from constant memory?
    pub(crate) fn may_lose_to_constant(&self, func: FuncId, inst: InstId) -> bool {
        self.lost.contains_key(&(func, inst))
    }

    /// Has a function an instruction of that kind?
    pub(crate) fn loses_to_constant_in(&self, func: FuncId) -> bool {
        self.lost.keys().any(|(id, _)| *id == func)
    }

    /// The pointers through which the instruction stores, each with a copy's source, which may be their own shadows.
    pub(crate) fn mixed_writes(
        &self,
        m: &Module,
        (id, func): (FuncId, &Function),
        inst: InstId,
    ) -> Vec<(Operand, Option<Operand>)> {
        let from = func.insts[inst].kind.as_call().filter(|call| is_copy(m, call)).map(|call| call.args[1]);
        let writes = self.active_writes(m, id, func, inst).into_iter();
        let mixed = writes.filter(|write| self.pointer_kind(m, id, write.to) == PointerKind::Mixed);
        mixed.map(|write| (write.to, from)).collect()
    }

    /// Refuses what would have to be told at run time, where calls kept apart may tell more.
    pub(super) fn refuse_lost(&self, m: &Module, sources: &Sources) -> Result<(), Diagnostic> {
        match self.lost.iter().next() {
            None => Ok(()),
            Some(((id, inst), what)) => {
                Err(Diagnostic::at(m, &sources[id], *inst, Reason::Unsupported, message(*what)))
            }
        }
    }

    /// The refusal of what goes nowhere but to constant memory, and is read there.
    pub(super) fn constant_objection(
        &self,
        m: &Module,
        (id, func): (FuncId, &Function),
        inst: InstId,
    ) -> Option<&'static str> {
        let what = *self.lost.get(&(id, inst))?;
        let constant = |write: &Write| self.pointer_kind(m, id, write.to) == PointerKind::Constant;
        self.active_writes(m, id, func, inst).iter().any(constant).then(|| message(what))
    }

    /// The text with which a gradient stops at an instruction.
    pub fn lost_text(&self, m: &Module, (id, func): (FuncId, &Function), inst: InstId) -> String {
        let what = self.lost.get(&(id, inst)).copied().unwrap_or(Lost::Remade);
        located(m, func, inst, message(what))
    }

    /// An instruction loads the address of memory with a shadow from a variable. Its shadow is clear when a derivative
    /// begins: the text with which that stops where the variable has held the address since before the call.
    pub fn text_of_variable(&self, m: &Module, (id, func): (FuncId, &Function), inst: InstId) -> Option<String> {
        let InstKind::Load { ptr, .. } = func.insts[inst].kind else { return None };
        let v = func.insts[inst].result.filter(|_| m.types.is_ptr(func.insts[inst].ty))?;
        let is_variable = |object: &ObjId| match self.objects[*object].kind {
            ObjKind::Global(global) => self.is_shadowed(*object) && !m.globals[global].constant,
            _ => false,
        };
        let shadowed = self.has_shadow(m, id, func, Operand::Local(v));
        (shadowed && self.points_to(m, id, ptr).keys().any(is_variable)).then(|| located(m, func, inst, FROM_BEFORE))
    }

    /// Memory that the call marks constant, or a variable that the program declares inactive.
    fn is_told_constant(&self, object: ObjId) -> bool {
        self.objects[object].inactive || matches!(self.objects[object].kind, ObjKind::External { constant: true, .. })
    }

    /// Is some target memory of an argument that may turn out to be its own shadow?
    fn may_be_constant_at_run_time(&self, m: &Module, id: FuncId, ptr: Operand) -> bool {
        self.at_run_time
            && self.points_to(m, id, ptr).keys().any(|o| match self.objects[*o].kind {
                ObjKind::External { param, constant: true, .. } => {
                    let other = ObjKind::External { param, depth: 0, constant: false, parent: None };
                    self.sites.contains_key(&other)
                }
                _ => false,
            })
    }

    fn reads_again(&self, read: &Read, written: &Targets, size: u64) -> bool {
        written.iter().any(|(object, place)| {
            let deep = matches!(self.objects[*object].kind, ObjKind::External { depth: 1.., .. });
            match *object == read.object && !deep {
                true => place.overlaps(size, read.place, read.size),
                false => *object == read.object || self.same_memory(*object, read.object),
            }
        })
    }

    /// What an instruction stores that depends on active inputs.
    fn active_writes(&self, m: &Module, id: FuncId, func: &Function, inst: InstId) -> Vec<Write> {
        match &func.insts[inst].kind {
            InstKind::Store { value, ptr, .. }
            | InstKind::AtomicRmw { value, ptr, .. }
            | InstKind::CmpXchg { new: value, ptr, .. } => {
                let size = m.layout.store_size(&m.types, m.operand_ty(func, *value));
                let number = self.has_adjoint(m, id, func, *value).then_some(Lost::Number);
                let address = self.leads_to_shadow(m, id, func, *value).then_some(Lost::Address);
                number.into_iter().chain(address).map(|what| Write { to: *ptr, size, what }).collect()
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => self.called_writes(m, id, call),
            _ => Vec::new(),
        }
    }

    fn called_writes(&self, m: &Module, id: FuncId, call: &Call) -> Vec<Write> {
        let Some(callee) = m.as_function(call.callee) else { return Vec::new() };
        match classify(m, &m.functions[callee]) {
            _ if call.fn_attrs.has(INACTIVE) => Vec::new(),
            External::Copy => {
                let [to, from] = [0, 1].map(|side| self.points_to(m, id, call.args[side]));
                if self.copies_text(m, id, call) {
                    return Vec::new();
                }
                let size = m.as_int(call.args[2]).map_or(ANY_SIZE, |size| size as u64);
                let floats = |(object, place): (&ObjId, &Place)| self.may_hold_float(*object, *place, size);
                let active = from.keys().any(|o| self.is_shadowed(*o) && self.objects[*o].varied);
                let number = (active && (from.iter().any(floats) || to.iter().any(floats))).then_some(Lost::Number);
                let led = |(object, place): (&ObjId, &Place)| {
                    let stored = self.objects[*object].pointers.iter();
                    let mut moved = stored.filter(|(at, _)| at.overlaps(8, *place, size)).flat_map(|(_, t)| t.keys());
                    moved.any(|o| self.is_shadowed(*o))
                };
                let address = from.iter().any(led).then_some(Lost::Address);
                number.into_iter().chain(address).map(|what| Write { to: call.args[0], size, what }).collect()
            }
            External::Rule(row) => {
                let written = row.outputs.iter().enumerate().filter_map(|(output, told)| match told.place {
                    rules::Place::Pointer(at) if self.is_active_output(id, call, row, output) => {
                        Some(Write { to: call.args[at], size: 16, what: Lost::Number })
                    }
                    _ => None,
                });
                written.collect()
            }
            External::Message(row) => {
                let floats =
                    row.buffers.iter().filter(|b| b.received && Datatype::of(m, call.args[b.ty]).may_be_float());
                floats.map(|b| Write { to: call.args[b.at], size: ANY_SIZE, what: Lost::Number }).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Is the value a pointer, or does it hold one, to memory with a shadow?
    fn leads_to_shadow(&self, m: &Module, id: FuncId, func: &Function, value: Operand) -> bool {
        match value {
            Operand::Local(_) => self.has_shadow(m, id, func, value),
            Operand::Const(_) => self.pointer_kind(m, id, value) != PointerKind::Constant,
        }
    }

    /// Is what is loaded only compared, shown, or stored again where it came from, whatever is made of it on the
    /// way? So a
    /// program keeps statistics, or adds to a result that the caller declares constant.
    fn stays_there(&self, m: &Module, (id, func): (FuncId, &Function), load: InstId, from: Operand) -> bool {
        let home = self.points_to(m, id, from);
        let (mut seen, mut work) = (BTreeSet::from([load]), vec![load]);
        // Else the same pointer has to tell: not where a phi takes along what was loaded in another turn of a loop.
        let alone = home.len() == 1;
        while let Some(inst) = work.pop() {
            let Some(value) = func.insts[inst].result.map(Operand::Local) else { return false };
            let users = func.inst_order().map(|(_, user)| user);
            for user in users.filter(|user| func.insts[*user].kind.operands().contains(&value)) {
                match &func.insts[user].kind {
                    InstKind::FCmp { .. } | InstKind::ICmp { .. } => {}
                    InstKind::Store { value: stored, ptr, .. } if *stored == value && *ptr != value => {
                        let back = alone && self.points_to(m, id, *ptr).keys().eq(home.keys());
                        if !back && *ptr != from {
                            return false;
                        }
                    }
                    InstKind::Call(call) => match m.as_function(call.callee).map(|f| classify(m, &m.functions[f])) {
                        Some(External::Inactive) => {}
                        Some(External::Rule(row)) if row.outputs.len() == 1 => {
                            work.extend(seen.insert(user).then_some(user));
                        }
                        _ => return false,
                    },
                    InstKind::Phi { .. } if !alone => return false,
                    InstKind::Binary { .. }
                    | InstKind::FNeg { .. }
                    | InstKind::Cast { .. }
                    | InstKind::Phi { .. }
                    | InstKind::Select { .. }
                    | InstKind::Freeze(_) => work.extend(seen.insert(user).then_some(user)),
                    _ => return false,
                }
            }
        }
        true
    }

    /// All that is read of memory that the call marks constant.
    fn constant_reads(&self, m: &Module, sources: &Sources) -> Vec<Read> {
        let mut out = Vec::new();
        for (id, func) in sources {
            for (_, inst) in func.inst_order() {
                let data = &func.insts[inst];
                let size = m.layout.store_size(&m.types, data.ty);
                let mut read = |ptr: Operand, size: u64, kinds: &[Lost]| {
                    for (object, place) in self.points_to(m, *id, ptr) {
                        if self.is_told_constant(object) {
                            out.extend(kinds.iter().map(|what| Read { reader: *id, object, place, size, what: *what }));
                        }
                    }
                };
                match &data.kind {
                    InstKind::Load { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
                        let Some(value) = data.result.map(Operand::Local) else { continue };
                        let number =
                            self.float_like(m, *id, func, value) || matches!(data.kind, InstKind::CmpXchg { .. });
                        if number && !self.stays_there(m, (*id, func), inst, *ptr) {
                            read(*ptr, size, &[Lost::Number]);
                        }
                        if self.has_shadow(m, *id, func, value) {
                            read(*ptr, size, &[Lost::Address]);
                        }
                    }
                    InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                        let callee = m.as_function(call.callee);
                        if callee.is_some_and(|f| sources.contains_key(&f)) || call.fn_attrs.has(INACTIVE) {
                            continue;
                        }
                        let both = [Lost::Number, Lost::Address];
                        match callee.map_or(External::Unknown, |f| classify(m, &m.functions[f])) {
                            External::Copy if self.copies_text(m, *id, call) => {}
                            External::Copy => {
                                let size = m.as_int(call.args[2]).map_or(ANY_SIZE, |size| size as u64);
                                read(call.args[1], size, &both);
                            }
                            External::Rule(_) | External::Custom | External::Message(_) | External::Unknown
                                if !is_indirect(self, *id, inst) =>
                            {
                                call.args.iter().for_each(|arg| read(*arg, ANY_SIZE, &both));
                            }
                            _ => {}
                        }
                    }
                    _ => {}
                }
            }
        }
        out
    }
}

/// Are the functions known that a call through a pointer calls?
fn is_indirect(facts: &Facts, id: FuncId, inst: InstId) -> bool {
    facts.indirect.candidates.contains_key(&(id, inst))
}

fn is_copy(m: &Module, call: &Call) -> bool {
    m.as_function(call.callee).is_some_and(|f| matches!(classify(m, &m.functions[f]), External::Copy))
}

fn message(what: Lost) -> &'static str {
    match what {
        Lost::Number => {
            "an active value is stored in memory that the call marks constant (`enzyme_const`) or the program declares \
             inactive, and may be read from there again: its derivative would be lost; pass that memory with a shadow \
             (`enzyme_dup`), or work in memory of your own"
        }
        Lost::Address => {
            "a pointer to active memory is stored in memory that the call marks constant (`enzyme_const`) or the \
             program declares inactive, and read from there again: what is done by it would have no derivative; pass \
             that memory with a shadow (`enzyme_dup`)"
        }
        Lost::Remade => {
            "memory is accessed by a pointer that was put together from numbers of which nothing tells that they come \
             from an address: its shadow is not known. A pointer may be kept as bytes, in parts, or as an integer, as \
             long as its bits are only moved, or masked and joined again"
        }
    }
}
