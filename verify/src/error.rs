//! What can be wrong with asking, apart from the answer.

use std::fmt;
use std::process::ExitStatus;

/// Why nothing could be asked.
#[derive(Debug)]
pub enum SolverError {
    /// There is no program to ask with, or it does not serve.
    Missing,
    /// It could not be run.
    Io(std::io::Error),
    /// It ended without an answer.
    Died(ExitStatus),
    /// It said something that is no answer.
    Rubbish(String),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::Missing => write!(f, "there is no program that asks z3 (see `verify::worker`)"),
            SolverError::Io(error) => write!(f, "z3 cannot be asked: {error}"),
            SolverError::Died(status) => write!(f, "z3 ended without an answer ({status})"),
            SolverError::Rubbish(text) => write!(f, "z3 answered `{}`", text.trim()),
        }
    }
}

impl std::error::Error for SolverError {}

impl From<std::io::Error> for SolverError {
    fn from(error: std::io::Error) -> SolverError {
        SolverError::Io(error)
    }
}
