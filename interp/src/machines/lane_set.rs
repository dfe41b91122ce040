//! The lanes of one floating-point value.

use crate::memory::shadow::Shadow;
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
    /// A number for each lane.
    Each(Rc<Each>),
    /// Lanes of a sum with a constant that [leaves no fraction](super::rounding).
    Shifted(Rc<Shifted>),
}

/// The lanes of a value that may differ. Most directions change few inputs, so most values have most lanes in common
/// with the first: these are not kept, and nothing is computed with them.
#[derive(Clone, Debug)]
pub struct Each {
    first: Float,
    /// By index, ascending.
    others: Box<[(u32, Float)]>,
}

impl Each {
    /// The first lane, and those by index, ascending, that may differ from it.
    pub fn new(first: Float, others: impl Into<Box<[(u32, Float)]>>) -> Each {
        Each { first, others: others.into() }
    }

    /// The first lane.
    pub fn first(&self) -> &Float {
        &self.first
    }

    /// A lane.
    pub fn get(&self, lane: usize) -> &Float {
        let other = self.others.binary_search_by_key(&lane, |(index, _)| *index as usize);
        other.map_or(&self.first, |at| &self.others[at].1)
    }

    /// Is a lane kept beside the first?
    pub fn differs(&self, lane: usize) -> bool {
        self.others.binary_search_by_key(&lane, |(index, _)| *index as usize).is_ok()
    }

    /// The first lane, and those that may differ from it.
    pub fn distinct(&self) -> impl Iterator<Item = &Float> {
        std::iter::once(&self.first).chain(self.others.iter().map(|(_, lane)| lane))
    }

    /// The indices of those that may differ from the first, ascending.
    pub fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.others.iter().map(|(index, _)| *index)
    }
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
    /// Are all lanes the same?
    pub fn is_same(&self, other: &LaneSet) -> bool {
        match (self, other) {
            (LaneSet::Concrete, LaneSet::Concrete) => true,
            (LaneSet::Same(a), LaneSet::Same(b)) => a == b,
            (LaneSet::Each(a), LaneSet::Each(b)) => Rc::ptr_eq(a, b) || (a.first == b.first && a.others == b.others),
            (LaneSet::Shifted(a), LaneSet::Shifted(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Lanes given one by one, at least one.
    ///
    /// # Panics
    /// If there is none.
    pub fn each(lanes: Vec<Float>) -> LaneSet {
        let mut lanes = lanes.into_iter();
        let first = lanes.next().expect("a value has a first lane");
        let others: Vec<(u32, Float)> = (1..).zip(lanes).collect();
        LaneSet::Each(Rc::new(Each::new(first, others)))
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
    pub fn lanes(&self) -> Option<&Each> {
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
            LaneSet::Each(lanes) => Some(lanes.get(index)),
            LaneSet::Shifted(sum) => sum.lanes.lane(index),
        }
    }
}

impl Shadow for LaneSet {
    fn is_absent(&self) -> bool {
        matches!(self, LaneSet::Concrete)
    }
}

#[cfg(test)]
mod tests {
    use crate::machines::directions::Directions;
    use ir::FloatKind;

    #[test]
    fn lanes_that_no_direction_changes_are_the_first() {
        let directions = Directions::new(256, 3, &[0.25, 0.5]);
        let input = directions.input(FloatKind::Double, u128::from(2f64.to_bits()), &[0.0, 8.0, 0.0]);
        let lanes = input.lanes().expect("an input has lanes");
        let all: Vec<f64> = (0..directions.lanes()).map(|lane| lanes.get(lane).to_f64()).collect();
        assert_eq!(all, [2.0, 2.0, 2.0, 4.0, 0.0, 2.0, 2.0, 2.0, 2.0, 6.0, -2.0, 2.0, 2.0]);
        assert_eq!(lanes.indices().collect::<Vec<_>>(), [3, 4, 9, 10]);
        for step in 0..2 {
            let slopes = [0, 1, 2].map(|direction| directions.derivative(&input, direction, step).unwrap().to_f64());
            assert_eq!(slopes, [0.0, 8.0, 0.0]);
        }
    }
}
