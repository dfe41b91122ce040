//! Whatever the input: a documented exit code, a message that says what and where, no panic, no hang, and no
//! half-written file.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Ended, adj, run};

/// A program of the corpus of bad programs.
fn bad(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/bad").join(name);
    assert!(path.exists(), "{} is not there", path.display());
    path.to_string_lossy().into_owned()
}

/// A folder of this test's own with files in it.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// What must hold for every refusal.
#[track_caller]
fn assert_refused(ended: &Ended, code: i32, words: &[&str]) {
    let all = format!("{}{}", ended.out, ended.err);
    assert_eq!(ended.code, code, "{ended:#?}");
    for trace in ["panicked at", "RUST_BACKTRACE", "internal error", "PLEASE submit a bug report"] {
        assert!(!all.contains(trace), "{ended:#?}");
    }
    for word in words {
        assert!(all.contains(word), "`{word}` is missing in {ended:#?}");
    }
}

/// Whether a text names a line of a file: `file:12`.
fn names_a_line(ended: &Ended, file: &str) -> bool {
    let all = format!("{}{}", ended.out, ended.err);
    let needle = format!("{file}:");
    all.match_indices(&needle).any(|(at, _)| all[at + needle.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

#[track_caller]
fn assert_names_a_line(ended: &Ended, file: &str) {
    assert!(names_a_line(ended, file), "no line of {file} in {ended:#?}");
}

/// Unoptimised bitcode of a small program that differentiates something.
fn bitcode() -> Vec<u8> {
    let source = "#include \"adj.h\"\n\
                  double f(double x) { return x * x; }\n\
                  int main(void) { return __enzyme_autodiff((void *)f, 3.0) != 6.0; }\n";
    let folder = folder(&[("a.c", source)]);
    let mut clang = Command::new("clang-19");
    clang.current_dir(folder.path()).args(["-c", "-emit-llvm", "-g", "-I"]);
    let ended = run(clang.arg(support::include_folder()).args(["a.c", "-o", "a.bc"]));
    assert_eq!(ended.code, 0, "{ended:#?}");
    std::fs::read(folder.path().join("a.bc")).expect("bitcode")
}

#[test]
fn a_missing_file() {
    for command in ["check", "run"] {
        assert_refused(&run(&mut adj(&[command, "no/such/file.c"])), 2, &["no/such/file.c"]);
    }
    assert_refused(&run(&mut adj(&["opt", "no/such/file.ll", "-S"])), 2, &["no/such/file.ll"]);
    assert_refused(&run(&mut adj(&["grad", "no/such/file.c", "-f", "f"])), 2, &["no/such/file.c"]);
}

#[test]
fn a_folder_and_files_of_no_known_kind() {
    let folder = folder(&[("empty.bc", ""), ("empty.txt", ""), ("noise.bc", "\u{1}\u{2}\u{3}\u{4}noise")]);
    for name in ["", "empty.bc", "empty.txt", "noise.bc"] {
        let path = text(&folder.path().join(name));
        assert_refused(&run(&mut adj(&["check", &path])), 2, &[&path]);
    }
}

#[test]
fn text_that_is_not_c() {
    let ended = run(&mut adj(&["check", &bad("not_c.txt.c")]));
    assert_refused(&ended, 2, &[]);
    assert_names_a_line(&ended, "not_c.txt.c");
}

#[test]
fn c_that_does_not_compile() {
    let ended = run(&mut adj(&["check", &bad("syntax.c")]));
    assert_refused(&ended, 2, &["error"]);
    assert_names_a_line(&ended, "syntax.c");
}

#[test]
fn a_program_without_main() {
    let folder = folder(&[("a.c", "double f(double x) { return x; }\n")]);
    let path = text(&folder.path().join("a.c"));
    for command in ["run", "check"] {
        assert_refused(&run(&mut adj(&[command, &path])), 2, &["a.c", "main"]);
    }
}

#[test]
fn bitcode_cut_short_anywhere() {
    let whole = bitcode();
    let folder = folder(&[]);
    let path = folder.path().join("cut.bc");
    let name = text(&path);
    std::fs::write(&path, &whole).expect("a file");
    assert_eq!(run(&mut adj(&["check", &name])).code, 0, "the whole file is fine");
    let lengths = [1, 3, 4, 8, 40, whole.len() / 3, whole.len() / 2, whole.len() * 9 / 10, whole.len() - 4];
    for length in lengths {
        std::fs::write(&path, &whole[..length]).expect("a file");
        assert_refused(&run(&mut adj(&["check", &name])), 2, &["cut.bc"]);
    }
}

#[test]
fn ir_that_fails_verification() {
    let ended = run(&mut adj(&["check", &bad("invalid.ll")]));
    assert_refused(&ended, 2, &["invalid.ll"]);
}

#[test]
fn inline_assembly() {
    let ended = run(&mut adj(&["check", "--levels", "O0", &bad("asm.c")]));
    assert_refused(&ended, 3, &["assembly"]);
    assert_names_a_line(&ended, "asm.c");
}

#[test]
fn an_unsupported_construct() {
    let ended = run(&mut adj(&["check", "--levels", "O0", &bad("unsupported.c")]));
    assert_refused(&ended, 3, &["unsupported"]);
    assert_names_a_line(&ended, "unsupported.c");
}

#[test]
fn a_differentiated_function_without_a_body() {
    let ended = run(&mut adj(&["check", "--levels", "O0", &bad("nobody.c")]));
    assert_refused(&ended, 3, &["body"]);
    assert_names_a_line(&ended, "nobody.c");
}

#[test]
fn a_program_that_never_ends() {
    let ended = run(&mut adj(&["check", "--levels", "O0", "--steps", "5000000", &bad("infinite.c")]));
    assert_refused(&ended, 3, &["limit", "5000000 instructions"]);
    assert_names_a_line(&ended, "infinite.c");
}

#[test]
fn a_program_that_wants_a_hundred_gigabytes() {
    let ended = run(&mut adj(&["check", "--levels", "O0", &bad("hundred_gb.c")]));
    assert_refused(&ended, 3, &["memory"]);
    assert_names_a_line(&ended, "hundred_gb.c");
}

#[test]
fn outputs_that_cannot_be_written() {
    let source = "#include \"adj.h\"\n\
                  double f(double x) { return x * x; }\n\
                  int main(void) { return __enzyme_autodiff((void *)f, 3.0) != 6.0; }\n";
    let folder = folder(&[("a.c", source)]);
    let input = text(&folder.path().join("a.c"));
    let output = text(&folder.path().join("no/such/folder/out"));
    assert_refused(&run(&mut adj(&["opt", &input, "-S", "-o", &output])), 2, &["no/such/folder"]);
    let json = ["check", "--levels", "O0", "--json", &output, &input];
    assert_refused(&run(&mut adj(&json)), 2, &["no/such/folder"]);
    assert!(!PathBuf::from(&output).exists());
}

#[test]
fn a_refused_input_leaves_no_output() {
    let folder = folder(&[("kept.ll", "what was there")]);
    let fresh = text(&folder.path().join("fresh.ll"));
    let kept = text(&folder.path().join("kept.ll"));
    for (input, code) in [("invalid.ll", 2), ("syntax.c", 2), ("nobody.c", 3)] {
        assert_refused(&run(&mut adj(&["opt", &bad(input), "-S", "-o", &fresh])), code, &[]);
        assert!(!Path::new(&fresh).exists(), "{input} left a file behind");
        assert_refused(&run(&mut adj(&["opt", &bad(input), "-S", "-o", &kept])), code, &[]);
        let left = std::fs::read_to_string(&kept).expect("the file that was there");
        assert_eq!(left, "what was there", "{input} touched a file");
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).expect("the folder").flatten().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn wrong_options() {
    let fine = bad("syntax.c");
    let cases: &[&[&str]] = &[
        &[],
        &["frobnicate"],
        &["check"],
        &["check", "--levels", "O9", &fine],
        &["check", "--levels", "", &fine],
        &["check", "--precision", "many", &fine],
        &["check", "--precision", "0", &fine],
        &["check", "--seed", "-1.5", &fine],
        &["check", "--no-such-option", &fine],
        &["grad", &fine],
        &["opt"],
    ];
    for args in cases {
        let ended = run(&mut adj(args));
        assert_refused(&ended, 2, &[]);
        assert!(!ended.err.trim().is_empty(), "`adj {}` says nothing", args.join(" "));
    }
}

#[test]
fn a_function_that_is_not_there() {
    let folder = folder(&[("a.c", "double f(double x) { return x; }\n")]);
    let path = text(&folder.path().join("a.c"));
    assert_refused(&run(&mut adj(&["grad", &path, "-f", "nowhere"])), 2, &["nowhere"]);
}

#[test]
fn refused_calls_say_what_the_convention_is() {
    let mut programs = corpus::of_kind(corpus::Kind::Bad);
    let calls = |p: &corpus::Program| std::fs::read_to_string(&p.path).is_ok_and(|text| text.contains("__enzyme_"));
    programs.retain(|p| p.message.is_some() && calls(p));
    assert!(programs.len() >= 60, "only {} programs", programs.len());
    for program in programs {
        // Two levels stand for all, unless the program names its own.
        let few = |level: &&String| program.levels.len() < 4 || matches!(level.as_str(), "O0" | "O2");
        let levels: Vec<String> = program.levels.iter().filter(few).cloned().collect();
        let mut command = adj(&["check", "--levels", &levels.join(",")]);
        command.args(program.ranks.map(|ranks| format!("--ranks={ranks}")));
        command.args(program.flags.iter().map(|flag| format!("--cflag={flag}"))).arg(&program.path);
        let ended = run(&mut command);
        assert_refused(&ended, program.exit, &[program.message.as_deref().unwrap_or_default()]);
        if program.name().ends_with(".c") && program.flags.iter().all(|flag| flag != "-g0") {
            assert_names_a_line(&ended, &program.name());
        }
    }
}
