//! Calls in the forward pass: of functions with a derivative, of allocators and copies, of what nothing is known of.

use crate::analysis::context::{Callee, Item};
use crate::analysis::memory::object::ObjKind;
use crate::error::Diagnostic;
use crate::options::Fault;
use crate::program::externals::External;
use crate::program::openmp::Order;
use crate::reverse::Emitter;
use ir::{BinOp, Call, InstId, Operand, Role, ValueId};

impl Emitter<'_, '_> {
    pub(super) fn forward_call(&mut self, inst: InstId, call: &Call) -> Result<(), Diagnostic> {
        let data = self.func.insts[inst].clone();
        let callee = self.cx().callee(call);
        if let Callee::Derived(f) = callee
            && self.env.facts.joint.contains(&f)
        {
            self.joint_forward(inst);
            return Ok(());
        }
        if let Callee::Derived(f) = callee {
            self.call_forward(inst, call, f);
            self.role(Role::Push);
            self.record(Item::Record(inst));
            return Ok(());
        }
        if matches!(callee, Callee::External(External::Custom)) && self.cx().custom_acts(call) {
            self.forward_custom(inst, call)?;
            self.role(Role::Push);
            self.record(Item::Record(inst));
            return Ok(());
        }
        if let Callee::External(External::Message(row)) = callee
            && row.acts(self.b.m, call)
        {
            return self.forward_message(inst, call, row);
        }
        if self.ends_life(inst, call) {
            return Ok(());
        }
        if let Callee::External(External::Free { block }) = callee {
            self.shadow_may_go(inst, call, block)?;
        }
        if self.combined && self.env.facts.reloads.waits(self.id, inst) {
            self.free_at_end(call);
            return Ok(());
        }
        if let Callee::External(External::Free { block }) = callee
            && self.tends(inst)
        {
            return self.free_later(inst, call, block);
        }
        if let Callee::External(External::Order(Order::Leave { key })) = callee {
            self.take_turn(inst, call, key);
        }
        self.clone_inst(&data);
        self.role(Role::Shadow);
        let Callee::External(external) = callee else { return Ok(()) };
        self.forward_external(inst, (call, external), data.result)
    }

    /// What a function from outside does to shadows; the call itself has been copied.
    fn forward_external(
        &mut self,
        inst: InstId,
        (call, external): (&Call, External),
        result: Option<ValueId>,
    ) -> Result<(), Diagnostic> {
        let shadowed = result.filter(|v| self.cx().has_shadow(Operand::Local(*v)));
        match external {
            External::Allocate { size, times, align } => {
                if shadowed.is_none() && !self.tends(inst) {
                    return Ok(());
                }
                let mut bytes = self.primal_of(call.args[size]);
                if let Some(times) = times {
                    let factor = self.primal_of(call.args[times]);
                    bytes = self.b.binary(BinOp::Mul, bytes, factor);
                }
                self.note_allocation(inst, bytes);
                let Some(v) = shadowed else { return Ok(()) };
                let align = match align.map(|a| self.b.m.as_int(call.args[a])) {
                    None => 1,
                    Some(Some(align)) => align as u64,
                    Some(None) => {
                        return self.unsupported(inst, "an allocation with an alignment known only at run time");
                    }
                };
                let object = self.env.facts.site(ObjKind::Heap(self.id, inst));
                let shadow = if self.has_fault(Fault::SharedShadow) {
                    self.primal[&v]
                } else if object.is_some_and(|object| self.env.outliving.contains(&object)) {
                    self.outliving_shadow(inst, (bytes, times.is_some()))
                } else {
                    self.shadow_memory(bytes, align)
                };
                self.shadow.insert(v, shadow);
            }
            External::Copy | External::Set => {
                let set = matches!(external, External::Set);
                if set {
                    self.forward_set(inst, call)?
                } else {
                    self.forward_copy(inst, call)?;
                    let role = self.b.origin.map(|o| o.role);
                    self.role(Role::Push);
                    self.record(Item::Record(inst));
                    role.into_iter().for_each(|role| self.role(role));
                }
                if let Some(v) = shadowed {
                    let shadow = self.shadow_of(call.args[0]);
                    self.shadow.insert(v, shadow);
                }
            }
            External::Links(_) => self.forward_links(inst, call)?,
            External::Rule(_)
            | External::Reduction(_)
            | External::Held
            | External::Free { .. }
            | External::Custom
            | External::Order(_)
            | External::Message(_) => {}
            External::Inactive => match shadowed {
                Some(v) if self.moves_bits(call) => self.mirror_call(call, v),
                Some(_) => {
                    return self.unsupported(inst, "this function returns a pointer whose shadow is not known");
                }
                None => {}
            },
            External::Unknown => {
                let cx = self.cx();
                if let Some(arg) = call.args.iter().find(|a| cx.has_adjoint(**a) || cx.has_shadow(**a)) {
                    let what = if cx.has_adjoint(*arg) { "an active value" } else { "active memory" };
                    let name = cx.m.as_function(call.callee).map(|f| cx.m.functions[f].name.clone());
                    return match name {
                        Some(name) => self.incomplete(inst, &name, what),
                        None if cx.m.as_asm(call.callee).is_some() => {
                            self.unsupported(inst, format!("inline assembly with instructions gets {what}"))
                        }
                        None => self.unsupported(inst, format!("an indirect call gets {what}")),
                    };
                }
            }
        }
        Ok(())
    }

    fn call_forward(&mut self, inst: InstId, call: &Call, f: ir::FuncId) {
        let derived = self.env.derived[&f].clone();
        let mut args: Vec<Operand> = call.args.iter().map(|a| self.primal_of(*a)).collect();
        for i in &derived.shadows {
            let shadow = self.shadow_of(call.args[*i]);
            args.push(shadow);
        }
        args.push(self.tape);
        let Some(result) = self.b.call(derived.forward, args) else { return };
        let mut n = 0;
        if let Some(v) = self.func.insts[inst].result {
            let primal = self.b.extract(result, n);
            self.primal.insert(v, primal);
            n += 1;
            if derived.returns_shadow {
                let shadow = self.b.extract(result, n);
                if self.cx().has_shadow(Operand::Local(v)) {
                    self.shadow.insert(v, shadow);
                }
                n += 1;
            }
        }
        let record = self.b.extract(result, n);
        self.call_records.insert(inst, record);
    }
}
