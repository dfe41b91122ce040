//! Memory: byte-addressed allocations with provenance, lifetimes and limits.
//!
//! An address space of concrete 64-bit addresses holds separate *allocations*: functions, globals, stack objects, heap
//! blocks. A pointer names the allocation it may access (its provenance); a pointer without one (after `inttoptr`) may
//! access whatever lives at its address. Heap addresses are never used twice and at least 16 bytes lie between two
//! objects, so that an address belongs to at most one object and a dangling pointer meets no other. Stack addresses are
//! reused, as on a machine; there the generation in the provenance tells objects apart.
//!
//! Cloning a memory is cheap: contents are shared until one side writes.

pub(crate) mod access;
mod bulk;
mod cells;
mod contents;
pub(crate) mod data;
pub(crate) mod inspect;
mod leak;
mod quick;
pub(crate) mod shadow;
pub(crate) mod spaces;
pub(crate) mod stacks;
mod touched;
mod watch;

pub use access::Access;
pub use contents::Contents;
pub use data::{Data, state};
pub use inspect::AllocInfo;
pub use shadow::Shadow;
pub use spaces::Space;
pub use stacks::MOST_THREADS;

use crate::outcome::{Fault, Location, Res, UbKind};
use crate::races::Races;
use crate::value::Pointer;
use cells::Cells;
use ir::{FuncId, GlobalId};
use stacks::Stacks;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use touched::Touched;

/// Names an allocation, for ever: a slot of the table and how often it had been used before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AllocId {
    /// Slot.
    pub index: u32,
    /// Earlier tenants of the slot.
    pub generation: u32,
}

impl AllocId {
    /// As kept in [`Pointer::prov`]. Never 0.
    #[inline]
    pub const fn bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    /// From [`Pointer::prov`].
    #[inline]
    pub const fn from_bits(bits: u64) -> AllocId {
        AllocId { index: bits as u32, generation: (bits >> 32) as u32 }
    }
}

/// Which function of the allocator pairs with which.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum HeapKind {
    /// `malloc`, `calloc`, `realloc`, `aligned_alloc`: freed by `free`.
    Malloc,
    /// `operator new`
    New,
    /// `operator new[]`
    NewArray,
    /// `cudaMalloc`, `cudaMallocManaged`: freed by `cudaFree`.
    Device,
}

/// What an allocation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AllocKind {
    /// A global variable.
    Global(GlobalId),
    /// The address of a function.
    Function(FuncId),
    /// A stack object.
    Stack,
    /// A heap block.
    Heap(HeapKind),
    /// Memory that the threads of a block share, by the block's number.
    Shared(u32),
    /// Something the run-time library owns (`argv`, `stdout`, `errno`): never freed, no leak.
    Runtime,
}

/// Where an allocation stands in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// It may be accessed.
    Live,
    /// A stack object outside of its `llvm.lifetime` or whose function has returned.
    OutOfScope,
    /// A heap block that has been freed.
    Freed,
}

/// An allocation.
#[derive(Clone, Debug)]
struct Allocation {
    base: u64,
    /// Bytes that may be accessed: the size while it lives, otherwise 0.
    extent: u64,
    generation: u32,
    writable: bool,
    life: Life,
    kind: AllocKind,
    size: u64,
    data: Contents,
    made: Option<Location>,
    ended: Option<Location>,
}

// The lower half of an address of data, taken for a float, is a number that shows in a sum: a gradient that adds to
// what is left of a pointer is wrong here, as it is natively.
const FUNCTIONS: u64 = 0x0010_0000;
const GLOBALS: u64 = 0x4000_0000;
const HEAP: u64 = 0x1000_4100_0000;
const STACK: u64 = 0x7000_4200_0000;
/// Addresses below are never valid.
pub const NULL_PAGE: u64 = 4096;
/// Space kept between two objects.
const GAP: u64 = 16;
/// Dead objects remembered before their slots are used again.
const REMEMBERED: usize = 4096;
/// Dead stack objects remembered.
const REMEMBERED_STACK: usize = 256;

/// The memory of a program, with a shadow of type `S` beside floating-point cells.
#[derive(Clone, Debug)]
pub struct Memory<S = ()> {
    allocs: Vec<Allocation>,
    /// Base address to slot, of everything but stack objects.
    by_base: BTreeMap<u64, u32>,
    /// Slots of the live stack objects, in ascending order of their addresses.
    stack: Vec<u32>,
    stack_top: u64,
    heap_top: u64,
    global_top: u64,
    dead_stack: VecDeque<u32>,
    dead_heap: VecDeque<u32>,
    used: u64,
    /// The most that `used` has been.
    peak: u64,
    limit: u64,
    shadows: Vec<Option<Rc<Cells<S>>>>,
    /// Stacks of threads that are not running.
    parked: Stacks,
    /// The race detector, once there are threads.
    races: Option<Box<RefCell<Races>>>,
    /// What a library function touches, where that is asked.
    touched: Option<Box<RefCell<Touched<S>>>>,
    /// Whose memory is whose, once there is a device.
    spaces: Option<Box<spaces::Spaces>>,
}

impl<S: Shadow> Default for Memory<S> {
    fn default() -> Self {
        Memory::new(u64::MAX)
    }
}

impl<S: Shadow> Memory<S> {
    /// An empty memory that may hold `limit` bytes.
    pub fn new(limit: u64) -> Memory<S> {
        // Slot 0 is nobody's, so that a provenance is never 0.
        let nobody = Allocation {
            base: 0,
            extent: 0,
            generation: u32::MAX,
            writable: false,
            life: Life::Freed,
            kind: AllocKind::Runtime,
            size: 0,
            data: Contents::default(),
            made: None,
            ended: None,
        };
        Memory {
            allocs: vec![nobody],
            by_base: BTreeMap::new(),
            stack: Vec::new(),
            stack_top: STACK,
            heap_top: HEAP,
            global_top: GLOBALS,
            dead_stack: VecDeque::new(),
            dead_heap: VecDeque::new(),
            used: 0,
            peak: 0,
            limit,
            shadows: Vec::new(),
            parked: Stacks::default(),
            races: None,
            touched: None,
            spaces: None,
        }
    }

    /// The same memory (sharing contents) with shadows of another type, all absent.
    pub fn without_shadows<T: Shadow>(&self) -> Memory<T> {
        Memory {
            allocs: self.allocs.clone(),
            by_base: self.by_base.clone(),
            stack: self.stack.clone(),
            stack_top: self.stack_top,
            heap_top: self.heap_top,
            global_top: self.global_top,
            dead_stack: self.dead_stack.clone(),
            dead_heap: self.dead_heap.clone(),
            used: self.used,
            peak: self.peak,
            limit: self.limit,
            shadows: Vec::new(),
            parked: self.parked.clone(),
            races: self.races.clone(),
            touched: None,
            spaces: self.spaces.clone(),
        }
    }

    /// Bytes in live allocations.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The most bytes that have been live at a time since the last [`Memory::forget_peak`].
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Measures the peak from now on.
    pub fn forget_peak(&mut self) {
        self.peak = self.used;
    }

    /// Changes the number of bytes that may be live.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// A new object of `size` uninitialised bytes. `align` is a power of two.
    pub fn allocate(&mut self, size: u64, align: u64, kind: AllocKind, at: Option<Location>) -> Res<Pointer> {
        if size > self.limit.saturating_sub(self.used) {
            return Err(Fault::resource(format!(
                "the program needs {} bytes of memory; the limit is {}",
                self.used.saturating_add(size),
                self.limit
            )));
        }
        let align = align.max(16);
        if !align.is_power_of_two() || align > 1 << 40 {
            return Err(Fault::unsupported(format!("alignment {align}")));
        }
        let top = match kind {
            AllocKind::Function(_) | AllocKind::Global(_) | AllocKind::Runtime => &mut self.global_top,
            AllocKind::Stack => &mut self.stack_top,
            AllocKind::Heap(_) | AllocKind::Shared(_) => &mut self.heap_top,
        };
        let base = (*top + (align - 1)) & !(align - 1);
        // The next base is a multiple of 16 at least, so a gap of one byte more than nothing becomes 16.
        *top = (base + size + GAP + 15) & !15;
        self.used += size;
        self.peak = self.peak.max(self.used);
        let index = self.take_slot(kind, size)?;
        let slot = &mut self.allocs[index as usize];
        slot.base = base;
        slot.extent = size;
        slot.writable = !matches!(kind, AllocKind::Function(_));
        slot.life = Life::Live;
        slot.kind = kind;
        slot.size = size;
        slot.made = at;
        slot.ended = None;
        let generation = slot.generation;
        if self.races.is_some() {
            self.watch_birth(index, kind);
        }
        match kind {
            AllocKind::Stack => self.stack.push(index),
            _ => {
                self.by_base.insert(base, index);
            }
        }
        let pointer = Pointer { addr: base, prov: AllocId { index, generation }.bits() };
        if let Some(spaces) = &mut self.spaces
            && matches!(kind, AllocKind::Heap(_))
        {
            spaces.allocated(self.parked.running(), pointer);
        }
        Ok(pointer)
    }

    /// The address of a function: an object of no bytes at an address fixed by its number.
    pub fn allocate_function(&mut self, func: FuncId) -> Res<Pointer> {
        let saved = std::mem::replace(&mut self.global_top, FUNCTIONS + 32 * u64::from(func.as_u32()));
        let pointer = self.allocate(0, 16, AllocKind::Function(func), None);
        self.global_top = saved;
        pointer
    }

    fn take_slot(&mut self, kind: AllocKind, size: u64) -> Res<u32> {
        let (queue, keep) = match kind {
            AllocKind::Stack => (&mut self.dead_stack, REMEMBERED_STACK),
            _ => (&mut self.dead_heap, REMEMBERED),
        };
        let bytes = usize::try_from(size).map_err(|_| Fault::resource("an object larger than the address space"))?;
        if queue.len() > keep
            && let Some(index) = queue.pop_front()
        {
            let slot = &mut self.allocs[index as usize];
            slot.generation = slot.generation.wrapping_add(1);
            slot.data.reset(bytes);
            if let Some(shadow) = self.shadows.get_mut(index as usize) {
                *shadow = None;
            }
            return Ok(index);
        }
        let index = u32::try_from(self.allocs.len()).map_err(|_| Fault::resource("more than 2^32 objects"))?;
        self.allocs.push(Allocation {
            base: 0,
            extent: 0,
            generation: 0,
            writable: true,
            life: Life::Live,
            kind,
            size,
            data: Contents::new(bytes),
            made: None,
            ended: None,
        });
        Ok(index)
    }

    /// Forbids writes to the object that starts at `pointer`.
    pub fn freeze_object(&mut self, pointer: Pointer) {
        if let Some(slot) = self.allocs.get_mut(AllocId::from_bits(pointer.prov).index as usize) {
            slot.writable = false;
        }
    }

    /// Frees a heap block; `null` is allowed. `by` says which function's partner this is.
    pub fn free(&mut self, pointer: Pointer, by: HeapKind, at: Option<Location>) -> Res {
        if pointer.is_null() {
            return Ok(());
        }
        let index = match self.slot_of(pointer) {
            Some(index) => index,
            None => {
                let text = format!("{:#x} is not the address of a heap block", pointer.addr);
                return Err(Fault::ub(UbKind::InvalidFree, text));
            }
        };
        let slot = &mut self.allocs[index as usize];
        let AllocKind::Heap(made_by) = slot.kind else {
            let text = format!("the freed pointer points to {}", inspect::describe(slot.kind));
            return Err(Fault::ub(UbKind::InvalidFree, text).note("it was created here", slot.made));
        };
        if slot.life == Life::Freed {
            let fault = Fault::ub(UbKind::DoubleFree, format!("a block of {} bytes is freed a second time", slot.size));
            return Err(fault.note("it was allocated here", slot.made).note("it was freed here", slot.ended));
        }
        if slot.base != pointer.addr {
            let by = pointer.addr.wrapping_sub(slot.base);
            let text =
                format!("the freed pointer points {by} bytes into a block of {} bytes, not to its start", slot.size);
            return Err(Fault::ub(UbKind::InvalidFree, text).note("it was allocated here", slot.made));
        }
        if made_by != by {
            let name = |k| match k {
                HeapKind::Malloc => "malloc/free",
                HeapKind::New => "operator new/delete",
                HeapKind::NewArray => "operator new[]/delete[]",
                HeapKind::Device => "the device's allocator",
            };
            let text = format!("a block from {} is given back through {}", name(made_by), name(by));
            return Err(Fault::ub(UbKind::MismatchedFree, text).note("it was allocated here", slot.made));
        }
        if self.races.is_some() {
            self.watch_end(index)?;
        }
        let slot = &mut self.allocs[index as usize];
        slot.life = Life::Freed;
        slot.extent = 0;
        slot.ended = at;
        slot.data = Contents::default();
        self.used -= slot.size;
        self.by_base.remove(&pointer.addr);
        self.dead_heap.push_back(index);
        if let Some(shadow) = self.shadows.get_mut(index as usize) {
            *shadow = None;
        }
        Ok(())
    }

    /// A mark of the stack, for [`Memory::stack_release`].
    #[inline]
    pub fn stack_mark(&self) -> usize {
        self.stack.len()
    }

    /// Ends the life of all stack objects created since `mark`.
    pub fn stack_release(&mut self, mark: usize, at: Option<Location>) {
        while self.stack.len() > mark
            && let Some(index) = self.stack.pop()
        {
            if self.races.is_some() {
                self.watch_scope(index);
            }
            let slot = &mut self.allocs[index as usize];
            slot.life = Life::OutOfScope;
            slot.extent = 0;
            slot.ended = at;
            self.used -= slot.size;
            self.stack_top = slot.base;
            self.dead_stack.push_back(index);
            if slot.size > 4096 {
                slot.data = Contents::default();
            }
        }
    }

    /// `llvm.lifetime.start` (`alive`) and `llvm.lifetime.end`: a stack object begins or ends; its contents are gone
    /// either way.
    pub fn set_lifetime(&mut self, pointer: Pointer, alive: bool, at: Option<Location>) -> Res {
        let Some(index) = self.slot_of(pointer) else { return Ok(()) };
        let slot = &mut self.allocs[index as usize];
        if slot.kind != AllocKind::Stack || slot.base != pointer.addr {
            return Ok(());
        }
        if self.races.is_some() {
            if !alive {
                self.watch_end(index)?;
            } else {
                self.watch_birth(index, AllocKind::Stack);
            }
        }
        let slot = &mut self.allocs[index as usize];
        let bytes = slot.size as usize;
        slot.data.reset(bytes);
        slot.life = if alive { Life::Live } else { Life::OutOfScope };
        slot.extent = if alive { slot.size } else { 0 };
        slot.ended = if alive { None } else { at };
        if let Some(shadow) = self.shadows.get_mut(index as usize) {
            *shadow = None;
        }
        Ok(())
    }

    /// The slot a pointer refers to, alive or remembered dead; by address when it has no provenance.
    #[inline]
    fn slot_of(&self, pointer: Pointer) -> Option<u32> {
        if pointer.prov == 0 {
            return self.find(pointer.addr);
        }
        let id = AllocId::from_bits(pointer.prov);
        let slot = self.allocs.get(id.index as usize)?;
        (slot.generation == id.generation).then_some(id.index)
    }

    /// The live object that contains the address (or ends there).
    #[cold]
    fn find(&self, addr: u64) -> Option<u32> {
        let index = if addr >= STACK {
            let stack = self.stack_around(addr)?;
            let after = stack.partition_point(|i| self.allocs[*i as usize].base <= addr);
            *stack.get(after.checked_sub(1)?)?
        } else {
            *self.by_base.range(..=addr).next_back()?.1
        };
        let slot = &self.allocs[index as usize];
        (addr - slot.base <= slot.size).then_some(index)
    }

    /// Size and base of the object a pointer refers to (its former size if it is dead but remembered).
    #[inline]
    pub fn bounds(&self, pointer: Pointer) -> Option<(u64, u64)> {
        let slot = &self.allocs[self.slot_of(pointer)? as usize];
        Some((slot.base, slot.size))
    }

    /// The function at an address.
    pub fn function_at(&self, pointer: Pointer) -> Option<FuncId> {
        let slot = &self.allocs[self.slot_of(pointer)? as usize];
        match slot.kind {
            AllocKind::Function(func) if slot.base == pointer.addr => Some(func),
            _ => None,
        }
    }
}
