//! The plan as data: what is stored where, and how the rest is had again. The planner writes it, the checker judges it,
//! and the emitter carries it out.

use crate::analysis::context::Item;
use crate::analysis::loops::counters::Trips;
use crate::analysis::recompute::recipe::Recipe;
use crate::analysis::recompute::slice::Slice;
use crate::analysis::wanted::Wanted;
use crate::base::regions::{Region, Shape};
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BlockId, Operand, TypeId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// The alignment in bytes that records in records have.
pub const ALIGN: u64 = 8;

/// A loop is entered only if this condition has this value.
pub type Guard = (Operand, bool);

/// What tells the predecessor of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// The condition of the branch at which the ways part.
    pub cond: ValueId,
    /// The predecessor if it holds.
    pub if_true: BlockId,
    /// The predecessor if it does not.
    pub if_false: BlockId,
}

/// A loop of which a part is executed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// That part.
    pub slice: Slice,
    /// What is written to the buffer.
    pub rows: BTreeSet<ValueId>,
    /// Where the slice goes on from blocks at whose ends it does not branch, although the primal does.
    pub jumps: BTreeMap<BlockId, BlockId>,
    /// The number of rows, a power of two.
    pub period: u64,
    /// The number of checkpoints of a level, a power of two.
    pub fan: u64,
    /// The last iteration is run whole, else up to the end of the header.
    pub whole: bool,
}

impl Replay {
    /// A checkpoint of the tape is kept of each iteration whose number is a multiple, but the first.
    pub fn span(&self) -> u64 {
        self.period * self.fan * self.fan
    }
}

/// A field of a region's record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Field {
    /// A stored value.
    Value(Item),
    /// Index of the predecessor from which a block was entered.
    Pred(BlockId),
    /// Index of the last iteration of an inner loop.
    Count(LoopId),
    /// Record of the last iteration of an inner loop; of the first one if the records are an array.
    Last(LoopId),
    /// How many bytes lie from one record of a loop to the next, those of inner loops between them included.
    Stride(LoopId),
    /// How many bytes behind the start of a record that of an inner loop's first iteration is, if that is not the
    /// record's own size.
    Start(LoopId),
    /// Record of the iteration before this one, if the records are no array.
    Link,
    /// The last checkpoint of a loop that is run again.
    Checkpoint(LoopId),
}

/// The fields of a region's record, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Fields with their types.
    pub fields: Vec<(Field, TypeId)>,
}

impl Layout {
    /// The number of a field.
    pub fn index(&self, field: Field) -> Option<u32> {
        self.fields.iter().position(|(f, _)| *f == field).map(|i| i as u32)
    }
}

/// The plan for one function.
pub struct Plan {
    /// What is stored, and in the record of which region.
    pub stored: BTreeSet<Wanted>,
    /// Blocks in which something happens in reverse.
    pub live: BTreeSet<BlockId>,
    /// Blocks whose reverse goes straight to that of an earlier block, because nothing happens in between.
    pub skip: HashMap<BlockId, BlockId>,
    /// Loops with something to do in reverse.
    pub live_loops: BTreeSet<LoopId>,
    /// Loops whose records are one array, allocated where the loop is entered.
    pub arrays: BTreeMap<LoopId, Trips>,
    /// Those of them whose number of iterations is computed again, because what it depends on is there without being
    /// stored for it.
    pub counted: BTreeSet<LoopId>,
    /// Loops whose array lies in the record of the iteration around them.
    pub nested: BTreeMap<LoopId, Vec<Guard>>,
    /// Blocks whose predecessor is told by a condition.
    pub ways: BTreeMap<BlockId, Way>,
    /// Loops of which a part is run again, in the reverse pass.
    pub replays: BTreeMap<LoopId, Replay>,
    /// The record of each region.
    pub layouts: BTreeMap<Region, Layout>,
    /// The block that returns.
    pub exit: BlockId,
    /// Blocks from which the function can return.
    pub returning: BTreeSet<BlockId>,
    /// How everything that is needed, but not stored, is had again.
    pub recipes: HashMap<Wanted, Recipe>,
}

impl Plan {
    /// Predecessors from which a block's reverse may have to continue, in a fixed order.
    pub fn preds(&self, shape: &Shape, block: BlockId) -> Vec<BlockId> {
        shape.cfg.preds(block).iter().copied().filter(|p| self.returning.contains(p)).collect()
    }

    /// Must the predecessor of `block` be recorded? Not if it is the only one, nor if nothing happens before
    /// the paths part, nor if a condition tells it, nor for a simple loop header, whose iteration number tells.
    pub fn records_pred(&self, shape: &Shape, block: BlockId) -> bool {
        if self.skip.contains_key(&block) || self.ways.contains_key(&block) {
            return false;
        }
        let preds = self.preds(shape, block);
        match shape.header_of(block) {
            Some(l) if self.live_loops.contains(&l) => preds.len() > 2,
            Some(l) => preds.iter().filter(|p| !shape.loops.contains(l, **p)).count() > 1,
            None => preds.len() > 1,
        }
    }

    /// The loops whose records lie in those of a loop.
    pub fn inner<'a>(&'a self, shape: &'a Shape, l: LoopId) -> impl Iterator<Item = LoopId> + 'a {
        self.nested.keys().copied().filter(move |n| shape.parent(*n) == Some(l))
    }

    /// Do the records of the loop begin right behind what else there is in the record around them?
    pub fn is_first(&self, shape: &Shape, l: LoopId) -> bool {
        shape.parent(l).is_some_and(|parent| self.inner(shape, parent).next() == Some(l))
    }

    /// The region around the array in which the records of a loop lie.
    pub fn around_array(&self, shape: &Shape, l: LoopId) -> Region {
        match shape.parent(l) {
            Some(parent) if self.nested.contains_key(&l) => self.around_array(shape, parent),
            parent => parent,
        }
    }

    /// The region in whose record the predecessor of a block is kept. For the header of a loop that is not
    /// reversed, that is the region around the loop.
    pub fn pred_region(&self, shape: &Shape, block: BlockId) -> Region {
        let mut region = shape.region(block);
        while let Some(l) = region {
            if self.live_loops.contains(&l) {
                break;
            }
            region = shape.parent(l);
        }
        region
    }

    /// The values that a loop's buffer has for each iteration.
    pub fn is_replayed(&self, wanted: Wanted) -> bool {
        let replay = wanted.region.and_then(|l| self.replays.get(&l));
        matches!(wanted.item, Item::Primal(v) if replay.is_some_and(|r| r.rows.contains(&v)))
    }
}
