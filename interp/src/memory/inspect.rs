//! Looking at a memory from outside: what objects there are and what they hold.

use super::data::state;
use super::{AllocId, AllocKind, HeapKind, Life, Memory};
use crate::memory::contents::Contents;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Location, Res};
use crate::value::Pointer;

/// What is known of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct AllocInfo {
    /// Its name.
    pub id: AllocId,
    /// What it is.
    pub kind: AllocKind,
    /// Address of its first byte.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Where it stands in its life.
    pub life: Life,
    /// The instruction that made it.
    pub made: Option<Location>,
    /// The instruction that ended it.
    pub ended: Option<Location>,
}

impl AllocInfo {
    /// A pointer to its first byte.
    pub fn pointer(&self) -> Pointer {
        Pointer { addr: self.base, prov: self.id.bits() }
    }
}

/// The object in words, with an article.
pub(super) fn describe(kind: AllocKind) -> &'static str {
    match kind {
        AllocKind::Global(_) => "a global variable",
        AllocKind::Function(_) => "a function",
        AllocKind::Stack => "a stack object",
        AllocKind::Heap(HeapKind::Malloc | HeapKind::New | HeapKind::NewArray) => "a heap block",
        AllocKind::Heap(HeapKind::Device) => "a block of device memory",
        AllocKind::Shared(_) => "a variable in shared memory",
        AllocKind::Runtime => "an object of the C library",
    }
}

impl<S: Shadow> Memory<S> {
    pub(super) fn info_at(&self, index: usize) -> AllocInfo {
        let slot = &self.allocs[index];
        AllocInfo {
            id: AllocId { index: index as u32, generation: slot.generation },
            kind: slot.kind,
            base: slot.base,
            size: slot.size,
            life: slot.life,
            made: slot.made,
            ended: slot.ended,
        }
    }

    /// The object a pointer refers to, alive or remembered.
    pub fn info(&self, pointer: Pointer) -> Option<AllocInfo> {
        self.slot_of(pointer).map(|index| self.info_at(index as usize))
    }

    /// The live objects, in the order of their slots.
    pub fn objects(&self) -> impl Iterator<Item = AllocInfo> + '_ {
        (1..self.allocs.len()).filter(|i| self.allocs[*i].life == Life::Live).map(|i| self.info_at(i))
    }

    /// The contents of an object; `None` if it is dead.
    pub fn data(&self, id: AllocId) -> Option<&Contents> {
        let slot = self.allocs.get(id.index as usize)?;
        (slot.generation == id.generation && slot.life == Life::Live).then_some(&slot.data)
    }

    /// Puts the contents that an object has in another memory in place of its own, if it is alive in both.
    pub fn replace_data(&mut self, id: AllocId, from: &Memory<S>) {
        let index = id.index as usize;
        let (Some(theirs), Some(mine)) = (from.allocs.get(index), self.allocs.get_mut(index)) else { return };
        let alive = |slot: &super::Allocation| slot.generation == id.generation && slot.life == Life::Live;
        if alive(theirs) && alive(mine) {
            mine.data = theirs.data.clone();
        }
    }

    /// A new object with the size and contents that an object has in another memory of the same program.
    pub fn allocate_like<T: Shadow>(&mut self, from: &Memory<T>, id: AllocId) -> Res<Pointer> {
        let Some(slot) = from.allocs.get(id.index as usize) else {
            return Err(Fault::bug("a variable that the program does not have"));
        };
        let align = 1 << slot.base.trailing_zeros().min(12);
        let copy = self.allocate(slot.size, align, slot.kind, None)?;
        self.allocs[AllocId::from_bits(copy.prov).index as usize].data = slot.data.clone();
        Ok(copy)
    }

    /// Are all `len` bytes at `pointer` inside a live object and defined?
    pub fn is_defined(&self, pointer: Pointer, len: u64) -> bool {
        let Some(info) = self.info(pointer) else { return false };
        let Some(data) = self.data(info.id) else { return false };
        let from = pointer.addr.wrapping_sub(info.base);
        let Some(end) = from.checked_add(len).filter(|end| *end <= info.size) else { return false };
        data.cells(from as usize).take((end - from) as usize).all(|(_, s)| state::is_defined(s))
    }
}
