//! Parallel constructs of C: teams of threads, what they share out, and what each variable is to them.
//!
//! A region is a sequence of phases, with a barrier behind each that does not say `nowait`. Within a phase each
//! variable of the surrounding function has one role. Without a role it is only read. A role says what an iteration or
//! a piece may do with a variable, so that the result does not depend on who does it and when, but for rounding:
//! [`super::apart`] checks that.

use super::{Cond, Float, Int, Stmt, Update};
use crate::c::ways::VarId;

/// A parallel region.
#[derive(Clone, PartialEq, Debug)]
pub struct Region {
    /// `num_threads`
    pub threads: Option<i64>,
    /// `if`
    pub condition: Option<Cond>,
    /// Variables of which each thread has its own: what all threads execute may write them, the rest reads them.
    pub copies: Vec<(VarId, Copied)>,
    /// What the team does.
    pub phases: Vec<Phase>,
}

/// How the copy of a thread starts.
#[derive(Clone, PartialEq, Debug)]
pub enum Copied {
    /// `private`, set to this number.
    Fresh(Float),
    /// `firstprivate`
    First,
    /// `threadprivate`, with `copyin`.
    In,
}

/// A part of a region.
#[derive(Clone, PartialEq, Debug)]
pub struct Phase {
    /// What is done.
    pub work: Work,
    /// No barrier behind it.
    pub nowait: bool,
}

/// What the threads of a team do.
#[derive(Clone, PartialEq, Debug)]
pub enum Work {
    /// Each iteration is executed by one of them.
    Loop(Shared),
    /// Each piece is executed by one of them.
    Pieces(bool, Vec<Piece>),
    /// One of them executes it.
    Once(Once, Vec<Stmt>),
    /// All execute it.
    All(Vec<Stmt>),
}

/// A loop whose iterations are shared out.
#[derive(Clone, PartialEq, Debug)]
pub struct Shared {
    /// By what.
    pub how: How,
    /// Its counters, the outermost first.
    pub counters: Vec<VarId>,
    /// The number of trips of a loop with one counter; none for all that the counter's range allows.
    pub trips: Option<Int>,
    /// What variables are to its iterations.
    pub roles: Vec<(VarId, Role)>,
    /// The body.
    pub body: Vec<Stmt>,
}

/// How iterations are shared out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// `for`, with a schedule.
    For(Schedule),
    /// `for simd`
    Simd,
    /// By the numbers of the threads.
    Strided,
    /// A task for each of them.
    Tasks,
    /// `taskloop`
    TaskLoop,
}

/// A schedule; its chunk is 0 where none is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// None is given.
    None,
    /// `static`
    Static(i64),
    /// `dynamic`
    Dynamic(i64),
    /// `guided`
    Guided(i64),
    /// `auto`
    Auto,
    /// `runtime`
    Runtime,
}

/// What a variable is to the iterations of a loop.
#[derive(Clone, PartialEq, Debug)]
pub enum Role {
    /// Each iteration has the element at this index to itself.
    Own(Int),
    /// `private`, set to this number at the start of each iteration.
    Private(Float),
    /// `firstprivate`, and not written.
    First,
    /// `lastprivate`, set to this number at the start of each iteration.
    Last(Float),
    /// `reduction`
    Reduced(Reduction),
    /// Updated in one piece.
    Atomic(Update),
    /// Updated where others are excluded.
    Guarded(Guard, Update),
    /// Read and written where iterations are in order.
    Ordered,
}

/// What a reduction does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reduction {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `min`
    Min,
    /// `max`
    Max,
    /// A sum that the program declares.
    Declared,
}

impl Reduction {
    /// How iterations meet what is reduced.
    pub fn update(self) -> Update {
        match self {
            Reduction::Add | Reduction::Declared => Update::Add,
            Reduction::Sub => Update::Sub,
            Reduction::Mul => Update::Mul,
            Reduction::Min => Update::Min,
            Reduction::Max => Update::Max,
        }
    }

    /// Its name in the clause.
    pub fn c(self) -> &'static str {
        match self {
            Reduction::Add => "+",
            Reduction::Sub => "-",
            Reduction::Mul => "*",
            Reduction::Min => "min",
            Reduction::Max => "max",
            Reduction::Declared => "joined",
        }
    }
}

/// What excludes others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guard {
    /// `critical`
    Critical,
    /// `critical` with a name.
    Named,
    /// A lock of OpenMP.
    Lock,
    /// A mutex of POSIX.
    Mutex,
    /// `ordered`
    Ordered,
}

/// How one thread of a team is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Once {
    /// `single`
    Single,
    /// `master`
    Master,
    /// `masked`
    Masked,
}

/// A section or a task.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// Variables that only this piece may mention.
    pub own: Vec<VarId>,
    /// Of tasks: variables that several mention, and whether this one writes them. Tasks wait for each other in the
    /// order in which they are made.
    pub depends: Vec<(VarId, bool)>,
    /// The statements.
    pub body: Vec<Stmt>,
}

/// Do two updates commute?
pub fn commute(a: Update, b: Update) -> bool {
    let family = |u: Update| match u {
        Update::Set => 0,
        Update::Add | Update::Sub => 1,
        Update::Mul => 2,
        Update::Min => 3,
        Update::Max => 4,
    };
    family(a) == family(b) && a != Update::Set
}

impl Region {
    /// The bodies of all phases.
    pub fn bodies(&self) -> Vec<&[Stmt]> {
        self.phases
            .iter()
            .flat_map(|phase| match &phase.work {
                Work::Loop(it) => vec![it.body.as_slice()],
                Work::Pieces(_, pieces) => pieces.iter().map(|piece| piece.body.as_slice()).collect(),
                Work::Once(_, body) | Work::All(body) => vec![body.as_slice()],
            })
            .collect()
    }
}
