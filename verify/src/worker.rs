//! The worker: the process in which z3 runs, one for each question.
//!
//! z3 is a library of C++ that does not always keep its limits, and can end the process that it runs in. So it never
//! runs in the process that proves: that one starts *itself* again ([`Solver::find`](crate::Solver::find)), the second
//! process notices in [`serve_if_asked`], reads one question from its input, answers it, and ends. A program that
//! proves therefore begins with
//!
//! ```
//! # use std::process::ExitCode;
//! fn main() -> ExitCode {
//!     if let Some(code) = verify::worker::serve_if_asked() {
//!         return code;
//!     }
//!     // What the program does.
//!     ExitCode::SUCCESS
//! }
//! ```
//!
//! Tests, which have no `main` of their own, name the program `verify-worker`, which does nothing else.

use crate::question::{Op, Symbol, Word};
use crate::wire::{Reply, Request};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::process::ExitCode;
use z3::ast::{Ast, Bool, Int, Real};
use z3::{Params, SatResult, Solver};

/// Set in the environment of a worker.
pub(crate) const ASKED: &str = "ADJUDICATE_WORKER";
/// Digits of a value that is no quotient of machine integers; more than a double has.
const DIGITS: usize = 20;
/// Digits behind the point that are looked through for the first one that is not 0.
const PLACES: usize = 1280;

/// Where this process was started to ask z3: reads one question from standard input, writes the answer to standard
/// output, and gives the exit code with which `main` has to return. Otherwise none, and nothing happens.
pub fn serve_if_asked() -> Option<ExitCode> {
    std::env::var_os(ASKED)?;
    Some(if serve().is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn serve() -> Option<()> {
    let mut length = [0; 4];
    let mut input = std::io::stdin().lock();
    input.read_exact(&mut length).ok()?;
    let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut bytes).ok()?;
    drop(input);
    let request = Request::from_bytes(&bytes)?;
    std::thread::spawn(end_with_who_asked);
    let reply = answer(&request).unwrap_or_else(Reply::Refused);
    let mut output = std::io::stdout().lock();
    output.write_all(&reply.to_bytes()).ok()?;
    output.flush().ok()
}

/// Who asked keeps our input open; when it closes they are gone, and nobody waits for an answer.
fn end_with_who_asked() {
    let mut rest = Vec::new();
    // However it ends, it has ended.
    let _ = std::io::stdin().lock().read_to_end(&mut rest);
    std::process::abort();
}

/// Asks z3 in this process, on this thread.
fn answer(request: &Request) -> Result<Reply, String> {
    z3::set_global_param("memory_max_size", &request.memory.to_string());
    let solver = Solver::new();
    let mut limits = Params::new();
    limits.set_u32("timeout", request.limit);
    solver.set_params(&limits);
    let mut build = Build { solver: &solver, core: request.core, terms: Vec::new(), named: HashMap::new(), tracked: 0 };
    for word in &request.words {
        build.word(word)?;
    }
    let named = build.named;
    Ok(match solver.check() {
        SatResult::Unsat => Reply::Unsatisfiable(core(&solver)),
        SatResult::Unknown => Reply::Unknown(solver.get_reason_unknown().unwrap_or_default()),
        SatResult::Sat => {
            let model = solver.get_model().ok_or("z3 says that there is a model, and gives none")?;
            let value = |name: &String| {
                let Some(Term::Real(unknown)) = named.get(&Symbol::Variable(name.clone())) else { return None };
                Some((name.clone(), value_of(&model.eval(unknown, true)?)))
            };
            Reply::Satisfiable(request.variables.iter().filter_map(value).collect())
        }
    })
}

/// The tracked assumptions by which there is no model.
fn core(solver: &Solver) -> Vec<u32> {
    let names = solver.get_unsat_core().into_iter().map(|name| name.decl().name());
    let mut core: Vec<u32> = names.filter_map(|name| name.strip_prefix(TRACKED)?.parse().ok()).collect();
    core.sort_unstable();
    core
}

/// The start of the names of tracked assumptions; no other name has it.
const TRACKED: &str = "assumption ";

/// A number as `n/d` or as a decimal.
fn value_of(real: &Real) -> String {
    if let Some((numerator, denominator)) = real.as_rational() {
        return format!("{numerator}/{denominator}");
    }
    let mut places = DIGITS;
    loop {
        let text = real.approx(places);
        let digits = text.bytes().filter(u8::is_ascii_digit).skip_while(|&digit| digit == b'0').count();
        if digits >= DIGITS || places >= PLACES {
            return text;
        }
        places *= 2;
    }
}

/// A term of z3.
#[derive(Clone)]
enum Term {
    Real(Real),
    Truth(Bool),
}

/// Makes terms of words and asserts them.
struct Build<'a> {
    solver: &'a Solver,
    core: bool,
    /// Made, and not yet part of another.
    terms: Vec<Term>,
    named: HashMap<Symbol, Term>,
    /// Number of assumptions so far.
    tracked: u32,
}

impl Build<'_> {
    fn word(&mut self, word: &Word) -> Result<(), String> {
        let term = match word {
            Word::Number(value) => {
                let (numerator, denominator) = (value.numer().to_string(), value.denom().to_string());
                Term::Real(Real::from_rational_str(&numerator, &denominator).ok_or("z3 takes no such number")?)
            }
            Word::Truth(value) => Term::Truth(Bool::from_bool(*value)),
            Word::Named(symbol) => {
                self.named.get(symbol).cloned().ok_or_else(|| format!("{symbol} is not declared"))?
            }
            Word::Apply(op, count) => self.apply(*op, *count)?,
            Word::Declare(symbol) => {
                self.named.insert(symbol.clone(), Term::Real(Real::new_const(symbol.name())));
                return Ok(());
            }
            Word::Define { label, .. } => {
                let term = self.pop()?;
                self.named.insert(Symbol::Label(label.clone()), term);
                return Ok(());
            }
            Word::Meaning => {
                let meaning = self.pop()?.truth()?;
                self.solver.assert(&meaning);
                return Ok(());
            }
            Word::Assumption => {
                let assumption = self.pop()?.truth()?;
                if self.core {
                    let name = format!("{TRACKED}{}", self.tracked);
                    self.solver.assert_and_track(assumption, &Bool::new_const(name));
                } else {
                    self.solver.assert(&assumption);
                }
                self.tracked += 1;
                return Ok(());
            }
        };
        self.terms.push(term);
        Ok(())
    }

    fn pop(&mut self) -> Result<Term, String> {
        self.terms.pop().ok_or_else(|| "a term is missing".to_owned())
    }

    fn apply(&mut self, op: Op, count: u32) -> Result<Term, String> {
        let start = self.terms.len().checked_sub(count as usize).ok_or("a term is missing")?;
        let parts = self.terms.split_off(start);
        let reals = || parts.iter().cloned().map(Term::real).collect::<Result<Vec<Real>, String>>();
        let truths = || parts.iter().cloned().map(Term::truth).collect::<Result<Vec<Bool>, String>>();
        let compared = |by: fn(&Real, &Real) -> Bool| match reals()?.as_slice() {
            [a, b] => Ok(Term::Truth(by(a, b))),
            _ => Err(format!("{op:?} of {count}")),
        };
        Ok(match (op, parts.as_slice()) {
            (Op::Add, _) => Term::Real(Real::add(&reals()?)),
            (Op::Sub, _) => Term::Real(Real::sub(&reals()?)),
            (Op::Mul, _) => Term::Real(Real::mul(&reals()?)),
            (Op::And, _) => Term::Truth(Bool::and(&truths()?)),
            (Op::Or, _) => Term::Truth(Bool::or(&truths()?)),
            (Op::Less, _) => compared(|a, b| a.lt(b))?,
            (Op::AtMost, _) => compared(|a, b| a.le(b))?,
            (Op::AtLeast, _) => compared(|a, b| a.ge(b))?,
            (Op::If, [Term::Truth(c), Term::Real(a), Term::Real(b)]) => Term::Real(c.ite(a, b)),
            (Op::If, [Term::Truth(c), Term::Truth(a), Term::Truth(b)]) => Term::Truth(c.ite(a, b)),
            (Op::Not, [Term::Truth(a)]) => Term::Truth(a.not()),
            (Op::Implies, [Term::Truth(a), Term::Truth(b)]) => Term::Truth(a.implies(b)),
            (Op::Equal, [Term::Real(a), Term::Real(b)]) => Term::Truth(a.eq(b)),
            (Op::Equal, [Term::Truth(a), Term::Truth(b)]) => Term::Truth(a.eq(b)),
            (Op::Floor, [Term::Real(a)]) => Term::Real(Real::from_int(&Int::from_real(a))),
            (Op::IsInteger, [Term::Real(a)]) => Term::Truth(a.is_int()),
            _ => return Err(format!("{op:?} of terms that it does not take")),
        })
    }
}

impl Term {
    fn real(self) -> Result<Real, String> {
        match self {
            Term::Real(real) => Ok(real),
            Term::Truth(_) => Err("a truth value in the place of a number".to_owned()),
        }
    }

    fn truth(self) -> Result<Bool, String> {
        match self {
            Term::Truth(truth) => Ok(truth),
            Term::Real(_) => Err("a number in the place of a truth value".to_owned()),
        }
    }
}
