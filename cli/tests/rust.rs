//! Rust: what rustc writes with an LLVM of its own is read, differentiated and judged.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use support::{adj, run};

/// The IR that rustc writes of a program of the corpus.
fn compiled(folder: &Path, source: &Path, level: &str) -> PathBuf {
    let out = folder.join(format!("at{level}.ll"));
    let status = Command::new("rustc")
        .args(["--edition", "2024", "--emit=llvm-ir", "-C", "debuginfo=2", "-C", "codegen-units=1", "-C"])
        .arg(format!("opt-level={level}"))
        .arg(source)
        .arg("-o")
        .arg(&out)
        .status()
        .expect("rustc starts");
    assert!(status.success(), "{}", source.display());
    out
}

#[test]
fn gradients_of_rust_are_right_with_and_without_its_optimisation() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/rust");
    let mut count = 0;
    for entry in std::fs::read_dir(sources).expect("the corpus has a folder for Rust") {
        let source = entry.expect("an entry").path();
        // Without optimisation, some of the standard library's generic functions are only declared.
        let allocates = std::fs::read_to_string(&source).expect("a program").contains("Vec<");
        for level in if allocates { ["2", "3"] } else { ["0", "2"] } {
            let module = compiled(folder.path(), &source, level);
            let ended = run(adj(&["check", "--levels", "O0,O2"]).arg(&module));
            let what = format!("{} at {level}\n{}{}", source.display(), ended.out, ended.err);
            assert_eq!(ended.code, 0, "{what}");
            assert!(ended.out.contains("correct: "), "{what}");
        }
        count += 1;
    }
    assert!(count >= 4);
}
