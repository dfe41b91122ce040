//! The cache plan: for what the reverse pass needs, recompute, reload, run again or store.
//!
//! 1. The needs of all acting instructions, each seen from the region of its use
//!    ([`Wanted`]: a value together with the region whose latest instance is meant).
//! 2. A graph of how each could be recomputed from others ([`recompute`]).
//! 3. A minimum cut between what cannot be recomputed and what is needed, weighted by
//!    bytes × estimated trip count ([`cut`]); the cut is stored.
//! 4. The loops of which a part is run again ([`replay`]) for what is neither stored nor computed from what is.
//! 5. A record layout for each region ([`Layout`]): the stored values, and what reverses the control
//!    flow: which predecessor was taken, how many iterations ran, where the last record lies.
//!
//! The minimum cut over a recomputation graph is that of Enzyme (Moses & Churavy 2021, SC'21, §4);
//! records per loop iteration in place of one array per value are ours: a single allocation and a
//! single address computation serve everything an iteration stores. Where the number of iterations is known on
//! entry ([`Trips`]), the records are one array; elsewhere each has a link to the one before.

pub mod check;
mod cut;
mod iteration;
mod loaded;
pub mod nest;
mod recompute;
pub mod replay;
pub(crate) mod trips;
pub mod ways;

pub(crate) use recompute::may_round_otherwise;
pub use recompute::{Induction, Recipe, Recompute};
pub use trips::{Step, Trips};

use crate::base::regions::{Region, Shape};
use crate::needs::{Context, Item};
use crate::options::{Lever, Without};
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BlockId, Function, InstKind, Operand, TypeId};
use std::collections::{BTreeMap, BTreeSet};

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
    /// How many bytes behind the start of a record that of an inner loop's first iteration is, if that is not the record's own size.
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
    /// Those of them whose number of iterations is computed again, because what it depends on is there without being stored for it.
    pub counted: BTreeSet<LoopId>,
    /// Loops whose array lies in the record of the iteration around them.
    pub nested: BTreeMap<LoopId, Vec<nest::Guard>>,
    /// Blocks whose predecessor is told by a condition.
    pub ways: BTreeMap<BlockId, ways::Way>,
    /// Loops of which a part is run again, in the reverse pass.
    pub replays: BTreeMap<LoopId, replay::Replay>,
    /// The record of each region.
    pub layouts: BTreeMap<Region, Layout>,
    /// The block that returns.
    pub exit: BlockId,
    /// Blocks from which the function can return.
    pub returning: BTreeSet<BlockId>,
    /// How everything that is needed, but not stored, is had again.
    pub recipes: HashMap<Wanted, Recipe>,
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

impl Plan {
    /// Plans the tape of a function that returns at `exit`.
    pub fn new(
        cx: &Context,
        shape: &Shape,
        exit: BlockId,
        (assume, without): (Assumptions, Without),
        types: RecordTypes,
    ) -> Plan {
        let returning = returning_blocks(shape, exit);
        let mut live: BTreeSet<BlockId> = BTreeSet::new();
        for block in &returning {
            if cx.func.blocks[*block].insts.iter().any(|i| cx.acts(*i)) {
                live.insert(*block);
            }
        }
        let live_loops: BTreeSet<LoopId> = live.iter().flat_map(|b| shape.loops.around(*b)).collect();
        let skip = match without.has(Lever::Skips) {
            false => find_skips(cx, shape, &live, &returning),
            true => HashMap::default(),
        };
        let mut plan = Plan {
            stored: BTreeSet::new(),
            live,
            skip,
            live_loops,
            arrays: BTreeMap::new(),
            counted: BTreeSet::new(),
            nested: BTreeMap::new(),
            ways: BTreeMap::new(),
            replays: BTreeMap::new(),
            layouts: BTreeMap::new(),
            exit,
            returning,
            recipes: HashMap::default(),
        };
        if !without.has(Lever::Conditions) {
            plan.ways = ways::find(cx, shape, &plan);
        }
        let mut recompute = Recompute::new(cx, shape, exit, (assume, without));
        let needed = plan.needed(cx, shape);
        plan.stored = match without.has(Lever::MinimumCut) {
            false => cut::minimum(&mut recompute, &needed),
            true => needed.iter().copied().filter(|wanted| recompute.recipe(*wanted) != Recipe::Free).collect(),
        };
        if !without.has(Lever::Arrays) {
            let counters = recompute.inductions();
            let of = |l: &LoopId| Some((*l, trips::of(cx, shape, counters, *l)?));
            plan.arrays = plan.live_loops.iter().filter_map(of).collect();
        }
        plan.counted = counted(&mut recompute, &plan.arrays, &plan.stored);
        let counts = plan.counted.iter().flat_map(|l| plan.arrays[l].wanted(cx.func, shape, *l));
        plan.replays = replay::chosen(&mut recompute, needed.iter().copied().chain(counts), &plan.stored);
        plan.recipes = recompute.into_recipes();
        plan.lay_out(cx, shape, (types, without));
        plan
    }

    /// What the reverse pass needs of the forward pass: for the adjoints of instructions, and to know which way it has come.
    fn needed(&self, cx: &Context, shape: &Shape) -> BTreeSet<Wanted> {
        let mut needed = BTreeSet::new();
        for block in &self.live {
            for inst in &cx.func.blocks[*block].insts {
                for item in cx.needs(*inst) {
                    needed.insert(Wanted::new(cx.func, shape, item, shape.region(*block)));
                }
            }
        }
        for (block, way) in &self.ways {
            needed.insert(Wanted::new(cx.func, shape, Item::Primal(way.cond), shape.region(*block)));
        }
        needed
    }

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

    fn lay_out(&mut self, cx: &Context, shape: &Shape, (types, without): (RecordTypes, Without)) {
        let mut fields: BTreeMap<Region, Vec<(Field, TypeId)>> = BTreeMap::new();
        fields.entry(None).or_default();
        for wanted in &self.stored {
            let ty = match wanted.item {
                Item::Primal(v) | Item::Shadow(v) => cx.ty(Operand::Local(v)),
                Item::Record(i) => cx.record_ty(i, types.ptr),
            };
            fields.entry(wanted.region).or_default().push((Field::Value(wanted.item), ty));
        }
        for block in &self.returning {
            if self.records_pred(shape, *block) {
                fields.entry(self.pred_region(shape, *block)).or_default().push((Field::Pred(*block), types.pred));
            }
        }
        // Inner loops first: whether an iteration has a record decides what its parent remembers.
        let loops: Vec<LoopId> = self.live_loops.iter().copied().rev().collect();
        for l in loops {
            let (own, parent) = (fields.entry(Some(l)).or_default(), shape.parent(l));
            let has_record = !own.is_empty() || self.inner(shape, l).next().is_some();
            if has_record && !self.arrays.contains_key(&l) {
                own.push((Field::Link, types.ptr));
            }
            let aligned = |r: Region| {
                fields
                    .get(&r)
                    .is_none_or(|f| f.iter().all(|(_, ty)| cx.m.layout.align_of(&cx.m.types, *ty) <= nest::ALIGN))
            };
            let fits = has_record && aligned(Some(l)) && aligned(parent) && !without.has(Lever::Nesting);
            let guards = if fits { nest::guards(cx, shape, self, l) } else { None };
            if let Some(guards) = guards {
                self.nested.insert(l, guards);
            } else if has_record {
                fields.entry(parent).or_default().push((Field::Last(l), types.ptr));
            }
            if !self.counted.contains(&l) {
                fields.entry(parent).or_default().push((Field::Count(l), types.count));
            }
        }
        for l in self.nested.keys().filter(|l| !self.is_first(shape, **l)) {
            let around = self.around_array(shape, *l);
            fields.entry(around).or_default().push((Field::Start(*l), types.count));
        }
        for l in self.replays.keys() {
            fields.entry(None).or_default().push((Field::Checkpoint(*l), types.ptr));
        }
        let containers: BTreeSet<LoopId> = self.nested.keys().filter_map(|l| shape.parent(*l)).collect();
        for l in &containers {
            let around = self.around_array(shape, *l);
            fields.entry(around).or_default().push((Field::Stride(*l), types.count));
        }
        for (region, mut list) in fields {
            // Widest first, so that no padding is needed.
            list.sort_by_key(|(f, ty)| (std::cmp::Reverse(cx.m.size_of(*ty)), *f));
            if region.is_none() || !list.is_empty() || region.is_some_and(|l| containers.contains(&l)) {
                self.layouts.insert(region, Layout { fields: list });
            }
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
}

/// Loops with an array of records whose start and bound can be had in the reverse pass from what is stored anyhow.
fn counted(recompute: &mut Recompute, arrays: &BTreeMap<LoopId, Trips>, stored: &BTreeSet<Wanted>) -> BTreeSet<LoopId> {
    let mut out = BTreeSet::new();
    for (l, trips) in arrays {
        let wanted = trips.wanted(recompute.cx.func, recompute.shape, *l);
        if wanted.into_iter().all(|w| is_there(recompute, stored, w, &mut HashMap::default())) {
            out.insert(*l);
        }
    }
    out
}

/// Can it be had without storing anything more?
fn is_there(
    recompute: &mut Recompute,
    stored: &BTreeSet<Wanted>,
    wanted: Wanted,
    known: &mut HashMap<Wanted, bool>,
) -> bool {
    if stored.contains(&wanted) {
        return true;
    }
    if let Some(known) = known.get(&wanted) {
        return *known;
    }
    known.insert(wanted, false);
    let there = match recompute.recipe(wanted) {
        Recipe::Free => true,
        Recipe::Store => false,
        // Where the number of iterations is cheaper stored, nothing is run again for it.
        Recipe::Replay(..) if recompute.price(wanted).is_none_or(|(_, price)| price >= recompute.weight(wanted)) => {
            false
        }
        Recipe::Again(_, operands) | Recipe::Count(_, operands) | Recipe::Replay(_, operands) => {
            operands.into_iter().all(|o| is_there(recompute, stored, o, known))
        }
    };
    known.insert(wanted, there);
    there
}

/// Blocks on some path from the entry to the exit.
fn returning_blocks(shape: &Shape, exit: BlockId) -> BTreeSet<BlockId> {
    let mut out = BTreeSet::from([exit]);
    let mut work = vec![exit];
    while let Some(block) = work.pop() {
        for pred in shape.cfg.preds(block) {
            if out.insert(*pred) {
                work.push(*pred);
            }
        }
    }
    out
}

/// For a block where paths meet: the nearest dominator such that nothing happens on any path between.
fn find_skips(
    cx: &Context,
    shape: &Shape,
    live: &BTreeSet<BlockId>,
    returning: &BTreeSet<BlockId>,
) -> HashMap<BlockId, BlockId> {
    let mut out = HashMap::default();
    for block in returning {
        let has_phi = cx.func.blocks[*block].insts.iter().any(|i| {
            let inst = &cx.func.insts[*i];
            matches!(inst.kind, InstKind::Phi { .. }) && cx.acts(*i)
        });
        let header_of_live = shape.header_of(*block).is_some_and(|l| loop_is_live(shape, l, live));
        if has_phi || header_of_live {
            continue;
        }
        let Some(dominator) = shape.dom.idom(*block) else { continue };
        let mut target = dominator;
        // A dominator inside a loop that `block` is not in stands for that loop's header.
        while shape.common(shape.region(target), shape.region(*block)) != shape.region(target) {
            match shape.dom.idom(target) {
                Some(up) => target = up,
                None => break,
            }
        }
        if between(shape, target, *block).iter().all(|b| !live.contains(b)) {
            out.insert(*block, target);
        }
    }
    out
}

fn loop_is_live(shape: &Shape, l: LoopId, live: &BTreeSet<BlockId>) -> bool {
    shape.loops.loops[l].blocks.iter().any(|b| live.contains(b))
}

/// Blocks on paths from `from` (exclusive, a dominator) to `to` (exclusive).
fn between(shape: &Shape, from: BlockId, to: BlockId) -> BTreeSet<BlockId> {
    let mut out = BTreeSet::new();
    let mut work = vec![to];
    while let Some(block) = work.pop() {
        for pred in shape.cfg.preds(block) {
            if *pred != from && *pred != to && out.insert(*pred) {
                work.push(*pred);
            }
        }
    }
    out
}
