//! The lanes of one floating-point value.

use crate::memory::Shadow;
use rug::Float;
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
        matches!(self, LaneSet::Each(_))
    }

    /// A lane, if it is not simply the concrete value.
    pub fn lane(&self, index: usize) -> Option<&Float> {
        match self {
            LaneSet::Concrete => None,
            LaneSet::Same(value) => Some(value),
            LaneSet::Each(lanes) => lanes.get(index),
        }
    }
}

impl Shadow for LaneSet {
    fn is_absent(&self) -> bool {
        matches!(self, LaneSet::Concrete)
    }
}
