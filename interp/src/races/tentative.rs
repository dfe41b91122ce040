//! Loads that may not have happened.
//!
//! An optimiser loads a value where the program may not: ahead of a loop of which only some iterations, of some
//! threads, read it, or ahead of a `select`, and may compute with it. Where another thread writes meanwhile, such a
//! load gets undef (LangRef, "Memory Model for Concurrent Operations"), and that is no race as long as nothing comes of
//! it. So a load of whose value nothing comes in its own block, but behind a `select`, is *tentative*: it is noted with
//! the time at which it was made, and becomes an access of that time when what it may have given is used
//! ([`ir::uses`]).

use super::cells::{Conflict, Kind, Now, Record};
use super::clock::VectorClock;
use super::{Mode, Races};
use crate::outcome::Location;
use ir::FuncId;
use std::collections::HashMap;

/// A tentative load of the program: its function, and its number there.
pub type Load = (FuncId, u32);

/// Those that were executed, and of which nothing has been used yet.
#[derive(Clone, Default, Debug)]
pub(super) struct Outstanding {
    /// By actor and load.
    loads: HashMap<(usize, Load), Tentative>,
    /// By the slot of the object.
    of_object: HashMap<usize, Vec<(usize, Load)>>,
}

#[derive(Clone, Debug)]
struct Tentative {
    bytes: Bytes,
    record: Record,
    clock: VectorClock,
    /// The write of another thread that it races with, should it have happened.
    conflict: Option<Conflict>,
}

impl Outstanding {
    pub(super) fn is_empty(&self) -> bool {
        self.loads.is_empty()
    }

    fn take(&mut self, by: (usize, Load)) -> Option<Tentative> {
        let it = self.loads.remove(&by)?;
        if let Some(all) = self.of_object.get_mut(&it.bytes.index) {
            all.retain(|other| *other != by);
        }
        Some(it)
    }
}

/// Bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes {
    /// The index of its slot.
    pub index: usize,
    /// Which tenant of the slot it is.
    pub generation: u32,
    /// The first byte.
    pub offset: u64,
    /// How many.
    pub size: u64,
}

/// A race of a tentative load, found when its value is used.
#[derive(Clone, Debug)]
pub struct Late {
    /// The write.
    pub conflict: Conflict,
    /// What was loaded.
    pub bytes: Bytes,
    /// Where.
    pub loaded: Option<Location>,
}

impl Bytes {
    fn meet(self, other: Bytes) -> bool {
        (self.index, self.generation) == (other.index, other.generation)
            && self.offset < other.offset + other.size
            && other.offset < self.offset + self.size
    }
}

impl Races {
    /// Notes a load that may not have happened; false if it is to be taken as any other.
    pub fn load_tentatively(&mut self, load: Load, bytes: Bytes) -> bool {
        let by = (self.current, load);
        // What the same one has loaded before was never used.
        self.tentative.take(by);
        let record = self.now();
        self.object(bytes.index, bytes.generation);
        let object = &self.objects[bytes.index];
        if self.mode != Mode::Plain || object.exempt || object.of_thread.is_some() {
            return false;
        }
        let clock = self.threads[self.current].clock.clone();
        let written = self.objects[bytes.index].last_writes(bytes.offset, bytes.size, &self.arena);
        let conflict = written.into_iter().find(|(record, _)| !clock.covers(record.epoch));
        let conflict = conflict.map(|(record, atomic)| Conflict { record, kind: Kind { write: true, atomic } });
        self.tentative.loads.insert(by, Tentative { bytes, record, clock, conflict });
        self.tentative.of_object.entry(bytes.index).or_default().push(by);
        true
    }

    /// The actor that acts writes there.
    pub(super) fn write_behind_tentative(&mut self, bytes: Bytes, record: Record, atomic: bool) {
        let clock = &self.threads[self.current].clock;
        for by in self.tentative.of_object.get(&bytes.index).into_iter().flatten() {
            let Some(it) = self.tentative.loads.get_mut(by).filter(|it| it.bytes.meet(bytes)) else { continue };
            if by.0 != self.current && it.conflict.is_none() && !clock.covers(it.record.epoch) {
                it.conflict = Some(Conflict { record, kind: Kind { write: true, atomic } });
            }
        }
    }

    /// What a tentative load may have given is used: it has happened. The write that it races with, if it does.
    pub fn use_tentative(&mut self, load: Load) -> Option<Late> {
        let Tentative { bytes, record, clock, conflict } = self.tentative.take((self.current, load))?;
        if let Some(conflict) = conflict {
            let loaded = self.stack(record.site).into_iter().next();
            return Some(Late { conflict, bytes, loaded });
        }
        let object = &mut self.objects[bytes.index];
        if object.generation == bytes.generation {
            // Who has written since, knows of the load: who comes after that one does, too.
            let now = Now { clock: &clock, record };
            let _ = object.access(bytes.offset, bytes.size, now, Kind { write: false, atomic: false }, &mut self.arena);
        }
        None
    }
}
