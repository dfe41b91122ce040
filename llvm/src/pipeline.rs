//! Optimisation passes over canonical text.

use std::time::Duration;

use crate::source::Level;
use crate::text::{self, TIME_LIMIT};
use crate::{Error, find};

/// The form in which loops are differentiated: one preheader, one latch, dedicated exits, and values that leave
/// a loop only through phis. It changes no computation.
pub const LOOP_FORM: &str = "function(loop-simplify,lcssa)";

/// LLVM's own pipeline of a level.
pub fn of_level(level: Level) -> String {
    format!("default<{level}>")
}

/// Runs passes, written as for `opt -passes`, such as `default<O2>` or `function(sroa,early-cse)`.
pub fn run(text: &str, passes: &str) -> Result<String, Error> {
    run_on("<memory>", text, passes, TIME_LIMIT)
}

/// [`run`] on text whose origin is known.
pub(crate) fn run_on(file: &str, text: &str, passes: &str, timeout: Duration) -> Result<String, Error> {
    let tools = find::toolchain()?;
    let printed = text::optimise(&tools, file, text.as_bytes(), passes, timeout)?;
    if !printed.success {
        // Was it the module or the passes? LLVM's reader tells.
        text::canonical(&tools, file, text.as_bytes(), timeout)?;
        return Err(Error::Pipeline { passes: passes.to_owned(), message: printed.messages });
    }
    Ok(text::into_text(file, printed)?.text)
}
