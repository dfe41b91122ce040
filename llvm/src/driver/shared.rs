//! The command line of a shared library that is loaded into the process that has made it.
//!
//! Nothing in it may be left open, for an undefined function would end the process where it is first called: the linker
//! refuses it instead (`-z defs`). Names of the program mean the program's own functions, whatever the process has of
//! the same name (`-Bsymbolic`). Of the libraries that are offered, those are loaded that are needed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::driver::Compiler;
use crate::source::{Language, Level};
use crate::tool::argument;

/// What a library is made of, and how.
#[derive(Clone, Debug, Default)]
pub struct SharedLibrary {
    /// Sources in C and C++, IR, and objects and archives of `adj cc`.
    pub files: Vec<PathBuf>,
    /// The level of optimisation.
    pub level: Level,
    /// More options of clang; they come behind ours.
    pub flags: Vec<String>,
    /// Libraries by name, such as `blas`.
    pub libraries: Vec<String>,
}

impl SharedLibrary {
    /// Whose command line is it?
    pub fn compiler(&self) -> Compiler {
        match self.files.iter().any(|file| Language::of(file) == Some(Language::Cxx)) {
            true => Compiler::ClangCxx,
            false => Compiler::Clang,
        }
    }

    /// A source that clang does not compile for this machine alone.
    pub fn foreign(&self) -> Option<&Path> {
        let foreign =
            |file: &&PathBuf| matches!(Language::of(file), Some(Language::Fortran | Language::Cuda | Language::Hip));
        self.files.iter().find(foreign).map(PathBuf::as_path)
    }

    /// Arguments for clang.
    pub fn arguments(&self, out: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> =
            ["-shared", "-fPIC", "-Wl,-z,defs", "-Wl,-Bsymbolic", "-fno-crash-diagnostics"].map(OsString::from).into();
        words.push(format!("-{}", self.level).into());
        words.extend(self.flags.iter().map(OsString::from));
        // What starts like an option is none.
        let starts_like_option = |file: &Path| file.as_os_str().as_encoded_bytes().starts_with(b"-");
        words.extend(self.files.iter().map(|f| if starts_like_option(f) { argument(f) } else { f.into() }));
        words.extend(["-o".into(), argument(out), "-Wl,--as-needed".into()]);
        words.extend(self.libraries.iter().map(|library| format!("-l{library}").into()));
        words.push("-lm".into());
        words
    }
}
