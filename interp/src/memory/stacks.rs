//! Stacks of several threads: each has a part of the stack's address range of its own.
//!
//! The running thread's stack is where a single thread's always is, so that stack objects cost the same; the others are
//! parked here.

use super::{Memory, STACK};
use crate::memory::shadow::Shadow;

/// Addresses that each thread has for its stack.
const SPAN: u64 = 1 << 34;
/// Threads that an execution can have: the address range is that large.
pub const MOST_THREADS: usize = 8192;

/// A stack that is not in use: slots of its live objects and the next address.
#[derive(Clone, Debug)]
struct Parked {
    live: Vec<u32>,
    top: u64,
}

/// The stacks by number: that of the main thread, and from some number on those of the others.
#[derive(Clone, Debug)]
pub struct Stacks {
    running: usize,
    parked: Vec<Parked>,
    main: usize,
    others: usize,
}

impl Default for Stacks {
    fn default() -> Self {
        Stacks { running: 0, parked: Vec::new(), main: 0, others: 1 }
    }
}

/// The thread whose stack an address belongs to.
pub(super) fn owner(addr: u64) -> usize {
    (addr.saturating_sub(STACK) / SPAN) as usize
}

impl Stacks {
    /// The thread that runs is the main thread of another execution, whose threads have stacks that nobody has had.
    pub(super) fn begin_nested(&mut self) {
        (self.main, self.others) = (self.running, self.parked.len().max(self.running + 1));
    }

    /// The program goes on with this memory in the place of that.
    pub(super) fn end_nested(&mut self, before: &Stacks) {
        (self.main, self.others) = (before.main, before.others);
    }

    /// The thread that runs, by the number of its stack.
    pub(super) fn running(&self) -> usize {
        self.running
    }
}

impl<S: Shadow> Memory<S> {
    /// Another thread's stack becomes the running one.
    pub fn switch_stack(&mut self, thread: usize) {
        let to = if thread == 0 { self.parked.main } else { self.parked.others + thread - 1 };
        let most = to.max(self.parked.running);
        for thread in self.parked.parked.len()..=most {
            self.parked.parked.push(Parked { live: Vec::new(), top: STACK + SPAN * thread as u64 });
        }
        let from = self.parked.running;
        let old = Parked { live: std::mem::take(&mut self.stack), top: self.stack_top };
        self.parked.parked[from] = old;
        let new = &mut self.parked.parked[to];
        (self.stack, self.stack_top) = (std::mem::take(&mut new.live), new.top);
        self.parked.running = to;
    }

    /// The live objects of the stack that an address belongs to.
    pub(super) fn stack_around(&self, addr: u64) -> Option<&[u32]> {
        let thread = owner(addr);
        if thread == self.parked.running { Some(&self.stack) } else { Some(&self.parked.parked.get(thread)?.live) }
    }
}
