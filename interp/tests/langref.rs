//! Runs every function of `tests/langref/*.ll` that has an expectation above it.
//!
//! A case is a function without parameters; the comment `; expect: …` above its `define` says how calling it ends:
//! a result (`42`, `-1`, `1.5`, `0x7ff8…` for bits, `{1, 2}` for several leaves; `poison` and `undef` as leaves), `ub KIND`,
//! `exit N`, `unsupported` or `resource`. The sentence of the LangRef the case stands for precedes it.

use interp::{Interp, Leaf, Limits, Plain, Program, Scalar, Stop, Tag, Value};
use ir::FloatKind;
use std::path::Path;

fn show_leaf(scalar: Scalar, leaf: Leaf) -> String {
    match (scalar.tag, leaf) {
        (Tag::Poison, _) => "poison".to_owned(),
        (Tag::Undef, _) => "undef".to_owned(),
        (Tag::Init, Leaf::Int(width)) => {
            let shift = 128 - u32::from(width);
            (((scalar.bits() << shift) as i128) >> shift).to_string()
        }
        (Tag::Init, Leaf::Float(FloatKind::Double)) => scalar.as_f64().to_string(),
        (Tag::Init, Leaf::Float(FloatKind::Float)) => scalar.as_f32().to_string(),
        (Tag::Init, Leaf::Float(_)) => format!("{:#x}", scalar.bits()),
        (Tag::Init, Leaf::Ptr) => format!("{:#x}", scalar.lo),
    }
}

fn show(value: &Value, leaves: &[Leaf]) -> String {
    let shown: Vec<String> = value.leaves.iter().zip(leaves).map(|((s, _), l)| show_leaf(*s, *l)).collect();
    match shown.as_slice() {
        [one] => one.clone(),
        many => format!("{{{}}}", many.join(", ")),
    }
}

fn outcome(program: &Program, name: &str) -> String {
    let Some(func) = program.function(name) else { return format!("no function {name}") };
    let limits = Limits { steps: 1_000_000, memory: 1 << 30, depth: 1000, ..Limits::default() };
    let mut interp = Interp::new(program, Plain, limits);
    match interp.call(func, &[]) {
        Ok(value) => show(&value, &program.code(func).result),
        Err(Stop::Exit(status)) => format!("exit {status}"),
        Err(Stop::Undefined(report)) => format!("ub {}", report.ub.map_or("?", |k| k.name())),
        Err(Stop::Unsupported(_)) => "unsupported".to_owned(),
        Err(Stop::Resource(_)) => "resource".to_owned(),
        Err(Stop::Bug(report)) => format!("bug: {report}"),
    }
}

/// The cases of a file: function, expectation, line.
fn cases(text: &str) -> Vec<(String, String, usize)> {
    let mut found = Vec::new();
    let mut expected = None;
    for (number, line) in text.lines().enumerate() {
        if let Some(rest) = line.strip_prefix("; expect: ") {
            expected = Some(rest.trim().to_owned());
        } else if line.starts_with("define ")
            && let Some(expected) = expected.take()
            && let Some((_, rest)) = line.split_once('@')
            && let Some((name, _)) = rest.split_once('(')
        {
            found.push((name.to_owned(), expected, number + 1));
        }
    }
    found
}

#[test]
fn every_case_ends_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/langref");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let module = ir::parse(&text, &file).unwrap_or_else(|e| panic!("{file}: {e}"));
        let program = Program::new(&module).unwrap_or_else(|e| panic!("{file}: {e:?}"));
        for (name, expected, line) in cases(&text) {
            count += 1;
            let got = outcome(&program, &name);
            if got != expected {
                wrong.push(format!("{file}:{line}: @{name}: expected {expected}, got {got}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 150, "only {count} cases were found");
}
