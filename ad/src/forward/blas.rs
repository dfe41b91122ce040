//! The tangent of a routine, from its row: the terms before the primal in every direction, the primal once, the terms
//! behind it.

use crate::analysis::analyses::Analyses;
use crate::analysis::context::Context;
use crate::analysis::memory::query::PointerKind;
use crate::base::builder::Builder;
use crate::emit::blas::lower::Lower;
use crate::emit::blas::{Rule, origin};
use crate::normalise::sources::Sources;
use ir::{ConstKind, FuncId, InstKind, Module, Operand, Role};
use rules::blas::{Kind, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The function to be written.
pub(crate) struct Wanted<'a> {
    /// The facts.
    pub facts: &'a Analyses,
    /// The normalised functions.
    pub sources: &'a Sources,
    /// Functions with a tangent of their own.
    pub differentiable: &'a BTreeSet<FuncId>,
    /// The routine.
    pub id: FuncId,
    /// Declared; its parameters are those of the routine, each with its duals behind it where it has any.
    pub function: FuncId,
    /// Which parameters have.
    pub duals: &'a [bool],
    /// It returns the result with its tangents.
    pub returns: bool,
    /// Directions.
    pub width: usize,
}

/// Emits the body of a routine's tangent.
pub(crate) fn tangent(m: &mut Module, wanted: &Wanted, rule: Rule) {
    let Wanted { facts, sources, differentiable, id, .. } = *wanted;
    let source = &sources[&id];
    let positions = rule.positions();
    let active: BTreeMap<&str, bool> = {
        let cx = Context { m, facts, sources, differentiable, id, func: source };
        let is_mixed = |i: usize| cx.pointer_kind(source.param(i)) == PointerKind::Mixed;
        let with = positions.iter().filter(|(_, i)| wanted.duals[**i]);
        with.map(|(name, i)| (*name, is_mixed(*i))).collect()
    };
    let signature = m.functions[wanted.function].clone();
    let mut builder = Builder::new(m, signature);
    builder.origin = origin(source, id, Role::Tangent);
    let (mut arguments, mut duals): (Vec<Operand>, Vec<Vec<Operand>>) = (Vec::new(), Vec::new());
    let mut next = 0..builder.f.params.len();
    for dual in wanted.duals {
        let mut parameter = || next.next().map(|i| builder.f.param(i));
        arguments.extend(parameter());
        duals.push((0..if *dual { wanted.width } else { 0 }).filter_map(|_| parameter()).collect());
    }

    let mut lower = Lower::new(&mut builder, rule);
    lower.arguments(&arguments);
    let real = lower.real();
    let align = lower.b.align(real);
    let has_dual = |name: &str| active.contains_key(name);
    // A number behind a pointer gets a tangent of zero where its memory is constant, so nothing is asked of it.
    let scalar = |name: &str| rule.routine.operands().contains(&(name, Kind::Scalar));
    lower.active = active.iter().map(|(name, mixed)| (*name, *mixed && !scalar(name))).collect();
    let alive = if rule.routine.returns() { wanted.returns } else { rule.routine.outputs().into_iter().any(has_dual) };
    let terms = if alive { rule.routine.tangents } else { &[] };
    let at = terms.iter().position(|t| t.of.is_empty()).unwrap_or(0);
    let mut results = Vec::new();
    for _ in 0..if wanted.returns { wanted.width } else { 0 } {
        let (slot, zero) = (lower.slot(real), lower.b.m.zero(real));
        lower.b.store(zero, slot, align);
        results.push(slot);
    }
    let run = |lower: &mut Lower, terms: &[Term]| {
        for d in 0..wanted.width {
            for (name, kind) in rule.routine.operands() {
                let Some(dual) = duals[positions[name]].get(d).copied() else { continue };
                let tangent = match kind {
                    Kind::Scalar if !rule.spelling.cblas => {
                        lower.scalar_behind(name, dual, active.get(name) == Some(&true))
                    }
                    _ => dual,
                };
                lower.values.insert(format!("{name}'"), tangent);
            }
            lower.sums = results.get(d).into_iter().flat_map(|r| positions.keys().map(|n| (*n, *r))).collect();
            let condition = lower.useful();
            lower.only_if(condition, |lower| {
                for term in terms.iter().filter(|t| has_dual(t.of)) {
                    lower.term(term);
                }
            });
        }
    };
    run(&mut lower, &terms[..at]);
    let result = lower.b.call(id, arguments);
    lower.called(result);
    if let Some(behind) = terms.get(at + 1..) {
        run(&mut lower, behind);
    }
    let returned = match result {
        Some(result) if wanted.returns => {
            let ret = lower.b.f.ret;
            let mut whole = lower.b.m.constant(ret, ConstKind::Poison);
            whole = lower.b.insert(whole, result, 0);
            for (i, slot) in results.into_iter().enumerate() {
                let tangent = lower.b.load(real, slot, align);
                whole = lower.b.insert(whole, tangent, 1 + i as u32);
            }
            Some(whole)
        }
        other => other,
    };
    builder.effect(InstKind::Ret(returned));
    let f = builder.f;
    m.functions[wanted.function] = f;
}
