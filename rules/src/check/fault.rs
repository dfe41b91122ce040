//! What can be wrong with a row.

use crate::row::Decision;
use std::fmt::{self, Display, Formatter};

/// A fault of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The row is put together wrongly.
    Malformed(String),
    /// A region, a convention or a partial was never exercised.
    Unchecked(String),
    /// A partial differs from the difference quotient.
    WrongPartial {
        /// Output and operand.
        at: (usize, usize),
        /// Operands of the sample, integers last.
        point: String,
        /// The partial's value.
        partial: f64,
        /// The difference quotient.
        quotient: f64,
    },
    /// A partial loses too many bits in double.
    Inaccurate {
        /// Output and operand.
        at: (usize, usize),
        /// Operands of the sample.
        point: String,
        /// The value in double.
        double: f64,
        /// The value in multi-precision.
        exact: f64,
    },
    /// The defining expression is not the function.
    WrongDefinition {
        /// Output.
        output: usize,
        /// Operands of the sample.
        point: String,
    },
    /// A convention point does not have the value the row states.
    WrongConvention {
        /// Output and operand.
        at: (usize, usize),
        /// The point.
        point: String,
        /// What the partial gives.
        found: f64,
        /// What the row states.
        stated: Decision,
    },
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Malformed(what) => write!(f, "malformed: {what}"),
            Fault::Unchecked(what) => write!(f, "unchecked: {what}"),
            Fault::WrongPartial { at, point, partial, quotient } => {
                write!(
                    f,
                    "partial of output {} by x{} at {point} is {partial:e}, differences give {quotient:e}",
                    at.0, at.1
                )
            }
            Fault::Inaccurate { at, point, double, exact } => {
                write!(
                    f,
                    "partial of output {} by x{} at {point} is {double:e} in double, {exact:e} exactly",
                    at.0, at.1
                )
            }
            Fault::WrongDefinition { output, point } => {
                write!(f, "definition of output {output} is not the function at {point}")
            }
            Fault::WrongConvention { at, point, found, stated } => {
                write!(f, "partial of output {} by x{} at {point} is {found:e}, the row states {stated:?}", at.0, at.1)
            }
        }
    }
}
