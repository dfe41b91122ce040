//! A number that is held in the place of another one.
//!
//! Scratch memory that holds what its numbers are made of ([`crate::scratch`]) still has the adjoints of these numbers in its shadow: each is the sum of what all loads add
//! to it. So `held(x, y)` has the bits of `x`, and is `y` to derivatives: a store leaves `held(x, y)`, and what loads it goes on with `held(made, loaded)`.
//! That may be differentiated again, as tangents of that memory are those of `y`, too. The function gives its first operand, and the optimiser puts that in its place.
//!
//! What is made for its bits alone is *passive*: derivatives do not flow through it, but past it.

use crate::build::{Builder, plain_call};
use crate::runtime::internal;
use ir::{Function, Inst, InstId, InstKind, Module, Operand, Type, TypeId};

const NAME: &str = "__adj_held_";

/// Metadata of what is passive.
pub(crate) const PASSIVE: &str = "adj.passive";

/// Is it the name of the function for a type?
pub(crate) fn is(name: &str) -> bool {
    name.starts_with(NAME)
}

/// Does an instruction give nothing but bits?
pub(crate) fn is_passive(inst: &Inst) -> bool {
    inst.metadata(PASSIVE).is_some()
}

/// The call for numbers of a type: the bits of the first, the derivative of the second.
pub(crate) fn call(m: &mut Module, ty: TypeId, [held, meant]: [Operand; 2]) -> InstKind {
    let lanes = m.types.element_count(ty).map_or(String::new(), |n| format!("v{n}"));
    let suffix = m.types.float_kind(m.types.scalar(ty)).map_or("", ir::FloatKind::suffix);
    let name = format!("{NAME}{lanes}{suffix}");
    let f = internal(m, &name, ty, &[ty, ty]).map_or_else(
        |known| known,
        |mut f| {
            f.attrs = f.attrs.flag("alwaysinline");
            let mut b = Builder::new(m, f);
            let held = b.f.param(0);
            b.effect(InstKind::Ret(Some(held)));
            let f = b.f;
            m.functions.push(f)
        },
    );
    let fn_ty = m.types.intern(Type::Func { ret: ty, params: vec![ty, ty], vararg: false });
    let callee = m.function_address(f);
    InstKind::Call(Box::new(plain_call(callee, fn_ty, vec![held, meant], String::new())))
}

/// The instruction whose bits an operand has.
pub(crate) fn bits(m: &Module, func: &Function, operand: Operand) -> Option<InstId> {
    let inst = func.def_inst(operand.local()?)?;
    match func.insts[inst].kind.as_call() {
        Some(call) if m.as_function(call.callee).is_some_and(|f| is(&m.functions[f].name)) => {
            func.def_inst(call.args[0].local()?)
        }
        _ => Some(inst),
    }
}
