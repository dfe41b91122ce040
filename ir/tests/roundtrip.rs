//! Reading and printing loses nothing: for every corpus program, plain and optimised, print after read is a fixed
//! point, and LLVM reads the printed text as the very module it printed itself.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs a tool on `input`; its standard output. The tools come with LLVM 19, which the project needs anyway.
fn tool(name: &str, args: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(name)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let out = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(out.status.success(), "{name} {args:?}");
    out.stdout
}

/// The text as LLVM itself reads, numbers and prints it, without the line that names the module.
fn canonical(text: &str) -> String {
    let bitcode = tool("llvm-as-19", &["-", "-o", "-"], text.as_bytes());
    unnamed(&String::from_utf8(tool("llvm-dis-19", &["-", "-o", "-"], &bitcode)).unwrap())
}

/// Without the line that names the module.
fn unnamed(text: &str) -> String {
    text.lines().filter(|l| !l.starts_with("; ModuleID")).fold(String::new(), |all, l| all + l + "\n")
}

/// The lines in which two texts first differ.
fn first_difference(a: &str, b: &str) -> String {
    match a.lines().zip(b.lines()).enumerate().find(|(_, (x, y))| x != y) {
        Some((n, (x, y))) => format!("line {}:\n- {x}\n+ {y}", n + 1),
        None => "one is longer".to_owned(),
    }
}

/// Checks a text as LLVM prints it.
fn check(text: &str, what: &str) {
    let module = ir::parse(text, what).unwrap_or_else(|e| panic!("{what}: {e}"));
    if let Err(errors) = ir::verify(&module) {
        panic!("{what}: {}", errors.iter().map(|e| format!("{e}\n")).collect::<String>());
    }
    let printed = module.to_string();
    let again = ir::parse(&printed, what).unwrap_or_else(|e| panic!("{what}, printed: {e}")).to_string();
    assert!(printed == again, "{what}: printing is no fixed point, {}", first_difference(&printed, &again));
    let (ours, theirs) = (canonical(&printed), canonical(text));
    assert!(ours == theirs, "{what}: LLVM reads another module, {}", first_difference(&theirs, &ours));
}

fn clang(file: &Path, args: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let include = format!("-I{}", root.join("oracle/include").display());
    let out = Command::new("clang-19")
        .args(["-S", "-emit-llvm", "-g", "-o", "-", &include])
        .args(args)
        .arg(file)
        .output()
        .unwrap();
    assert!(out.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// The programs of the corpus that compile: all but those in `bad`.
fn programs() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("corpus");
    let mut out = Vec::new();
    for folder in std::fs::read_dir(corpus).unwrap().map(|e| e.unwrap().path()) {
        if !folder.is_dir() || folder.ends_with("src") || folder.ends_with("bad") {
            continue;
        }
        for file in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            if file.extension().is_some_and(|e| e == "c" || e == "cpp") {
                out.push(file);
            }
        }
    }
    out.sort();
    out
}

#[test]
fn corpus() {
    let programs = programs();
    assert!(programs.len() >= 30, "only {} programs found", programs.len());
    // The time goes into the tools, so that threads help.
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(file) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let text = std::fs::read_to_string(file).unwrap();
            let flags = text.lines().filter_map(|line| line.trim().strip_prefix("// adj-flags:"));
            let flags: Vec<&str> = flags.flat_map(str::split_whitespace).collect();
            for level in ["-O0", "-O2"] {
                let args: Vec<&str> = flags.iter().copied().chain([level]).collect();
                check(&clang(file, &args), &format!("{} {level}", file.display()));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
}

/// Everything else that the arenas model.
#[test]
fn constructs() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ll");
    let mut count = 0;
    for file in std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()) {
        match file.extension().and_then(|e| e.to_str()) {
            Some("ll") => check(&canonical(&std::fs::read_to_string(&file).unwrap()), &file.display().to_string()),
            Some("c" | "cpp") => {
                for level in ["-O0", "-O2"] {
                    check(&clang(&file, &[level, "-march=haswell"]), &format!("{} {level}", file.display()));
                }
            }
            _ => continue,
        }
        count += 1;
    }
    assert!(count >= 3, "only {count} files found");
}
