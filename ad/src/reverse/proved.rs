//! Plans that the checker has proved.

use crate::analysis::context::Context;
use crate::analysis::wanted::{Assumptions, RecordTypes};
use crate::base::regions::Shape;
use crate::check::{self, after::Writers};
use crate::error::Diagnostic;
use crate::options::{Lever, Without};
use crate::plan::data::Plan;
use ir::BlockId;

/// What a plan goes without, one after the other, if the checker cannot prove it: what the program has stored is stored
/// once more, what it has loaded is kept, and so is what a part of a loop would give; lengths and ways are recorded;
/// and in the end all that is needed is kept.
const UNPROVED: [Lever; 7] = [
    Lever::StoredValues,
    Lever::Reload,
    Lever::Replay,
    Lever::Arrays,
    Lever::Conditions,
    Lever::Skips,
    Lever::MinimumCut,
];

/// A plan that the checker has proved.
pub(crate) struct Proved {
    pub plan: Plan,
    /// Why it has refused one that keeps less.
    pub refused: Option<Diagnostic>,
}

/// Plans a function that returns at `exit`, and has the plan proved.
pub(crate) fn proved(
    cx: &Context,
    (shape, writers): (&Shape, &Writers),
    exit: BlockId,
    (assume, without): (Assumptions, Without),
    types: RecordTypes,
) -> Result<Proved, Diagnostic> {
    let checked = |without: Without| {
        let plan = Plan::new(cx, shape, exit, (assume, without), types);
        check::check_with(cx, (shape, writers), &plan, assume).map(|()| plan)
    };
    let refused = match checked(without) {
        Ok(plan) => return Ok(Proved { plan, refused: None }),
        Err(refused) => refused,
    };
    let mut fewer = without;
    let plan = UNPROVED.iter().filter(|lever| !without.has(**lever)).find_map(|lever| {
        fewer = fewer.and(*lever);
        checked(fewer).ok()
    });
    match plan {
        Some(plan) => Ok(Proved { plan, refused: Some(refused) }),
        None => Err(refused),
    }
}
