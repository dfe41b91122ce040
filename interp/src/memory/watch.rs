//! What the race detector hears of memory: every access, and the beginning and end of objects.
//!
//! Nothing of this is called while there is one thread.

use super::{AllocKind, Life, Memory, inspect};
use crate::memory::access::Access;
use crate::memory::shadow::Shadow;
use crate::outcome::Res;
use crate::races::report::Raced;
use crate::races::tentative::{Bytes, Late, Load};
use crate::races::{Key, Mode, Races};
use crate::value::Pointer;
use std::cell::RefCell;

impl<S: Shadow> Memory<S> {
    /// Starts the race detector. Objects of the library (those it made, and globals without an initial value) are left
    /// out.
    pub fn start_watching(&mut self, mut races: Races, library: &[Pointer]) {
        for pointer in library {
            let id = super::AllocId::from_bits(pointer.prov);
            races.exempt(id.index as usize, id.generation);
        }
        for (index, slot) in self.allocs.iter().enumerate() {
            if slot.kind == AllocKind::Runtime {
                races.exempt(index, slot.generation);
            }
        }
        self.races = Some(Box::new(RefCell::new(races)));
    }

    /// The race detector learns that an object is what this thread has of a variable of which each thread has its own.
    pub fn watch_of_thread(&mut self, variable: Pointer, thread: usize) {
        let id = super::AllocId::from_bits(variable.prov);
        if let Some(races) = self.races() {
            races.of_thread(id.index as usize, id.generation, thread);
        }
    }

    /// Stops it.
    pub fn stop_watching(&mut self) {
        self.races = None;
    }

    /// The same memory for another execution, as whose main thread the running one goes on: nobody looks for races with
    /// what the program has done.
    pub fn unwatched(&self) -> Self {
        let mut memory = self.clone();
        memory.stop_watching();
        memory.parked.begin_nested();
        memory.belongs_to_nobody(true);
        memory
    }

    /// Goes on with the race detector, and the threads, of a memory in whose place this one is put.
    pub fn goes_on_watching(&mut self, before: &mut Self) {
        self.races = before.races.take();
        self.belongs_to_nobody(false);
        self.parked.end_nested(&before.parked);
    }

    /// The race detector, if it is on.
    pub fn races(&mut self) -> Option<&mut Races> {
        self.races.as_mut().map(|races| races.get_mut())
    }

    /// Does something while accesses are taken in another way.
    pub fn accessed_as<T>(&mut self, mode: Mode, what: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.races().map(|races| std::mem::replace(&mut races.mode, mode));
        let result = what(self);
        if let (Some(races), Some(before)) = (self.races(), before) {
            races.mode = before;
        }
        result
    }

    /// The name of the synchronisation object at an address.
    pub fn key(&self, pointer: Pointer) -> Key {
        match self.slot_of(pointer) {
            Some(index) => {
                (super::AllocId { index, generation: self.allocs[index as usize].generation }.bits(), pointer.addr)
            }
            None => (0, pointer.addr),
        }
    }

    #[cold]
    pub(super) fn watch(&self, (index, offset): (usize, usize), size: u64, access: Access) -> Res {
        let Some(races) = &self.races else { return Ok(()) };
        let slot = &self.allocs[index];
        let write = access == Access::Write;
        if self.spaces.is_some() {
            self.check_space(index, write)?;
        }
        let mut races = races.borrow_mut();
        match races.access(index, slot.generation, (offset as u64, size), write) {
            None => Ok(()),
            Some(conflict) => {
                let what = inspect::describe(slot.kind);
                let raced = Raced { what, offset: offset as u64, size, made: slot.made, ends: false };
                Err(races.fault(&conflict, write, raced))
            }
        }
    }

    /// Notes a load that may not have happened; false if it is to be taken as any other.
    pub fn load_tentatively(&mut self, load: Load, pointer: Pointer, size: u64) -> bool {
        let (Some(index), true) = (self.slot_of(pointer), self.races.is_some()) else { return false };
        let slot = &self.allocs[index as usize];
        let offset = pointer.addr.wrapping_sub(slot.base);
        let bytes = Bytes { index: index as usize, generation: slot.generation, offset, size };
        // One that is out of bounds or too late is refused as any other.
        offset.checked_add(size).is_some_and(|end| end <= slot.size)
            && slot.life == Life::Live
            && self.races().is_some_and(|races| races.load_tentatively(load, bytes))
    }

    /// A load that may not have happened has.
    pub fn use_tentative(&mut self, load: Load) -> Res {
        let Some(late) = self.races().and_then(|races| races.use_tentative(load)) else { return Ok(()) };
        let Late { conflict, bytes, loaded } = late;
        let slot = &self.allocs[bytes.index];
        let what = inspect::describe(slot.kind);
        let raced = Raced { what, offset: bytes.offset, size: bytes.size, made: slot.made, ends: false };
        match &self.races {
            Some(races) => {
                let mut fault = races.borrow().fault(&conflict, false, raced);
                fault.at = loaded;
                Err(fault)
            }
            None => Ok(()),
        }
    }

    pub(super) fn watch_string(&self, at: (usize, usize), size: u64) -> Res {
        if self.touched.is_some() {
            self.touch(at, size, Access::Read);
        }
        if self.races.is_some() { self.watch(at, size, Access::Read) } else { Ok(()) }
    }

    #[cold]
    pub(super) fn watch_birth(&mut self, index: u32, kind: AllocKind) {
        let generation = self.allocs[index as usize].generation;
        let Some(races) = &mut self.races else { return };
        let races = races.get_mut();
        races.born(index as usize, generation);
        if kind == AllocKind::Runtime {
            races.exempt(index as usize, generation);
        }
    }

    /// The end of an object by `free` or a lifetime marker.
    #[cold]
    pub(super) fn watch_end(&mut self, index: u32) -> Res {
        let Some(races) = &mut self.races else { return Ok(()) };
        let slot = &self.allocs[index as usize];
        let races = races.get_mut();
        match races.end(index as usize, slot.generation, slot.size) {
            None => Ok(()),
            Some(conflict) => {
                let raced = Raced {
                    what: inspect::describe(slot.kind),
                    offset: 0,
                    size: slot.size,
                    made: slot.made,
                    ends: true,
                };
                Err(races.fault(&conflict, true, raced))
            }
        }
    }

    /// The end of a stack object with its function; a race is kept for [`Races::late`].
    #[cold]
    pub(super) fn watch_scope(&mut self, index: u32) {
        if let Err(fault) = self.watch_end(index)
            && let Some(races) = self.races()
        {
            races.late.get_or_insert(fault);
        }
    }
}
