//! A question to the solver as data: words in postfix order, each made of what stands before it.
//!
//! The one form of what is asked. It is written as text in SMT-LIB (which is hashed, and which a person can read), goes
//! to the worker as bytes, and becomes terms of the solver there ([`crate::worker`]), all from the same words. Postfix
//! order needs no recursion to read, however deep a term is.

use rug::Rational;
use std::fmt;

/// A name in a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    /// An unknown of the obligation.
    Variable(String),
    /// What stands for a part of it.
    Label(String),
}

impl Symbol {
    /// The name, without quotes.
    pub(crate) fn name(&self) -> &str {
        match self {
            Symbol::Variable(name) | Symbol::Label(name) => name,
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Symbol::Variable(name) => write!(f, "|{name}|"),
            Symbol::Label(name) => f.write_str(name),
        }
    }
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    /// A truth value, and two terms of one kind.
    If,
    Not,
    And,
    Or,
    Implies,
    Less,
    AtMost,
    AtLeast,
    /// Of two reals or of two truth values.
    Equal,
    /// The largest integer not above, as a real.
    Floor,
    IsInteger,
}

impl Op {
    /// Every operation, in the order of its code.
    pub(crate) const ALL: [Op; 14] = [
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::If,
        Op::Not,
        Op::And,
        Op::Or,
        Op::Implies,
        Op::Less,
        Op::AtMost,
        Op::AtLeast,
        Op::Equal,
        Op::Floor,
        Op::IsInteger,
    ];

    /// What SMT-LIB calls it. ⌊a⌋ has no name of its own: it is the integer of a, as a real.
    fn spelled(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::If => "ite",
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Implies => "=>",
            Op::Less => "<",
            Op::AtMost => "<=",
            Op::AtLeast => ">=",
            Op::Equal => "=",
            Op::Floor => "to_int",
            Op::IsInteger => "is_int",
        }
    }
}

/// A word: it takes terms that stand before it and are not yet taken, the last ones first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Word {
    /// An exact number.
    Number(Rational),
    /// True or false.
    Truth(bool),
    /// What was declared or defined under the name.
    Named(Symbol),
    /// The operation on so many terms.
    Apply(Op, u32),
    /// From here on the name is a real unknown.
    Declare(Symbol),
    /// From here on the label is the term before; of a truth value or of a real.
    Define { label: String, proposition: bool },
    /// The proposition before says what names mean.
    Meaning,
    /// The proposition before is an assumption, or the negated goal.
    Assumption,
}

/// The question as text in SMT-LIB, a line for each declaration, definition and assertion.
pub(crate) fn to_text(words: &[Word]) -> String {
    let mut text = String::new();
    write(words, |word, term| {
        text += &match word {
            Word::Declare(symbol) => format!("(declare-const {symbol} Real)\n"),
            Word::Define { label, proposition: true } => format!("(define-fun {label} () Bool {term})\n"),
            Word::Define { label, proposition: false } => format!("(define-fun {label} () Real {term})\n"),
            _ => format!("(assert {term})\n"),
        };
    });
    text
}

/// The assumptions, each as a term of SMT-LIB.
pub(crate) fn assumptions(words: &[Word]) -> Vec<String> {
    let mut assumptions = Vec::new();
    write(words, |word, term| assumptions.extend(matches!(word, Word::Assumption).then_some(term)));
    assumptions
}

/// Tells each word that says something, with the term that it says it of.
fn write(words: &[Word], mut say: impl FnMut(&Word, String)) {
    let mut terms = Vec::<String>::new();
    for word in words {
        match word {
            Word::Number(value) => terms.push(number(value)),
            Word::Truth(value) => terms.push(value.to_string()),
            Word::Named(symbol) => terms.push(symbol.to_string()),
            Word::Apply(op, count) => {
                let parts = terms.split_off(terms.len().saturating_sub(*count as usize)).join(" ");
                let applied = format!("({} {parts})", op.spelled());
                terms.push(if *op == Op::Floor { format!("(to_real {applied})") } else { applied });
            }
            Word::Declare(_) => say(word, String::new()),
            Word::Define { .. } | Word::Meaning | Word::Assumption => say(word, terms.pop().unwrap_or_default()),
        }
    }
}

fn number(value: &Rational) -> String {
    let magnitude = value.clone().abs();
    let (numerator, denominator) = (magnitude.numer(), magnitude.denom());
    let text = if *denominator == 1 { format!("{numerator}.0") } else { format!("(/ {numerator}.0 {denominator}.0)") };
    if *value < 0 { format!("(- {text})") } else { text }
}
