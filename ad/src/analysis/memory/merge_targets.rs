//! The bound on points-to sets: memory of the caller that flows together becomes one object.
//!
//! Each load of a pointer from memory of the caller names an object of its own, so that rows of a table or the members
//! of a structure stay apart. In a tree, or in any graph that a loop walks over, all these names flow into one pointer;
//! they tell nothing apart then, but each of `n` nodes would hold `n` targets at each of its links, and every
//! instruction that walks would go through all `n²` of them. So a set that holds more than [`MAX_NAMES`] names of one
//! parameter has these merged into one object, which holds what all of them held (unification as by Steensgaard, POPL
//! 1996, where inclusion would not pay).
//!
//! Why that is sound: an object already stands for any number of pieces of memory (an array of pointers has one name
//! for all that its elements lead to), and nothing that is decided of it supposes that it is one piece. The merged
//! object has the union of the types, pointers and properties of its parts, so every answer is an over-approximation:
//! where two parts disagree on a type it is in conflict, and refused where it matters; where one is written, all are
//! taken to be written and what is read there is kept. The object of the parameter itself (depth 0) is never merged,
//! since `noalias` speaks of it.
//!
//! Names never come apart again, so there are no more mergers than names, and names are at most
//! [`crate::analysis::memory::MAX_EXTERNALS`] and the loads from the parameters' own objects. A merger costs one walk
//! over the facts.

use crate::analysis::memory::object::{ObjId, ObjKind, Object, Targets};
use crate::analysis::memory::place::Place;
use crate::analysis::memory::{Facts, Key, add_target};
use ir::FuncId;
use std::collections::{BTreeMap, BTreeSet};

/// Names of memory of the caller, reached from one parameter, that one pointer may have as targets.
pub(super) const MAX_NAMES: usize = 16;

/// A set of targets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Set {
    /// Of a value.
    Value(Key),
    /// Of what a function returns.
    Returned(FuncId),
    /// Of a pointer in memory.
    Stored(ObjId, Place),
}

impl Facts {
    /// Notes a set that has grown large.
    pub(super) fn note_size(&mut self, set: Set, size: usize) {
        if size > MAX_NAMES {
            self.crowded.insert(set);
        }
    }

    /// Merges what is too much in the sets that were noted. Between two instructions: while one is looked at, objects
    /// keep their names.
    pub(super) fn merge_crowds(&mut self) {
        while let Some(set) = self.crowded.pop_first() {
            let found = match set {
                Set::Value(key) => self.targets.get(&key),
                Set::Returned(id) => self.ret_targets.get(&id),
                Set::Stored(object, place) => self.objects[object].pointers.get(&place),
            };
            let mut names: BTreeMap<(usize, bool), Vec<ObjId>> = BTreeMap::new();
            for object in found.into_iter().flat_map(Targets::keys) {
                if let ObjKind::External { param, depth: 1.., constant, .. } = self.objects[*object].kind {
                    names.entry((param, constant)).or_default().push(*object);
                }
            }
            for crowd in names.into_values().filter(|crowd| crowd.len() > MAX_NAMES) {
                self.merge(&crowd);
            }
        }
    }

    /// The object that has taken the place of another.
    pub(super) fn merged(&self, object: ObjId) -> ObjId {
        self.sites.get(&self.objects[object].kind).copied().unwrap_or(object)
    }

    /// Makes one object of several: the first.
    fn merge(&mut self, crowd: &[ObjId]) {
        let Some((to, rest)) = crowd.split_first() else { return };
        self.changed = true;
        let gone: BTreeSet<ObjId> = rest.iter().copied().collect();
        for object in rest {
            let kind = self.objects[*object].kind;
            let from = std::mem::replace(&mut self.objects[*object], Object::new(kind));
            self.take_over(*to, from);
        }
        for kind in self.sites.values_mut().filter(|o| gone.contains(o)) {
            *kind = *to;
        }
        let stored =
            self.objects.values_mut().flat_map(|o| o.pointers.values_mut().chain(o.named.iter_mut().map(|(_, t)| t)));
        for set in self.targets.values_mut().chain(self.ret_targets.values_mut()).chain(stored) {
            rename(set, &gone, *to);
        }
    }

    /// Adds what an object holds to another.
    fn take_over(&mut self, to: ObjId, from: Object) {
        for ((place, size), cell) in from.cells {
            self.add_cell(to, place, cell, size);
        }
        self.crowded.extend(from.pointers.keys().map(|place| Set::Stored(to, *place)));
        let object = &mut self.objects[to];
        for (place, targets) in from.pointers {
            let known = object.pointers.entry(place).or_default();
            for (target, at) in targets {
                add_target(known, target, at);
            }
        }
        for (place, targets) in from.named {
            match object.named.iter_mut().find(|(known, _)| *known == place) {
                Some((_, known)) => known.extend(targets),
                None => object.named.push((place, targets)),
            }
        }
        object.idle.extend(from.idle);
        object.addresses.extend(from.addresses);
        object.varied |= from.varied;
        object.written |= from.written;
        object.bits |= from.bits;
        object.raw |= from.raw;
        object.size = object.size.max(from.size);
        object.farthest = object.farthest.max(from.farthest);
        object.cropped |= from.cropped;
        object.floor = object.floor.min(from.floor);
        object.untagged |= from.untagged;
        object.limit = object.limit.max(from.limit);
        object.floats.extend(from.floats);
    }
}

fn rename(set: &mut Targets, gone: &BTreeSet<ObjId>, to: ObjId) {
    let old: Vec<(ObjId, Place)> = set.iter().filter(|(o, _)| gone.contains(o)).map(|(o, p)| (*o, *p)).collect();
    for (object, place) in old {
        set.remove(&object);
        add_target(set, to, place);
    }
}
