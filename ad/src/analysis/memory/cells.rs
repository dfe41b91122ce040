//! The kinds of data in an object.

use crate::analysis::memory::place::Place;
use crate::program::cell::{Cell, Span};
use ir::hash::HashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::Deref;

/// A datum: its first byte, size and kind.
pub type Datum = (i64, u64, Cell);

/// Kinds of data by place and size in bytes. What they say together of an offset, or of what lies behind a place, is
/// asked for again and again, and remembered until there is more to say.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    data: BTreeMap<(Place, u64), Cell>,
    told: RefCell<Told>,
}

/// What has been told of an object whose ends are these.
#[derive(Clone, Debug, Default)]
struct Told {
    ends: (i64, i64),
    at: HashMap<i64, Option<Datum>>,
    within: HashMap<(Place, u64, u64), Vec<Span>>,
}

impl Cells {
    /// Adds what is said of a place; says whether that is new.
    pub(super) fn insert(&mut self, place: Place, size: u64, cell: Cell) -> bool {
        let new = self.data.insert((place, size), cell) != Some(cell);
        if new {
            self.forget();
        }
        new
    }

    /// All of them, to be changed.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&(Place, u64), &mut Cell)> {
        self.forget();
        self.data.iter_mut()
    }

    fn forget(&mut self) {
        let told = self.told.get_mut();
        *told = Told { ends: told.ends, ..Told::default() };
    }

    /// What these say of an offset in an object with these ends, as `find` finds it.
    pub(super) fn at(&self, ends: (i64, i64), at: i64, find: impl FnOnce() -> Option<Datum>) -> Option<Datum> {
        self.remembered(ends, |told| &mut told.at, at, find)
    }

    /// What these say of some bytes behind a place, as `find` finds it.
    pub(super) fn within(
        &self,
        ends: (i64, i64),
        (place, at, size): (Place, u64, u64),
        find: impl FnOnce() -> Vec<Span>,
    ) -> Vec<Span> {
        self.remembered(ends, |told| &mut told.within, (place, at, size), find)
    }

    fn remembered<K: Eq + Hash, V: Clone>(
        &self,
        ends: (i64, i64),
        of: impl Fn(&mut Told) -> &mut HashMap<K, V>,
        key: K,
        find: impl FnOnce() -> V,
    ) -> V {
        let known = {
            let mut told = self.told.borrow_mut();
            if told.ends != ends {
                *told = Told { ends, ..Told::default() };
            }
            of(&mut told).get(&key).cloned()
        };
        known.unwrap_or_else(|| {
            // What finds it asks for other offsets.
            let found = find();
            of(&mut self.told.borrow_mut()).insert(key, found.clone());
            found
        })
    }
}

impl Deref for Cells {
    type Target = BTreeMap<(Place, u64), Cell>;

    fn deref(&self) -> &Self::Target {
        &self.data
    }
}

impl IntoIterator for Cells {
    type Item = ((Place, u64), Cell);
    type IntoIter = std::collections::btree_map::IntoIter<(Place, u64), Cell>;

    fn into_iter(self) -> Self::IntoIter {
        self.data.into_iter()
    }
}

impl FromIterator<((Place, u64), Cell)> for Cells {
    fn from_iter<T: IntoIterator<Item = ((Place, u64), Cell)>>(data: T) -> Cells {
        Cells { data: data.into_iter().collect(), told: RefCell::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::FloatKind;

    #[test]
    fn what_was_told_is_forgotten_when_there_is_more_to_say() {
        const DOUBLE: Cell = Cell::Float(FloatKind::Double);
        let mut cells = Cells::default();
        assert_eq!(cells.at((0, 64), 8, || None), None);
        assert_eq!(cells.at((0, 64), 8, || unreachable!("it is remembered")), None);
        assert!(cells.insert(Place::at(8), 8, DOUBLE));
        let found = Some((8, 8, DOUBLE));
        assert_eq!(cells.at((0, 64), 8, || found), found);
        assert!(!cells.insert(Place::at(8), 8, DOUBLE));
        assert_eq!(cells.at((0, 64), 8, || None), found, "nothing is new");
        assert_eq!(cells.at((0, 12), 8, || None), None, "the object ends elsewhere");
        cells.iter_mut().for_each(|(_, cell)| *cell = Cell::Conflict);
        assert_eq!(cells.at((0, 12), 8, || found), found);
    }
}
