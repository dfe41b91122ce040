//! Counters of loops, and how often these run, as data: [`crate::analysis::loops::induction`] and
//! [`crate::analysis::loops::trip_count`] find them, [`crate::check`] judges them, and the emitter counts by them.

use crate::analysis::context::Item;
use crate::analysis::wanted::Wanted;
use crate::base::regions::Shape;
use ir::loops::LoopId;
use ir::{BlockId, Function, IntPred, Operand, ValueId};

/// A loop counter: `start + step · iteration`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Induction {
    /// Its loop.
    pub of: LoopId,
    /// Its value in the first iteration.
    pub start: Operand,
    /// What each iteration adds, in bytes for a pointer.
    pub step: Operand,
    /// The step is subtracted.
    pub down: bool,
    /// Its value in the iteration after.
    pub next: ValueId,
}

/// By how much a counter moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// By so much; bytes, if it is a pointer.
    By(u64),
    /// By what a value is that the loop does not change.
    Value(ValueId),
}

/// How often the header of a loop runs, in terms of values that are known where it is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trips {
    /// The block from which the loop is entered; its end is where the number is known.
    pub enter: BlockId,
    /// The counter in the first iteration.
    pub start: Operand,
    /// What the counter is compared with.
    pub bound: Operand,
    /// The comparison that stays in the loop: counter on the left, bound on the right.
    pub stay: IntPred,
    /// The counter's next value is compared.
    pub after: bool,
    /// The counter goes down.
    pub down: bool,
    /// By how much in each iteration.
    pub step: Step,
}

impl Trips {
    /// What the number of iterations depends on.
    pub fn operands(&self) -> Vec<Operand> {
        let step = match self.step {
            Step::By(_) => None,
            Step::Value(v) => Some(Operand::Local(v)),
        };
        [self.start, self.bound].into_iter().chain(step).collect()
    }

    /// The same, as seen from around the loop.
    pub fn wanted(&self, func: &Function, shape: &Shape, l: LoopId) -> Vec<Wanted> {
        let values = self.operands().into_iter().filter_map(Operand::local);
        values.map(|v| Wanted::new(func, shape, Item::Primal(v), shape.parent(l))).collect()
    }
}
