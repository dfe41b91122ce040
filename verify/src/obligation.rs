//! What is to be proved, and its text in SMT-LIB 2.6, which any solver of nonlinear real arithmetic reads.
//!
//! The negated goal is asserted beside the assumptions: no model means that the goal holds. A quotient n/d is printed
//! as a variable q with q·d = n; where the obligation does not make d different from 0, q is unconstrained when d is 0
//! and the proof has to go through for any value. ⌊a⌋ is a real k with k ≤ a < k + 1, and any two such k (and −1, 0
//! and 1) are equal or at least 1 apart: all that the proofs need of integers, without leaving the real numbers, for
//! which the solver is complete. Only where a model is wanted, integers are integers.

use crate::term::{Node, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// One thing to prove.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What it says, in a few words.
    pub name: String,
    /// The text for the solver.
    pub text: String,
    /// Whether a model is wanted: an obligation that the assumptions can be met at all.
    pub satisfiable: bool,
    /// The variables whose values are asked for in a model.
    pub variables: Vec<String>,
}

impl Obligation {
    /// That the assumptions imply the goal.
    pub fn implication(name: impl Into<String>, terms: &mut Terms, assumptions: &[Term], goal: Term) -> Obligation {
        let refuted = terms.not(goal);
        let mut asserted = assumptions.to_vec();
        asserted.push(refuted);
        Obligation::new(name.into(), terms, &asserted, false)
    }

    /// That the assumptions have a model: what follows from them is not said of nothing.
    pub fn not_vacuous(name: impl Into<String>, terms: &Terms, assumptions: &[Term]) -> Obligation {
        Obligation::new(name.into(), terms, assumptions, true)
    }

    fn new(name: String, terms: &Terms, asserted: &[Term], satisfiable: bool) -> Obligation {
        let mut printer = Printer {
            terms,
            uses: BTreeMap::new(),
            text: String::new(),
            variables: BTreeSet::new(),
            floors: if satisfiable { None } else { Some(Vec::new()) },
        };
        for &term in asserted {
            printer.count(term);
        }
        let (text, variables) = printer.print(asserted);
        Obligation { name, text, satisfiable, variables }
    }

    /// A number that changes with the text (FNV-1a, 64 bits): the key of a cached result.
    pub fn hash(&self) -> u64 {
        fnv(self.text.as_bytes(), FNV_START ^ u64::from(self.satisfiable))
    }
}

/// Start of [`fnv`].
pub(crate) const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash FNV-1a (Fowler, Noll, Vo), which is the same in every build and version.
pub(crate) fn fnv(bytes: &[u8], start: u64) -> u64 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

struct Printer<'a> {
    terms: &'a Terms,
    uses: BTreeMap<Term, usize>,
    text: String,
    variables: BTreeSet<String>,
    /// Names of the integers met so far, where they are printed as reals that keep apart.
    floors: Option<Vec<String>>,
}

impl Printer<'_> {
    fn count(&mut self, term: Term) {
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            let uses = self.uses.entry(term).or_insert(0);
            *uses += 1;
            if *uses == 1 {
                open.extend(self.terms.node(term).children());
            }
        }
    }

    fn print(mut self, asserted: &[Term]) -> (String, Vec<String>) {
        // Parts have smaller identities than wholes, so the order of identities is an order of definition.
        let shared: Vec<(Term, usize)> = self.uses.iter().map(|(&term, &uses)| (term, uses)).collect();
        for (term, uses) in shared {
            let label = self.terms.label(term);
            // Writing to a String cannot fail.
            let _ = match self.terms.node(term).clone() {
                Node::Variable(index) => {
                    let name = self.terms.name(index).to_owned();
                    let declared = writeln!(self.text, "(declare-const |{name}| Real)");
                    self.variables.insert(name);
                    declared
                }
                Node::Div(a, b) => {
                    let (a, b) = (self.operand(a), self.operand(b));
                    writeln!(
                        self.text,
                        "(declare-const {label} Real)\n(assert (=> (not (= {b} 0.0)) (= (* {label} {b}) {a})))"
                    )
                }
                node @ (Node::Add(..) | Node::Sub(..) | Node::Mul(..) | Node::If(..)) if uses > 1 => {
                    let sort = if node.is_proposition(self.terms) { "Bool" } else { "Real" };
                    let body = self.body(term);
                    writeln!(self.text, "(define-fun {label} () {sort} {body})")
                }
                Node::Not(_) | Node::And(..) | Node::Or(..) | Node::Same(..) if uses > 1 => {
                    let body = self.body(term);
                    writeln!(self.text, "(define-fun {label} () Bool {body})")
                }
                _ => Ok(()),
            };
            if let Node::Floor(a) | Node::IsInteger(a) = *self.terms.node(term) {
                self.declare_floor(a);
            }
        }
        for &term in asserted {
            let body = self.operand(term);
            let _ = writeln!(self.text, "(assert {body})");
        }
        (self.text, self.variables.into_iter().collect())
    }

    /// The term by name where it has one, else spelled out.
    fn operand(&self, term: Term) -> String {
        let shared = self.uses.get(&term).is_some_and(|&uses| uses > 1);
        match self.terms.node(term) {
            Node::Div(..) => self.terms.label(term),
            Node::Add(..) | Node::Sub(..) | Node::Mul(..) | Node::If(..) if shared => self.terms.label(term),
            Node::Not(_) | Node::And(..) | Node::Or(..) | Node::Same(..) if shared => self.terms.label(term),
            _ => self.body(term),
        }
    }

    fn body(&self, term: Term) -> String {
        let list = |head: &str, parts: &[Term]| {
            let parts: Vec<String> = parts.iter().map(|&part| self.operand(part)).collect();
            format!("({head} {})", parts.join(" "))
        };
        match self.terms.node(term) {
            Node::Number(value) => number(value),
            Node::Variable(index) => format!("|{}|", self.terms.name(*index)),
            Node::Truth(value) => value.to_string(),
            Node::Add(a, b) => list("+", &[*a, *b]),
            Node::Sub(a, b) => list("-", &[*a, *b]),
            Node::Mul(a, b) => list("*", &[*a, *b]),
            Node::Div(..) => self.terms.label(term),
            Node::Floor(a) if self.floors.is_some() => self.floor_name(*a),
            Node::Floor(a) => format!("(to_real (to_int {}))", self.operand(*a)),
            Node::If(c, a, b) => list("ite", &[*c, *a, *b]),
            Node::Not(a) => list("not", &[*a]),
            Node::And(a, b) => list("and", &[*a, *b]),
            Node::Or(a, b) => list("or", &[*a, *b]),
            Node::Less(a, b) => list("<", &[*a, *b]),
            Node::Equal(a, b) | Node::Same(a, b) => list("=", &[*a, *b]),
            Node::IsInteger(a) if self.floors.is_some() => {
                format!("(= {} {})", self.operand(*a), self.floor_name(*a))
            }
            Node::IsInteger(a) => list("is_int", &[*a]),
        }
    }

    fn floor_name(&self, of: Term) -> String {
        format!("floor_{}", self.terms.label(of))
    }

    fn declare_floor(&mut self, of: Term) {
        let (name, operand) = (self.floor_name(of), self.operand(of));
        let Some(floors) = &mut self.floors else { return };
        if floors.contains(&name) {
            return;
        }
        let text = &mut self.text;
        // Writing to a String cannot fail.
        let _ = writeln!(text, "(declare-const {name} Real)");
        let _ = writeln!(text, "(assert (and (<= {name} {operand}) (< {operand} (+ {name} 1.0))))");
        for other in ["(- 1.0)", "0.0", "1.0"].into_iter().chain(floors.iter().map(String::as_str)) {
            let _ = writeln!(
                text,
                "(assert (or (= {name} {other}) (<= {name} (- {other} 1.0)) (>= {name} (+ {other} 1.0))))"
            );
        }
        floors.push(name);
    }
}

fn number(value: &rug::Rational) -> String {
    let magnitude = value.clone().abs();
    let (numerator, denominator) = (magnitude.numer(), magnitude.denom());
    let text = if *denominator == 1 { format!("{numerator}.0") } else { format!("(/ {numerator}.0 {denominator}.0)") };
    if *value < 0 { format!("(- {text})") } else { text }
}
