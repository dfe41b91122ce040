//! Abstract objects: the pieces of memory a program can name, and what is known to lie in them.

use crate::analysis::memory::cells::{Cells, Datum};
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
    pub cells: Cells,
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
    /// It holds both pointers and floats of any kind. Known when the analysis is done.
    pub both: bool,
    /// It may be there when the differentiated call has ended, and with it its shadow. Known when the analysis is done.
    pub outlives: bool,
}

impl Object {
    /// An object of which nothing is known.
    pub fn new(kind: ObjKind) -> Object {
        let varied = matches!(kind, ObjKind::External { constant: false, .. });
        Object {
            kind,
            cells: Cells::default(),
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
            both: false,
            outlives: false,
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

    /// Is text that begins at any of these offsets in characters of a declared structure, in which no number has been
    /// put? Text ends in its array (C11, 7.1.1, 1).
    pub fn declares_text(&self, at: Place) -> bool {
        const FAR: i64 = 4096;
        const MEMBERS: usize = 64;
        let begins: Vec<i64> = at.members(at.start, at.start.saturating_add(FAR)).take(MEMBERS).collect();
        let characters = self.cells.iter().filter(|((_, size), cell)| **cell == Cell::Int && *size == 1);
        let mut gaps = self.idle.iter().chain(characters.map(|(datum, _)| datum));
        gaps.any(|(gap, length)| {
            let mut floats = self.cells.iter().filter(|(_, cell)| cell.may_be_float());
            begins.iter().all(|begin| gap.covers(*length, *begin).is_some())
                && !floats.any(|((at, size), _)| at.overlaps(*size, *gap, *length))
        })
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

    /// Where data may begin and end in it: with the kinds of data all that answers about these depend on.
    pub(super) fn ends(&self) -> (i64, i64) {
        (self.floor, self.size)
    }

    /// The datum that covers offset `at`: its first byte, size and kind. Of data that overlap there, a single one
    /// counts before an array's; of two arrays' the one that starts nearest, since an array behind another starts
    /// behind it, and the one of wider stride, since that is a field of a structure. Where the two disagree, and where
    /// an array of the other kind reaches there too, nobody knows.
    pub fn cell_at(&self, at: i64) -> Option<Datum> {
        self.cells.at(self.ends(), at, || self.find_cell_at(at))
    }

    fn find_cell_at(&self, at: i64) -> Option<Datum> {
        let covering = |exact: bool| {
            self.cells.iter().filter(move |((place, _), _)| (place.stride == 0) == exact).filter_map(
                move |((place, size), cell)| place.covers(*size, at).map(|first| (*place, first, *size, *cell)),
            )
        };
        if let Some((single, (start, _))) = best(covering(true), |p| (p.start, 0)) {
            return Some(self.with_pointers(start, true, single).unwrap_or(single));
        }
        let Some((nearest, (start, _))) = best(covering(false), |p| (p.start, p.stride)) else { return self.below(at) };
        let (widest, _) = best(covering(false), |p| (p.stride as i64, p.start as u64))?;
        let (first, size, cell) = nearest;
        if (widest.1, widest.2) != (size, cell) {
            return Some((at, 1, Cell::Conflict));
        }
        Some(match cell {
            Cell::Ptr if size == 8 => (first, 8, self.numbers_over(first).join(self.ousted(first, 8, cell))),
            Cell::Float(_) => {
                let alone = (first, size, self.ousted(first, size, self.with_floats_from_the_end(nearest)));
                self.with_pointers(start, false, nearest).unwrap_or(alone)
            }
            Cell::Int => (first, size, self.with_floats_from_the_end(nearest)),
            _ => nearest,
        })
    }

    /// What lies where an array has integers or floats, together with the floats of arrays that are walked from the end
    /// of the block downwards: how far down is not known, but it is within the block.
    fn with_floats_from_the_end(&self, (first, size, cell): Datum) -> Cell {
        if matches!(self.kind, ObjKind::External { .. }) || first < self.floor {
            return cell;
        }
        self.walked_down_to(first, size).filter(|walked| walked.may_be_float()).fold(cell, Cell::join)
    }

    /// A number of a place that starts at `start`, and the pointer that may lie there too; nothing where none may.
    fn with_pointers(&self, start: i64, single: bool, (first, size, cell): Datum) -> Option<Datum> {
        let Cell::Float(kind) = cell else { return None };
        self.may_hold_pointer((start, single), first, size).then(|| match kind {
            FloatKind::Double if self.pointer_array_covers(first) => (first, 8, Cell::Either),
            _ => (first, size, Cell::Conflict),
        })
    }

    /// What lies where an array has a pointer or a number, together with what an array of the other kind has there,
    /// where the first kind takes every member of that, as far as both repeat: it lies somewhere, so there too. An
    /// optimiser that takes four steps of a loop at once makes four arrays of the one that the loop walks.
    fn ousted(&self, first: i64, size: u64, cell: Cell) -> Cell {
        // Periods that are looked at as a whole.
        const FAR: u64 = 1 << 10;
        let own = !matches!(self.kind, ObjKind::External { .. });
        let arrays = |of: fn(Cell) -> bool| self.cells.iter().filter(move |((p, _), c)| p.stride != 0 && of(**c));
        let [same, other]: [fn(Cell) -> bool; 2] = match cell {
            Cell::Ptr => [Cell::may_be_pointer, Cell::may_be_float],
            _ => [Cell::may_be_float, Cell::may_be_pointer],
        };
        let mut out = cell;
        let there = |p: &Place, bytes: u64| p.overlaps(bytes, Place::at(first), size);
        for ((place, bytes), kind) in arrays(other).filter(|((p, bytes), _)| own && there(p, *bytes)) {
            let period = arrays(same).fold(place.stride, |all, ((p, _), _)| lcm(all, p.stride));
            let from = arrays(same).map(|((p, _), _)| p.start).max().unwrap_or(0).max(place.start);
            let mut members = place.members(from, from.saturating_add_unsigned(period)).take(MAX_MEMBERS + 1);
            let taken = |at: i64| arrays(same).any(|((p, size), _)| p.overlaps(*size, Place::at(at), *bytes));
            if period <= FAR && members.all(taken) {
                out = out.join(match (kind, cell) {
                    (Cell::Conflict, _) => Cell::Conflict,
                    (kind, cell) if kind.may_take_turns() && cell.may_take_turns() => Cell::Either,
                    _ => Cell::Conflict,
                });
            }
        }
        out
    }

    /// May a pointer lie in the `size` bytes from `first`, where a number of a place that starts at `start` is known?
    /// One of an array that starts where that place does, or, if the place is an array too, of one that starts at the
    /// end of the block: whoever walks that walks it down. What lies in memory of the caller its own accesses have to
    /// tell.
    fn may_hold_pointer(&self, (start, single): (i64, bool), first: i64, size: u64) -> bool {
        let walked_down = |place: &Place| !single && place.start >= self.size && first >= self.floor;
        let reaches = |place: &Place| place.start == start || walked_down(place);
        self.pointer_arrays().any(|place| reaches(place) && place.overlaps(8, Place::at(first), size))
    }

    /// Is `first` a member of an array of pointers, or of one walked down to there?
    fn pointer_array_covers(&self, first: i64) -> bool {
        self.pointer_arrays().any(|place| place.down_to(first).covers(8, first) == Some(first))
    }

    /// Arrays of pointers in memory that is not the caller's.
    fn pointer_arrays(&self) -> impl Iterator<Item = &Place> {
        let own = !matches!(self.kind, ObjKind::External { .. });
        let arrays =
            self.cells.iter().filter(move |((place, _), cell)| own && place.stride != 0 && cell.may_be_pointer());
        arrays.map(|((place, _), _)| place)
    }

    /// What lies where an array has a pointer at `first`: numbers of an array that starts farther behind may lie there
    /// too, by a negative index. How far either goes is not known, unless the numbers start at the end of the block.
    /// What lies in memory of the caller its own accesses have to tell.
    fn numbers_over(&self, first: i64) -> Cell {
        if matches!(self.kind, ObjKind::External { .. }) || first < self.floor {
            return Cell::Ptr;
        }
        let behind = self
            .cells
            .iter()
            .filter(|((place, _), cell)| place.stride != 0 && first < place.start && matches!(cell, Cell::Float(_)));
        let over = behind.filter_map(|((place, size), cell)| match cell {
            Cell::Float(FloatKind::Double) if place.down_to(first).covers(8, first) == Some(first) => {
                Some(Cell::Either)
            }
            _ if place.start >= self.size && place.overlaps(*size, Place::at(first), 8) => Some(Cell::Conflict),
            _ => None,
        });
        over.fold(Cell::Ptr, Cell::join)
    }

    /// The datum of an array that covers offset `at` below the array's start, where nothing else is known: an index may
    /// be negative. What lies there in memory of the caller its own accesses have to tell.
    fn below(&self, at: i64) -> Option<Datum> {
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
        let ((first, size, cell), _) = best(below, |place| std::cmp::Reverse(place.start))?;
        Some((first, size, self.walked_down_to(first, size).fold(cell, Cell::join)))
    }

    /// What the arrays hold whose members are named from the end of the block downwards, in `size` bytes from `first`.
    fn walked_down_to(&self, first: i64, size: u64) -> impl Iterator<Item = Cell> {
        let walks = move |place: &Place| place.stride != 0 && place.start >= self.size && first < place.start;
        let cells = self.cells.iter().filter(move |((place, bytes), cell)| {
            **cell != Cell::Int && walks(place) && place.overlaps(*bytes, Place::at(first), size)
        });
        cells.map(move |((place, bytes), cell)| {
            let whole = *bytes == size && place.down_to(first).covers(*bytes, first) == Some(first);
            if whole { *cell } else { Cell::Conflict }
        })
    }
}

/// Of the data with the greatest key, what they say together, and the key.
fn best<K: Ord>(data: impl Iterator<Item = (Place, i64, u64, Cell)>, key: impl Fn(Place) -> K) -> Option<(Datum, K)> {
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
    found.map(|(key, first, size, cell)| ((first, size, cell), key))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOUBLE: Cell = Cell::Float(FloatKind::Double);
    const FLOAT: Cell = Cell::Float(FloatKind::Float);

    /// A block of 64 bytes that is accessed so.
    fn block(cells: &[(Place, Cell)]) -> Object {
        let mut object = Object::new(ObjKind::Stack(FuncId::from_u32(0), InstId::from_u32(0)));
        object.size = 64;
        object.cells = cells.iter().map(|(place, cell)| ((*place, cell.size(4)), *cell)).collect();
        object
    }

    fn kinds(object: &Object) -> Vec<Option<Cell>> {
        (0..8).map(|word| object.cell_at(8 * word).map(|(_, _, cell)| cell)).collect()
    }

    /// struct { double x[3]; struct node *left, *right; }: who walks `x` by any index does not leave it.
    #[test]
    fn a_field_counts_before_the_array_of_another() {
        let node = block(&[
            (Place::every(0, 8), DOUBLE),
            (Place::every(24, 40), Cell::Ptr),
            (Place::every(32, 40), Cell::Ptr),
        ]);
        let (x, p) = (Some(DOUBLE), Some(Cell::Ptr));
        assert_eq!(kinds(&node), [x, x, x, p, p, x, x, x]);
        let header = block(&[(Place::at(0), DOUBLE), (Place::every(8, 8), Cell::Ptr)]);
        assert_eq!(kinds(&header), [x, p, p, p, p, p, p, p]);
        let children =
            block(&[(Place::every(0, 8), Cell::Ptr), (Place::every(24, 32), FLOAT), (Place::every(28, 32), FLOAT)]);
        assert_eq!(
            [0, 8, 16, 24, 28, 32].map(|at| children.cell_at(at).map(|c| c.2)),
            [p, p, p, Some(FLOAT), Some(FLOAT), p]
        );
    }

    #[test]
    fn a_walk_down_from_the_end_is_over_what_lies_before_it() {
        let walked = |numbers| block(&[(Place::every(0, 8), numbers), (Place::every(64, 8), Cell::Ptr)]);
        assert_eq!(kinds(&walked(DOUBLE)), [Some(Cell::Either); 8]);
        assert_eq!(kinds(&walked(FLOAT)), [Some(Cell::Conflict); 8]);
        let mirrored = |numbers| block(&[(Place::every(0, 8), Cell::Ptr), (Place::every(64, 8), numbers)]);
        assert_eq!(kinds(&mirrored(DOUBLE)), [Some(Cell::Either); 8]);
        assert_eq!(kinds(&mirrored(FLOAT)), [Some(Cell::Conflict); 8]);
    }

    /// Pointers that are named from the end of a block, and numbers before it by negative indices.
    #[test]
    fn below_two_arrays_lies_what_is_walked_down_too() {
        let walked = |numbers| block(&[(Place::every(48, 8), numbers), (Place::every(64, 8), Cell::Ptr)]);
        assert_eq!(kinds(&walked(DOUBLE))[..6], [Some(Cell::Either); 6]);
        assert_eq!(kinds(&walked(FLOAT))[..6], [Some(Cell::Conflict); 6]);
    }

    /// Numbers that are named from the end of a block, and others, or integers, that are named from its beginning.
    #[test]
    fn what_is_walked_down_counts_among_other_numbers_too() {
        let walked = |others| block(&[(Place::every(0, 4), others), (Place::every(64, 8), DOUBLE)]);
        assert_eq!(kinds(&walked(FLOAT)), [Some(Cell::Conflict); 8]);
        assert_eq!(kinds(&walked(Cell::Int)), [Some(Cell::Conflict); 8]);
        let alike = block(&[(Place::every(0, 8), DOUBLE), (Place::every(64, 8), DOUBLE)]);
        assert_eq!(kinds(&alike), [Some(DOUBLE); 8]);
    }

    #[test]
    fn arrays_from_one_start_share_their_members() {
        let exact = block(&[(Place::at(0), DOUBLE), (Place::every(0, 8), Cell::Ptr)]);
        assert_eq!(exact.cell_at(0), Some((0, 8, Cell::Either)));
        assert_eq!(exact.cell_at(8), Some((8, 8, Cell::Ptr)));
        let bytes = block(&[(Place::every(0, 4), FLOAT), (Place::every(0, 1), Cell::Ptr)]);
        assert_eq!(bytes.cell_at(4), Some((4, 4, Cell::Conflict)));
    }

    /// Four steps of a loop at once store pointers at four places; numbers of the same array are among them.
    #[test]
    fn an_array_that_others_take_whole_is_still_there() {
        let steps = |stride, kind| [0, 8, 16, 24].map(|at| (Place::every(at, stride), kind));
        for (many, one) in [(Cell::Ptr, DOUBLE), (DOUBLE, Cell::Ptr)] {
            let mut cells = steps(32, many).to_vec();
            cells.push((Place::every(0, 8), one));
            assert_eq!(kinds(&block(&cells)), [Some(Cell::Either); 8]);
        }
        // Two of five words are pointers: the others are where the numbers lie.
        let mut cells = steps(40, Cell::Ptr)[..2].to_vec();
        cells.push((Place::every(0, 8), DOUBLE));
        let (x, p) = (Some(DOUBLE), Some(Cell::Ptr));
        assert_eq!(kinds(&block(&cells))[..5], [p, p, x, x, x]);
    }
}
