//! The history of each byte of memory: who wrote it last, who has read it since, and through which accesses.
//!
//! FastTrack keeps the epoch of the last write and, of reads, one epoch while they are ordered and one a thread when
//! they are not. Plain accesses to a byte are then a comparison of two words. A byte that atomic operations touch keeps
//! a full record: atomic writes of several threads are not ordered by each other, so that one epoch cannot stand for
//! them.
//!
//! The history is kept for units of four bytes in pages that are made when first touched. A unit which is accessed in
//! parts gets a history for each byte.

use super::clock::{Epoch, VectorClock};

/// Where in the program an access was made: the call context above, the instruction below.
pub type Site = u64;

/// A recorded access.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Record {
    /// When, and by whom.
    pub epoch: Epoch,
    /// Where.
    pub site: Site,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Does it write?
    pub write: bool,
    /// Is it atomic?
    pub atomic: bool,
}

/// An earlier access that conflicts with the present one and does not happen before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The earlier access.
    pub record: Record,
    /// What it did.
    pub kind: Kind,
}

/// The history of one byte, or of all bytes of a unit if they have the same.
#[derive(Clone, Copy, Default, Debug)]
struct Cell {
    /// The last write; or the index of a full record, if `read.site` is [`FULL`] or [`SPLIT`].
    write: Record,
    /// The last read since.
    read: Record,
}

/// Marks a cell whose `write.site` is the index of a full record.
const FULL: Site = u64::MAX;
/// Marks a unit whose `write.site` is the index of four cells.
const SPLIT: Site = u64::MAX - 1;

/// The record of a cell with concurrent readers or atomic accesses.
#[derive(Clone, Default, Debug)]
struct Full {
    write: Record,
    reads: Vec<Record>,
    atomic_writes: Vec<Record>,
    atomic_reads: Vec<Record>,
}

/// Bytes of a unit.
const UNIT: u64 = 4;
/// Units of a page.
const PAGE: usize = 256;

/// The history of one object.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// Which tenant of its slot it is.
    pub generation: u32,
    /// When it was allocated, if threads existed then: like a write of all bytes.
    pub born: Record,
    /// Not watched: the library's own.
    pub exempt: bool,
    /// Whose it is, if each thread has its own of it: what that thread does to it comes in the order in which it does
    /// it, whatever task it executes.
    pub of_thread: Option<usize>,
    /// Each as long as it had to be so far.
    pages: Vec<Vec<Cell>>,
}

/// What cells need beyond their two records.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    fulls: Vec<Full>,
    splits: Vec<[Cell; 4]>,
}

/// Present state of the accessing thread.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// Its clock.
    pub clock: &'a VectorClock,
    /// The access to be recorded.
    pub record: Record,
}

/// Puts a record into a list in the order of the threads.
fn put(list: &mut Vec<Record>, record: Record) {
    match list.binary_search_by_key(&record.epoch.thread(), |r| r.epoch.thread()) {
        Ok(mine) => list[mine] = record,
        Err(place) => list.insert(place, record),
    }
}

impl Full {
    fn access(&mut self, now: Now<'_>, kind: Kind) -> Option<Conflict> {
        let before = |r: &Record| now.clock.covers(r.epoch);
        let conflict =
            |record: &Record, write, atomic| Some(Conflict { record: *record, kind: Kind { write, atomic } });
        if !before(&self.write) {
            return conflict(&self.write, true, false);
        }
        if !kind.atomic
            && let Some(other) = self.atomic_writes.iter().find(|r| !before(r))
        {
            return conflict(other, true, true);
        }
        if kind.write
            && let Some(other) = self.reads.iter().find(|r| !before(r))
        {
            return conflict(other, false, false);
        }
        if kind.write
            && !kind.atomic
            && let Some(other) = self.atomic_reads.iter().find(|r| !before(r))
        {
            return conflict(other, false, true);
        }
        match (kind.write, kind.atomic) {
            (true, false) => *self = Full { write: now.record, ..Full::default() },
            (false, false) => put(&mut self.reads, now.record),
            (true, true) => put(&mut self.atomic_writes, now.record),
            (false, true) => put(&mut self.atomic_reads, now.record),
        }
        None
    }
}

impl Cell {
    fn new(born: Record) -> Cell {
        Cell { write: born, read: Record::default() }
    }

    fn access(&mut self, now: Now<'_>, kind: Kind, fulls: &mut Vec<Full>) -> Option<Conflict> {
        if self.read.site == FULL {
            return fulls[self.write.site as usize].access(now, kind);
        }
        if kind.atomic {
            return self.expand(fulls).access(now, kind);
        }
        if kind.write {
            if self.write.epoch == now.record.epoch && self.read.epoch == Epoch::NEVER {
                // The paper does nothing here; the last of several writes is the better one to tell.
                self.write.site = now.record.site;
                return None;
            }
        } else if self.read.epoch == now.record.epoch {
            return None;
        }
        if !now.clock.covers(self.write.epoch) {
            return Some(Conflict { record: self.write, kind: Kind { write: true, atomic: false } });
        }
        let ordered = now.clock.covers(self.read.epoch);
        if kind.write {
            if !ordered {
                return Some(Conflict { record: self.read, kind: Kind { write: false, atomic: false } });
            }
            *self = Cell::new(now.record);
        } else if ordered {
            self.read = now.record;
        } else {
            return self.expand(fulls).access(now, kind);
        }
        None
    }

    fn expand<'a>(&mut self, fulls: &'a mut Vec<Full>) -> &'a mut Full {
        let reads = if self.read.epoch == Epoch::NEVER { Vec::new() } else { vec![self.read] };
        let index = fulls.len();
        fulls.push(Full { write: self.write, reads, ..Full::default() });
        *self = Cell {
            write: Record { epoch: Epoch::NEVER, site: index as u64 },
            read: Record { epoch: Epoch::NEVER, site: FULL },
        };
        &mut fulls[index]
    }
}

/// Accesses some bytes of a unit.
fn access_unit(
    unit: &mut Cell,
    bytes: std::ops::Range<u64>,
    now: Now<'_>,
    kind: Kind,
    arena: &mut Arena,
) -> Option<Conflict> {
    let whole = bytes == (0..UNIT);
    if unit.read.site != SPLIT {
        if whole {
            return unit.access(now, kind, &mut arena.fulls);
        }
        let mut parts = [*unit; 4];
        if unit.read.site == FULL {
            // Each byte goes on with a record of its own.
            for part in &mut parts[1..] {
                arena.fulls.push(arena.fulls[unit.write.site as usize].clone());
                part.write.site = arena.fulls.len() as u64 - 1;
            }
        }
        arena.splits.push(parts);
        *unit = Cell {
            write: Record { epoch: Epoch::NEVER, site: arena.splits.len() as u64 - 1 },
            read: Record { epoch: Epoch::NEVER, site: SPLIT },
        };
    }
    let parts = &mut arena.splits[unit.write.site as usize];
    for byte in bytes {
        if let Some(conflict) = parts[byte as usize].access(now, kind, &mut arena.fulls) {
            return Some(conflict);
        }
    }
    None
}

impl Object {
    /// A new object.
    pub fn new(generation: u32, born: Record) -> Object {
        Object { generation, born, exempt: false, of_thread: None, pages: Vec::new() }
    }

    /// Checks an access of `size` bytes at `offset` against the history, and adds it.
    pub fn access(&mut self, offset: u64, size: u64, now: Now<'_>, kind: Kind, arena: &mut Arena) -> Option<Conflict> {
        let end = offset + size;
        let mut at = offset;
        while at < end {
            let index = (at / UNIT) as usize;
            let (start, page) = (at - at % UNIT, index / PAGE);
            if self.pages.len() <= page {
                self.pages.resize(page + 1, Vec::new());
            }
            let cells = &mut self.pages[page];
            if cells.len() <= index % PAGE {
                cells.resize((index % PAGE + 1).next_power_of_two(), Cell::new(self.born));
            }
            let bytes = at - start..(end - start).min(UNIT);
            let conflict = access_unit(&mut cells[index % PAGE], bytes, now, kind, arena);
            if conflict.is_some() {
                return conflict;
            }
            at = start + UNIT;
        }
        None
    }

    /// The last writes of some bytes, and whether they were atomic.
    pub fn last_writes(&self, offset: u64, size: u64, arena: &Arena) -> Vec<(Record, bool)> {
        let mut found = Vec::new();
        let of_cell = |cell: &Cell, found: &mut Vec<(Record, bool)>| match cell.read.site {
            FULL => {
                let full = &arena.fulls[cell.write.site as usize];
                found.push((full.write, false));
                found.extend(full.atomic_writes.iter().map(|record| (*record, true)));
            }
            _ => found.push((cell.write, false)),
        };
        for unit in offset / UNIT..(offset + size).div_ceil(UNIT) {
            let cell = self.pages.get(unit as usize / PAGE).and_then(|page| page.get(unit as usize % PAGE));
            let Some(cell) = cell else {
                found.push((self.born, false));
                continue;
            };
            if cell.read.site != SPLIT {
                of_cell(cell, &mut found);
                continue;
            }
            let inside = |byte: &u64| (offset..offset + size).contains(&(unit * UNIT + byte));
            let parts = &arena.splits[cell.write.site as usize];
            (0..UNIT).filter(inside).for_each(|byte| of_cell(&parts[byte as usize], &mut found));
        }
        found
    }

    /// Checks the end of the object, which is like a write of all its bytes.
    pub fn end(&mut self, size: u64, now: Now<'_>, arena: &mut Arena) -> Option<Conflict> {
        let kind = Kind { write: true, atomic: false };
        if !now.clock.covers(self.born.epoch) {
            return Some(Conflict { record: self.born, kind });
        }
        for page in 0..self.pages.len() {
            let units = self.pages[page].len() as u64;
            let from = (page * PAGE) as u64 * UNIT;
            let length = (units * UNIT).min(size.saturating_sub(from));
            if length > 0 {
                let conflict = self.access(from, length, now, kind, arena);
                if conflict.is_some() {
                    return conflict;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Kind = Kind { write: false, atomic: false };
    const WRITE: Kind = Kind { write: true, atomic: false };
    const ATOMIC_READ: Kind = Kind { write: false, atomic: true };
    const ATOMIC_WRITE: Kind = Kind { write: true, atomic: true };

    /// One access of each kind by two unordered threads races unless both read or both are atomic (C11 5.1.2.4,
    /// paragraph 25).
    #[test]
    fn what_conflicts_is_what_the_standard_says() {
        for first in [READ, WRITE, ATOMIC_READ, ATOMIC_WRITE] {
            for second in [READ, WRITE, ATOMIC_READ, ATOMIC_WRITE] {
                let (mut object, mut arena) = (Object::default(), Arena::default());
                let mut races = Vec::new();
                for (thread, kind) in [first, second].into_iter().enumerate() {
                    let mut clock = VectorClock::default();
                    clock.set(thread, 1);
                    let record = Record { epoch: Epoch::new(thread, 1), site: thread as u64 };
                    races.push(object.access(8, 4, Now { clock: &clock, record }, kind, &mut arena).is_some());
                }
                let expected = (first.write || second.write) && !(first.atomic && second.atomic);
                assert_eq!(races, [false, expected], "{first:?} then {second:?}");
            }
        }
    }

    #[test]
    fn every_one_of_several_concurrent_readers_is_remembered() {
        let (mut object, mut arena) = (Object::default(), Arena::default());
        for thread in 0..3 {
            let mut clock = VectorClock::default();
            clock.set(thread, 1);
            let record = Record { epoch: Epoch::new(thread, 1), site: 0 };
            assert_eq!(object.access(0, 4, Now { clock: &clock, record }, READ, &mut arena), None);
        }
        // A writer that knows of all readers but thread 1.
        let mut clock = VectorClock::default();
        for (thread, count) in [(0, 1), (2, 1), (3, 1)] {
            clock.set(thread, count);
        }
        let record = Record { epoch: Epoch::new(3, 1), site: 0 };
        let found = object.access(0, 4, Now { clock: &clock, record }, WRITE, &mut arena);
        assert_eq!(found.map(|c| c.record.epoch), Some(Epoch::new(1, 1)));
    }

    #[test]
    fn neighbouring_bytes_do_not_race() {
        for (sizes, overlap) in [([(0, 1), (1, 1)], false), ([(0, 2), (1, 2)], true), ([(2, 4), (0, 2)], false)] {
            let (mut object, mut arena) = (Object::default(), Arena::default());
            let mut found = None;
            for (thread, (offset, size)) in sizes.into_iter().enumerate() {
                let mut clock = VectorClock::default();
                clock.set(thread, 1);
                let record = Record { epoch: Epoch::new(thread, 1), site: 0 };
                found = object.access(offset, size, Now { clock: &clock, record }, WRITE, &mut arena);
            }
            assert_eq!(found.is_some(), overlap, "{sizes:?}");
        }
    }
}
