//! An independent check of the plan.
use crate::error::Diagnostic;
use crate::needs::Context;
use crate::plan::{Assumptions, Plan};
use crate::shape::Shape;
/// check
pub fn check(_: &Context, _: &Shape, _: &Plan, _: Assumptions) -> Result<(), Diagnostic> {
    Ok(())
}
