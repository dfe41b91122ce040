//! The examples that users copy: each is built in a folder of its own with the tools its users have, and must run.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::run;

/// A copy of an example.
fn copied(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name);
    let mut work: Vec<(PathBuf, PathBuf)> = vec![(from, folder.path().to_owned())];
    while let Some((from, to)) = work.pop() {
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            let to = to.join(entry.file_name());
            match entry.file_type().unwrap().is_dir() {
                true => {
                    fs::create_dir_all(&to).unwrap();
                    work.push((entry.path(), to));
                }
                false => drop(fs::copy(entry.path(), to).unwrap()),
            }
        }
    }
    folder
}

#[test]
fn cmake_builds_a_project_whose_call_and_function_are_in_different_targets() {
    let folder = copied("cmake");
    let at = |command: &mut Command| {
        let ended = run(command.current_dir(folder.path()));
        assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
        ended.out
    };
    let compiler = format!("{} cc", env!("CARGO_BIN_EXE_adj"));
    at(Command::new("cmake").args(["-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Release"]).env("CC", compiler));
    at(Command::new("cmake").args(["--build", "build"]));
    // The program returns the number of wrong components.
    let shown = at(&mut Command::new(folder.path().join("build/springs")));
    assert!(shown.contains("force on point 4: -0.900000"), "{shown}");
}

#[test]
fn cmake_finds_the_package_and_builds_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(user CXX)\nfind_package(Enzyme 0.0.100 REQUIRED CONFIG)\n\
         add_executable(user main.cpp)\ntarget_link_libraries(user PRIVATE ClangEnzymeFlags)\n",
    );
    write(
        "main.cpp",
        "#include <cstdio>\n#include <enzyme/enzyme>\n#include \"square.h\"\nint main() {\n  \
         auto [d] = enzyme::autodiff<enzyme::Reverse>(square, enzyme::Active<double>(3.0));\n  \
         std::printf(\"%g\\n\", enzyme::get<0>(d));\n}\n",
    );
    write("square.h", "static double square(double x) { return x * x; }\n");
    let at = |command: &mut Command| {
        let ended = run(command.current_dir(folder.path()));
        assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
        ended.out
    };
    let adj = env!("CARGO_BIN_EXE_adj");
    let package = format!("-DEnzyme_DIR={}/cmake", at(Command::new(adj).arg("include")).trim());
    at(Command::new("cmake").args(["-S", ".", "-B", "build", &package]).env("CXX", format!("{adj} c++")));
    let build = || at(Command::new("cmake").args(["--build", "build"]));
    let program = || at(&mut Command::new(folder.path().join("build/user")));
    assert!(build().contains("Building CXX object"));
    assert_eq!(program(), "6\n");
    // Files of dependencies name what is still there.
    let again = build();
    assert!(!again.contains("Building"), "{again}");
    write("square.h", "static double square(double x) { return 2 * x * x; }\n");
    assert!(build().contains("Building CXX object"));
    assert_eq!(program(), "12\n");
}

#[test]
fn a_build_script_makes_a_library_with_gradients() {
    let folder = copied("build-script");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(["run", "--offline"]).env("ADJ", env!("CARGO_BIN_EXE_adj"));
    command.env("CARGO_TARGET_DIR", folder.path().join("target")).current_dir(folder.path());
    let ended = run(&mut command);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    assert!(ended.out.contains("with respect to speed: -0.3168"), "{}", ended.out);
    // Without the driver the build says what it looked for.
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(["build", "--offline"]).env("ADJ", "no-such-adj").current_dir(folder.path());
    let ended = run(command.env("CARGO_TARGET_DIR", folder.path().join("target")));
    assert!(ended.code != 0 && ended.err.contains("no-such-adj"), "{}", ended.err);
}
