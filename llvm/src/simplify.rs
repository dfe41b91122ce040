//! The passes that run before a module is differentiated.

use crate::error::Error;
use crate::text::{self, TIME_LIMIT};
use crate::{captured, find, pin, pipeline};

/// The text of a module, given as text or bitcode, as it is differentiated after optimisation at a level ("O1" to "O3",
/// "Os", "Oz").
pub(crate) fn at_level(file: &str, bytes: &[u8], level: &str) -> Result<String, Error> {
    by(&pipeline::simplification(level), file, bytes)
}

/// The same by these passes.
pub(crate) fn by(passes: &str, file: &str, bytes: &[u8]) -> Result<String, Error> {
    let handed = captured::handed_over(file, bytes)?;
    let bytes = handed.as_deref().map_or(bytes, str::as_bytes);
    let text = pipeline::run_on_bytes(file, bytes, passes, TIME_LIMIT)?;
    if pin::is_needed(&text) { pin::run_on(file, &canonical(file, bytes)?, passes, TIME_LIMIT) } else { Ok(text) }
}

/// The text of a module without any pass.
pub(crate) fn canonical(file: &str, bytes: &[u8]) -> Result<String, Error> {
    Ok(text::canonical(&find::toolchain()?, file, bytes, TIME_LIMIT)?.text)
}
