//! The cache plan: for what the reverse pass needs, recompute, reload, run again or store.
//!
//! 1. The needs of all acting instructions, each seen from the region of its use
//!    ([`Wanted`]: a value together with the region whose latest instance is meant).
//! 2. A graph of how each could be recomputed from others ([`Recompute`]).
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

pub mod branch_conditions;
mod cut;
pub mod data;
pub mod nested_arrays;
pub mod replay;

use crate::analysis::context::{Context, Item};
use crate::analysis::loops::counters::Trips;
use crate::analysis::loops::trip_count;
use crate::analysis::recompute::recipe::Recipe;
use crate::analysis::recompute::{Recompute, is_there};
use crate::analysis::wanted::{Assumptions, RecordTypes, Wanted};
use crate::base::regions::{Region, Shape};
use crate::options::{Lever, Without};
use crate::plan::data::{Field, Layout, Plan};
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BlockId, InstKind, Operand, TypeId};
use std::collections::{BTreeMap, BTreeSet};

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
            plan.ways = branch_conditions::find(cx, shape, &plan);
        }
        let mut recompute = Recompute::new(cx, shape, exit, (assume, without));
        let needed = plan.needed(cx, shape);
        plan.stored = match without.has(Lever::MinimumCut) {
            false => cut::minimum(&mut recompute, &needed),
            true => needed.iter().copied().filter(|wanted| recompute.recipe(*wanted) != Recipe::Free).collect(),
        };
        if !without.has(Lever::Arrays) {
            let counters = recompute.inductions();
            let of = |l: &LoopId| Some((*l, trip_count::of(cx, shape, counters, *l)?));
            plan.arrays = plan.live_loops.iter().filter_map(of).collect();
        }
        plan.counted = counted(&mut recompute, &plan.arrays, &plan.stored);
        let counts = plan.counted.iter().flat_map(|l| plan.arrays[l].wanted(cx.func, shape, *l));
        plan.replays = replay::chosen(&mut recompute, needed.iter().copied().chain(counts), &plan.stored);
        plan.recipes = recompute.into_recipes();
        plan.lay_out(cx, shape, (types, without));
        plan
    }

    /// What the reverse pass needs of the forward pass: for the adjoints of instructions, and to know which way it has
    /// come.
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

    fn lay_out(&mut self, cx: &Context, shape: &Shape, (types, without): (RecordTypes, Without)) {
        let mut fields: BTreeMap<Region, Vec<(Field, TypeId)>> = BTreeMap::new();
        fields.entry(None).or_default();
        for wanted in &self.stored {
            let ty = match wanted.item {
                Item::Primal(v) | Item::Shadow(v) => cx.ty(Operand::Local(v)),
                Item::Record(i) => cx.record_ty(i, types.ptr, types.count),
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
                    .is_none_or(|f| f.iter().all(|(_, ty)| cx.m.layout.align_of(&cx.m.types, *ty) <= data::ALIGN))
            };
            let fits = has_record && aligned(Some(l)) && aligned(parent) && !without.has(Lever::Nesting);
            let guards = if fits { nested_arrays::guards(cx, shape, self, l) } else { None };
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
