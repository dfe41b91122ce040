//! What the reverse pass may ask for of the forward pass, and what whoever answers may assume.

use crate::analysis::context::Item;
use crate::base::regions::{Region, Shape};
use ir::{Function, Module, TypeId};

/// A value as last seen in a region: the instance of the current iteration, if the region is the
/// value's own, else the one that the latest iteration of the inner loop left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Wanted {
    /// What is wanted.
    pub item: Item,
    /// The region it is seen from: its own or one around it.
    pub region: Region,
}

impl Wanted {
    /// An item as it is seen from the region of its use.
    pub fn new(func: &Function, shape: &Shape, item: Item, from: Region) -> Wanted {
        Wanted { item, region: shape.common(item_home(func, shape, item), from) }
    }
}

/// The region in which an item comes into being.
pub fn item_home(func: &Function, shape: &Shape, item: Item) -> Region {
    match item {
        Item::Primal(v) | Item::Shadow(v) => shape.home(func, v),
        Item::Record(i) => shape.block(i).and_then(|b| shape.region(b)),
    }
}

/// What a plan may assume.
#[derive(Clone, Copy, Debug)]
pub struct Assumptions {
    /// The reverse pass is in the same function, so that parameters are still at hand.
    pub combined: bool,
    /// The reverse pass is another function, which gets the parameters again.
    pub arguments: bool,
}

/// Types that records use.
#[derive(Clone, Copy, Debug)]
pub struct RecordTypes {
    /// `ptr`
    pub ptr: TypeId,
    /// `i64`
    pub count: TypeId,
    /// `i32`
    pub pred: TypeId,
}

/// The types of what reverses the control flow.
pub(crate) fn record_field_types(m: &mut Module) -> RecordTypes {
    RecordTypes { ptr: m.types.ptr(), count: m.types.int(64), pred: m.types.int(32) }
}
