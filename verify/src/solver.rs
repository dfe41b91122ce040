//! The solver: z3 as a child process that reads SMT-LIB, one process for each obligation, one thread, bounded in time
//! and memory.
//!
//! A process of its own makes each result independent of what was asked before. Nothing is linked, so that a machine
//! without z3 builds everything and can still read the committed results.

use crate::obligation::Obligation;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The most time one obligation may take.
pub const LIMIT: Duration = Duration::from_secs(10);
/// Memory the solver may use, in MiB.
const MEMORY: u32 = 2048;
/// How long a solver may go on after its own limit before it is killed.
const GRACE: Duration = Duration::from_secs(5);

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

/// Values of variables, as decimals.
pub type Model = BTreeMap<String, f64>;

/// An obligation with its outcome.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What became of it.
    pub outcome: Outcome,
    /// How long it took.
    pub time: Duration,
}

/// Why nothing could be asked.
#[derive(Debug)]
pub enum SolverError {
    /// There is no solver on this machine.
    Missing,
    /// It could not be run.
    Io(std::io::Error),
    /// It said something that is no answer.
    Rubbish(String),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::Missing => write!(f, "no z3 found; set ADJ_Z3, or run `cargo xtask setup`"),
            SolverError::Io(error) => write!(f, "z3 cannot be run: {error}"),
            SolverError::Rubbish(text) => write!(f, "z3 answered `{}`", text.trim()),
        }
    }
}

impl std::error::Error for SolverError {}

/// The solver of this machine.
#[derive(Clone, Debug)]
pub struct Solver {
    program: PathBuf,
    limit: Duration,
}

impl Solver {
    /// `$ADJ_Z3`, or the first `z3` on the path.
    pub fn find() -> Result<Solver, SolverError> {
        let named = std::env::var_os("ADJ_Z3").map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut candidates = named.into_iter().chain(std::env::split_paths(&path).map(|folder| folder.join("z3")));
        let program = candidates.find(|candidate| candidate.is_file()).ok_or(SolverError::Missing)?;
        Ok(Solver::at(&program))
    }

    /// This program.
    pub fn at(program: &Path) -> Solver {
        Solver { program: program.to_owned(), limit: LIMIT }
    }

    /// Another limit for each obligation.
    pub fn limit(mut self, limit: Duration) -> Solver {
        self.limit = limit;
        self
    }

    /// Asks for one obligation.
    pub fn prove(&self, obligation: &Obligation) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let script = self.script(obligation);
        let said = self.run(&script)?;
        let outcome = read_answer(&said, obligation.satisfiable)?;
        Ok(Answer { outcome, time: start.elapsed() })
    }

    fn script(&self, obligation: &Obligation) -> String {
        let names: Vec<String> = obligation.variables.iter().map(|name| format!("|{name}|")).collect();
        let values = if names.is_empty() { String::new() } else { format!("(get-value ({}))\n", names.join(" ")) };
        format!(
            "(set-option :pp.decimal true)\n(set-option :pp.decimal_precision 20)\n(set-option :timeout {})\n\
             {}(check-sat)\n{values}",
            self.limit.as_millis(),
            obligation.text
        )
    }

    fn run(&self, script: &str) -> Result<String, SolverError> {
        let mut child = Command::new(&self.program)
            .args(["-smt2", "-in", &format!("-memory:{MEMORY}"), "parallel.enable=false"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(SolverError::Io)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let text = script.to_owned();
        // A solver that stops reading has given up; that shows in its answer.
        let writer = std::thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(text.as_bytes())));
        let reader = std::thread::spawn(move || {
            let mut said = String::new();
            // What cannot be read is no answer.
            let _ = stdout.map(|mut pipe| pipe.read_to_string(&mut said));
            said
        });
        let deadline = Instant::now() + self.limit + GRACE;
        let killed = loop {
            match child.try_wait().map_err(SolverError::Io)? {
                Some(_) => break false,
                None if Instant::now() >= deadline => {
                    child.kill().map_err(SolverError::Io)?;
                    child.wait().map_err(SolverError::Io)?;
                    break true;
                }
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        let said = reader.join().unwrap_or_default();
        // Its result is the solver's answer or lack of one.
        let _ = writer.join();
        Ok(if killed && said.trim().is_empty() { "unknown".to_owned() } else { said })
    }
}

fn read_answer(said: &str, wanted: bool) -> Result<Outcome, SolverError> {
    let (verdict, rest) = said.trim_start().split_once('\n').unwrap_or((said.trim(), ""));
    match (verdict.trim(), wanted) {
        ("unsat", false) | ("sat", true) => Ok(Outcome::Proved),
        ("sat", false) => Ok(Outcome::Refuted(read_model(rest))),
        ("unsat", true) => Ok(Outcome::Refuted(Model::new())),
        ("unknown" | "timeout", _) => Ok(Outcome::Unknown("the solver gave up within its limit".into())),
        _ if said.contains("out of memory") => Ok(Outcome::Unknown("the solver ran out of memory".into())),
        _ => Err(SolverError::Rubbish(said.chars().take(200).collect())),
    }
}

/// Reads `((|a| 1.0) (|b| (- (/ 1.0 3.0))) …)`. A value of another form is left out.
fn read_model(text: &str) -> Model {
    let mut tokens = text.replace('(', " ( ").replace(')', " ) ");
    tokens = tokens.replace('?', "");
    let mut tokens = tokens.split_whitespace().peekable();
    let mut model = Model::new();
    tokens.next();
    while tokens.next() == Some("(") {
        let Some(name) = tokens.next() else { break };
        let value = read_value(&mut tokens);
        if let Some(value) = value {
            model.insert(name.trim_matches('|').to_owned(), value);
        }
        if tokens.next() != Some(")") {
            break;
        }
    }
    model
}

fn read_value<'a>(tokens: &mut impl Iterator<Item = &'a str>) -> Option<f64> {
    let first = tokens.next()?;
    if first != "(" {
        return first.parse().ok();
    }
    let operator = tokens.next()?;
    let a = read_value(tokens)?;
    let value = match operator {
        "-" => {
            let close = tokens.next()?;
            return (close == ")").then_some(-a);
        }
        "/" => a / read_value(tokens)?,
        _ => return None,
    };
    (tokens.next()? == ")").then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Terms;

    fn ask(build: impl Fn(&mut Terms) -> Obligation) -> Outcome {
        let mut terms = Terms::new();
        let obligation = build(&mut terms);
        Solver::find().expect("z3 is installed").prove(&obligation).expect("an answer").outcome
    }

    #[test]
    fn what_holds_is_proved_and_what_does_not_is_refuted_with_a_point() {
        let square = |terms: &mut Terms, bound: i32| {
            let x = terms.variable("x");
            let (square, bound) = (terms.mul(x, x), terms.number(bound));
            let goal = terms.less(bound, square);
            Obligation::implication("square", terms, &[], goal)
        };
        assert_eq!(ask(|terms| square(terms, -1)), Outcome::Proved);
        let Outcome::Refuted(model) = ask(|terms| square(terms, 4)) else { panic!("refuted") };
        assert!(model["x"] * model["x"] <= 4.0);
    }

    #[test]
    fn a_quotient_by_zero_is_anything() {
        let quotient = |terms: &mut Terms, guarded: bool| {
            let x = terms.variable("x");
            let (quotient, one) = (terms.div(x, x), terms.number(1));
            let (goal, guard) = (terms.equal(quotient, one), terms.nonzero(x));
            let assumptions = if guarded { vec![guard] } else { Vec::new() };
            Obligation::implication("quotient", terms, &assumptions, goal)
        };
        assert_eq!(ask(|terms| quotient(terms, true)), Outcome::Proved);
        assert!(matches!(ask(|terms| quotient(terms, false)), Outcome::Refuted(_)));
    }

    #[test]
    fn assumptions_that_contradict_each_other_are_noticed() {
        let both = |terms: &mut Terms, second: i32| {
            let (x, one, other) = (terms.variable("x"), terms.number(1), terms.number(second));
            let facts = [terms.less(x, one), terms.less(other, x)];
            Obligation::not_vacuous("between", terms, &facts)
        };
        assert_eq!(ask(|terms| both(terms, 0)), Outcome::Proved);
        assert!(matches!(ask(|terms| both(terms, 2)), Outcome::Refuted(_)));
    }

    #[test]
    fn models_are_read_in_every_form_the_solver_prints() {
        let model = read_model("((|a| 1.5)\n (|b| (- 2.0)) (c (- (/ 1.0 4.0))) (|d!1| 1.4142135623730950488?))");
        let values: Vec<(&str, f64)> = model.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        assert_eq!(values, [("a", 1.5), ("b", -2.0), ("c", -0.25), ("d!1", std::f64::consts::SQRT_2)]);
    }
}
