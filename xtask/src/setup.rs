//! The system packages of the build: looks at what is there, installs what is missing when it may.
//!
//! A package counts as present when a file that the build needs from it is there, so a machine on which somebody
//! put the same files by other means is left alone. With everything present this is silent and fast.

use crate::process::{self, Failure};
use std::path::Path;
use std::process::{Command, Stdio};

/// One system package and a file of it that the build needs. `*` stands for any one folder name.
struct Package {
    name: &'static str,
    probe: &'static str,
}

const PACKAGES: &[Package] = &[
    // Compiles programs, and links what is run natively.
    Package { name: "clang-19", probe: "usr/lib/llvm-19/bin/clang" },
    // Compiles programs in Fortran.
    Package { name: "flang-19", probe: "usr/bin/flang-new-19" },
    // Reads, verifies, optimises and prints IR.
    Package { name: "llvm-19", probe: "usr/lib/llvm-19/bin/opt" },
    // LLVM's library, with which tests of `llvm` read modules a second time.
    Package { name: "llvm-19-dev", probe: "usr/lib/llvm-19/include/llvm-c/Core.h" },
    // Multi-precision arithmetic.
    Package { name: "libgmp-dev", probe: "usr/include/*/gmp.h" },
    Package { name: "libmpfr-dev", probe: "usr/include/mpfr.h" },
    // Calls native code on behalf of interpreted programs.
    Package { name: "libffi-dev", probe: "usr/include/*/ffi.h" },
    // Proves rules and gradients.
    Package { name: "libz3-dev", probe: "usr/include/z3.h" },
    // The standard headers of C and C++, which clang takes from the system.
    Package { name: "libc6-dev", probe: "usr/include/stdio.h" },
    Package { name: "libstdc++-12-dev", probe: "usr/include/c++/*/cstdio" },
    // `omp.h`, and the run-time library that native OpenMP programs need.
    Package { name: "libomp-19-dev", probe: "usr/lib/llvm-19/lib/clang/19/include/omp.h" },
    // Messages between processes: what native programs of several ranks are built and run with.
    Package { name: "libopenmpi-dev", probe: "usr/lib/*/openmpi/include/mpi.h" },
    Package { name: "openmpi-bin", probe: "usr/bin/mpirun.openmpi" },
    // The matrix library that programs of the corpus use.
    Package { name: "libeigen3-dev", probe: "usr/include/eigen3/Eigen/Dense" },
    // The linear algebra routines that programs of the corpus call.
    Package { name: "libblas-dev", probe: "usr/lib/*/libblas.so" },
    Package { name: "liblapack-dev", probe: "usr/lib/*/liblapack.so" },
    // Tools that overload operators, which `adj repro` measures beside ours.
    Package { name: "libadolc-dev", probe: "usr/include/adolc/adolc.h" },
    Package { name: "libtrilinos-sacado-dev", probe: "usr/include/trilinos/Sacado_trad.hpp" },
    Package { name: "libtrilinos-kokkos-dev", probe: "usr/include/trilinos/Kokkos_Macros.hpp" },
    // Builds an example that users copy.
    Package { name: "cmake", probe: "usr/bin/cmake" },
    // Letters for plots.
    Package { name: "fonts-dejavu-core", probe: "usr/share/fonts/truetype/dejavu/DejaVuSans.ttf" },
];

/// Whether a file that matches the pattern exists below `folder`.
fn exists(folder: &Path, pattern: &str) -> bool {
    match pattern.split_once('/') {
        None => folder.join(pattern).exists(),
        Some(("*", rest)) => {
            std::fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(|entry| exists(&entry.path(), rest)))
        }
        Some((first, rest)) => exists(&folder.join(first), rest),
    }
}

/// The packages that a machine with this root folder lacks.
fn missing(root: &Path) -> Vec<&'static str> {
    let absent = PACKAGES.iter().filter(|package| !exists(root, package.probe));
    absent.map(|package| package.name).collect()
}

/// How this user may install packages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Right {
    Root,
    Sudo,
    None,
}

fn right_to_install() -> Right {
    let quiet = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !quiet("apt-get", &["--version"]) {
        return Right::None;
    }
    let id = process::output(Command::new("id").arg("-u"));
    if id.is_ok_and(|id| id.trim() == "0") {
        Right::Root
    } else if quiet("sudo", &["-n", "true"]) {
        Right::Sudo
    } else {
        Right::None
    }
}

/// The commands that install the packages, one list of words each.
fn install_commands(right: Right, packages: &[&str]) -> Vec<Vec<String>> {
    let prefix: &[&str] = match right {
        Right::Root => &["env", "DEBIAN_FRONTEND=noninteractive"],
        Right::Sudo => &["sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive"],
        Right::None => &["sudo"],
    };
    let words = |rest: &[&str]| prefix.iter().chain(rest).map(|word| (*word).to_owned()).collect();
    let install = [&["apt-get", "install", "-y", "--no-install-recommends"], packages].concat();
    vec![words(&["apt-get", "update"]), words(&install)]
}

/// Makes sure that all packages are there.
pub fn ensure() -> Result<(), Failure> {
    let root = Path::new("/");
    let absent = missing(root);
    if absent.is_empty() {
        return Ok(());
    }
    let right = right_to_install();
    if right == Right::None {
        return Err(advice(&absent, "packages are missing and this user may not install them"));
    }
    eprintln!("xtask: installing {}", absent.join(" "));
    for words in install_commands(right, &absent) {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        if process::run(&mut command).is_err() {
            return Err(advice(&absent, "packages could not be installed"));
        }
    }
    match missing(root) {
        still if still.is_empty() => Ok(()),
        still => Err(advice(&still, "packages were installed, but their files are not where Debian 12 has them")),
    }
}

/// What to tell a user who has to install packages by hand.
fn advice(packages: &[&str], why: &str) -> Failure {
    let commands: Vec<String> = install_commands(Right::None, packages).iter().map(|words| words.join(" ")).collect();
    Failure::Missing(format!("{why}; run\n\n    {}\n\nand try again", commands.join(" && ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of this test's own, removed at the end.
    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("adj-xtask-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a temporary folder");
            Folder(path)
        }

        fn put(&self, path: &str) {
            let path = self.0.join(path);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, "").expect("a file");
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            // Nothing depends on the folder being gone.
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn an_empty_machine_lacks_everything_and_a_full_one_nothing() {
        let machine = Folder::new("setup");
        assert_eq!(missing(&machine.0).len(), PACKAGES.len());
        for package in PACKAGES {
            machine.put(&package.probe.replace('*', "some-folder"));
        }
        assert_eq!(missing(&machine.0), Vec::<&str>::new());
    }

    #[test]
    fn one_missing_file_names_one_package() {
        let machine = Folder::new("setup-one");
        for package in PACKAGES.iter().filter(|package| package.name != "libgmp-dev") {
            machine.put(&package.probe.replace('*', "some-folder"));
        }
        assert_eq!(missing(&machine.0), ["libgmp-dev"]);
    }

    #[test]
    fn advice_is_a_command_one_can_paste() {
        let text = advice(&["clang-19", "llvm-19"], "packages are missing").to_string();
        assert!(
            text.contains("sudo apt-get update && sudo apt-get install -y --no-install-recommends clang-19 llvm-19"),
            "{text}"
        );
    }
}
