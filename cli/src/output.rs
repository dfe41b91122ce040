//! What several commands print in the same way.

use adjudicate::{Error, Fault, Level};
use std::io::Write;

/// Prints to standard output. A closed pipe is the reader's business.
pub(crate) fn print(text: &str) -> Result<u8, Error> {
    drop(std::io::stdout().write_all(text.as_bytes()));
    Ok(0)
}

pub(crate) fn fault(name: Option<&str>) -> Result<Option<Fault>, Error> {
    let Some(name) = name else { return Ok(None) };
    let names = || Fault::ALL.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
    let known = Fault::parse(name).ok_or_else(|| Error::Usage(format!("no defect `{name}`; there are {}", names())))?;
    Ok(Some(known))
}

pub(crate) fn level(name: &str) -> Result<Level, Error> {
    name.parse().map_err(|error: adjudicate::UnknownLevel| Error::Usage(error.to_string()))
}
