//! The conformance cases against the machine: whatever `corpus/conformance` defines is what LLVM's own code generator
//! computes, without optimisation and with it.
//!
//! A case takes part if the interpreter finds a fully defined result. One `main` per file calls all of them and prints
//! the bytes of their results; it is interpreted and compiled. A comment `; open: …` above a case says why its result
//! is a free choice; it is left out, as are files that start with `; not-native: …`.

mod parallel;

use interp::{Buffer, Interp, Limits, Outcome, Plain};
use llvm::native::{LinkOptions, RunLimits};
use llvm::{Exit, Level};
use std::cell::RefCell;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The machine: without it LLVM would lay structures out by other rules.
const TARGET: &str = "target datalayout = \
    \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
    target triple = \"x86_64-pc-linux-gnu\"\n";

fn limits() -> Limits {
    Limits { steps: 10_000_000, memory: 1 << 30, depth: 1000, ..Limits::default() }
}

/// The cases whose result is a free choice.
fn open(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut waiting = false;
    for line in text.lines() {
        waiting |= line.starts_with("; open: ");
        if waiting && let Some((name, _)) = line.split_once('@').and_then(|(_, rest)| rest.split_once('(')) {
            found.push(name);
            waiting = false;
        }
    }
    found
}

/// The functions without parameters that give a defined result, with the text of their result's type.
fn defined(module: &ir::Module, left_out: &[&str]) -> Vec<(String, String)> {
    let program = interp::Program::new(module).unwrap_or_else(|e| panic!("{e:?}"));
    let mut found = Vec::new();
    for (id, function) in module.functions.iter() {
        let pointer = module.types.is_ptr(function.ret);
        if function.is_declaration() || !function.params.is_empty() || function.vararg || pointer {
            continue;
        }
        let mut interp = Interp::new(&program, Plain, limits());
        match interp.call(id, &[]) {
            Ok(value) if value.leaves.is_empty() || value.leaves.iter().any(|(leaf, ())| !leaf.is_init()) => {}
            Ok(_) if left_out.contains(&function.name.as_str()) => {}
            Ok(_) => found.push((function.name.clone(), ir::print::type_text(&module.types, function.ret))),
            Err(_) => {}
        }
    }
    found
}

/// A `main` that prints the name and the bytes of the result of each case.
fn main_of(cases: &[(String, String)]) -> String {
    let mut text = "\n@__byte = constant [5 x i8] c\"%02x\\00\"\n\
        define void @__show(ptr %name, ptr %bytes) {\nentry:\n  %n = call i32 @puts(ptr %name)\n  br label %loop\n\
        loop:\n\
        %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n  %p = getelementptr i8, ptr %bytes, i64 %i\n  \
        %b = load i8, ptr %p\n\
        %w = zext i8 %b to i32\n  %x = call i32 (ptr, ...) @printf(ptr @__byte, i32 %w)\n  %j = add i64 %i, 1\n\
        %more = icmp ult i64 %j, 64\n  br i1 %more, label %loop, label %end\nend:\n  %e = call i32 @putchar(i32 10)\n  \
        ret void\n}\n"
        .to_owned();
    for name in ["i32 @puts(ptr)", "i32 @putchar(i32)", "i32 @printf(ptr, ...)", "i32 @fesetenv(ptr)"] {
        let _ = writeln!(text, "declare {name}");
    }
    let mut body = String::new();
    for (number, (name, ty)) in cases.iter().enumerate() {
        let _ = writeln!(text, "@__name{number} = constant [{} x i8] c\"{name}\\00\"", name.len() + 1);
        let _ = writeln!(
            text,
            "define void @__case{number}() {{\n  %room = alloca [64 x i8], align 64\n\
             \x20 store [64 x i8] zeroinitializer, ptr %room\n  %r = call {ty} @{name}()\n  store {ty} %r, ptr %room\n\
             \x20 call void @__show(ptr @__name{number}, ptr %room)\n  ret void\n}}"
        );
        // Rounding mode and exceptions as at the start (`FE_DFL_ENV`).
        let _ = writeln!(body, "  %e{number} = call i32 @fesetenv(ptr inttoptr (i64 -1 to ptr))");
        let _ = writeln!(body, "  call void @__case{number}()");
    }
    let _ = writeln!(text, "define i32 @main() {{\n{body}  ret i32 0\n}}");
    text
}

fn agree(path: &Path, level: Level) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    if text.starts_with("; not-native: ") {
        return Ok(());
    }
    let text = format!("{TARGET}{text}");
    let module = ir::parse(&text, "conformance").map_err(|e| e.to_string())?;
    let cases = defined(&module, &open(&text));
    let whole = llvm::canonical_text((text + &main_of(&cases)).as_bytes()).map_err(|e| e.to_string())?;
    let module = ir::parse(&whole, "conformance").map_err(|e| e.to_string())?;
    let program = interp::Program::new(&module).map_err(|errors| format!("{errors:?}"))?;
    let printed = Rc::new(RefCell::new(Buffer::default()));
    let mut interp = Interp::new(&program, Plain, limits()).with_output(Box::new(Rc::clone(&printed)));
    let ended = interp.run_main(&["conformance".to_owned()]);
    if ended != Outcome::Finished(0) {
        return Err(format!("interpreted: {ended:?}"));
    }
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let binary = folder.path().join("cases");
    let options = LinkOptions { level, ..LinkOptions::default() };
    llvm::native::build_executable(whole.as_bytes(), &binary, &options).map_err(|e| e.to_string())?;
    let output = llvm::native::run(&binary, &[], b"", &RunLimits::default()).map_err(|e| e.to_string())?;
    if output.exit != Exit::Code(0) {
        return Err(format!("native: {:?}", output.exit));
    }
    let interpreted = String::from_utf8_lossy(&printed.borrow().out).into_owned();
    let native = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (interpreted, native) = (lines(&interpreted), lines(&native));
    assert_eq!(interpreted.len(), 2 * cases.len());
    let pairs = interpreted.chunks(2).zip(native.chunks(2)).filter(|(a, b)| a != b);
    let wrong: Vec<String> =
        pairs.map(|(a, b)| format!("  @{}:\n    interpreted {}\n    native      {}", a[0], a[1], b[1])).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} differ:\n{}", wrong.len(), wrong.join("\n"))) }
}

#[test]
fn what_is_defined_is_what_the_machine_computes() {
    let folder = corpus::root().join("conformance");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let jobs: Vec<(PathBuf, Level)> =
        files.iter().flat_map(|file| [Level::O0, Level::O2].map(|level| (file.clone(), level))).collect();
    let failures = parallel::two_at_a_time(&jobs, |(path, level)| {
        agree(path, *level).map_err(|why| format!("{} at {level}: {why}", path.display()))
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
