//! One derivative: the ways of taking calls are tried in turn, each on a copy of the module.

use super::{gradient, tangent};
use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::error::{CALLED_ALONE, Diagnostic};
use crate::mode::{Activity, Mode, Style};
use crate::normalise::clone_contexts::Calls;
use crate::normalise::exceptions::{self, Lowered};
use crate::optimise::unneeded_results;
use crate::options::Options;
use crate::program::attributes;
use crate::program::externals::{External, classify};
use ir::{FuncId, Function, InstKind, Module, TypeId};

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

/// A request that is refused leaves the module as it was.
pub(crate) fn synthesise(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    (mode, style): (Mode, Style),
    options: &Options,
) -> Result<FuncId, Diagnostic> {
    let attempt = |calls| attempt(m, primal, activities, (mode, style, calls), options);
    let (trial, function) = Calls::try_each(m, primal, attempt)?;
    *m = trial;
    unneeded_results::drop(m, function, activities, mode.width());
    Ok(function)
}

/// The derivative, made with one way of taking calls.
pub(crate) fn attempt(
    m: &Module,
    primal: FuncId,
    activities: &[Activity],
    (mode, style, calls): (Mode, Style, Calls),
    options: &Options,
) -> Result<(Module, FuncId), Diagnostic> {
    let mut trial = m.clone();
    let function = match mode {
        Mode::Reverse => {
            let (root, made) = looked_into(&mut trial, primal)?;
            let function = gradient::gradient(&mut trial, root, activities, (style, calls), options)?;
            made.settle(&mut trial);
            function
        }
        Mode::Forward { width } => {
            attributes::without_gradients(&mut trial);
            let (root, made) = looked_into(&mut trial, primal)?;
            let function = tangent::tangent(&mut trial, root, activities, (width, style, calls), options)?;
            made.settle(&mut trial);
            for (id, f) in m.functions.iter() {
                trial.functions[id].metadata.clone_from(&f.metadata);
            }
            function
        }
    };
    Ok((trial, function))
}

/// A function that is not analysed, because it is known or has a gradient of its own, is differentiated as the only
/// call of a function that does nothing else; one that throws what it catches, without exceptions. Also gives what was
/// made for that.
pub(crate) fn looked_into(m: &mut Module, primal: FuncId) -> Result<(FuncId, Lowered), Diagnostic> {
    let known = !matches!(classify(m, &m.functions[primal]), External::Unknown);
    if !known && attributes::derivative(m, &m.functions[primal]).is_none() {
        return exceptions::lower(m, primal);
    }
    let callee = &m.functions[primal];
    let params: Vec<TypeId> = callee.params.iter().map(|p| p.ty).collect();
    let mut f = Function::new(&unique(m, &format!("{CALLED_ALONE}{}", callee.name)), callee.ret, &params);
    f.flags.linkage = "internal".to_owned();
    let mut b = Builder::new(m, f);
    let args = (0..params.len()).map(|i| b.f.param(i)).collect();
    let result = b.call(primal, args);
    b.effect(InstKind::Ret(result));
    let f = b.f;
    Ok((m.functions.push(f), Lowered::default()))
}
