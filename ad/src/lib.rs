//! Automatic differentiation of LLVM IR: reverse and forward mode, on IR as any front end and optimiser leave it.
//!
//! [`differentiate`] replaces every differentiated call of a module by a call of a synthesised gradient or tangent. The pipeline:
//!
//! 1. [`hints`], [`calls`]: what the program tells of its functions, and by calls; [`names`]: what is none of the known names; [`checkpoint`]: loops with checkpoints; [`strided`],
//!    [`request`]: find the calls, read their markers;
//! 2. [`source`]: copy and normalise the functions they reach ([`device`]: but those of kernels; [`promote`]; [`inline`], [`contexts`] where the calls as they are give a
//!    refusal); [`marked`], [`outline`]: loops to be reversed from snapshots; [`variadic`]: variable arguments by name; [`dispatch`]: indirect
//!    calls; [`lower`]: barriers and computed
//!    branches; [`reducible`]: cycles with several entries; [`preheaders`]: where loops are entered;
//! 3. [`memory`]: where pointers point, what type of data lies there, what of it is active;
//! 4. [`needs`]: what the reverse of each instruction needs; [`lasting`]: what memory holds until then; [`joint`]: which loops are executed only then; [`scratch`]: what is made again; [`plan`]: what of that is stored, what recomputed,
//!    with an independent checker ([`plan::check`]);
//! 5. [`synth`]: emission of the forward and the reverse pass ([`blas`]: of routines that have a row for themselves; [`undo`], [`steps`]: of marked loops); [`runtime`]: the tape ([`marks`]: of parts that give back what they took; [`ledger`]: what is written to it); [`forward`]: of tangents, in place of
//!    4 and 5;
//! 6. [`replace`]: the call sites ([`delegate`]: for another tool instead; [`entry`]: derivatives for callers outside of the module).
//!
//! The derivative of an operation stands only in `rules`. What cannot be differentiated is a [`Diagnostic`] with its place.

mod align;
pub mod base;
pub mod batch;
pub mod blas;
pub mod calls;
mod cells;
pub mod check_shadows;
pub mod checkpoint;
pub mod clear;
mod codes;
pub mod contexts;
pub mod custom;
pub mod delegate;
mod device;
pub mod dispatch;
pub mod endless;
pub mod entry;
pub mod errno;
pub mod error;
pub mod explain;
pub mod few;
pub mod forward;
mod globals;
pub mod inline;
mod joint;
pub mod lasting;
pub mod library;
pub mod loads;
pub mod lower;
pub mod mantissas;
pub mod marked;
mod masks;
pub mod memory;
pub mod mode;
pub mod names;
pub mod needs;
pub mod options;
mod order;
mod outcome;
pub mod outline;
pub mod partials;
pub mod plan;
pub mod pointers;
pub mod preheaders;
pub mod program;
pub mod promote;
pub mod reducible;
pub mod repeat;
pub mod replace;
pub mod request;
pub mod runtime;
mod scratch;
pub mod signs;
pub mod source;
pub mod split;
pub mod steps;
mod stores;
pub mod strided;
pub mod strong;
pub mod synth;
mod taint;
pub mod tape;
pub mod typed;
pub mod undo;
pub mod variadic;
pub mod width;

pub use error::{Diagnostic, Reason};
pub use globals::is_shadow;
pub(crate) use globals::shadow_globals;
pub use mode::{Activity, Mode, Style};
pub use options::{Fault, Lever, Options, Without};
pub use outcome::{Judged, Output, Refusal, Tape};
pub use request::Request;

use contexts::{Calls, Copies};
use dispatch::Indirect;
use ir::hash::HashMap;
use ir::{FuncId, Module};
use lasting::Lasting;
use memory::Facts;
use needs::{Callee, Context};
use order::{inner_first, refused_step};
use source::Sources;
use std::collections::{BTreeMap, BTreeSet};
use synth::Env;

/// Replaces every differentiated call of a module.
pub fn differentiate(mut module: Module, options: &Options) -> Output {
    let (mut judged, mut refusals, mut requests) = (Vec::new(), Vec::new(), Vec::new());
    let misunderstood =
        program::registrations::apply(&mut module).into_iter().next().or_else(|| marked::unmatched(&module));
    strided::apply(&mut module);
    let told = calls::apply(&mut module);
    let unknown = [names::refused(&module), device::refused(&module)].concat();
    let refused = [told, unknown, batch::replace_all(&mut module), checkpoint::apply(&mut module)];
    refusals.extend(refused.into_iter().flatten().map(Refusal::from));
    for found in request::find(&module) {
        match found {
            Ok(request) => match &misunderstood {
                None => requests.push(request),
                // What is told may concern any gradient.
                Some(diagnostic) => {
                    let Request { caller, site, .. } = request;
                    refusals.push(Refusal { caller, site, diagnostic: diagnostic.clone() });
                }
            },
            Err((caller, site, diagnostic)) => refusals.push(Refusal { caller, site, diagnostic }),
        }
    }
    for (caller, site, diagnostic) in endless::rules(&module, &mut requests) {
        refusals.push(Refusal { caller, site, diagnostic });
    }
    let mut made = Made::default();
    for request in inner_first(&module, requests) {
        let (caller, site) = (request.caller, request.site);
        let loc = module.source_loc(&module.functions[caller], site);
        let made = match refused_step(&module, request.primal, &refusals) {
            Some(diagnostic) if request.mode == Mode::Reverse => Err(diagnostic),
            _ => carry_out(&mut module, &request, options, &mut made),
        };
        match made {
            Ok((function, gradient)) => judged.push(Judged {
                caller,
                site,
                loc,
                function,
                mode: request.mode,
                style: request.style,
                primal: request.primal,
                gradient,
                activities: request.arguments.iter().map(|a| a.activity).collect(),
                seeded: request.mode == Mode::Reverse
                    && !request.style.const_return
                    && module.types.float_kind(module.functions[request.primal].ret).is_some(),
                given: request.kind.given().is_some(),
                tape: None,
            }),
            Err(diagnostic) => refusals.push(Refusal { caller, site, diagnostic }),
        }
    }
    split_calls(&mut module, options, misunderstood.as_ref(), (&mut judged, &mut refusals));
    if !refusals.is_empty() {
        request::define_markers(&mut module);
    }
    judged.sort_by_key(|j| (j.caller, j.site));
    Output { module, judged, refusals }
}

/// Carries out the calls of split mode. The two calls of a pair name the same function with the same markers.
fn split_calls(
    m: &mut Module,
    options: &Options,
    misunderstood: Option<&Diagnostic>,
    (judged, refusals): (&mut Vec<Judged>, &mut Vec<Refusal>),
) {
    let mut requests = Vec::new();
    for found in tape::find(m) {
        match found {
            Ok(request) => requests.push(request),
            Err((caller, site, diagnostic)) => refusals.push(Refusal { caller, site, diagnostic }),
        }
    }
    type Made = BTreeMap<(FuncId, Vec<u8>), Result<split::Split, Diagnostic>>;
    let mut made = Made::new();
    let key = |r: &tape::Request| (r.primal, r.activities.iter().map(|a| *a as u8).collect::<Vec<u8>>());
    for request in &requests {
        let (caller, site) = (request.caller, request.site);
        let loc = m.source_loc(&m.functions[caller], site);
        let pair = |r: &&tape::Request| key(r) == key(request);
        let split = match misunderstood.cloned().or_else(|| refused_step(m, request.primal, refusals)) {
            Some(diagnostic) => Err(diagnostic),
            None if !requests.iter().filter(pair).any(|r| r.step == tape::Step::Augment) => {
                let name = &m.functions[request.primal].name;
                let message = format!("no `__enzyme_augmentfwd` of `{name}` with the same markers makes such a tape");
                Err(Diagnostic::at(m, &m.functions[caller], site, Reason::Misuse, message))
            }
            None => made
                .entry(key(request))
                .or_insert_with(|| {
                    let overwritten =
                        requests.iter().filter(pair).any(|r| r.step == tape::Step::Augment && r.overwritten);
                    split_gradient(m, request.primal, &request.activities, overwritten, options)
                })
                .clone(),
        };
        let done = split.and_then(|split| request.replace(m, &split).map(|function| (split, function)));
        match done {
            Err(diagnostic) => refusals.push(Refusal { caller, site, diagnostic }),
            Ok((split, function)) if request.step == tape::Step::Reverse => judged.push(Judged {
                caller,
                site,
                loc,
                function,
                mode: Mode::Reverse,
                style: Style::default(),
                primal: request.primal,
                gradient: split.both,
                activities: request.activities.clone(),
                seeded: m.types.float_kind(m.functions[request.primal].ret).is_some(),
                given: false,
                tape: Some(Tape {
                    augmented: split.augmented,
                    allocating: split.allocating,
                    kept: request.keep,
                    own: request.is_own(),
                }),
            }),
            Ok(_) => {}
        }
    }
}

/// The gradient of one function alone, with a chosen activity for each parameter.
pub fn gradient_of(
    module: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    options: &Options,
) -> Result<FuncId, Diagnostic> {
    synthesise(module, primal, activities, (Mode::Reverse, Style::default()), options)
}

/// The tangent of one function alone, with a chosen activity for each parameter, along `width` directions.
pub fn tangent_of(
    module: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    width: usize,
    options: &Options,
) -> Result<FuncId, Diagnostic> {
    synthesise(module, primal, activities, (Mode::Forward { width }, Style::default()), options)
}

type Made = HashMap<(FuncId, Vec<Activity>, Mode, Style), Result<FuncId, Diagnostic>>;

fn carry_out(
    m: &mut Module,
    request: &Request,
    options: &Options,
    made: &mut Made,
) -> Result<(FuncId, FuncId), Diagnostic> {
    let activities: Vec<Activity> = request.arguments.iter().map(|a| a.activity).collect();
    if request.kind.given().is_none() {
        globals::refuse_named(m, request)?;
    }
    let (function, gradient) = match request.kind.given() {
        None => {
            let key = (request.primal, activities.clone(), request.mode, request.style);
            let id = match made.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let id = synthesise(m, request.primal, &activities, (request.mode, request.style), options);
                    made.insert(key, id.clone());
                    id
                }
            }?;
            (id, id)
        }
        Some(df) => (replace::stub(m, request, df)?, df),
    };
    let called = match request.style.repeated {
        Some(mode::Why::Width) => width::wrap(m, request.primal, gradient, &activities, request.width),
        Some(mode::Why::Step | mode::Why::Tangents) | None => function,
    };
    replace::site(m, request, called)?;
    Ok((function, gradient))
}

/// A request that is refused leaves the module as it was.
fn synthesise(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    (mode, style): (Mode, Style),
    options: &Options,
) -> Result<FuncId, Diagnostic> {
    let attempt = |calls| attempt(m, primal, activities, (mode, style, calls), options);
    let (trial, function) = Calls::try_each(m, primal, attempt)?;
    *m = trial;
    Ok(function)
}

/// The derivative, made with one way of taking calls.
fn attempt(
    m: &Module,
    primal: FuncId,
    activities: &[Activity],
    (mode, style, apart): (Mode, Style, Calls),
    options: &Options,
) -> Result<(Module, FuncId), Diagnostic> {
    let mut trial = m.clone();
    let function = match mode {
        Mode::Reverse => {
            let root = looked_into(&mut trial, primal);
            gradient(&mut trial, root, activities, (style, apart), options)?
        }
        Mode::Forward { width } => {
            program::attributes::without_gradients(&mut trial);
            let root = looked_into(&mut trial, primal);
            let function = forward::tangent(&mut trial, root, activities, (width, style, apart), options)?;
            for (id, f) in m.functions.iter() {
                trial.functions[id].metadata.clone_from(&f.metadata);
            }
            function
        }
    };
    Ok((trial, function))
}

/// A function that is not looked into, because it is known or has a gradient of its own, is differentiated as the only
/// call of a function that does nothing else.
fn looked_into(m: &mut Module, primal: FuncId) -> FuncId {
    let known = !matches!(program::externals::classify(m, &m.functions[primal]), program::externals::External::Unknown);
    if !known && program::attributes::derivative(m, &m.functions[primal]).is_none() {
        return primal;
    }
    let callee = &m.functions[primal];
    let params: Vec<ir::TypeId> = callee.params.iter().map(|p| p.ty).collect();
    let mut f = ir::Function::new(&base::names::unique(m, &format!("__adj_call_{}", callee.name)), callee.ret, &params);
    f.flags.linkage = "internal".to_owned();
    let mut b = base::builder::Builder::new(m, f);
    let args = (0..params.len()).map(|i| b.f.param(i)).collect();
    let result = b.call(primal, args);
    b.effect(ir::InstKind::Ret(result));
    let f = b.f;
    m.functions.push(f)
}

/// The functions that a call reaches, and what is known of them.
fn analysed(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    (style, apart): (Style, Calls),
    without: Without,
) -> Result<(Sources, Facts, Copies, Indirect), Diagnostic> {
    let mut sources = source::collect(m, primal)?;
    outline::apply(m, &mut sources)?;
    let (mut indirect, mut copies) = (Indirect::default(), Copies::default());
    let mut simplify = |m: &mut Module, sources: &mut Sources, indirect: &mut Indirect| -> Result<(), Diagnostic> {
        variadic::specialise(m, sources, primal, &mut copies);
        if matches!(apart, Calls::FewWrittenOut | Calls::AsTheyAre) {
            if !without.has(Lever::Promotion) {
                inline::promote_slots(m, sources, indirect);
            }
            if apart == Calls::FewWrittenOut && ![Lever::Promotion, Lever::Inlining].iter().any(|l| without.has(*l)) {
                inline::write_out_few(m, sources, indirect);
                inline::retain_reached(m, sources, primal);
            }
            return Ok(());
        }
        // A pointer that is no variable any more may turn out to be that of a function.
        while {
            inline::simplify(m, sources, indirect);
            source::collect_called(m, sources)?
        } {
            variadic::specialise(m, sources, primal, &mut copies);
        }
        inline::retain_reached(m, sources, primal);
        if apart == Calls::Apart {
            contexts::separate(m, sources, primal, indirect, &mut copies);
        }
        Ok(())
    };
    simplify(m, &mut sources, &mut indirect)?;
    if dispatch::resolve(m, &mut sources, primal, activities, &mut indirect)? {
        simplify(m, &mut sources, &mut indirect)?;
    }
    let analyse = |m: &Module, sources: &Sources| {
        Facts::analyse_with(m, sources, primal, activities, &indirect, style.runtime_activity)
    };
    let mut facts = analyse(m, &sources)?;
    let mut coded = true;
    // What one round makes a float, the next may find used as one.
    while signs::rewrite(m, &mut sources, &facts)
        | masks::rewrite(m, &mut sources, &facts)
        | mantissas::rewrite(m, &mut sources, &facts)
        || std::mem::take(&mut coded) && codes::rewrite(m, &mut sources, &facts, primal)
    {
        facts = analyse(m, &sources)?;
    }
    facts.validate(m, &sources, apart == Calls::Apart)?;
    check_shadows::check(m, &sources, &facts)?;
    taint::check(m, &sources, &facts, primal)?;
    facts.remade = taint::addresses::check(m, &sources, &facts)?;
    Ok((sources, facts, copies, indirect))
}

/// A function split in two; one that is refused leaves the module as it was.
fn split_gradient(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    overwritten: bool,
    options: &Options,
) -> Result<split::Split, Diagnostic> {
    let (trial, split) = Calls::try_each(m, primal, |apart| {
        let mut trial = m.clone();
        let root = looked_into(&mut trial, primal);
        let style = Style::default();
        let how = How { caller_may_write: overwritten, combined: false, style, apart, options: *options };
        let split = synthesis(&mut trial, root, activities, how, |m, env| {
            let root = synth::root(m, env, root, activities)?;
            Ok(split::wrap(m, primal, activities, root, &env.globals))
        })?;
        Ok((trial, split))
    })?;
    *m = trial;
    Ok(split)
}

/// How a gradient is made.
#[derive(Clone, Copy)]
struct How {
    /// The caller may write to its memory between the two passes.
    caller_may_write: bool,
    /// Both passes are one function.
    combined: bool,
    style: Style,
    /// What becomes of calls.
    apart: Calls,
    options: Options,
}

fn gradient(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    (style, apart): (Style, Calls),
    options: &Options,
) -> Result<FuncId, Diagnostic> {
    let how = How { caller_may_write: false, combined: true, style, apart, options: *options };
    synthesis(m, primal, activities, how, |m, env| {
        let name = base::names::unique(m, &format!("__adj_gradient_{}", env.sources[&primal].name));
        let function = synth::combined(m, env, primal, &name, activities)?;
        Ok(m.functions.push(function))
    })
}

/// Analyses what the function reaches, makes the derivatives of what it calls, and then whatever is made of itself.
fn synthesis<T>(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    how: How,
    make: impl FnOnce(&mut Module, &Env) -> Result<T, Diagnostic>,
) -> Result<T, Diagnostic> {
    let (mut sources, mut facts, copies, indirect) =
        analysed(m, primal, activities, (how.style, how.apart), how.options.without)?;
    if !how.options.without.has(Lever::MergeLoads) {
        loads::merge(m, &facts, &mut sources);
    }
    facts.caller_may_write = how.caller_may_write;
    facts.without = how.options.without;
    if let Some(why) = how.style.repeated {
        repeat::check(m, &facts, &sources, why)?;
    }
    let undo = undo::Undo::new(m, &facts, &sources)?;
    let reached = differentiable(m, &facts, &sources, (primal, undo.as_ref()));
    variadic::refuse(m, &sources, &reached)?;
    facts.lasting = Lasting::find(m, &facts, &sources, &reached, (primal, how.combined && undo.is_none()));
    let alone = how.combined && undo.is_none();
    let again = |m: &Module, sources: &Sources| {
        Facts::analyse_with(m, sources, primal, activities, &indirect, how.style.runtime_activity)
    };
    let mut differentiable = reached;
    if alone {
        scratch::apply(m, (&mut sources, &mut facts), &mut differentiable, primal, again);
        if let Some(joined) = joint::apply(m, (&mut sources, &mut facts), &differentiable, (primal, how.style), again) {
            differentiable = joined;
            scratch::apply(m, (&mut sources, &mut facts), &mut differentiable, primal, again);
        }
    }
    check_shadows::check_functions(m, &sources, &facts, &differentiable)?;
    let globals = shadow_globals(m, &facts)?;
    let mut env = Env {
        facts: &facts,
        sources: &sources,
        differentiable: &differentiable,
        derived: BTreeMap::new(),
        globals,
        style: how.style,
        undo,
        fault: how.options.fault,
        without: how.options.without,
        shadows: base::alias_scopes::shadows(m),
        iterations: BTreeMap::new(),
    };
    // A library does not say what it overwrites, nor guards what it writes.
    let rows = how.options.fault.is_none() && env.undo.is_none();
    let routine = |m: &Module, id: FuncId| match rows && !facts.loses_in(id) {
        true => blas::rule(m, &sources[&id], how.style),
        false => None,
    };
    let looked_into = |id: &FuncId| *id == primal || routine(m, *id).is_none();
    let called = called_functions(m, &facts, &sources, &differentiable, looked_into);
    for id in &called {
        match facts.joint.contains(id) {
            true => synth::joint::declare(m, &mut env, *id),
            false => synth::declare_split(m, &mut env, *id),
        }
    }
    // An iteration within another one is made after it, and its gradient before.
    for id in called.iter().rev() {
        match routine(m, *id) {
            Some(rule) => blas::split(m, &env, *id, rule),
            None if facts.joint.contains(id) => synth::joint::gradient(m, &mut env, *id)?,
            None if undo::is_loop(&sources[id]) => steps::split(m, &env, *id)?,
            None => synth::split(m, &env, *id)?,
        }
    }
    let made = make(m, &env)?;
    synth::joint::drop_uncalled(m, &env);
    runtime::substitute::settle(m);
    copies.strip(m);
    Ok(made)
}

/// Functions that do anything for the derivative: something in reverse, or a pointer whose shadow moves, or something that a loop with
/// checkpoints must know.
fn differentiable(
    m: &Module,
    facts: &Facts,
    sources: &Sources,
    (root, undo): (FuncId, Option<&undo::Undo>),
) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::from([root]);
    loop {
        let before = out.len();
        for (id, func) in sources {
            if out.contains(id) || source::return_block(func).is_none() {
                continue;
            }
            let cx = Context { m, facts, sources, differentiable: &out, id: *id, func };
            let acts = undo.is_some_and(|undo| undo.records(*id))
                || facts.returns_shadow(*id)
                || func.inst_order().any(|(_, inst)| cx.acts(inst) || cx.moves_shadow(inst));
            if acts {
                out.insert(*id);
            }
        }
        if out.len() == before {
            return out;
        }
    }
}

/// Functions whose split derivative some differentiated function calls that is looked into.
fn called_functions(
    m: &Module,
    facts: &Facts,
    sources: &Sources,
    differentiable: &BTreeSet<FuncId>,
    looked_into: impl Fn(&FuncId) -> bool,
) -> BTreeSet<FuncId> {
    let mut out = BTreeSet::new();
    for id in differentiable.iter().filter(|id| looked_into(id)) {
        let func = &sources[id];
        let cx = Context { m, facts, sources, differentiable, id: *id, func };
        for (_, inst) in func.inst_order() {
            if let Some(call) = func.insts[inst].kind.as_call()
                && let Callee::Derived(f) = cx.callee(call)
            {
                out.insert(f);
            }
        }
    }
    out
}
