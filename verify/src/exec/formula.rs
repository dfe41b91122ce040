//! Operations of the table inside a proof: unknown numbers, equal for equal operands.
//!
//! A square root is known by its square. Of the other operations nothing is known but that their partials are those of
//! the table, which are proved by themselves ([`crate::rule`]): what is proved of a gradient then holds given the rules
//! of the operations it calls.

use super::Exec;
use crate::term::Term;
use rug::Rational;
use rules::{Cond, Const, Expr, Op};

/// The value of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Atom {
    /// Which.
    pub op: Op,
    /// Its floating-point operands.
    pub args: Vec<Term>,
    /// Its integer operands.
    pub ints: Vec<i64>,
}

impl Exec<'_> {
    /// The unknown number that an operation gives.
    pub(super) fn atom(&mut self, op: Op, args: Vec<Term>, ints: Vec<i64>) -> Term {
        let atom = Atom { op, args, ints };
        if let Some((&known, _)) = self.atoms.iter().find(|(_, it)| **it == atom) {
            return known;
        }
        let value = self.terms.variable(op.name());
        self.atoms.insert(value, atom);
        value
    }

    /// The square root of a number: a number of its own, of which its square is known.
    pub(super) fn root(&mut self, of: Term) -> Term {
        if let Some((&root, _)) = self.roots.iter().find(|(_, operand)| **operand == of) {
            return root;
        }
        let root = self.terms.variable("root");
        self.roots.insert(root, of);
        root
    }

    /// The partials of an atom, with the operands they belong to.
    pub(crate) fn partials(&mut self, value: Term, atom: &Atom) -> Vec<(Term, Term)> {
        let partials = atom.op.row().partials(0);
        let term = |partial: &rules::Partial| {
            (atom.args[partial.operand], self.formula(&partial.expr, &atom.args, &atom.ints, value))
        };
        partials.iter().map(term).collect()
    }

    /// An expression of the table as a term.
    fn formula(&mut self, expr: &Expr, x: &[Term], n: &[i64], y: Term) -> Term {
        let mut at = |expr: &Expr| self.formula(expr, x, n, y);
        match expr {
            Expr::X(i) => x[*i],
            Expr::Y => y,
            Expr::N(integer) => self.terms.number(integer.eval(n)),
            Expr::Const(Const::Ratio(p, q)) => self.terms.number(Rational::from((*p, *q))),
            // As gradients have it: the nearest double.
            Expr::Const(constant) => self.terms.number(Rational::from_f64(constant.to_f64()).unwrap_or_default()),
            Expr::Neg(a) => {
                let a = at(a);
                self.terms.neg(a)
            }
            Expr::Add(a, b) => {
                let (a, b) = (at(a), at(b));
                self.terms.add(a, b)
            }
            Expr::Sub(a, b) => {
                let (a, b) = (at(a), at(b));
                self.terms.sub(a, b)
            }
            Expr::Mul(a, b) => {
                let (a, b) = (at(a), at(b));
                self.terms.mul(a, b)
            }
            Expr::Div(a, b) => {
                let (a, b) = (at(a), at(b));
                let one = self.terms.number(1);
                let inverse = self.terms.div(one, b);
                self.terms.mul(a, inverse)
            }
            Expr::Call { op, ints, args } => {
                let args: Vec<Term> = args.iter().map(at).collect();
                let ints: Vec<i64> = ints.iter().map(|integer| integer.eval(n)).collect();
                self.called(*op, args, ints)
            }
            Expr::Helper(helper, args) => {
                let args: Vec<Term> = args.iter().map(at).collect();
                self.formula(helper.definition(), &args, &[], y)
            }
            Expr::Select(condition, a, b) => {
                let (a, b) = (at(a), at(b));
                let condition = self.condition(condition, x, n, y);
                self.terms.select(condition, a, b)
            }
        }
    }

    fn called(&mut self, op: Op, args: Vec<Term>, ints: Vec<i64>) -> Term {
        let zero = self.terms.number(0);
        let magnitude = |this: &mut Self, of: Term| {
            let (negative, minus) = (this.terms.less(of, zero), this.terms.neg(of));
            this.terms.select(negative, minus, of)
        };
        match op {
            Op::Sqrt => self.root(args[0]),
            Op::Fabs => magnitude(self, args[0]),
            Op::CopySign => {
                let size = magnitude(self, args[0]);
                let (negative, minus) = (self.terms.less(args[1], zero), self.terms.neg(size));
                self.terms.select(negative, minus, size)
            }
            _ => self.atom(op, args, ints),
        }
    }

    fn condition(&mut self, condition: &Cond, x: &[Term], n: &[i64], y: Term) -> Term {
        match condition {
            Cond::True => self.terms.truth(true),
            Cond::IsNan(_) => self.terms.truth(false),
            Cond::Lt(a, b) | Cond::Le(a, b) | Cond::Eq(a, b) => {
                let (a, b) = (self.formula(a, x, n, y), self.formula(b, x, n, y));
                match condition {
                    Cond::Lt(..) => self.terms.less(a, b),
                    Cond::Le(..) => self.terms.at_most(a, b),
                    _ => self.terms.equal(a, b),
                }
            }
            Cond::Not(a) => {
                let a = self.condition(a, x, n, y);
                self.terms.not(a)
            }
            Cond::And(a, b) => {
                let (a, b) = (self.condition(a, x, n, y), self.condition(b, x, n, y));
                self.terms.and(a, b)
            }
            Cond::Or(a, b) => {
                let (a, b) = (self.condition(a, x, n, y), self.condition(b, x, n, y));
                self.terms.or(a, b)
            }
        }
    }
}
