//! Scratch memory that one loop fills, and that is read after it.
//!
//! `for i: c[3i] = …, c[3i + 1] = …, c[3i + 2] = …`, and then loads of `c[3j + k]`, whatever `j` is: such memory may as
//! well hold other numbers, if the loads make of them what they gave ([`crate::restructure::rematerialise`]). It is so
//! if
//!
//! - it is memory of the gradient's own, and nothing was in it before;
//! - all that writes to it are plain stores of one type in one block of an outermost loop, whose addresses are one base
//!   plus a counter of that loop times a stride plus different constants ([`crate::analysis::affine`]): a row for each
//!   iteration;
//! - all that reads it are plain loads after which nothing writes to it
//!   ([`crate::analysis::reload::answer::Reloads::load`]), at that base plus a multiple of the stride plus one of these
//!   constants.
//!
//! Which row a load reads need not be known: one that was not written holds nothing, before and after.

use crate::analysis::affine::{Address, Addresses};
use crate::analysis::context::Context;
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::recompute::Recompute;
use crate::analysis::reload::answer::Filled;
use crate::analysis::reload::reads::reads;
use crate::analysis::reload::written_after::Writes;
use crate::analysis::reload::{self, Blocks};
use crate::analysis::wanted::Assumptions;
use crate::base::regions::Shape;
use crate::normalise::collect::return_block;
use crate::program::externals::{self, marks_life};
use ir::{InstId, InstKind, Operand, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Finds it in a function that runs once.
pub(super) fn find(cx: &Context, writes: &Writes, blocks: &Blocks, lasts: impl Fn(InstId) -> bool) -> Vec<Filled> {
    let mut writers: BTreeMap<ObjId, Vec<InstId>> = BTreeMap::new();
    let is_empty = |o: &&ObjId| match cx.facts.objects[**o].kind {
        ObjKind::Stack(id, _) => id == cx.id,
        ObjKind::Heap(id, inst) => {
            let callee = cx.func.insts.is_valid(inst).then(|| cx.func.insts[inst].kind.as_call()).flatten();
            let name = callee.and_then(|call| cx.m.as_function(call.callee)).map(|f| &cx.m.functions[f].name);
            id == cx.id && name.is_some_and(|name| !externals::clears_blocks(name))
        }
        _ => false,
    };
    writers.extend(blocks.own.iter().filter(is_empty).map(|o| (*o, Vec::new())));
    if writers.is_empty() {
        return Vec::new();
    }
    for (_, inst) in cx.func.inst_order().filter(|(_, inst)| !marks_life(cx.m, &cx.func.insts[*inst])) {
        if let Some(set) = writes.by(cx.id, inst) {
            writers.iter_mut().filter(|(o, _)| set.contains(**o)).for_each(|(_, all)| all.push(inst));
        }
    }
    let (Ok(shape), Some(exit)) = (Shape::new(cx.m, cx.func), return_block(cx.func)) else { return Vec::new() };
    let assume = (Assumptions { combined: true, arguments: false }, cx.facts.without);
    let recompute = Recompute::new(cx, &shape, exit, assume);
    let addresses = Addresses { cx, shape: &shape, counters: recompute.inductions(), of: None };
    writers.iter().filter_map(|(o, stores)| Find { cx, addresses, object: *o }.filled(stores, &lasts)).collect()
}

struct Find<'a> {
    cx: &'a Context<'a>,
    addresses: Addresses<'a>,
    object: ObjId,
}

impl Find<'_> {
    /// Of a plain access to the object alone: the address, and the type.
    fn access(&self, inst: InstId) -> Option<(Operand, TypeId)> {
        let (ptr, ty) = match self.cx.func.insts[inst].kind {
            InstKind::Store { value, ptr, volatile: false, atomic: None, .. } => (ptr, self.cx.ty(value)),
            InstKind::Load { ptr, volatile: false, atomic: None, .. } => (ptr, self.cx.func.insts[inst].ty),
            _ => return None,
        };
        let alone = self.cx.targets(ptr).keys().eq([&self.object])
            && !self.cx.facts.leads_elsewhere(self.cx.m, self.cx.id, ptr);
        (alone && reload::is_number(self.cx.m, ty)).then_some((ptr, ty))
    }

    fn filled(&self, stores: &[InstId], lasts: impl Fn(InstId) -> bool) -> Option<Filled> {
        let (shape, addresses) = (self.addresses.shape, self.addresses);
        let block = shape.block(*stores.first()?)?;
        let of = shape.region(block).filter(|l| shape.parent(*l).is_none())?;
        let mut rows: Vec<(InstId, Address)> = Vec::new();
        let (_, ty) = self.access(stores[0])?;
        for store in stores {
            let (ptr, written) = self.access(*store)?;
            (shape.block(*store) == Some(block) && written == ty).then_some(())?;
            rows.push((*store, addresses.address(ptr)?));
        }
        let first = rows[0].1.clone();
        let [(stride, counter)] = first.counters[..] else { return None };
        let same = |a: &Address| a.base == first.base && a.counters == first.counters && a.is_constant();
        (addresses.counters[&counter].of == of && stride > 0 && rows.iter().all(|(_, a)| same(a))).then_some(())?;
        let size = self.cx.m.size_of(ty);
        addresses.spreads(&first, (size, block), None)?;
        // Apart, and within a row.
        let mut places: Vec<i64> = rows.iter().map(|(_, a)| a.at).collect();
        places.sort_unstable();
        places.windows(2).all(|w| w[1] - w[0] >= size as i64).then_some(())?;
        (places[places.len() - 1] + size as i64 - places[0] <= stride).then_some(())?;
        let loads: BTreeSet<InstId> = self.cx.func.inst_order().map(|(_, i)| i).filter(|i| self.is_load(*i)).collect();
        if reads(self.cx, &BTreeSet::from([self.object]), |id, inst| id == self.cx.id && loads.contains(&inst)) {
            return None;
        }
        let order: Vec<i64> = rows.iter().map(|(_, a)| a.at).collect();
        let loads = loads.into_iter().map(|load| {
            let (ptr, read) = self.access(load)?;
            let (base, place) = addresses.in_any_row(ptr, stride.unsigned_abs())?;
            (lasts(load) && read == ty && base == first.base).then_some(())?;
            Some((load, order.iter().position(|at| (place - at) % stride == 0)?))
        });
        let loads = loads.collect::<Option<Vec<(InstId, usize)>>>()?;
        let stores = rows.iter().map(|(store, a)| (*store, a.at)).collect();
        (!loads.is_empty()).then_some(Filled { of, block, stores, loads })
    }

    fn is_load(&self, inst: InstId) -> bool {
        match self.cx.func.insts[inst].kind {
            InstKind::Load { ptr, .. } => self.cx.targets(ptr).contains_key(&self.object),
            _ => false,
        }
    }
}
