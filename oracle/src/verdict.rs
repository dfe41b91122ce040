//! Verdicts on gradients, and the families of wrong ones.

use serde::Serialize;
use std::fmt;

/// The judgement of a gradient, or of the program that calls it. Ordered by how much attention it needs, least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The gradient is the derivative.
    Correct,
    /// The derivative is one-sided at this point; a note.
    Kink,
    /// The answer depends on a stated convention; a note.
    Convention,
    /// Something that is not modelled.
    Unsupported,
    /// A limit of steps, memory or stack was reached.
    Resource,
    /// Neither reference decides: a number left the floats on its way to an answer, and differences tell nothing.
    Undecided,
    /// The formula is right, but more bits were lost than the problem explains.
    Inaccurate,
    /// Memory is left behind.
    Leak,
    /// The gradient changes what it must not change, or breaks a rule of the calling convention.
    Protocol,
    /// Two threads access a cell without order.
    Race,
    /// The program itself has undefined behaviour.
    UbInPrimal,
    /// The gradient has undefined behaviour.
    UbInGradient,
    /// The gradient is not the derivative.
    Wrong,
}

impl Verdict {
    /// Every verdict, in order.
    pub const ALL: [Verdict; 13] = [
        Verdict::Correct,
        Verdict::Kink,
        Verdict::Convention,
        Verdict::Unsupported,
        Verdict::Resource,
        Verdict::Undecided,
        Verdict::Inaccurate,
        Verdict::Leak,
        Verdict::Protocol,
        Verdict::Race,
        Verdict::UbInPrimal,
        Verdict::UbInGradient,
        Verdict::Wrong,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Correct => "correct",
            Verdict::Kink => "kink",
            Verdict::Convention => "convention",
            Verdict::Unsupported => "unsupported",
            Verdict::Resource => "resource",
            Verdict::Undecided => "undecided",
            Verdict::Inaccurate => "inaccurate",
            Verdict::Leak => "leak",
            Verdict::Protocol => "protocol",
            Verdict::Race => "race",
            Verdict::UbInPrimal => "ub-in-primal",
            Verdict::UbInGradient => "ub-in-gradient",
            Verdict::Wrong => "wrong",
        }
    }

    /// What it means for whoever asked.
    pub fn severity(self) -> Severity {
        match self {
            Verdict::Correct => Severity::Fine,
            Verdict::Kink | Verdict::Convention => Severity::Note,
            Verdict::Unsupported | Verdict::Resource | Verdict::Undecided => Severity::Undecided,
            Verdict::Inaccurate
            | Verdict::Leak
            | Verdict::Protocol
            | Verdict::Race
            | Verdict::UbInPrimal
            | Verdict::UbInGradient
            | Verdict::Wrong => Severity::Fault,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How serious a verdict is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Nothing to report.
    Fine,
    /// To be known, but no fault.
    Note,
    /// Nothing is claimed: unsupported, out of resources, or neither reference decides.
    Undecided,
    /// A fault of the gradient or of the program.
    Fault,
}

impl Severity {
    /// The exit code of the command.
    pub fn exit_code(self) -> u8 {
        match self {
            Severity::Fine | Severity::Note => 0,
            Severity::Fault => 1,
            Severity::Undecided => 3,
        }
    }
}

/// The family of the mistake behind a wrong gradient.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// A shadow is not zeroed when its cell is overwritten, or overwritten where it should accumulate.
    StaleShadow,
    /// A shadow or a cached value is read before it is written.
    Uninitialised,
    /// Wrong index, wrong trip count, or a value recomputed after it was overwritten.
    Cache,
    /// Two objects share a shadow, a shadow is the primal, or a contribution went to another object's shadow.
    Alias,
    /// A value that depends on the inputs is treated as constant.
    Activity,
    /// Bytes are taken for another type.
    Type,
    /// Accumulation without atomicity.
    Race,
    /// The local derivative of one operation is wrong.
    Rule,
    /// Wrong at 0, at ties, at infinity.
    Edge,
    /// The answer depends on the optimisation level.
    OptLevel,
    /// A derivative of a derivative is wrong.
    Nesting,
    /// Conjugation is wrong.
    Complex,
    /// The gradient changes its inputs or the primal's results.
    PrimalCorruption,
    /// A contribution is added twice.
    DoubleAdd,
}

impl Family {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Family::StaleShadow => "stale-shadow",
            Family::Uninitialised => "uninitialised",
            Family::Cache => "cache",
            Family::Alias => "alias",
            Family::Activity => "activity",
            Family::Type => "type",
            Family::Race => "race",
            Family::Rule => "rule",
            Family::Edge => "edge",
            Family::OptLevel => "opt-level",
            Family::Nesting => "nesting",
            Family::Complex => "complex",
            Family::PrimalCorruption => "primal-corruption",
            Family::DoubleAdd => "double-add",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
