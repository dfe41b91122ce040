//! Functions that are executed when they are reversed ([`crate::joint`]): nothing forwards, and a combined gradient in reverse.

use super::{Derived, Emitter, Env, active_parts, emitter, prepare, unique};
use crate::error::Diagnostic;
use crate::plan::Assumptions;
use ir::{Call, FuncId, Function, InstId, Module, Operand, TypeId, ValueId};

/// Declares the gradient: `f'(params…, shadows…, adjoint of the result) -> adjoints of the active parameters by value`.
pub fn declare(m: &mut Module, env: &mut Env, id: FuncId) {
    let func = &env.sources[&id];
    let (shadows, outs, seed) = active_parts(m, env, id);
    let mut params: Vec<TypeId> = func.params.iter().map(|p| p.ty).collect();
    params.extend(shadows.iter().map(|i| func.params[*i].ty));
    params.extend(seed);
    let ret = match outs.is_empty() {
        true => m.types.void(),
        false => m.types.tuple(outs.iter().map(|(_, t)| *t).collect()),
    };
    let mut reverse = Function::new(&unique(m, &format!("__adj_joint_{}", func.name)), ret, &params);
    reverse.flags.linkage = "internal".to_owned();
    let reverse = m.functions.push(reverse);
    env.derived.insert(id, Derived { forward: id, reverse, shadows, outs, returns_shadow: false, seed });
}

/// Emits its body.
pub fn gradient(m: &mut Module, env: &Env, id: FuncId) -> Result<(), Diagnostic> {
    let prepared = prepare(m, env, id, Assumptions { combined: true, arguments: false })?;
    let (derived, source) = (&env.derived[&id], &env.sources[&id]);
    let signature = m.functions[derived.reverse].clone();
    let mut e = emitter(m, env, id, &prepared, signature, true);
    let count = source.params.len();
    for (i, param) in source.params.iter().enumerate() {
        e.primal.insert(param.value, e.b.f.param(i));
    }
    for (n, i) in derived.shadows.iter().enumerate() {
        e.shadow.insert(source.params[*i].value, e.b.f.param(count + n));
    }
    let seed = derived.seed.map(|_| e.b.f.param(count + derived.shadows.len()));
    e.begin_tape();
    e.forward()?;
    e.reverse(seed, &[])?;
    let f = e.finished();
    m.functions[derived.reverse] = f;
    Ok(())
}

impl Emitter<'_, '_> {
    /// The forward pass leaves it out; nobody needs what it gives.
    pub(super) fn joint_forward(&mut self, inst: InstId) {
        let data = &self.func.insts[inst];
        if let Some(v) = data.result {
            let zero = self.b.m.zero(data.ty);
            self.primal.insert(v, zero);
        }
    }

    /// The call of the gradient.
    pub(super) fn joint_reverse(
        &mut self,
        inst: InstId,
        call: &Call,
        f: FuncId,
        result: Option<ValueId>,
    ) -> Result<(), Diagnostic> {
        let derived = self.env.derived[&f].clone();
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(self.reverse_primal(*arg)?);
        }
        for i in &derived.shadows {
            args.push(self.reverse_shadow(call.args[*i])?);
        }
        let seed: Option<Operand> = self.seed_of(inst, f, result)?;
        args.extend(seed);
        self.hand_back(inst, call, f, args)
    }
}
