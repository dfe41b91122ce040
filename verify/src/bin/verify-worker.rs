//! Asks z3 on behalf of the process that starts it, and does nothing else; see [`verify::worker`].

use std::process::ExitCode;

fn main() -> ExitCode {
    // Started by hand it has nobody to answer.
    verify::worker::serve_if_asked().unwrap_or(ExitCode::FAILURE)
}
