//! The state of an execution.
//!
//! The interpreted call stack is data (`frames` and a register file), so interpreted recursion never uses the host's
//! stack; only library callbacks (`qsort`) nest the execution loop, to a fixed depth.
//!
//! The engine knows nothing of the libraries but that they have a state, and functions that see a call ([`Shim`]).

use crate::code::Code;
use crate::environment::Environment;
use crate::limits::Limits;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::outcome::Res;
use crate::output::{Discard, Output};
use crate::program::Program;
use crate::shim_call::ShimCall;
use crate::threads::Threads;
use crate::threads::frame::{Frame, Part, Progress};
use crate::thrown::Exceptions;
use crate::value::{Pointer, Scalar, Value};
use ir::FuncId;
use ir::hash::HashMap;
use std::collections::BTreeMap;

/// A library function of the interpreter.
pub type Shim<M, L> =
    for<'p, 'a> fn(&mut Engine<'p, M, L>, &ShimCall<'a, <M as Machine>::Shadow>) -> Res<Value<<M as Machine>::Shadow>>;

/// An execution of a program under a machine.
pub struct Engine<'p, M: Machine, L> {
    /// The program.
    pub program: &'p Program,
    /// What rides along.
    pub machine: M,
    /// The program's memory.
    pub memory: Memory<M::Shadow>,
    /// Where the program prints.
    pub output: Box<dyn Output>,
    /// The state of the libraries.
    pub runtime: L,
    /// Functions to call at the end, with an argument for `__cxa_atexit`.
    pub(crate) at_exit: Vec<(Pointer, Option<Pointer>)>,
    /// The running thread's `errno` object, once asked for.
    pub(crate) errno: Option<Pointer>,
    /// Its rounding mode and exceptions.
    pub(crate) environment: Environment,
    /// Exceptions that it has thrown and caught.
    pub(crate) exceptions: Exceptions,
    pub(crate) limits: Limits,
    pub(crate) regs: Vec<Scalar>,
    pub(crate) shadows: Vec<M::Shadow>,
    /// What rides beside the values that lanes of a warp hand to each other, by thread.
    pub(crate) handed: HashMap<usize, M::Shadow>,
    /// What the ends of shadows in the running op leave for its result.
    pub(crate) residue: M::Shadow,
    /// What numbers left in the library: text in streams, files and pipes depends on it.
    pub(crate) library: M::Shadow,
    /// By register: shadows of parts of its bits.
    pub(crate) parts: BTreeMap<usize, Vec<Part<M::Shadow>>>,
    pub(crate) frames: Vec<Frame<M::Shadow>>,
    pub(crate) base: usize,
    pub(crate) pc: usize,
    pub(crate) func: FuncId,
    pub(crate) steps: u64,
    pub(crate) next_check: u64,
    /// Nested execution loops.
    pub(crate) nesting: u32,
    /// Leaves of the value just returned by the outermost frame of a loop.
    pub(crate) returned: Value<M::Shadow>,
    /// By function: the shim of a declaration that was called.
    pub(crate) shims: HashMap<FuncId, Option<Shim<M, L>>>,
    /// By function: does the machine take it over?
    pub(crate) intercepted: Vec<bool>,
    pub(crate) freezes: u64,
    /// The threads of the program.
    pub threads: Threads<M::Shadow>,
}

/// Steps between two looks at the clock.
pub(crate) const CHECK_EVERY: u64 = 1 << 20;

impl<'p, M: Machine, L> Engine<'p, M, L> {
    /// An execution on a memory of the program, with the state of the libraries.
    pub fn with_runtime(
        program: &'p Program,
        machine: M,
        mut memory: Memory<M::Shadow>,
        limits: Limits,
        runtime: L,
    ) -> Engine<'p, M, L> {
        memory.set_limit(limits.memory);
        // Threads of an execution around this one have nothing to do with it.
        memory.stop_watching();
        memory.belongs_to_nobody(false);
        let functions = || program.module.functions.iter();
        let intercepted = functions().map(|(id, _)| machine.intercepts(program, id)).collect();
        Engine {
            program,
            machine,
            memory,
            output: Box::new(Discard),
            runtime,
            at_exit: Vec::new(),
            errno: None,
            environment: Environment::default(),
            exceptions: Exceptions::default(),
            next_check: CHECK_EVERY.min(limits.steps),
            threads: Threads::new(limits.seed),
            limits,
            regs: Vec::new(),
            shadows: Vec::new(),
            handed: HashMap::default(),
            residue: M::Shadow::default(),
            library: M::Shadow::default(),
            parts: BTreeMap::new(),
            frames: Vec::new(),
            base: 0,
            pc: 0,
            func: FuncId::from_u32(0),
            steps: 0,
            nesting: 0,
            returned: Value::void(),
            shims: HashMap::default(),
            intercepted,
            freezes: 0,
        }
    }

    /// The same execution with another sink for what the program prints.
    pub fn with_output(mut self, output: Box<dyn Output>) -> Self {
        self.output = output;
        self
    }

    /// IR instructions executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Threads that there have been.
    pub fn threads(&self) -> usize {
        self.threads.all.len()
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The machine and the memory, to go on with elsewhere.
    pub fn into_parts(self) -> (M, Memory<M::Shadow>) {
        let mut memory = self.memory;
        memory.belongs_to_nobody(true);
        (self.machine, memory)
    }

    /// The lowered form of a function that this machine executes.
    #[inline]
    pub(crate) fn code(&self, func: FuncId) -> &'p Code {
        if M::OBSERVES_LOCALS { self.program.observed(func) } else { self.program.code(func) }
    }

    /// What the library call being executed has already done.
    pub(crate) fn progress(&mut self) -> &mut Option<Progress> {
        // A library call always has a caller; for a callback that names a library function, nothing is kept.
        match self.frames.last_mut() {
            Some(frame) => &mut frame.progress,
            None => &mut self.threads.nowhere,
        }
    }

    /// The time in nanoseconds: one for each instruction, and what was slept.
    pub fn nanoseconds(&self) -> u64 {
        self.steps().saturating_add(self.threads.slept)
    }
}
