//! What the reverse of each instruction needs to know of the forward pass (Hascoët, Naumann & Pascual, "To be recorded
//! analysis in reverse-mode automatic differentiation", 2005).
//!
//! The one place that says so: the cache plan, the checker and the synthesis read it. What a partial derivative needs
//! is computed from its expression (`rules`), never declared.

use crate::analysis::context::{Callee, Context, Item};
use crate::analysis::copied_data::moved_data;
use crate::analysis::memory;
use crate::analysis::memory::query::PointerKind;
use crate::program::cell::Span;
use crate::program::custom_rule::Signature;
use crate::program::externals::External;
use crate::program::openmp::Order;
use ir::{Call, InstId, InstKind, Operand, TypeId};

impl Context<'_> {
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
                self.varied(*ptr) && (self.stored(data).iter().any(float) || !self.blank_bytes(inst).is_empty())
            }
            InstKind::Call(call) => match self.callee(call) {
                Callee::Derived(_) => true,
                Callee::External(External::Copy | External::Set) => self.varied(call.args[0]),
                Callee::External(External::Custom) => self.custom_acts(call),
                Callee::External(External::Message(row)) => row.acts(self.m, call),
                Callee::External(External::Rule(row)) => {
                    data.result.is_some_and(|v| self.has_adjoint(Operand::Local(v)))
                        || row
                            .operands
                            .iter()
                            .zip(&call.args)
                            .any(|(kind, arg)| *kind == rules::Operand::FloatOut && self.varied(*arg))
                }
                Callee::External(External::Order(_)) => true,
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

    /// The type of the record that a call leaves on the tape: a pointer, the tape of the program's own gradient, or, of
    /// the end of a section, its number.
    pub fn record_ty(&self, inst: InstId, pointer: TypeId, number: TypeId) -> TypeId {
        let call = self.func.insts[inst].kind.as_call();
        let callee = call.and_then(|call| match self.callee(call) {
            Callee::External(External::Custom) => self.m.as_function(call.callee),
            _ => None,
        });
        if call.is_some_and(|call| matches!(self.callee(call), Callee::External(External::Order(_)))) {
            return number;
        }
        let signature = callee.and_then(|f| Signature::of(self.m, f).ok());
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
            Callee::Derived(_) | Callee::External(External::Message(_)) => out.push(Item::Record(inst)),
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
            Callee::External(External::Order(Order::Enter { key })) => {
                out.extend(key.and_then(|key| call.args[key].local()).map(Item::Primal));
            }
            Callee::External(External::Order(Order::Leave { key })) => {
                out.extend(key.and_then(|key| call.args[key].local()).map(Item::Primal));
                out.push(Item::Record(inst));
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

    /// May a copy move data of memory in which pointers and floats take turns?
    pub fn copies_turns(&self, inst: InstId, call: &Call) -> bool {
        let turns = |o: &memory::ObjId| self.facts.is_shadowed(*o) && self.facts.objects[*o].turns;
        // Where several objects may be meant, one may hold pointers and another floats.
        let moved = || moved_data(self, inst, &call.args[..2], call.args[2]).is_ok_and(|data| data.turns());
        call.args[..2].iter().any(|arg| self.targets(*arg).keys().any(turns)) || moved()
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
