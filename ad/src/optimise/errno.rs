//! In the functions of a gradient, mathematical functions set no `errno`, for native programs.
//!
//! The reverse pass asks for `cos x` where the forward pass computed `sin x` and, often, `cos x`; LLVM does not make
//! one call of two that write memory, and `errno` is memory. So each call of a function of libm with a row in the table
//! becomes one of the intrinsic that the synthesiser calls for that row, or, where LLVM has none, is marked
//! `memory(none)`: what clang does with `-fno-math-errno`. The intrinsic is translated to a call of the same function,
//! so that no value changes. The program's own functions keep their calls; where the module asks for the address of
//! `errno`, all do.
//!
//! The interpreter judges gradients without this.

use crate::base::names::declare;
use crate::emit::expr::CHOICE;
use ir::attr::{Attr, AttrValue};
use ir::{FuncId, Function, InstId, InstKind, Module, TypeId};

/// How glibc, Solaris and Apple's library give the address of `errno`.
const ADDRESS: [&str; 3] = ["__errno_location", "___errno", "__error"];

/// Rewrites the calls of a module's gradients.
pub fn install(m: &mut Module) {
    if m.functions.values().any(|f| ADDRESS.contains(&f.name.as_str())) {
        return;
    }
    let gradients: Vec<FuncId> = m.functions.iter().filter(|(_, f)| is_gradient(f)).map(|(id, _)| id).collect();
    for id in gradients {
        let order: Vec<InstId> = m.functions[id].inst_order().map(|(_, inst)| inst).collect();
        for inst in order {
            rewrite(m, id, inst);
        }
    }
}

/// Its instructions stand for those of a primal, and it is not to keep calls as they are (`-fno-builtin`); or it is a
/// part of a rule.
pub(crate) fn is_gradient(f: &Function) -> bool {
    let choice = f.name.starts_with(CHOICE);
    choice || !f.attrs.has("no-builtins") && f.inst_order().any(|(_, inst)| f.insts[inst].origin.is_some())
}

fn rewrite(m: &mut Module, id: FuncId, inst: InstId) {
    let InstKind::Call(call) = &m.functions[id].insts[inst].kind else { return };
    let Some(callee) = m.as_function(call.callee) else { return };
    let Some(name) = replacement(m, &m.functions[callee]) else { return };
    if call.fn_attrs.has("nobuiltin") || call.fn_attrs.has("memory") {
        return;
    }
    let (ret, params) = signature(&m.functions[callee]);
    let other = if name == m.functions[callee].name { callee } else { declare(m, &name, ret, &params) };
    let other = m.function_address(other);
    if let InstKind::Call(call) = &mut m.functions[id].insts[inst].kind {
        call.callee = other;
        call.fn_attrs.0.push(Attr { name: "memory".to_owned(), value: AttrValue::Text("none".to_owned()) });
    }
}

fn signature(f: &Function) -> (TypeId, Vec<TypeId>) {
    (f.ret, f.params.iter().map(|p| p.ty).collect())
}

/// What is called in place of a function of libm from floats to a float that has no effect but `errno`.
fn replacement(m: &Module, f: &Function) -> Option<String> {
    let float = |ty: TypeId| m.types.float_kind(ty).is_some();
    let plain = f.is_declaration() && !f.vararg && float(f.ret) && f.params.iter().all(|p| float(p.ty));
    let found = rules::lookup_symbol(&f.name).filter(|_| plain && !f.name.starts_with("__"))?;
    (found.row.effects.errno && !found.row.effects.signgam).then(|| found.row.callee(found.width))?
}
