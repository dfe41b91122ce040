//! Calls of functions for which the program gives the gradient itself: its augmented forward takes the place of the
//! call, its reverse the place of the adjoint.

use crate::analysis::context::Item;
use crate::analysis::memory::object::ObjKind;
use crate::analysis::memory::query::PointerKind;
use crate::base::builder::plain_call;
use crate::error::{Diagnostic, Reason};
use crate::program::custom_rule::{Part, Signature};
use crate::reverse::Emitter;
use ir::{Call, FuncId, InstId, InstKind, Operand, TypeId, ValueId};

impl Emitter<'_, '_> {
    /// How the gradient of the called function is called.
    fn signature(&self, inst: InstId, call: &Call) -> Result<Signature, Diagnostic> {
        let m = &*self.b.m;
        let found = m.as_function(call.callee).ok_or_else(String::new).and_then(|f| Signature::of(m, f));
        found.map_err(|message| Diagnostic::at(m, self.func, inst, Reason::Misuse, message))
    }

    /// The augmented forward in place of the call.
    pub(super) fn forward_custom(&mut self, inst: InstId, call: &Call) -> Result<(), Diagnostic> {
        let signature = self.signature(inst, call)?;
        let mut args = Vec::new();
        for (i, arg) in call.args.iter().enumerate() {
            args.push(self.primal_of(*arg));
            if signature.shadows[i] {
                self.check_shadow(inst, call, i)?;
                args.push(self.shadow_of(*arg));
            }
        }
        let returned = self.call_given(signature.augmented, signature.augmented_sret, args);
        if let (Some((part, _)), Some(returned)) = (signature.tape, returned) {
            let tape = self.part(returned, part);
            self.call_records.insert(inst, tape);
        }
        let Some(v) = self.func.insts[inst].result else { return Ok(()) };
        if let (Some(part), Some(returned)) = (signature.result, returned) {
            let result = self.part(returned, part);
            self.primal.insert(v, result);
        }
        if self.cx().has_shadow(Operand::Local(v)) {
            let (Some(part), Some(returned)) = (signature.shadow, returned) else {
                let message = "the augmented forward given for this function does not return the shadow of its result";
                return self.unsupported(inst, message);
            };
            let shadow = self.part(returned, part);
            self.shadow.insert(v, shadow);
        }
        Ok(())
    }

    /// The reverse in place of the adjoint.
    pub(super) fn reverse_custom(
        &mut self,
        inst: InstId,
        call: &Call,
        result: Option<ValueId>,
    ) -> Result<(), Diagnostic> {
        let signature = self.signature(inst, call)?;
        let mut args = Vec::new();
        for (i, arg) in call.args.iter().enumerate() {
            args.push(self.reverse_primal(*arg)?);
            if signature.shadows[i] {
                args.push(self.reverse_shadow(*arg)?);
            }
        }
        if let Some(seed) = signature.seed {
            args.push(match result.filter(|v| self.cx().has_adjoint(Operand::Local(*v))) {
                Some(v) => self.take(v),
                None => self.b.m.zero(seed),
            });
        }
        if signature.takes_tape {
            args.push(self.fetch(Item::Record(inst))?);
        }
        let returned = self.call_given(signature.reverse, signature.reverse_sret, args);
        let Some(returned) = returned.filter(|_| !signature.adjoints.is_empty()) else { return Ok(()) };
        let adjoints = self.as_tuple(returned, signature.adjoints.iter().map(|(_, ty)| *ty).collect());
        for ((i, _), adjoint) in signature.adjoints.iter().zip(adjoints) {
            self.accumulate(call.args[*i], adjoint);
        }
        Ok(())
    }

    /// Has the pointer the shadow that the rule writes to?
    fn check_shadow(&self, inst: InstId, call: &Call, index: usize) -> Result<(), Diagnostic> {
        let cx = self.cx();
        let arg = call.args[index];
        let mut objects = cx.targets(arg).into_keys().map(|o| &self.env.facts.objects[o].kind);
        // Functions and what the system owns have no shadow that a rule could mean.
        let harmless = objects.all(|kind| matches!(kind, ObjKind::Function(_) | ObjKind::Opaque));
        if cx.pointer_kind(arg) == PointerKind::Duplicated || harmless {
            return Ok(());
        }
        let name = cx.m.as_function(call.callee).map(|f| cx.m.functions[f].name.clone()).unwrap_or_default();
        self.unsupported(
            inst,
            format!(
                "argument {} of `{name}` may be constant memory, but the gradient that the program gives for `{name}` \
                 writes to its shadow: pass it with `enzyme_dup`",
                index + 1
            ),
        )
    }

    /// A call of a function that may return through memory; what it returns.
    fn call_given(&mut self, f: FuncId, sret: Option<TypeId>, mut args: Vec<Operand>) -> Option<Operand> {
        let slot = sret.map(|ty| {
            let align = self.b.align(ty).max(8);
            (self.stack(ty, align), ty, align)
        });
        if let Some((slot, ..)) = slot {
            args.insert(0, slot);
        }
        let callee = &self.b.m.functions[f];
        let (ret, cc) = (callee.ret, callee.cc.clone());
        let types = callee.params.iter().map(|p| p.ty).collect();
        let attrs = callee.params.iter().map(|p| p.attrs.clone()).collect();
        let fn_ty = self.b.m.types.func(ret, types);
        let address = self.b.m.function_address(f);
        let mut call = plain_call(address, fn_ty, args, cc);
        call.arg_attrs = attrs;
        let id = self.b.push(InstKind::Call(Box::new(call)), ret);
        match slot {
            Some((slot, ty, align)) => Some(self.b.load(ty, slot, align)),
            None => self.b.f.insts[id].result.map(Operand::Local),
        }
    }

    fn part(&mut self, whole: Operand, part: Part) -> Operand {
        match part {
            Part::Whole => whole,
            Part::Field(index) => self.b.extract(whole, index),
        }
    }

    /// The fields of a structure of these types, as the calling convention of C returns it: as it is, a single value,
    /// or floats packed in vectors.
    fn as_tuple(&mut self, value: Operand, types: Vec<TypeId>) -> Vec<Operand> {
        let given = self.b.ty(value);
        if types.len() == 1 && types[0] == given {
            return vec![value];
        }
        let fields = self.b.m.types.fields(given).map(|(fields, _)| fields.to_vec());
        if fields.as_ref() == Some(&types) {
            return (0..types.len()).map(|i| self.b.extract(value, i as u32)).collect();
        }
        let tuple = self.b.m.types.tuple(types.clone());
        let wider = if self.b.m.size_of(given) > self.b.m.size_of(tuple) { given } else { tuple };
        let slot = self.stack(wider, 16);
        self.b.store(value, slot, 1);
        let field = |(i, ty): (usize, TypeId)| {
            let offset = self.b.m.layout.element_offset(&self.b.m.types, tuple, i as u64).unwrap_or(0);
            let at = self.b.offset(slot, offset);
            self.b.load(ty, at, 1)
        };
        types.into_iter().enumerate().map(field).collect()
    }
}
