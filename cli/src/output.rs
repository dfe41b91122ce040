//! What several commands print and read in the same way.

use ad::{Lever, Without};
use adjudicate::{Error, Fault, Input, Language, Level};
use std::io::Write;
use std::path::{Path, PathBuf};

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

/// The files of a program.
pub(crate) fn inputs(paths: &[PathBuf]) -> Result<Input, Error> {
    match paths {
        // What is no source may be an object, or an archive.
        [path] if path == Path::new("-") || Language::of(path).is_some() || !path.is_file() => input(path),
        _ => {
            if let Some(other) = paths[1..].iter().find(|path| !path.is_file()) {
                let message = format!("{}: no such file; arguments of the program come after `--`", other.display());
                return Err(Error::Usage(message));
            }
            Ok(Input::Files(paths.to_vec()))
        }
    }
}

/// Says which sources have pragmas of OpenMP that the compiler ignores.
pub(crate) fn note_ignored_pragmas(paths: &[PathBuf], flags: &[String]) {
    if flags.iter().any(|flag| flag.contains("openmp")) {
        return;
    }
    for path in paths.iter().filter(|path| matches!(Language::of(path), Some(Language::C | Language::Cxx))) {
        let pragma = |line: &str| line.trim_start().strip_prefix('#').is_some_and(is_of_openmp);
        if std::fs::read_to_string(path).is_ok_and(|text| text.lines().any(pragma)) {
            let name = path.display();
            eprintln!("adj: note: {name} has `#pragma omp`, which is ignored without `--cflag -fopenmp`");
        }
    }
}

/// `pragma omp …`
fn is_of_openmp(directive: &str) -> bool {
    let mut words = directive.split_whitespace();
    (words.next(), words.next()) == (Some("pragma"), Some("omp"))
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
