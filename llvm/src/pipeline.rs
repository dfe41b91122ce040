//! Optimisation passes over canonical text.

use std::ffi::OsString;
use std::time::Duration;

use crate::error::Error;
use crate::find::{self, Toolchain};
use crate::source::Level;
use crate::text::{self, TIME_LIMIT};
use crate::tool::Tool;

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
    run_on_bytes(file, text.as_bytes(), passes, timeout)
}

/// The same on text or bitcode.
pub(crate) fn run_on_bytes(file: &str, bytes: &[u8], passes: &str, timeout: Duration) -> Result<String, Error> {
    run_with(file, bytes, passes, (&[], timeout))
}

fn run_with(file: &str, bytes: &[u8], passes: &str, (options, timeout): (&[&str], Duration)) -> Result<String, Error> {
    let tools = find::toolchain()?;
    let printed = text::optimise(&tools, file, bytes, passes, (options, timeout))?;
    if !printed.success {
        // Was it the module or the passes? LLVM's reader tells.
        text::canonical(&tools, file, bytes, timeout)?;
        return Err(Error::Pipeline { passes: passes.to_owned(), message: printed.messages });
    }
    Ok(text::into_text(file, printed)?.text)
}

/// What runs before differentiation at a level ("O1" to "O3", "Os", "Oz"): LLVM's simplification of functions and of
/// the call graph. It is the pipeline that prepares for linking: vectorisation and run-time unrolling come after that,
/// and nothing marks loops as if they were not to be unrolled later. At its end blocks before loops are folded away;
/// [`LOOP_FORM`] brings them back, so that what a loop needs can be made where it is entered.
pub fn simplification(level: &str) -> String {
    format!("thinlto-pre-link<{level}>,globaldce,{LOOP_FORM}")
}

/// The option of LLVM with which gradients are translated: two scalars become a vector where that saves more than so
/// many instructions by LLVM's model of costs ("Only vectorize if you gain more than this number"), not wherever it
/// saves one. An adjoint is a sum of scalars from everywhere, and the model takes loads that gather them for free,
/// which they are not: the scalar sum has its operand from memory.
pub const PACKING: &str = "-slp-threshold=4";

/// [`run_on`] for gradients: with [`PACKING`], if that is wanted.
pub(crate) fn run_last(file: &str, text: &str, passes: &str, packing: bool) -> Result<String, Error> {
    let options = if packing { &[PACKING][..] } else { &[] };
    run_with(file, text.as_bytes(), passes, (options, TIME_LIMIT))
}

/// The same module without debug information.
pub(crate) fn without_debug(tools: &Toolchain, file: &str, text: &str, timeout: Duration) -> Result<String, Error> {
    let opt = Tool { name: "opt", program: &tools.opt, file, timeout, scratch: None };
    let arguments = ["-S", "-strip-debug", "-passes=verify", "-o", "-", "-"].map(OsString::from);
    let printed = opt.run(arguments.to_vec(), text.as_bytes())?;
    if !printed.success {
        return Err(Error::Invalid { file: file.to_owned(), message: printed.messages });
    }
    Ok(text::into_text(file, printed)?.text)
}
