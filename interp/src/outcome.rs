//! How an execution ends.
//!
//! Five outcomes: finished (a result, or the program's own exit), undefined behaviour, unsupported, resource limit,
//! interpreter bug. Inside the engine an error is a [`Fault`]: kind, text and secondary places. Where it leaves the
//! engine it becomes a [`Stop`], which adds the interpreted call stack with source positions and printed instructions.
//! Both are boxed; a static assertion holds the size down, since every step of the interpreter returns one.

use ir::{FuncId, InstId, SourceLoc};

/// An instruction of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// Its function.
    pub func: FuncId,
    /// The instruction.
    pub inst: InstId,
}

macro_rules! ub_kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// Kinds of undefined behaviour and of memory errors.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum UbKind { $($(#[$doc])* $name,)* }

        impl UbKind {
            /// Every kind.
            pub const ALL: &'static [UbKind] = &[$(UbKind::$name,)*];

            /// A stable name for reports and tests.
            pub fn name(self) -> &'static str {
                match self { $(UbKind::$name => $text,)* }
            }
        }
    };
}

ub_kinds! {
    /// Integer division or remainder by zero.
    DivisionByZero = "division-by-zero",
    /// Signed division or remainder that overflows.
    DivisionOverflow = "division-overflow",
    /// A branch, switch or other decision on an uninitialised value.
    Uninitialised = "uninitialised",
    /// A decision on poison, or poison where the operation must not have it.
    Poison = "poison",
    /// An access through a null pointer or into the null page.
    NullPointer = "null-pointer",
    /// An access outside of its object.
    OutOfBounds = "out-of-bounds",
    /// An access to freed heap memory.
    UseAfterFree = "use-after-free",
    /// An access to a stack object that no longer exists.
    UseAfterScope = "use-after-scope",
    /// An access through an address that belongs to no object.
    InvalidPointer = "invalid-pointer",
    /// An access with less than the promised alignment.
    Misaligned = "misaligned",
    /// A write to constant memory or to a function.
    ReadOnly = "read-only",
    /// `free` of memory already freed.
    DoubleFree = "double-free",
    /// `free` of something `malloc` did not return.
    InvalidFree = "invalid-free",
    /// Memory taken from one allocator and given to another.
    MismatchedFree = "mismatched-free",
    /// Overlapping operands where the operation forbids it.
    Overlap = "overlap",
    /// Control reached `unreachable`.
    Unreachable = "unreachable",
    /// A call through something that is no function, or with another signature.
    BadCall = "bad-call",
    /// Return from a `noreturn` function.
    NoReturn = "noreturn-returned",
    /// A value that breaks an attribute of a parameter, return or access (`nonnull`, `align`, `dereferenceable`,
    /// `range`).
    Attribute = "attribute",
    /// `llvm.assume` of something false.
    Assumption = "assumption",
    /// A library function called outside of its contract.
    Library = "library",
    /// Two accesses by different threads that nothing orders.
    Race = "race",
    /// Every thread waits.
    Deadlock = "deadlock",
    /// Threads of a block that do not meet at the same barrier, or lanes of a warp at the same operation.
    Divergence = "divergence",
    /// An access to memory of another address space: of the host, of another block, of another thread.
    AddressSpace = "address-space",
    /// A message of another type than its receiver takes, longer than its buffer, or that nobody receives.
    Message = "message",
    /// Ranks that do not call the same collective operation in the same way.
    Collective = "collective",
    /// A buffer that is touched while an operation on it is pending.
    PendingBuffer = "pending-buffer",
    /// Heap memory that nothing points to any more when the program ends.
    Leak = "leak",
}

/// A second place of a report: "allocated here".
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// What happened there.
    pub text: String,
    /// Where, if it was in the program.
    pub at: Option<Location>,
}

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// The program ends itself with that status (not an error).
    Exit(i32),
    /// An exception is on its way to a frame further out; the object is at this address.
    Unwinding(u64),
    /// Another thread is to run; the call is executed again later.
    Switch,
    /// All threads of a rank wait, one of them for other ranks.
    Parked,
    /// A library function has entered a function of the program, and is executed again when that has returned.
    Entered,
    /// A machine lets a call that it could take over be executed as any other.
    Declined,
    /// Undefined behaviour.
    Undefined(UbKind),
    /// Something the interpreter does not do.
    Unsupported,
    /// A limit was reached.
    Resource,
    /// The interpreter contradicts itself.
    Bug,
}

/// An error inside the engine, before its place in the program is attached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Explained in a sentence without a full stop.
    pub message: String,
    /// Where it happened, if that is another instruction of the function than the one that is executed.
    pub at: Option<Location>,
    /// Secondary places.
    pub notes: Vec<Note>,
    /// The stop of a nested execution, with its own call stack, to be passed on as it is.
    pub inner: Option<Stop>,
}

/// What the engine's operations return.
pub type Res<T = ()> = Result<T, Box<Fault>>;

impl Fault {
    /// A fault of that kind.
    #[cold]
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { kind, message: message.into(), at: None, notes: Vec::new(), inner: None })
    }

    /// A call that a machine could take over is executed as any other, by the execution itself.
    pub fn declined() -> Box<Fault> {
        Fault::new(FaultKind::Declined, "")
    }

    /// A call that a machine has taken over waits for other ranks, for what is told in words.
    pub fn waits_for_ranks(what: impl Into<String>) -> Box<Fault> {
        Fault::new(FaultKind::Parked, what)
    }

    /// Undefined behaviour.
    #[cold]
    pub fn ub(kind: UbKind, message: impl Into<String>) -> Box<Fault> {
        Fault::new(FaultKind::Undefined(kind), message)
    }

    /// Something not supported.
    #[cold]
    pub fn unsupported(message: impl Into<String>) -> Box<Fault> {
        Fault::new(FaultKind::Unsupported, message)
    }

    /// A limit reached.
    #[cold]
    pub fn resource(message: impl Into<String>) -> Box<Fault> {
        Fault::new(FaultKind::Resource, message)
    }

    /// A contradiction in the interpreter.
    #[cold]
    pub fn bug(message: impl Into<String>) -> Box<Fault> {
        Fault::new(FaultKind::Bug, message)
    }

    /// The end of the program by its own will.
    #[cold]
    pub fn exit(status: i32) -> Box<Fault> {
        Fault::new(FaultKind::Exit(status), "")
    }

    /// An exception on its way.
    #[cold]
    pub fn unwinding(object: u64) -> Box<Fault> {
        Fault::new(FaultKind::Unwinding(object), "")
    }

    /// Passes on the stop of a nested execution.
    #[cold]
    pub fn nested(stop: Stop) -> Box<Fault> {
        let kind = match &stop {
            Stop::Exit(status) => FaultKind::Exit(*status),
            Stop::Undefined(report) => FaultKind::Undefined(report.ub.unwrap_or(UbKind::Library)),
            Stop::Unsupported(_) => FaultKind::Unsupported,
            Stop::Resource(_) => FaultKind::Resource,
            Stop::Bug(_) => FaultKind::Bug,
        };
        Box::new(Fault { kind, message: String::new(), at: None, notes: Vec::new(), inner: Some(stop) })
    }

    /// Adds a secondary place.
    #[must_use]
    pub fn note(mut self: Box<Self>, text: impl Into<String>, at: Option<Location>) -> Box<Fault> {
        self.notes.push(Note { text: text.into(), at });
        self
    }
}

/// One interpreted frame of a report, or a secondary place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// What happened there; empty in a call stack.
    pub text: String,
    /// The function, if the place is in one.
    pub function: Option<String>,
    /// The place as indices into the module.
    pub at: Option<Location>,
    /// Source position, when the program has debug information.
    pub source: Option<SourceLoc>,
    /// The instruction as text.
    pub instruction: String,
}

/// The description of an outcome that is not a finish.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// For undefined behaviour: which.
    pub ub: Option<UbKind>,
    /// Explained in a sentence without a full stop.
    pub message: String,
    /// The interpreted call stack, innermost first.
    pub stack: Vec<Place>,
    /// Secondary places.
    pub notes: Vec<Place>,
}

/// Why an execution stopped before its function returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The program ended itself: `exit`, `abort` (134), a trap.
    Exit(i32),
    /// Undefined behaviour.
    Undefined(Box<Report>),
    /// Something the interpreter does not do.
    Unsupported(Box<Report>),
    /// A limit was reached.
    Resource(Box<Report>),
    /// The interpreter contradicts itself.
    Bug(Box<Report>),
}

const _: () = assert!(size_of::<Stop>() <= 16 && size_of::<Res>() <= 8);

impl Stop {
    /// The report, unless the program ended by itself.
    pub fn report(&self) -> Option<&Report> {
        match self {
            Stop::Exit(_) => None,
            Stop::Undefined(r) | Stop::Unsupported(r) | Stop::Resource(r) | Stop::Bug(r) => Some(r),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.text.is_empty() {
            write!(f, "{}: ", self.text)?;
        }
        match &self.source {
            Some(source) => write!(f, "{source}")?,
            None => write!(f, "(no source position)")?,
        }
        if let Some(function) = &self.function {
            write!(f, " in {function}")?;
        }
        if !self.instruction.is_empty() {
            write!(f, "\n      {}", self.instruction)?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)?;
        for place in &self.stack {
            write!(f, "\n    at {place}")?;
        }
        for note in &self.notes {
            write!(f, "\n  {note}")?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Exit(status) => write!(f, "the program exited with status {status}"),
            Stop::Undefined(r) => write!(f, "undefined behaviour ({}): {r}", r.ub.map_or("?", UbKind::name)),
            Stop::Unsupported(r) => write!(f, "unsupported: {r}"),
            Stop::Resource(r) => write!(f, "resource limit: {r}"),
            Stop::Bug(r) => write!(f, "bug of the interpreter: {r}"),
        }
    }
}

impl std::error::Error for Stop {}

/// Exit status of a process that a shell reports after SIGABRT.
pub const ABORTED: i32 = 134;

/// The same after SIGILL, as a trap instruction raises.
pub const TRAPPED: i32 = 132;

/// How a whole program ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// With this exit status.
    Finished(i32),
    /// Not by itself.
    Stopped(Stop),
}
