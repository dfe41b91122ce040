//! What keeps a program from being checked at all.

use std::fmt;
use std::io;

/// An error before the first gradient could be judged.
#[derive(Debug)]
pub enum Error {
    /// The program could not be read or compiled.
    Read(llvm::Error),
    /// The check was asked for in a way that makes no sense.
    Usage(String),
    /// Something that is not supported, where nothing could be run.
    Unsupported(String),
    /// A file of ours could not be written or read.
    Io {
        /// What was being done.
        action: String,
        /// Why it failed.
        source: io::Error,
    },
}

impl Error {
    /// The exit code of the command.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Read(error) if error.is_limit() => 3,
            Error::Unsupported(_) => 3,
            Error::Read(_) | Error::Usage(_) | Error::Io { .. } => 2,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read(error) => write!(f, "{error}"),
            Error::Usage(message) => f.write_str(message),
            Error::Unsupported(message) => write!(f, "unsupported: {message}"),
            Error::Io { action, source } => write!(f, "cannot {action}: {source}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Read(error) => Some(error),
            Error::Io { source, .. } => Some(source),
            Error::Usage(_) | Error::Unsupported(_) => None,
        }
    }
}

impl From<llvm::Error> for Error {
    fn from(error: llvm::Error) -> Self {
        Error::Read(error)
    }
}
