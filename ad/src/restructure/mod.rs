//! Changes of the sources that make the reverse pass cheaper; the analyses are done again after them.

pub mod joint;
pub mod rematerialise;

use crate::analysis::analyses::Analyses;
use crate::analysis::memory::Facts;
use crate::error::Diagnostic;
use crate::mode::Style;
use crate::normalise::sources::Sources;
use crate::normalise::threads::is_parallel;
use ir::{FuncId, Module};
use std::collections::BTreeSet;

/// Has values computed again through memory, and then makes functions of the iterations of loops that can be reversed
/// one by one. What these iterations hold is looked at once more: they run in the reverse pass, where more is at hand.
pub(crate) fn apply(
    m: &mut Module,
    (sources, facts): (&mut Sources, &mut Analyses),
    differentiable: &mut BTreeSet<FuncId>,
    (root, style): (FuncId, Style),
    analyse: impl Fn(&Module, &Sources) -> Result<Facts, Diagnostic>,
) {
    // An iteration is not executed in the reverse pass where another thread may have changed what it reads.
    if sources.values().any(is_parallel) {
        return;
    }
    rematerialise::apply(m, (sources, facts), differentiable, root, &analyse);
    if let Some(joined) = joint::apply(m, (sources, facts), differentiable, (root, style), &analyse) {
        *differentiable = joined;
        rematerialise::apply(m, (sources, facts), differentiable, root, &analyse);
    }
}
