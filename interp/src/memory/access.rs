//! Loads and stores of single leaves, with every check: provenance, lifetime, bounds, alignment, writability.
//!
//! The fast path is a defined leaf inside a live object through a pointer with provenance; everything else is found out
//! of line.

use super::contents::Contents;
use super::data::{Data, state};
use super::{AllocId, Allocation, Life, Memory, NULL_PAGE, inspect};
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res, UbKind};
use crate::value::{Leaf, Pointer, Scalar, Tag, mask64};
use ir::FloatKind;

/// Why memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// To read.
    Read,
    /// To write.
    Write,
}

impl Access {
    fn name(self) -> &'static str {
        match self {
            Access::Read => "a read",
            Access::Write => "a write",
        }
    }
}

/// Eight bytes in state `INIT`, and the bit of every state that says so.
pub(super) const ALL_INIT: u64 = u64::from_le_bytes([state::INIT; 8]);
/// Eight bytes in state `POINTER`.
pub(super) const ALL_POINTER: u64 = u64::from_le_bytes([state::POINTER; 8]);
/// The states of a `double`.
pub(super) const DOUBLE: u64 =
    u64::from_le_bytes([state::rest(FloatKind::Double); 8]) & !0xff | state::first(FloatKind::Double) as u64;
/// The states of a `float`.
pub(super) const FLOAT: u32 =
    u32::from_le_bytes([state::rest(FloatKind::Float); 4]) & !0xff | state::first(FloatKind::Float) as u32;

/// The `N` bytes at `at`, if there are as many.
#[inline]
pub(super) fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at + N)?.try_into().ok()
}

impl<S: Shadow> Memory<S> {
    /// Slot and offset of `size` accessible bytes at `pointer`.
    #[inline]
    pub(super) fn resolve(&self, pointer: Pointer, size: u64, align: u64, access: Access) -> Res<(usize, usize)> {
        let id = AllocId::from_bits(pointer.prov);
        if let Some(slot) = self.allocs.get(id.index as usize) {
            let offset = pointer.addr.wrapping_sub(slot.base);
            if slot.generation == id.generation
                && offset <= slot.extent
                && slot.extent - offset >= size
                && pointer.addr & (align - 1) == 0
                && (slot.writable || access == Access::Read)
            {
                return Ok((id.index as usize, offset as usize));
            }
        }
        self.resolve_slow(pointer, size, align, access)
    }

    /// [`Memory::resolve`] for an access that is made: the race detector hears of it.
    #[inline]
    pub(super) fn reach(&self, pointer: Pointer, size: u64, align: u64, access: Access) -> Res<(usize, usize)> {
        let found = self.reach_whole(pointer, size, align, access)?;
        if self.touched.is_some() {
            self.touch(found, size, access);
        }
        Ok(found)
    }

    /// The same for an access that takes shadows along.
    #[inline]
    pub(super) fn reach_whole(&self, pointer: Pointer, size: u64, align: u64, access: Access) -> Res<(usize, usize)> {
        let found = self.resolve(pointer, size, align, access)?;
        if self.races.is_some() {
            self.watch(found, size, access)?;
        }
        Ok(found)
    }

    /// A pointer without provenance, or an error.
    #[cold]
    fn resolve_slow(&self, pointer: Pointer, size: u64, align: u64, access: Access) -> Res<(usize, usize)> {
        let what = access.name();
        if pointer.addr < NULL_PAGE && pointer.prov == 0 {
            let text = if pointer.addr == 0 {
                format!("{what} of {size} bytes through a null pointer")
            } else {
                format!("{what} of {size} bytes at address {:#x}, at a small offset from null", pointer.addr)
            };
            return Err(Fault::ub(UbKind::NullPointer, text));
        }
        let Some(index) = self.slot_of(pointer) else {
            if pointer.prov != 0 {
                let text = format!("{what} of {size} bytes through a pointer to an object whose life ended long ago");
                return Err(Fault::ub(UbKind::UseAfterScope, text));
            }
            let text = format!("{what} of {size} bytes at address {:#x}, where no object is", pointer.addr);
            return Err(Fault::ub(UbKind::InvalidPointer, text));
        };
        let slot = &self.allocs[index as usize];
        self.check(slot, pointer, size, align, access)?;
        Ok((index as usize, (pointer.addr - slot.base) as usize))
    }

    /// Is the access allowed? Else says why not.
    #[cold]
    fn check(&self, slot: &Allocation, pointer: Pointer, size: u64, align: u64, access: Access) -> Res {
        let what = access.name();
        let object = inspect::describe(slot.kind);
        let offset = pointer.addr.wrapping_sub(slot.base);
        match slot.life {
            Life::Live => {}
            Life::OutOfScope => {
                let text = format!("{what} of {size} bytes in {object} whose lifetime has ended");
                let fault = Fault::ub(UbKind::UseAfterScope, text);
                return Err(fault
                    .note("the object was created here", slot.made)
                    .note("its lifetime ended here", slot.ended));
            }
            Life::Freed => {
                let text = format!("{what} of {size} bytes at offset {offset} of a freed block of {} bytes", slot.size);
                let fault = Fault::ub(UbKind::UseAfterFree, text);
                return Err(fault.note("it was allocated here", slot.made).note("it was freed here", slot.ended));
            }
        }
        if offset > slot.extent || slot.extent - offset < size {
            let text = format!("{what} of {size} bytes at offset {} of {object} of {} bytes", offset as i64, slot.size);
            return Err(Fault::ub(UbKind::OutOfBounds, text).note("the object was created here", slot.made));
        }
        if pointer.addr & (align - 1) != 0 {
            let text =
                format!("{what} of {size} bytes at address {:#x}, which is not a multiple of {align}", pointer.addr);
            return Err(Fault::ub(UbKind::Misaligned, text).note("the object was created here", slot.made));
        }
        if access == Access::Write && !slot.writable {
            return Err(Fault::ub(UbKind::ReadOnly, format!("a write to {object}, which is constant")));
        }
        Ok(())
    }

    /// Checks that `size` bytes at `pointer` may be accessed; nothing is read.
    pub fn check_access(&self, pointer: Pointer, size: u64, align: u64, access: Access) -> Res {
        self.resolve(pointer, size, align, access).map(|_| ())
    }

    /// Loads eight defined bytes; other cases as [`Memory::load`] with `leaf`.
    #[inline]
    pub fn load8(&self, pointer: Pointer, align: u64, leaf: Leaf) -> Res<Scalar> {
        let (index, offset) = self.reach(pointer, 8, align, Access::Read)?;
        let (data, at) = self.allocs[index].data.part(offset);
        match (chunk::<8>(&data.state, at), chunk::<8>(&data.bytes, at)) {
            (Some(states), Some(bytes)) if u64::from_le_bytes(states) & ALL_INIT == ALL_INIT => {
                Ok(Scalar::word(u64::from_le_bytes(bytes)))
            }
            _ => Ok(read_leaf(&self.allocs[index].data, offset, leaf)),
        }
    }

    /// Loads four defined bytes; other cases as [`Memory::load`] with `leaf`.
    #[inline]
    pub fn load4(&self, pointer: Pointer, align: u64, leaf: Leaf) -> Res<Scalar> {
        let (index, offset) = self.reach(pointer, 4, align, Access::Read)?;
        let (data, at) = self.allocs[index].data.part(offset);
        match (chunk::<4>(&data.state, at), chunk::<4>(&data.bytes, at)) {
            (Some(states), Some(bytes)) if u32::from_le_bytes(states) & ALL_INIT as u32 == ALL_INIT as u32 => {
                Ok(Scalar::word(u64::from(u32::from_le_bytes(bytes))))
            }
            _ => Ok(read_leaf(&self.allocs[index].data, offset, leaf)),
        }
    }

    /// Loads a pointer.
    #[inline]
    pub fn load_ptr(&self, pointer: Pointer, align: u64) -> Res<Scalar> {
        let (index, offset) = self.reach(pointer, 8, align, Access::Read)?;
        let (data, at) = self.allocs[index].data.part(offset);
        if at % 8 == 0
            && let (Some(states), Some(bytes), Some(prov)) =
                (chunk::<8>(&data.state, at), chunk::<8>(&data.bytes, at), data.prov.get(at / 8))
            && u64::from_le_bytes(states) == ALL_POINTER
        {
            return Ok(Scalar { lo: u64::from_le_bytes(bytes), hi: *prov, tag: Tag::Init });
        }
        Ok(read_leaf(&self.allocs[index].data, offset, Leaf::Ptr))
    }

    /// Loads a leaf.
    #[inline]
    pub fn load(&self, pointer: Pointer, leaf: Leaf, align: u64) -> Res<Scalar> {
        match leaf {
            Leaf::Int(64) | Leaf::Float(FloatKind::Double) => self.load8(pointer, align, leaf),
            Leaf::Int(32) | Leaf::Float(FloatKind::Float) => self.load4(pointer, align, leaf),
            Leaf::Ptr => self.load_ptr(pointer, align),
            _ => {
                let (index, offset) = self.reach(pointer, leaf.store_size(), align, Access::Read)?;
                Ok(read_leaf(&self.allocs[index].data, offset, leaf))
            }
        }
    }

    /// Stores a leaf. A shadow that was there is gone.
    #[inline]
    pub fn store(&mut self, pointer: Pointer, leaf: Leaf, value: Scalar, align: u64) -> Res {
        let size = leaf.store_size();
        let (index, offset) = self.reach(pointer, size, align, Access::Write)?;
        self.drop_shadows(index, offset as u64, size);
        let contents = &mut self.allocs[index].data;
        if contents.is_split(offset, size as usize) {
            let mut data = Data::default();
            data.reset(size as usize);
            write_leaf(&mut data, 0, leaf, value);
            contents.scatter(offset, &data);
            return Ok(());
        }
        let (data, offset) = contents.part_mut(offset);
        if value.tag == Tag::Init {
            match (size, leaf) {
                (8, Leaf::Int(_) | Leaf::Float(_)) => {
                    if let Some(bytes) = data.bytes.get_mut(offset..offset + 8) {
                        bytes.copy_from_slice(&value.lo.to_le_bytes());
                    }
                    if let Some(states) = data.state.get_mut(offset..offset + 8) {
                        let number = leaf == Leaf::Float(FloatKind::Double);
                        states.copy_from_slice(&(if number { DOUBLE } else { ALL_INIT }).to_le_bytes());
                    }
                    return Ok(());
                }
                (4, _) => {
                    if let Some(bytes) = data.bytes.get_mut(offset..offset + 4) {
                        bytes.copy_from_slice(&(value.lo as u32).to_le_bytes());
                    }
                    if let Some(states) = data.state.get_mut(offset..offset + 4) {
                        let number = leaf == Leaf::Float(FloatKind::Float);
                        states.copy_from_slice(&(if number { FLOAT } else { ALL_INIT as u32 }).to_le_bytes());
                    }
                    return Ok(());
                }
                _ => {}
            }
        }
        write_leaf(data, offset, leaf, value);
        Ok(())
    }
}

/// Reads a leaf whatever its bytes' states.
fn read_leaf(contents: &Contents, offset: usize, leaf: Leaf) -> Scalar {
    let size = leaf.store_size() as usize;
    if contents.is_split(offset, size) {
        return read_whole(&contents.gather(offset, size), 0, leaf);
    }
    let (data, at) = contents.part(offset);
    read_whole(data, at, leaf)
}

/// The same where it lies in one part.
fn read_whole(data: &Data, offset: usize, leaf: Leaf) -> Scalar {
    let size = leaf.store_size() as usize;
    let states = &data.state[offset..offset + size];
    let mut buffer = [0; 16];
    buffer[..size].copy_from_slice(&data.bytes[offset..offset + size]);
    let bits = u128::from_le_bytes(buffer);
    let mut worst = 0;
    for s in states {
        match *s {
            state::POISON => return Scalar::POISON,
            state::UNDEF | state::PARTIAL => worst = 1,
            _ => {}
        }
    }
    if worst == 0 {
        return match leaf {
            Leaf::Ptr => Scalar { lo: bits as u64, hi: data.prov_at(offset), tag: Tag::Init },
            Leaf::Int(width) => Scalar::wide(bits & crate::value::mask128(width)),
            Leaf::Float(_) => Scalar::wide(bits),
        };
    }
    if size > 8 {
        return Scalar::undef(leaf);
    }
    // A union is moved as one of its members, with less than all of that written.
    let all = mask64(leaf.bits());
    match all & (0..size).rev().fold(0, |mask, i| mask << 8 | u64::from(data.undef_bits(offset + i))) {
        0 => Scalar::word(bits as u64 & all),
        undef if undef == all => Scalar::undef(leaf),
        undef => Scalar { lo: bits as u64 & all & !undef, hi: undef, tag: Tag::Undef },
    }
}

/// Writes a leaf whatever its tag.
fn write_leaf(data: &mut Data, offset: usize, leaf: Leaf, value: Scalar) {
    let size = leaf.store_size() as usize;
    let mut fill = |s: u8, bytes: [u8; 16]| {
        data.bytes[offset..offset + size].copy_from_slice(&bytes[..size]);
        data.state[offset..offset + size].fill(s);
    };
    match value.tag {
        Tag::Init => match leaf {
            Leaf::Ptr if value.hi != 0 && offset.is_multiple_of(8) => {
                fill(state::POINTER, u128::from(value.lo).to_le_bytes());
                data.set_prov(offset, value.hi);
            }
            Leaf::Ptr => fill(state::INIT, u128::from(value.lo).to_le_bytes()),
            Leaf::Int(_) => fill(state::INIT, value.bits().to_le_bytes()),
            Leaf::Float(kind) => {
                fill(state::rest(kind), value.bits().to_le_bytes());
                data.state[offset] = state::first(kind);
            }
        },
        Tag::Poison => fill(state::POISON, [0; 16]),
        Tag::Undef => match value.hi {
            1.. if size <= 8 => {
                for i in 0..size {
                    let byte = |word: u64| (word >> (8 * i)) as u8;
                    data.set_partial(offset + i, byte(value.lo), byte(value.hi));
                }
            }
            _ => fill(state::UNDEF, [0; 16]),
        },
    }
}
