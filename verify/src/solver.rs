//! The solver: z3 in a worker process, one for each obligation, one thread, bounded in time and memory.
//!
//! A process of its own makes each result independent of what was asked before, and lets a solver that crashes or
//! forgets its limits be ended from outside. What runs in it is [`crate::worker`].

pub use crate::error::SolverError;
use crate::obligation::Obligation;
use crate::watch::{self, End};
use crate::wire::{Reply, Request};
use rug::{Float, Rational};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The most time one obligation may take.
pub const LIMIT: Duration = Duration::from_secs(10);
/// Memory the solver may use, in MiB.
pub const MEMORY: u32 = 2048;

/// What became of an obligation.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It holds.
    Proved,
    /// It does not; where (none where the solver cannot say it in numbers).
    Refuted(Model),
    /// The solver gave up, and why.
    Unknown(String),
}

/// Values of variables: the doubles that are nearest to them.
pub type Model = BTreeMap<String, f64>;

/// An obligation with its outcome.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What became of it.
    pub outcome: Outcome,
    /// How long it took.
    pub time: Duration,
}

/// A way to ask z3.
#[derive(Clone, Debug)]
pub struct Solver {
    program: PathBuf,
    limit: Duration,
    memory: u32,
}

impl Solver {
    /// By the running program itself, whose `main` has to begin as [`crate::worker`] says.
    pub fn find() -> Result<Solver, SolverError> {
        // The link leads to what runs, even where another build has taken its place since.
        let link = Path::new("/proc/self/exe");
        let program = if link.exists() { link.to_owned() } else { std::env::current_exe()? };
        Ok(Solver::at(&program))
    }

    /// By this program, whose `main` begins so.
    pub fn at(program: &Path) -> Solver {
        Solver { program: program.to_owned(), limit: LIMIT, memory: MEMORY }
    }

    /// Another limit for each obligation.
    pub fn limit(mut self, limit: Duration) -> Solver {
        self.limit = limit;
        self
    }

    /// Another limit for its memory, in MiB.
    pub fn memory(mut self, memory: u32) -> Solver {
        self.memory = memory;
        self
    }

    /// Asks for one obligation.
    pub fn prove(&self, obligation: &Obligation) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let outcome = match (self.ask(obligation, false)?, obligation.satisfiable) {
            (End::Replied(Reply::Unsatisfiable(_)), false) | (End::Replied(Reply::Satisfiable(_)), true) => {
                Outcome::Proved
            }
            (End::Replied(Reply::Satisfiable(values)), false) => Outcome::Refuted(model(values)),
            (End::Replied(Reply::Unsatisfiable(_)), true) => Outcome::Refuted(Model::new()),
            (End::Replied(Reply::Refused(why)), _) => return Err(SolverError::Rubbish(why)),
            (End::Replied(Reply::Unknown(why)), _) if !is_out_of_memory(&why) => {
                Outcome::Unknown("the solver gave up within its limit".into())
            }
            (End::OutOfMemory | End::Replied(Reply::Unknown(_)), _) => {
                Outcome::Unknown("the solver ran out of memory".into())
            }
            (End::OutOfTime, _) => Outcome::Unknown("the solver gave up within its limit".into()),
        };
        Ok(Answer { outcome, time: start.elapsed() })
    }

    /// Which of the assumptions contradict each other, by their places in the order in which they were given (behind
    /// them, in an implication, the negated goal); none where the solver finds no contradiction. Not always the
    /// smallest such set.
    pub fn contradiction(&self, obligation: &Obligation) -> Result<Option<Vec<usize>>, SolverError> {
        match self.ask(obligation, true)? {
            End::Replied(Reply::Unsatisfiable(core)) => Ok(Some(core.iter().map(|&index| index as usize).collect())),
            End::Replied(Reply::Refused(why)) => Err(SolverError::Rubbish(why)),
            End::Replied(_) | End::OutOfTime | End::OutOfMemory => Ok(None),
        }
    }

    fn ask(&self, obligation: &Obligation, core: bool) -> Result<End, SolverError> {
        let limit = u32::try_from(self.limit.as_millis()).unwrap_or(u32::MAX);
        let (variables, words) = (obligation.variables.clone(), obligation.words.clone());
        watch::ask(&self.program, &Request { limit, memory: self.memory, core, variables, words })
    }
}

fn is_out_of_memory(why: &str) -> bool {
    why.contains("memory") || why.contains("memout")
}

/// Values as the worker writes them. What is none is left out.
fn model(values: Vec<(String, String)>) -> Model {
    values.into_iter().filter_map(|(name, value)| Some((name, nearest(&value)?))).collect()
}

/// The double nearest to `n/d` or to a decimal.
fn nearest(value: &str) -> Option<f64> {
    if !value.contains('/') {
        return value.parse().ok();
    }
    let exact: Rational = value.parse().ok()?;
    Some(Float::with_val(f64::MANTISSA_DIGITS, exact).to_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_both_forms() {
        let values = [("a", "3/2"), ("b", "-1/3"), ("c", "0/1"), ("d", "1.41421356237309504880"), ("e", "?")];
        let model = model(values.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec());
        let values: Vec<(&str, f64)> = model.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        assert_eq!(values, [("a", 1.5), ("b", -1.0 / 3.0), ("c", 0.0), ("d", std::f64::consts::SQRT_2)]);
    }
}
