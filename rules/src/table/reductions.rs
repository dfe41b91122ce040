//! Vector reductions: a chain of a binary operation of the table, differentiated lane by lane with that operation's
//! row.

use crate::table::op::Op;

/// A vector reduction intrinsic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// Intrinsic name without the type suffix.
    pub intrinsic: &'static str,
    /// The operation that joins the lanes.
    pub op: Op,
    /// Whether a start value comes before the vector; the chain is then ordered unless the call allows reassociation.
    pub start: bool,
}

/// Every floating-point reduction intrinsic.
pub const REDUCTIONS: &[Reduction] = &[
    Reduction { intrinsic: "llvm.vector.reduce.fadd", op: Op::FAdd, start: true },
    Reduction { intrinsic: "llvm.vector.reduce.fmul", op: Op::FMul, start: true },
    Reduction { intrinsic: "llvm.vector.reduce.fmin", op: Op::Fmin, start: false },
    Reduction { intrinsic: "llvm.vector.reduce.fmax", op: Op::Fmax, start: false },
    Reduction { intrinsic: "llvm.vector.reduce.fminimum", op: Op::Minimum, start: false },
    Reduction { intrinsic: "llvm.vector.reduce.fmaximum", op: Op::Maximum, start: false },
];
