//! In which order differentiated calls are carried out, and which of them depend on others.

use crate::error::Diagnostic;
use crate::program::call_graph::{reachable, reachable_from};
use crate::request::autodiff::Request;
use crate::request::checkpoint_for;
use crate::request::outcome::Refusal;
use ir::{FuncId, Module};
use std::collections::BTreeSet;

/// Calls in functions that are themselves differentiated come first: the derivative of a gradient needs the gradient.
pub(crate) fn inner_first(m: &Module, requests: Vec<Request>) -> Vec<Request> {
    let callers: BTreeSet<FuncId> = requests.iter().map(|r| r.caller).collect();
    let mut depth: Vec<(usize, Request)> = Vec::new();
    for request in requests {
        let reached = reachable(m, request.primal);
        depth.push((reached.iter().filter(|f| callers.contains(f)).count(), request));
    }
    depth.sort_by_key(|(d, r)| (*d, r.caller, r.site));
    depth.into_iter().map(|(_, r)| r).collect()
}

/// Functions that are differentiated, or called by such: what asks for a derivative there has it differentiated again.
pub(crate) fn differentiated(m: &Module, requests: &[Request]) -> BTreeSet<FuncId> {
    reachable_from(m, requests.iter().map(|request| request.primal))
}

/// Why a loop with checkpoints that the function reaches has no gradient: its step was refused.
pub(crate) fn refused_step(m: &Module, primal: FuncId, refusals: &[Refusal]) -> Option<Diagnostic> {
    let is_step = |r: &&Refusal| {
        let call = m.functions[r.caller].insts[r.site].kind.as_call();
        call.and_then(|c| m.as_function(c.callee)).is_some_and(|f| m.functions[f].name == checkpoint_for::STEP)
    };
    let steps: Vec<&Refusal> = refusals.iter().filter(is_step).collect();
    if steps.is_empty() {
        return None;
    }
    let reached = reachable(m, primal);
    steps.into_iter().find(|r| reached.contains(&r.caller)).map(|r| r.diagnostic.clone())
}
