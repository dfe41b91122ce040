//! Shadows of memory cells: a value of the machine's type beside each floating-point cell.
//!
//! A cell is the byte range of one stored leaf. It exists until any byte of it is overwritten by something else. Cells
//! are kept for each allocation that has any ([`Cells`]), apart from the contents: a machine without shadows pays one
//! test of an empty vector.

use super::cells::{Cells, WIDEST};
use super::{AllocId, Memory};
use crate::value::Pointer;
use std::rc::Rc;

/// What may ride beside a value.
pub trait Shadow: Clone + Default + 'static {
    /// Is something left of a shadow beside some of its bytes?
    const CUTS: bool = false;

    /// Is it the default, that says nothing?
    fn is_absent(&self) -> bool;

    /// What is left of it beside some of its bytes.
    #[must_use]
    fn cut(&self) -> Self {
        Self::default()
    }
}

impl Shadow for () {
    #[inline]
    fn is_absent(&self) -> bool {
        true
    }
}

impl<T: Clone + 'static> Shadow for Option<T> {
    #[inline]
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<S: Shadow> Memory<S> {
    /// The shadow of exactly the `size` bytes at `pointer`.
    pub fn shadow(&self, pointer: Pointer, size: u64) -> Option<&S> {
        if self.shadows.is_empty() {
            return None;
        }
        let index = self.slot_of(pointer)?;
        let map = self.shadows.get(index as usize)?.as_ref()?;
        let (len, shadow) = map.get(pointer.addr.wrapping_sub(self.allocs[index as usize].base))?;
        (u64::from(len) == size).then_some(shadow)
    }

    /// The shadow of exactly the `size` bytes at a pointer with provenance, `Some(None)` if nothing there has one, and
    /// `None` if the bytes cut through something that has.
    #[inline]
    pub(crate) fn whole_shadow(&self, pointer: Pointer, size: u64) -> Option<Option<&S>> {
        let index = AllocId::from_bits(pointer.prov).index as usize;
        let Some(Some(map)) = self.shadows.get(index) else { return Some(None) };
        let offset = pointer.addr.wrapping_sub(self.allocs.get(index)?.base);
        match map.get(offset) {
            Some((len, shadow)) if u64::from(len) == size => Some(Some(shadow)),
            _ => map.touching(offset, size).next().is_none().then_some(None),
        }
    }

    /// Puts a shadow beside the `size` bytes at `pointer`, which have just been stored. An absent one only removes.
    pub fn set_shadow(&mut self, pointer: Pointer, size: u64, shadow: S) {
        let Some(index) = self.slot_of(pointer) else { return };
        let offset = pointer.addr.wrapping_sub(self.allocs[index as usize].base);
        if shadow.is_absent() || size > WIDEST {
            return self.drop_shadows(index as usize, offset, size);
        }
        if self.shadows.len() <= index as usize {
            self.shadows.resize(index as usize + 1, None);
        }
        let map = self.shadows[index as usize].get_or_insert_default();
        Rc::make_mut(map).put(offset, size as u8, shadow);
    }

    /// The cells that share a byte with a range: offset from its start, size, shadow.
    pub fn touched_shadows(&self, pointer: Pointer, size: u64) -> Vec<(i64, u8, S)> {
        if self.shadows.is_empty() {
            return Vec::new();
        }
        let Some(index) = self.slot_of(pointer) else { return Vec::new() };
        let Some(Some(map)) = self.shadows.get(index as usize) else { return Vec::new() };
        let offset = pointer.addr.wrapping_sub(self.allocs[index as usize].base);
        let touched = map.touching(offset, size);
        touched.map(|(at, len, shadow)| (at.wrapping_sub(offset) as i64, len, shadow.clone())).collect()
    }

    /// All cells with a shadow of an allocation, by offset.
    pub fn shadows_of(&self, id: AllocId) -> impl Iterator<Item = (u64, u8, &S)> {
        let map = self.shadows.get(id.index as usize).and_then(|m| m.as_deref());
        map.into_iter().flat_map(|m| m.touching(0, u64::MAX))
    }

    /// Forgets every shadow.
    pub fn clear_shadows(&mut self) {
        self.shadows.clear();
    }

    /// Forgets every shadow in an allocation.
    pub fn clear_shadows_of(&mut self, id: AllocId) {
        if let Some(map) = self.shadows.get_mut(id.index as usize) {
            *map = None;
        }
    }

    /// Forgets the cells that touch a byte range which is about to be overwritten.
    #[inline]
    pub(super) fn drop_shadows(&mut self, index: usize, offset: u64, size: u64) {
        if !self.shadows.is_empty() {
            self.drop_shadows_now(index, offset, size);
        }
    }

    fn drop_shadows_now(&mut self, index: usize, offset: u64, size: u64) {
        let Some(Some(map)) = self.shadows.get_mut(index) else { return };
        let rests: Vec<_> = if S::CUTS { rests(map, offset, size).collect() } else { Vec::new() };
        // What a snapshot shares is copied only if something changes.
        if Rc::strong_count(map) == 1 || map.touching(offset, size).next().is_some() {
            Rc::make_mut(map).remove_touching(offset, size);
        }
        for (at, len, shadow) in rests {
            Rc::make_mut(map).insert(at, len, shadow);
        }
    }

    /// The shadows that lie wholly inside a range, relative to its start.
    pub(super) fn take_shadow_copy(&self, index: usize, offset: u64, size: u64) -> Vec<(u64, u8, S)> {
        let Some(Some(map)) = self.shadows.get(index) else { return Vec::new() };
        let end = offset.saturating_add(size);
        let copy = |(at, len, shadow): (u64, u8, &S)| {
            let last = at + u64::from(len);
            match at >= offset && last <= end {
                true => Some((at - offset, len, shadow.clone())),
                false if S::CUTS => {
                    let (from, to) = (at.max(offset), last.min(end));
                    Some((from - offset, (to - from) as u8, shadow.cut()))
                }
                false => None,
            }
        };
        map.touching(offset, size).filter_map(copy).collect()
    }

    /// Puts copied shadows at their new place.
    pub(super) fn put_shadow_copy(&mut self, index: usize, offset: u64, cells: Vec<(u64, u8, S)>) {
        if cells.is_empty() {
            return;
        }
        if self.shadows.len() <= index {
            self.shadows.resize(index + 1, None);
        }
        let map = Rc::make_mut(self.shadows[index].get_or_insert_default());
        cells.into_iter().for_each(|(at, len, shadow)| map.insert(at + offset, len, shadow));
    }
}

/// What is left of the cells of which a range takes some bytes: at most one piece before it and one behind it.
fn rests<S: Shadow>(map: &Cells<S>, offset: u64, size: u64) -> impl Iterator<Item = (u64, u8, S)> {
    let end = offset.saturating_add(size);
    map.touching(offset, size).flat_map(move |(at, len, shadow)| {
        let last = at + u64::from(len);
        let before = (at < offset).then(|| (at, (offset - at) as u8, shadow.cut()));
        let behind = (last > end).then(|| (end, (last - end) as u8, shadow.cut()));
        [before, behind].into_iter().flatten()
    })
}
