//! Fortran: what flang writes is differentiated and judged, and its run-time library does what flang's own does.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use support::{adj, run};
use tempfile::TempDir;

/// The programs of the corpus.
fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/fortran");
    let entries = std::fs::read_dir(folder).expect("the corpus has a folder for Fortran");
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    all.sort();
    all
}

#[test]
fn gradients_of_fortran_are_right_at_all_levels() {
    let folder = tempfile::tempdir().expect("a folder");
    let programs = programs();
    assert!(programs.len() >= 4);
    for program in &programs {
        // Without optimisation, flang moves whole descriptors through memory, which is not followed yet.
        let levels = if program.ends_with("springs.f90") { "O0,O1,O2,O3" } else { "O1,O2,O3" };
        let ended = run(adj(&["check", "--levels", levels]).arg(program).current_dir(folder.path()));
        assert_eq!(ended.code, 0, "{}\n{}{}", program.display(), ended.out, ended.err);
        assert!(ended.out.contains("correct: "), "{}", ended.out);
    }
    // Modules are nobody's business but the compiler's.
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

/// What flang makes of a program in which calls are replaced, and what it prints.
fn native(folder: &TempDir, program: &Path) -> String {
    let at = |name: &str| folder.path().join(name);
    let include = run(&mut adj(&["include"])).out.trim().to_owned();
    let flang = || {
        let mut command = Command::new("flang-new-19");
        command.current_dir(folder.path());
        command
    };
    let done = |command: &mut Command| {
        let ended = run(command);
        assert_eq!(ended.code, 0, "{command:?}: {}", ended.err);
        ended.out
    };
    done(flang().args(["-O1", "-S", "-emit-llvm", "-I", &include, "-o"]).arg(at("in.ll")).arg(program));
    done(adj(&["opt"]).arg(at("in.ll")).args(["-S", "-o"]).arg(at("out.ll")));
    done(
        Command::new(llvm::find::toolchain().expect("clang").clang)
            .args(["-O1", "-w", "-c", "-o"])
            .args([at("out.o"), at("out.ll")]),
    );
    done(flang().arg(at("out.o")).arg("-o").arg(at("prog")));
    done(&mut Command::new(at("prog")))
}

#[test]
fn programs_print_what_native_code_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    for program in programs() {
        let interpreted = run(adj(&["run"]).arg(&program).current_dir(folder.path()));
        assert_eq!((interpreted.code, interpreted.out), (0, native(&folder, &program)), "{}", program.display());
    }
}
