//! A way to have a value of the forward pass again, as data: the planner finds it, the checker judges it, and the
//! emitter carries it out.

use crate::analysis::loops::counters::Induction;
use crate::analysis::wanted::Wanted;
use ir::InstId;
use ir::loops::LoopId;

/// A way to have a value again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recipe {
    /// It is at hand in the reverse pass.
    Free,
    /// It must be stored.
    Store,
    /// The instruction is executed again on these; of a store, what it has written is loaded
    /// ([`crate::analysis::recompute`]).
    Again(InstId, Vec<Wanted>),
    /// It is a loop counter.
    Count(Induction, Vec<Wanted>),
    /// A part of the loop is run again ([`crate::analysis::recompute::slice`]), with these of what is around it.
    Replay(LoopId, Vec<Wanted>),
}
