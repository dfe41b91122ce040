//! Nothing is lost between LLVM and `ir`: read, print, read and print again give the same text, and LLVM takes the
//! reprinted module for the original, to the last flag, attribute and metadata node.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use llvm::read::parse;
use llvm::{CompileOptions, Error, Input, Level, canonical_text, compile, verify_text};

/// One module to send around.
struct Case {
    input: PathBuf,
    options: CompileOptions,
}

/// What went wrong, if anything did.
fn round_trip(case: &Case) -> Result<(), String> {
    let file = case.input.display().to_string();
    let at = format!("{file} at {}", case.options.level);
    let fail = |step: &str, error: Error| format!("{at}: {step}: {error}");
    let original = compile(&Input::File(case.input.clone()), &case.options).map_err(|e| fail("compile", e))?.text;
    let module = parse(&original, &file).map_err(|error| fail("read", error))?;
    let first = module.to_string();
    let again = parse(&first, &file).map_err(|error| fail("read again", error))?;
    same(&at, "second print", &first, &again.to_string())?;
    let reprinted = canonical_text(first.as_bytes()).map_err(|error| fail("LLVM reads the print", error))?;
    let original = canonical_text(original.as_bytes()).map_err(|error| fail("LLVM reads the original", error))?;
    same(&at, "LLVM's view", &original, &reprinted)
}

/// The first line in which two texts differ.
fn same(at: &str, what: &str, expected: &str, actual: &str) -> Result<(), String> {
    if expected == actual {
        return Ok(());
    }
    let mut lines = expected.lines().zip(actual.lines()).enumerate();
    let (number, (left, right)) = lines.find(|(_, (left, right))| left != right).unwrap_or((0, ("shorter", "longer")));
    Err(format!("{at}: {what} differs in line {}\n  expected {left}\n  actual   {right}", number + 1))
}

/// Runs all cases on all cores, and reports every failure.
fn check(cases: &[Case]) {
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(failure) = round_trip(case) {
                        failures.lock().unwrap().push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(!cases.is_empty());
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

#[test]
fn every_program_of_the_corpus_at_every_level() {
    let mut cases = Vec::new();
    for program in corpus::programs() {
        if program.kind == corpus::Kind::Bad {
            continue;
        }
        for level in Level::ALL {
            let options = CompileOptions {
                include_dirs: vec![corpus::include_dir()],
                flags: program.flags.clone(),
                ..CompileOptions::at(level)
            };
            cases.push(Case { input: program.path.clone(), options });
        }
    }
    check(&cases);
}

#[test]
fn modules_of_every_construct() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/modules");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        // IR is the same at every level.
        for options in Level::ALL.map(CompileOptions::at) {
            cases.push(Case { input: entry.as_ref().unwrap().path(), options });
        }
    }
    check(&cases);
}

/// Valid IR that is not modelled: LLVM accepts it, and the reader names it and its place.
#[test]
fn what_is_not_modelled_is_refused_by_name() {
    let cases: &[(&str, &str, u32)] = &[
        ("module asm \"nop\"\n", "assembly", 1),
        ("define void @f(i256 %x) {\n  ret void\n}\n", "i256", 1),
        (
            "define <vscale x 2 x double> @f(<vscale x 2 x double> %x) {\n  ret <vscale x 2 x double> %x\n}\n",
            "scalable",
            1,
        ),
        ("@r = ifunc void (), ptr @f\ndefine ptr @f() {\n  ret ptr null\n}\n", "ifunc", 1),
        (
            "define target(\"spirv.Image\") @f(target(\"spirv.Image\") %x) {\n  ret target(\"spirv.Image\") %x\n}\n",
            "target",
            1,
        ),
        (
            "define void @f() {\n  callbr void asm \"\", \"!i\"()\n          to label %a [label %b]\na:\n  ret void\nb:\n  ret void\n}\n",
            "callbr",
            2,
        ),
    ];
    for (text, name, line) in cases {
        verify_text(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Not through LLVM, which adds header lines: the numbers below are those of the text above.
        let error = parse(text, "prog.ll").map(|_| ()).unwrap_err();
        let Error::Unsupported { refusal, excerpt, .. } = &error else { panic!("{name}: {error}") };
        assert!(refusal.message.to_lowercase().contains(name), "{name}: {error}");
        assert_eq!(refusal.line, *line, "{name}: {error}");
        assert_eq!(text.lines().nth(*line as usize - 1).unwrap().trim(), excerpt);
        assert!(error.is_limit() && error.to_string().starts_with("prog.ll: unsupported: "), "{error}");
    }
}

/// A refusal within a function names it, and the line of the user's source.
#[test]
fn a_refusal_leads_to_the_source_line() {
    let program = "double f(double x) {\n  double y = x;\n  return (double)(unsigned _BitInt(200))y;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.c");
    std::fs::write(&path, program).unwrap();
    for level in Level::ALL {
        let error = llvm::read::read_file(&path, &CompileOptions::at(level)).map(|_| ()).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("wide.c:3:") && message.contains("`f`"), "{level}: {message}");
    }
}

/// Passes over a module of the arenas: what comes back is the optimised module.
#[test]
fn a_module_is_optimised() {
    let program = "double f(double x) { double y = x * x; return y; }\n";
    let input = Input::Bytes { name: "prog.c".into(), language: llvm::Language::C, bytes: program.into() };
    let module = llvm::read(&input, &CompileOptions::at(Level::O0)).unwrap();
    assert!(module.to_string().contains("alloca"));
    let optimised = llvm::read::optimise(&module, "function(sroa)").unwrap();
    assert!(optimised.to_string().contains("fmul double %x, %x") && !optimised.to_string().contains("alloca"));
    assert_eq!(optimised.id, "prog.c");
    let error = llvm::read::optimise(&module, "function(none)").map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Pipeline { .. }), "{error}");
}
