//! Located refusals: what cannot be differentiated, why, and where.

use ir::{Function, InstId, Module, SourceLoc};
use std::fmt;

/// Why a gradient could not be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The program uses something that is not differentiated yet.
    Unsupported,
    /// A function that is needed has no body in this module; another file may have it.
    Incomplete,
    /// The differentiated call breaks the calling convention.
    Misuse,
    /// An internal check failed: a defect of this crate.
    Bug,
}

/// How a message says that a function is only declared.
pub(crate) const NO_BODY: &str = "has no body here";

impl Reason {
    /// The class of what is wrong with a request.
    pub(crate) fn of_request(message: &str) -> Reason {
        match message {
            _ if message.starts_with("unsupported") => Reason::Unsupported,
            _ if message.contains(NO_BODY) => Reason::Incomplete,
            _ => Reason::Misuse,
        }
    }
}

/// A refusal with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Its class.
    pub reason: Reason,
    /// What is the matter, in a sentence.
    pub message: String,
    /// The function it is in.
    pub function: String,
    /// The instruction, printed.
    pub instruction: Option<String>,
    /// The user's source line, with debug information.
    pub loc: Option<SourceLoc>,
}

impl Diagnostic {
    /// A refusal at an instruction of `func`.
    pub fn at(module: &Module, func: &Function, inst: InstId, reason: Reason, message: impl Into<String>) -> Self {
        Diagnostic {
            reason,
            message: message.into(),
            function: func.name.clone(),
            instruction: Some(ir::print::print_inst(module, func, inst)),
            loc: module.source_loc(func, inst).or_else(|| module.function_loc(func)),
        }
    }

    /// A refusal of a function as a whole.
    pub fn of(module: &Module, func: &Function, reason: Reason, message: impl Into<String>) -> Self {
        Diagnostic {
            reason,
            message: message.into(),
            function: func.name.clone(),
            instruction: None,
            loc: module.function_loc(func),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(loc) = &self.loc {
            write!(f, "{loc}: ")?;
        }
        write!(f, "{} (in `{}`", self.message, self.function)?;
        if let Some(inst) = &self.instruction {
            write!(f, ", at `{}`", inst.trim())?;
        }
        write!(f, ")")
    }
}

impl std::error::Error for Diagnostic {}

/// A call that was refused: where it is, and why.
pub type Refused = (ir::FuncId, InstId, Diagnostic);
