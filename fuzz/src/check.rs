//! What must hold of every program, as functions: [`check`] for one, [`check_batch`] for several in one module.
//!
//! At each level: the module prints and reads back as itself; its gradients are made without a panic, and judged by the
//! oracle on the interpreted run; the natively compiled module prints the same. The reference of one level agrees with
//! that of another. A refusal is no finding; it is counted by its message. Nor is a gradient whose terms cancel, where
//! the sizes of the terms explain what is lost: the reverse sweep of `a[i] - b[j]` with both names for one cell adds a
//! weight and takes it off again (errors of the sweep are those of partials moved by a unit in their last place:
//! Griewank & Walther, Evaluating Derivatives, 2nd ed., section 3.4). It is counted by itself, since the program loses
//! these digits and the oracle says so.
//!
//! Several programs in one module share the compiler's start, which is what a small program costs most.

mod analyses;
mod teams;

use crate::c::ast::Program;
use crate::choices::{Choices, bytes_of_seed};
use crate::planted::{self, Planted};
use crate::tool::{Failure, Tool};
use crate::{c, isolate};
use adjudicate::circumstances::Runs;
use adjudicate::report::{Component, LevelReport};
use adjudicate::session::{self, Prepared};
use adjudicate::{Level, Severity, Verdict};
use llvm::native::RunLimits;
use llvm::{CompileOptions, Input};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;
use teams::{Native, in_teams, link};

/// A program and where it came from.
#[derive(Clone, PartialEq)]
pub struct TestCase {
    /// The seed it was drawn from.
    pub seed: u64,
    /// The program.
    pub program: Program,
}

impl TestCase {
    /// The program of a seed.
    pub fn from_seed(seed: u64, odds: &c::odds::Odds) -> TestCase {
        let bytes = bytes_of_seed(seed);
        TestCase { seed, program: c::generate::program(&mut Choices::new(&bytes), odds) }
    }

    /// The program as C.
    pub fn source(&self) -> String {
        c::print::program(&self.program)
    }
}

/// As a test that fails shows it: the text, which compiles.
impl fmt::Debug for TestCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "// seed {}\n{}", self.seed, self.source())
    }
}

/// What is checked, and within what limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// Levels to check at.
    pub levels: Vec<Level>,
    /// Compare with the native program.
    pub native: bool,
    /// Compile with debug information.
    pub debug: bool,
    /// Print each module and read it back.
    pub reprint: bool,
    /// IR instructions that one run may execute.
    pub steps: u64,
    /// Seconds that judging one program at one level may take.
    pub seconds: u64,
    /// A defect to plant in gradients, to see that it is found.
    pub fault: Option<ad::Fault>,
    /// A defect to plant in parallel gradients.
    pub planted: Option<Planted>,
    /// Another AD tool, whose gradients are judged instead of ours.
    pub tool: Option<Tool>,
    /// The teams and schedules that a parallel program is judged under.
    pub runs: Runs,
    /// No gradients are judged; what the analyses claim is compared with executions ([`crate::claims`]).
    pub analyses: bool,
}

impl Default for Options {
    fn default() -> Options {
        let levels = Level::ALL.to_vec();
        Options {
            levels,
            native: true,
            debug: true,
            reprint: true,
            steps: 5_000_000,
            seconds: 20,
            fault: None,
            planted: None,
            tool: None,
            runs: Runs { teams: vec![1, 3], schedules: 2, ..Runs::default() },
            analyses: false,
        }
    }
}

/// Something that must not be.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Finding {
    /// Its kind: a verdict with its family, `panic`, `native`, …
    pub kind: String,
    /// What was said, with names and numbers taken out, so that the same defect reads the same.
    pub message: String,
    /// The level.
    pub level: String,
    /// The oracle's report or the message in full.
    pub report: String,
}

impl Finding {
    pub(crate) fn new(kind: impl Into<String>, message: &str, level: Level, report: impl Into<String>) -> Finding {
        Finding { kind: kind.into(), message: normalised(message), level: level.to_string(), report: report.into() }
    }

    /// By what findings of the same defect are recognised.
    pub fn key(&self) -> (String, String) {
        (self.kind.clone(), self.message.clone())
    }
}

/// What came of a program.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize)]
pub struct Outcome {
    /// What must not be.
    pub findings: Vec<Finding>,
    /// Normalised messages of refusals, each with the levels at which it was met.
    pub refusals: BTreeMap<String, Vec<String>>,
    /// What was said where the oracle could not decide, with the levels at which it was said.
    pub undecided: BTreeMap<String, Vec<String>>,
    /// Levels at which the gradient was judged correct, with or without a note.
    pub judged: usize,
    /// Levels at which a kink or a convention was noted.
    pub notes: usize,
    /// Levels at which the gradient is inaccurate because the program's own terms cancel.
    pub cancelled: usize,
}

/// Checks one program.
pub fn check(case: &TestCase, options: &Options) -> Outcome {
    check_batch(std::slice::from_ref(case), options).pop().unwrap_or_default()
}

/// Checks several programs as one module; what breaks the whole module is then sought by itself.
pub fn check_batch(cases: &[TestCase], options: &Options) -> Vec<Outcome> {
    let numbers: Vec<usize> = (0..cases.len()).collect();
    check_modules(&numbers, options, &|numbers, level| {
        let programs: Vec<&Program> = numbers.iter().map(|n| &cases[*n].program).collect();
        compiled(&c::print::batch(&programs), level, options)
    })
}

/// Checks a program in C that has been written by hand; what it includes is sought beside it.
pub fn check_file(path: &Path, options: &Options) -> Outcome {
    let make = |_: &[usize], level: Level| {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|e| Finding::new("environment", &e.to_string(), level, e.to_string()))?;
        compiled_in(path.parent(), &text, level, options)
    };
    check_modules(&[0], options, &make).pop().unwrap_or_default()
}

/// Why the programs of a module could not be checked.
pub(crate) enum Trouble {
    /// They are beyond what is supported.
    Refused(String),
    /// Something that must not be.
    Found(Finding),
}

impl From<Finding> for Trouble {
    fn from(finding: Finding) -> Trouble {
        Trouble::Found(finding)
    }
}

impl Trouble {
    /// Of reading a program at a level.
    pub(crate) fn reading(error: &llvm::Error, level: Level) -> Trouble {
        match error {
            llvm::Error::Unsupported { refusal, .. } => Trouble::Refused(refusal.to_string()),
            _ => Finding::new("generator or reader", &error.to_string(), level, error.to_string()).into(),
        }
    }
}

/// Makes the module of some programs, by their numbers, at a level.
pub(crate) type Make<'a> = &'a dyn Fn(&[usize], Level) -> Result<ir::Module, Trouble>;

/// Checks the programs of those numbers; `make` gives the module of some of them at a level.
pub(crate) fn check_modules(numbers: &[usize], options: &Options, make: Make<'_>) -> Vec<Outcome> {
    if options.analyses {
        return numbers.iter().map(|n| analyses::compared(*n, options, make)).collect();
    }
    let mut outcomes = vec![Outcome::default(); numbers.len()];
    let mut references: Vec<Option<Vec<Component>>> = vec![None; numbers.len()];
    for level in &options.levels {
        let module = make(numbers, *level);
        let checked = module.and_then(|m| at_level(m, *level, options, &mut outcomes, &mut references));
        match (checked, outcomes.as_mut_slice()) {
            (Ok(()), _) => {}
            (Err(Trouble::Refused(why)), [one]) => {
                one.refusals.entry(normalised(&why)).or_default().push(level.to_string());
            }
            (Err(Trouble::Found(finding)), [one]) => one.findings.push(finding),
            // Which of them it is, is found when they are checked alone.
            (Err(_), _) => return numbers.iter().flat_map(|n| check_modules(&[*n], options, make)).collect(),
        }
    }
    outcomes
}

/// A program's text as a module.
pub(crate) fn compiled(source: &str, level: Level, options: &Options) -> Result<ir::Module, Trouble> {
    compiled_in(None, source, level, options)
}

fn compiled_in(folder: Option<&Path>, source: &str, level: Level, options: &Options) -> Result<ir::Module, Trouble> {
    let include = adjudicate::header::IncludeDir::new();
    let include = include.map_err(|e| Finding::new("environment", &e.to_string(), level, e.to_string()))?;
    let compile = CompileOptions {
        include_dirs: [include.path()].into_iter().chain(folder).map(Path::to_owned).collect(),
        debug: options.debug,
        flags: if is_parallel(source) { vec!["-w".to_owned(), "-fopenmp".to_owned()] } else { vec!["-w".to_owned()] },
        timeout: Duration::from_secs(60),
        ..CompileOptions::at(level)
    };
    let bytes = source.as_bytes().to_vec();
    let input = Input::Bytes { name: "case.c".to_owned(), language: llvm::Language::C, bytes };
    llvm::read(&input, &compile).map_err(|e| Trouble::reading(&e, level))
}

/// Are there threads in a program's text?
fn is_parallel(source: &str) -> bool {
    source.contains("#pragma omp") || source.contains("pthread_create")
}

/// Are there threads in a module? Programs of a batch are judged as the whole batch is.
fn has_threads(module: &ir::Module) -> bool {
    let marks = ["__kmpc_", "pthread_create", "omp_get_"];
    module.functions.values().any(|f| marks.iter().any(|mark| f.name.starts_with(mark)))
}

/// An error is about the module as a whole.
fn at_level(
    module: ir::Module,
    level: Level,
    options: &Options,
    outcomes: &mut [Outcome],
    references: &mut [Option<Vec<Component>>],
) -> Result<(), Trouble> {
    if options.reprint {
        reads_back(&module, level)?;
    }

    let mut session = session::Options { steps: options.steps, seconds: options.seconds, ..Default::default() };
    session.fault = options.fault;
    let threads = has_threads(&module);
    let asked = if threads { options.runs.clone() } else { Runs::default() };
    let prepared = match &options.tool {
        None => isolate::catch(|| differentiated(module, options))
            .map_err(|panic| Finding::new("panic", &panic, level, panic.clone()))?,
        Some(tool) => match tool.differentiate(module) {
            Ok(output) => Prepared::of(output),
            Err(Failure::Refused(why)) => return Err(Trouble::Refused(why)),
            Err(failure) => {
                let (kind, text) = failure.parts();
                return Err(Finding::new(kind, text, level, text).into());
            }
        },
    };
    if let Some(module) = prepared.module().filter(|_| options.reprint) {
        reads_back(module, level)?;
        verified(module, "invalid IR", level)?;
    }
    let environment = |e: std::io::Error| Finding::new("environment", &e.to_string(), level, e.to_string());
    let folder = options.native.then(tempfile::tempdir).transpose().map_err(environment)?;
    let binary = folder.as_ref().map(|folder| folder.path().join("case"));
    let all = outcomes.len();
    let refused: Vec<Option<String>> = (0..all).map(|index| refusal(&prepared, index, all)).collect();
    let runs = all > 1 || refused.iter().any(Option::is_none);
    if let (Some(module), Some(binary)) = (prepared.module().filter(|_| runs), &binary) {
        llvm::native::build_executable(without_liberties(module).to_string().as_bytes(), binary, &link(threads))
            .map_err(|e| unbuilt(&e, level))?;
    }
    for (index, (outcome, reference)) in outcomes.iter_mut().zip(references).enumerate() {
        if let Some(message) = &refused[index] {
            outcome.refusals.entry(normalised(message)).or_default().push(level.to_string());
            if message.starts_with("internal") {
                outcome.findings.push(Finding::new("internal error", message, level, message.clone()));
            }
            continue;
        }
        session.args = if all > 1 { vec![index.to_string()] } else { Vec::new() };
        let native = binary.as_deref().map(|path| Native { path, teams: if threads { &asked.teams } else { &[] } });
        session.runs = asked.clone();
        one(&prepared, level, &session, native, outcome, reference);
    }
    Ok(())
}

/// The module with its gradients, and what is planted in them.
fn differentiated(module: ir::Module, options: &Options) -> Prepared {
    let mut output = ad::differentiate(module, &ad::Options { fault: options.fault, ..ad::Options::default() });
    if let Some(planted) = options.planted {
        planted::plant(&mut output.module, planted);
    }
    Prepared::of(output)
}

/// A module that the compiler does not take. What it says first is where, and what it has to say of the command.
fn unbuilt(error: &llvm::Error, level: Level) -> Finding {
    let text = error.to_string();
    let said = text.lines().find(|line| !line.contains("warning: ")).unwrap_or(&text);
    Finding::new("invalid IR", said, level, text.clone())
}

/// Why the gradient of one program of a module was refused.
fn refusal(prepared: &Prepared, index: usize, all: usize) -> Option<String> {
    // Names of a program's functions end in its number; what is made of them may go on behind it.
    let number = index.to_string();
    // What the compiler makes of a region or a task starts with a point, or has a number of its own behind one.
    let numbered = |function: &str| {
        let name = function.split('.').next().unwrap_or_default();
        name.split('_').any(|part| part == number)
    };
    let own = |function: &str| all == 1 || numbered(function);
    // What all gradients share has no number: there the caller tells whose it was.
    let caller = |r: &ad::Refusal| prepared.module().is_some_and(|m| own(&m.functions[r.caller].name));
    let found = prepared.refusals().iter().find(|r| own(&r.diagnostic.function) || caller(r)).map(|r| &r.diagnostic)?;
    let what = if found.reason == ad::Reason::Bug { "internal error: " } else { "" };
    Some(format!("{what}{}", found.message))
}

/// The module without the flags that let native code compute other numbers than the interpreter, which takes no
/// liberties.
fn without_liberties(module: &ir::Module) -> ir::Module {
    let mut module = module.clone();
    for inst in module.functions.values_mut().flat_map(|f| f.insts.values_mut()) {
        if let Some(fast) = inst.kind.fast_mut() {
            *fast = ir::FastMath::default();
        }
    }
    module
}

/// The module passes the verifier.
pub(crate) fn verified(module: &ir::Module, kind: &str, level: Level) -> Result<(), Finding> {
    ir::verify(module).map_err(|errors| {
        let text: String = errors.iter().map(|e| format!("{e}\n")).collect();
        Finding::new(kind, text.lines().next().unwrap_or_default(), level, text.clone())
    })
}

pub(crate) fn reads_back(module: &ir::Module, level: Level) -> Result<(), Finding> {
    let text = module.to_string();
    let again =
        ir::parse(&text, &module.id).map_err(|e| Finding::new("reprint", &e.to_string(), level, e.to_string()))?;
    let differs = || Finding::new("reprint", "a module does not print as it was read", level, text.clone());
    if again.to_string() == text { Ok(()) } else { Err(differs()) }
}

/// Runs and judges one program of a module.
fn one(
    prepared: &Prepared,
    level: Level,
    session: &session::Options,
    native: Option<Native<'_>>,
    outcome: &mut Outcome,
    reference: &mut Option<Vec<Component>>,
) {
    let judged = session.each_run(|session| {
        let mut report = isolate::catch(|| prepared.run(level.name(), "case", session, &|_| {}))?;
        // Refusals of the whole module come first; those of this program were counted.
        report.problems.drain(..prepared.refusals().len());
        Ok::<_, String>(report)
    });
    let mut report = match judged {
        Ok(report) => report,
        Err(panic) => return outcome.findings.push(Finding::new("panic", &panic, level, panic.clone())),
    };
    let text = |report: &LevelReport| adjudicate::report::Report::new("case.c", vec![report.clone()]).to_string();
    for finding in report.findings() {
        let kind = match finding.family {
            Some(family) => format!("{}: {family}", finding.verdict),
            None => finding.verdict.to_string(),
        };
        match finding.verdict.severity() {
            Severity::Fine | Severity::Note => {}
            _ if finding.verdict == Verdict::Inaccurate && cancels(&report) => outcome.cancelled += 1,
            Severity::Undecided if finding.verdict == Verdict::Unsupported => {
                outcome.refusals.entry(normalised(&finding.message)).or_default().push(level.to_string());
            }
            Severity::Undecided if finding.verdict == Verdict::Undecided => {
                outcome.undecided.entry(normalised(&finding.message)).or_default().push(level.to_string());
            }
            Severity::Undecided | Severity::Fault => {
                outcome.findings.push(Finding::new(kind, &finding.message, level, text(&report)));
            }
        }
    }
    let verdict = report.verdict();
    if verdict.severity() > Severity::Note {
        return;
    }
    let Some(gradient) = report.gradients.first().filter(|g| g.judged > 0) else {
        let message = "the gradient was not judged";
        return outcome.findings.push(Finding::new("not judged", message, level, text(&report)));
    };
    outcome.judged += 1;
    outcome.notes += usize::from(verdict.severity() == Severity::Note);
    // Of a call that is executed more than once, levels may describe different executions.
    if verdict == Verdict::Correct && report.gradients.len() == 1 && gradient.executed == 1 {
        match reference {
            None => *reference = Some(gradient.components.clone()),
            Some(known) => outcome.findings.extend(disagreement(known, &gradient.components, level)),
        }
    }
    let Some(native) = native else { return };
    if !native.teams.is_empty() {
        outcome
            .findings
            .extend(native.teams.iter().find_map(|threads| in_teams(&native, *threads, session, level, &report)));
        return;
    }
    let binary = native.path;
    let args: Vec<_> = session.args.iter().map(Into::into).collect();
    let limits = RunLimits { timeout: Duration::from_secs(20), ..RunLimits::default() };
    let run = || llvm::native::run(binary, &args, &[], &limits);
    // A machine that is short of something may stop a program once, but hardly twice.
    let failed = |output: &llvm::native::Output| output.exit != llvm::Exit::Code(0);
    match run().and_then(|output| if failed(&output) { run() } else { Ok(output) }) {
        Ok(mut native) => {
            // The sign of a NaN is nobody's: LLVM leaves it open.
            native.stdout = String::from_utf8_lossy(&native.stdout).replace("-nan", "nan").into_bytes();
            report.stdout = report.stdout.replace("-nan", "nan");
            let found = session::compare_with_native(&native, &report);
            if found.is_some() && prepared.module().is_some_and(leaves_signs_of_zeros_open) {
                native.stdout = zeros_without_sign(&String::from_utf8_lossy(&native.stdout)).into_bytes();
                report.stdout = zeros_without_sign(&report.stdout);
            }
            if let Some(finding) = found.and_then(|_| session::compare_with_native(&native, &report)) {
                outcome.findings.push(Finding::new(
                    "native",
                    &finding.message,
                    level,
                    text(&report) + &finding.message,
                ));
            }
        }
        Err(error) => outcome.findings.push(Finding::new("environment", &error.to_string(), level, error.to_string())),
    }
}

/// LangRef, `llvm.minnum`: "If the operands compare equal, returns either one of the operands", so that of zeros the
/// sign is open. The processor's instruction, the C library and the folding of constants return different ones.
fn leaves_signs_of_zeros_open(module: &ir::Module) -> bool {
    module.functions.values().any(|f| ["llvm.minnum.", "llvm.maxnum."].iter().any(|name| f.name.starts_with(name)))
}

fn zeros_without_sign(text: &str) -> String {
    let word = |word: &str| if word == "-0" { "0".to_owned() } else { word.to_owned() };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Does the size of the terms explain what a gradient lost?
fn cancels(report: &LevelReport) -> bool {
    // Roundings of the sum's terms add up.
    const ROUNDINGS: f64 = 4.0;
    let inaccurate = report.gradients.iter().filter(|g| g.verdict == Verdict::Inaccurate);
    let explained = |a: &adjudicate::report::Accuracy| a.lost_bits <= a.cancellation.log2() + ROUNDINGS;
    inaccurate.map(|g| &g.accuracy).all(explained)
}

/// References of two levels differ by rounding of the primal and no more. Numbers of a generated program are of order
/// 1, and most programs have some in single precision: what is left of `x - (float)x` is 0 for exact lanes, and a
/// rounding where the optimiser has folded the conversion.
fn disagreement(known: &[Component], now: &[Component], level: Level) -> Option<Finding> {
    let scale = known.iter().map(|c| c.expected.abs()).fold(0.0, f64::max);
    let differs = |a: &Component, b: &Component| {
        let tolerance = 1e-4 * (a.expected.abs() + b.expected.abs()) + 1e-6 * scale + f64::from(f32::EPSILON);
        (a.expected - b.expected).abs() > tolerance
    };
    let same = |a: &Component, b: &Component| (&a.name, a.format) == (&b.name, b.format);
    let found = now.iter().find_map(|b| known.iter().find(|a| same(a, b) && differs(a, b)).map(|a| (a, b)))?;
    let (a, b) = found;
    let full = format!("{} is {:e} at one level and {:e} at another", a.name, a.expected, b.expected);
    Some(Finding::new("levels", "the reference depends on the level", level, full))
}

/// A message without the names, numbers and places that differ from program to program. A zero that is a number of its
/// own stays: what is lost is told apart from what is wrong.
pub fn normalised(message: &str) -> String {
    let first = message.lines().next().unwrap_or_default();
    let mut text = String::new();
    for (index, part) in first.split('`').enumerate() {
        if index % 2 == 1 {
            text.push_str("`…`");
        } else {
            text.push_str(&without_numbers(part));
        }
    }
    // Where it was, before what it was.
    let words = text.split(' ').filter(|word| !word.contains("<stdin>")).collect::<Vec<_>>().join(" ");
    let rest = words.strip_prefix("not supported: ").unwrap_or(&words);
    rest.strip_prefix("in `…`: ").unwrap_or(rest).to_owned()
}

/// Each number as `#`, with its sign, its fraction and its exponent.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(at);
        let alone = before.is_empty() && out.is_empty() || before.ends_with([' ', '-', '(']);
        let before = before.strip_suffix('-').filter(|b| b.is_empty() || b.ends_with([' ', '('])).unwrap_or(before);
        let mut end = digits(number, 0);
        if number[end..].starts_with('.') && digits(number, end + 1) > end + 1 {
            end = digits(number, end + 1);
        }
        if let Some(exponent) = number[end..].strip_prefix('e') {
            let sign = usize::from(exponent.starts_with('-'));
            if digits(exponent, sign) > sign {
                end += 1 + digits(exponent, sign);
            }
        }
        let zero = alone && matches!(&number[..end], "0") && !number[end..].starts_with(|c: char| c.is_alphanumeric());
        out.push_str(before);
        out.push(if zero { '0' } else { '#' });
        rest = &number[end..];
    }
    out + rest
}

/// Where the digits from a place on end.
fn digits(text: &str, from: usize) -> usize {
    from + text[from..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - from)
}

#[cfg(test)]
mod tests {
    #[test]
    fn messages_of_one_defect_read_the_same() {
        let same = |a: &str, b: &str| assert_eq!(super::normalised(a), super::normalised(b));
        same("the component of a0[3] is -0.5; it should be 1.25e-7", "the component of a12[0] is 3; it should be -2");
        same("not supported: in `f`: an active value", "not supported: /a/<stdin>:7:12: an active value");
        same(
            "left the floats before, by `g` (/a/<stdin>:7:1): no",
            "left the floats before, by `h` (<stdin>:70:11): no",
        );
        same("an active value", "not supported: an active value");
        let lost = super::normalised("the component of x1 is 0; it should be 0.25");
        assert_eq!(lost, "the component of x# is 0; it should be #");
        assert_eq!(super::normalised("after 10 of 4e steps, 0x is"), "after # of #e steps, #x is");
    }

    #[test]
    fn only_zeros_lose_their_sign() {
        assert_eq!(super::zeros_without_sign("1 -0 -0.5\n-0\n-01"), "1 0 -0.5\n0\n-01");
    }
}
