//! Machines over the one engine.
//!
//! - [`Lanes`]: multi-precision lanes beside every floating-point value: the reference derivative, and a gradient's own
//!   arithmetic without rounding. [`Directions`] makes the lanes of inputs and reads derivatives off lanes of outputs.
//! - [`Moves`]: lanes of literals, to see how far their rounding can move an answer.
//! - [`cells`]: a dry run that finds which floating-point cells of given objects a call reads as inputs, and which it
//!   overwrites.
//! - [`Watch`]: any machine, plus a record of the last stores to every floating-point cell of chosen objects.
//! - [`Observe`]: counts of what a run does, and a trace of it.
//! - [`Dependence`]: what depends on the inputs, and where that leaves the floats; what a run decides.
//! - [`Taint`]: which values depend on which inputs.

mod arithmetic;
pub mod cells;
pub(crate) mod decide;
mod dependence;
mod directions;
mod events;
mod lane_set;
mod lanes;
mod literals;
mod observe;
mod planted;
mod rounding;
mod taint;
#[cfg(test)]
mod tests;
mod watch;

pub use cells::{Cell, Discovered};
pub use dependence::{Dependence, Dependent};
pub use directions::Directions;
pub use events::{Decision, Event, EventKind, Events};
pub use lane_set::LaneSet;
pub use lanes::{Lanes, Mode};
pub use literals::Moves;
pub use observe::{Counts, Observe, Traced, Traffic};
pub use taint::{Taint, Tainted};
pub use watch::{CellStores, StoreRecord, Watch};
