//! Split mode: the two calls of a pair name the same function with the same markers, and share what is made for them.

use super::derivative::looked_into;
use super::gradient::{self, How};
use crate::error::{Diagnostic, Reason};
use crate::mode::{Activity, Mode, Style};
use crate::normalise::clone_contexts::Calls;
use crate::options::{Everywhere, Options};
use crate::request::entry_points::Step;
use crate::request::order::refused_step;
use crate::request::outcome::{Judged, Refusal, Tape};
use crate::request::split_mode::{self, Split};
use crate::reverse::{self, split_interface};
use ir::{FuncId, Module};
use std::collections::BTreeMap;

/// Carries out the calls of split mode.
pub(crate) fn carry_out(
    m: &mut Module,
    options: &Options,
    misunderstood: Option<&Diagnostic>,
    (judged, refusals): (&mut Vec<Judged>, &mut Vec<Refusal>),
) {
    let mut requests = Vec::new();
    for found in split_mode::find(m) {
        match found {
            Ok(request) => requests.push(request),
            Err((caller, site, diagnostic)) => refusals.push(Refusal { caller, site, diagnostic }),
        }
    }
    type Made = BTreeMap<(FuncId, Vec<u8>), Result<Split, Diagnostic>>;
    let mut made = Made::new();
    let key = |r: &split_mode::Request| (r.primal, r.activities.iter().map(|a| *a as u8).collect::<Vec<u8>>());
    for request in &requests {
        let (caller, site) = (request.caller, request.site);
        let loc = m.source_loc(&m.functions[caller], site);
        let pair = |r: &&split_mode::Request| key(r) == key(request);
        let split = match misunderstood.cloned().or_else(|| refused_step(m, request.primal, refusals)) {
            Some(diagnostic) => Err(diagnostic),
            None if options.everywhere != Everywhere::default() => {
                let message = "unsupported: split mode has neither `enzyme_strong_zero` nor `enzyme_runtime_activity`, \
                               which are asked for in all calls: ask for them in those of other modes";
                Err(Diagnostic::at(m, &m.functions[caller], site, Reason::of_request(message), message))
            }
            None if !requests.iter().filter(pair).any(|r| r.step == Step::Augment) => {
                let name = &m.functions[request.primal].name;
                let message = format!("no `__enzyme_augmentfwd` of `{name}` with the same markers makes such a tape");
                Err(Diagnostic::at(m, &m.functions[caller], site, Reason::Misuse, message))
            }
            None => made
                .entry(key(request))
                .or_insert_with(|| {
                    let overwritten = requests.iter().filter(pair).any(|r| r.step == Step::Augment && r.overwritten);
                    split_gradient(m, request.primal, &request.activities, overwritten, options)
                })
                .clone(),
        };
        let done = split.and_then(|split| request.replace(m, &split).map(|function| (split, function)));
        match done {
            Err(diagnostic) => refusals.push(Refusal { caller, site, diagnostic }),
            Ok((split, function)) if request.step == Step::Reverse => judged.push(Judged {
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
                dense: None,
                grid: None,
            }),
            Ok(_) => {}
        }
    }
}

/// A function split in two; one that is refused leaves the module as it was.
fn split_gradient(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    overwritten: bool,
    options: &Options,
) -> Result<Split, Diagnostic> {
    let (trial, split) = Calls::try_each(m, primal, |calls| {
        let mut trial = m.clone();
        let (root, made) = looked_into(&mut trial, primal)?;
        let style = Style::default();
        let how = How { caller_may_write: overwritten, combined: false, style, calls, options: *options };
        let split = gradient::synthesis(&mut trial, root, activities, how, |m, env| {
            let root = reverse::root(m, env, root, activities)?;
            Ok(split_interface::wrap(m, primal, activities, root, &env.globals))
        })?;
        made.settle(&mut trial);
        Ok((trial, split))
    })?;
    *m = trial;
    Ok(split)
}
