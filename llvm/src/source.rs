//! What an input is: its language, its bytes, and the optimisation level to read it at.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::error::Error;
use crate::newer::in_older_words;

/// Largest input that is read, in bytes.
pub const INPUT_LIMIT: u64 = 256 << 20;
/// Largest canonical text that is accepted from LLVM, in bytes.
pub(crate) const TEXT_LIMIT: usize = 1 << 30;

/// How bitcode starts, bare and in its wrapper.
const BITCODE: [&[u8]; 2] = [b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B"];

/// An optimisation level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// `-O0`
    O0,
    /// `-O1`
    O1,
    /// `-O2`
    #[default]
    O2,
    /// `-O3`
    O3,
}

impl Level {
    /// All levels, lowest first.
    pub const ALL: [Self; 4] = [Self::O0, Self::O1, Self::O2, Self::O3];

    /// Its name, such as `O2`: also the compiler's option without its dash.
    pub fn name(self) -> &'static str {
        match self {
            Self::O0 => "O0",
            Self::O1 => "O1",
            Self::O2 => "O2",
            Self::O3 => "O3",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no optimisation level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevel(String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not an optimisation level; expected O0, O1, O2 or O3", self.0)
    }
}

impl std::error::Error for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    /// `O2`, `-O2` and `2` are the same.
    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        let bare = text.strip_prefix('-').unwrap_or(text);
        let digit = bare.strip_prefix('O').unwrap_or(bare);
        let level = Self::ALL.into_iter().find(|level| &level.name()[1..] == digit);
        level.ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}

/// The language of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C
    C,
    /// C++
    Cxx,
    /// Fortran
    Fortran,
    /// CUDA: C++ for a host and a device
    Cuda,
    /// HIP: the same for AMD's
    Hip,
    /// LLVM IR, as text or as bitcode: LLVM tells one from the other.
    Ir,
}

impl Language {
    /// The language that a file's name tells.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension().and_then(OsStr::to_str)? {
            "c" => Some(Self::C),
            "cpp" | "cc" | "cxx" | "c++" | "C" => Some(Self::Cxx),
            "f90" | "F90" | "f95" | "f03" | "f08" | "f" => Some(Self::Fortran),
            "cu" => Some(Self::Cuda),
            "hip" => Some(Self::Hip),
            "ll" | "bc" => Some(Self::Ir),
            _ => None,
        }
    }
}

/// What is to be read.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file; its name tells the language, or else its content may tell that it is bitcode.
    File(PathBuf),
    /// The files of one program: sources, IR, objects of the driver, archives of them.
    Files(Vec<PathBuf>),
    /// Bytes in memory.
    Bytes {
        /// Their name in messages.
        name: String,
        /// Their language.
        language: Language,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

impl Input {
    /// Reads IR, as text or bitcode, from standard input.
    pub fn ir_from_stdin() -> Result<Self, Error> {
        let name = "<stdin>".to_owned();
        let bytes = read_at_most(io::stdin().lock(), &name)?;
        Ok(Self::Bytes { name, language: Language::Ir, bytes })
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Files(paths) => paths.first().map(|path| path.display().to_string()).unwrap_or_default(),
            Self::Bytes { name, .. } => name.clone(),
        }
    }

    /// The language, and the bytes unless a compiler is to read the file itself: a source file's includes are
    /// relative to where it is.
    pub(crate) fn open(&self) -> Result<Opened<'_>, Error> {
        match self {
            Self::Bytes { name, bytes, .. } if bytes.is_empty() => Err(Error::Empty { file: name.clone() }),
            Self::Bytes { language: Language::Ir, bytes, .. } => Ok(Opened::Ir(in_older_words(bytes).into_owned())),
            Self::Bytes { language, bytes, .. } => Ok(Opened::Bytes(*language, bytes)),
            Self::File(path) => open_file(path),
            // They are opened one by one.
            Self::Files(_) => Err(Error::UnknownKind { file: self.name() }),
        }
    }
}

/// An input that exists and has content.
#[derive(Debug)]
pub(crate) enum Opened<'a> {
    /// IR in memory.
    Ir(Vec<u8>),
    /// Source in memory.
    Bytes(Language, &'a [u8]),
    /// Source in a file.
    File(Language, &'a Path),
}

fn open_file(path: &Path) -> Result<Opened<'_>, Error> {
    let name = path.display().to_string();
    let io_error = |action| move |source| Error::Io { file: path.display().to_string(), action, source };
    let data = path.metadata().map_err(io_error("read"))?;
    if data.is_dir() {
        return Err(Error::Directory { file: name });
    }
    if data.len() > INPUT_LIMIT {
        return Err(Error::TooLarge { file: name, limit: INPUT_LIMIT });
    }
    let file = File::open(path).map_err(io_error("open"))?;
    match Language::of(path) {
        Some(language @ (Language::C | Language::Cxx | Language::Fortran | Language::Cuda | Language::Hip)) => {
            if data.is_file() && data.len() == 0 {
                return Err(Error::Empty { file: name });
            }
            Ok(Opened::File(language, path))
        }
        language @ (Some(Language::Ir) | None) => {
            let bytes = read_at_most(file, &name)?;
            if bytes.is_empty() {
                Err(Error::Empty { file: name })
            } else if language.is_some() || BITCODE.iter().any(|magic| bytes.starts_with(magic)) {
                Ok(Opened::Ir(in_older_words(&bytes).into_owned()))
            } else {
                Err(Error::UnknownKind { file: name })
            }
        }
    }
}

fn read_at_most(reader: impl Read, name: &str) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let result = reader.take(INPUT_LIMIT + 1).read_to_end(&mut bytes);
    result.map_err(|source| Error::Io { file: name.to_owned(), action: "read", source })?;
    if bytes.len() as u64 > INPUT_LIMIT {
        return Err(Error::TooLarge { file: name.to_owned(), limit: INPUT_LIMIT });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_in_three_spellings() {
        for (text, level) in [("O0", Level::O0), ("-O2", Level::O2), ("3", Level::O3)] {
            assert_eq!(text.parse(), Ok(level));
        }
        for text in ["", "O4", "Os", "O", "--O2", "O12", "-"] {
            assert_eq!(text.parse::<Level>(), Err(UnknownLevel(text.to_owned())));
        }
    }

    #[test]
    fn names_tell_languages() {
        let of = |name: &str| Language::of(Path::new(name));
        assert_eq!(of("a.b/x.c"), Some(Language::C));
        assert_eq!(of("x.C"), Some(Language::Cxx));
        assert_eq!(of("x.f90"), Some(Language::Fortran));
        assert_eq!((of("x.cu"), of("x.hip")), (Some(Language::Cuda), Some(Language::Hip)));
        assert_eq!((of("x.ll"), of("x.bc")), (Some(Language::Ir), Some(Language::Ir)));
        assert_eq!((of("c"), of("x.txt"), of(".c")), (None, None, None));
    }
}
