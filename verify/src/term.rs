//! Terms of real arithmetic, hash-consed: what is proved is said in these.
//!
//! Equal terms get equal identities (Ershov 1958; Filliâtre and Conchon, ML 2006), so a value that a primal and its
//! gradient both compute is one node of what the solver is asked. Constructors fold constants and neutral elements
//! only: whatever needs thought is the solver's business.

use rug::Rational;
use std::collections::HashMap;

/// A term of a [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

/// A node: arithmetic over the reals, and propositions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An exact number.
    Number(Rational),
    /// A real variable, by its index among the names.
    Variable(u32),
    /// Sum.
    Add(Term, Term),
    /// Difference.
    Sub(Term, Term),
    /// Product.
    Mul(Term, Term),
    /// Quotient; meaningful where the second is not 0, which every user demands or assumes.
    Div(Term, Term),
    /// Largest integer not above.
    Floor(Term),
    /// The first is true: the second, else the third. Of reals or of propositions.
    If(Term, Term, Term),
    /// True or false.
    Truth(bool),
    /// Negation.
    Not(Term),
    /// Conjunction.
    And(Term, Term),
    /// Disjunction.
    Or(Term, Term),
    /// Less.
    Less(Term, Term),
    /// Equal reals.
    Equal(Term, Term),
    /// Equivalent propositions.
    Same(Term, Term),
    /// Is an integer.
    IsInteger(Term),
}

/// An arena of terms.
#[derive(Default)]
pub struct Terms {
    nodes: Vec<Node>,
    known: HashMap<Node, Term>,
    names: Vec<String>,
}

impl Terms {
    /// An empty arena.
    pub fn new() -> Terms {
        Terms::default()
    }

    /// The node of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was made.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The name of a variable node.
    pub fn name(&self, variable: u32) -> &str {
        &self.names[variable as usize]
    }

    /// The name a term goes under when it is shared.
    pub fn label(&self, term: Term) -> String {
        format!("t{}", term.0)
    }

    fn make(&mut self, node: Node) -> Term {
        if let Some(&term) = self.known.get(&node) {
            return term;
        }
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.known.insert(node, term);
        term
    }

    /// A new variable. Names that are taken get a number behind.
    pub fn variable(&mut self, name: &str) -> Term {
        let clash = self.names.iter().filter(|it| it.split('!').next() == Some(name)).count();
        let name = if clash == 0 { name.to_owned() } else { format!("{name}!{clash}") };
        self.names.push(name);
        self.make(Node::Variable(self.names.len() as u32 - 1))
    }

    /// An exact number.
    pub fn number(&mut self, value: impl Into<Rational>) -> Term {
        self.make(Node::Number(value.into()))
    }

    /// The number, if the term is one.
    pub fn as_number(&self, term: Term) -> Option<&Rational> {
        match self.node(term) {
            Node::Number(value) => Some(value),
            _ => None,
        }
    }

    fn is(&self, term: Term, value: i32) -> bool {
        self.as_number(term).is_some_and(|number| *number == value)
    }

    fn fold(&mut self, a: Term, b: Term, by: impl Fn(&Rational, &Rational) -> Rational) -> Option<Term> {
        let value = by(self.as_number(a)?, self.as_number(b)?);
        Some(self.number(value))
    }

    /// a + b.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold(a, b, |a, b| Rational::from(a + b)) {
            return folded;
        }
        if self.is(a, 0) {
            return b;
        }
        if self.is(b, 0) {
            return a;
        }
        // A counter: (n + 1) + 1 is n + 2.
        if let (Node::Add(n, one), Some(two)) = (self.node(a).clone(), self.as_number(b).cloned())
            && let Some(one) = self.as_number(one)
        {
            let sum: Rational = one + two;
            let sum = self.number(sum);
            return self.add(n, sum);
        }
        self.make(Node::Add(a, b))
    }

    /// a − b.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold(a, b, |a, b| Rational::from(a - b)) {
            return folded;
        }
        if a == b {
            return self.number(0);
        }
        if let Some(number) = self.as_number(b) {
            let minus = Rational::from(-number);
            let minus = self.number(minus);
            return self.add(a, minus);
        }
        self.make(Node::Sub(a, b))
    }

    /// −a.
    pub fn neg(&mut self, a: Term) -> Term {
        let minus_one = self.number(-1);
        self.mul(minus_one, a)
    }

    /// a·b.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold(a, b, |a, b| Rational::from(a * b)) {
            return folded;
        }
        if self.is(a, 0) || self.is(b, 0) {
            return self.number(0);
        }
        if self.is(a, 1) {
            return b;
        }
        if self.is(b, 1) {
            return a;
        }
        self.make(Node::Mul(a, b))
    }

    /// a / b.
    pub fn div(&mut self, a: Term, b: Term) -> Term {
        if self.is(b, 1) {
            return a;
        }
        if !self.is(b, 0)
            && let Some(folded) = self.fold(a, b, |a, b| Rational::from(a / b))
        {
            return folded;
        }
        self.make(Node::Div(a, b))
    }

    /// The largest integer not above a.
    pub fn floor(&mut self, a: Term) -> Term {
        match self.as_number(a) {
            Some(number) => {
                let floor = number.clone().floor();
                self.number(floor)
            }
            None => self.make(Node::Floor(a)),
        }
    }

    /// True or false.
    pub fn truth(&mut self, value: bool) -> Term {
        self.make(Node::Truth(value))
    }

    /// The truth value, if the term is one.
    pub fn as_truth(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Truth(value) => Some(*value),
            _ => None,
        }
    }

    /// `condition` ? a : b.
    pub fn select(&mut self, condition: Term, a: Term, b: Term) -> Term {
        match self.as_truth(condition) {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => self.make(Node::If(condition, a, b)),
        }
    }

    /// not a.
    pub fn not(&mut self, a: Term) -> Term {
        match self.node(a) {
            Node::Truth(value) => {
                let value = !*value;
                self.truth(value)
            }
            Node::Not(inner) => *inner,
            _ => self.make(Node::Not(a)),
        }
    }

    /// a and b.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        match (self.as_truth(a), self.as_truth(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) | (_, Some(false)) => self.truth(false),
            _ if a == b => a,
            _ => self.make(Node::And(a, b)),
        }
    }

    /// a or b.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        match (self.as_truth(a), self.as_truth(b)) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) | (_, Some(true)) => self.truth(true),
            _ if a == b => a,
            _ => self.make(Node::Or(a, b)),
        }
    }

    /// a implies b.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// All of them.
    pub fn all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let start = self.truth(true);
        terms.into_iter().fold(start, |so_far, term| self.and(so_far, term))
    }

    /// One of them.
    pub fn any(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let start = self.truth(false);
        terms.into_iter().fold(start, |so_far, term| self.or(so_far, term))
    }

    /// a < b.
    pub fn less(&mut self, a: Term, b: Term) -> Term {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => {
                let value = x < y;
                self.truth(value)
            }
            _ if a == b => self.truth(false),
            _ => self.make(Node::Less(a, b)),
        }
    }

    /// a ≤ b.
    pub fn at_most(&mut self, a: Term, b: Term) -> Term {
        let greater = self.less(b, a);
        self.not(greater)
    }

    /// a = b.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => {
                let value = x == y;
                self.truth(value)
            }
            _ if a == b => self.truth(true),
            _ => self.make(Node::Equal(a, b)),
        }
    }

    /// a ≠ b.
    pub fn differ(&mut self, a: Term, b: Term) -> Term {
        let equal = self.equal(a, b);
        self.not(equal)
    }

    /// a ≠ 0.
    pub fn nonzero(&mut self, a: Term) -> Term {
        let zero = self.number(0);
        self.differ(a, zero)
    }

    /// a > 0.
    pub fn positive(&mut self, a: Term) -> Term {
        let zero = self.number(0);
        self.less(zero, a)
    }

    /// a and b have the same truth value.
    pub fn same(&mut self, a: Term, b: Term) -> Term {
        match (self.as_truth(a), self.as_truth(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => self.not(b),
            (_, Some(false)) => self.not(a),
            _ if a == b => self.truth(true),
            _ => self.make(Node::Same(a, b)),
        }
    }

    /// a is an integer.
    pub fn is_integer(&mut self, a: Term) -> Term {
        match self.as_number(a) {
            Some(number) => {
                let value = *number.denom() == 1;
                self.truth(value)
            }
            None => self.make(Node::IsInteger(a)),
        }
    }

    /// Whether integers occur in the term.
    pub fn mentions_integers(&self, term: Term) -> bool {
        let mut open = vec![term];
        let mut seen = std::collections::HashSet::new();
        while let Some(term) = open.pop() {
            if matches!(self.node(term), Node::Floor(_) | Node::IsInteger(_)) {
                return true;
            }
            open.extend(self.node(term).children().into_iter().filter(|child| seen.insert(*child)));
        }
        false
    }

    /// The term with variables replaced.
    pub fn substitute(&mut self, term: Term, by: &HashMap<Term, Term>) -> Term {
        let mut done = by.clone();
        self.substitute_in(term, &mut done)
    }

    fn substitute_in(&mut self, term: Term, done: &mut HashMap<Term, Term>) -> Term {
        if let Some(&known) = done.get(&term) {
            return known;
        }
        let node = self.node(term).clone();
        let mut parts = node.children().into_iter().map(|child| self.substitute_in(child, done)).collect::<Vec<_>>();
        let last = |parts: &mut Vec<Term>| parts.pop().unwrap_or(term);
        let result = match node {
            Node::Number(_) | Node::Variable(_) | Node::Truth(_) => term,
            Node::Floor(_) => {
                let a = last(&mut parts);
                self.floor(a)
            }
            Node::Not(_) => {
                let a = last(&mut parts);
                self.not(a)
            }
            Node::IsInteger(_) => {
                let a = last(&mut parts);
                self.is_integer(a)
            }
            Node::If(..) => {
                let (b, a, c) = (last(&mut parts), last(&mut parts), last(&mut parts));
                self.select(c, a, b)
            }
            Node::Add(..)
            | Node::Sub(..)
            | Node::Mul(..)
            | Node::Div(..)
            | Node::And(..)
            | Node::Or(..)
            | Node::Less(..)
            | Node::Equal(..)
            | Node::Same(..) => {
                let (b, a) = (last(&mut parts), last(&mut parts));
                match node {
                    Node::Add(..) => self.add(a, b),
                    Node::Sub(..) => self.sub(a, b),
                    Node::Mul(..) => self.mul(a, b),
                    Node::Div(..) => self.div(a, b),
                    Node::And(..) => self.and(a, b),
                    Node::Or(..) => self.or(a, b),
                    Node::Less(..) => self.less(a, b),
                    Node::Equal(..) => self.equal(a, b),
                    _ => self.same(a, b),
                }
            }
        };
        done.insert(term, result);
        result
    }
}

impl Node {
    /// The terms it is made of, in order.
    pub fn children(&self) -> Vec<Term> {
        match *self {
            Node::Number(_) | Node::Variable(_) | Node::Truth(_) => vec![],
            Node::Floor(a) | Node::Not(a) | Node::IsInteger(a) => vec![a],
            Node::Add(a, b)
            | Node::Sub(a, b)
            | Node::Mul(a, b)
            | Node::Div(a, b)
            | Node::And(a, b)
            | Node::Or(a, b)
            | Node::Less(a, b)
            | Node::Equal(a, b)
            | Node::Same(a, b) => vec![a, b],
            Node::If(c, a, b) => vec![c, a, b],
        }
    }

    /// Whether it stands for a truth value, given that of its parts.
    pub fn is_proposition(&self, terms: &Terms) -> bool {
        match self {
            Node::Truth(_) | Node::Not(_) | Node::And(..) | Node::Or(..) => true,
            Node::Less(..) | Node::Equal(..) | Node::Same(..) | Node::IsInteger(_) => true,
            Node::If(_, a, _) => terms.node(*a).is_proposition(terms),
            Node::Number(_) | Node::Variable(_) | Node::Floor(_) => false,
            Node::Add(..) | Node::Sub(..) | Node::Mul(..) | Node::Div(..) => false,
        }
    }
}
