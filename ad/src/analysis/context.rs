//! What the reverse of each instruction needs to know of the forward pass.
//!
//! The one place that says so: the cache plan, the checker and the synthesis read it. What a partial
//! derivative needs is computed from its expression (`rules`), never declared.

use crate::analysis::copied_data::moved_data;
use crate::analysis::memory;
use crate::analysis::memory::{Facts, ObjKind, PointerKind, Targets};
use crate::normalise::collect::Sources;
use crate::program::cell::{Cell, Span};
use crate::program::externals::{External, classify};
use ir::{Call, FuncId, Function, Inst, InstId, InstKind, Module, Operand, TypeId, ValueId};

/// Something of the forward pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Item {
    /// A value of the primal.
    Primal(ValueId),
    /// The shadow of a pointer value.
    Shadow(ValueId),
    /// The record of the function called by an instruction.
    Record(InstId),
}

/// The analyses of one function, bundled.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The module.
    pub m: &'a Module,
    /// The facts.
    pub facts: &'a Facts,
    /// The normalised functions.
    pub sources: &'a Sources,
    /// Which functions have a derivative of their own.
    pub differentiable: &'a std::collections::BTreeSet<FuncId>,
    /// The function in question.
    pub id: FuncId,
    /// Its body.
    pub func: &'a Function,
}

/// How a differentiated call is treated.
#[derive(Clone, Copy, Debug)]
pub enum Callee {
    /// A function of ours with an augmented forward and a reverse.
    Derived(FuncId),
    /// A function of ours without derivative, or one that only runs forwards.
    Plain,
    /// A known external function.
    External(External),
}

impl<'a> Context<'a> {
    /// What a call calls.
    pub fn callee(&self, call: &Call) -> Callee {
        match self.m.as_function(call.callee) {
            // A call may be declared inactive where its function is not.
            _ if call.fn_attrs.has(crate::program::attributes::INACTIVE) => Callee::External(External::Inactive),
            Some(f) if self.sources.contains_key(&f) => {
                if self.differentiable.contains(&f) {
                    Callee::Derived(f)
                } else {
                    Callee::Plain
                }
            }
            Some(f) => Callee::External(classify(self.m, &self.m.functions[f])),
            None => Callee::External(External::Unknown),
        }
    }

    /// Has the operand an adjoint?
    pub fn has_adjoint(&self, operand: Operand) -> bool {
        self.facts.has_adjoint(self.m, self.id, self.func, operand)
    }

    /// Has the operand a shadow of its own?
    pub fn has_shadow(&self, operand: Operand) -> bool {
        self.facts.has_shadow(self.m, self.id, self.func, operand)
    }

    /// The kind of a pointer operand.
    pub fn pointer_kind(&self, operand: Operand) -> PointerKind {
        self.facts.pointer_kind(self.m, self.id, operand)
    }

    /// The type of an operand.
    pub fn ty(&self, operand: Operand) -> TypeId {
        self.m.operand_ty(self.func, operand)
    }

    /// Where a pointer operand may point.
    pub fn targets(&self, operand: Operand) -> Targets {
        self.facts.points_to(self.m, self.id, operand)
    }

    /// Can what lies behind the pointer never change? Memory of the caller and constants, if no differentiated function writes there.
    pub fn never_written(&self, ptr: Operand) -> bool {
        let facts = self.facts;
        let targets = self.targets(ptr);
        !targets.is_empty()
            && !facts.leads_elsewhere(self.m, self.id, ptr)
            && !facts.caller_may_write
            && targets.keys().all(|o| match facts.objects[*o].kind {
                ObjKind::External { .. } => {
                    !facts.lasting.writes_anywhere() && !facts.objects.keys().any(|w| facts.written_as(w, *o))
                }
                ObjKind::Global(g) => self.m.globals[g].constant && !facts.objects[*o].written,
                _ => false,
            })
    }

    /// May active floats lie behind this pointer, in memory with a shadow?
    pub fn varied(&self, ptr: Operand) -> bool {
        self.targets(ptr).keys().any(|o| self.facts.is_shadowed(*o) && self.facts.objects[*o].varied)
    }

    /// The data that a store puts into memory or overwrites there, by offset: by the value's type, by what its integers carry, and
    /// where these carry nothing (a zero, say) by what lies there. In conflict is a part of a float that is overwritten.
    ///
    /// A constant written where nothing tells what lies there (what the optimiser makes of a `memset`, or of a copy of what `calloc` gave) may be a
    /// float, which has no adjoint before: as a float it is taken, for the shadow of an integer is nobody's concern.
    pub fn stored(&self, store: &Inst) -> Vec<Span> {
        let (InstKind::Store { value, ptr, .. } | InstKind::AtomicRmw { value, ptr, .. }) = &store.kind else {
            return Vec::new();
        };
        let (mut out, mut integers) = (Vec::new(), Vec::new());
        crate::program::cell::typed(self.m, self.ty(*value), 0, &mut out, &mut integers);
        if self.m.types.is_ptr(self.ty(*value)) && self.facts.are_plain(self.m, &self.targets(*value)) {
            let before = self.facts.overwritten(&self.targets(*ptr), 0, 8);
            if before.iter().any(|s| matches!(s.cell, Cell::Float(_))) {
                return before;
            }
        }
        out.extend_from_slice(self.facts.content(self.id, *value));
        let plain = self.facts.is_plain_access(self.m, self.func, store, &self.targets(*ptr));
        for (at, size) in integers.into_iter().filter(|_| !plain) {
            if !out.iter().any(|s| s.overlaps(at, size)) {
                let targets = self.targets(*ptr);
                out.extend(self.facts.overwritten(&targets, at, size));
                let blank = self.facts.is_blank(self.m, self.id, self.func, *value);
                let free = matches!(store.kind, InstKind::Store { .. }) && !out.iter().any(|s| s.overlaps(at, size));
                if free && self.facts.may_take_apart(&targets, (at, size), blank) {
                    out.extend(as_floats((at, size)));
                }
                if blank {
                    out.extend(self.maybe_floats(&targets, at, size));
                }
            }
        }
        out.sort_by_key(|s| s.offset);
        out
    }

    /// Floats in the place of all that nothing tells about in `[at, at + size)` behind pointers to memory of the caller.
    fn maybe_floats(&self, targets: &Targets, at: u64, size: u64) -> Vec<Span> {
        let untold = self.facts.all_untold(&memory::places(targets), at + size);
        let within = untold.into_iter().filter_map(|(first, bytes)| {
            let (first, end) = (first.max(at), first + bytes);
            (end > first).then_some((first, end - first))
        });
        within.flat_map(as_floats).collect()
    }

    /// The integers that a store puts where pieces of pointers may lie ([`Facts::stored_pieces`]).
    pub fn stored_pieces(&self, inst: InstId) -> Vec<(u64, u64)> {
        self.facts.stored_pieces(self.m, (self.id, self.func), &self.func.insts[inst])
    }

    /// Does the instruction do anything to shadow memory in the forward pass?
    pub fn moves_shadow(&self, inst: InstId) -> bool {
        let shadowed = |ptr: Operand| self.pointer_kind(ptr) != PointerKind::Constant;
        match &self.func.insts[inst].kind {
            InstKind::Store { ptr, .. } => {
                let stored = self.stored(&self.func.insts[inst]);
                shadowed(*ptr)
                    && (stored.iter().any(|s| s.cell.may_be_pointer() || self.turns(*ptr, s))
                        || !self.stored_pieces(inst).is_empty())
            }
            InstKind::Call(call) => match self.callee(call) {
                Callee::Derived(f) => !self.facts.joint.contains(&f),
                Callee::External(External::Copy | External::Set) => shadowed(call.args[0]),
                Callee::External(External::Custom) => self.custom_acts(call),
                Callee::External(External::Links(_)) => call.args.iter().any(|a| shadowed(*a)),
                Callee::Plain | Callee::External(_) => false,
            },
            _ => false,
        }
    }

    /// Does the instruction do anything in the reverse pass?
    pub fn acts(&self, inst: InstId) -> bool {
        let data = &self.func.insts[inst];
        match &data.kind {
            InstKind::Store { ptr, .. } => {
                let float = |s: &Span| s.cell.may_be_float() || self.turns(*ptr, s);
                self.varied(*ptr) && self.stored(data).iter().any(float)
            }
            InstKind::Call(call) => match self.callee(call) {
                Callee::Derived(_) => true,
                Callee::External(External::Copy | External::Set) => self.varied(call.args[0]),
                Callee::External(External::Custom) => self.custom_acts(call),
                Callee::External(External::Rule(row)) => {
                    data.result.is_some_and(|v| self.has_adjoint(Operand::Local(v)))
                        || row
                            .operands
                            .iter()
                            .zip(&call.args)
                            .any(|(kind, arg)| *kind == rules::Operand::FloatOut && self.varied(*arg))
                }
                // Whatever else gives an active value has to be reversed, and is refused there: no silent zero.
                Callee::Plain | Callee::External(_) => data.result.is_some_and(|v| self.has_adjoint(Operand::Local(v))),
            },
            InstKind::AtomicRmw { ptr, .. } => {
                self.varied(*ptr) && self.stored(data).iter().any(|s| s.cell.may_be_float())
            }
            InstKind::Ret(Some(value)) => self.has_adjoint(*value),
            _ => data.result.is_some_and(|v| self.has_adjoint(Operand::Local(v))),
        }
    }

    /// What the reverse of an instruction that [`Context::acts`] reads from the forward pass.
    pub fn needs(&self, inst: InstId) -> Vec<Item> {
        let mut out = Vec::new();
        if !self.acts(inst) {
            return out;
        }
        let data = &self.func.insts[inst];
        let mut primal = |op: Operand| out.extend(op.local().map(Item::Primal));
        match &data.kind {
            InstKind::FNeg { value, .. } => self.rule_needs(rules::lookup_opcode("fneg"), &[*value], inst, &mut out),
            InstKind::Binary { op, lhs, rhs, .. } => {
                self.rule_needs(rules::lookup_opcode(op.name()), &[*lhs, *rhs], inst, &mut out);
            }
            InstKind::Select { cond, .. } => primal(*cond),
            InstKind::ExtractElement { index, .. } | InstKind::InsertElement { index, .. } => primal(*index),
            InstKind::Load { ptr, .. } => {
                self.pointer_needs(*ptr, &mut out);
                self.turn_needs(data.result.map(Operand::Local), &mut out);
            }
            InstKind::Store { value, ptr, .. } => {
                self.pointer_needs(*ptr, &mut out);
                self.turn_needs(Some(*value), &mut out);
            }
            InstKind::AtomicRmw { ptr, .. } => self.pointer_needs(*ptr, &mut out),
            InstKind::Call(call) => self.call_needs(inst, call, &mut out),
            _ => {}
        }
        out
    }

    /// Does a function with a gradient of its own get anything active, so that the gradient is called?
    pub fn custom_acts(&self, call: &Call) -> bool {
        call.args.iter().any(|a| self.has_adjoint(*a) || self.pointer_kind(*a) != PointerKind::Constant)
    }

    /// The type of the record that a call leaves on the tape: a pointer, or the tape of the program's own gradient.
    pub fn record_ty(&self, inst: InstId, pointer: TypeId) -> TypeId {
        let call = self.func.insts[inst].kind.as_call();
        let callee = call.and_then(|call| match self.callee(call) {
            Callee::External(External::Custom) => self.m.as_function(call.callee),
            _ => None,
        });
        let signature = callee.and_then(|f| crate::program::custom_rule::Signature::of(self.m, f).ok());
        signature.and_then(|s| s.tape).map_or(pointer, |(_, ty)| ty)
    }

    fn call_needs(&self, inst: InstId, call: &Call, out: &mut Vec<Item>) {
        match self.callee(call) {
            // It is executed there.
            Callee::Derived(f) if self.facts.joint.contains(&f) => {
                out.extend(call.args.iter().filter_map(|a| a.local()).map(Item::Primal));
                for arg in call.args.iter().filter(|a| self.has_shadow(**a)) {
                    self.pointer_needs(*arg, out);
                }
            }
            Callee::Derived(_) => out.push(Item::Record(inst)),
            Callee::External(External::Copy) => {
                for arg in &call.args[..2] {
                    self.pointer_needs(*arg, out);
                }
                out.extend(call.args[2].local().map(Item::Primal));
                if self.copies_turns(inst, call) {
                    out.push(Item::Record(inst));
                }
            }
            Callee::External(External::Set) => {
                self.pointer_needs(call.args[0], out);
                out.extend(call.args[2].local().map(Item::Primal));
            }
            Callee::External(External::Custom) => {
                out.push(Item::Record(inst));
                out.extend(call.args.iter().filter_map(|a| a.local()).map(Item::Primal));
                for arg in call.args.iter().filter(|a| self.m.types.is_ptr(self.ty(**a))) {
                    self.pointer_needs(*arg, out);
                }
            }
            Callee::External(External::Rule(row)) => {
                self.rule_needs(Some(row), &call.args, inst, out);
                for (kind, arg) in row.operands.iter().zip(&call.args) {
                    if *kind == rules::Operand::FloatOut {
                        self.pointer_needs(*arg, out);
                    }
                }
            }
            _ => {}
        }
    }

    /// What tells whether a pointer or a float was moved: the shadow, which is zero for a float.
    fn turn_needs(&self, value: Option<Operand>, out: &mut Vec<Item>) {
        let telling = value.filter(|v| self.facts.tells_turns(self.m, self.id, *v));
        out.extend(telling.and_then(Operand::local).map(Item::Shadow));
    }

    /// Do pointers and floats take turns in the memory that a store writes this datum to?
    pub fn turns(&self, ptr: Operand, datum: &Span) -> bool {
        self.facts.takes_turns(&self.targets(ptr), datum.offset, datum.size)
    }

    /// May a copy move data of memory in which pointers and floats take turns?
    pub fn copies_turns(&self, inst: InstId, call: &Call) -> bool {
        let turns = |o: &memory::ObjId| self.facts.is_shadowed(*o) && self.facts.objects[*o].turns;
        // Where several objects may be meant, one may hold pointers and another floats.
        let moved = || moved_data(self, inst, &call.args[..2], call.args[2]).is_ok_and(|data| data.turns());
        call.args[..2].iter().any(|arg| self.targets(*arg).keys().any(turns)) || moved()
    }

    /// Are all shadows behind these pointers memory that the differentiated functions allocate? Only there is the shadow of a float
    /// zero throughout the forward pass, so that it can be told from the shadow of a pointer.
    pub fn own_shadows(&self, ptrs: &[Operand]) -> bool {
        use crate::analysis::memory::ObjKind::{Heap, Stack};
        let own = |o: &memory::ObjId| {
            !self.facts.is_shadowed(*o) || matches!(self.facts.objects[*o].kind, Stack(..) | Heap(..))
        };
        ptrs.iter().all(|ptr| self.targets(*ptr).keys().all(own))
    }

    /// The shadow of a pointer; where it may equal the pointer itself, that too, to tell.
    fn pointer_needs(&self, ptr: Operand, out: &mut Vec<Item>) {
        let Operand::Local(v) = ptr else { return };
        match self.pointer_kind(ptr) {
            PointerKind::Constant => {}
            PointerKind::Duplicated => out.push(Item::Shadow(v)),
            PointerKind::Mixed => out.extend([Item::Shadow(v), Item::Primal(v)]),
        }
    }

    fn rule_needs(&self, row: Option<&rules::Row>, args: &[Operand], inst: InstId, out: &mut Vec<Item>) {
        let Some(row) = row else { return };
        let ints: Vec<usize> = row.int_positions().collect();
        for (n, _) in row.outputs.iter().enumerate() {
            for partial in self.partials(row, n, args, inst) {
                let needs = partial.expr.needs();
                let inputs = partial.inputs.iter().enumerate().filter(|(i, _)| needs.input(*i)).map(|(_, x)| *x);
                let integers = ints.iter().enumerate().filter(|(j, _)| needs.int(*j)).map(|(_, p)| args[*p]);
                out.extend(inputs.chain(integers).filter_map(Operand::local).map(Item::Primal));
                if needs.result {
                    out.extend(self.func.insts[inst].result.map(Item::Primal));
                }
            }
        }
    }
}

/// Floats that fill so many bytes from an offset on. A zero is one in all formats, and so is its adjoint.
fn as_floats((at, size): (u64, u64)) -> impl Iterator<Item = Span> {
    memory::filling((at, size)).flat_map(|(kind, first, count)| {
        let (cell, size) = (Cell::Float(kind), Cell::Float(kind).size(0));
        (0..count).map(move |i| Span { offset: first + i * size, size, cell })
    })
}
