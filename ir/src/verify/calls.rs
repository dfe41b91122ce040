//! Checks 14 and 15 of the verifier: calls, function headers and their attributes.

use super::Checker;
use crate::attr::{AttrValue, Attrs};
use crate::function::{InstId, ValueDef};
use crate::inst::{Call, Inst, InstKind, Operand, TailKind};
use crate::types::{Type, TypeId};

/// Attributes that stand on pointers and name the type behind them.
const TYPED: [&str; 5] = ["byval", "sret", "byref", "inalloca", "preallocated"];

impl Checker<'_> {
    /// Return type, parameters and attributes of the function.
    pub(super) fn header(&mut self) {
        let func = self.func;
        let ret_fits = !matches!(self.module.types.get(func.ret), Type::Func { .. } | Type::Label | Type::Metadata);
        self.require(ret_fits, "a function cannot return a value of its return type");
        for (i, param) in func.params.iter().enumerate() {
            let first_class = self.is_first_class(param.ty);
            self.require(first_class, "a parameter without value");
            self.param_attrs(&param.attrs, param.ty, i);
        }
        let params = func.values.values().filter(|v| matches!(v.def, ValueDef::Param(_))).count();
        self.require(params == func.params.len(), "a value of a parameter that the function does not have");
        let sret = func.params.iter().any(|p| p.attrs.has("sret"));
        let void = *self.module.types.get(func.ret) == Type::Void;
        self.require(!sret || void, "a function with an sret parameter returns a value");
        let subprogram = |id| self.module.metadata[id].class() == "DISubprogram";
        let dbg = func.metadata.iter().find(|(kind, _)| kind == "dbg");
        self.require(dbg.is_none_or(|(_, id)| subprogram(*id)), "the !dbg of a function is no DISubprogram");
    }

    /// Check 17 for instructions.
    pub(super) fn debug_location(&mut self, inst: &Inst) {
        let fits = inst.loc.is_none_or(|id| self.module.metadata[id].class() == "DILocation");
        self.require(fits, "the !dbg of an instruction is no DILocation");
    }

    fn param_attrs(&mut self, attrs: &Attrs, ty: TypeId, index: usize) {
        let pointer = matches!(self.scalar(ty), Type::Ptr(_));
        for attr in &attrs.0 {
            let name = attr.name.as_str();
            if TYPED.contains(&name) {
                self.require(pointer, "an attribute for pointers on another type");
                match attr.value {
                    AttrValue::Type(behind) => {
                        self.require(self.is_sized(behind), "the type of an attribute has no size")
                    }
                    _ => self.error("an attribute without its type"),
                }
            }
            let for_pointers =
                matches!(name, "noalias" | "nocapture" | "nonnull" | "dereferenceable" | "dereferenceable_or_null");
            self.require(pointer || !for_pointers, "an attribute for pointers on another type");
            let for_ints = matches!(name, "signext" | "zeroext");
            self.require(self.module.types.is_int(ty) || !for_ints, "an attribute for integers on another type");
        }
        self.require(!attrs.has("sret") || index < 2, "sret stands on neither the first nor the second parameter");
        let exclusive = ["byval", "inalloca", "preallocated", "sret", "byref", "nest", "inreg"];
        let count = exclusive.iter().filter(|a| attrs.has(a)).count();
        let sret_inreg = attrs.has("sret") && attrs.has("inreg") && count == 2;
        self.require(count <= 1 || sret_inreg, "attributes that exclude each other");
        self.require(!(attrs.has("signext") && attrs.has("zeroext")), "attributes that exclude each other");
    }

    pub(super) fn call(&mut self, id: InstId, inst: &Inst, call: &Call) {
        self.require_pointer(call.callee, "the called function");
        let Some((ret, params, vararg)) = self.signature(call.fn_ty) else {
            return self.error("the type of a call is no function type");
        };
        let params = params.to_vec();
        self.require_same(ret, inst.ty, "the result of the called function");
        self.fast_fits(call.fast, inst.ty);
        let (given, wanted) = (call.args.len(), params.len());
        if given < wanted || (given > wanted && !vararg) {
            self.error(format!("{given} arguments for {wanted} parameters"));
        }
        for (arg, param) in call.args.iter().zip(&params) {
            self.require_same(self.ty(*arg), *param, "an argument");
        }
        for arg in call.args.iter().skip(wanted) {
            let first_class = self.is_first_class(self.ty(*arg));
            self.require(first_class, "an argument without value");
        }
        self.require(call.arg_attrs.len() == given, "not one attribute set for each argument");
        for (i, (arg, attrs)) in call.args.iter().zip(&call.arg_attrs).enumerate() {
            self.param_attrs(attrs, self.ty(*arg), i);
        }
        if call.tail == TailKind::MustTail {
            self.must_tail(id, inst);
        }
    }

    /// `musttail call` stands directly before the `ret` of its result.
    fn must_tail(&mut self, id: InstId, inst: &Inst) {
        let Some((block, _)) = self.at else { return };
        let func = self.func;
        let next = func.blocks[block].insts.iter().skip_while(|i| **i != id).nth(1);
        let fits = match next.map(|n| &func.insts[*n].kind) {
            Some(InstKind::Ret(None)) => inst.result.is_none(),
            Some(InstKind::Ret(Some(value))) => inst.result.map(Operand::Local) == Some(*value),
            _ => false,
        };
        self.require(fits, "a musttail call that does not stand before the return of its result");
    }
}
