//! Results of a parallel primal of which its schedule decides the bits, as of a sum in the order in which threads come.
//!
//! Other schedules of the primal tell which they are. A gradient cannot be asked for the bits that one of them leaves;
//! but a number among them has to be the primal's in exact arithmetic, where the order of a sum does not matter. Of
//! other bytes that the schedule decides nothing is asked, nor of a number that another schedule changes in exact
//! arithmetic, too: what a thread has left in a cell that each of them overwrites, say.
//!
//! Where schedules give other derivatives in exact arithmetic ([`other_derivatives`]), the function is not one: a
//! gradient may be that of the schedule under which it was computed, and nobody knows which that was.

use super::gradient::Run;
use super::number;
use super::quotients::STEP;
use super::reference::{Primal, Weighted, Weights};
use interp::machines::{Directions, LaneSet};
use interp::memory::AllocInfo;
use interp::{AllocId, Interp, Leaf, Limits, Memory, Plain, Pointer, Stop};
use ir::FloatKind;
use rug::Float;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// Schedules that are tried: more of a primal that is soon over, of so many instructions in all.
const SCHEDULES: std::ops::RangeInclusive<u64> = 8..=64;
const WORK: u64 = 8_000_000;
/// How far apart two numbers may be that are the same in exact arithmetic, relative to them.
const SAME: f64 = 1e-40;
/// Schedules that are executed in exact arithmetic, whatever comes of them.
const EXACT: u64 = 8;
/// So many more of those that are known to leave another number there.
const TELLING: usize = 3;

/// What other schedules say, once somebody asks.
pub struct Orders<'a> {
    primal: &'a Primal<'a>,
    run: &'a Run,
    /// By what is added to the seed.
    others: OnceCell<Vec<(u64, Memory)>>,
    exact: RefCell<BTreeMap<u64, Option<Rc<Memory<LaneSet>>>>>,
}

impl<'a> Orders<'a> {
    /// Of the results of a primal, and of a run of its gradient.
    pub fn new(primal: &'a Primal<'a>, run: &'a Run) -> Orders<'a> {
        Orders { primal, run, others: OnceCell::new(), exact: RefCell::default() }
    }

    /// Is a byte that gradient and primal leave differently one that the schedule decides, and has the gradient the
    /// primal's number there, if it is a part of one? (A single thread executes tasks in one order or another, too.)
    pub fn decide(&self, object: &AllocInfo, offset: usize) -> bool {
        let number = self.number(object.id, offset);
        let size = |kind| Leaf::Float(kind).store_size() as usize;
        let range = number.map_or(offset..offset + 1, |(at, kind)| at..at + size(kind));
        let mine = bytes(&self.primal.after, object.id, &range);
        let varies = self.others().iter().filter(|(_, other)| bytes(other, object.id, &range) != mine);
        let telling: Vec<u64> = varies.map(|(seed, _)| *seed).take(TELLING).collect();
        !telling.is_empty() && number.is_none_or(|(at, kind)| self.is_free(object, (at, kind), &telling))
    }

    /// The number of the primal's that a byte belongs to.
    fn number(&self, object: AllocId, offset: usize) -> Option<(usize, FloatKind)> {
        let data = self.primal.after.data(object)?;
        let found = (offset.saturating_sub(15)..=offset).filter_map(|at| Some((at, data.number_at(at)?)));
        found.into_iter().find(|(at, kind)| at + Leaf::Float(*kind).store_size() as usize > offset)
    }

    /// What the primal leaves under other schedules.
    fn others(&self) -> &[(u64, Memory)] {
        self.others.get_or_init(|| {
            let primal = self.primal;
            let under = |n: u64| {
                let limits = Limits { seed: primal.limits().seed.wrapping_add(n), ..primal.limits().clone() };
                let (memory, args) = primal.start();
                let mut interp = Interp::with_memory(primal.program(), Plain, memory, limits);
                primal.call().execute(&mut interp, primal.function(), &args).ok()?;
                Some((n, interp.into_parts().1))
            };
            let schedules = (WORK / primal.steps.max(1)).clamp(*SCHEDULES.start(), *SCHEDULES.end());
            (1..=schedules).filter_map(under).collect()
        })
    }

    /// Has the gradient the primal's number in exact arithmetic, or do schedules decide what that is?
    fn is_free(&self, object: &AllocInfo, (offset, kind): (usize, FloatKind), telling: &[u64]) -> bool {
        let at = Pointer { addr: object.base + offset as u64, prov: object.id.bits() };
        let leaf = Leaf::Float(kind);
        // What depends on no input has no lanes: its bits are the number.
        let number = |memory: &Memory<LaneSet>| {
            let lane = memory.shadow(at, leaf.store_size()).and_then(|lanes| lanes.lane(0)).cloned();
            let plain = || Some(number::value(kind, memory.load(at, leaf, 1).ok()?.bits(), self.primal.precision()));
            lane.or_else(plain)
        };
        let under = |seed: u64| self.exact(seed).and_then(|memory| number(&memory));
        // Without that of its own there is nothing to compare with.
        let Some(theirs) = under(0) else { return false };
        let same = |other: &Float| number::distance(other, &theirs) <= SAME * number::magnitude(&theirs);
        if !(1..=EXACT).chain(telling.iter().copied()).filter_map(under).all(|other| same(&other)) {
            return true;
        }
        let Ok(value) = self.run.memory.load(at, leaf, 1) else { return false };
        let tracked = self.run.memory.shadow(at, leaf.store_size()).cloned().unwrap_or_default();
        value.is_init() && same(&self.run.probe.lanes.value(kind, value.bits(), &tracked.lanes, 0))
    }

    /// What the primal leaves in exact arithmetic, under its own schedule or, with another number than 0, another.
    fn exact(&self, n: u64) -> Option<Rc<Memory<LaneSet>>> {
        if let Some(known) = self.exact.borrow().get(&n) {
            return known.clone();
        }
        let direction: Vec<f64> = self.primal.inputs.iter().map(|input| input.scale).collect();
        let lanes = Directions::new(self.primal.precision(), 1, &[STEP]);
        let primal = self.primal.under_seed(self.primal.limits().seed.wrapping_add(n));
        let memory = primal.run(&lanes, std::slice::from_ref(&direction)).ok().map(|run| Rc::new(run.memory));
        self.exact.borrow_mut().insert(n, memory.clone());
        memory
    }
}

/// For each direction the seed of the first other schedule that gives another derivative along it, in exact arithmetic.
pub fn other_derivatives(
    primal: &Primal<'_>,
    directions: &[Vec<f64>],
    weights: &Weights,
) -> Result<Vec<Option<u64>>, Stop> {
    let mut found = vec![None; directions.len()];
    if !primal.program().is_concurrent() {
        return Ok(found);
    }
    let mine = primal.extrapolated(directions, &[weights])?;
    let same = |a: &Weighted, b: &Weighted| {
        number::distance(&a.sum, &b.sum) <= SAME * a.scale.max(b.scale) + a.error + b.error
    };
    for seed in (1..=EXACT).map(|n| primal.limits().seed.wrapping_add(n)) {
        let Ok(theirs) = primal.under_seed(seed).extrapolated(directions, &[weights]) else { continue };
        for (found, (mine, theirs)) in found.iter_mut().zip(mine.iter().flatten().zip(theirs.iter().flatten())) {
            if found.is_none() && !same(mine, theirs) {
                *found = Some(seed);
            }
        }
    }
    Ok(found)
}

fn bytes(memory: &Memory, object: AllocId, range: &Range<usize>) -> Option<Vec<(u8, u8)>> {
    Some(memory.data(object)?.cells(range.start).take(range.len()).collect())
}
