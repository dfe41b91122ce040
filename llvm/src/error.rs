//! What can go wrong between a file and its IR, or between IR and a native binary.
//!
//! Every error says what happened and where, in words for the person whose program it is.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// A failure of this crate.
#[derive(Debug)]
pub enum Error {
    /// A tool of LLVM 19 is not installed.
    ToolMissing {
        /// Its name, such as `clang`.
        tool: &'static str,
        /// Where it was looked for.
        searched: Vec<PathBuf>,
    },
    /// The input, or a temporary file, could not be read or written.
    Io {
        /// The file, or what it is for.
        file: String,
        /// What was being done, such as `read`.
        action: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// The input is a directory.
    Directory {
        /// Its path.
        file: String,
    },
    /// The input has no content.
    Empty {
        /// Its path.
        file: String,
    },
    /// The input, or the IR made from it, is larger than the limit.
    TooLarge {
        /// Its path.
        file: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// Neither the name nor the content tells what the input is.
    UnknownKind {
        /// Its path.
        file: String,
    },
    /// The program does not compile.
    Compile {
        /// Its path.
        file: String,
        /// The compiler's diagnostics, as it printed them.
        diagnostics: String,
    },
    /// The input is not LLVM IR, or is IR that fails LLVM's verification.
    Invalid {
        /// Its path.
        file: String,
        /// LLVM's message.
        message: String,
    },
    /// A pass pipeline was refused.
    Pipeline {
        /// The pipeline.
        passes: String,
        /// LLVM's message.
        message: String,
    },
    /// Code generation or linking failed.
    Link {
        /// The file that was to be made.
        file: PathBuf,
        /// The linker's messages.
        message: String,
    },
    /// Valid IR that the project does not model.
    Unsupported {
        /// Path of the input.
        file: String,
        /// What is not supported and where: the line of IR, its function, and with debug information the source.
        refusal: Box<ir::parse::ParseError>,
        /// The line of IR itself.
        excerpt: String,
    },
    /// A tool of LLVM broke down: a bug of LLVM, or not enough memory.
    Crashed {
        /// Which tool.
        tool: &'static str,
        /// On which input.
        file: String,
        /// How it ended, and the first lines that it printed.
        message: String,
    },
    /// A tool of LLVM did not end in time.
    TimedOut {
        /// Which tool.
        tool: &'static str,
        /// On which input.
        file: String,
        /// How long it had.
        limit: Duration,
    },
}

impl Error {
    /// Whether the input may be right but is beyond what the project supports or what the machine can give;
    /// otherwise the input, or the way the command is used, is at fault.
    pub fn is_limit(&self) -> bool {
        match self {
            Self::Unsupported { .. } | Self::TooLarge { .. } | Self::Crashed { .. } | Self::TimedOut { .. } => true,
            Self::ToolMissing { .. }
            | Self::Io { .. }
            | Self::Directory { .. }
            | Self::Empty { .. }
            | Self::UnknownKind { .. }
            | Self::Compile { .. }
            | Self::Invalid { .. }
            | Self::Pipeline { .. }
            | Self::Link { .. } => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ToolMissing { tool, searched } => {
                write!(
                    f,
                    "`{tool}` of LLVM 19 was not found; install it with `cargo xtask setup`, or set `ADJ_LLVM` to the \
                     folder of an LLVM 19 installation (looked for"
                )?;
                for (index, path) in searched.iter().enumerate() {
                    write!(f, "{} {}", if index == 0 { "" } else { "," }, path.display())?;
                }
                write!(f, ")")
            }
            Self::Io { file, action, source } => write!(f, "{file}: cannot {action}: {source}"),
            Self::Directory { file } => write!(f, "{file}: is a directory, not a program"),
            Self::Empty { file } => write!(f, "{file}: the file is empty"),
            Self::TooLarge { file, limit } => {
                write!(f, "{file}: larger than the limit of {} MiB", limit >> 20)
            }
            Self::UnknownKind { file } => {
                write!(f, "{file}: unknown kind of file; expected .c, .cpp, .f90, .ll or .bc")
            }
            Self::Compile { file, diagnostics } => write!(f, "{file}: does not compile\n{diagnostics}"),
            Self::Invalid { file, message } => write!(f, "{file}: not valid LLVM IR: {message}"),
            Self::Pipeline { passes, message } => write!(f, "cannot run the passes `{passes}`: {message}"),
            Self::Link { file, message } => write!(f, "{}: cannot be built: {message}", file.display()),
            Self::Unsupported { file, refusal, excerpt } => {
                write!(f, "{file}: unsupported: {refusal}\n  {excerpt}")
            }
            Self::Crashed { tool, file, message } => write!(f, "{file}: `{tool}` broke down: {message}"),
            Self::TimedOut { tool, file, limit } => {
                write!(f, "{file}: `{tool}` did not end within {} s", limit.as_secs_f64())
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Unsupported { refusal, .. } => Some(&**refusal),
            _ => None,
        }
    }
}
