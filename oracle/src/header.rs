//! `adj.h`, the C++ interface and the headers of libraries that programs need not have, carried in the library and
//! written out where a compiler can find them.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The text of the header.
pub const TEXT: &str = include_str!("../include/adj.h");

/// The C++ interface, and its package for CMake; the markers for Fortran; the headers of MPI, CUDA and HIP programs;
/// and what C++ strings are compiled with.
const OTHERS: [(&str, &str); 10] = [
    ("enzyme/enzyme", include_str!("../include/enzyme/enzyme")),
    ("enzyme/utils", include_str!("../include/enzyme/utils")),
    ("enzyme/tuple", include_str!("../include/enzyme/tuple")),
    ("cmake/EnzymeConfig.cmake", include_str!("../include/cmake/EnzymeConfig.cmake")),
    ("cmake/EnzymeConfigVersion.cmake", include_str!("../include/cmake/EnzymeConfigVersion.cmake")),
    ("before/bits/basic_string.tcc", include_str!("../include/before/bits/basic_string.tcc")),
    ("adj_markers.f90", include_str!("../include/adj_markers.f90")),
    ("mpi.h", include_str!("../include/mpi.h")),
    ("cuda_runtime.h", include_str!("../include/cuda_runtime.h")),
    ("hip/hip_runtime.h", include_str!("../include/hip/hip_runtime.h")),
];

/// A folder that holds the headers: one for each version of them, that stays, since files of dependencies (`-MD`) name
/// what is in it; where none can be made, one that lives as long as this value.
#[derive(Debug)]
pub struct IncludeDir {
    path: PathBuf,
    _temporary: Option<TempDir>,
}

impl IncludeDir {
    /// Finds it, or writes it.
    pub fn new() -> io::Result<IncludeDir> {
        let cache = ["XDG_CACHE_HOME", "HOME"].iter().find_map(|name| {
            let folder = PathBuf::from(std::env::var_os(name).filter(|value| !value.is_empty())?);
            Some(if *name == "HOME" { folder.join(".cache") } else { folder })
        });
        if let Some(path) = cache.and_then(|cache| kept(&cache.join("adjudicate")).ok()) {
            return Ok(IncludeDir { path, _temporary: None });
        }
        let folder = temporary(&std::env::temp_dir())?;
        Ok(IncludeDir { path: folder.path().to_owned(), _temporary: Some(folder) })
    }

    /// The folder that stays; an error where none can be kept.
    pub fn kept() -> io::Result<PathBuf> {
        let found = IncludeDir::new()?;
        match found._temporary {
            None => Ok(found.path),
            Some(_) => Err(io::Error::other("no folder can be kept: neither XDG_CACHE_HOME nor HOME names one")),
        }
    }

    /// The folder, for the compiler's include path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The folder for these headers in a cache, written whole before it gets its name: others may look for it.
fn kept(cache: &Path) -> io::Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    files().for_each(|file| file.hash(&mut hasher));
    let path = cache.join(format!("include-{:016x}", hasher.finish()));
    let is_whole = || files().all(|(name, text)| fs::read(path.join(name)).is_ok_and(|there| there == text.as_bytes()));
    if !is_whole() {
        fs::create_dir_all(cache)?;
        let made = temporary(cache)?.keep();
        if fs::rename(&made, &path).is_err() {
            fs::remove_dir_all(&made)?;
        }
    }
    if is_whole() { Ok(path) } else { Err(io::Error::other("other files are in the way")) }
}

fn temporary(within: &Path) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("adj-include-").tempdir_in(within)?;
    for (name, text) in files() {
        let path = folder.path().join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    Ok(folder)
}

fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    [("adj.h", TEXT)].into_iter().chain(OTHERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_stays_and_is_the_same_for_all() {
        let cache = tempfile::tempdir().unwrap();
        let first = kept(cache.path()).unwrap();
        assert_eq!(fs::read_to_string(first.join("adj.h")).unwrap(), TEXT);
        assert_eq!(kept(cache.path()).unwrap(), first);
        assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 1);
        // Whoever has changed it does not change what programs are compiled with.
        fs::write(first.join("adj.h"), "").unwrap();
        assert!(kept(cache.path()).is_err());
    }
}
