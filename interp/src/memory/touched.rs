//! What a library function touches: shadows beside the bytes that it reads, and where it writes.
//!
//! The library works on bytes. Where the machine follows what is lost
//! ([`Machine::FOLLOWS_LOSSES`](crate::machine::Machine::FOLLOWS_LOSSES)), all that a call writes depends on all that
//! it has read. Copies and fills of memory are not meant: shadows go with them.

use super::Memory;
use crate::memory::access::Access;
use crate::memory::shadow::Shadow;

/// Shadows that are kept of one call.
const MOST: usize = 1 << 16;

/// The accesses of one call.
#[derive(Clone, Debug)]
pub struct Touched<S> {
    /// The shadows that were met.
    pub read: Vec<S>,
    /// What was written: slot, offset and size.
    pub(super) written: Vec<(usize, u64, u64)>,
}

impl<S: Shadow> Memory<S> {
    /// Begins to record accesses; returns the record before, to be put back by [`Memory::touches`].
    pub fn record_touches(&mut self, on: bool) -> Option<Touched<S>> {
        let none = || Box::new(std::cell::RefCell::new(Touched { read: Vec::new(), written: Vec::new() }));
        let before = std::mem::replace(&mut self.touched, on.then(none));
        before.map(|touched| touched.into_inner())
    }

    /// Ends a record, and goes on with the one before.
    pub fn touches(&mut self, before: Option<Touched<S>>) -> Option<Touched<S>> {
        let before = before.map(|touched| Box::new(std::cell::RefCell::new(touched)));
        std::mem::replace(&mut self.touched, before).map(|touched| touched.into_inner())
    }

    #[cold]
    pub(super) fn touch(&self, (index, offset): (usize, usize), size: u64, access: Access) {
        let Some(touched) = &self.touched else { return };
        let mut touched = touched.borrow_mut();
        if access == Access::Write {
            touched.written.push((index, offset as u64, size));
        } else if let Some(Some(map)) = self.shadows.get(index) {
            let room = MOST.saturating_sub(touched.read.len());
            touched.read.extend(map.touching(offset as u64, size).take(room).map(|(.., shadow)| shadow.clone()));
        }
    }

    /// Puts a shadow beside the bytes that were written, where they have none.
    pub fn put_touched(&mut self, touched: &Touched<S>, shadow: &S) {
        for (index, offset, size) in &touched.written {
            let (index, end) = (*index, offset + size);
            if self.shadows.len() <= index {
                self.shadows.resize(index + 1, None);
            }
            let map = std::rc::Rc::make_mut(self.shadows[index].get_or_insert_default());
            let taken: Vec<(u64, u64)> =
                map.touching(*offset, *size).map(|(at, len, _)| (at, at + u64::from(len))).collect();
            let mut at = *offset;
            for (from, to) in taken.into_iter().chain([(end, end)]) {
                // As long as numbers are, so that a number that was written is one cell.
                while at < from {
                    let most = (from - at).min(if at.is_multiple_of(8) { 8 } else { 8 - at % 8 });
                    map.insert(at, most as u8, shadow.clone());
                    at += most;
                }
                at = at.max(to);
            }
        }
    }
}
