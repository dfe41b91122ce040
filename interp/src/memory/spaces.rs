//! Whose memory is whose, between a host and the threads of grids (CUDA C++ Programming Guide, "Memory Hierarchy"; the
//! numbers of address spaces are those of LLVM's NVPTX and AMDGPU back ends).
//!
//! A host may not access the memory of the device, nor a grid that of the host; shared memory belongs to a block, local
//! memory to a thread, and constant memory is written by the host alone. Nothing of this is asked before a program has
//! used a device.

use super::{AllocId, AllocKind, HeapKind, Memory, STACK, inspect, stacks};
use crate::memory::contents::Contents;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res, UbKind};
use crate::value::Pointer;
use ir::hash::HashSet;

/// An address space.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Space {
    /// 1, memory of the device.
    Global,
    /// 3, memory of a block.
    Shared,
    /// 4, memory of the device that only the host writes.
    Constant,
    /// 5, memory of a thread.
    Local,
    /// No part of the device: the host's.
    Host,
    /// For both.
    #[default]
    Everybody,
}

impl Space {
    /// The space of a number; 0, the generic one, is none.
    pub fn of(number: u32) -> Option<Space> {
        Some(match number {
            1 => Space::Global,
            3 => Space::Shared,
            4 => Space::Constant,
            5 => Space::Local,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Space::Global => "global memory of the device",
            Space::Shared => "memory of a block",
            Space::Constant => "constant memory of the device",
            Space::Local => "local memory of a thread of the device",
            Space::Host => "memory of the host",
            Space::Everybody => "memory of host and device",
        }
    }
}

/// Who owns what.
#[derive(Clone, Debug, Default)]
pub struct Spaces {
    /// By slot, of the first objects: the spaces of global variables.
    globals: Vec<Space>,
    /// By thread: the block that it belongs to, if it belongs to a grid.
    blocks: Vec<Option<u32>>,
    /// Blocks of memory that kernels have allocated, or that the host has allocated for both.
    device: HashSet<u64>,
    both: HashSet<u64>,
    /// The library copies between host and device.
    pub copying: bool,
}

impl<S: Shadow> Memory<S> {
    /// Tells owners apart from now on. `globals` gives the space of a global variable by its slot.
    pub fn start_spaces(&mut self, globals: impl Fn(AllocKind) -> Space) {
        if self.spaces.is_none() {
            let globals = self.allocs.iter().map(|slot| globals(slot.kind)).collect();
            self.spaces = Some(Box::new(Spaces { globals, ..Spaces::default() }));
        }
    }

    /// Who owns what, if anybody asks.
    pub fn spaces(&mut self) -> Option<&mut Spaces> {
        self.spaces.as_deref_mut()
    }

    /// Does something that may access memory of both.
    pub fn copying<T>(&mut self, what: impl FnOnce(&mut Self) -> T) -> T {
        self.belongs_to_nobody(true);
        let result = what(self);
        self.belongs_to_nobody(false);
        result
    }

    /// May whoever looks access memory of both: is no program executed on it?
    pub(crate) fn belongs_to_nobody(&mut self, may: bool) {
        if let Some(spaces) = self.spaces() {
            spaces.copying = may;
        }
    }

    /// The space that an object lies in.
    pub fn space_of(&self, pointer: Pointer) -> Option<Space> {
        let index = self.slot_of(pointer)?;
        Some(self.space_at(index as usize))
    }

    fn space_at(&self, index: usize) -> Space {
        let slot = &self.allocs[index];
        let Some(spaces) = &self.spaces else { return Space::Host };
        let name = AllocId { index: index as u32, generation: slot.generation }.bits();
        match slot.kind {
            AllocKind::Heap(HeapKind::Device) if spaces.both.contains(&name) => Space::Everybody,
            AllocKind::Heap(HeapKind::Device) => Space::Global,
            AllocKind::Heap(_) if spaces.device.contains(&name) => Space::Global,
            AllocKind::Heap(_) => Space::Host,
            AllocKind::Shared(_) => Space::Shared,
            AllocKind::Stack => match spaces.block_of(stacks::owner(slot.base)) {
                Some(_) => Space::Local,
                None => Space::Host,
            },
            AllocKind::Global(_) => spaces.globals.get(index).copied().unwrap_or(Space::Everybody),
            AllocKind::Function(_) | AllocKind::Runtime => Space::Everybody,
        }
    }

    /// May the running thread make this access?
    #[cold]
    pub(super) fn check_space(&self, index: usize, write: bool) -> Res {
        let Some(spaces) = &self.spaces else { return Ok(()) };
        if spaces.copying {
            return Ok(());
        }
        let slot = &self.allocs[index];
        let space = self.space_at(index);
        let me = self.parked.running();
        let block = spaces.block_of(me);
        let refused = match (space, block) {
            (Space::Everybody, _) | (Space::Host, None) | (Space::Global, Some(_)) => false,
            (Space::Constant, Some(_)) => write,
            (Space::Shared, Some(mine)) => slot.kind != AllocKind::Shared(mine),
            (Space::Local, Some(_)) => slot.base < STACK || stacks::owner(slot.base) != me,
            (Space::Host, Some(_)) | (_, None) => true,
        };
        if !refused {
            return Ok(());
        }
        let who = if block.is_some() { "a kernel" } else { "the host" };
        let verb = if write { "writes to" } else { "reads" };
        let whose = match space {
            Space::Shared if block.is_some() => "memory of another block",
            Space::Local if block.is_some() => "local memory of another thread",
            other => other.name(),
        };
        let text = format!("{who} {verb} {} that is {whose}", inspect::describe(slot.kind));
        Err(Fault::ub(UbKind::AddressSpace, text).note("the object was created here", slot.made))
    }

    /// Does the object lie in that space? Null lies in every one.
    pub fn is_in(&self, pointer: Pointer, wanted: Space) -> bool {
        if pointer.is_null() || self.spaces.is_none() {
            return true;
        }
        match self.space_of(pointer) {
            Some(Space::Everybody) | None => true,
            Some(found) => found == wanted || (found == Space::Constant && wanted == Space::Global),
        }
    }

    /// The end of a block's shared memory.
    pub fn retire(&mut self, pointer: Pointer) {
        let Some(index) = self.slot_of(pointer) else { return };
        let slot = &mut self.allocs[index as usize];
        slot.life = super::Life::Freed;
        slot.extent = 0;
        slot.data = Contents::default();
        self.used -= slot.size;
        self.by_base.remove(&pointer.addr);
        self.dead_heap.push_back(index);
        if let Some(shadow) = self.shadows.get_mut(index as usize) {
            *shadow = None;
        }
    }
}

impl Spaces {
    fn block_of(&self, thread: usize) -> Option<u32> {
        self.blocks.get(thread).copied().flatten()
    }

    /// A thread belongs to that block from now on, or to the host.
    pub fn belongs(&mut self, thread: usize, block: Option<u32>) {
        if self.blocks.len() <= thread {
            self.blocks.resize(thread + 1, None);
        }
        self.blocks[thread] = block;
    }

    /// That memory is for both.
    pub fn for_both(&mut self, pointer: Pointer) {
        self.both.insert(pointer.prov);
    }

    /// That memory was allocated; if by a kernel, it is the device's.
    pub(super) fn allocated(&mut self, thread: usize, pointer: Pointer) {
        if self.block_of(thread).is_some() {
            self.device.insert(pointer.prov);
        }
    }
}
