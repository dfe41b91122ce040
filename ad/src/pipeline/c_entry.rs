//! Derivatives for callers outside of the module: functions with a name of their own that any compiler of C can call.
//!
//! A gradient or a tangent ([`crate::pipeline::derivative::gradient_of`]) is internal, and returns several components
//! as one value of IR, which LLVM passes in registers as it likes. So that the calling convention of C is kept, a
//! function of external linkage stands before it. It takes the derivative's parameters, and returns its result if that
//! is a scalar; several components (or the tangents of several directions) are stored where a last parameter points, as
//! C lays out a structure of them.
//!
//! What a structure passed by value is to the caller, only the front end of its language knows: it is refused.

use crate::base::builder::Builder;
use crate::error::{Diagnostic, NO_BODY, Reason};
use crate::mode::{Activity, Mode, Style};
use crate::options::Options;
use crate::pipeline::derivative::synthesise;
use crate::program::externals::{External, classify};
use crate::program::pieces;
use crate::request::markers;
use ir::{FuncId, Function, InstKind, Module, Type};

/// A derivative that is asked for from outside.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Of which function.
    pub primal: FuncId,
    /// The name that it gets.
    pub name: &'a str,
    /// Gradient or tangent.
    pub mode: Mode,
    /// Options, as of an autodiff call.
    pub style: Style,
    /// One for each parameter; those that a call without markers would have, if they are not specified.
    pub activities: Option<&'a [Activity]>,
}

/// What the program states about its functions and is not understood; it may concern any derivative. To be asked before
/// [`crate::pipeline::differentiate`], which reports it only where the module has autodiff calls.
pub fn misunderstood(m: &Module) -> Option<Diagnostic> {
    super::read(&mut m.clone())
}

/// Adds the derivative to a module whose autodiff calls are replaced. A request that is refused leaves the module
/// as it was.
pub fn add(m: &mut Module, asked: &Asked, options: &Options) -> Result<FuncId, Diagnostic> {
    let activities = activities(m, asked)?;
    let taken = m.function(asked.name).is_some() || m.global(asked.name).is_some();
    if taken || asked.name.is_empty() || asked.name.contains('\0') {
        let what = if taken { "is taken by the program" } else { "is none" };
        return Err(misuse(m, asked, format!("the name `{}` for a derivative {what}", asked.name.escape_debug())));
    }
    let derivative = synthesise(m, asked.primal, &activities, (asked.mode, asked.style), options)?;
    let mut function = callable(m, derivative, asked.name);
    let mut next = 0;
    for (param, activity) in m.functions[asked.primal].params.iter().zip(&activities) {
        // Who calls extends small integers as the primal wants them.
        let extended = param.attrs.0.iter().filter(|a| a.name == "signext" || a.name == "zeroext");
        function.params[next].attrs.0.extend(extended.cloned());
        next += 1 + if activity.is_dup() { asked.mode.width() } else { 0 };
    }
    Ok(m.functions.push(function))
}

fn misuse(m: &Module, asked: &Asked, message: String) -> Diagnostic {
    Diagnostic::of(m, &m.functions[asked.primal], Reason::of_request(&message), message)
}

/// The activities, if they fit the function.
fn activities(m: &Module, asked: &Asked) -> Result<Vec<Activity>, Diagnostic> {
    let f = &m.functions[asked.primal];
    let refused = |message: String| Err(misuse(m, asked, message));
    if f.is_declaration() && matches!(classify(m, f), External::Unknown) {
        return refused(format!("`{}` {NO_BODY}, so it cannot be differentiated", f.name));
    }
    if f.vararg {
        return refused(format!("unsupported: `{}` takes variable arguments", f.name));
    }
    if f.params.iter().any(|p| p.attrs.has("sret")) {
        return refused(markers::structure(f));
    }
    let in_pieces = pieces::beginnings(m, f).into_iter().position(|length| length > 1);
    if let Some(index) = f.params.iter().position(|p| p.attrs.has("byval")).or(in_pieces) {
        let which = format!("argument {} of `{}`", index + 1, f.name);
        return refused(format!("unsupported: {which} is a structure passed by value; a pointer to it can be passed"));
    }
    if asked.mode == Mode::Reverse {
        markers::returns_number(m, f).map_err(|message| misuse(m, asked, message))?;
    }
    if asked.style.primal_return && matches!(m.types.get(f.ret), Type::Void) {
        return refused(format!("`{}` returns nothing, so its derivative cannot leave its result", f.name));
    }
    let wanted = f.params.len();
    match asked.activities {
        Some(given) if given.len() != wanted => {
            refused(format!("`{}` takes {wanted} arguments, but {} activities are given", f.name, given.len()))
        }
        given => (0..wanted).map(|i| activity(m, asked, i, given.map(|given| given[i]))).collect(),
    }
}

/// The activity of one parameter: the given one if it fits.
fn activity(m: &Module, asked: &Asked, index: usize, given: Option<Activity>) -> Result<Activity, Diagnostic> {
    let f = &m.functions[asked.primal];
    markers::activity_in(m, asked.mode, given, f.params[index].ty).map_err(|(activity, why)| {
        misuse(m, asked, format!("argument {} of `{}` is marked {}, {why}", index + 1, f.name, activity.marker()))
    })
}

/// A function of external linkage that calls the derivative.
fn callable(m: &mut Module, derivative: FuncId, name: &str) -> Function {
    let inner = &m.functions[derivative];
    let (mut params, ret) = (inner.params.iter().map(|p| p.ty).collect::<Vec<_>>(), inner.ret);
    let arguments = params.len();
    let several = matches!(m.types.get(ret), Type::Struct { .. } | Type::Named(_) | Type::Array { .. });
    let returned = if several { m.types.void() } else { ret };
    if several {
        params.push(m.types.ptr());
    }
    let mut b = Builder::new(m, Function::new(name, returned, &params));
    let values = (0..arguments).map(|i| b.f.param(i)).collect();
    let result = b.call(derivative, values);
    match result {
        Some(components) if several => {
            let (to, align) = (b.f.param(arguments), b.align(ret));
            b.store(components, to, align);
            b.effect(InstKind::Ret(None));
        }
        result => b.effect(InstKind::Ret(result)),
    }
    b.f
}
