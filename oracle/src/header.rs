//! `adj.h`, carried in the library and written out where a compiler can find it.

use std::fs;
use std::io;
use std::path::Path;
use tempfile::TempDir;

/// The text of the header.
pub const TEXT: &str = include_str!("../include/adj.h");

/// A folder that holds `adj.h` and lives as long as this value.
#[derive(Debug)]
pub struct IncludeDir(TempDir);

impl IncludeDir {
    /// Writes the header to a fresh temporary folder.
    pub fn new() -> io::Result<IncludeDir> {
        let folder = tempfile::Builder::new().prefix("adj-include-").tempdir()?;
        fs::write(folder.path().join("adj.h"), TEXT)?;
        Ok(IncludeDir(folder))
    }

    /// The folder, for the compiler's include path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
