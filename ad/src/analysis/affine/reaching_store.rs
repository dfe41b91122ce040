//! Which loads see only what a store of the same iteration has left.
//!
//! A load is covered by a store to the same base ([`crate::analysis::affine::Address`]), of the same size and with the
//! same strides if
//!
//! - in the loops that both are in, their counters stand in both with the same stride;
//! - the other loops around the store run over an interval that holds the load's: from a constant up to a bound that is
//!   the same value;
//! - the store is executed in every iteration of these loops, and they have ended before the load: the block that
//!   leaves the outermost of them dominates it. In a graph of one entry every way from the beginning of the iteration
//!   to the load then leads through it. Or a block dominates it that branches to the loop if there is anything to run
//!   over: there is, where the load is executed.

use crate::analysis::affine::{Address, Addresses, Bound, Counters, End, Interval};
use crate::analysis::context::Context;
use crate::analysis::loops::counters::Induction;
use crate::analysis::loops::trip_count;
use crate::analysis::reload::answer::Seen;
use crate::base::affine::integers::Reading;
use crate::base::regions::{Region, Shape};
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BlockId, InstId, InstKind, IntPred, Operand, ValueId};

/// The stores of a loop, as covers of loads in it.
pub struct Cover<'a> {
    pub addresses: Addresses<'a>,
    /// The loop whose iterations are looked at.
    pub of: LoopId,
    /// Its stores by their bases, with their sizes.
    stores: HashMap<Operand, Vec<(InstId, u64, Address)>>,
}

impl<'a> Cover<'a> {
    pub fn new(
        cx: &'a Context<'a>,
        shape: &'a Shape,
        counters: &'a HashMap<ValueId, Induction>,
        of: LoopId,
    ) -> Cover<'a> {
        let addresses = Addresses { cx, shape, counters, of: Some(of) };
        let mut stores: HashMap<Operand, Vec<(InstId, u64, Address)>> = HashMap::default();
        for store in shape.loops.loops[of].blocks.iter().flat_map(|b| &cx.func.blocks[*b].insts) {
            if let InstKind::Store { value, ptr, volatile: false, atomic: None, .. } = cx.func.insts[*store].kind
                && let Some(address) = addresses.address(ptr)
            {
                let size = cx.m.size_of(cx.ty(value));
                stores.entry(address.base).or_default().push((*store, size, address));
            }
        }
        Cover { addresses, of, stores }
    }

    /// Does the load see only what a store of the same iteration of the loop has left?
    pub fn covers(&self, load: InstId) -> bool {
        let cx = self.addresses.cx;
        let InstKind::Load { ptr, .. } = cx.func.insts[load].kind else { return false };
        let Some(address) = self.addresses.address(ptr) else { return false };
        let size = cx.m.size_of(cx.func.insts[load].ty);
        let stores = self.stores.get(&address.base).into_iter().flatten();
        stores
            .filter(|(_, bytes, _)| *bytes == size)
            .any(|(store, _, target)| self.addresses.covered((load, &address), (*store, target)).is_some())
    }
}

impl Addresses<'_> {
    /// Of a load that a store of the same size covers: which iteration's store it sees, told by the counters of the
    /// loops around the store that are not around the load.
    pub fn covered(
        &self,
        (load, address): (InstId, &Address),
        (store, target): (InstId, &Address),
    ) -> Option<Vec<(ValueId, Seen)>> {
        let (here, there) = (self.shape.block(store)?, self.shape.block(load)?);
        let common = self.shape.common(self.shape.region(here), self.shape.region(there));
        let around = self.loops_between(self.shape.region(here), common)?;
        // It has been executed, as often as its loops have run.
        let guarded = match around.last() {
            None => {
                self.shape.dom.inst_dominates(&self.shape.positions, store, load).then_some(())?;
                None
            }
            Some(outermost) => {
                let [(from, _)] = self.shape.loops.loops[*outermost].exits.as_slice() else { return None };
                (!self.shape.dom.dominates(*from, there)).then_some(*outermost)
            }
        };
        let mut inner = here;
        for l in &around {
            let data = &self.shape.loops.loops[*l];
            let ([latch], [(from, _)]) = (data.latches.as_slice(), data.exits.as_slice()) else { return None };
            self.shape.dom.dominates(inner, *latch).then_some(())?;
            // Left from the header: what stands there is executed once more than the rest.
            (inner != data.header || from == latch).then_some(())?;
            inner = data.header;
        }
        (target.base == address.base && target.is_constant() && address.is_constant()).then_some(())?;
        // What both know as one value.
        let is_common =
            |v: &ValueId| self.counters.get(v).is_some_and(|c| !around.contains(&c.of) && self.holds(c.of, common));
        let split =
            |a: &Address| -> [Counters; 2] { a.counters.iter().copied().partition(|(_, v)| is_common(v)).into() };
        let ([shared, free], [shared_too, free_too]) = (split(target), split(address));
        (shared.len() == shared_too.len() && shared.iter().all(|c| shared_too.contains(c))).then_some(())?;
        // Each loop around the store moves it.
        (free.len() == around.len()).then_some(())?;
        let mut dims: Vec<(i64, ValueId, Interval)> = Vec::new();
        let mut moved = Vec::new();
        for (stride, v) in free {
            let l = self.counters[&v].of;
            let new = !moved.contains(&l) && !dims.iter().any(|(s, ..)| *s == stride);
            (new && around.contains(&l)).then_some(())?;
            moved.push(l);
            dims.push((stride, v, self.interval(v, false, here)?));
        }
        dims.sort_by_key(|(stride, ..)| -stride);
        let mut seen = Vec::new();
        let mut entered = guarded.is_none();
        let mut rest = address.at - target.at;
        let mut left = free_too.len();
        for (stride, moving, covered) in dims {
            (stride > 0).then_some(())?;
            let shift = rest.div_euclid(stride);
            rest = rest.rem_euclid(stride);
            let mut with = free_too.iter().filter(|(s, _)| *s == stride);
            match (with.next(), with.next()) {
                (None, _) => {
                    let point = covered.nonempty && shift == covered.from;
                    let number = matches!(covered.to, End::Number(to) if (covered.from..to).contains(&shift));
                    (point || number).then_some(())?;
                    seen.push((moving, Seen::At(shift)));
                }
                (Some((_, v)), None) => {
                    left -= 1;
                    if let Some(l) = guarded.filter(|l| self.counters[&moving].of == *l) {
                        self.is_entered_before(l, &covered, (common, there))?;
                        entered = true;
                    }
                    seen.push((moving, Seen::With(*v, shift)));
                    let read = self.interval(*v, true, there)?;
                    (read.from + shift >= covered.from).then_some(())?;
                    match (read.to, covered.to) {
                        (End::Number(read), End::Number(to)) => (read + shift <= to).then_some(())?,
                        (End::Value(v, more), End::Value(w, plus)) => {
                            (v.is(&w) && more + shift <= plus).then_some(())?
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        (rest == 0 && left == 0 && entered).then_some(seen)
    }

    /// Is the loop executed before the block in the same iteration of what is around both, if its counter has anything
    /// to run over? The way in is one side of a branch that dominates the block, and is taken then.
    fn is_entered_before(&self, l: LoopId, runs: &Interval, (common, there): (Region, BlockId)) -> Option<()> {
        let (shape, func) = (self.shape, self.cx.func);
        let data = &shape.loops.loops[l];
        let outside = |b: &&BlockId| !shape.loops.contains(l, **b);
        let mut enter = *shape.cfg.preds(data.header).iter().find(outside)?;
        let mut towards = data.header;
        if matches!(func.insts[func.terminator(enter)?].kind, InstKind::Br(_)) {
            let [pred] = shape.cfg.preds(enter) else { return None };
            (towards, enter) = (enter, *pred);
        }
        let InstKind::CondBr { cond, then_to, else_to } = func.insts[func.terminator(enter)?].kind else { return None };
        (then_to != else_to && shape.region(enter) == common && shape.dom.dominates(enter, there)).then_some(())?;
        let InstKind::ICmp { pred, lhs, rhs } = func.insts[func.def_inst(cond.local()?)?].kind else { return None };
        let pred = if towards == then_to { pred } else { trip_count::inverse(pred) };
        let (pred, bound, least) = match self.number(rhs) {
            Some(least) => (pred, lhs, least),
            None => (trip_count::swapped(pred), rhs, self.number(lhs)?),
        };
        let End::Value(end, 0) = runs.to else { return None };
        let read = |reading| Bound { reading: self.bound(bound).reading.or(reading), ..self.bound(bound) };
        // What is beyond the first number is beyond all that are not beyond that.
        let (fits, read) = match pred {
            IntPred::Sgt => (least <= runs.from, read(Some(Reading::Signed))),
            IntPred::Sge => (least <= runs.from + 1, read(Some(Reading::Signed))),
            IntPred::Ugt => (0 <= least && least <= runs.from, read(Some(Reading::Unsigned))),
            IntPred::Uge => (0 <= least && least <= runs.from + 1, read(Some(Reading::Unsigned))),
            IntPred::Ne => (0 <= least && least <= runs.from, read(None)),
            _ => return None,
        };
        (fits && read.is(&end)).then_some(())
    }
}
