//! Loads of scratch memory that see what one known store has left there.
//!
//! A program makes numbers in one loop and reads them in the next: `for l: c[l] = x[l] - m[l]`, and then
//! `for i: … c[i] …`. Such a load sees what the iteration `l = i` has stored, so that what it gives can be made again
//! from `x` and `m` ([`crate::restructure::rematerialise`]). It is so if
//!
//! - the store is plain, of a number, and in a function that runs once, to memory of the gradient's own;
//! - nothing else in the function, nor in what it calls, writes to the cell: what else writes to that memory are plain
//!   stores to the same base, whose addresses never meet the load's
//!   ([`crate::analysis::affine::Addresses::never_meet`]);
//! - the store covers the load ([`crate::analysis::affine::reaching_store`]), and its loops meet no cell twice within
//!   an iteration of those around both ([`crate::analysis::affine::injective`]): there is one iteration that the load
//!   can see.

use crate::analysis::affine::Addresses;
use crate::analysis::context::Context;
use crate::analysis::memory::object::ObjId;
use crate::analysis::recompute::Recompute;
use crate::analysis::reload::answer::{Covering, Seen};
use crate::analysis::reload::written_after::Writes;
use crate::analysis::reload::{self, Blocks};
use crate::analysis::wanted::Assumptions;
use crate::base::regions::Shape;
use crate::normalise::collect::return_block;
use crate::program::externals::marks_life;
use ir::hash::HashMap;
use ir::{InstId, InstKind, ValueId};
use std::collections::BTreeSet;

/// Finds these loads in a function that runs once.
pub(super) fn find(cx: &Context, writes: &Writes, blocks: &Blocks) -> Vec<(InstId, Covering)> {
    let plain = |inst: InstId| match cx.func.insts[inst].kind {
        InstKind::Store { value, ptr, volatile: false, atomic: None, .. } if value.local().is_some() => {
            reload::is_number(cx.m, cx.ty(value)).then_some(ptr)
        }
        _ => None,
    };
    // Who writes to an object, as far as it matters.
    let mut writers: HashMap<ObjId, Vec<InstId>> = HashMap::default();
    let mut stores: Vec<(InstId, Vec<ObjId>)> = Vec::new();
    for (_, inst) in cx.func.inst_order() {
        let Some(ptr) = plain(inst) else { continue };
        let objects: Vec<ObjId> = cx.targets(ptr).into_keys().collect();
        if !objects.is_empty()
            && objects.iter().all(|o| blocks.own.contains(o))
            && !cx.facts.leads_elsewhere(cx.m, cx.id, ptr)
        {
            writers.extend(objects.iter().map(|o| (*o, Vec::new())));
            stores.push((inst, objects));
        }
    }
    if stores.is_empty() {
        return Vec::new();
    }
    // Where its life begins, memory holds nothing that a load may want.
    let writing = cx.func.inst_order().filter(|(_, inst)| !marks_life(cx.m, &cx.func.insts[*inst]));
    for (_, inst) in writing {
        if let Some(set) = writes.by(cx.id, inst) {
            writers.iter_mut().filter(|(o, _)| set.contains(**o)).for_each(|(_, all)| all.push(inst));
        }
    }
    let others = |store: InstId, objects: &[ObjId]| -> BTreeSet<InstId> {
        objects.iter().flat_map(|o| &writers[o]).copied().filter(|w| *w != store).collect()
    };
    let (Ok(shape), Some(exit)) = (Shape::new(cx.m, cx.func), return_block(cx.func)) else { return Vec::new() };
    let assume = (Assumptions { combined: true, arguments: false }, cx.facts.without);
    let recompute = Recompute::new(cx, &shape, exit, assume);
    let mut found = Vec::new();
    for (_, load) in cx.func.inst_order() {
        let InstKind::Load { ptr, volatile: false, atomic: None, .. } = cx.func.insts[load].kind else { continue };
        let targets = cx.targets(ptr);
        let see = |(_, objects): &&(InstId, Vec<ObjId>)| objects.iter().any(|o| targets.contains_key(o));
        if cx.facts.leads_elsewhere(cx.m, cx.id, ptr) {
            continue;
        }
        for (store, objects) in stores.iter().filter(see) {
            let others = others(*store, objects);
            if let Some(seen) = covered((cx, &shape, &recompute), load, (*store, &others)) {
                found.push((load, Covering { store: *store, seen, objects: objects.clone() }));
                break;
            }
        }
    }
    found
}

/// The iteration of a store that a load sees.
fn covered(
    (cx, shape, recompute): (&Context, &Shape, &Recompute),
    load: InstId,
    (store, others): (InstId, &BTreeSet<InstId>),
) -> Option<Vec<(ValueId, Seen)>> {
    let InstKind::Load { ptr: from, .. } = cx.func.insts[load].kind else { return None };
    let InstKind::Store { ptr: to, value, .. } = cx.func.insts[store].kind else { return None };
    let (here, there) = (shape.block(store)?, shape.block(load)?);
    (cx.ty(value) == cx.func.insts[load].ty).then_some(())?;
    let common = shape.common(shape.region(here), shape.region(there));
    let of = shape.loops.around(here).filter(|l| shape.loops.contains(*l, there)).last();
    let addresses = Addresses { cx, shape, counters: recompute.inductions(), of };
    let (target, address) = (addresses.address(to)?, addresses.address(from)?);
    let size = cx.m.size_of(cx.ty(value));
    let seen = addresses.covered((load, &address), (store, &target))?;
    addresses.spreads(&target, (size, here), common)?;
    let elsewhere = |other: &InstId| match cx.func.insts[*other].kind {
        InstKind::Store { ptr, value, .. } => {
            let written = addresses.address(ptr).map(|a| (a, cx.m.size_of(cx.ty(value))));
            written.is_some_and(|(a, bytes)| addresses.never_meet((&address, size), (&a, bytes)))
        }
        _ => false,
    };
    others.iter().all(elsewhere).then_some(seen)
}
