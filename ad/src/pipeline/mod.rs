//! The order of things: from a module with calls to a module with derivatives.
//!
//! 1. what the program states is read, and the calls that ask for derivatives are found ([`crate::request`]);
//! 2. each is carried out, calls in what is itself differentiated first ([`derivative`], [`split_calls`]):
//!    1. the functions it reaches are copied, normalised and analysed ([`analyse`]);
//!    2. they are restructured, planned, checked and emitted ([`gradient`], or [`crate::forward`] for a tangent);
//! 3. the calls are replaced.

pub mod analyse;
pub mod c_entry;
pub mod claims;
pub mod derivative;
pub mod explain;
mod gradient;
mod grids;
mod split_calls;
mod tangent;

use crate::emit::{shadow_globals, zero_guard};
use crate::error::Diagnostic;
use crate::mode::{Activity, Mode, Style, Why};
use crate::normalise::wrappers;
use crate::options::{Everywhere, Lever, Options, Without};
use crate::program::{loop_marks, registrations};
use crate::request::autodiff::{self, Request};
use crate::request::order::{differentiated, inner_first, refused_step};
use crate::request::outcome::{Judged, Output, Refusal};
use crate::request::{
    annotations, batch, by_value, call_site, checkpoint_for, choices, grouped, markers, precision, recursion, strided,
    unknown_names, width,
};
use crate::rewrite::dense_views::{self, Changed};
use ir::hash::HashMap;
use ir::{FuncId, Module};

/// Replaces every autodiff call of a module.
pub fn differentiate(mut module: Module, options: &Options) -> Output {
    let mut refusals = Vec::new();
    zero_guard::raise(&mut module);
    let misunderstood = read(&mut module);
    let requests = requests(&mut module, options.everywhere, misunderstood.as_ref(), &mut refusals);
    let requests = inner_first(&module, requests);
    let again = differentiated(&module, &requests);
    let nested = requests.iter().any(|request| again.contains(&request.caller));
    let before = nested.then(|| module.clone());
    // What a thread keeps in tables cannot be differentiated.
    let twice: Vec<FuncId> = requests.iter().filter(|r| again.contains(&r.caller)).map(|r| r.primal).collect();
    let without = |request: &Request| match twice.contains(&request.primal) {
        true => options.without.and(Lever::Gathering),
        false => options.without,
    };
    let mut done = each(&mut module, &requests, (options, &refusals), without);
    if let Some(mut other) = before.filter(|_| !done.1.is_empty()) {
        // What is differentiated again may have no arrays within arrays on its tape, whose floats nobody can tell from
        // what else lies there; but then it has more addresses there, of which not all can be followed everywhere.
        let fewer = |request: &Request| match again.contains(&request.caller) {
            true => without(request).and(Lever::Nesting),
            false => without(request),
        };
        let plain = each(&mut other, &requests, (options, &refusals), fewer);
        if plain.1.len() < done.1.len() {
            (module, done) = (other, plain);
        }
    }
    let (mut judged, refused) = done;
    refusals.extend(refused);
    split_calls::carry_out(&mut module, options, misunderstood.as_ref(), (&mut judged, &mut refusals));
    refusals.extend(precision::apply(&mut module, precision::Moment::After).into_iter().map(Refusal::from));
    let dense = dense_views::lower(&mut module);
    for changed in dense.changed {
        let Changed { caller, site, callee, dense } = changed;
        let dense = Some(dense);
        if let Some(own) = judged.iter_mut().find(|j| (j.caller, j.site) == (caller, site)) {
            own.dense = dense;
        } else if let Some(same) = judged.iter().find(|j| j.function == callee).cloned() {
            // In the copy of a function that gets such a shadow.
            judged.push(Judged { caller, site, dense, ..same });
        }
    }
    refusals.extend(dense.refused.into_iter().map(Refusal::from));
    if !refusals.is_empty() {
        markers::define_markers(&mut module);
    }
    if !judged.is_empty() {
        by_value::restore(&mut module);
    }
    judged.sort_by_key(|j| (j.caller, j.site));
    Output { module, judged, refusals }
}

/// Carries out the calls that ask for one derivative each, in this order; those that are refused stay.
fn each(
    m: &mut Module,
    requests: &[Request],
    (options, before): (&Options, &[Refusal]),
    without: impl Fn(&Request) -> Without,
) -> (Vec<Judged>, Vec<Refusal>) {
    let (mut judged, mut refusals, mut made) = (Vec::new(), before.to_vec(), Made::default());
    for request in requests {
        let options = Options { without: without(request), ..*options };
        match carry_out(m, request, (&options, &refusals), &mut made) {
            Ok(done) => judged.push(done),
            Err(diagnostic) => refusals.push(Refusal { caller: request.caller, site: request.site, diagnostic }),
        }
    }
    (judged, refusals.split_off(before.len()))
}

/// Reads what the program states about its functions and loops. What is not understood may concern any gradient: the
/// first of it.
fn read(m: &mut Module) -> Option<Diagnostic> {
    let unknown = unknown_names::registrations(m).into_iter().next();
    let told = registrations::apply(m).into_iter().next();
    unknown.or(told).or_else(|| loop_marks::unmatched(m))
}

/// The calls that ask for derivatives, in the form of those that ask for one.
fn requests(
    m: &mut Module,
    everywhere: Everywhere,
    misunderstood: Option<&Diagnostic>,
    refusals: &mut Vec<Refusal>,
) -> Vec<Request> {
    let Everywhere { strong_zero, runtime_activity } = everywhere;
    let style = Style { strong_zero, runtime_activity, ..Style::default() };
    wrappers::write_out(m);
    choices::take_apart(m);
    grouped::unpack(m);
    strided::apply(m);
    let told = annotations::apply(m);
    let unknown = unknown_names::refused(m);
    let narrowed = precision::apply(m, precision::Moment::Before);
    let refused = [told, unknown, narrowed, batch::replace_all(m), checkpoint_for::apply(m)];
    refusals.extend(refused.into_iter().flatten().map(Refusal::from));
    let mut requests = Vec::new();
    for found in autodiff::find(m, style) {
        match (found, misunderstood) {
            (Ok(request), None) => requests.push(request),
            (Ok(Request { caller, site, .. }), Some(diagnostic)) => {
                refusals.push(Refusal { caller, site, diagnostic: diagnostic.clone() });
            }
            (Err(refused), _) => refusals.push(Refusal::from(refused)),
        }
    }
    refusals.extend(recursion::rules(m, &mut requests).into_iter().map(Refusal::from));
    requests
}

/// Derivatives that were made, or refused: several calls may ask for the same.
type Made = HashMap<(FuncId, Vec<Activity>, Mode, Style, Without), Result<FuncId, Diagnostic>>;

/// Makes the derivative that a call asks for, and replaces the call.
fn carry_out(
    m: &mut Module,
    request: &Request,
    (options, refusals): (&Options, &[Refusal]),
    made: &mut Made,
) -> Result<Judged, Diagnostic> {
    let Request { caller, site, primal, mode, style, .. } = *request;
    let loc = m.source_loc(&m.functions[caller], site);
    if let Some(diagnostic) = refused_step(m, primal, refusals).filter(|_| mode == Mode::Reverse) {
        return Err(diagnostic);
    }
    let activities: Vec<Activity> = request.arguments.iter().map(|a| a.activity).collect();
    let (function, gradient) = match request.kind.given() {
        Some(given) => call_site::stub(m, request, given)?,
        None => {
            shadow_globals::refuse_named(m, request)?;
            let key = (primal, activities.clone(), mode, style, options.without);
            let known = made.get(&key).cloned();
            let id = known.unwrap_or_else(|| {
                let id = derivative::synthesise(m, primal, &activities, (mode, style), options);
                made.insert(key, id.clone());
                id
            })?;
            (id, id)
        }
    };
    let called = match style.repeated {
        Some(Why::Width) => width::wrap(m, primal, gradient, &activities, request.width),
        Some(Why::Step | Why::Tangents) | None => function,
    };
    let grid = grids::of(m, request);
    call_site::site(m, request, called)?;
    let is_float = m.types.float_kind(m.functions[primal].ret).is_some();
    Ok(Judged {
        caller,
        site,
        loc,
        function,
        mode,
        style,
        primal,
        gradient,
        activities,
        seeded: mode == Mode::Reverse && !style.const_return && is_float,
        given: request.kind.given().is_some(),
        tape: None,
        dense: None,
        grid,
    })
}
