//! What a program needs to be executed: `main`, and the files and native code that it may use.

use crate::error::Error;
use interp::bridge::Bridge;
use interp::shims::files::{Access, Folder};
use ir::Module;
use std::ffi::OsStr;
use std::path::Path;

/// The files that a program may touch: those in a folder, or none.
pub fn access(folder: Option<&Path>) -> Result<Access, Error> {
    let Some(folder) = folder else { return Ok(Access::Refused) };
    let failed = |source| Error::Io { action: format!("permit the files in {}", folder.display()), source };
    Folder::new(folder).map(Access::Under).map_err(failed)
}

/// A bridge to these libraries of the host.
pub fn bridge<L: AsRef<OsStr>>(libraries: &[L]) -> Result<Bridge, Error> {
    let failed = |error: interp::bridge::NotOpened| Error::Usage(error.to_string());
    if libraries.is_empty() { Ok(Bridge::Closed) } else { Bridge::open(libraries).map_err(failed) }
}

/// Refuses a module that is no whole program.
pub(crate) fn require_main(module: &Module, name: &str) -> Result<(), Error> {
    if module.functions.values().any(|function| function.name == "main" && !function.is_declaration()) {
        return Ok(());
    }
    Err(Error::Usage(format!("{name}: the program has no function `main`")))
}
