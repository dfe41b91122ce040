//! Accesses that are allowed, of bytes that are defined: what [`Memory::load`] and [`Memory::store`] do then, and
//! nothing otherwise.

use super::access::{ALL_INIT, ALL_POINTER, DOUBLE, FLOAT, chunk};
use super::contents::Contents;
use super::data::state;
use super::{Allocation, Memory};
use crate::code::words::Size;
use crate::memory::access::Access;
use crate::memory::shadow::Shadow;
use crate::races::cells::Site;
use crate::value::Scalar;

impl<S: Shadow> Memory<S> {
    /// May accesses be made without telling anybody? (Nobody looks for races, and there are no shadows.)
    #[inline]
    pub(crate) fn is_quick(&self) -> bool {
        self.races.is_none() && self.shadows.is_empty()
    }

    /// Tells the race detector of an access that is allowed. False if the access has to be made as it stands, because
    /// it is not, or because it races.
    #[inline(always)]
    pub(crate) fn quick_watch(&mut self, at: Scalar, size: u64, align: u8, access: Access, site: Site) -> bool {
        if self.races.is_none() {
            return true;
        }
        self.watched(at, size, align, access, site)
    }

    #[inline(never)]
    fn watched(&mut self, at: Scalar, size: u64, align: u8, access: Access, site: Site) -> bool {
        let index = at.hi as u32 as usize;
        let Some(slot) = self.allocs.get(index) else { return false };
        let write = access == Access::Write;
        let Some(offset) = offset(slot, at, size, align) else { return false };
        let generation = slot.generation;
        if (write && !slot.writable) || (self.spaces.is_some() && self.check_space(index, write).is_err()) {
            return false;
        }
        let Some(races) = self.races() else { return true };
        races.site = site;
        races.access(index, generation, (offset as u64, size), write).is_none()
    }

    /// Base and size of the object that a provenance names.
    #[inline(always)]
    pub(crate) fn quick_bounds(&self, prov: u64) -> Option<(u64, u64)> {
        let slot = self.allocs.get(prov as u32 as usize)?;
        (slot.generation == (prov >> 32) as u32).then_some((slot.base, slot.size))
    }
}

/// The offset of an access of `size` bytes in the object, if it is allowed.
#[inline(always)]
fn offset(slot: &Allocation, at: Scalar, size: u64, align: u8) -> Option<usize> {
    let offset = at.lo.wrapping_sub(slot.base);
    let allowed = slot.generation == (at.hi >> 32) as u32
        && offset <= slot.extent
        && slot.extent - offset >= size
        && at.lo & ((1 << align) - 1) == 0;
    allowed.then_some(offset as usize)
}

#[inline(always)]
fn load<const N: usize>(data: &Contents, offset: usize) -> Option<[u8; N]> {
    let (data, offset) = data.part(offset);
    let states: [u8; N] = chunk(&data.state, offset)?;
    let bytes: [u8; N] = chunk(&data.bytes, offset)?;
    states.iter().all(|s| s & state::INIT != 0).then_some(bytes)
}

#[inline(always)]
fn store<const N: usize>(data: &mut Contents, offset: usize, bytes: [u8; N], states: [u8; N]) -> Option<()> {
    let (data, offset) = data.own_part(offset)?;
    let (to, marks) = (data.bytes.get_mut(offset..offset + N)?, data.state.get_mut(offset..offset + N)?);
    to.copy_from_slice(&bytes);
    marks.copy_from_slice(&states);
    Some(())
}

impl<S: Shadow> Memory<S> {
    /// Loads an integer or number through a defined pointer.
    #[inline(always)]
    pub(crate) fn quick_load(&self, at: Scalar, size: Size, align: u8) -> Option<u64> {
        let slot = self.allocs.get(at.hi as u32 as usize)?;
        match size {
            Size::B64 => {
                let (data, at) = slot.data.part(offset(slot, at, 8, align)?);
                let states: [u8; 8] = chunk(&data.state, at)?;
                let bytes: [u8; 8] = chunk(&data.bytes, at)?;
                (u64::from_le_bytes(states) & ALL_INIT == ALL_INIT).then_some(u64::from_le_bytes(bytes))
            }
            Size::B32 => {
                let (data, at) = slot.data.part(offset(slot, at, 4, align)?);
                let states: [u8; 4] = chunk(&data.state, at)?;
                let bytes: [u8; 4] = chunk(&data.bytes, at)?;
                (u32::from_le_bytes(states) & ALL_INIT as u32 == ALL_INIT as u32)
                    .then_some(u64::from(u32::from_le_bytes(bytes)))
            }
            Size::B16 => load::<2>(&slot.data, offset(slot, at, 2, align)?).map(|b| u64::from(u16::from_le_bytes(b))),
            Size::B8 => load::<1>(&slot.data, offset(slot, at, 1, align)?).map(|b| u64::from(b[0])),
        }
    }

    /// Loads a whole pointer through a defined pointer.
    #[inline(always)]
    pub(crate) fn quick_load_ptr(&self, at: Scalar, align: u8) -> Option<Scalar> {
        let slot = self.allocs.get(at.hi as u32 as usize)?;
        let (data, offset) = slot.data.part(offset(slot, at, 8, align)?);
        let states: [u8; 8] = chunk(&data.state, offset)?;
        let bytes: [u8; 8] = chunk(&data.bytes, offset)?;
        let prov = *data.prov.get(offset / 8)?;
        let whole = offset % 8 == 0 && u64::from_le_bytes(states) == ALL_POINTER;
        whole.then_some(Scalar { hi: prov, ..Scalar::word(u64::from_le_bytes(bytes)) })
    }

    /// Stores a defined integer, or a number, through a defined pointer.
    #[inline(always)]
    pub(crate) fn quick_store(&mut self, at: Scalar, value: u64, size: Size, align: u8, number: bool) -> Option<()> {
        let slot = self.allocs.get_mut(at.hi as u32 as usize)?;
        if !slot.writable {
            return None;
        }
        match size {
            Size::B64 => {
                let offset = offset(slot, at, 8, align)?;
                let states = if number { DOUBLE } else { ALL_INIT };
                store(&mut slot.data, offset, value.to_le_bytes(), states.to_le_bytes())
            }
            Size::B32 => {
                let offset = offset(slot, at, 4, align)?;
                let states = if number { FLOAT } else { ALL_INIT as u32 };
                store(&mut slot.data, offset, (value as u32).to_le_bytes(), states.to_le_bytes())
            }
            Size::B16 => {
                let offset = offset(slot, at, 2, align)?;
                store(&mut slot.data, offset, (value as u16).to_le_bytes(), [state::INIT; 2])
            }
            Size::B8 => {
                let offset = offset(slot, at, 1, align)?;
                store(&mut slot.data, offset, [value as u8], [state::INIT])
            }
        }
    }

    /// Stores a defined pointer through a defined pointer, where pointers have been stored before.
    #[inline(always)]
    pub(crate) fn quick_store_ptr(&mut self, at: Scalar, value: Scalar, align: u8) -> Option<()> {
        let slot = self.allocs.get_mut(at.hi as u32 as usize)?;
        if !slot.writable {
            return None;
        }
        let offset = offset(slot, at, 8, align)?;
        if offset % 8 != 0 || value.hi == 0 {
            return None;
        }
        let (data, place) = slot.data.own_part(offset)?;
        *data.prov.get_mut(place / 8)? = value.hi;
        store(&mut slot.data, offset, value.lo.to_le_bytes(), ALL_POINTER.to_le_bytes())
    }
}
