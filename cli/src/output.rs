//! What several commands print and read in the same way.

use ad::{Lever, Without};
use adjudicate::{Error, Fault, Input, Level};
use std::io::Write;
use std::path::Path;

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

/// A file, or IR from standard input.
pub(crate) fn input(path: &Path) -> Result<Input, Error> {
    if path == Path::new("-") { Ok(Input::ir_from_stdin()?) } else { Ok(Input::File(path.to_owned())) }
}

/// The optimisations of these names.
pub(crate) fn without(names: &[String]) -> Result<Without, Error> {
    let all = || Lever::ALL.map(|(_, name)| name).join(", ");
    names.iter().flat_map(|names| names.split(',')).try_fold(Without::default(), |so_far, name| {
        let lever =
            Lever::parse(name).ok_or_else(|| Error::Usage(format!("no lever `{name}`; there are {}", all())))?;
        Ok(so_far.and(lever))
    })
}
