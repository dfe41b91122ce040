//! Calls, and the links of a gradient's instructions to the primal, as text.

use super::slots::Slots;
use super::{Writer, escape};
use crate::function::Function;
use crate::inst::{Call, Inst, Role, TailKind};
use crate::types::Type;

impl<'m> Writer<'m> {
    /// From `call` or `invoke` to the operand bundles.
    pub(super) fn call(&mut self, func: &Function, mnemonic: &str, call: &'m Call) {
        self.put(match call.tail {
            TailKind::None => "",
            TailKind::Tail => "tail ",
            TailKind::MustTail => "musttail ",
            TailKind::NoTail => "notail ",
        });
        self.word(mnemonic);
        self.fast_math(call.fast);
        self.word(&call.cc);
        self.value_attrs(&call.ret_attrs);
        match self.module.types.get(call.fn_ty) {
            Type::Func { ret, vararg: false, .. } => self.ty(*ret),
            _ => self.ty(call.fn_ty),
        }
        self.put(" ");
        self.operand(call.callee);
        self.put("(");
        for (i, arg) in call.args.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            self.ty(self.module.operand_ty(func, *arg));
            self.put(" ");
            if let Some(attrs) = call.arg_attrs.get(i) {
                self.value_attrs(attrs);
            }
            self.operand(*arg);
        }
        self.put(")");
        self.group(&call.fn_attrs);
        if !call.bundles.is_empty() {
            self.put(" [ ");
            self.list(&call.bundles, |w, bundle| {
                w.put("\"");
                escape(&mut w.out, bundle.tag.as_bytes());
                w.put("\"(");
                w.list(&bundle.inputs, |w, input| w.typed_operand(func, *input));
                w.put(")");
            });
            self.put(" ]");
        }
    }

    /// ` ; adjoint of %x in @f, file:line:column`
    pub(super) fn origin(&mut self, inst: &Inst) {
        let (true, Some(origin)) = (self.options.origins, inst.origin) else { return };
        let role = match origin.role {
            Role::Clone => "clone",
            Role::Shadow => "shadow",
            Role::Adjoint => "adjoint",
            Role::Tangent => "tangent",
            Role::Push => "push",
            Role::Pop => "pop",
            Role::Zero => "zero",
        };
        let (Some(primal), module) = (self.module.functions.get(origin.func), self.module) else { return };
        self.put("  ; ");
        self.put(role);
        self.put(" of ");
        let slots = self.slots.replace(Slots::new(primal));
        match primal.insts.get(origin.inst).map(|i| i.result) {
            Some(Some(result)) => self.operand(crate::Operand::Local(result)),
            Some(None) => {
                let text = super::print_inst(module, primal, origin.inst);
                self.put(&text);
            }
            None => self.put("a removed instruction"),
        }
        self.slots = slots;
        self.put(" in ");
        self.global_ref(&primal.name);
        if primal.insts.is_valid(origin.inst)
            && let Some(loc) = module.source_loc(primal, origin.inst)
        {
            self.put(&format!(", {loc}"));
        }
    }
}
