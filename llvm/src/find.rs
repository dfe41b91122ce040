//! Where the tools of LLVM 19 are.
//!
//! Looked for in this order: `$ADJ_LLVM/bin`, `$LLVM_SYS_191_PREFIX/bin`, Debian's `/usr/lib/llvm-19/bin`, and on
//! `PATH` under the versioned name (`clang-19`). An unversioned `clang` on `PATH` is not taken: its IR would be
//! another version's.

use std::env;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Where Debian and Ubuntu put LLVM 19.
const DEBIAN: &str = "/usr/lib/llvm-19";

/// The programs this crate runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// The C and C++ compiler, and driver of the linker.
    pub clang: PathBuf,
    /// The optimiser, which also reads, verifies and prints IR.
    pub opt: PathBuf,
}

/// Finds `clang` and `opt`.
pub fn toolchain() -> Result<Toolchain, Error> {
    let places = Places::of_this_machine();
    Ok(Toolchain { clang: places.find("clang", "clang-19")?, opt: places.find("opt", "opt-19")? })
}

/// Finds another program of LLVM, such as `llvm-link`.
pub fn tool(name: &'static str) -> Result<PathBuf, Error> {
    Places::of_this_machine().find(name, &format!("{name}-19"))
}

/// Finds the Fortran compiler, which is not needed otherwise.
pub fn flang() -> Result<PathBuf, Error> {
    Places::of_this_machine().find("flang-new", "flang-new-19")
}

/// The folders to look into.
struct Places {
    /// Folders where tools have their plain name.
    installations: Vec<PathBuf>,
    /// Folders where tools have their versioned name.
    path: Vec<PathBuf>,
}

impl Places {
    fn of_this_machine() -> Self {
        let prefixes = ["ADJ_LLVM", "LLVM_SYS_191_PREFIX"].into_iter().filter_map(env::var_os);
        let installations =
            prefixes.filter(|prefix| !prefix.is_empty()).map(PathBuf::from).chain([PathBuf::from(DEBIAN)]);
        let path = env::var_os("PATH").unwrap_or_default();
        Self {
            installations: installations.map(|prefix| prefix.join("bin")).collect(),
            path: env::split_paths(&path).collect(),
        }
    }

    fn find(&self, plain: &'static str, versioned: &str) -> Result<PathBuf, Error> {
        let mut searched: Vec<PathBuf> = Vec::new();
        let candidates = self.installations.iter().map(|folder| folder.join(plain));
        for candidate in candidates.chain(self.path.iter().map(|folder| folder.join(versioned))) {
            if is_program(&candidate) {
                return Ok(candidate);
            }
            if !searched.contains(&candidate) {
                searched.push(candidate);
            }
        }
        Err(Error::ToolMissing { tool: plain, searched })
    }
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn an_installation_wins_over_the_path_and_only_programs_count() {
        let folder = tempfile::tempdir().unwrap();
        let [installed, path] = ["installed", "path"].map(|name| folder.path().join(name));
        for directory in [&installed, &path] {
            std::fs::create_dir(directory).unwrap();
        }
        std::fs::write(installed.join("clang"), "").unwrap();
        std::fs::write(path.join("clang-19"), "").unwrap();
        std::fs::set_permissions(path.join("clang-19"), PermissionsExt::from_mode(0o755)).unwrap();
        let places = Places { installations: vec![installed.clone()], path: vec![path.clone()] };
        assert_eq!(places.find("clang", "clang-19").unwrap(), path.join("clang-19"));

        std::fs::set_permissions(installed.join("clang"), PermissionsExt::from_mode(0o755)).unwrap();
        assert_eq!(places.find("clang", "clang-19").unwrap(), installed.join("clang"));
    }

    #[test]
    fn an_absent_tool_says_how_to_get_it() {
        let places = Places { installations: vec!["/nowhere/bin".into()], path: vec!["/elsewhere".into()] };
        let message = places.find("opt", "opt-19").unwrap_err().to_string();
        for part in ["`opt`", "cargo xtask setup", "/nowhere/bin/opt", "/elsewhere/opt-19"] {
            assert!(message.contains(part), "{message}");
        }
    }
}
