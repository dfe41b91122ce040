//! Addresses as sums of counters.
//!
//! An address is a base that a region does not change, a constant, and counters of loops in the region with strides
//! ([`Address`]); what a counter runs over is an interval ([`Interval`]). Of these is told which loads see only what a
//! store has left ([`reaching_store`]), and which stores meet no cell twice ([`injective`]). The region is a loop, or
//! the whole function.
//!
//! Of a loop that goes on while its counter is *not equal* to a bound, it is taken that it does not start beyond it: it
//! would run through all addresses, which no memory has.

pub mod distinct;
pub mod injective;
pub mod reaching_store;
#[cfg(test)]
mod tests;

use crate::analysis::context::Context;
use crate::analysis::loops::counters::{Induction, Step};
use crate::analysis::loops::trip_count;
use crate::base::affine::integers::{self, Made, Promise, Reading};
use crate::base::regions::{Region, Shape};
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BlockId, IntPred, Operand, ValueId};

/// The analyses that addresses are told from.
#[derive(Clone, Copy)]
pub struct Addresses<'a> {
    pub cx: &'a Context<'a>,
    pub shape: &'a Shape,
    pub counters: &'a HashMap<ValueId, Induction>,
    /// The loop whose iterations are looked at, or the function.
    pub of: Region,
}

/// An address: a base, bytes, and counters with their strides.
#[derive(Clone, Debug)]
pub struct Address {
    pub base: Operand,
    pub at: i64,
    pub counters: Counters,
    /// Counters with strides that are products of numbers that the loop does not change, as in `i * d + j`.
    pub products: Vec<(Stride, ValueId)>,
    /// There is something added, besides, that the loop does not change.
    pub shifted: bool,
    /// What divides all that is added of which nothing is known, where there may be such.
    unknown: Option<u64>,
}

impl Address {
    /// Is it told by numbers alone?
    pub fn is_constant(&self) -> bool {
        self.products.is_empty() && !self.shifted
    }
}

/// A number of bytes, times values that the loop does not change.
#[derive(Clone, Debug)]
pub struct Stride {
    pub bytes: i64,
    pub times: Vec<Bound>,
}

impl Stride {
    pub fn new(bytes: u64) -> Stride {
        Stride { bytes: bytes as i64, times: Vec::new() }
    }

    fn scaled(&self, by: i64) -> Option<Stride> {
        Some(Stride { bytes: self.bytes.checked_mul(by)?, times: self.times.clone() })
    }
}

/// Counters with their strides.
pub type Counters = Vec<(i64, ValueId)>;

/// The end of an interval.
#[derive(Clone, Copy, Debug)]
pub enum End {
    Number(i64),
    /// A value that the loop does not change, and a number.
    Value(Bound, i64),
}

/// A value, and how it is read if it is narrower than an address. Where it is known not to be negative, both readings
/// are the same.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    pub value: Operand,
    pub reading: Option<Reading>,
}

impl Bound {
    /// Is it the same number?
    pub fn is(&self, other: &Bound) -> bool {
        let alike = self.reading.is_none() || other.reading.is_none() || self.reading == other.reading;
        self.value == other.value && alike
    }
}

/// From a number up to an end, exclusive.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    pub from: i64,
    pub to: End,
    /// There is at least one number in it.
    pub nonempty: bool,
}

impl Addresses<'_> {
    /// Is it defined in the region? For the whole function: in a loop of it.
    pub fn inside(&self, operand: Operand) -> bool {
        let block = operand.local().and_then(|v| self.cx.func.def_inst(v)).and_then(|i| self.shape.block(i));
        match self.of {
            Some(of) => block.is_some_and(|b| self.shape.loops.contains(of, b)),
            None => block.is_some_and(|b| self.shape.region(b).is_some()),
        }
    }

    /// Is the region in the loop?
    pub fn holds(&self, l: LoopId, region: Region) -> bool {
        self.shape.common(Some(l), region) == Some(l)
    }

    /// The loops from a region up to one around it, which is left out; the innermost first.
    pub fn loops_between(&self, mut region: Region, outer: Region) -> Option<Vec<LoopId>> {
        let mut out = Vec::new();
        while region != outer {
            let l = region?;
            out.push(l);
            region = self.shape.parent(l);
        }
        Some(out)
    }

    /// What a counter runs over in an iteration of the loop. For a load (`outer`) it may be more; the lower end may
    /// then be another counter's.
    pub fn interval(&self, v: ValueId, outer: bool, at: BlockId) -> Option<Interval> {
        let counter = self.counters.get(&v)?;
        let data = &self.shape.loops.loops[counter.of];
        let trips = trip_count::of(self.cx, self.shape, self.counters, counter.of)?;
        let within = self.holds(counter.of, self.shape.region(at));
        let numbers = trips.step == Step::By(1) && !self.cx.m.types.is_ptr(self.cx.ty(trips.bound));
        let upwards = within && numbers && !trips.down && self.step(counter)? == 1;
        // A load in the header of a loop that is left from there sees one more.
        let tested = trips.after || at != data.header;
        let exact =
            matches!(trips.stay, IntPred::Ne) || !trips.after && matches!(trips.stay, IntPred::Slt | IntPred::Ult);
        let enough = matches!(trips.stay, IntPred::Ne | IntPred::Slt | IntPred::Ult);
        if !upwards || !tested || !enough || outer && !exact || !self.steps_do_not_wrap(counter, trips.stay) {
            return None;
        }
        let from = match self.number(counter.start) {
            Some(from) => from,
            None if outer => self.least(counter.start)?,
            None => return None,
        };
        // Another counter of the same loop may be the one that is compared.
        let ahead = match counter.start == trips.start {
            true => 0,
            false => self.number(counter.start)? - self.number(trips.start)?,
        };
        let to = match self.number(trips.bound) {
            Some(bound) => End::Number(bound + ahead),
            None if !self.inside(trips.bound) => self.end(trips.bound, ahead)?,
            None => return None,
        };
        let known = from >= 0 || self.is_wide(counter.start);
        known.then_some(Interval { from, to, nonempty: trips.after })
    }

    /// A narrow counter might go round before it meets its bound, or be another number when it is widened: but not if
    /// it is compared with its sign, and so never negative.
    fn steps_do_not_wrap(&self, counter: &Induction, stay: IntPred) -> bool {
        self.is_wide(counter.start) || stay == IntPred::Slt
    }

    pub fn is_wide(&self, operand: Operand) -> bool {
        integers::is_wide(self.cx.m, self.cx.func, operand)
    }

    /// What a value is made of.
    fn made(&self, operand: Operand) -> Option<(Made, Promise)> {
        integers::made(self.cx.m, self.cx.func, operand)
    }

    pub fn step(&self, counter: &Induction) -> Option<i64> {
        let step = self.number(counter.step)?;
        Some(if counter.down { -step } else { step })
    }

    pub fn number(&self, operand: Operand) -> Option<i64> {
        integers::number(self.cx.m, operand)
    }

    /// The least value that an operand can have: that of a counter which goes up.
    fn least(&self, operand: Operand) -> Option<i64> {
        let counter = self.counters.get(&operand.local()?)?;
        (self.step(counter)? > 0 && self.is_wide(operand)).then(|| self.number(counter.start))?
    }

    /// A bound as it was before it was widened. One that was not, and is narrow, bounds a counter that is compared with
    /// its sign.
    pub fn bound(&self, operand: Operand) -> Bound {
        match self.made(operand) {
            Some((Made::Widened { of, reading, either }, _)) => {
                Bound { value: of, reading: (!either).then_some(reading) }
            }
            _ => Bound { value: operand, reading: self.narrow(operand) },
        }
    }

    /// How an operand is read that nothing else is known of.
    fn narrow(&self, operand: Operand) -> Option<Reading> {
        (!self.is_wide(operand)).then_some(Reading::Signed)
    }

    /// A value that the region does not change, and a number more: where the value is itself something and a number
    /// more, that is taken apart.
    fn end(&self, operand: Operand, more: i64) -> Option<End> {
        let (mut end, mut more) = (self.bound(operand), more);
        while let Some((made @ (Made::Sum(lhs, rhs) | Made::Difference(lhs, rhs)), promise)) = self.made(end.value)
            && let Some(number) = self.number(rhs)
            && promise.holds(end.reading.or(Some(Reading::Signed)))
            && (number >= 0 || end.reading != Some(Reading::Unsigned))
        {
            let number = if matches!(made, Made::Sum(..)) { number } else { number.checked_neg()? };
            let reading = if self.is_wide(lhs) { None } else { end.reading.or(Some(Reading::Signed)) };
            (end, more) = (Bound { value: lhs, reading }, more.checked_add(number)?);
        }
        Some(End::Value(end, more))
    }

    pub fn address(&self, ptr: Operand) -> Option<Address> {
        self.parts(ptr, None)
    }

    /// The base of an address and a constant, if all else that is added, whatever it is, is a multiple of so many
    /// bytes.
    pub fn in_any_row(&self, ptr: Operand, of: u64) -> Option<(Operand, i64)> {
        let address = self.parts(ptr, Some(0))?;
        let strides = address.counters.iter().map(|(stride, _)| stride.unsigned_abs());
        let all = strides.fold(address.unknown?, gcd);
        (address.is_constant() && all % of == 0).then_some((address.base, address.at))
    }

    fn parts(&self, ptr: Operand, unknown: Option<u64>) -> Option<Address> {
        let mut out = Address { base: ptr, at: 0, counters: Vec::new(), products: Vec::new(), shifted: false, unknown };
        loop {
            // What the loop does not change is a base, but for constants that are added to it.
            let inside = self.inside(out.base);
            let (base, offset) = match self.made(out.base) {
                Some((Made::Element(base, offset), _))
                    if inside || offset.scaled.iter().all(|(index, _)| index.constant().is_some()) =>
                {
                    (base, offset)
                }
                _ if inside => return None,
                _ => return Some(out),
            };
            out.base = base;
            out.at = out.at.checked_add(i64::try_from(offset.bytes).ok()?)?;
            for (index, bytes) in offset.scaled {
                self.add(&mut out, index, (&Stride::new(bytes), None))?;
            }
        }
    }

    /// Adds an index times a stride. A narrow index is read with its sign or without one, and a sum or product of a
    /// narrow type is that of the numbers read so only if the primal promises that it does not go round: it would be
    /// poison, and so the address.
    fn add(&self, to: &mut Address, index: Operand, (by, reading): (&Stride, Option<Reading>)) -> Option<()> {
        if let Some(number) = self.number(index) {
            (number >= 0 || reading != Some(Reading::Unsigned)).then_some(())?;
            if !by.times.is_empty() {
                to.shifted |= number != 0;
                return Some(());
            }
            to.at = to.at.checked_add(number.checked_mul(by.bytes)?)?;
            return Some(());
        }
        let v = index.local()?;
        if self.counters.get(&v).is_some_and(|c| self.is_moved_by(c.of)) {
            if !by.times.is_empty() {
                to.products.push((by.clone(), v));
            } else if let Some((stride, _)) = to.counters.iter_mut().find(|(_, known)| *known == v) {
                *stride = stride.checked_add(by.bytes)?;
            } else {
                to.counters.push((by.bytes, v));
            }
            return Some(());
        }
        if !self.inside(index) {
            match &mut to.unknown {
                Some(all) => *all = gcd(*all, by.bytes.unsigned_abs()),
                None => to.shifted = true,
            }
            return Some(());
        }
        // The index of a `getelementptr` has a sign.
        let reading = reading.or(self.narrow(index));
        match self.made(index).filter(|(_, promise)| promise.holds(reading)).map(|(made, _)| made) {
            Some(Made::Sum(lhs, rhs)) => {
                self.add(to, lhs, (by, reading))?;
                self.add(to, rhs, (by, reading))
            }
            Some(Made::Difference(lhs, rhs)) => {
                self.add(to, lhs, (by, reading))?;
                self.add(to, rhs, (&by.scaled(-1)?, reading))
            }
            Some(Made::Shifted(of, bits @ ..16)) => self.add(to, of, (&by.scaled(1 << bits)?, reading)),
            Some(Made::Product(lhs, rhs)) => {
                let (moved, factor) = if self.inside(rhs) { (rhs, lhs) } else { (lhs, rhs) };
                let by = match self.number(factor) {
                    Some(number) if number < 0 && reading == Some(Reading::Unsigned) => return None,
                    Some(number) => by.scaled(number)?,
                    None if self.inside(factor) => return None,
                    None => {
                        let bound = match reading {
                            None => self.bound(factor),
                            reading => Bound { value: factor, reading },
                        };
                        Stride { bytes: by.bytes, times: by.times.iter().copied().chain([bound]).collect() }
                    }
                };
                self.add(to, moved, (&by, reading))
            }
            Some(Made::Widened { of, reading, either }) => {
                // A number that is not negative is the same with its sign.
                let signed = either && self.made(of).is_some_and(|(_, promise)| promise.signed);
                self.add(to, of, (by, Some(if signed { Reading::Signed } else { reading })))
            }
            _ => {
                to.unknown = Some(gcd(to.unknown?, by.bytes.unsigned_abs()));
                Some(())
            }
        }
    }

    /// Is the loop in the region?
    fn is_moved_by(&self, l: LoopId) -> bool {
        self.of.is_none_or(|of| self.holds(of, Some(l)))
    }

    /// Do accesses of so many bytes at two addresses never share one, whatever their counters are? From one base they
    /// are a constant apart, but for a multiple of what divides all strides (the GCD test of dependences: Allen &
    /// Kennedy, "Optimizing Compilers for Modern Architectures", §3.3).
    pub fn never_meet(&self, (one, size): (&Address, u64), (other, bytes): (&Address, u64)) -> bool {
        if one.base != other.base || one.shifted || other.shifted {
            return false;
        }
        let strides = [one, other].into_iter().flat_map(|a| {
            let products = a.products.iter().map(|(stride, _)| stride.bytes);
            a.counters.iter().map(|(stride, _)| *stride).chain(products).map(i64::unsigned_abs)
        });
        let apart = i128::from(other.at) - i128::from(one.at);
        match strides.fold(0, gcd) {
            0 => apart >= i128::from(size) || -apart >= i128::from(bytes),
            step => {
                let rest = apart.rem_euclid(i128::from(step));
                rest >= i128::from(size) && i128::from(step) - rest >= i128::from(bytes)
            }
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
