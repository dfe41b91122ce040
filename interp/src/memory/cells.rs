//! The cells with a shadow of one allocation: a small map from byte ranges to shadows, made for the ranges that there
//! are.
//!
//! A cell that begins at a multiple of four bytes has its place in a page, which is made when it is first touched and
//! shared between snapshots until one of them changes it; so finding it takes two indices. Others (numbers of two
//! bytes, packed structures) are kept in an ordered map. No two cells share a byte.

use crate::memory::shadow::Shadow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes between two places.
const UNIT: u64 = 4;
/// Places of a page.
const PLACES: usize = 64;
/// Bytes that a page stands for.
const PAGE: u64 = UNIT * PLACES as u64;
/// The largest cell, in bytes.
pub const WIDEST: u64 = 16;

/// Cells that begin in one page.
#[derive(Clone, Debug)]
struct Page<S> {
    /// Sizes; 0 where no cell begins.
    sizes: [u8; PLACES],
    shadows: Box<[S]>,
}

impl<S: Shadow> Default for Page<S> {
    fn default() -> Page<S> {
        Page { sizes: [0; PLACES], shadows: vec![S::default(); PLACES].into() }
    }
}

/// The cells of one allocation: offset, size and shadow.
#[derive(Clone, Debug)]
pub struct Cells<S> {
    pages: Vec<Option<Rc<Page<S>>>>,
    /// By offset, those that begin between two places.
    odd: BTreeMap<u64, (u8, S)>,
}

impl<S> Default for Cells<S> {
    fn default() -> Cells<S> {
        Cells { pages: Vec::new(), odd: BTreeMap::new() }
    }
}

/// Page and place of an offset.
fn place(offset: u64) -> (usize, usize) {
    ((offset / PAGE) as usize, (offset % PAGE / UNIT) as usize)
}

impl<S: Shadow> Cells<S> {
    /// Size and shadow of the cell that begins at `offset`.
    #[inline]
    pub fn get(&self, offset: u64) -> Option<(u8, &S)> {
        if !offset.is_multiple_of(UNIT) {
            return self.odd.get(&offset).map(|(size, shadow)| (*size, shadow));
        }
        let (page, at) = place(offset);
        let page = self.pages.get(page)?.as_deref()?;
        (page.sizes[at] != 0).then(|| (page.sizes[at], &page.shadows[at]))
    }

    /// A cell in place of what touches it.
    pub fn put(&mut self, offset: u64, size: u8, shadow: S) {
        // Most often it is the cell that was there before.
        let (page, at) = place(offset);
        if offset.is_multiple_of(UNIT)
            && let Some(Some(page)) = self.pages.get_mut(page)
            && page.sizes[at] == size
        {
            Rc::make_mut(page).shadows[at] = shadow;
            return;
        }
        self.remove_touching(offset, size.into());
        self.insert(offset, size, shadow);
    }

    /// A new cell; what touches it has been removed.
    pub fn insert(&mut self, offset: u64, size: u8, shadow: S) {
        if !offset.is_multiple_of(UNIT) {
            self.odd.insert(offset, (size, shadow));
            return;
        }
        let (page, at) = place(offset);
        if self.pages.len() <= page {
            self.pages.resize(page + 1, None);
        }
        let page = Rc::make_mut(self.pages[page].get_or_insert_default());
        page.sizes[at] = size;
        page.shadows[at] = shadow;
    }

    /// Removes the cells that share a byte with a range.
    pub fn remove_touching(&mut self, offset: u64, size: u64) {
        let end = offset.saturating_add(size).min(self.pages.len() as u64 * PAGE);
        let mut from = offset.saturating_sub(WIDEST - 1).next_multiple_of(UNIT);
        while from < end {
            let (number, first) = place(from);
            let next = (number as u64 + 1) * PAGE;
            let last = (end.min(next) - number as u64 * PAGE).div_ceil(UNIT) as usize;
            if let Some(page) = &mut self.pages[number] {
                let hit = |page: &Page<S>, at: usize| {
                    let start = number as u64 * PAGE + at as u64 * UNIT;
                    page.sizes[at] != 0 && start + u64::from(page.sizes[at]) > offset
                };
                for at in first..last {
                    if hit(page, at) {
                        let page = Rc::make_mut(page);
                        page.sizes[at] = 0;
                        page.shadows[at] = S::default();
                    }
                }
            }
            from = next;
        }
        if !self.odd.is_empty() {
            let touching: Vec<u64> = self.odd_touching(offset, size).map(|(at, ..)| at).collect();
            touching.iter().for_each(|at| drop(self.odd.remove(at)));
        }
    }

    fn odd_touching(&self, offset: u64, size: u64) -> impl Iterator<Item = (u64, u8, &S)> {
        let range = self.odd.range(offset.saturating_sub(WIDEST - 1)..offset.saturating_add(size));
        let cells = range.map(|(at, (size, shadow))| (*at, *size, shadow));
        cells.filter(move |(at, size, _)| at + u64::from(*size) > offset)
    }

    /// The cells that share a byte with a range, by offset.
    pub fn touching(&self, offset: u64, size: u64) -> impl Iterator<Item = (u64, u8, &S)> {
        let end = offset.saturating_add(size).min(self.pages.len() as u64 * PAGE);
        let from = offset.saturating_sub(WIDEST - 1).next_multiple_of(UNIT).min(end);
        let pages = (from / PAGE) as usize..end.div_ceil(PAGE) as usize;
        let in_page = move |number: usize| {
            let start = number as u64 * PAGE;
            let page = self.pages[number].as_deref();
            let (first, last) = (from.saturating_sub(start) / UNIT, (end - start).min(PAGE).div_ceil(UNIT));
            let cells = page.into_iter().flat_map(move |page| {
                (first as usize..last as usize)
                    .map(move |at| (start + at as u64 * UNIT, page.sizes[at], &page.shadows[at]))
            });
            cells.filter(move |(at, size, _)| *size != 0 && at + u64::from(*size) > offset)
        };
        let mut even = pages.flat_map(in_page).peekable();
        let mut odd = self.odd_touching(offset, size).peekable();
        std::iter::from_fn(move || match (even.peek(), odd.peek()) {
            (Some(a), Some(b)) if b.0 < a.0 => odd.next(),
            (Some(_), _) => even.next(),
            (None, _) => odd.next(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Cells, PAGE, UNIT};
    use std::collections::BTreeMap;

    /// The contract of the whole, in a map: cells are ranges, no two of which share a byte.
    #[derive(Default)]
    struct Model(BTreeMap<u64, (u8, Option<u32>)>);

    impl Model {
        fn touching(&self, offset: u64, size: u64) -> Vec<(u64, u8, Option<u32>)> {
            let hit =
                |(at, (len, _)): &(&u64, &(u8, Option<u32>))| **at < offset + size && **at + u64::from(*len) > offset;
            self.0.iter().filter(hit).map(|(at, (len, shadow))| (*at, *len, *shadow)).collect()
        }
    }

    #[test]
    fn cells_are_those_stored_last() {
        let (mut cells, mut model) = (Cells::<Option<u32>>::default(), Model::default());
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut odd = 0;
        for step in 0..20_000 {
            let size = [1, 2, 4, 8, 10, 16][random(6) as usize];
            let offset = if random(4) == 0 { random(3 * PAGE) } else { random(3 * PAGE / 4) * 4 };
            let width = if random(8) == 0 { random(2 * PAGE) } else { size };
            let seen: Vec<_> = cells.touching(offset, width).map(|(at, len, shadow)| (at, len, *shadow)).collect();
            assert_eq!(seen, model.touching(offset, width), "step {step}: {width} bytes at {offset}");
            cells.remove_touching(offset, width);
            model.touching(offset, width).iter().for_each(|(at, ..)| {
                model.0.remove(at);
            });
            if width == size {
                odd += u32::from(!offset.is_multiple_of(UNIT));
                cells.insert(offset, size as u8, Some(step));
                model.0.insert(offset, (size as u8, Some(step)));
            }
            let probe = random(3 * PAGE);
            assert_eq!(cells.get(probe).map(|(len, s)| (len, *s)), model.0.get(&probe).copied(), "step {step}");
        }
        assert!(odd > 1000);
    }

    /// A copy is not changed with the original.
    #[test]
    fn snapshots_stay() {
        let mut cells = Cells::<Option<u32>>::default();
        cells.insert(8, 8, Some(1));
        let before = cells.clone();
        cells.remove_touching(12, 1);
        assert_eq!((cells.get(8), before.get(8)), (None, Some((8, &Some(1)))));
    }
}
