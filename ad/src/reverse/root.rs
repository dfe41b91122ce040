//! The differentiated function itself, split in two: the caller keeps the tape from one to the other.
//!
//! - forward: `f(params with shadows…, head of the arena, record) -> { result, shadow of the result }`;
//! - reverse: `f'(params with shadows…, adjoint of the result, record) -> adjoints of the active parameters by value`.
//!
//! Unlike in the split derivative of a function that is called ([`crate::reverse::split`]), the record is memory of the
//! caller, and the reverse gets the arguments again, so that none of them is kept.

use crate::analysis::wanted::Assumptions;
use crate::base::names::unique;
use crate::error::Diagnostic;
use crate::mode::Activity;
use crate::reverse::{Env, emitter, prepare};
use ir::{FuncId, Function, Module, TypeId};

/// The two functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root {
    /// The forward pass.
    pub forward: FuncId,
    /// The reverse pass.
    pub reverse: FuncId,
    /// Bytes of the record.
    pub record: u64,
    /// The forward pass takes more memory than the record, from the arena.
    pub uses_arena: bool,
    /// The forward pass returns the shadow of the result, too.
    pub returns_shadow: bool,
    /// Its threads share a run ([`crate::runtime::run`]).
    pub has_run: bool,
}

/// Emits both.
pub fn root(m: &mut Module, env: &Env, id: FuncId, activities: &[Activity]) -> Result<Root, Diagnostic> {
    let prepared = prepare(m, env, id, Assumptions { combined: false, arguments: true })?;
    let source = &env.sources[&id];
    let mut params: Vec<TypeId> = Vec::new();
    for (param, activity) in source.params.iter().zip(activities) {
        params.extend(vec![param.ty; if activity.is_dup() { 2 } else { 1 }]);
    }
    let ptr = m.types.ptr();
    let returns_shadow = env.facts.returns_shadow(id);
    let void = m.types.void();
    let results = if source.ret == void { Vec::new() } else { vec![source.ret; if returns_shadow { 2 } else { 1 }] };
    let ret = if results.is_empty() { void } else { m.types.tuple(results) };
    let signature = |name: String, ret, params: &[TypeId]| {
        let mut f = Function::new(&name, ret, params);
        f.flags.linkage = "internal".to_owned();
        f
    };

    let forward_params = [params.as_slice(), &[ptr, ptr]].concat();
    let name = unique(m, &format!("__adj_forward_{}", source.name));
    let mut e = emitter(m, env, id, &prepared, signature(name, ret, &forward_params), false);
    e.root = true;
    e.take_arguments(activities);
    e.tape = e.b.f.param(params.len());
    let (head, record) = (e.tape, e.b.f.param(params.len() + 1));
    e.records.insert(None, record);
    let size = e.record_types[&None].size;
    e.forward()?;
    let f = e.finished();
    let uses_arena = f.inst_order().any(|(_, i)| f.insts[i].kind.operands().contains(&head));
    let forward = m.functions.push(f);

    let seeded = m.types.float_kind(source.ret).is_some();
    let mut reverse_params = params.clone();
    reverse_params.extend(seeded.then_some(source.ret));
    reverse_params.push(ptr);
    let outs: Vec<TypeId> =
        source.params.iter().zip(activities).filter(|(_, a)| **a == Activity::Out).map(|(p, _)| p.ty).collect();
    let ret = match outs.len() {
        0 => void,
        1 => outs[0],
        _ => m.types.tuple(outs),
    };
    let name = unique(m, &format!("__adj_reverse_{}", source.name));
    let mut e = emitter(m, env, id, &prepared, signature(name, ret, &reverse_params), false);
    e.root = true;
    e.take_arguments(activities);
    let seed = seeded.then(|| e.b.f.param(params.len()));
    let record = e.b.f.param(reverse_params.len() - 1);
    e.records.insert(None, record);
    e.reverse(seed, activities)?;
    let f = e.finished();
    let reverse = m.functions.push(f);
    Ok(Root { forward, reverse, record: size, uses_arena, returns_shadow, has_run: env.has_run })
}

impl crate::reverse::Emitter<'_, '_> {
    /// The parameters, each duplicated one followed by its shadow.
    pub(super) fn take_arguments(&mut self, activities: &[Activity]) {
        let mut next = 0;
        for (param, activity) in self.func.params.iter().zip(activities) {
            self.primal.insert(param.value, self.b.f.param(next));
            next += 1;
            if activity.is_dup() {
                self.shadow.insert(param.value, self.b.f.param(next));
                next += 1;
            }
        }
    }
}
