//! Results of a parallel primal of which its schedule decides the bits, as of a sum in the order in which threads come.
//!
//! Other schedules of the primal tell which they are. A gradient cannot be asked for the bits that one of them leaves;
//! but a number among them has to be the primal's in exact arithmetic, where the order of a sum does not matter. Of
//! other bytes that the schedule decides nothing is asked, nor of a number that another schedule changes in exact
//! arithmetic, too: what a thread has left in a cell that each of them overwrites, say.

use super::gradient::Run;
use super::number;
use super::quotients::STEP;
use super::reference::Primal;
use interp::machines::{Directions, LaneSet};
use interp::memory::AllocInfo;
use interp::{AllocId, Interp, Leaf, Limits, Memory, Plain, Pointer};
use ir::FloatKind;
use rug::Float;
use std::cell::OnceCell;
use std::ops::Range;

/// Schedules that are tried: more of a primal that is soon over, of so many instructions in all.
const SCHEDULES: std::ops::RangeInclusive<u64> = 8..=64;
const WORK: u64 = 8_000_000;
/// How far apart two numbers may be that are the same in exact arithmetic, relative to them.
const SAME: f64 = 1e-40;
/// Schedules that are executed in exact arithmetic.
const EXACT: u64 = 8;

/// What other schedules say, once somebody asks.
pub struct Orders<'a> {
    primal: &'a Primal<'a>,
    run: &'a Run,
    others: OnceCell<Vec<Memory>>,
    exact: OnceCell<Vec<Memory<LaneSet>>>,
}

impl<'a> Orders<'a> {
    /// Of the results of a primal, and of a run of its gradient.
    pub fn new(primal: &'a Primal<'a>, run: &'a Run) -> Orders<'a> {
        Orders { primal, run, others: OnceCell::new(), exact: OnceCell::new() }
    }

    /// Is a byte that gradient and primal leave differently one that the schedule decides, and has the gradient the
    /// primal's number there, if it is a part of one?
    pub fn decide(&self, object: &AllocInfo, offset: usize) -> bool {
        if self.primal.threads < 2 {
            return false;
        }
        let number = self.number(object.id, offset);
        let size = |kind| Leaf::Float(kind).store_size() as usize;
        let range = number.map_or(offset..offset + 1, |(at, kind)| at..at + size(kind));
        let mine = bytes(&self.primal.after, object.id, &range);
        let varies = self.others().iter().any(|other| bytes(other, object.id, &range) != mine);
        varies && number.is_none_or(|(at, kind)| self.is_free(object, at, kind))
    }

    /// The number of the primal's that a byte belongs to.
    fn number(&self, object: AllocId, offset: usize) -> Option<(usize, FloatKind)> {
        let data = self.primal.after.data(object)?;
        let found = (offset.saturating_sub(15)..=offset).filter_map(|at| Some((at, data.number_at(at)?)));
        found.into_iter().find(|(at, kind)| at + Leaf::Float(*kind).store_size() as usize > offset)
    }

    /// What the primal leaves under other schedules.
    fn others(&self) -> &[Memory] {
        self.others.get_or_init(|| {
            let primal = self.primal;
            let under = |n: u64| {
                let limits = Limits { seed: primal.limits().seed.wrapping_add(n), ..primal.limits().clone() };
                let (memory, args) = primal.start();
                let mut interp = Interp::with_memory(primal.program(), Plain, memory, limits);
                primal.call().execute(&mut interp, primal.function(), &args).ok()?;
                Some(interp.into_parts().1)
            };
            let schedules = (WORK / primal.steps.max(1)).clamp(*SCHEDULES.start(), *SCHEDULES.end());
            (1..=schedules).filter_map(under).collect()
        })
    }

    /// Has the gradient the primal's number in exact arithmetic, or do schedules decide what that is?
    fn is_free(&self, object: &AllocInfo, offset: usize, kind: FloatKind) -> bool {
        let at = Pointer { addr: object.base + offset as u64, prov: object.id.bits() };
        let leaf = Leaf::Float(kind);
        let exact = self.exact();
        // What depends on no input has no lanes: its bits are the number.
        let number = |memory: &Memory<LaneSet>| {
            let lane = memory.shadow(at, leaf.store_size()).and_then(|lanes| lanes.lane(0)).cloned();
            let plain = || Some(number::value(kind, memory.load(at, leaf, 1).ok()?.bits(), self.primal.precision()));
            lane.or_else(plain)
        };
        let Some(theirs) = exact.first().and_then(number) else { return false };
        let same = |other: &Float| number::distance(other, &theirs) <= SAME * number::magnitude(&theirs);
        if !exact[1..].iter().filter_map(number).all(|other| same(&other)) {
            return true;
        }
        let Ok(value) = self.run.memory.load(at, leaf, 1) else { return false };
        let tracked = self.run.memory.shadow(at, leaf.store_size()).cloned().unwrap_or_default();
        value.is_init() && same(&self.run.probe.lanes.value(kind, value.bits(), &tracked.lanes, 0))
    }

    /// What the primal leaves in exact arithmetic, under its own schedule and under others.
    fn exact(&self) -> &[Memory<LaneSet>] {
        self.exact.get_or_init(|| {
            let direction: Vec<f64> = self.primal.inputs.iter().map(|input| input.scale).collect();
            let lanes = Directions::new(self.primal.precision(), 1, &[STEP]);
            let under = |n: u64| {
                let primal = self.primal.under_seed(self.primal.limits().seed.wrapping_add(n));
                primal.run(&lanes, std::slice::from_ref(&direction)).ok().map(|run| run.memory)
            };
            // Without that of its own there is nothing to compare with.
            under(0).map_or_else(Vec::new, |own| [own].into_iter().chain((1..=EXACT).filter_map(under)).collect())
        })
    }
}

fn bytes(memory: &Memory, object: AllocId, range: &Range<usize>) -> Option<Vec<(u8, u8)>> {
    Some(memory.data(object)?.cells(range.start).take(range.len()).collect())
}
