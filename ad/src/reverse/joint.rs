//! Functions that are executed when they are reversed ([`crate::restructure::joint`]): nothing forwards, and a combined
//! gradient in reverse.
//!
//! What that keeps is on the tape of the whole gradient, and given back in the end ([`crate::runtime::tape_marks`]): no
//! tape is allocated for an iteration.

use crate::analysis::wanted::Assumptions;
use crate::base::names::unique;
use crate::base::{alias_scopes, blocks};
use crate::error::Diagnostic;
use crate::optimise::align_sums;
use crate::reverse::{Derived, Emitter, Env, active_parts, emitter, prepare};
use crate::runtime::tape_marks::{self, MARK_SIZE, TAPE_MARK, TAPE_RELEASE};
use ir::hash::{HashMap, HashSet};
use ir::{BlockId, Call, FuncId, Function, InstId, InstKind, Module, Operand, TypeId, ValueId};

/// Declares the gradient:
/// `f'(params…, shadows…, tape, adjoint of the result) -> adjoints of the active parameters by value`.
pub fn declare(m: &mut Module, env: &mut Env, id: FuncId) {
    let func = &env.sources[&id];
    let (shadows, outs, seed) = active_parts(m, env, id);
    let mut params: Vec<TypeId> = func.params.iter().map(|p| p.ty).collect();
    params.extend(shadows.iter().map(|i| func.params[*i].ty));
    params.push(m.types.ptr());
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
pub fn gradient(m: &mut Module, env: &mut Env, id: FuncId) -> Result<(), Diagnostic> {
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
    e.tape = e.b.f.param(count + derived.shadows.len());
    let seed = derived.seed.map(|_| e.b.f.param(count + derived.shadows.len() + 1));
    e.begin_record();
    e.mark_tape();
    e.forward()?;
    e.reverse(seed, &[])?;
    let (mut f, accesses) = e.finished_with_accesses();
    without_idle_marks(m, &mut f, count + derived.shadows.len());
    m.functions[derived.reverse] = f;
    env.iterations.insert(id, accesses);
    Ok(())
}

/// A function that takes nothing of the tape gives nothing back.
fn without_idle_marks(m: &Module, f: &mut Function, tape: usize) {
    let tape = f.param(tape);
    let order: Vec<(BlockId, InstId)> = f.inst_order().collect();
    let uses = order.into_iter().filter(|(_, inst)| f.insts[*inst].kind.operands().contains(&tape));
    let uses: Vec<(BlockId, InstId)> = uses.collect();
    let marks = |(_, inst): &(BlockId, InstId)| {
        let callee = f.insts[*inst].kind.as_call().and_then(|call| m.as_function(call.callee));
        callee.is_some_and(|id| [TAPE_MARK, TAPE_RELEASE].contains(&m.functions[id].name.as_str()))
    };
    if uses.iter().all(marks) {
        for (block, inst) in uses {
            f.blocks[block].insts.retain(|i| *i != inst);
        }
    }
}

impl Emitter<'_, '_> {
    /// Notes where the tape stands.
    fn mark_tape(&mut self) {
        let i8t = self.b.m.types.int(8);
        let ty = self.b.m.types.array(MARK_SIZE, i8t);
        let mark = self.stack(ty, 8);
        let note = tape_marks::tape_mark(self.b.m);
        self.b.call(note, vec![self.tape, mark]);
        self.mark = Some(mark);
    }

    /// Gives back what was taken of the tape since.
    pub(super) fn release_tape(&mut self) {
        let release = tape_marks::tape_release(self.b.m);
        let args = [Some(self.tape), self.mark].into_iter().flatten().collect();
        self.b.call(release, args);
    }

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
        args.push(self.tape);
        let seed: Option<Operand> = self.seed_of(inst, f, result)?;
        args.extend(seed);
        match self.written_out(inst, f, &args) {
            Some(adjoints) => self.take_back(inst, call, f, adjoints),
            None => self.hand_back(inst, call, f, args),
        }
    }

    /// Writes the gradient of an iteration out in the place of its call, if it goes one way, and sums may wait then
    /// ([`crate::optimise::align_sums`]); what it returns, if it returns anything. The loop around it is one block of
    /// the reverse pass, as if the iteration were no function.
    fn written_out(&mut self, inst: InstId, f: FuncId, args: &[Operand]) -> Option<Option<Operand>> {
        let accesses = self.env.iterations.get(&f)?;
        let body = self.b.m.functions[self.env.derived[&f].reverse].clone();
        let way = way(&body).filter(|_| align_sums::has_neighbours(self.b.m, &body, &accesses.cells))?;
        let mut values: HashMap<ValueId, Operand> =
            body.params.iter().map(|p| p.value).zip(args.iter().copied()).collect();
        let (mut returned, list) = (None, self.record_list);
        for old in way {
            let mut new = body.insts[old].clone();
            let of_record = alias_scopes::of(&new, list);
            alias_scopes::leave_scopes(&mut new.metadata);
            if of_record {
                alias_scopes::is_in(&mut new.metadata, list);
            }
            new.kind.for_each_operand_mut(|o| *o = o.local().and_then(|v| values.get(&v).copied()).unwrap_or(*o));
            let (has_result, at) = (new.result.take().is_some(), self.b.at);
            let copy = match new.kind {
                InstKind::Br(_) => continue,
                InstKind::Ret(value) => {
                    returned = value;
                    continue;
                }
                // On one way it has one entry.
                InstKind::Phi { ref incoming, .. } => {
                    values.extend(body.insts[old].result.zip(incoming.first().map(|(value, _)| *value)));
                    continue;
                }
                InstKind::Alloca { .. } => {
                    let (copy, entry) = (self.b.f.create_inst(new, true), self.b.f.entry());
                    self.b.f.blocks[entry].insts.insert(0, copy);
                    copy
                }
                _ => self.b.f.append(at, new, has_result),
            };
            values.extend(body.insts[old].result.zip(self.b.f.insts[copy].result.map(Operand::Local)));
            if accesses.cells.contains(&old) {
                self.cells.insert(copy, inst);
            }
            if accesses.primal.contains(&old) {
                self.primal_accesses.insert(copy);
            }
        }
        Some(returned)
    }
}

/// Takes the bodies off gradients of iterations that are written out where they were called.
pub fn drop_uncalled(m: &mut Module, env: &Env) {
    let gradients: HashSet<FuncId> = env.iterations.keys().map(|id| env.derived[id].reverse).collect();
    if gradients.is_empty() {
        return;
    }
    let bodies = m.functions.values().flat_map(|f| f.inst_order().map(move |(_, inst)| &f.insts[inst]));
    let operands = bodies.flat_map(|inst| inst.kind.operands());
    let called: HashSet<FuncId> = operands.filter_map(|o| m.as_function(o)).filter(|f| gradients.contains(f)).collect();
    for id in gradients.difference(&called) {
        m.functions[*id].layout.clear();
        m.functions[*id].flags.linkage.clear();
    }
}

/// A gradient of more instructions is called.
const LONGEST: usize = 1024;

/// The instructions of a function that goes one way, in their order.
fn way(f: &Function) -> Option<Vec<InstId>> {
    let (mut out, mut at) = (Vec::new(), f.entry());
    let merges = |inst: InstId| matches!(&f.insts[inst].kind, InstKind::Phi { incoming, .. } if incoming.len() != 1);
    while out.len() <= LONGEST {
        if blocks::phis(f, at).into_iter().any(merges) {
            return None;
        }
        out.extend(&f.blocks[at].insts);
        match f.insts[f.terminator(at)?].kind {
            InstKind::Br(to) => at = to,
            InstKind::Ret(_) => return Some(out),
            _ => return None,
        }
    }
    None
}
