//! Faults to plant in the judge itself, to see that what is left of it notices.
//!
//! Lanes, the taint beside the concrete runs, and plain differences share the engine, and nothing else. A fault in one
//! of them must not make `correct` of a wrong gradient, nor `wrong` of a right one. Nothing is planted unless a test
//! asks for it.

use interp::Forgets;

/// What is planted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Planted {
    /// What the lanes of the reference forget.
    pub lanes: Option<Forgets>,
    /// What the taint forgets.
    pub taint: Option<Forgets>,
    /// What is wrong with the sums that are made of either's answers.
    pub sums: Option<Sums>,
    /// What the judge goes without, to see that the fault matters.
    pub without: Option<Without>,
}

/// A fault in how a derivative is made of runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sums {
    /// The last input has no lanes.
    FrozenInput,
    /// The result is left out of the lanes' answer.
    DroppedResult,
    /// The lanes' quotient is twice as large.
    DoubledQuotient,
    /// Differences leave the result out.
    UnseenResult,
    /// Differences are twice as large.
    DoubledDifference,
    /// Runs that decide otherwise are taken for runs on the same piece.
    Pieces,
}

/// What the judge goes without.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Without {
    /// Taint and differences: lanes decide alone.
    Differences,
    /// The directions along which lanes and differences are compared in every call: differences are asked only where
    /// the taint says so.
    Directions,
}

impl Planted {
    /// Is that wrong with the sums?
    pub(super) fn has(&self, what: Sums) -> bool {
        self.sums == Some(what)
    }
}
