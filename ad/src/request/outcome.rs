//! What differentiation gives: the module with its gradients, the calls that were carried out, and those that were
//! refused.

use crate::error::Diagnostic;
use crate::mode::{Activity, Mode, Style};
use ir::{FuncId, InstId, Module, SourceLoc};

/// A differentiated call that was carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The function that contains the call.
    pub caller: FuncId,
    /// The call.
    pub site: InstId,
    /// Where it is.
    pub loc: Option<SourceLoc>,
    /// What the site calls now: the synthesised derivative, or a stub that calls the given one. Its
    /// parameters are those of the primal, shadows after each duplicated one, then in reverse mode the seed.
    pub function: FuncId,
    /// The mode.
    pub mode: Mode,
    /// Options of the call.
    pub style: Style,
    /// The differentiated function.
    pub primal: FuncId,
    /// Its gradient or tangent, of the same signature as `function`.
    pub gradient: FuncId,
    /// One for each parameter of the primal.
    pub activities: Vec<Activity>,
    /// The last parameter is the seed.
    pub seeded: bool,
    /// The gradient was given by the program.
    pub given: bool,
    /// In split mode: `function` is the reverse, whose last parameter is the tape, and `gradient` both passes at once.
    pub tape: Option<Tape>,
    /// Some shadows are functions in place of memory: what the site calls then.
    pub dense: Option<Dense>,
    /// The threads of a grid compute the derivative together: what a launch of them is the derivative of.
    pub grid: Option<Grid>,
}

/// A kernel that does nothing but to make a differentiated call. Both functions get the arguments of the kernel, then
/// pointers to what it differentiates, each with its shadow in the gradient, then the sizes of the grid and of a block
/// in three directions (`i32`), and the bytes of shared memory (`i64`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// The kernel.
    pub kernel: FuncId,
    /// A function of a host that launches a kernel which calls the differentiated function in place of the derivative.
    pub primal: FuncId,
    /// One that launches the kernel.
    pub gradient: FuncId,
    /// One for each parameter of `primal`.
    pub activities: Vec<Activity>,
    /// Pointers to what is differentiated.
    pub pairs: usize,
}

/// What stands for a derivative where shadows are functions ([`crate::rewrite::dense_views`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dense {
    /// The function that the site calls. It gets offsets in the place of these shadows, and what they are made with, in
    /// their order, behind all other arguments.
    pub called: FuncId,
    /// These shadows.
    pub shadows: Vec<DenseShadow>,
}

/// A shadow that is functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DenseShadow {
    /// Which parameter of the derivative it is.
    pub param: usize,
    /// What loads from it: it gets the offset, and as many of the further arguments as it takes.
    pub load: FuncId,
    /// The number of these arguments.
    pub extra: usize,
}

/// The functions that make the tapes that a reverse uses up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tape {
    /// Its last parameter is the tape.
    pub augmented: FuncId,
    /// The first part of what it returns is the tape.
    pub allocating: FuncId,
    /// The reverse leaves the tape as it is.
    pub kept: bool,
    /// The tape is a block that the augmented forward allocates, not memory of the caller's.
    pub own: bool,
}

/// A differentiated call that was refused; it is left in place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The function that contains the call.
    pub caller: FuncId,
    /// The call.
    pub site: InstId,
    /// Why.
    pub diagnostic: Diagnostic,
}

impl From<(FuncId, InstId, Diagnostic)> for Refusal {
    fn from((caller, site, diagnostic): (FuncId, InstId, Diagnostic)) -> Refusal {
        Refusal { caller, site, diagnostic }
    }
}

/// The result of differentiating a module.
#[derive(Debug)]
pub struct Output {
    /// The module with gradients.
    pub module: Module,
    /// Calls that were carried out, in program order.
    pub judged: Vec<Judged>,
    /// Calls that were not.
    pub refusals: Vec<Refusal>,
}
