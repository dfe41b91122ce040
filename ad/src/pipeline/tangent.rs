//! Forward mode: what a tangent reaches is analysed, and its tangents are emitted.

use super::gradient::Prepared;
use crate::analysis::parallel::{Parallel, orders};
use crate::analysis::repeatable;
use crate::check::shadows;
use crate::emit::messages;
use crate::error::Diagnostic;
use crate::forward;
use crate::mode::{Activity, Style};
use crate::normalise::clone_contexts::Calls;
use crate::normalise::variadic;
use crate::options::{Options, Without};
use crate::pipeline::analyse::{Analysed, analysed};
use crate::runtime::substitute;
use ir::{FuncId, Module};

/// Analyses what the function reaches.
pub(crate) fn prepared(
    m: &mut Module,
    root: FuncId,
    activities: &[Activity],
    (style, calls): (Style, Calls),
    without: Without,
) -> Result<Prepared, Diagnostic> {
    messages::refuse_twice(m, root)?;
    let Analysed { sources, facts, copies, .. } = analysed(m, root, activities, (style, calls), without)?;
    if let Some(why) = style.repeated {
        repeatable::check(m, &facts, &sources, why)?;
    }
    let differentiable = forward::differentiable(m, &facts, &sources, root);
    shadows::check_functions(m, &sources, &facts, &differentiable)?;
    variadic::refuse(m, &sources, &differentiable)?;
    orders::refuse(m, &sources, &differentiable, None)?;
    let parallel = Parallel::default();
    Ok(Prepared { sources, facts, differentiable, parallel, undo: None, copies })
}

/// The tangent of `root` along `width` directions ([`forward::tangent`]).
pub(crate) fn tangent(
    m: &mut Module,
    root: FuncId,
    activities: &[Activity],
    (width, style, calls): (usize, Style, Calls),
    options: &Options,
) -> Result<FuncId, Diagnostic> {
    let Prepared { sources, facts, differentiable, copies, .. } =
        prepared(m, root, activities, (style, calls), options.without)?;
    let of = (&facts, &sources, &differentiable);
    let function = forward::tangent(m, (root, activities), of, (width, style), options.fault)?;
    substitute::settle(m);
    copies.strip(m);
    Ok(function)
}
