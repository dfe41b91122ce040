//! Reverse mode: what a gradient reaches is analysed and restructured, the derivatives of what it calls are made, and
//! then its own.

use crate::analysis::analyses::Analyses;
use crate::analysis::context::Context;
use crate::analysis::memory::Facts;
use crate::analysis::overwritten_by_steps::{self, Undo};
use crate::analysis::parallel::{Parallel, orders};
use crate::analysis::reach::{called_functions, differentiable};
use crate::analysis::{outlives, reload, repeatable};
use crate::base::alias_scopes;
use crate::base::names::unique;
use crate::check::after::Writers;
use crate::check::shadows;
use crate::emit::{blas, messages, shadow_globals};
use crate::error::Diagnostic;
use crate::mode::{Activity, Style};
use crate::normalise::clone_contexts::{Calls, Copies};
use crate::normalise::sources::Sources;
use crate::normalise::{fork, threads, variadic};
use crate::options::{Lever, Options};
use crate::pipeline::analyse::{Analysed, analysed};
use crate::program::openmp;
use crate::restructure;
use crate::reverse::{self, Env, checkpoint_steps, joint, order};
use crate::rewrite::redundant_loads;
use crate::runtime::substitute;
use ir::{FuncId, Module};
use std::collections::{BTreeMap, BTreeSet};

/// How a gradient is made.
#[derive(Clone, Copy)]
pub(crate) struct How {
    /// The caller may write to its memory between the two passes.
    pub caller_may_write: bool,
    /// Both passes are one function.
    pub combined: bool,
    /// Options of the call.
    pub style: Style,
    /// What becomes of calls.
    pub calls: Calls,
    /// Injected faults, and disabled optimisations.
    pub options: Options,
}

/// The combined gradient of a function.
pub(crate) fn gradient(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    (style, calls): (Style, Calls),
    options: &Options,
) -> Result<FuncId, Diagnostic> {
    let how = How { caller_may_write: false, combined: true, style, calls, options: *options };
    synthesis(m, primal, activities, how, |m, env| {
        let name = unique(m, &format!("__adj_gradient_{}", env.sources[&primal].name));
        let function = reverse::combined(m, env, primal, &name, activities)?;
        Ok(m.functions.push(function))
    })
}

/// What a gradient is made of: the functions as they are planned and emitted.
pub(crate) struct Prepared {
    /// The normalised functions.
    pub sources: Sources,
    /// What is known of them.
    pub facts: Analyses,
    /// Functions that have a derivative.
    pub differentiable: BTreeSet<FuncId>,
    /// What teams of threads execute.
    pub parallel: Parallel,
    /// What loops with checkpoints ask for.
    pub undo: Option<Undo>,
    /// Functions that were made for the analyses.
    pub copies: Copies,
}

/// Analyses what the function reaches, and restructures it.
pub(crate) fn prepared(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    how: How,
) -> Result<Prepared, Diagnostic> {
    let without = how.options.without;
    orders::refuse_twice(m, primal)?;
    messages::refuse_twice(m, primal)?;
    let Analysed { mut sources, mut facts, copies, indirect } =
        analysed(m, primal, activities, (how.style, how.calls), without)?;
    if !without.has(Lever::MergeLoads) {
        redundant_loads::merge(m, &facts, &mut sources);
    }
    (facts.caller_may_write, facts.without) = (how.caller_may_write, without);
    if let Some(why) = how.style.repeated {
        repeatable::check(m, &facts, &sources, why)?;
    }
    let undo = Undo::new(m, &facts, &sources)?;
    let mut differentiable = differentiable(m, &facts, &sources, (primal, undo.as_ref()));
    variadic::refuse(m, &sources, &differentiable)?;
    let alone = how.combined && undo.is_none();
    facts.both_passes = alone;
    facts.reloads = reload::find(m, &facts, &sources, &differentiable, (primal, alone));
    if alone {
        let again = |m: &Module, sources: &Sources| {
            Facts::analyse_with(m, sources, primal, activities, &indirect, how.style.runtime_activity)
        };
        let of = (&mut sources, &mut facts);
        restructure::apply(m, of, &mut differentiable, (primal, how.style), again);
    }
    shadows::check_functions(m, &sources, &facts, &differentiable)?;
    let mut parallel = Parallel::find(m, &facts, &sources);
    orders::refuse(m, &sources, &differentiable, Some(&parallel))?;
    orders::refuse_in_tasks(m, &facts, &sources)?;
    parallel.find_owners(&Context {
        m,
        facts: &facts,
        sources: &sources,
        differentiable: &differentiable,
        id: primal,
        func: &sources[&primal],
    });
    Ok(Prepared { sources, facts, differentiable, parallel, undo, copies })
}

/// Prepares a function, makes the derivatives of what it calls, and then whatever is made of itself.
pub(crate) fn synthesis<T>(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    how: How,
    make: impl FnOnce(&mut Module, &Env) -> Result<T, Diagnostic>,
) -> Result<T, Diagnostic> {
    let Prepared { sources, facts, differentiable, parallel, undo, copies } = prepared(m, primal, activities, how)?;
    let outliving = outlives::from_the_heap(&facts);
    let mut env = Env {
        facts: &facts,
        sources: &sources,
        differentiable: &differentiable,
        derived: BTreeMap::new(),
        globals: shadow_globals::shadow_globals(m, &facts)?,
        style: how.style,
        undo,
        parallel,
        has_run: order::takes_turns(m, &sources) || outlives::may_be_freed(m, &facts, &sources, &outliving),
        outliving,
        writers: Writers::default(),
        fault: how.options.fault,
        without: how.options.without,
        shadows: alias_scopes::shadows(m),
        iterations: BTreeMap::new(),
    };
    split_derivatives(m, &mut env, primal)?;
    let made = make(m, &env)?;
    joint::drop_uncalled(m, &env);
    substitute::settle(m);
    copies.strip(m);
    Ok(made)
}

/// The derivatives of all functions that the differentiated one calls.
fn split_derivatives(m: &mut Module, env: &mut Env, primal: FuncId) -> Result<(), Diagnostic> {
    // A library does not say what it overwrites, nor guards what it writes.
    let rows = env.fault.is_none() && env.undo.is_none();
    let (facts, sources, style) = (env.facts, env.sources, env.style);
    // Nor does it add to what several threads add to.
    let inside: BTreeSet<FuncId> = sources.keys().copied().filter(|id| env.parallel.is_inside(*id)).collect();
    let routine = |m: &Module, id: FuncId| match rows && !facts.loses_in(id) && !inside.contains(&id) {
        true => blas::rule(m, &sources[&id], style),
        false => None,
    };
    let looked_into = |id: &FuncId| *id == primal || routine(m, *id).is_none();
    let called = called_functions(m, facts, sources, env.differentiable, looked_into);
    for id in &called {
        match facts.joint.contains(id) {
            true => joint::declare(m, env, *id),
            false => reverse::declare_split(m, env, *id),
        }
    }
    // An iteration within another one is made after it, and its gradient before.
    for id in called.iter().rev() {
        match routine(m, *id) {
            Some(rule) => reverse::blas::split(m, env, *id, rule),
            None if fork::is_fork(&env.sources[id]) => reverse::fork::split(m, env, *id)?,
            None if threads::is_spawn(&env.sources[id]) => reverse::threads::split_spawn(m, env, *id)?,
            None if threads::is_await(&env.sources[id]) => reverse::threads::split_await(m, env, *id),
            None if openmp::hands_over(&env.sources[id]) => reverse::tasks::split_hand_over(m, env, *id)?,
            None if openmp::awaits_tasks(&env.sources[id]) => reverse::tasks::split_await(m, env, *id),
            None if facts.joint.contains(id) => joint::gradient(m, env, *id)?,
            None if overwritten_by_steps::is_loop(&sources[id]) => checkpoint_steps::split(m, env, *id)?,
            None => reverse::split(m, env, *id)?,
        }
    }
    Ok(())
}
