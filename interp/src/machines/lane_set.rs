//! The lanes of one floating-point value.

use crate::memory::Shadow;
use rug::Float;
use rules::Shift;
use std::rc::Rc;

/// The lanes of one value, in the least form that holds them.
#[derive(Clone, Debug, Default)]
pub enum LaneSet {
    /// Every lane is exactly the concrete value.
    #[default]
    Concrete,
    /// Every lane is this number: the value depends on no input, but the concrete run has rounded it.
    Same(Rc<Float>),
    /// One number for each lane.
    Each(Rc<[Float]>),
    /// Lanes of a sum with a constant that [leaves no fraction](super::rounding).
    Shifted(Rc<Shifted>),
}

/// A sum with such a constant.
#[derive(Clone, Debug)]
pub struct Shifted {
    pub(super) lanes: LaneSet,
    pub(super) shift: Shift,
    /// Bits of the significand of the concrete sum.
    pub(super) precision: u32,
}

impl LaneSet {
    /// Lanes given one by one.
    pub fn each(lanes: impl Into<Rc<[Float]>>) -> LaneSet {
        LaneSet::Each(lanes.into())
    }

    /// One number for all lanes.
    pub fn same(value: Float) -> LaneSet {
        LaneSet::Same(Rc::new(value))
    }

    /// May the lanes differ from each other: does the value depend on an input?
    pub fn is_active(&self) -> bool {
        self.lanes().is_some()
    }

    /// The numbers one by one, if they may differ.
    pub fn lanes(&self) -> Option<&Rc<[Float]>> {
        match self {
            LaneSet::Concrete | LaneSet::Same(_) => None,
            LaneSet::Each(lanes) => Some(lanes),
            LaneSet::Shifted(sum) => sum.lanes.lanes(),
        }
    }

    /// The same lanes, of a sum with this constant. Where no lane differs from the concrete value, nothing was rounded.
    pub(super) fn shifted_by(self, shift: Option<Shift>, precision: u32) -> LaneSet {
        match shift {
            Some(shift) if !self.is_absent() => LaneSet::Shifted(Rc::new(Shifted { lanes: self, shift, precision })),
            _ => self,
        }
    }

    /// The sum that this is.
    pub(super) fn shifted(&self) -> Option<&Shifted> {
        match self {
            LaneSet::Shifted(sum) => Some(sum),
            _ => None,
        }
    }

    /// A lane, if it is not simply the concrete value.
    pub fn lane(&self, index: usize) -> Option<&Float> {
        match self {
            LaneSet::Concrete => None,
            LaneSet::Same(value) => Some(value),
            LaneSet::Each(lanes) => lanes.get(index),
            LaneSet::Shifted(sum) => sum.lanes.lane(index),
        }
    }
}

impl Shadow for LaneSet {
    fn is_absent(&self) -> bool {
        matches!(self, LaneSet::Concrete)
    }
}
