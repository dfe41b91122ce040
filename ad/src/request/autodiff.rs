//! Differentiated calls: who asks for which gradient, with which arguments (design §8).
//!
//! `__enzyme_autodiff(f, …)`, `__enzyme_fwddiff(f, …)`, `__adj_check_gradient(f, df, …)` and
//! `__adj_check_tangent(f, df, …)` are recognised by name. A marker is an argument that reads one of the globals
//! `enzyme_const`, `enzyme_dup`, …, or in IR a string of metadata of that name; without one, a float by value is
//! active, a pointer duplicated and everything else constant. In forward mode an active float by value is duplicated
//! too: its tangent follows it. `enzyme_width, n` before the arguments asks for n directions at once: n shadows or
//! tangents follow each duplicated argument.

use crate::error::{Diagnostic, Reason};
use crate::mode::{Activity, Kind, Mode, Style, Why};
use crate::program::externals::{External, classify};
use crate::program::pieces;
use crate::request::checkpoint_for::STEP;
use crate::request::entry_points::{AUTODIFF, CHECK, CHECK_TANGENT, FORWARD, NOT_IMPLEMENTED, TANGENTS, is_whole};
use crate::request::grouped;
use crate::request::markers::{
    Argument, Arguments, batch_width, check_type, default_activity, distinct, fits, function_argument, marker,
    marker_name, returns_number, shadow_argument, structure, too_many,
};
use ir::{Call, ConstKind, FuncId, Function, InstId, Module, Operand, Type, TypeId};

/// A differentiated call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The function that contains the call.
    pub caller: FuncId,
    /// The call.
    pub site: InstId,
    /// What is asked.
    pub kind: Kind,
    /// The mode.
    pub mode: Mode,
    /// Options.
    pub style: Style,
    /// Shadows of each duplicated argument.
    pub width: usize,
    /// The function to differentiate.
    pub primal: FuncId,
    /// One for each of its parameters.
    pub arguments: Vec<Argument>,
    /// How many of them, from each on, are the pieces of one structure that is given with its shadows behind it; 1 for
    /// others.
    pub pieces: Vec<usize>,
    /// The seed given to a checked gradient: 1 where it is left out.
    pub seed: Option<Operand>,
    /// Where the components are stored when the call returns them through memory.
    pub result: Option<Operand>,
    /// There, what the function itself returns through memory stands in front of its tangents.
    pub primal_too: bool,
}

/// Finds the differentiated calls of a module, each parsed or refused. `style`: what each asks for that is made here.
pub fn find(m: &Module, style: Style) -> Vec<Result<Request, (FuncId, InstId, Diagnostic)>> {
    let mut out = Vec::new();
    for (caller, func) in m.functions.iter() {
        for (_, site) in func.inst_order() {
            let Some(call) = func.insts[site].kind.as_call() else { continue };
            let Some(callee) = m.as_function(call.callee) else { continue };
            let name = &m.functions[callee].name;
            if is_whole(name) {
                out.push(parse(m, (caller, func, site), call, name, style).map_err(|message| {
                    let reason = Reason::of_request(&message);
                    (caller, site, Diagnostic::at(m, func, site, reason, message))
                }));
            }
        }
    }
    out
}

fn parse(
    m: &Module,
    (caller, func, site): (FuncId, &Function, InstId),
    call: &Call,
    name: &str,
    style: Style,
) -> Result<Request, String> {
    if let Some(other) = NOT_IMPLEMENTED.iter().find(|n| name.contains(*n)) {
        return Err(format!("unsupported: `{other}` is not implemented, only `{AUTODIFF}` and `{FORWARD}`"));
    }
    let mut args = call.args.clone().into_iter().peekable();
    let result = if call.arg_attrs.first().is_some_and(|a| a.has("sret")) { args.next() } else { None };
    let primal = function_argument(m, func, args.next(), name)?;
    let kind = kind(m, func, name, &mut args)?;
    let f = &m.functions[primal];
    if f.is_declaration() && matches!(classify(m, f), External::Unknown) {
        return Err(format!("`{}` has no body here, so it cannot be differentiated", f.name));
    }
    let mut style = if kind.given().is_none() { style } else { Style::default() };
    // What is returned through memory is a parameter of the function, and of no interest to its derivative.
    let through_memory = kind.is_forward().then(|| f.params.first()?.attrs.ty("sret")).flatten();
    options(m, func, (kind, through_memory.unwrap_or(f.ret)), &mut args, &mut style)?;
    let width = width(m, func, kind, &mut args)?;
    let primal_too = through_memory.is_some() && std::mem::take(&mut style.primal_return);
    if matches!(kind, Kind::Autodiff) && !style.const_return {
        returns_number(m, f)?;
    }
    style.repeated = match () {
        () if name == STEP => Some(Why::Step),
        () if name.contains(TANGENTS) => Some(Why::Tangents),
        () if width > 1 && !kind.is_forward() => Some(Why::Width),
        () => None,
    };
    let mut together = pieces::beginnings(m, f);
    let mut arguments = Vec::new();
    for (i, param) in f.params.iter().enumerate() {
        if i == 0 && kind.is_forward() && param.attrs.has("sret") {
            // The structure that the function returns through memory is no argument of the call: the call returns its
            // tangents.
            let slot = result.ok_or("the call must return the tangent of the structure that the function returns")?;
            let size = |attrs: &ir::Attrs| attrs.ty("sret").map_or(0, |ty| m.size_of(ty));
            let wanted = width as u64 + u64::from(primal_too);
            if call.arg_attrs.first().map_or(0, size) < wanted * size(&param.attrs) {
                return Err("the call is declared to return something that cannot hold the tangents".to_owned());
            }
            arguments.push(Argument { activity: Activity::Dup, primal: slot, shadows: vec![slot; width] });
            continue;
        }
        let which = format!("argument {} of `{}`", i + 1, f.name);
        options(m, func, (kind, f.ret), &mut args, &mut style)?;
        if together[i] > 1 {
            let structure = (f, i, together[i]);
            match grouped::in_order(m, func, kind, structure, (args.clone(), width))? {
                Some(ordered) => args = ordered.into_iter().peekable(),
                None => together[i] = 1,
            }
        }
        let marker = match args.peek() {
            Some(arg) => marker(m, func, *arg)?,
            None => return Err(format!("too few arguments: {which} is missing")),
        };
        if marker.is_some() {
            args.next();
        }
        let activity = marker.unwrap_or_else(|| default_activity(m, kind, param.ty));
        fits(m, kind, activity, param.ty).map_err(|why| format!("{which} is marked {}, {why}", activity.marker()))?;
        let Some(primal) = args.next() else {
            return Err(format!("too few arguments: {which} is missing behind its marker {}", activity.marker()));
        };
        let through_memory = param.attrs.has("sret") && !m.types.is_ptr(m.operand_ty(func, primal));
        check_type(m, func, primal, param.ty, &which).map_err(|why| if through_memory { structure(f) } else { why })?;
        let count = if activity.is_dup() { width } else { 0 };
        let may_be_primal = style.runtime_activity || kind.given().is_some();
        let shadows = shadows(m, func, &mut args, (param.ty, &which), count)?;
        for (given, which) in shadows.iter().filter(|_| !may_be_primal) {
            distinct(m, func, (primal, *given), which)?;
        }
        let shadows = shadows.into_iter().map(|(given, _)| given).collect();
        arguments.push(Argument { activity, primal, shadows });
    }
    options(m, func, (kind, f.ret), &mut args, &mut style)?;
    if name.contains(TANGENTS) {
        no_tape(m, args.next())?;
    }
    let seeded = matches!(kind, Kind::Check(_)) && m.types.float_kind(f.ret).is_some();
    let seed = if seeded { args.next() } else { None };
    if args.next().is_some() {
        return Err(too_many(f));
    }
    let mode = if kind.is_forward() { Mode::Forward { width } } else { Mode::Reverse };
    Ok(Request {
        caller,
        site,
        kind,
        mode,
        style,
        width,
        primal,
        arguments,
        pieces: together,
        seed,
        result,
        primal_too,
    })
}

/// The shadows or tangents of an argument, each with what it is called.
fn shadows(
    m: &Module,
    func: &Function,
    args: &mut Arguments,
    (ty, argument): (TypeId, &str),
    count: usize,
) -> Result<Vec<(Operand, String)>, String> {
    let shadow = if m.types.is_ptr(ty) { "shadow" } else { "tangent" };
    let named = |n: usize| match count {
        1 => format!("the {shadow} of {argument}"),
        _ => format!("{shadow} {} of {count} of {argument}", n + 1),
    };
    let each = (0..count).map(|n| {
        let which = named(n);
        Ok((shadow_argument(m, func, args.next(), ty, &which)?, which))
    });
    each.collect()
}

/// Behind the arguments of a tangent in steps there is a place for a tape.
fn no_tape(m: &Module, tape: Option<Operand>) -> Result<(), String> {
    let tape = tape.ok_or("the tape is missing behind the arguments")?;
    match m.as_constant(tape).map(|c| &c.kind) {
        Some(ConstKind::Null) => Ok(()),
        _ => Err(format!(
            "unsupported: `{TANGENTS}` with a tape: only functions that need none, with a null pointer in its place"
        )),
    }
}

/// What the name of the called function asks for.
fn kind(m: &Module, func: &Function, name: &str, args: &mut Arguments) -> Result<Kind, String> {
    Ok(match () {
        () if name.contains(CHECK) => Kind::Check(function_argument(m, func, args.next(), name)?),
        () if name.contains(CHECK_TANGENT) => Kind::CheckTangent(function_argument(m, func, args.next(), name)?),
        () if name.contains(FORWARD) || name.contains(TANGENTS) => Kind::Forward,
        () => Kind::Autodiff,
    })
}

/// Reads the options that stand next.
fn options(
    m: &Module,
    func: &Function,
    (kind, ret): (Kind, TypeId),
    args: &mut Arguments,
    style: &mut Style,
) -> Result<(), String> {
    while let Some(name) = args.peek().and_then(|arg| marker_name(m, func, *arg)) {
        let ours = matches!(kind, Kind::Autodiff | Kind::Forward);
        let is_void = matches!(m.types.get(ret), Type::Void);
        match name.as_str() {
            // Promises that nothing here depends on, and the results that a call does not return anyhow.
            "enzyme_noret" | "enzyme_nofree" | "enzyme_not_overwritten" | "enzyme_no_escaping_allocation" => {}
            "enzyme_active_return" if m.types.float_kind(ret).is_some() => {}
            "enzyme_dup_return" if m.types.is_ptr(ret) => {}
            "enzyme_active_return" | "enzyme_dup_return" => {
                let wanted = if name == "enzyme_dup_return" { "a pointer" } else { "a floating-point number" };
                return Err(format!("`{name}` is for functions that return {wanted}"));
            }
            "enzyme_primal_return" if is_void => return Err(format!("`{name}`, but the function returns nothing")),
            "enzyme_primal_return" if ours => style.primal_return = true,
            "enzyme_const_return" if ours => style.const_return = true,
            "enzyme_strong_zero" if ours => style.strong_zero = true,
            "enzyme_runtime_activity" if ours => style.runtime_activity = true,
            "enzyme_primal_return" | "enzyme_const_return" | "enzyme_strong_zero" | "enzyme_runtime_activity" => {
                return Err(format!("unsupported: `{name}` is implemented for `{AUTODIFF}` and `{FORWARD}` only"));
            }
            _ => return Ok(()),
        }
        args.next();
    }
    Ok(())
}

/// `enzyme_width, n`, if it stands next; otherwise one direction.
fn width(m: &Module, func: &Function, kind: Kind, args: &mut Arguments) -> Result<usize, String> {
    let width = batch_width(m, func, args)?.unwrap_or(1);
    if width > 1 && matches!(kind, Kind::Check(_)) {
        return Err("unsupported: a checked gradient has one set of shadows".to_owned());
    }
    Ok(width)
}
