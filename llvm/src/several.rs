//! A program in several files: sources, IR, objects and archives of the driver.
//!
//! Each is compiled as it would be alone, and `llvm-link` makes one module of them. Objects carry their IR
//! ([`crate::driver`]); of an archive those members take part that define what is undefined so far, as for a linker.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::driver::unit::{Archive, Unit};
use crate::error::Error;
use crate::find;
use crate::source::Language;
use crate::text::{self, Compiled};
use crate::tool::Tool;

/// What is compiled alone.
pub(crate) enum Part<'a> {
    /// A source, or IR.
    File(&'a Path),
    /// The unit that an object carries, as bitcode that is not optimised; with the object's name.
    Unit(String, Vec<u8>),
}

/// How it is compiled; the folder is for modules of Fortran.
type Compile<'a> = &'a dyn Fn(Part<'_>, &Path) -> Result<Compiled, Error>;

/// Compiles the files of a program to one module.
pub(crate) fn compile(paths: &[PathBuf], timeout: Duration, one: Compile<'_>) -> Result<Compiled, Error> {
    let first = paths.first().map(|path| path.display().to_string()).unwrap_or_default();
    let failed = |source| Error::Io { file: first.clone(), action: "make a folder for", source };
    let scratch = tempfile::Builder::new().prefix("adj-parts-").tempdir().map_err(failed)?;
    let folder = scratch.path();
    let (mut texts, mut diagnostics, mut archives) = (Vec::new(), String::new(), Vec::new());
    for path in paths {
        let compiled = if let Some(archive) = Archive::of_file(path, folder)? {
            archives.push((path, archive));
            continue;
        } else if Language::of(path).is_none()
            && let Some(unit) = Unit::of_file(path, folder)?.filter(|unit| unit.bitcode != *path)
        {
            one(of_unit(path, &unit)?, folder)?
        } else {
            one(Part::File(path), folder)?
        };
        diagnostics.push_str(&compiled.diagnostics);
        texts.push((path.display().to_string(), compiled.text));
    }
    let name = first.as_str();
    let mut text = link(name, texts, timeout)?;
    let mut found = true;
    while found && !archives.is_empty() {
        found = false;
        let wanted = undefined(&text);
        for (path, archive) in &mut archives {
            if let Some(unit) = archive.take(&wanted) {
                let member = one(of_unit(path, &unit)?, folder)?.text;
                let parts = vec![(first.clone(), text), (path.display().to_string(), member)];
                text = link(name, parts, timeout)?;
                found = true;
                break;
            }
        }
    }
    Ok(Compiled { text, diagnostics })
}

/// What canonical text only declares.
fn undefined(text: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let rest = &line[line.find('@')? + 1..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-$._".contains(c)))?;
        Some(rest[..end].to_owned())
    };
    let is_variable = |line: &str| line.starts_with('@') && line.contains(" = external ");
    text.lines().filter(|line| line.starts_with("declare ") || is_variable(line)).filter_map(name).collect()
}

fn of_unit(path: &Path, unit: &Unit) -> Result<Part<'static>, Error> {
    let name = path.display().to_string();
    let bytes = fs::read(&unit.bitcode).map_err(|source| Error::Io { file: name.clone(), action: "read", source })?;
    Ok(Part::Unit(name, bytes))
}

/// Links modules by their names; one is as it is.
pub(crate) fn link(file: &str, mut texts: Vec<(String, String)>, timeout: Duration) -> Result<String, Error> {
    if texts.len() < 2 {
        return Ok(texts.pop().map(|(_, text)| text).unwrap_or_default());
    }
    let failed = |action| move |source| Error::Io { file: file.to_owned(), action, source };
    let folder = tempfile::Builder::new().prefix("adj-link-").tempdir().map_err(failed("make a folder for"))?;
    let mut arguments = vec![OsString::from("-S"), OsString::from("-suppress-warnings")];
    for (number, (name, text)) in texts.into_iter().enumerate() {
        // The linker's messages name the file.
        let stem = Path::new(&name).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let path = folder.path().join(format!("{number}.{stem}.ll"));
        fs::write(&path, text).map_err(failed("write a part of"))?;
        arguments.push(path.into());
    }
    arguments.extend(["-o", "-"].map(OsString::from));
    let program = find::tool("llvm-link")?;
    let linker = Tool { name: "llvm-link", program: &program, file, timeout, scratch: Some(folder.path()) };
    let printed = linker.run(arguments, b"")?;
    if !printed.success {
        return Err(Error::Link { file: PathBuf::from(file), message: printed.messages });
    }
    Ok(text::into_text(file, printed)?.text)
}
