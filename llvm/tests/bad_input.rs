//! Bad inputs: each is a clear error, and none harms the process that reads it.

use std::path::{Path, PathBuf};

use llvm::source::INPUT_LIMIT;
use llvm::{CompileOptions, Error, Input, Level, canonical_text, compile, native, pipeline, to_ir_text, verify_text};

fn file(folder: &tempfile::TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn fails(path: &Path) -> Error {
    to_ir_text(path, &CompileOptions::at(Level::O0)).unwrap_err()
}

fn bitcode() -> Vec<u8> {
    let folder = folder();
    let program = file(&folder, "a.c", "double f(double x) { return x * x; }\n");
    let out = folder.path().join("a.bc");
    let clang = llvm::find::toolchain().unwrap().clang;
    let mut run = std::process::Command::new(clang);
    run.args(["-c", "-emit-llvm", "-g", "-O1", "-o"]).arg(&out).arg(program);
    assert!(run.status().unwrap().success());
    std::fs::read(out).unwrap()
}

#[test]
fn a_missing_file() {
    for name in ["/nowhere/a.c", "/nowhere/a.ll", "/nowhere/a.bc", "/nowhere/a"] {
        let error = fails(Path::new(name));
        assert!(matches!(&error, Error::Io { file, .. } if file == name), "{error}");
        assert!(!error.is_limit());
    }
}

#[test]
fn a_directory() {
    let folder = folder();
    let path = folder.path().join("prog.c");
    std::fs::create_dir(&path).unwrap();
    assert!(matches!(fails(&path), Error::Directory { .. }));
}

#[test]
fn an_empty_file() {
    let folder = folder();
    for name in ["a.c", "a.cpp", "a.ll", "a.bc"] {
        let error = fails(&file(&folder, name, ""));
        assert!(matches!(error, Error::Empty { .. }), "{error}");
    }
    let input = Input::Bytes { name: "<stdin>".into(), language: llvm::Language::Ir, bytes: vec![] };
    assert!(matches!(compile(&input, &CompileOptions::default()), Err(Error::Empty { .. })));
}

#[test]
fn text_that_is_not_c() {
    let folder = folder();
    let path = file(&folder, "poem.c", "Shall I compare thee to a summer's day?\n");
    let error = fails(&path);
    let Error::Compile { diagnostics, .. } = &error else { panic!("{error}") };
    assert!(diagnostics.contains(&format!("{}:1:1: error:", path.display())), "{diagnostics}");
    assert!(!error.is_limit());
}

#[test]
fn c_that_does_not_compile_is_located() {
    let folder = folder();
    let path = file(&folder, "a.c", "int main(void) {\n  return undeclared;\n}\n");
    let message = fails(&path).to_string();
    assert!(message.contains(&format!("{}:2:10: error: use of undeclared", path.display())), "{message}");
}

#[test]
fn text_that_is_not_ir_is_located() {
    let folder = folder();
    let path = file(&folder, "a.ll", "define i32 @f() {\n  ret i32 %x\n}\n");
    let error = fails(&path);
    let Error::Invalid { message, .. } = &error else { panic!("{error}") };
    let expected = format!("{}:2:11: error: use of undefined value '%x'", path.display());
    assert!(message.starts_with(&expected), "{message}");
}

#[test]
fn ir_that_fails_verification() {
    let text = "define i32 @f(i32 %x) {\n  %y = add i32 %z, 1\n  %z = add i32 %x, 1\n  ret i32 %y\n}\n";
    let error = verify_text(text).unwrap_err();
    let Error::Invalid { message, .. } = &error else { panic!("{error}") };
    assert!(message.starts_with("Instruction does not dominate all uses!"), "{message}");
    assert!(!message.contains("input module is broken"), "{message}");
}

#[test]
fn truncated_bitcode() {
    let bytes = bitcode();
    assert!(canonical_text(&bytes).is_ok());
    let cuts = [1, 2, 3, 4, 8, 20, 100, 500, bytes.len() / 2, bytes.len() - 8, bytes.len() - 1];
    for cut in cuts {
        let error = canonical_text(&bytes[..cut]).unwrap_err();
        assert!(matches!(error, Error::Invalid { .. } | Error::Crashed { .. }), "{cut}: {error}");
    }
}

#[test]
fn corrupt_bitcode() {
    // A fixed generator: the same corruptions on every run.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    let (original, mut refused) = (bitcode(), 0);
    for _ in 0..40 {
        let mut bytes = original.clone();
        for _ in 0..10 {
            let at = 8 + next(bytes.len() - 8);
            bytes[at] ^= 1 << next(8);
        }
        match canonical_text(&bytes) {
            // A flipped bit of a name is still a module.
            Ok(text) => assert!(!text.is_empty()),
            Err(Error::Invalid { message, .. } | Error::Crashed { message, .. }) => {
                assert!(!message.is_empty());
                refused += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(refused > 30, "{refused}");
}

#[test]
fn binary_junk() {
    let junk: Vec<u8> = (0..10_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let folder = folder();
    assert!(matches!(fails(&file(&folder, "a.ll", &junk)), Error::Invalid { .. }));
    assert!(matches!(fails(&file(&folder, "a.bc", &junk)), Error::Invalid { .. }));
    assert!(matches!(fails(&file(&folder, "a.c", &junk)), Error::Compile { .. }));
    assert!(matches!(fails(&file(&folder, "a.dat", &junk)), Error::UnknownKind { .. }));
}

#[test]
fn a_huge_file() {
    let folder = folder();
    for name in ["a.c", "a.ll"] {
        let path = folder.path().join(name);
        // Sparse: it takes no room on the disk.
        std::fs::File::create(&path).unwrap().set_len(INPUT_LIMIT + 1).unwrap();
        let error = fails(&path);
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        assert!(error.is_limit());
    }
}

#[test]
fn a_device_without_end() {
    let folder = folder();
    let path = folder.path().join("zero.ll");
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    assert!(matches!(fails(&path), Error::TooLarge { .. }));
}

#[test]
fn names_that_look_like_options() {
    let folder = folder();
    let path = file(&folder, "-O3.c", "int f(void) { return 1; }\n");
    // Seen from its own folder, the name is all there is: run a child there.
    let clang_takes = |name: &str| {
        let text = to_ir_text(&folder.path().join(name), &CompileOptions::default());
        assert!(text.unwrap().contains("@f("), "{name}");
    };
    clang_takes("-O3.c");
    std::fs::rename(path, folder.path().join("@x.c")).unwrap();
    clang_takes("@x.c");
}

#[test]
fn unknown_passes() {
    let text = canonical_text(b"define void @f() {\n  ret void\n}\n").unwrap();
    let error = pipeline::run(&text, "no-such-pass").unwrap_err();
    assert!(matches!(&error, Error::Pipeline { message, .. } if message.contains("no-such-pass")), "{error}");
    let error = pipeline::run("define", "verify").unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error}");
}

#[test]
fn a_link_that_fails_leaves_nothing() {
    let folder = folder();
    let text =
        "declare i32 @nowhere_defined()\ndefine i32 @main() {\n  %r = call i32 @nowhere_defined()\n  ret i32 %r\n}\n";
    let out = folder.path().join("prog");
    let error = native::build_executable(text.as_bytes(), &out, &Default::default()).unwrap_err();
    assert!(matches!(&error, Error::Link { message, .. } if message.contains("nowhere_defined")), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    let error = native::build_object(b"define", &folder.path().join("a.o"), Level::O2).unwrap_err();
    assert!(matches!(error, Error::Link { .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    let error = native::build_object(b"", Path::new("/nowhere/a.o"), Level::O2).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
}

#[test]
fn a_compiler_that_does_not_end() {
    let folder = folder();
    // Exponentially many template instances.
    let program = "template <int N, long P> struct T { static const long v = T<N - 1, 2 * P>::v + T<N - 1, 2 * P + \
        1>::v; };\n\
        template <long P> struct T<0, P> { static const long v = P; };\n\
        long f() { return T<40, 1>::v; }\n";
    let path = file(&folder, "a.cpp", program);
    let options = CompileOptions { timeout: std::time::Duration::from_millis(500), ..Default::default() };
    let error = to_ir_text(&path, &options).unwrap_err();
    assert!(matches!(error, Error::TimedOut { tool: "clang", .. }), "{error}");
    assert!(error.is_limit());
}
