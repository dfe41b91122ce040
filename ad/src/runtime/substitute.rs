//! A number that is held in the place of another one.
//!
//! Scratch memory that holds what its numbers are made of ([`crate::restructure::rematerialise`]) still has the
//! adjoints of these numbers in its shadow: each is the sum of what all loads add to it. So `held(x, y)` has the bits
//! of `x`, and is `y` to derivatives: a store leaves `held(x, y)`, and what loads it goes on with `held(made, loaded)`.
//!
//! What is made for its bits alone is *passive*: derivatives do not flow through it, but past it.
//!
//! All that is told to the reverse pass. In the gradient itself `held(x, y)` is `x` ([`settle`]), which may be
//! differentiated again: tangents of that memory are then those of `x`, and what is made of it makes its tangents, too.

use crate::base::alias_scopes;
use crate::base::builder::plain_call;
use crate::base::names::declare;
use ir::hash::{HashMap, HashSet};
use ir::{FuncId, Function, Inst, InstId, InstKind, Module, Operand, Type, TypeId};

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

/// Marks an instruction that is made for its bits alone.
pub(crate) fn make_passive(m: &mut Module, inst: &mut Inst) {
    inst.metadata.push((PASSIVE.to_owned(), alias_scopes::records(m)));
}

/// The call for numbers of a type: the bits of the first, the derivative of the second.
pub(crate) fn call(m: &mut Module, ty: TypeId, [held, meant]: [Operand; 2]) -> InstKind {
    let lanes = m.types.element_count(ty).map_or(String::new(), |n| format!("v{n}"));
    let suffix = m.types.float_kind(m.types.scalar(ty)).map_or("", ir::FloatKind::suffix);
    let f = declare(m, &format!("{NAME}{lanes}{suffix}"), ty, &[ty, ty]);
    let fn_ty = m.types.intern(Type::Func { ret: ty, params: vec![ty, ty], vararg: false });
    let callee = m.function_address(f);
    InstKind::Call(Box::new(plain_call(callee, fn_ty, vec![held, meant], String::new())))
}

/// The instruction whose bits an operand has.
pub(crate) fn bits(m: &Module, func: &Function, operand: Operand) -> Option<InstId> {
    let inst = func.def_inst(operand.local()?)?;
    let call = func.insts[inst].kind.as_call();
    let held = call.filter(|call| m.as_function(call.callee).is_some_and(|f| is(&m.functions[f].name)));
    match held {
        Some(call) => func.def_inst(call.args[0].local()?),
        None => Some(inst),
    }
}

/// Puts what is held in the place of these calls, everywhere, and forgets what is passive.
pub(crate) fn settle(m: &mut Module) {
    let functions: HashSet<FuncId> = m.functions.iter().filter(|(_, f)| is(&f.name)).map(|(id, _)| id).collect();
    let callees: HashSet<Operand> = functions.iter().map(|f| m.function_address(*f)).collect();
    if callees.is_empty() {
        return;
    }
    for func in m.functions.values_mut() {
        let mut held: HashMap<Operand, Operand> = HashMap::default();
        for (_, inst) in func.inst_order() {
            let data = &func.insts[inst];
            if let (Some(call), Some(v)) = (data.kind.as_call().filter(|c| callees.contains(&c.callee)), data.result) {
                held.insert(Operand::Local(v), call.args[0]);
            }
        }
        let found = |mut o: Operand| {
            while let Some(other) = held.get(&o) {
                o = *other;
            }
            o
        };
        for data in func.insts.values_mut() {
            data.kind.for_each_operand_mut(|o| *o = found(*o));
            data.metadata.retain(|(name, _)| name != PASSIVE);
        }
        let insts = &func.insts;
        let stays = |i: &InstId| insts[*i].result.is_none_or(|v| !held.contains_key(&Operand::Local(v)));
        func.blocks.values_mut().for_each(|b| b.insts.retain(stays));
    }
}
