//! Reports: everything that was found, as data. [`text`] renders them for people, [`Report::to_json`] for programs.

pub mod excerpt;
pub mod text;

use crate::circumstances::Circumstances;
use crate::verdict::{Family, Severity, Verdict};
use interp::bridge::{Bridge, Crossing};
use serde::Serialize;
use std::fmt;

/// The version of the JSON schema; it changes when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// A place in the user's source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Position {
    /// The file, as the compiler names it.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1; 0 when unknown.
    pub column: u32,
}

impl From<ir::SourceLoc> for Position {
    fn from(loc: ir::SourceLoc) -> Self {
        Position { file: loc.file, line: loc.line, column: loc.column }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        Ok(())
    }
}

/// A second place, with what happened there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Note {
    /// What happened there.
    pub message: String,
    /// Where, if known.
    pub position: Option<Position>,
}

/// Something to be said about a gradient or a program: a fault, a limit, or a point of note.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// The verdict it leads to.
    pub verdict: Verdict,
    /// The family, when the gradient is wrong.
    pub family: Option<Family>,
    /// What is the matter, in a sentence without a full stop.
    pub message: String,
    /// The line that is to blame.
    pub position: Option<Position>,
    /// The instruction there, as IR.
    pub instruction: Option<String>,
    /// The primal instruction that the blamed one stands for, as IR.
    pub stands_for: Option<String>,
    /// The observations from which the family was concluded.
    pub evidence: Vec<String>,
    /// Secondary places, among them the interpreted call stack, innermost first.
    pub notes: Vec<Note>,
}

impl Finding {
    /// A finding without a place.
    pub fn new(verdict: Verdict, message: impl Into<String>) -> Finding {
        Finding {
            verdict,
            family: None,
            message: message.into(),
            position: None,
            instruction: None,
            stands_for: None,
            evidence: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The same finding at a place.
    #[must_use]
    pub fn at(mut self, position: Option<Position>) -> Finding {
        self.position = position;
        self
    }
}

/// One component of a gradient.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Component {
    /// What it is the derivative by, such as `x[3]` or `argument 2`.
    pub name: String,
    /// Its format, as LLVM calls it: in structures of several formats a name alone may stand for two cells.
    pub format: &'static str,
    /// The reference, rounded to a double.
    pub expected: f64,
    /// What the gradient computed.
    pub actual: f64,
    /// What the gradient's formula gives in exact arithmetic, rounded to a double.
    pub exact: f64,
    /// Distance of `actual` from the reference in units of the last place of the component's format.
    pub ulp: f64,
    /// Does the formula agree with the reference?
    pub agrees: bool,
}

/// How accurate a gradient is, apart from whether it is right.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Accuracy {
    /// The largest distance from the reference in units of the last place.
    pub max_ulp: f64,
    /// The bits lost where most were lost.
    pub lost_bits: f64,
    /// The relative condition of that component by its inputs.
    pub condition: f64,
    /// How many times as large as that component the terms of the sum are that it is.
    pub cancellation: f64,
}

impl Accuracy {
    /// The worse of two.
    pub fn merge(&mut self, other: Accuracy) {
        self.max_ulp = self.max_ulp.max(other.max_ulp);
        if other.lost_bits >= self.lost_bits {
            self.lost_bits = other.lost_bits;
            self.cancellation = other.cancellation;
        }
        self.condition = self.condition.max(other.condition);
    }
}

/// What an agreement rests on.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Basis {
    /// Components that were compared with the multi-precision reference, each alone or in a sum with others: those by
    /// inputs, and the shadows of cells that are only overwritten. In forward mode the tangents.
    pub components: usize,
    /// Directions of the inputs along which that was done. Where components are compared alone, each has its own.
    pub directions: usize,
    /// Those among them along which the derivative is not zero.
    pub nonzero: usize,
    /// Directions along which plain differences of the program say the same.
    pub differences: usize,
    /// Within which part of the size of the derivative they do, where they tell least; none if they tell nothing.
    pub bound: Option<f64>,
}

/// In which direction derivatives go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// A gradient.
    Reverse,
    /// A tangent.
    Forward,
}

impl Mode {
    /// What the derivative is called.
    pub fn noun(self) -> &'static str {
        match self {
            Mode::Reverse => "gradient",
            Mode::Forward => "tangent",
        }
    }
}

impl From<ad::Mode> for Mode {
    fn from(mode: ad::Mode) -> Mode {
        match mode {
            ad::Mode::Reverse => Mode::Reverse,
            ad::Mode::Forward { .. } => Mode::Forward,
        }
    }
}

/// The judgement of one differentiated call in the program's text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Gradient {
    /// The differentiated function.
    pub function: String,
    /// The function judged as its gradient.
    pub gradient: String,
    /// Was it given by the program, rather than synthesised?
    pub given: bool,
    /// Its mode.
    pub mode: Mode,
    /// The call.
    pub call: Option<Position>,
    /// How often the call was executed.
    pub executed: u64,
    /// How many of these executions were judged.
    pub judged: u64,
    /// The worst verdict of all executions.
    pub verdict: Verdict,
    /// Which execution the rest describes: the first with that verdict, counted from 1.
    pub execution: u64,
    /// Why, unless it is correct.
    pub finding: Option<Finding>,
    /// The components: all of them when there are few, else the most interesting.
    pub components: Vec<Component>,
    /// How many components there are.
    pub component_count: usize,
    /// What the comparison of that execution rests on.
    pub basis: Basis,
    /// Accuracy over all judged executions.
    pub accuracy: Accuracy,
    /// What else is worth knowing, such as decisions made by rounding.
    pub remarks: Vec<String>,
    /// What the gradient keeps for its reverse pass, if that was asked for: of the execution that keeps most.
    pub tape: Option<Tape>,
    /// Which run of the program this is, as an index of [`LevelReport::runs`]: the first with the worst verdict.
    pub run: usize,
    /// Do all runs have that verdict?
    pub steady: bool,
}

impl Gradient {
    /// An entry of which nothing is known yet.
    pub fn unjudged(function: impl Into<String>, call: Option<Position>) -> Gradient {
        Gradient {
            function: function.into(),
            gradient: String::new(),
            given: false,
            mode: Mode::Reverse,
            call,
            executed: 0,
            judged: 0,
            verdict: Verdict::Undecided,
            execution: 0,
            finding: None,
            components: Vec::new(),
            component_count: 0,
            basis: Basis::default(),
            accuracy: Accuracy::default(),
            remarks: Vec::new(),
            tape: None,
            run: 0,
            steady: true,
        }
    }
}

/// What a gradient keeps, and its memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Tape {
    /// Bytes that are written to the tape; a cell that is written again counts once.
    pub bytes: u64,
    /// How often something is written to it.
    pub writes: u64,
    /// The most memory that the gradient has beyond what exists when it is called, tape and shadows included.
    pub peak: u64,
    /// The same of the primal alone.
    pub primal_peak: u64,
    /// IR instructions that the primal executes.
    pub primal_steps: u64,
    /// By line of the source, the largest first.
    pub lines: Vec<TapeLine>,
}

/// What is kept of one line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TapeLine {
    /// `values` that the line computes, or what tells the way of `control`.
    pub what: &'static str,
    /// The line; of an argument that of the function. None for control.
    pub position: Option<Position>,
    /// Bytes.
    pub bytes: u64,
    /// How often something is written.
    pub writes: u64,
}

/// How the program ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "how")]
pub enum Ending {
    /// By itself, with this status.
    Finished {
        /// The exit status.
        status: i32,
    },
    /// It was stopped; the level's problems say why.
    Stopped,
    /// It never started.
    NotRun,
}

/// One run of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RunReport {
    /// Under which circumstances.
    #[serde(flatten)]
    pub circumstances: Circumstances,
    /// The worst verdict of that run.
    pub verdict: Verdict,
    /// Executions of differentiated calls that were judged.
    pub judged: u64,
}

/// What was found at one optimisation level.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LevelReport {
    /// Its name, such as `O2`; `IR` for a module that was taken as it is.
    pub level: String,
    /// The runs of the program, one unless more were asked for.
    pub runs: Vec<RunReport>,
    /// How the program ended.
    pub ending: Ending,
    /// What it printed.
    pub stdout: String,
    /// One entry for each differentiated call that was reached.
    pub gradients: Vec<Gradient>,
    /// Differentiated calls that were not reached, and therefore not judged.
    pub unreached: Vec<Position>,
    /// Faults and limits that belong to no single gradient.
    pub problems: Vec<Finding>,
    /// IR instructions executed by the program itself.
    pub steps: u64,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl LevelReport {
    /// A report of a program that was not run.
    pub fn empty(level: impl Into<String>) -> LevelReport {
        LevelReport {
            level: level.into(),
            runs: Vec::new(),
            ending: Ending::NotRun,
            stdout: String::new(),
            gradients: Vec::new(),
            unreached: Vec::new(),
            problems: Vec::new(),
            steps: 0,
            seconds: 0.0,
        }
    }

    /// Executions that were judged, in all runs.
    pub fn judged(&self) -> u64 {
        match self.runs[..] {
            [] => self.gradients.iter().map(|gradient| gradient.judged).sum(),
            ref runs => runs.iter().map(|run| run.judged).sum(),
        }
    }

    /// The worst verdict.
    pub fn verdict(&self) -> Verdict {
        let gradients = self.gradients.iter().map(|g| g.verdict);
        let problems = self.problems.iter().map(|p| p.verdict);
        gradients.chain(problems).max().unwrap_or(Verdict::Correct)
    }

    /// Every finding: of the gradients, then of the program.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.gradients.iter().filter_map(|g| g.finding.as_ref()).chain(&self.problems)
    }
}

/// What was found in a program.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Version of the schema.
    pub schema: u32,
    /// The program.
    pub program: String,
    /// The worst verdict of all levels.
    pub verdict: Verdict,
    /// One entry for each level.
    pub levels: Vec<LevelReport>,
    /// Functions of native libraries that the program has called, at all levels together.
    pub native_calls: Vec<NativeCall>,
}

/// A function of a native library that was called.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NativeCall {
    /// The function.
    pub function: String,
    /// The library, as the user named it.
    pub library: String,
    /// Calls.
    pub calls: u64,
}

impl NativeCall {
    /// The calls over a bridge so far.
    pub fn all(bridge: &Bridge) -> Vec<NativeCall> {
        let all = bridge.crossings().into_iter();
        all.map(|Crossing { function, library, calls }| NativeCall { function, library, calls }).collect()
    }
}

impl fmt::Display for NativeCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NativeCall { function, library, calls } = self;
        write!(
            f,
            "native code, which nobody checks, was called: {function} of {library}, {calls} time{}",
            if *calls == 1 { "" } else { "s" }
        )
    }
}

impl Report {
    /// A report of these levels.
    pub fn new(program: impl Into<String>, levels: Vec<LevelReport>) -> Report {
        let verdict = levels.iter().map(LevelReport::verdict).max().unwrap_or(Verdict::Correct);
        Report { schema: SCHEMA, program: program.into(), verdict, levels, native_calls: Vec::new() }
    }

    /// The same report, which tells what went over the bridge.
    #[must_use]
    pub(crate) fn with_native_calls(self, bridge: &Bridge) -> Report {
        Report { native_calls: NativeCall::all(bridge), ..self }
    }

    /// The most serious verdict's class.
    pub fn severity(&self) -> Severity {
        self.verdict.severity()
    }

    /// The exit code of `adj check`.
    pub fn exit_code(&self) -> u8 {
        self.severity().exit_code()
    }

    /// Every finding of every level, with its level.
    pub fn findings(&self) -> impl Iterator<Item = (&str, &Finding)> {
        self.levels.iter().flat_map(|level| level.findings().map(|f| (level.level.as_str(), f)))
    }

    /// Is every gradient correct, apart from kinks and conventions, which are notes?
    pub fn is_correct(&self) -> bool {
        self.severity() <= Severity::Note
    }

    /// Panics with the report unless every gradient is correct (kinks and conventions are notes). For use in tests.
    ///
    /// # Panics
    /// When a gradient is not correct, or could not be judged, or there is none.
    #[track_caller]
    pub fn assert_correct(&self) {
        let judged = self.levels.iter().all(|l| l.gradients.iter().any(|g| g.judged > 0));
        assert!(self.is_correct(), "not every gradient is correct\n\n{self}");
        assert!(judged && !self.levels.is_empty(), "no gradient was judged\n\n{self}");
    }

    /// The report as JSON (schema in `docs/json.md`).
    pub fn to_json(&self) -> String {
        // A structure of numbers, strings and vectors always serialises; numbers that are not finite become null.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::render(self, &text::Style::default()))
    }
}
