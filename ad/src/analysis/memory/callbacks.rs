//! Functions of the program that a foreign function may call.
//!
//! What a foreign function does with the memory that it is given is judged by its arguments. But if it gets the address
//! of a function, it may call that (`pthread_once`, `std::call_once`, an integrator of a library), and what is called
//! works on variables of the program, too. Nobody would differentiate that.

use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::base::names::variable;
use crate::program::call_graph::reachable_from;
use crate::program::externals::{External, classify};
use ir::hash::HashSet;
use ir::{Call, FuncId, Module};

impl Facts {
    /// Does a foreign function get the address of a function, and may one that it can find by that work on active
    /// memory?
    pub(super) fn callback_objection(&self, m: &Module, id: FuncId, call: &Call) -> Option<&'static str> {
        let callee = &m.functions[m.as_function(call.callee)?];
        if !callee.is_declaration() || !matches!(classify(m, callee), External::Unknown) {
            return None;
        }
        let named: Vec<FuncId> = call.args.iter().filter_map(|arg| m.as_function(*arg)).collect();
        let given = self.reached(call.args.iter().flat_map(|arg| self.points_to(m, id, *arg).into_keys()));
        let functions = |objects: &HashSet<ObjId>| -> Vec<FuncId> {
            let kinds = objects.iter().map(|object| self.objects[*object].kind);
            kinds.filter_map(|kind| if let ObjKind::Function(f) = kind { Some(f) } else { None }).collect()
        };
        let mut called = functions(&given);
        called.extend(named);
        if called.is_empty() {
            return None;
        }
        // A function of a library that is called back (`__once_proxy`) finds another one in a variable that both know.
        let shared = self.objects.iter().filter(|(_, object)| match object.kind {
            ObjKind::Global(g) => !matches!(m.globals[g].flags.linkage.as_str(), "internal" | "private"),
            _ => false,
        });
        called.extend(functions(&self.reached(shared.map(|(object, _)| object))));
        self.touch_active(m, called).then_some(
            "a function without a body gets the address of one that works on active memory: if it calls that, nobody \
             differentiates it. Call it from here instead, or give the caller a gradient of its own",
        )
    }

    /// The objects, and those that pointers in them lead to.
    fn reached(&self, from: impl Iterator<Item = ObjId>) -> HashSet<ObjId> {
        let mut out = HashSet::default();
        let mut work: Vec<ObjId> = from.collect();
        while let Some(object) = work.pop() {
            if out.insert(object) {
                work.extend(self.objects[object].pointers.values().flat_map(|targets| targets.keys().copied()));
            }
        }
        out
    }

    /// Does one of the functions, or of those that they name, name a variable by which active memory is found?
    fn touch_active(&self, m: &Module, functions: Vec<FuncId>) -> bool {
        let mut named = HashSet::default();
        for func in reachable_from(m, functions).into_iter().map(|id| &m.functions[id]) {
            for operand in func.inst_order().flat_map(|(_, inst)| func.insts[inst].kind.operands()) {
                let global = operand.constant().and_then(|constant| variable(m, constant));
                named.extend(global.and_then(|global| self.site(ObjKind::Global(global))));
            }
        }
        let varied = |object: ObjId| self.objects[object].varied;
        let alike = |object: ObjId| self.objects.keys().any(|other| varied(other) && self.same_memory(object, other));
        self.reached(named.into_iter()).into_iter().any(|object| varied(object) || alike(object))
    }
}
