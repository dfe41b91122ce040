//! Translation units as bitcode: in files, in sections of objects, in archives.
//!
//! An object made by the driver carries the unoptimised bitcode of its unit in the section `.llvmbc` and the options of
//! its translation in `.llvmcmd` (the sections of clang's `-fembed-bitcode`), both marked so that a linker leaves them
//! out. When objects are linked by the driver, the units are merged and differentiated together.
//!
//! Of an archive those members take part that a linker would load: the ones that define what is undefined so far.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::find;

const BITCODE: &[u8] = b"BC\xC0\xDE";
const ARCHIVE: &[u8] = b"!<arch>\n";
const ELF: &[u8] = b"\x7FELF";
const SECTION: &str = ".llvmbc";
const OPTIONS: &str = ".llvmcmd";

/// A translation unit.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Its bitcode.
    pub bitcode: PathBuf,
    /// Options of its translation; empty if they are not known.
    pub options: Vec<OsString>,
}

/// An archive with units in it.
pub(crate) struct Archive {
    members: Vec<(Unit, BTreeSet<String>)>,
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}

impl Unit {
    /// Does it call for derivatives, or tell something of functions? Names stand in bitcode byte by byte.
    pub fn asks(&self) -> Result<bool, Error> {
        let bytes = read(&self.bitcode)?;
        Ok(contains(&bytes, b"__enzyme_") || contains(&bytes, b"__adj_check_"))
    }

    /// The unit in a file that is given to the linker, if there is one.
    pub fn of_file(path: &Path, scratch: &Path) -> Result<Option<Unit>, Error> {
        let Ok(bytes) = fs::read(path) else { return Ok(None) };
        Unit::of_bytes(&bytes, path, scratch)
    }

    fn of_bytes(bytes: &[u8], path: &Path, scratch: &Path) -> Result<Option<Unit>, Error> {
        if bytes.starts_with(BITCODE) {
            return Ok(Some(Unit { bitcode: path.to_owned(), options: Vec::new() }));
        }
        if !bytes.starts_with(ELF) || !contains(bytes, SECTION.as_bytes()) {
            return Ok(None);
        }
        let (bitcode, options) = (fresh(scratch, "bc"), fresh(scratch, "cmd"));
        if !section(path, SECTION, &bitcode)? || !read(&bitcode)?.starts_with(BITCODE) {
            return Ok(None);
        }
        let kept = if section(path, OPTIONS, &options)? { read(&options)? } else { Vec::new() };
        let words = kept.split(|b| *b == 0).filter(|word| !word.is_empty());
        Ok(Some(Unit { bitcode, options: words.map(|w| OsString::from_vec(w.to_vec())).collect() }))
    }

    /// Puts the unit into the object that was made of it.
    pub fn embed(&self, object: &Path, scratch: &Path) -> Result<(), Error> {
        let options = fresh(scratch, "cmd");
        let mut bytes = Vec::new();
        for option in &self.options {
            bytes.extend_from_slice(option.as_bytes());
            bytes.push(0);
        }
        fs::write(&options, bytes).map_err(io(&options, "write"))?;
        let add = |section: &str, from: &Path| -> OsString {
            [OsStr::new(section), OsStr::new("="), from.as_os_str()].into_iter().collect()
        };
        let (done, said) = tool("llvm-objcopy", |c| {
            c.arg("--add-section").arg(add(SECTION, &self.bitcode)).arg("--add-section").arg(add(OPTIONS, &options));
            for section in [SECTION, OPTIONS] {
                c.arg(format!("--set-section-flags={section}=exclude"));
            }
            c.arg(object)
        })?;
        if done { Ok(()) } else { Err(Error::Link { file: object.to_owned(), message: said }) }
    }
}

impl Archive {
    /// The archive of a file, if it is one and holds units.
    pub fn of_file(path: &Path, scratch: &Path) -> Result<Option<Archive>, Error> {
        let Ok(bytes) = fs::read(path) else { return Ok(None) };
        if !bytes.starts_with(ARCHIVE) {
            return Ok(None);
        }
        let mut members = Vec::new();
        for content in members_of(&bytes) {
            if !content.starts_with(BITCODE) && !contains(content, SECTION.as_bytes()) {
                continue;
            }
            let file = fresh(scratch, "o");
            fs::write(&file, content).map_err(io(&file, "write"))?;
            if let Some(unit) = Unit::of_file(&file, scratch)? {
                let defined = symbols(&unit.bitcode, &["--defined-only"])?;
                members.push((unit, defined));
            }
        }
        Ok((!members.is_empty()).then_some(Archive { members }))
    }

    /// Takes out a member that defines one of the symbols.
    pub fn take(&mut self, wanted: &BTreeSet<String>) -> Option<Unit> {
        let at = self.members.iter().position(|(_, defined)| !defined.is_disjoint(wanted))?;
        Some(self.members.remove(at).0)
    }
}

/// The contents of the members of an archive in the common format: a header of 60 bytes with the size in decimal at
/// 48, members at even offsets.
fn members_of(bytes: &[u8]) -> Vec<&[u8]> {
    let (mut out, mut at) = (Vec::new(), ARCHIVE.len());
    while let Some(header) = bytes.get(at..at + 60) {
        let size = std::str::from_utf8(&header[48..58]).ok().and_then(|s| s.trim().parse::<usize>().ok());
        let Some(content) = size.and_then(|size| bytes.get(at + 60..at + 60 + size)) else { break };
        out.push(content);
        at += 60 + content.len() + content.len() % 2;
    }
    out
}

/// Merges units into one; what the linker of LLVM refuses is told in its words.
pub(super) fn merge(units: &[Unit], into: &Path) -> Result<Result<(), String>, Error> {
    let (done, said) = tool("llvm-link", |c| c.arg("-o").arg(into).args(units.iter().map(|u| u.bitcode.as_os_str())))?;
    Ok(if done { Ok(()) } else { Err(said) })
}

/// Writes a section of an object or a program to a file; says whether there is one.
pub(super) fn section(of: &Path, name: &str, to: &Path) -> Result<bool, Error> {
    let argument: OsString = [OsStr::new(name), OsStr::new("="), to.as_os_str()].into_iter().collect();
    Ok(tool("llvm-objcopy", |c| c.arg("--dump-section").arg(argument).arg(of).arg("/dev/null"))?.0)
}

/// Is it an object that has not been linked (ELF, `ET_REL`)?
pub(super) fn is_object(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes.starts_with(ELF) && bytes.get(16) == Some(&1))
}

/// Symbols of an object or of bitcode, as `llvm-nm` selects them.
pub(super) fn symbols(file: &Path, which: &[&str]) -> Result<BTreeSet<String>, Error> {
    let mut command = Command::new(find::tool("llvm-nm")?);
    command.arg("--format=just-symbols").args(which).arg(file);
    let output = command.output().map_err(io(file, "run llvm-nm on"))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// Runs a tool of LLVM: whether it succeeded, and what it said.
fn tool(name: &'static str, arguments: impl FnOnce(&mut Command) -> &mut Command) -> Result<(bool, String), Error> {
    let program = find::tool(name)?;
    let mut command = Command::new(&program);
    let output = arguments(&mut command).output().map_err(io(&program, "run"))?;
    let said = String::from_utf8_lossy(&output.stderr).replace(&format!("{}: ", program.display()), "");
    Ok((output.status.success(), said))
}

/// A path in the scratch folder that is not taken.
pub(super) fn fresh(scratch: &Path, extension: &str) -> PathBuf {
    (0..).map(|n| scratch.join(format!("{n}.{extension}"))).find(|path| !path.exists()).unwrap_or_default()
}

pub(super) fn io(file: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Error {
    move |source| Error::Io { file: file.display().to_string(), action, source }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(io(path, "read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_an_archive_are_found() {
        let mut bytes = ARCHIVE.to_vec();
        for content in ["abc", "", "four"] {
            bytes.extend(format!("{:<48}{:<10}`\n{content}", "name/", content.len()).bytes());
            bytes.extend(std::iter::repeat_n(b'\n', content.len() % 2));
        }
        assert_eq!(members_of(&bytes), [b"abc" as &[u8], b"", b"four"]);
        // One that is cut off is left out.
        bytes.pop();
        assert_eq!(members_of(&bytes), [b"abc" as &[u8], b""]);
    }
}
