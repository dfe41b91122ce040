//! Runs every case of `corpus/conformance/*.ll`: the LangRef, sentence by sentence.
//!
//! A case is a function without parameters that has an expectation; the sentence of the LangRef it stands for precedes
//! it (one sentence may stand for several cases). The expectation is one of
//!
//! - `; expect: RESULT` above the `define`: what calling the function returns. `42`, `-1`, `1.5`, `0x7ff8…` for the
//!   bits of a number, `{1, 2}` for several leaves, `poison` and `undef` as leaves, `exit N`, `unsupported`,
//!   `resource`.
//! - `;~ ub KIND` behind an instruction: calling the function is undefined behaviour of that kind, at that instruction.
//! - `;~ poison` behind an instruction: the function returns the poison that this instruction makes.

use interp::{Interp, Leaf, Limits, Plain, Program, Scalar, Stop, Tag, Value};
use ir::{FloatKind, Function, InstId};
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
        (Tag::Init, Leaf::Float(_) | Leaf::Ptr) => format!("{:#x}", scalar.bits()),
    }
}

/// One leaf against what is expected of it; numbers may be given by their bits.
fn fits_leaf(scalar: Scalar, leaf: Leaf, expected: &str) -> bool {
    let bits = || scalar.is_init() && leaf.is_float() && format!("{:#x}", scalar.bits()) == expected;
    show_leaf(scalar, leaf) == expected || bits()
}

fn fits(value: &Value, leaves: &[Leaf], expected: &str) -> bool {
    let inner = expected.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let parts: Vec<&str> = match inner {
        Some("") => Vec::new(),
        Some(inner) => inner.split(", ").collect(),
        None => vec![expected],
    };
    let same = |((scalar, leaf), part): ((&Scalar, &Leaf), &&str)| fits_leaf(*scalar, *leaf, part);
    let scalars: Vec<Scalar> = value.leaves.iter().map(|(s, ())| *s).collect();
    parts.len() == leaves.len() && scalars.iter().zip(leaves).zip(&parts).all(same)
}

fn show(value: &Value, leaves: &[Leaf]) -> String {
    let shown: Vec<String> = value.leaves.iter().zip(leaves).map(|((s, ()), l)| show_leaf(*s, *l)).collect();
    shown.join(", ")
}

#[derive(Debug)]
enum Expected {
    Result(String),
    Ub(String, usize),
    Poison(usize),
}

struct Case {
    name: String,
    expected: Expected,
    /// The line of each instruction of the function, in order.
    lines: Vec<usize>,
}

/// The cases of a file.
fn cases(text: &str) -> Vec<Case> {
    let mut found = Vec::new();
    let mut result = None;
    let mut open: Option<(String, Option<Expected>, Vec<usize>)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some((name, expected, lines)) = &mut open {
            let code = line.trim_start();
            if code == "}" {
                let (name, lines) = (std::mem::take(name), std::mem::take(lines));
                found.extend(expected.take().map(|expected| Case { name, expected, lines }));
                open = None;
                continue;
            }
            let is_label = !line.starts_with(' ') && line.contains(':');
            if !code.is_empty() && !code.starts_with(';') && !is_label {
                lines.push(number);
            }
            if let Some((_, mark)) = line.split_once(";~ ") {
                assert!(expected.is_none(), "line {number}: {name} has two expectations");
                *expected = Some(match mark.trim() {
                    "poison" => Expected::Poison(number),
                    mark => Expected::Ub(mark.to_owned(), number),
                });
            }
        } else if let Some(rest) = line.strip_prefix("; expect: ") {
            result = Some(rest.trim().to_owned());
        } else if line.starts_with("define ")
            && let Some((_, rest)) = line.split_once('@')
            && let Some((name, _)) = rest.split_once('(')
        {
            open = Some((name.to_owned(), result.take().map(Expected::Result), Vec::new()));
        }
    }
    found
}

/// The line of an instruction.
fn line_of(function: &Function, case: &Case, inst: InstId) -> Option<usize> {
    let position = function.inst_order().position(|(_, id)| id == inst)?;
    case.lines.get(position).copied()
}

/// What is wrong with a case, if anything.
fn judge(program: &Program, case: &Case) -> Result<(), String> {
    let func = program.function(&case.name).ok_or("no such function")?;
    let limits = Limits { steps: 1_000_000, memory: 1 << 30, depth: 1000, ..Limits::default() };
    let mut interp = Interp::new(program, Plain, limits);
    let (function, leaves) = (&program.module.functions[func], &program.code(func).result);
    let stopped = |stop: &Stop| match stop {
        Stop::Exit(status) => format!("exit {status}"),
        Stop::Undefined(report) => format!("ub {} ({})", report.ub.map_or("?", |k| k.name()), report.message),
        Stop::Unsupported(report) => format!("unsupported ({})", report.message),
        Stop::Resource(_) => "resource".to_owned(),
        Stop::Bug(report) => format!("bug: {report}"),
    };
    match (&case.expected, interp.call(func, &[])) {
        (Expected::Result(expected), Ok(value)) if fits(&value, leaves, expected) => Ok(()),
        (Expected::Result(expected), Err(stop)) if stopped(&stop) == *expected => Ok(()),
        (Expected::Result(expected), Err(Stop::Unsupported(_))) if expected == "unsupported" => Ok(()),
        (Expected::Ub(kind, line), Err(Stop::Undefined(report))) => {
            let got = report.ub.map_or("?", |k| k.name());
            let frame = report.stack.iter().filter_map(|p| p.at).find(|at| at.func == func);
            let at = frame.and_then(|at| line_of(function, case, at.inst));
            if *kind == format!("ub {got}") && at == Some(*line) {
                return Ok(());
            }
            Err(format!("expected {kind} at line {line}, got {got} at line {at:?}: {}", report.message))
        }
        (Expected::Poison(line), Ok(value)) => {
            let poison = value.leaves.iter().map(|(s, ())| *s).find(|s| s.tag == Tag::Poison);
            let at = poison.and_then(Scalar::poison_origin).filter(|at| at.func == func);
            let at = at.and_then(|at| line_of(function, case, at.inst));
            if at == Some(*line) {
                return Ok(());
            }
            Err(format!("expected poison made at line {line}, got {} of line {at:?}", show(&value, leaves)))
        }
        (expected, Ok(value)) => Err(format!("expected {expected:?}, got {}", show(&value, leaves))),
        (expected, Err(stop)) => {
            let at = stop.report().and_then(|r| r.stack.iter().filter_map(|p| p.at).find(|at| at.func == func));
            let at = at.and_then(|at| line_of(function, case, at.inst));
            Err(format!("expected {expected:?}, got {} at line {at:?}", stopped(&stop)))
        }
    }
}

#[test]
fn every_case_ends_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/conformance");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let module = ir::parse(&text, &file).unwrap_or_else(|e| panic!("{file}: {e}"));
        let program = Program::new(&module).unwrap_or_else(|e| panic!("{file}: {e:?}"));
        for case in cases(&text) {
            count += 1;
            if let Err(why) = judge(&program, &case) {
                wrong.push(format!("{file}: @{}: {why}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 1150, "only {count} cases were found");
}
