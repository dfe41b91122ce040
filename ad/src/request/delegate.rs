//! Differentiated calls for another tool, so that its gradients can be judged as ours are.
//!
//! Each call moves into a function of the gradient's signature (a *site*), which asks for the derivative in Enzyme's
//! convention:
//!
//! ```text
//! define double @__adj_site_0(ptr %x, ptr %dx, double %y, double %seed) noinline {
//!   %const = load i32, ptr @enzyme_const …
//!   %r = call double @__enzyme_autodiff_0(ptr @__adj_seeded_0, i32 %dup, ptr %x, ptr %dx, i32 %out, double %y,
//!                                         i32 %const, double %seed)
//!   ret double %r
//! }
//! ```
//!
//! A result is multiplied by the seed in a function around the primal (`__adj_seeded_0`), because that convention knows
//! no seed but 1. [`prepare`] makes the sites; the tool replaces the calls within; [`adopt`] finds the sites again by
//! name and gives what [`crate::pipeline::differentiate`] gives.

use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::error::{Diagnostic, Reason};
use crate::mode::{Activity, Kind, Mode, Style};
use crate::request::autodiff::Request;
use crate::request::call_site::{Site, gradient_params};
use crate::request::outcome::{Judged, Output, Refusal};
use crate::request::{autodiff, call_site, entry_points, markers, split_mode};
use ir::{BinOp, FuncId, Function, Global, InstId, InstKind, Module, Operand, SourceLoc, TypeId};

/// A differentiated call that waits for its derivative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delegated {
    site: String,
    primal: String,
    caller: String,
    loc: Option<SourceLoc>,
    mode: Mode,
    activities: Vec<Activity>,
    seeded: bool,
}

/// The module to hand over, the calls in it that will be judged, and those that cannot be.
pub fn prepare(mut m: Module) -> (Module, Vec<Delegated>, Vec<Refusal>) {
    let (mut delegated, mut refusals) = (Vec::new(), Vec::new());
    let split = split_mode::find(&m).into_iter().map(|found| match found {
        Ok(request) => (request.caller, request.site),
        Err((caller, site, _)) => (caller, site),
    });
    for (caller, site) in split {
        let message = "split mode is not judged with another tool";
        let diagnostic = Diagnostic::at(&m, &m.functions[caller], site, Reason::Unsupported, message);
        refusals.push(Refusal { caller, site, diagnostic });
    }
    for found in autodiff::find(&m, Style::default()) {
        let refusal = match found {
            Err(refused) => Some(refused),
            Ok(request) => {
                let (caller, site) = (request.caller, request.site);
                delegate(&mut m, &request, delegated.len())
                    .map(|it| delegated.push(it))
                    .err()
                    .map(|d| (caller, site, d))
            }
        };
        refusals.extend(refusal.map(|(caller, site, diagnostic)| Refusal { caller, site, diagnostic }));
    }
    (m, delegated, refusals)
}

fn delegate(m: &mut Module, request: &Request, n: usize) -> Result<Delegated, Diagnostic> {
    let primal = &m.functions[request.primal];
    let through_memory = primal.params.first().is_some_and(|p| p.attrs.has("sret"));
    if request.kind.given().is_some() || request.style != Style::default() || through_memory {
        let message = "options of the call, given gradients and results in memory are not judged with another tool";
        return Err(Diagnostic::at(m, &m.functions[request.caller], request.site, Reason::Unsupported, message));
    }
    let entry = if request.kind == Kind::Forward { "__enzyme_fwddiff" } else { "__enzyme_autodiff" };
    let ret = primal.ret;
    let seeded = request.mode == Mode::Reverse && m.types.float_kind(ret).is_some();
    let outs: Vec<TypeId> = match request.mode {
        Mode::Forward { .. } if m.types.float_kind(ret).is_none() => Vec::new(),
        Mode::Forward { width } => vec![ret; width],
        Mode::Reverse => {
            let of = primal.params.iter().zip(&request.arguments);
            of.filter(|(_, a)| a.activity == Activity::Out).map(|(p, _)| p.ty).collect()
        }
    };
    let result = match (request.mode, outs.as_slice()) {
        (_, []) => m.types.void(),
        (_, [one]) => *one,
        (Mode::Forward { width }, _) => m.types.array(width as u64, ret),
        (Mode::Reverse, _) => m.types.tuple(outs),
    };
    let params = gradient_params(m, request);
    let differentiated = if seeded { seeded_primal(m, request.primal, n) } else { request.primal };
    // What the reference needs must outlive the tool.
    m.functions[request.primal].flags.linkage.clear();

    let name = unique(m, &format!("__adj_site_{n}"));
    let mut f = Function::new(&name, result, &params);
    f.attrs = f.attrs.flag("noinline");
    let target = m.function_address(differentiated);
    let mut b = Builder::new(m, f);
    let mut args = vec![target];
    if let Mode::Forward { width } = request.mode
        && width > 1
    {
        let marker = marker(&mut b, "enzyme_width");
        let count = b.m.int(32, width as u128);
        args.extend([marker, count]);
    }
    let mut next = 0;
    for argument in &request.arguments {
        args.push(marker(&mut b, argument.activity.marker()));
        for _ in 0..=argument.shadows.len() {
            args.push(b.f.param(next));
            next += 1;
        }
    }
    if seeded {
        args.push(marker(&mut b, Activity::Const.marker()));
        args.push(b.f.param(next));
    }
    let types: Vec<TypeId> = args.iter().map(|a| b.ty(*a)).collect();
    let callee = Function::new(&unique(b.m, &format!("{entry}_{n}")), result, &types);
    let callee = b.m.functions.push(callee);
    let value = b.call(callee, args);
    b.effect(InstKind::Ret(value));
    let f = b.f;
    let function = m.functions.push(f);

    let values = request.arguments.iter().flat_map(|a| std::iter::once(a.primal).chain(a.shadows.iter().copied()));
    let mut values: Vec<Operand> = values.collect();
    if seeded {
        values.push(call_site::one(m, ret));
    }
    let loc = m.source_loc(&m.functions[request.caller], request.site);
    call_site::call(m, Site { caller: request.caller, inst: request.site, result: request.result }, function, values)?;
    Ok(Delegated {
        site: name,
        primal: m.functions[request.primal].name.clone(),
        caller: m.functions[request.caller].name.clone(),
        loc,
        mode: request.mode,
        activities: request.arguments.iter().map(|a| a.activity).collect(),
        seeded,
    })
}

/// The primal, with a last parameter that its result is multiplied with.
fn seeded_primal(m: &mut Module, primal: FuncId, n: usize) -> FuncId {
    let ret = m.functions[primal].ret;
    let mut params: Vec<TypeId> = m.functions[primal].params.iter().map(|p| p.ty).collect();
    params.push(ret);
    let mut f = Function::new(&unique(m, &format!("__adj_seeded_{n}")), ret, &params);
    f.flags.linkage = "internal".to_owned();
    let mut b = Builder::new(m, f);
    let args = (0..params.len() - 1).map(|i| b.f.param(i)).collect();
    let seed = b.f.param(params.len() - 1);
    let value = b.call(primal, args).map(|value| b.binary(BinOp::FMul, value, seed));
    b.effect(InstKind::Ret(value));
    let f = b.f;
    m.functions.push(f)
}

/// Reads the global variable that is a marker.
fn marker(b: &mut Builder<'_>, name: &str) -> Operand {
    let int = b.m.types.int(32);
    let global = match b.m.global(name) {
        Some(global) => global,
        None => b.m.globals.push(Global::new(name, int, None)),
    };
    let ptr = b.m.global_address(global);
    b.value(InstKind::Load { ptr, align: 4, volatile: false, atomic: None }, int)
}

/// What the tool made of a module: each site that no longer asks is a derivative.
pub fn adopt(mut m: Module, delegated: &[Delegated], mut refusals: Vec<Refusal>) -> Output {
    let mut judged = Vec::new();
    for it in delegated {
        let caller = m.function(&it.caller).unwrap_or(FuncId::from_u32(0));
        let (site, primal) = (m.function(&it.site), m.function(&it.primal));
        let body = |f: Option<FuncId>| f.filter(|f| !m.functions[*f].is_declaration());
        let problem = match (body(site), body(primal)) {
            (None, _) => Some("the function around the call is gone".to_owned()),
            (_, None) => Some(format!("the differentiated function `{}` is gone", it.primal)),
            (Some(site), Some(_)) => asks(&m, site).map(|name| format!("the call of `{name}` is left in place")),
        };
        let first = InstId::from_u32(0);
        match (problem, site, primal) {
            (None, Some(function), Some(primal)) => judged.push(Judged {
                caller,
                site: calls(&m, caller, function).unwrap_or(first),
                loc: it.loc.clone(),
                function,
                mode: it.mode,
                style: Style::default(),
                primal,
                gradient: function,
                activities: it.activities.clone(),
                seeded: it.seeded,
                given: true,
                tape: None,
                dense: None,
                grid: None,
            }),
            (problem, ..) => {
                let diagnostic =
                    Diagnostic::of(&m, &m.functions[caller], Reason::Unsupported, problem.unwrap_or_default());
                refusals.push(Refusal { caller, site: first, diagnostic });
            }
        }
    }
    if !refusals.is_empty() {
        markers::define_markers(&mut m);
    }
    Output { module: m, judged, refusals }
}

/// The entry point that a function still calls.
fn asks(m: &Module, f: FuncId) -> Option<String> {
    let func = &m.functions[f];
    func.inst_order().find_map(|(_, inst)| {
        let callee = m.as_function(func.insts[inst].kind.as_call()?.callee)?;
        let callee = &m.functions[callee];
        (callee.is_declaration() && entry_points::is_entry_point(&callee.name)).then(|| callee.name.clone())
    })
}

/// Where a function calls another.
fn calls(m: &Module, caller: FuncId, callee: FuncId) -> Option<InstId> {
    let func = &m.functions[caller];
    let of = |inst: InstId| m.as_function(func.insts[inst].kind.as_call()?.callee);
    func.inst_order().map(|(_, inst)| inst).find(|inst| of(*inst) == Some(callee))
}
