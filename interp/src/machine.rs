//! Machines: what rides along with an execution.
//!
//! The engine knows concrete execution only. A [`Machine`] adds shadows to floating-point values, observes memory and
//! comparisons, and takes calls over. Every hook has a default that does nothing; since the engine is generic over the
//! machine and asks the associated constants, a hook that is not used is not compiled in.

use crate::forgets::Forgets;
use crate::limits::Limits;
use crate::memory::Memory;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Location, Res};
use crate::output::Output;
use crate::program::Program;
use crate::value::{Leaf, Pointer, Scalar, Value};
use ir::{FloatKind, FloatPred, FuncId};
use std::any::Any;

/// What a floating-point operation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOp {
    /// An operation of the table, however the program spells it.
    Rule(rules::Op),
    /// Conversion between floating-point formats (`fpext`, `fptrunc`).
    Convert,
    /// Conversion from an integer (`sitofp`, `uitofp`); the integer is in [`FloatEvent::ints`].
    FromInt,
}

/// An operand of a floating-point operation.
#[derive(Debug)]
pub struct FloatArg<'a, S> {
    /// Its format.
    pub kind: FloatKind,
    /// Its bits.
    pub bits: u128,
    /// Its shadow.
    pub shadow: &'a S,
}

/// A floating-point operation that has just been executed.
#[derive(Debug)]
pub struct FloatEvent<'a, S> {
    /// Which.
    pub op: FloatOp,
    /// Which of its results, as counted by the table.
    pub output: usize,
    /// Format of the result.
    pub kind: FloatKind,
    /// Floating-point operands in order.
    pub args: &'a [FloatArg<'a, S>],
    /// Integer operands in order.
    pub ints: &'a [i128],
    /// Bits of the concrete result.
    pub result: u128,
    /// The instruction.
    pub at: Location,
}

/// A floating-point comparison that has just been executed.
#[derive(Debug)]
pub struct CompareEvent<'a, S> {
    /// The predicate.
    pub pred: FloatPred,
    /// Left operand.
    pub a: FloatArg<'a, S>,
    /// Right operand.
    pub b: FloatArg<'a, S>,
    /// The concrete answer.
    pub concrete: bool,
    /// The instruction.
    pub at: Location,
}

/// Why a shadow ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// Converted to an integer; the concrete result follows.
    ToInt(u128),
    /// An integer operation took the bits.
    Bits,
    /// Printed, or given to a library function that the table does not know.
    Library,
    /// The result of a function that is declared inactive.
    Inactive,
}

/// A memory access of one leaf.
#[derive(Clone, Copy, Debug)]
pub struct MemAccess {
    /// The address with its provenance; [`Memory::info`] tells the object.
    pub pointer: Pointer,
    /// The kind of the leaf.
    pub leaf: Leaf,
    /// The instruction.
    pub at: Location,
}

/// What an intercepted call may use. A nested execution starts with
/// [`Interp::with_memory`](crate::shims::Interp::with_memory) on a clone of `memory` (or on `memory` itself, taken out
/// and put back).
pub struct CallContext<'a, S: Shadow> {
    /// The program.
    pub program: &'a Program,
    /// The live memory.
    pub memory: &'a mut Memory<S>,
    /// The interpreted call stack, outermost first; the last is the call itself.
    pub stack: Vec<Location>,
    /// Are there other threads, or have there been? What a nested execution does, none of them sees halfway, and nobody
    /// looks for races in it.
    pub parallel: bool,
    /// Does the running thread, which waited in this call, execute it once more?
    pub again: bool,
    /// What the running thread has in the place of variables of which each thread has its own, if it is not the main
    /// thread: the variable, the thread's own, the size. (The only thread of a nested execution uses the variables.)
    pub own: Vec<(Pointer, Pointer, u64)>,
    /// The state of the libraries.
    pub libraries: &'a mut dyn Any,
    /// Where the program prints.
    pub output: &'a mut dyn Output,
    /// The limits of this execution.
    pub limits: &'a Limits,
    /// Kinds of the leaves of all arguments, in order (so a variadic call can be read).
    pub leaves: &'a [Leaf],
    /// Number of leaves of the result the caller expects.
    pub result: &'a [Leaf],
}

/// What rides along with an execution.
pub trait Machine: Sized {
    /// What rides beside every leaf of a register and beside floating-point memory cells.
    type Shadow: Shadow;
    /// Are there shadows at all?
    const SHADOWS: bool = false;
    /// Are [`Machine::load`] and [`Machine::store`] to be called?
    const OBSERVES_MEMORY: bool = false;
    /// Are they to be called for scalars on the stack too whose address is only loaded from and stored to? These are
    /// registers otherwise.
    const OBSERVES_LOCALS: bool = Self::OBSERVES_MEMORY;
    /// Is [`Machine::called`] to be called?
    const OBSERVES_CALLS: bool = false;
    /// Are [`Machine::block`] and [`Machine::step`] to be called? Every instruction then takes the slow loop.
    const OBSERVES_STEPS: bool = false;

    /// Is what [`Machine::lost`] returns to be followed through integers, bytes and the library?
    const FOLLOWS_LOSSES: bool = false;

    /// Does what is loaded or stored depend on the address as well? Else shadows of integers end where they become part
    /// of one.
    const FOLLOWS_ADDRESSES: bool = false;

    /// Does the machine forget shadows there? Faults are planted this way ([`Forgets`]); one that has none never does.
    fn forgets(&self, _what: Forgets) -> bool {
        false
    }

    /// Is a fault planted at all?
    fn is_planted(&self) -> bool {
        false
    }

    /// Are [`Machine::moves_literals`] and [`Machine::literal`] to be called?
    const LITERALS: bool = false;

    /// Have literals shadows in this run?
    fn moves_literals(&self) -> bool {
        false
    }

    /// The shadow of a floating-point literal of the program.
    fn literal(&mut self, _kind: FloatKind, _bits: u128) -> Self::Shadow {
        Self::Shadow::default()
    }

    /// Are numbers of the same bits told apart by what rides beside them: one that is expected and one that is found? A
    /// comparison and exchange fails then if another thread has come between, also one that is not weak. With inputs
    /// that differ a little the bits would differ, too.
    fn tells_apart(&self, _expected: &Self::Shadow, _found: &Self::Shadow) -> bool {
        false
    }

    /// A machine for another rank that executes its part of the same call beside this one; none if that is not asked of
    /// ranks together.
    fn beside(&self) -> Option<Self> {
        None
    }

    /// Does the machine take over calls of this function? Asked once for each function at the start.
    fn intercepts(&self, _program: &Program, _func: FuncId) -> bool {
        false
    }

    /// Executes an intercepted call. A fault that [waits for other ranks](Fault::waits_for_ranks) parks the rank; the
    /// call is then executed again. With one that [declines](Fault::declined) it is executed as any other.
    fn call(
        &mut self,
        _cx: &mut CallContext<'_, Self::Shadow>,
        _func: FuncId,
        _args: &[Value<Self::Shadow>],
    ) -> Res<Value<Self::Shadow>> {
        Err(Fault::bug("the machine intercepts a call it does not execute"))
    }

    /// A function with a body is about to be called with these arguments, leaf by leaf.
    fn called(&mut self, _at: Location, _func: FuncId, _args: &[Scalar]) {}

    /// A block is entered, whose first instruction but for phis is this.
    fn block(&mut self, _first: Location) {}

    /// An instruction is about to be executed by that thread. Phis, and comparisons that only the branch behind them
    /// reads, have no step of their own.
    fn step(&mut self, _at: Location, _thread: usize) {}

    /// The shadow of the result of a floating-point operation.
    fn float_op(&mut self, _event: &FloatEvent<'_, Self::Shadow>) -> Self::Shadow {
        Self::Shadow::default()
    }

    /// A number with this shadow is handed over to another rank, as a number.
    fn handed_over(&mut self, _kind: FloatKind, _shadow: &Self::Shadow) {}

    /// A comparison was made. Called only if an operand has a shadow.
    fn compare(&mut self, _event: &CompareEvent<'_, Self::Shadow>) {}

    /// A shadow ends here, other than by being overwritten. What is left of it rides beside what is made of the value,
    /// if [`Machine::FOLLOWS_LOSSES`].
    fn lost(&mut self, _shadow: &Self::Shadow, _why: Loss, _at: Location) -> Self::Shadow {
        Self::Shadow::default()
    }

    /// A leaf was loaded: a shadow for it when the cell has none (so shadows of inputs can be made lazily).
    fn load(&mut self, _at: &MemAccess, _value: Scalar) -> Option<Self::Shadow> {
        None
    }

    /// A block of memory was copied as bytes; these shadows went with it, each with its offset in the block and its
    /// size.
    fn copied(&mut self, _at: Location, _shadows: &[(i64, u8, Self::Shadow)]) {}

    /// A leaf was stored.
    fn store(&mut self, _at: &MemAccess, _value: Scalar, _shadow: &Self::Shadow) {}
}

/// The machine that adds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Machine for Plain {
    type Shadow = ();

    fn beside(&self) -> Option<Plain> {
        Some(Plain)
    }
}
