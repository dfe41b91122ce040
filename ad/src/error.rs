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

/// How the names of copies begin that are made of functions, and how they end; a number may follow.
pub(crate) const COPIED_FOR_A_CALL: &str = "__adj_apart_";
pub(crate) const COPIED_FOR_THE_REST: &str = "__adj_rest_";
pub(crate) const CALLED_ALONE: &str = "__adj_call_";
pub(crate) const WITHOUT_EXCEPTIONS: &str = ".caught";
pub(crate) const WHOLE: &str = ".whole";

/// What the program calls a function of which that is a copy.
pub(crate) fn name_in_program(name: &str) -> &str {
    let mut plain = name;
    loop {
        let before = plain;
        for prefix in [COPIED_FOR_A_CALL, COPIED_FOR_THE_REST, CALLED_ALONE] {
            plain = plain.strip_prefix(prefix).unwrap_or(plain);
        }
        let unnumbered = plain.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('.');
        for suffix in [WITHOUT_EXCEPTIONS, WHOLE] {
            plain = unnumbered.and_then(|p| p.strip_suffix(suffix)).or(plain.strip_suffix(suffix)).unwrap_or(plain);
        }
        if plain == before {
            // The number of a copy, and not one of the program's.
            return unnumbered.filter(|_| name.len() > plain.len()).unwrap_or(plain);
        }
    }
}

impl Diagnostic {
    /// A refusal at an instruction of `func`.
    pub fn at(module: &Module, func: &Function, inst: InstId, reason: Reason, message: impl Into<String>) -> Self {
        Diagnostic {
            reason,
            message: message.into(),
            function: name_in_program(&func.name).to_owned(),
            instruction: Some(ir::print::print_inst(module, func, inst)),
            loc: module.source_loc(func, inst).or_else(|| module.function_loc(func)),
        }
    }

    /// A refusal of a function as a whole.
    pub fn of(module: &Module, func: &Function, reason: Reason, message: impl Into<String>) -> Self {
        Diagnostic {
            reason,
            message: message.into(),
            function: name_in_program(&func.name).to_owned(),
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

#[cfg(test)]
mod tests {
    use super::name_in_program;

    #[test]
    fn copies_have_the_name_of_the_program() {
        for (name, plain) in [
            ("f", "f"),
            ("f.1", "f.1"),
            ("_ZL1fv.whole", "_ZL1fv"),
            ("_ZL1fv.whole.2", "_ZL1fv"),
            ("__adj_apart_f", "f"),
            ("__adj_apart_f.3", "f"),
            ("__adj_apart___adj_rest_f.caught.12", "f"),
            (".omp_outlined.", ".omp_outlined."),
        ] {
            assert_eq!(name_in_program(name), plain, "{name}");
        }
    }
}
