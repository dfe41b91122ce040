//! The names by which a program asks for derivatives.

use crate::error::{Diagnostic, NO_BODY, Reason};
use ir::{Function, InstId, Module};

/// Other entry points of Enzyme's surface: known so that they are refused by name.
pub(crate) const NOT_IMPLEMENTED: &[&str] = &[
    "__enzyme_error_estimate",
    "__enzyme_sparse_accumulate",
    "__enzyme_post_sparse_todense",
    "__enzyme_trace",
    "__enzyme_newtrace",
    "__enzyme_condition",
    "__enzyme_sample",
    "__enzyme_observe",
    "__enzyme_likelihood",
    "__enzyme_fp_optimize",
    "__enzyme_set_checkpointing",
    "__enzyme_set_fixed_point",
    "__enzyme_set_mincut",
    "__enzyme_ptr_size_hint",
];

pub(crate) const BATCH: &str = "__enzyme_batch";

pub(crate) const VIRTUAL: &str = "__enzyme_virtualreverse";

/// Calls for a function, or a value, in another precision.
pub(crate) const TRUNCATIONS: [&str; 4] = [
    "__enzyme_truncate_op_func",
    "__enzyme_truncate_mem_func",
    "__enzyme_truncate_mem_value",
    "__enzyme_expand_mem_value",
];

/// Is it one of them?
pub(crate) fn is_truncation(name: &str) -> bool {
    TRUNCATIONS.iter().any(|known| name.contains(known))
}

/// The call for memory that is two functions.
pub(crate) const DENSE: &str = "__enzyme_todense";

/// Is it one of several calls at once, or of a shadow of a function?
pub(crate) fn is_batch(name: &str) -> bool {
    name.contains(BATCH) || name.contains(VIRTUAL)
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    /// `__enzyme_augmentfwd`
    Augment,
    /// `__enzyme_reverse`
    Reverse,
    /// `__enzyme_augmentsize`
    Size,
}

pub(crate) const NAMES: [(&str, Step); 3] =
    [("__enzyme_augmentfwd", Step::Augment), ("__enzyme_reverse", Step::Reverse), ("__enzyme_augmentsize", Step::Size)];

/// What a name asks for.
pub fn step(name: &str) -> Option<Step> {
    NAMES.iter().find(|(n, _)| name.contains(n)).map(|(_, step)| *step)
}

/// The name that marks a differentiated call.
pub(crate) const AUTODIFF: &str = "__enzyme_autodiff";

/// The name that marks a call of the forward mode.
pub(crate) const FORWARD: &str = "__enzyme_fwddiff";

/// The same, of tangents only: for a function that has run already.
pub(crate) const TANGENTS: &str = "__enzyme_fwdsplit";

/// The names of the judging calls.
pub(crate) const CHECK: &str = "__adj_check_gradient";

pub(crate) const CHECK_TANGENT: &str = "__adj_check_tangent";

/// Is a function of that name an entry point of differentiation?
pub fn is_entry_point(name: &str) -> bool {
    is_whole(name) || step(name).is_some() || is_batch(name) || is_truncation(name) || name.contains(DENSE)
}

/// Is it one that asks for everything at once, unlike those of split mode?
pub(crate) fn is_whole(name: &str) -> bool {
    [AUTODIFF, FORWARD, TANGENTS, CHECK, CHECK_TANGENT].iter().chain(NOT_IMPLEMENTED).any(|n| name.contains(n))
}

/// The refusal of a call of a function without body that gets something active.
pub(crate) fn without_body(module: &Module, func: &Function, inst: InstId, name: &str, what: &str) -> Diagnostic {
    let message = match is_entry_point(name) {
        true => format!(
            "`{name}` gets {what}, but was not carried out before: it asks for a derivative of what is being \
             differentiated, or has been refused itself"
        ),
        false => format!("`{name}` gets {what}, but {NO_BODY} and no rule in the table"),
    };
    Diagnostic::at(module, func, inst, Reason::Incomplete, message)
}
