//! What codes the words in memory are under: by object and place, whatever the time.

use crate::analysis::memory::object::{ObjId, Targets};
use crate::analysis::memory::place::Place;
use crate::rewrite::codes::{Code, join};
use std::collections::{BTreeMap, BTreeSet};

/// Places of an object that are told apart.
const MAX_PLACES: usize = 32;

/// What is stored at a place.
#[derive(Clone, PartialEq, Debug)]
struct Stored {
    place: Place,
    size: u64,
    /// `None`: what depends on nothing active.
    code: Option<Code>,
}

/// The words in memory.
#[derive(Default)]
pub(super) struct Cells {
    objects: BTreeMap<ObjId, Vec<Stored>>,
    /// Objects that are written in ways that are not followed.
    mixed: BTreeSet<ObjId>,
}

impl Cells {
    /// A value of so many bytes is stored. Says whether that is new.
    pub fn store(&mut self, targets: &Targets, size: u64, code: Option<Code>, constant: bool) -> bool {
        if constant {
            return false;
        }
        let mut changed = false;
        for (object, place) in targets {
            changed |= self.put(*object, Stored { place: *place, size, code: code.clone() });
        }
        changed
    }

    fn put(&mut self, object: ObjId, new: Stored) -> bool {
        let stored = self.objects.entry(object).or_default();
        let few = stored.len() < MAX_PLACES;
        match stored.iter_mut().find(|old| (old.place, old.size) == (new.place, new.size)) {
            Some(old) => {
                let joined = match (old.code.clone(), new.code) {
                    (known, Some(code)) => Some(join(known, code)),
                    (known, None) => known,
                };
                let changed = old.code != joined;
                old.code = joined;
                changed
            }
            None if few => {
                stored.push(new);
                true
            }
            // More are told apart no longer.
            None if new.place != Place::every(0, 1) => self.put(object, Stored { place: Place::every(0, 1), ..new }),
            None => {
                stored.push(new);
                true
            }
        }
    }

    /// These objects are written in ways that are not followed.
    pub fn mix(&mut self, targets: &Targets) -> bool {
        let mut changed = false;
        for object in targets.keys() {
            changed |= self.mixed.insert(*object);
        }
        changed
    }

    /// `size` bytes (as many as there are, if that is not known) go from the second to the first. Coded words go at
    /// places that are not told apart; a copy that may put anything else over words, or a part of one, mixes. That
    /// a source holds no coded words is known when all codes have been found (`settled`), whatever the order of blocks.
    pub fn copy(&mut self, (to, from): (&Targets, &Targets), size: Option<u64>, settled: bool) -> bool {
        let mut changed = false;
        for (source, start) in from {
            let stored = self.objects.get(source).cloned().unwrap_or_default();
            let coded: Vec<Stored> = stored.into_iter().filter(|s| s.code.is_some()).collect();
            if self.mixed.contains(source) {
                changed |= self.mix(to);
            }
            for (object, place) in to {
                let whole = |word: &Stored| {
                    let bytes = word_size(word);
                    size.is_none_or(|size| size % bytes == 0) && [start, place].iter().all(|p| is_multiple(p, bytes))
                };
                if coded.is_empty() && settled || !coded.iter().all(whole) {
                    let (place, size) = size.map_or((Place::every(0, 1), 1), |size| (*place, size));
                    changed |= self.put(*object, Stored { place, size, code: None });
                }
                for Stored { size, code, .. } in &coded {
                    let place = Place::every(0, *size);
                    changed |= self.put(*object, Stored { place, size: *size, code: code.clone() });
                }
            }
        }
        changed
    }

    /// The code of what is loaded there, if active words may be.
    pub fn found(&self, targets: &Targets, size: u64) -> Option<Code> {
        let mut out: Option<Code> = None;
        for (object, place) in targets {
            for stored in self.objects.get(object).into_iter().flatten() {
                let Some(code) = &stored.code else { continue };
                if stored.place.overlaps(stored.size, *place, size) {
                    out = Some(join(out, code.clone()));
                }
            }
        }
        out
    }

    /// May coded words lie there?
    pub fn holds_code(&self, targets: &Targets, size: u64) -> bool {
        match self.found(targets, size) {
            Some(Code::Under(word, _)) => !word.is_identity(),
            Some(Code::Mixed) => true,
            None => false,
        }
    }

    /// May an object hold coded words?
    pub fn is_coded(&self, object: ObjId) -> bool {
        self.objects.get(&object).is_some_and(|stored| stored.iter().any(is_coded))
    }

    /// Is there memory that holds coded words, and others in the same place, or that others know of?
    pub fn is_mixed(&self, own: impl Fn(ObjId) -> bool) -> bool {
        self.objects.iter().any(|(object, stored)| {
            let coded: Vec<&Stored> = stored.iter().filter(|s| is_coded(s)).collect();
            let clash = |one: &Stored, other: &Stored| {
                other.place.overlaps(other.size, one.place, one.size)
                    && match &other.code {
                        // Of the same size, what depends on nothing active takes the place of a word as a whole.
                        None => other.size != one.size || !lies_alike(one, other),
                        code => *code != one.code || !lies_alike(one, other),
                    }
            };
            let mixed = stored.iter().any(|s| s.code == Some(Code::Mixed));
            !coded.is_empty()
                && (mixed
                    || !own(*object)
                    || self.mixed.contains(object)
                    || coded.iter().any(|one| stored.iter().any(|other| clash(one, other))))
        })
    }
}

fn is_coded(stored: &Stored) -> bool {
    matches!(&stored.code, Some(Code::Under(word, _)) if !word.is_identity())
}

/// Do the words of two places cover each other exactly, where they meet at all? Vectors are arrays of words.
fn lies_alike(one: &Stored, other: &Stored) -> bool {
    let size = word_size(one);
    let steps = [one.place, other.place].into_iter().flat_map(|p| [p.stride, p.step, p.outer_step]);
    let distance = one.place.start.abs_diff(other.place.start);
    word_size(other) == size && steps.chain([distance]).all(|by| by % size == 0)
}

/// Bytes of each word.
fn word_size(stored: &Stored) -> u64 {
    match &stored.code {
        Some(Code::Under(word, _)) => u64::from(word.bits() / 8),
        _ => stored.size.max(1),
    }
}

/// Are all offsets of a place multiples of that?
fn is_multiple(place: &Place, of: u64) -> bool {
    let steps = [place.stride, place.step, place.outer_step];
    place.start.unsigned_abs().is_multiple_of(of) && steps.iter().all(|step| step.is_multiple_of(of))
}
