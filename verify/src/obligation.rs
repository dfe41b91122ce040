//! What is to be proved, as the solver is asked, and as text in SMT-LIB 2.6, which any solver of nonlinear real
//! arithmetic reads.
//!
//! The negated goal is asserted beside the assumptions: no model means that the goal holds. A quotient n/d is written
//! as a variable q with q·d = n; where the obligation does not make d different from 0, q is unconstrained when d is 0
//! and the proof has to go through for any value. ⌊a⌋ is a real k with k ≤ a < k + 1, and any two such k (and −1, 0
//! and 1) are equal or at least 1 apart: all that the proofs need of integers, without leaving the real numbers, for
//! which the solver is complete. Only where a model is wanted, integers are integers.

use crate::question::{self, Op, Symbol, Word};
use crate::term::{Node, Term, Terms};
use rug::Rational;
use std::collections::{BTreeMap, BTreeSet};

/// One thing to prove.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What it says, in a few words.
    pub name: String,
    /// What the solver is asked, in SMT-LIB.
    pub text: String,
    /// Whether a model is wanted: an obligation that the assumptions can be met at all.
    pub satisfiable: bool,
    /// The variables whose values are asked for in a model.
    pub variables: Vec<String>,
    /// What the text says, as data.
    pub(crate) words: Vec<Word>,
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
        let mut writer = Writer {
            terms,
            uses: BTreeMap::new(),
            words: Vec::new(),
            variables: BTreeSet::new(),
            floors: if satisfiable { None } else { Some(Vec::new()) },
        };
        for &term in asserted {
            writer.count(term);
        }
        let (words, variables) = writer.write(asserted);
        Obligation { name, text: question::to_text(&words), satisfiable, variables, words }
    }

    /// The assumptions in their order, behind them in an implication the negated goal, in SMT-LIB.
    pub fn assumptions(&self) -> Vec<String> {
        question::assumptions(&self.words)
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

/// Writes terms as the words of a question.
struct Writer<'a> {
    terms: &'a Terms,
    uses: BTreeMap<Term, usize>,
    words: Vec<Word>,
    variables: BTreeSet<String>,
    /// Names of the integers met so far, where they are written as reals that keep apart.
    floors: Option<Vec<String>>,
}

impl Writer<'_> {
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

    fn write(mut self, asserted: &[Term]) -> (Vec<Word>, Vec<String>) {
        // Parts have smaller identities than wholes, so the order of identities is an order of definition.
        let shared: Vec<(Term, usize)> = self.uses.iter().map(|(&term, &uses)| (term, uses)).collect();
        for (term, uses) in shared {
            match self.terms.node(term).clone() {
                Node::Variable(index) => {
                    let name = self.terms.name(index).to_owned();
                    self.words.push(Word::Declare(Symbol::Variable(name.clone())));
                    self.variables.insert(name);
                }
                Node::Div(a, b) => self.declare_quotient(self.terms.label(term), a, b),
                node @ (Node::Add(..) | Node::Sub(..) | Node::Mul(..) | Node::If(..)) if uses > 1 => {
                    self.define(term, node.is_proposition(self.terms));
                }
                Node::Not(_) | Node::And(..) | Node::Or(..) | Node::Same(..) if uses > 1 => self.define(term, true),
                _ => {}
            }
            if let Node::Floor(a) | Node::IsInteger(a) = *self.terms.node(term) {
                self.declare_floor(a);
            }
        }
        for &term in asserted {
            self.operand(term);
            self.words.push(Word::Assumption);
        }
        (self.words, self.variables.into_iter().collect())
    }

    fn define(&mut self, term: Term, proposition: bool) {
        self.body(term);
        self.words.push(Word::Define { label: self.terms.label(term), proposition });
    }

    /// The term by name where it has one, else spelled out.
    fn operand(&mut self, term: Term) {
        let shared = self.uses.get(&term).is_some_and(|&uses| uses > 1);
        match self.terms.node(term) {
            Node::Div(..) => self.label(self.terms.label(term)),
            Node::Add(..) | Node::Sub(..) | Node::Mul(..) | Node::If(..) if shared => {
                self.label(self.terms.label(term));
            }
            Node::Not(_) | Node::And(..) | Node::Or(..) | Node::Same(..) if shared => {
                self.label(self.terms.label(term));
            }
            _ => self.body(term),
        }
    }

    fn body(&mut self, term: Term) {
        match *self.terms.node(term) {
            Node::Number(ref value) => self.words.push(Word::Number(value.clone())),
            Node::Variable(index) => {
                self.words.push(Word::Named(Symbol::Variable(self.terms.name(index).to_owned())));
            }
            Node::Truth(value) => self.words.push(Word::Truth(value)),
            Node::Add(a, b) => self.list(Op::Add, &[a, b]),
            Node::Sub(a, b) => self.list(Op::Sub, &[a, b]),
            Node::Mul(a, b) => self.list(Op::Mul, &[a, b]),
            Node::Div(..) => self.label(self.terms.label(term)),
            Node::Floor(a) if self.floors.is_some() => self.label(self.floor_name(a)),
            Node::Floor(a) => self.list(Op::Floor, &[a]),
            Node::If(c, a, b) => self.list(Op::If, &[c, a, b]),
            Node::Not(a) => self.list(Op::Not, &[a]),
            Node::And(a, b) => self.list(Op::And, &[a, b]),
            Node::Or(a, b) => self.list(Op::Or, &[a, b]),
            Node::Less(a, b) => self.list(Op::Less, &[a, b]),
            Node::Equal(a, b) | Node::Same(a, b) => self.list(Op::Equal, &[a, b]),
            Node::IsInteger(a) if self.floors.is_some() => {
                self.operand(a);
                self.label(self.floor_name(a));
                self.apply(Op::Equal, 2);
            }
            Node::IsInteger(a) => self.list(Op::IsInteger, &[a]),
        }
    }

    fn list(&mut self, op: Op, parts: &[Term]) {
        for &part in parts {
            self.operand(part);
        }
        self.apply(op, parts.len() as u32);
    }

    fn apply(&mut self, op: Op, count: u32) {
        self.words.push(Word::Apply(op, count));
    }

    fn label(&mut self, name: String) {
        self.words.push(Word::Named(Symbol::Label(name)));
    }

    fn integer(&mut self, value: i32) {
        self.words.push(Word::Number(Rational::from(value)));
    }

    /// q with q·b = a where b is not 0.
    fn declare_quotient(&mut self, quotient: String, a: Term, b: Term) {
        self.words.push(Word::Declare(Symbol::Label(quotient.clone())));
        self.operand(b);
        self.integer(0);
        self.apply(Op::Equal, 2);
        self.apply(Op::Not, 1);
        self.label(quotient);
        self.operand(b);
        self.apply(Op::Mul, 2);
        self.operand(a);
        self.apply(Op::Equal, 2);
        self.apply(Op::Implies, 2);
        self.words.push(Word::Meaning);
    }

    fn floor_name(&self, of: Term) -> String {
        format!("floor_{}", self.terms.label(of))
    }

    fn declare_floor(&mut self, of: Term) {
        let name = self.floor_name(of);
        let Some(floors) = &mut self.floors else { return };
        if floors.contains(&name) {
            return;
        }
        let others = floors.clone();
        floors.push(name.clone());
        self.words.push(Word::Declare(Symbol::Label(name.clone())));
        self.label(name.clone());
        self.operand(of);
        self.apply(Op::AtMost, 2);
        self.operand(of);
        self.label(name.clone());
        self.integer(1);
        self.apply(Op::Add, 2);
        self.apply(Op::Less, 2);
        self.apply(Op::And, 2);
        self.words.push(Word::Meaning);
        for value in [-1, 0, 1] {
            self.keep_apart(&name, Word::Number(Rational::from(value)));
        }
        for other in others {
            self.keep_apart(&name, Word::Named(Symbol::Label(other)));
        }
    }

    /// That the integer of this name is the other, or at least 1 away from it.
    fn keep_apart(&mut self, name: &str, other: Word) {
        self.label(name.to_owned());
        self.words.push(other.clone());
        self.apply(Op::Equal, 2);
        for (side, relation) in [(Op::Sub, Op::AtMost), (Op::Add, Op::AtLeast)] {
            self.label(name.to_owned());
            self.words.push(other.clone());
            self.integer(1);
            self.apply(side, 2);
            self.apply(relation, 2);
        }
        self.apply(Op::Or, 3);
        self.words.push(Word::Meaning);
    }
}
