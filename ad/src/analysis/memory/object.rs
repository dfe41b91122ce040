//! Abstract objects: the pieces of memory a program can name, and what is known to lie in them.

use crate::analysis::memory::place::{Place, gcd, lcm};
use crate::program::cell::Cell;
use ir::entity::entity_impl;
use ir::{FloatKind, FuncId, GlobalId, InstId};
use std::collections::{BTreeMap, BTreeSet};

/// Members of a place that are looked at one by one to see whether they agree.
pub(super) const MAX_MEMBERS: usize = 128;

/// Of more members, so many are looked at for each datum and each position of it.
const WITNESSES: usize = 8;

/// Elements of a datum that are tried to find them.
const MAX_TRIALS: usize = 1 << 12;

/// An abstract object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjId(u32);
entity_impl!(ObjId, "obj");

/// What an object stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjKind {
    /// Memory of an `alloca`.
    Stack(FuncId, InstId),
    /// Memory of an allocator's call.
    Heap(FuncId, InstId),
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
    /// Memory of the caller, reached through parameter `param` of the root and `depth` further loads.
    External {
        /// Index of the root's parameter.
        param: usize,
        /// Number of loads from the parameter.
        depth: u32,
        /// The call marks it constant.
        constant: bool,
        /// The object and place whose content points here, but for depth 0.
        parent: Option<(ObjId, Place)>,
    },
    /// Memory of the system, such as what `getenv` returns.
    Opaque,
    /// Where pointers lead that have been made of numbers ([`crate::analysis::memory::pieces`]).
    Lost,
}

/// Which objects a pointer may point to, and where in each.
pub type Targets = BTreeMap<ObjId, Place>;

/// Objects and places in them. An object may be there several times: a copy may have both its ends in it.
pub type Places = [(ObjId, Place)];

/// Where pointers with these targets point.
pub fn places(targets: &Targets) -> Vec<(ObjId, Place)> {
    targets.iter().map(|(object, place)| (*object, *place)).collect()
}

/// An abstract object's contents.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it stands for.
    pub kind: ObjKind,
    /// Kinds of data: place, size in bytes, kind.
    pub cells: BTreeMap<(Place, u64), Cell>,
    /// Bytes that hold nothing to differentiate: padding, bit fields and characters of declared structures.
    pub idle: BTreeSet<(Place, u64)>,
    /// Pointers stored in it.
    pub pointers: BTreeMap<Place, Targets>,
    /// Those that the caller left there and something has been found to load, with what they lead to.
    pub named: Vec<(Place, Targets)>,
    /// Where addresses are kept as integers.
    pub addresses: BTreeSet<Place>,
    /// Parts of pointers, and pointers put together from parts, stored in it as integers: place and size.
    pub pieces: BTreeSet<(Place, u64)>,
    /// Integers stored in it of which nothing tells that they come from an address: place and size.
    pub numbers: BTreeSet<(Place, u64)>,
    /// It may hold floats that depend on active inputs.
    pub varied: bool,
    /// The differentiated functions may write to it.
    pub written: bool,
    /// Types of which nothing else tells are brought by copies as far as this.
    pub farthest: i64,
    /// Its size in bytes, if that is known.
    pub size: i64,
    /// Data have been copied to it farther than types are followed.
    pub cropped: bool,
    /// It may hold integers computed from the bits of active floats.
    pub bits: bool,
    /// The program declares it constant.
    pub inactive: bool,
    /// Copies bring no types to this offset and beyond: at most its size, where that is known.
    pub limit: i64,
    /// Nor to offsets below this one.
    pub floor: i64,
    /// It is copied as bytes, or floats are stored in it as integers: the type of an access does not tell what lies
    /// there.
    pub raw: bool,
    /// The floats in it that accesses with a tag of their type tell of.
    pub floats: BTreeSet<(Place, u64)>,
    /// It is accessed as floats without such a tag: these may be the bytes of another object (C11, 6.5, 6), which the
    /// optimiser has made an access of.
    pub untagged: bool,
    /// Pointers and floats may take turns somewhere in it ([`Cell::Either`]). Known when the analysis is done.
    pub turns: bool,
}

impl Object {
    /// An object of which nothing is known.
    pub fn new(kind: ObjKind) -> Object {
        let varied = matches!(kind, ObjKind::External { constant: false, .. });
        Object {
            kind,
            cells: BTreeMap::new(),
            idle: BTreeSet::new(),
            pointers: BTreeMap::new(),
            named: Vec::new(),
            addresses: BTreeSet::new(),
            pieces: BTreeSet::new(),
            numbers: BTreeSet::new(),
            varied,
            written: false,
            bits: false,
            inactive: false,
            limit: i64::MAX,
            floor: i64::MIN,
            raw: false,
            farthest: i64::MAX,
            size: i64::MAX,
            cropped: false,
            floats: BTreeSet::new(),
            untagged: false,
            turns: false,
        }
    }

    /// Can it never have a shadow?
    pub fn is_constant(&self) -> bool {
        self.inactive
            || matches!(
                self.kind,
                ObjKind::External { constant: true, .. } | ObjKind::Function(_) | ObjKind::Opaque | ObjKind::Lost
            )
    }

    /// The offset behind which nothing new is known: members of a place beyond it repeat what those before it say.
    pub fn horizon(&self) -> i64 {
        let end = |(place, size): &(Place, u64)| {
            let length = place.extent().saturating_add(place.stride).saturating_add(*size);
            place.start.saturating_add_unsigned(length)
        };
        self.cells.keys().map(end).max().unwrap_or(0)
    }

    /// Members of a place that stand for all of them in what lies in `[at, at + size)` behind them: these are all,
    /// where they are few, or else some for each datum of the object and each position of it in that window. `None`
    /// where that cannot be told.
    pub(super) fn witnesses(&self, place: Place, at: u64, size: u64) -> Option<Vec<i64>> {
        // Where two strides first meet, and from there on again and again, is within their common multiple.
        const FAR: u64 = 1 << 12;
        let strides = self.cells.keys().map(|(datum, _)| lcm(datum.stride, place.stride));
        let meeting = strides.max().unwrap_or(0).min(FAR);
        let (horizon, window) = (self.horizon().saturating_add_unsigned(meeting), at as i64..(at + size) as i64);
        let mut members: Vec<i64> = place.members(place.start, horizon).take(MAX_MEMBERS + 1).collect();
        if members.len() <= MAX_MEMBERS {
            return Some(members);
        }
        members.truncate(WITNESSES);
        for (datum, bytes) in self.cells.keys() {
            let steps = [place, *datum].map(|p| gcd(p.stride, gcd(p.outer_step, p.step)));
            let step = gcd(steps[0], steps[1]).max(1) as i64;
            // Where the datum may start, seen from a member: all that differ by a multiple of `step`.
            let lowest = window.start - *bytes as i64 + 1;
            let nearest = lowest + datum.start.wrapping_sub(place.start).wrapping_sub(lowest).rem_euclid(step);
            for distance in (nearest..window.end).step_by(step as usize) {
                let first = place.start.saturating_add(distance);
                let mut data =
                    datum.members(first, horizon.saturating_add_unsigned(place.stride)).map(|d| d - distance);
                let mut trials = data.by_ref().take(MAX_TRIALS);
                let found = members.len();
                members.extend(trials.by_ref().filter(|m| place.covers(1, *m) == Some(*m)).take(WITNESSES));
                if members.len() == found && data.next().is_some() {
                    return None;
                }
            }
        }
        members.sort_unstable();
        members.dedup();
        Some(members)
    }

    /// The datum that covers offset `at`: its first byte, size and kind. Of data that overlap there, a single one
    /// counts before an array's; of two arrays' the one that starts nearest, since an array behind another starts
    /// behind it, and the one of wider stride, since that is a field of a structure. Where the two disagree, nobody
    /// knows.
    pub fn cell_at(&self, at: i64) -> Option<(i64, u64, Cell)> {
        let covering = |exact: bool| {
            self.cells.iter().filter(move |((place, _), _)| (place.stride == 0) == exact).filter_map(
                move |((place, size), cell)| place.covers(*size, at).map(|first| (*place, first, *size, *cell)),
            )
        };
        if let Some(found) = best(covering(true), |p| (p.start, 0)) {
            return Some(found);
        }
        let Some(nearest) = best(covering(false), |p| (p.start, p.stride)) else { return self.below(at) };
        let widest = best(covering(false), |p| (p.stride as i64, p.start as u64))?;
        match nearest {
            _ if nearest.2 != widest.2 || nearest.1 != widest.1 => Some((at, 1, Cell::Conflict)),
            (first, 8, Cell::Ptr) if self.reaches_below(first) => Some((first, 8, Cell::Either)),
            _ => Some(nearest),
        }
    }

    /// May numbers of an array that starts farther behind lie there, by a negative index, where an array in front of it
    /// has pointers? How far either goes is not known; what lies in memory of the caller its own accesses have to tell.
    fn reaches_below(&self, first: i64) -> bool {
        let own = !matches!(self.kind, ObjKind::External { .. }) && first >= self.floor;
        own && self.cells.iter().any(|((place, _), cell)| {
            let behind = place.stride != 0 && first < place.start && *cell == Cell::Float(FloatKind::Double);
            behind && place.down_to(first).covers(8, first) == Some(first)
        })
    }

    /// The datum of an array that covers offset `at` below the array's start, where nothing else is known: an index may
    /// be negative. What lies there in memory of the caller its own accesses have to tell.
    fn below(&self, at: i64) -> Option<(i64, u64, Cell)> {
        if matches!(self.kind, ObjKind::External { .. }) {
            return None;
        }
        let arrays = self.cells.iter().filter(|((place, _), _)| place.stride != 0 && at < place.start);
        let below = arrays.filter_map(|((place, size), cell)| {
            let first = place.down_to(at).covers(*size, at)?;
            let free = |b: i64| !self.cells.keys().any(|(other, bytes)| other.covers(*bytes, b).is_some());
            let exists = first >= self.floor && (first..first.saturating_add_unsigned(*size)).all(free);
            exists.then_some((*place, first, *size, *cell))
        });
        best(below, |place| std::cmp::Reverse(place.start))
    }
}

/// Of the data with the greatest key, what they say together.
fn best<K: Ord>(
    data: impl Iterator<Item = (Place, i64, u64, Cell)>,
    key: impl Fn(Place) -> K,
) -> Option<(i64, u64, Cell)> {
    let mut found: Option<(K, i64, u64, Cell)> = None;
    for (place, first, size, cell) in data {
        let new = key(place);
        found = Some(match found {
            Some((old, f, s, c)) if old > new => (old, f, s, c),
            // An integer and something else of the same place: copies move data as integers.
            Some((old, f, s, c)) if old == new => match (c, cell) {
                (Cell::Int, Cell::Int) => (old, f, s.max(size), c),
                (Cell::Int, _) => (new, first, size, cell),
                _ => (old, f, s, c.join(cell)),
            },
            _ => (new, first, size, cell),
        });
    }
    found.map(|(_, first, size, cell)| (first, size, cell))
}
