//! Frames of interpreted call stacks, and what library calls that wait in them have done.

use crate::value::{Leaf, Scalar};
use ir::FuncId;

/// The shadow of some bits of a register: first bit, number of bits, shadow.
pub type Part<S> = (u8, u8, S);

/// A scalar with what rides along.
#[derive(Clone, Debug)]
pub(crate) struct Piece<S> {
    pub value: Scalar,
    /// The shadow of the whole.
    pub shadow: S,
    /// Those of parts of its bits.
    pub parts: Vec<Part<S>>,
    pub leaf: Leaf,
}

/// A variadic argument that the ABI passes at one place.
#[derive(Clone, Debug)]
pub(crate) struct Variadic<S> {
    /// The scalar, or the lanes of a vector.
    pub pieces: Vec<Piece<S>>,
    /// A pointer to a structure passed by value, which stands for it.
    pub by_value: bool,
}

/// A frame below the running one, or the running one's fixed data.
#[derive(Debug)]
pub(crate) struct Frame<S> {
    /// The function.
    pub func: FuncId,
    /// Next op (saved while the frame is not running).
    pub pc: usize,
    /// First register.
    pub base: usize,
    /// Stack objects below this mark belong to callers.
    pub stack_mark: usize,
    /// Variadic arguments.
    pub varargs: Vec<Variadic<S>>,
    /// The library called it: its call is executed again when it returns.
    pub again: bool,
    /// Its call context for the race detector, once asked for.
    pub context: u32,
    /// What the library call that it waits in has already done.
    pub progress: Option<Progress>,
}

/// What a library call that has to wait has already done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// A wait for a condition has given the mutex back.
    Condition {
        /// Has it been signalled?
        signalled: bool,
    },
    /// Arrived at a barrier, in that round.
    Barrier(u64),
    /// Waits for a word of memory to change.
    Futex,
    /// The same, for a time.
    FutexUntil(u64),
    /// Runs the function of a `once`.
    Once,
    /// Sleeps until that time.
    Sleep(u64),
    /// Runs its part of a parallel region: the number of the team.
    Region(usize),
    /// At a barrier of OpenMP, in that round, the so-manieth in one call.
    Meeting {
        /// Which of the call's barriers.
        phase: u8,
        /// The round.
        round: u64,
    },
    /// So many barriers of the call are behind it.
    Met(u8),
    /// Executes a task that nothing defers.
    Undeferred,
    /// Has begun an operation on a message: the number of the request.
    Message(usize),
    /// Takes part in the collective operation of that number.
    Collective(u64),
    /// Waits for the end of the grid of that number.
    Grid(usize),
    /// Has met other threads of its block, with that result.
    Passed(Scalar),
}
