//! Native code: built whole, run within limits.

use std::time::Duration;

use llvm::native::{LinkOptions, RunLimits, build_executable, build_object, run};
use llvm::{CompileOptions, Exit, Input, Language, Level, compile};

fn text(language: Language, program: &str) -> String {
    let input = Input::Bytes { name: "prog".into(), language, bytes: program.into() };
    compile(&input, &CompileOptions::at(Level::O1)).unwrap().text
}

fn built(language: Language, program: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("prog");
    build_executable(text(language, program).as_bytes(), &out, &LinkOptions::default()).unwrap();
    // Only what was asked for is there.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    (folder, out)
}

#[test]
fn output_arguments_input_and_code() {
    let program = "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n\
                   int main(int n, char **a) { double x; scanf(\"%lf\", &x); fputs(\"note\", stderr);\n\
                   printf(\"%.17g %s\\n\", sin(x) * atof(a[1]), a[2]); return n; }\n";
    let (_folder, out) = built(Language::C, program);
    let output = run(&out, &["2".into(), "a b".into()], b"0.5\n", &RunLimits::default()).unwrap();
    assert_eq!(output.exit, Exit::Code(3));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0.95885107720840601 a b\n");
    assert_eq!((&output.stderr[..], output.timed_out, output.output_cut), (&b"note"[..], false, false));
}

#[test]
fn cxx_links_with_its_library() {
    let program = "int main() { int *p = new int[3]{1, 2, 3}; int r = p[0] + p[1] + p[2]; delete[] p; return r; }\n";
    let (_folder, out) = built(Language::Cxx, program);
    assert_eq!(run(&out, &[], b"", &RunLimits::default()).unwrap().exit, Exit::Code(6));
}

#[test]
fn a_crash_is_a_signal() {
    let (_folder, out) = built(Language::C, "#include <stdlib.h>\nint main(void) { abort(); }\n");
    assert_eq!(run(&out, &[], b"", &RunLimits::default()).unwrap().exit, Exit::Signal(6));
}

#[test]
fn an_infinite_loop_is_stopped() {
    let (_folder, out) = built(Language::C, "int main(void) { for (volatile int i = 0;; i = !i) { } }\n");
    let limits = RunLimits { timeout: Duration::from_millis(300), ..RunLimits::default() };
    assert!(run(&out, &[], b"", &limits).unwrap().timed_out);
}

#[test]
fn memory_is_bounded() {
    let program = "#include <stdlib.h>\n\
                   int main(void) { for (int i = 0; i < 1000; i++) { volatile char *p = malloc(100 << 20);\n\
                   if (!p) return 9; p[i] = 1; } return 0; }\n";
    let (_folder, out) = built(Language::C, program);
    let limits = RunLimits { memory: Some(400 << 20), ..RunLimits::default() };
    assert_eq!(run(&out, &[], b"", &limits).unwrap().exit, Exit::Code(9));
}

#[test]
fn output_without_end_is_stopped() {
    let (_folder, out) = built(Language::C, "#include <stdio.h>\nint main(void) { for (;;) puts(\"again\"); }\n");
    let output = run(&out, &[], b"", &RunLimits { output: 10_000, ..RunLimits::default() }).unwrap();
    assert!(output.output_cut && output.stdout.len() == 10_000);
}

#[test]
fn a_program_that_is_not_there() {
    let error = run("/nowhere/prog".as_ref(), &[], b"", &RunLimits::default()).unwrap_err();
    assert!(error.to_string().contains("/nowhere/prog: cannot run"), "{error}");
}

#[test]
fn objects_link() {
    let folder = tempfile::tempdir().unwrap();
    let (object, out) = (folder.path().join("part.o"), folder.path().join("prog"));
    build_object(text(Language::C, "int part(void) { return 5; }\n").as_bytes(), &object, Level::O2).unwrap();
    let main = text(Language::C, "int part(void);\nint main(void) { return part(); }\n");
    let options = LinkOptions { objects: vec![object], ..LinkOptions::default() };
    build_executable(main.as_bytes(), &out, &options).unwrap();
    assert_eq!(run(&out, &[], b"", &RunLimits::default()).unwrap().exit, Exit::Code(5));
}
