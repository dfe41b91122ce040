//! Values that the program itself has left in memory that lasts: they are loaded from there in the reverse pass, and
//! not put on the tape as well.
//!
//! A store of `v` to `p` is such if
//!
//! - it is plain: another thread, or a device, is not asked;
//! - it stands in the block in which `v` is defined, so that it is executed whenever `v` is made, and its `p` is that
//!   of the same iteration;
//! - it is in the differentiated function or in one that is executed in the reverse pass, and both passes are one
//!   function: these run once, so that no other call of theirs meets the cell;
//! - its memory is there in the reverse pass, as for loads ([`crate::analysis::reload::answer::Reloads`]);
//! - nothing that can be executed after it may write to the object it writes to, but itself and plain stores whose
//!   addresses never meet its own ([`Addresses::never_meet`]);
//! - itself it meets no cell twice ([`crate::analysis::affine::injective::meets_no_cell_twice`]).
//!
//! Numbers only: what a pointer leads to is another question. (Checkpoints restore memory, but with them the passes are
//! not one function.)

use crate::analysis::affine::{Addresses, injective};
use crate::analysis::context::Context;
use crate::analysis::memory::object::ObjId;
use crate::analysis::recompute::Recompute;
use crate::analysis::reload;
use crate::analysis::reload::written_after::{Set, Writes};
use crate::analysis::wanted::Assumptions;
use crate::base::regions::Shape;
use crate::normalise::collect::return_block;
use crate::runtime::substitute;
use ir::{BlockId, InstId, InstKind};
use std::collections::BTreeSet;

/// A store that may be loaded from: the instruction whose value it stores, the store, and the objects it writes to.
type Found = (InstId, InstId, Vec<ObjId>);

/// Finds these stores in a function that runs once; `is_there` tells whether memory lasts that a set of objects is
/// written in later.
pub(super) fn find(cx: &Context, writes: &Writes, is_there: impl Fn(ObjId, &Set) -> bool) -> Vec<Found> {
    let candidates: Vec<(InstId, InstId)> =
        cx.func.inst_order().filter_map(|(block, inst)| Some((value_of(cx, (block, inst))?, inst))).collect();
    let Ok(shape) = Shape::new(cx.m, cx.func) else { return Vec::new() };
    let Some(exit) = return_block(cx.func) else { return Vec::new() };
    // Elsewhere a value is at hand, or made once.
    let repeated = |(_, store): &(InstId, InstId)| {
        shape.block(*store).is_some_and(|b| shape.region(b).is_some() || !shape.dom.dominates(b, exit))
    };
    let candidates: Vec<(InstId, InstId)> = candidates.into_iter().filter(repeated).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let assume = (Assumptions { combined: true, arguments: false }, cx.facts.without);
    let recompute = Recompute::new(cx, &shape, exit, assume);
    let addresses = Addresses { cx, shape: &shape, counters: recompute.inductions(), of: None };
    let found = candidates.into_iter().filter_map(|(made, store)| {
        let InstKind::Store { ptr, .. } = cx.func.insts[store].kind else { return None };
        let targets = cx.targets(ptr);
        let last = |after: &Set| targets.keys().all(|o| is_there(*o, after));
        let lasts = !targets.is_empty()
            && !cx.facts.leads_elsewhere(cx.m, cx.id, ptr)
            && last(&Set::default())
            && injective::meets_no_cell_twice(cx, &shape, recompute.inductions(), store)
            && last(&written_after(&addresses, writes, store));
        lasts.then(|| (made, store, targets.into_keys().collect()))
    });
    found.collect()
}

/// The instruction of the same block whose result, a number, a plain store puts into memory.
fn value_of(cx: &Context, (block, store): (BlockId, InstId)) -> Option<InstId> {
    let InstKind::Store { value, volatile: false, atomic: None, .. } = cx.func.insts[store].kind else { return None };
    let made = substitute::bits(cx.m, cx.func, value)?;
    let here = cx.func.blocks[block].insts.contains(&made);
    (here && reload::is_number(cx.m, cx.ty(value))).then_some(made)
}

/// What may be written after a store by all other instructions of its function, in places that may be its own.
fn written_after(addresses: &Addresses, writes: &Writes, store: InstId) -> Set {
    let Addresses { cx, shape, .. } = *addresses;
    let mut set = Set::default();
    let Some(here) = shape.block(store) else { return set };
    let mut seen: BTreeSet<BlockId> = BTreeSet::new();
    let mut work: Vec<BlockId> = shape.cfg.succs(here).to_vec();
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            work.extend(shape.cfg.succs(block));
        }
    }
    let insts = &cx.func.blocks[here].insts;
    let behind = insts.iter().skip_while(|inst| **inst != store);
    let reached = seen.iter().flat_map(|b| &cx.func.blocks[*b].insts);
    let place = |inst: InstId| {
        let InstKind::Store { value, ptr, volatile: false, atomic: None, .. } = cx.func.insts[inst].kind else {
            return None;
        };
        Some((addresses.address(ptr)?, cx.m.size_of(cx.ty(value))))
    };
    let own = place(store);
    let apart = |inst: InstId| match (&own, place(inst)) {
        (Some((one, size)), Some((other, bytes))) => addresses.never_meet((one, *size), (&other, bytes)),
        _ => false,
    };
    for inst in behind.chain(reached).filter(|inst| **inst != store && !apart(**inst)) {
        writes.by(cx.id, *inst).into_iter().for_each(|written| {
            set.add(written);
        });
    }
    set
}
