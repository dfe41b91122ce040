//! `adj.h` and the headers of libraries that programs need not have, carried in the library and written out where a
//! compiler can find them.

use std::fs;
use std::io;
use std::path::Path;
use tempfile::TempDir;

/// The text of the header.
pub const TEXT: &str = include_str!("../include/adj.h");

/// The headers of MPI, CUDA and HIP programs, and what C++ strings are compiled with.
const OTHERS: [(&str, &str); 4] = [
    ("before/bits/basic_string.tcc", include_str!("../include/before/bits/basic_string.tcc")),
    ("mpi.h", include_str!("../include/mpi.h")),
    ("cuda_runtime.h", include_str!("../include/cuda_runtime.h")),
    ("hip/hip_runtime.h", include_str!("../include/hip/hip_runtime.h")),
];

/// A folder that holds the headers and lives as long as this value.
#[derive(Debug)]
pub struct IncludeDir(TempDir);

impl IncludeDir {
    /// Writes them to a fresh temporary folder.
    pub fn new() -> io::Result<IncludeDir> {
        let folder = tempfile::Builder::new().prefix("adj-include-").tempdir()?;
        fs::write(folder.path().join("adj.h"), TEXT)?;
        for (name, text) in OTHERS {
            let path = folder.path().join(name);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, text)?;
        }
        Ok(IncludeDir(folder))
    }

    /// The folder, for the compiler's include path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
