//! The `adj` command: arguments, progress and rendering. Everything else is in the library.

mod args;
mod commands;
mod fuzzing;
mod judging;
mod opt;
mod output;
mod plugin;
mod progress;
mod repro;
mod values;

use clap::Parser;
use std::process::ExitCode;

/// Judging allocates and frees numbers of many limbs by the hundred million (those of MPFR, too, which takes this one
/// in place of libc's).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Stack of the thread that does the work: readers recurse with the nesting of types and constants.
const STACK: usize = 256 << 20;
/// The exit code of what should not happen.
const INTERNAL: u8 = 3;

fn main() -> ExitCode {
    if let Some(code) = verify::worker::serve_if_asked() {
        return code;
    }
    let arguments = match plugin::read(std::env::args_os().collect()) {
        Ok(arguments) => args::Arguments::parse_from(arguments),
        Err(error) => {
            eprintln!("adj: {error}");
            return ExitCode::from(error.exit_code());
        }
    };
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || commands::execute(arguments));
    let code = match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic has printed its own message.
        Ok(Err(_)) => {
            eprintln!("adj: internal error; please report the program that caused it");
            INTERNAL
        }
        Err(error) => {
            eprintln!("adj: cannot start a thread: {error}");
            INTERNAL
        }
    };
    ExitCode::from(code)
}
