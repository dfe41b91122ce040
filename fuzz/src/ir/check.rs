//! What must hold of programs in IR. Those that are differentiated are checked as programs in C are; of the others, the
//! interpreter's result is compared bit for bit with that of native code at each level.

use super::batch::{self, Batch, INPUTS, INPUTS_NAME, Purpose};
use super::census;
use super::odds::Odds;
use super::reduce;
use crate::check::{self, Finding, Options, Outcome, Trouble};
use crate::isolate;
use adjudicate::Level;
use interp::{Interp, Limits, Plain, Program, Stop, Value};
use ir::{FuncId, Module};
use llvm::native::{LinkOptions, RunLimits, build_executable};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

/// Checks the programs of some seeds as one module; with each comes what it contains.
pub fn check(seeds: &[u64], purpose: Purpose, odds: &Odds, options: &Options) -> Vec<(Outcome, BTreeSet<String>)> {
    let numbers: Vec<usize> = (0..seeds.len()).collect();
    let batch = |numbers: &[usize]| {
        let seeds: Vec<u64> = numbers.iter().map(|n| seeds[*n]).collect();
        batch::of_seeds(&seeds, purpose, odds)
    };
    // Starting LLVM costs most; where nothing starts it, a differentiated call had better not look at other programs.
    let alone = options.analyses;
    let apart = alone || purpose == Purpose::Gradient && !options.native && options.levels == [Level::O0];
    let mut checked = Vec::new();
    for part in numbers.chunks(if apart { 1 } else { numbers.len().max(1) }) {
        let first = batch(part);
        let constructs: Vec<BTreeSet<String>> = first
            .programs
            .iter()
            .zip(&first.notes)
            .map(|(root, notes)| &census::of(&first.module, *root) | notes)
            .collect();
        let outcomes = match purpose {
            Purpose::Gradient => differentiated(part, first.module, options, &batch),
            Purpose::Semantics => match executed(first, options) {
                Ok(outcomes) => outcomes,
                Err(finding) if part.len() == 1 => vec![troubled(finding)],
                // Which of them it is, is found when they are checked alone.
                Err(_) => {
                    let alone = |n: &usize| executed(batch(&[*n]), options).unwrap_or_else(|f| vec![troubled(f)]);
                    part.iter().flat_map(alone).collect()
                }
            },
        };
        checked.extend(outcomes.into_iter().zip(constructs));
    }
    checked
}

/// Checks a module that is differentiated.
pub fn check_module(module: &Module, options: &Options) -> Outcome {
    let at = |_: &[usize], level| at_level(module.clone(), level, options);
    check::check_modules(&[0], options, &at).pop().unwrap_or_default()
}

/// Checks programs as those in C are; `module` has those of all the numbers.
fn differentiated(
    numbers: &[usize],
    module: Module,
    options: &Options,
    batch: &dyn Fn(&[usize]) -> Batch,
) -> Vec<Outcome> {
    // Another level, or a program alone, is drawn again.
    let first = Cell::new(Some(module));
    check::check_modules(numbers, options, &|numbers, level| {
        let module = first.take().unwrap_or_else(|| batch(numbers).module);
        at_level(module, level, options)
    })
}

fn troubled(finding: Finding) -> Outcome {
    Outcome { findings: vec![finding], ..Outcome::default() }
}

/// A generated module, verified, and optimised to a level.
pub(super) fn at_level(module: Module, level: Level, options: &Options) -> Result<Module, Trouble> {
    check::verified(&module, GENERATOR, level)?;
    if level == Level::O0 {
        return Ok(module);
    }
    let input = llvm::Input::Bytes {
        name: "case.ll".to_owned(),
        language: llvm::Language::Ir,
        bytes: module.to_string().into_bytes(),
    };
    let compile = llvm::CompileOptions { optimize: true, debug: options.debug, ..llvm::CompileOptions::at(level) };
    llvm::read(&input, &compile).map_err(|e| Trouble::reading(&e, level))
}

/// A generated module that is not valid.
const GENERATOR: &str = "generator or verifier";

/// Results of a program, one for each set of inputs.
type Results = Result<Vec<u64>, Stop>;

/// Interprets each program, and compares with native code. An error is a finding about the module as a whole.
pub(super) fn executed(batch: Batch, options: &Options) -> Result<Vec<Outcome>, Finding> {
    let mut outcomes = vec![Outcome::default(); batch.programs.len()];
    let first = options.levels.first().copied().unwrap_or_default();
    let Batch { module, programs, .. } = batch;
    check::verified(&module, GENERATOR, first)?;
    let text = options.native.then(|| module.to_string());
    if options.reprint {
        check::reads_back(&module, first)?;
    }
    let program = Program::shared(Rc::new(module)).map_err(|all| {
        let text: String = all.iter().map(|d| format!("{d}\n")).collect();
        Finding::new("unsupported", &text, first, text.clone())
    })?;
    let mut results = Vec::new();
    for (function, outcome) in programs.iter().zip(&mut outcomes) {
        match isolate::catch(|| interpreted(&program, *function, options)) {
            Ok(Ok(words)) => results.push(Some(words)),
            Ok(Err(stop)) => {
                results.push(None);
                let text = stop.to_string();
                match stop {
                    Stop::Unsupported(report) => {
                        let why = check::normalised(&report.message);
                        outcome.refusals.insert(why, vec!["interpreter".to_owned()]);
                    }
                    Stop::Undefined(_) => outcome.findings.push(Finding::new("ub", &text, first, text.clone())),
                    Stop::Resource(_) | Stop::Bug(_) | Stop::Exit(_) => {
                        outcome.findings.push(Finding::new("interpreter", &text, first, text.clone()));
                    }
                }
            }
            Err(panic) => {
                results.push(None);
                outcome.findings.push(Finding::new("panic", &panic, first, panic.clone()));
            }
        }
    }
    for level in &options.levels {
        match &text {
            None => {
                outcomes.iter_mut().zip(&results).for_each(|(o, r)| o.judged += usize::from(r.is_some()));
            }
            Some(text) => compared(text, *level, &results, &mut outcomes)?,
        }
    }
    Ok(outcomes)
}

fn interpreted(program: &Program, function: FuncId, options: &Options) -> Results {
    let mut words = Vec::new();
    let inputs = program.module.global(INPUTS_NAME).map(|g| program.globals[g]);
    for set in 0..INPUTS.len() {
        let limits = Limits { steps: options.steps, memory: 64 << 20, ..Limits::default() };
        let mut interp = Interp::new(program, Plain, limits);
        let at = inputs.unwrap_or(interp::Pointer::NULL).offset((set * size_of_val(&INPUTS[0])) as i64);
        let value = interp.call(function, &[Value::ptr(at)])?;
        if let Some(stop) = interp.leak_report() {
            return Err(stop);
        }
        let word = value.first().unwrap_or_default();
        if word.tag != interp::Tag::Init {
            let text = "the result of the program is not defined".to_owned();
            let report = interp::Report { ub: None, message: text, stack: Vec::new(), notes: Vec::new() };
            return Err(Stop::Undefined(Box::new(report)));
        }
        words.push(word.lo);
    }
    Ok(words)
}

/// Compiles the module at a level and compares what its programs print.
fn compared(text: &str, level: Level, results: &[Option<Vec<u64>>], outcomes: &mut [Outcome]) -> Result<(), Finding> {
    let folder = tempfile::tempdir().map_err(|e| Finding::new("environment", &e.to_string(), level, e.to_string()))?;
    let binary = folder.path().join("case");
    build_executable(text.as_bytes(), &binary, &LinkOptions { level, ..LinkOptions::default() })
        .map_err(|e| Finding::new("invalid IR or compiler", &e.to_string(), level, e.to_string()))?;
    let together = printed(&binary, None);
    for (index, (outcome, result)) in outcomes.iter_mut().zip(results).enumerate() {
        let Some(result) = result else { continue };
        let theirs = match &together {
            Ok(words) if words.len() == INPUTS.len() * results.len() => {
                Ok(words[INPUTS.len() * index..][..INPUTS.len()].to_vec())
            }
            // Some program did not end as it should; it is found when each runs alone.
            _ => printed(&binary, Some(index)),
        };
        match theirs {
            Ok(theirs) if theirs == *result => outcome.judged += 1,
            Ok(theirs) => {
                let text = format!("native code answers {theirs:x?}, the interpreter {result:x?}");
                outcome.findings.push(Finding::new("native", "native code answers otherwise", level, text));
            }
            Err(why) => outcome.findings.push(Finding::new("native", &why, level, why.clone())),
        }
    }
    Ok(())
}

/// The words that a native program prints.
fn printed(binary: &Path, number: Option<usize>) -> Result<Vec<u64>, String> {
    let limits = RunLimits { timeout: Duration::from_secs(20), ..RunLimits::default() };
    let args: Vec<OsString> = number.iter().map(|n| n.to_string().into()).collect();
    let output = llvm::native::run(binary, &args, &[], &limits).map_err(|e| e.to_string())?;
    if output.exit != llvm::Exit::Code(0) {
        return Err(format!("the native program ends with {:?}", output.exit));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| u64::from_str_radix(line, 16).ok()).collect())
}

/// The program of a seed made as small as it gets while it has a finding of the same kind, as text.
pub(crate) fn reduced(
    seed: u64,
    purpose: Purpose,
    odds: &Odds,
    options: &Options,
    questions: usize,
    finding: &Finding,
) -> String {
    let Batch { module, programs, notes } = batch::of_seeds(&[seed], purpose, odds);
    let options = Options { reprint: finding.kind == "reprint", ..options.clone() };
    let keeps = |module: &Module| {
        let found = match purpose {
            Purpose::Semantics => {
                let batch = Batch { module: module.clone(), programs: programs.clone(), notes: notes.clone() };
                executed(batch, &options).unwrap_or_else(|finding| vec![troubled(finding)])
            }
            Purpose::Gradient => {
                check::check_modules(&[0], &options, &|_, level| at_level(module.clone(), level, &options))
            }
        };
        found.iter().flat_map(|o| &o.findings).any(|f| f.kind == finding.kind)
    };
    if !keeps(&module) {
        return reduce::text(&module);
    }
    reduce::text(&reduce::reduce(module, questions, &keeps))
}
