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

#[test]
fn the_driver_makes_programs_that_print_what_the_interpreter_does() {
    let folder = tempfile::tempdir().expect("a folder");
    for program in programs() {
        for level in ["-O1", "-O2"] {
            let made = folder.path().join("prog");
            let compiled = run(adj(&["fc", level, "-o"]).arg(&made).arg(&program).current_dir(folder.path()));
            assert_eq!(compiled.code, 0, "{} {level}: {}", program.display(), compiled.err);
            let native = run(&mut Command::new(&made));
            let interpreted = run(adj(&["run", level]).arg(&program).current_dir(folder.path()));
            assert_eq!((native.code, interpreted.code), (0, 0), "{} {level}: {}", program.display(), interpreted.err);
            assert_eq!(native.out, interpreted.out, "{} {level}", program.display());
        }
    }
}

/// A program of two files, compiled one by one or together; its own test prints a T for each component.
#[test]
fn a_function_of_another_file_is_differentiated_when_the_program_is_linked() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fortran");
    let folder = tempfile::tempdir().expect("a folder");
    let fc = |arguments: &[&str], files: &[&str]| {
        let files = files.iter().map(|name| match name.ends_with(".f90") {
            true => sources.join(name),
            false => folder.path().join(name),
        });
        let ended = run(adj(&["fc"]).args(arguments).args(files).current_dir(folder.path()));
        assert_eq!(ended.code, 0, "{arguments:?}: {}", ended.err);
    };
    let agrees = |name: &str| {
        let ended = run(&mut Command::new(folder.path().join(name)));
        assert_eq!((ended.code, ended.out.split_whitespace().collect::<String>()), (0, "TTT".to_owned()), "{name}");
    };
    fc(&["-O2", "-c"], &["physics.f90"]);
    fc(&["-O2", "-c"], &["main.f90"]);
    fc(&["-o", "apart"], &["physics.o", "main.o"]);
    agrees("apart");
    for level in ["-O0", "-O3"] {
        fc(&[level, "-o", "together"], &["physics.f90", "main.f90"]);
        agrees("together");
    }
    fc(&["-O2", "--verify", "-o", "verified"], &["physics.f90", "main.f90"]);
    let judged = run(&mut Command::new(folder.path().join("verified")));
    assert_eq!(judged.code, 0, "{}", judged.err);
    assert!(judged.err.contains("correct (1 differentiated calls"), "{}{}", judged.out, judged.err);
}

#[test]
fn a_source_that_is_not_there_is_told_as_flang_tells_it() {
    let ended = run(&mut adj(&["fc", "nothing.f90"]));
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("no such file or directory: 'nothing.f90'"), "{}", ended.err);
}
