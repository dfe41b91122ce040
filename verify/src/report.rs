//! What was proved: of each subject (a row of the table, a rule of memory or control), and in sum.

use crate::obligation::{FNV_START, Obligation, fnv};
use crate::rule::counterexample::Counterexample;
use crate::rule::{self, NumericOnly};
use crate::solver::{Outcome, Solver, SolverError};
use rules::Row;
use rules::row::Proof;
use std::fmt::Write;
use std::time::Duration;

/// What became of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every obligation is proved.
    Proved,
    /// No axioms; the partials agree with difference quotients in multi-precision.
    Numeric,
    /// No derivative passes through it: there is nothing to prove.
    Inactive,
    /// An obligation is not proved.
    Failed,
}

impl Status {
    /// One word.
    pub fn word(self) -> &'static str {
        match self {
            Status::Proved => "proved",
            Status::Numeric => "numeric",
            Status::Inactive => "inactive",
            Status::Failed => "failed",
        }
    }
}

/// An obligation that is not proved.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What it says.
    pub obligation: String,
    /// What the solver says.
    pub outcome: Outcome,
    /// A confirmed point that contradicts it.
    pub counterexample: Option<Counterexample>,
    /// Where a model was wanted and there is none: the assumptions that contradict each other, in SMT-LIB.
    pub contradiction: Vec<String>,
}

/// The report on one subject.
#[derive(Clone, Debug)]
pub struct SubjectReport {
    /// The operation's or the rule's name.
    pub name: String,
    /// What became of it.
    pub status: Status,
    /// Obligations asked of the solver.
    pub obligations: usize,
    /// Key of the whole: changes when an obligation does.
    pub hash: u64,
    /// Multi-precision comparisons behind a numeric row.
    pub comparisons: usize,
    /// The longest that one obligation took.
    pub slowest: Duration,
    /// What was not proved.
    pub failures: Vec<Failure>,
}

/// A subject before the solver is asked.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name.
    pub name: String,
    /// The row, if it is one.
    pub row: Option<&'static Row>,
    /// What is to be proved, or that it cannot be.
    pub obligations: Result<Vec<rule::RuleObligation>, NumericOnly>,
}

impl Subject {
    /// A row of the table.
    pub fn of_row(row: &'static Row) -> Subject {
        Subject { name: row.op.name().to_owned(), row: Some(row), obligations: rule::obligations(row) }
    }

    /// A rule that has no row: its obligations are given.
    pub fn of_rule(name: &str, obligations: Vec<Obligation>) -> Subject {
        let wrap = |obligation| rule::RuleObligation { obligation, place: None, convention: None };
        Subject { name: name.to_owned(), row: None, obligations: Ok(obligations.into_iter().map(wrap).collect()) }
    }

    /// Changes when an obligation does; of a row without obligations, when the row does.
    pub fn hash(&self) -> u64 {
        match &self.obligations {
            Ok(obligations) => {
                obligations.iter().fold(FNV_START, |hash, it| fnv(&it.obligation.hash().to_le_bytes(), hash))
            }
            Err(_) => self.row.map_or(0, |row| fnv(format!("{:?}", row.outputs).as_bytes(), FNV_START)),
        }
    }

    /// Asks the solver, or compares numbers where there are no axioms.
    pub fn prove(&self, solver: &Solver) -> Result<SubjectReport, SolverError> {
        let mut report = SubjectReport {
            name: self.name.clone(),
            status: Status::Proved,
            obligations: 0,
            hash: self.hash(),
            comparisons: 0,
            slowest: Duration::ZERO,
            failures: Vec::new(),
        };
        let Ok(obligations) = &self.obligations else {
            self.compare(&mut report);
            return Ok(report);
        };
        if self.row.is_some_and(|row| row.proof == Proof::Nothing) && obligations.is_empty() {
            report.status = Status::Inactive;
            return Ok(report);
        }
        for it in obligations {
            let answer = solver.prove(&it.obligation)?;
            report.obligations += 1;
            report.slowest = report.slowest.max(answer.time);
            let model = match &answer.outcome {
                Outcome::Proved => continue,
                Outcome::Refuted(model) => model.clone(),
                Outcome::Unknown(_) => Default::default(),
            };
            let place = self.row.zip(it.place);
            let counterexample =
                place.and_then(|(row, (output, operand))| rule::counterexample(row, output, operand, &model));
            let obligation = it.obligation.name.clone();
            let contradiction = contradiction(&it.obligation, &answer.outcome, solver)?;
            report.failures.push(Failure { obligation, outcome: answer.outcome, counterexample, contradiction });
        }
        if !report.failures.is_empty() || report.obligations == 0 {
            report.status = Status::Failed;
        }
        Ok(report)
    }

    /// The evidence of a numeric row.
    fn compare(&self, report: &mut SubjectReport) {
        let checked = self.row.and_then(|row| rules::check(row).ok());
        report.comparisons = checked.map_or(0, |checked| checked.partials);
        report.status = if report.comparisons > 0 { Status::Numeric } else { Status::Failed };
    }
}

/// Why the assumptions have no model, if that is what was found.
fn contradiction(obligation: &Obligation, outcome: &Outcome, solver: &Solver) -> Result<Vec<String>, SolverError> {
    if !obligation.satisfiable || !matches!(outcome, Outcome::Refuted(_)) {
        return Ok(Vec::new());
    }
    let assumptions = obligation.assumptions();
    let core = solver.contradiction(obligation)?.unwrap_or_default();
    Ok(core.into_iter().filter_map(|index| assumptions.get(index).cloned()).collect())
}

/// The sum over subjects.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One for each.
    pub subjects: Vec<SubjectReport>,
}

impl Report {
    /// How many have a status.
    pub fn count(&self, status: Status) -> usize {
        self.subjects.iter().filter(|subject| subject.status == status).count()
    }

    /// Obligations asked of the solver.
    pub fn obligations(&self) -> usize {
        self.subjects.iter().map(|subject| subject.obligations).sum()
    }

    /// The sum in a line.
    pub fn to_line(&self) -> String {
        format!(
            "{} rules: {} proved, {} numeric, {} failed; {} obligations\n",
            self.subjects.len() - self.count(Status::Inactive),
            self.count(Status::Proved),
            self.count(Status::Numeric),
            self.count(Status::Failed),
            self.obligations()
        )
    }

    /// `{"rules", "proved", "numeric", "failed", "obligations", …}`: rules are the subjects through which a derivative
    /// passes.
    pub fn to_json(&self) -> String {
        let rules = self.subjects.len() - self.count(Status::Inactive);
        let slowest = self.subjects.iter().map(|subject| subject.slowest).max().unwrap_or_default();
        let mut json = format!(
            "{{\n  \"rules\": {rules},\n  \"proved\": {},\n  \"numeric\": {},\n  \"failed\": {},\n  \
             \"obligations\": {},\n  \"inactive\": {},\n  \"slowest_seconds\": {:.3},\n  \"subjects\": [",
            self.count(Status::Proved),
            self.count(Status::Numeric),
            self.count(Status::Failed),
            self.obligations(),
            self.count(Status::Inactive),
            slowest.as_secs_f64(),
        );
        for (index, subject) in self.subjects.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let failures: Vec<String> = subject.failures.iter().map(|it| format!("{:?}", it.obligation)).collect();
            // Writing to a String cannot fail. Names are plain words, so Rust's quotes are JSON's.
            let _ = write!(
                json,
                "{comma}\n    \
                 {{\"name\": {:?}, \"status\": {:?}, \"obligations\": {}, \"comparisons\": {}, \"failures\": [{}]}}",
                subject.name,
                subject.status.word(),
                subject.obligations,
                subject.comparisons,
                failures.join(", ")
            );
        }
        json + "\n  ]\n}\n"
    }
}

impl SubjectReport {
    /// One line, and what failed below it, with the programs that show it.
    pub fn to_text(&self) -> String {
        let mut text = match self.status {
            Status::Proved => format!("{:<14} proved    {} obligations", self.name, self.obligations),
            Status::Numeric => format!("{:<14} numeric   {} comparisons", self.name, self.comparisons),
            Status::Inactive => format!("{:<14} inactive", self.name),
            Status::Failed => format!("{:<14} FAILED    {} of {}", self.name, self.failures.len(), self.obligations),
        };
        text.push('\n');
        for failure in &self.failures {
            let said = match &failure.outcome {
                Outcome::Unknown(why) => why.clone(),
                Outcome::Refuted(_) | Outcome::Proved => "does not hold".into(),
            };
            let _ = writeln!(text, "    {}: {said}", failure.obligation);
            for assumption in &failure.contradiction {
                let _ = writeln!(text, "      contradicts the others: {assumption}");
            }
            if let Some(found) = &failure.counterexample {
                let _ = writeln!(
                    text,
                    "    at x = {:?}, n = {:?} the partial is {} and the quotient is {}",
                    found.x, found.n, found.claimed, found.actual
                );
                for line in found.program.iter().flat_map(|program| program.lines()) {
                    let _ = writeln!(text, "      {line}");
                }
            }
        }
        text
    }
}
