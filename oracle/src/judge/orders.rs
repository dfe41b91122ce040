//! Results of a parallel primal of which its schedule decides the bits, as of a sum in the order in which threads come.
//!
//! Other schedules of the primal tell which they are. A gradient cannot be asked for the bits that one of them leaves;
//! but a number among them has to be the primal's in exact arithmetic, where the order of a sum does not matter. Of
//! other bytes that the schedule decides nothing is asked, nor of a number by which two schedules differ by more than
//! rounding explains: what a thread has left in a cell that each of them overwrites, say.

use super::gradient::Run;
use super::number;
use super::quotients::STEP;
use super::reference::Primal;
use interp::machines::{Directions, LaneSet};
use interp::memory::AllocInfo;
use interp::{AllocId, Interp, Leaf, Limits, Memory, Plain, Pointer};
use ir::FloatKind;
use std::cell::OnceCell;
use std::ops::Range;

/// Schedules that are tried: more of a primal that is soon over, of so many instructions in all.
const SCHEDULES: std::ops::RangeInclusive<u64> = 8..=64;
const WORK: u64 = 8_000_000;
/// How far apart two numbers may be that are the same in exact arithmetic, relative to them.
const SAME: f64 = 1e-40;
/// How far two schedules bring a number apart by rounding alone, at most, relative to it.
const ROUNDING: f64 = 1e-6;

/// What other schedules say, once somebody asks.
pub struct Orders<'a> {
    primal: &'a Primal<'a>,
    run: &'a Run,
    others: OnceCell<Vec<Memory>>,
    exact: OnceCell<Option<Memory<LaneSet>>>,
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
        varies && number.is_none_or(|(at, kind)| self.is_decided(object, at, kind) || self.is_same(object, at, kind))
    }

    /// Do two schedules of the primal leave numbers there that are not the same in exact arithmetic either?
    fn is_decided(&self, object: &AllocInfo, offset: usize, kind: FloatKind) -> bool {
        let at = Pointer { addr: object.base + offset as u64, prov: object.id.bits() };
        let value = |memory: &Memory| match (kind, memory.load(at, Leaf::Float(kind), 1).ok()?.bits()) {
            (FloatKind::Double, bits) => Some(f64::from_bits(bits as u64)),
            (FloatKind::Float, bits) => Some(f64::from(f32::from_bits(bits as u32))),
            _ => None,
        };
        let Some(mine) = value(&self.primal.after) else { return false };
        let apart = |other: f64| (other - mine).abs() > ROUNDING * mine.abs().max(other.abs());
        self.others().iter().filter_map(value).any(apart)
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

    /// Has the gradient the primal's number in exact arithmetic?
    fn is_same(&self, object: &AllocInfo, offset: usize, kind: FloatKind) -> bool {
        let primal = self.primal;
        let exact = self.exact.get_or_init(|| {
            let direction = primal.inputs.iter().map(|input| input.scale).collect();
            let lanes = Directions::new(primal.precision(), 1, &[STEP]);
            primal.run(&lanes, &[direction]).ok().map(|run| run.memory)
        });
        let at = Pointer { addr: object.base + offset as u64, prov: object.id.bits() };
        let leaf = Leaf::Float(kind);
        let lanes = exact.as_ref().and_then(|memory| memory.shadow(at, leaf.store_size()));
        let (Some(theirs), Ok(value)) = (lanes.and_then(|lanes| lanes.lane(0)), self.run.memory.load(at, leaf, 1))
        else {
            return false;
        };
        let tracked = self.run.memory.shadow(at, leaf.store_size()).cloned().unwrap_or_default();
        let own = self.run.probe.lanes.value(kind, value.bits(), &tracked.lanes, 0);
        value.is_init() && number::distance(&own, theirs) <= SAME * number::magnitude(theirs)
    }
}

fn bytes(memory: &Memory, object: AllocId, range: &Range<usize>) -> Option<Vec<(u8, u8)>> {
    Some(memory.data(object)?.cells(range.start).take(range.len()).collect())
}
