//! Slopes in the sense of Carathéodory, carried through expressions.
//!
//! A function F is differentiable at x with derivative p exactly if F(x + h) − F(x) = h·φ(h) for some φ that is
//! continuous at 0 with φ(0) = p (Carathéodory 1954; Kuhn, "The derivative à la Carathéodory", Amer. Math. Monthly 98,
//! 1991). Each expression gets three terms: its value at x, its value at x + h, and such a φ. No rule of
//! differentiation is trusted for that: φ is a witness, and that it satisfies the equation is an obligation of its own.
//! φ(0) comes out by replacing every quantity that depends on h by its limit.
//!
//! While an expression is lifted, what has to be said beside it is collected:
//! - *facts*: what defines the values at x (r·r = u and r ≥ 0 for a root), true wherever the value exists;
//! - *near*: the same at x + h, for small h, where open conditions (u > 0, a < b) still hold by continuity;
//! - *domain*: where the values exist at all;
//! - *demands*: where φ exists: divisors that are not 0 in the limit, comparisons that are no ties.

use crate::term::{Term, Terms};
use rug::Rational;
use rules::{Cond, Const, Expr, IntExpr, Op};
use std::collections::HashMap;

/// The powers of one base that occur in a step of the induction: x^(e + k) = `known`·xᵏ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    pub base: Term,
    /// The exponent e: a variable, or a number.
    pub exponent: Term,
    /// x^e.
    pub known: Term,
}

/// An expression at x, at x + h, and the quotient of the difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// At x.
    pub at: Term,
    /// At x + h.
    pub moved: Term,
    /// φ(h).
    pub slope: Term,
}

/// What the table says no proof can be given of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoAxioms(pub Op);

/// Which part of a row is being lifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The operation itself.
    Primal,
    /// A partial or a condition: only values at x matter.
    Partial,
}

/// Lifts the expressions of one row.
pub(super) struct Lift<'a> {
    pub terms: &'a mut Terms,
    /// h.
    pub step: Term,
    pub part: Part,
    pub inputs: Vec<Value>,
    pub ints: Vec<Term>,
    /// The result, once the primal was lifted, and where it exists.
    pub result: Option<(Value, Vec<Term>)>,
    pub facts: Vec<Term>,
    pub near: Vec<Term>,
    pub domain: Vec<Term>,
    pub demands: Vec<(&'static str, Term)>,
    pub limits: HashMap<Term, Term>,
    /// Conditions of the selections around what is being lifted.
    guards: Vec<Term>,
    pub(super) atoms: HashMap<(Op, Vec<Term>), Value>,
    pub(super) constants: HashMap<Const, Term>,
    /// Names of operations have to be spelled the same in every run.
    pub(super) power: Option<Family>,
}

impl<'a> Lift<'a> {
    /// Operands of a row of which `moving` moves (none: nothing does).
    pub fn new(terms: &'a mut Terms, floats: usize, ints: usize, moving: Option<usize>) -> Lift<'a> {
        let step = terms.variable("h");
        let zero = terms.number(0);
        let one = terms.number(1);
        let mut limits = HashMap::new();
        limits.insert(step, zero);
        let mut inputs = Vec::new();
        for i in 0..floats {
            let at = terms.variable(&format!("x{i}"));
            inputs.push(match moving == Some(i) {
                true => Value { at, moved: terms.add(at, step), slope: one },
                false => Value { at, moved: at, slope: zero },
            });
        }
        let mut facts = Vec::new();
        let mut integers = Vec::new();
        for j in 0..ints {
            let n = terms.variable(&format!("n{j}"));
            facts.push(terms.is_integer(n));
            integers.push(n);
        }
        Lift {
            terms,
            step,
            part: Part::Primal,
            inputs,
            ints: integers,
            result: None,
            facts,
            near: Vec::new(),
            domain: Vec::new(),
            demands: Vec::new(),
            limits,
            guards: Vec::new(),
            atoms: HashMap::new(),
            constants: HashMap::new(),
            power: None,
        }
    }

    /// A value that does not move.
    pub fn still(&mut self, at: Term) -> Value {
        Value { at, moved: at, slope: self.terms.number(0) }
    }

    /// The number, as a value.
    pub fn number(&mut self, number: i32) -> Value {
        let at = self.terms.number(number);
        self.still(at)
    }

    fn guarded(&mut self, condition: Term) -> Term {
        let guards = self.guards.clone();
        let path = self.terms.all(guards);
        self.terms.implies(path, condition)
    }

    /// The value exists only where the condition holds.
    pub fn exists_where(&mut self, condition: Term) {
        let condition = self.guarded(condition);
        self.domain.push(condition);
    }

    /// φ exists only where the condition holds.
    pub fn demand(&mut self, why: &'static str, condition: Term) {
        if self.part == Part::Primal {
            let condition = self.guarded(condition);
            self.demands.push((why, condition));
        }
    }

    /// A new quantity that depends on h, and its limit.
    pub fn tends_to(&mut self, name: &str, limit: Term) -> Term {
        let variable = self.terms.variable(name);
        self.limits.insert(variable, limit);
        variable
    }

    /// φ(0).
    pub fn limit(&mut self, term: Term) -> Term {
        self.terms.substitute(term, &self.limits)
    }

    /// An expression of the table.
    pub fn expr(&mut self, expr: &Expr) -> Result<Value, NoAxioms> {
        Ok(match expr {
            Expr::X(i) => self.inputs[*i],
            Expr::N(integer) => {
                let at = self.integer(integer);
                self.still(at)
            }
            Expr::Y => self.result(),
            Expr::Const(constant) => {
                let at = self.constant(*constant);
                self.still(at)
            }
            Expr::Neg(a) => {
                let a = self.expr(a)?;
                self.neg(a)
            }
            Expr::Add(a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.add(a, b)
            }
            Expr::Sub(a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.sub(a, b)
            }
            Expr::Mul(a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.mul(a, b)
            }
            Expr::Div(a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.div(a, b)
            }
            Expr::Call { op: Op::Exp, args, .. } if matches!(&args[0], Expr::Neg(_)) => {
                // exp(−u)·exp(u) = 1.
                let Expr::Neg(inner) = &args[0] else { return Err(NoAxioms(Op::Exp)) };
                let inner = self.expr(inner)?;
                let power = self.call(Op::Exp, &[], &[inner])?;
                let one = self.number(1);
                self.div(one, power)
            }
            Expr::Call { op: Op::Pow, args, .. } => self.power_call(&args[0], &args[1])?,
            Expr::Call { op, ints, args } => {
                let ints: Vec<Term> = ints.iter().map(|integer| self.integer(integer)).collect();
                let args = args.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<Value>, NoAxioms>>()?;
                self.call(*op, &ints, &args)?
            }
            Expr::Helper(..) => return Err(NoAxioms(Op::TGamma)),
            Expr::Select(condition, a, b) => {
                let (here, there) = self.cond(condition)?;
                self.guards.push(here);
                let a = self.expr(a);
                self.guards.pop();
                let otherwise = self.terms.not(here);
                self.guards.push(otherwise);
                let b = self.expr(b);
                self.guards.pop();
                self.select(here, there, a?, b?)
            }
        })
    }

    /// The first where the condition holds (`here` at x, `there` at x + h), else the second. Near x it is the same one:
    /// [`Lift::cond`] demands that.
    pub fn select(&mut self, here: Term, there: Term, a: Value, b: Value) -> Value {
        Value {
            at: self.terms.select(here, a.at, b.at),
            moved: self.terms.select(there, a.moved, b.moved),
            slope: self.terms.select(here, a.slope, b.slope),
        }
    }

    /// The condition at x and at x + h. In the primal each comparison has to be strict, and then holds nearby as well.
    pub fn cond(&mut self, condition: &Cond) -> Result<(Term, Term), NoAxioms> {
        Ok(match condition {
            Cond::True => {
                let yes = self.terms.truth(true);
                (yes, yes)
            }
            Cond::Lt(a, b) => {
                let (a, b) = (self.compared(a)?, self.compared(b)?);
                self.less(a, b)
            }
            Cond::Le(a, b) => {
                let (a, b) = (self.compared(a)?, self.compared(b)?);
                let (here, there) = self.less(b, a);
                (self.terms.not(here), self.terms.not(there))
            }
            Cond::Eq(a, b) => {
                if let Some(of) = integrality(a, b) {
                    let value = self.expr(of)?;
                    return Ok((self.terms.is_integer(value.at), self.terms.is_integer(value.moved)));
                }
                let (a, b) = (self.compared(a)?, self.compared(b)?);
                self.less(a, b);
                (self.terms.equal(a.at, b.at), self.terms.equal(a.moved, b.moved))
            }
            // Among the real numbers there is none.
            Cond::IsNan(_) => {
                let no = self.terms.truth(false);
                (no, no)
            }
            Cond::Not(a) => {
                let (here, there) = self.cond(a)?;
                (self.terms.not(here), self.terms.not(there))
            }
            Cond::And(a, b) => {
                let (a, b) = (self.cond(a)?, self.cond(b)?);
                (self.terms.and(a.0, b.0), self.terms.and(a.1, b.1))
            }
            Cond::Or(a, b) => {
                let (a, b) = (self.cond(a)?, self.cond(b)?);
                (self.terms.or(a.0, b.0), self.terms.or(a.1, b.1))
            }
        })
    }

    /// An operand of a comparison: that it is continuous is enough, and all operands that definitions compare are.
    fn compared(&mut self, expr: &Expr) -> Result<Value, NoAxioms> {
        let demands = self.demands.len();
        let value = self.expr(expr);
        self.demands.truncate(demands);
        value
    }

    /// a < b at x and at x + h; no tie, and the same order nearby.
    pub fn less(&mut self, a: Value, b: Value) -> (Term, Term) {
        let t = &mut *self.terms;
        let (below, above) = (t.less(a.at, b.at), t.less(b.at, a.at));
        let (below_near, above_near) = (t.less(a.moved, b.moved), t.less(b.moved, a.moved));
        let moves = a.at != a.moved || b.at != b.moved;
        if self.part == Part::Primal && moves {
            let (keeps_below, keeps_above) = (t.implies(below, below_near), t.implies(above, above_near));
            let strict = t.differ(a.at, b.at);
            self.near.extend([keeps_below, keeps_above]);
            self.demand("no tie", strict);
        }
        (below, below_near)
    }

    pub(super) fn integer(&mut self, integer: &IntExpr) -> Term {
        let offset = self.terms.number(integer.offset);
        let Some(operand) = integer.operand else { return offset };
        let n = self.ints[operand];
        let signed = if integer.sign < 0 { self.terms.neg(n) } else { n };
        self.terms.add(signed, offset)
    }

    fn result(&mut self) -> Value {
        match self.result.clone() {
            Some((value, exists)) => {
                for condition in exists {
                    self.exists_where(condition);
                }
                value
            }
            // Only a partial reads the result, and a row whose primal mentions its own result is malformed.
            None => self.inputs[0],
        }
    }

    /// Constants that are no fractions are known to 60 digits.
    fn constant(&mut self, constant: Const) -> Term {
        if let Const::Ratio(p, q) = constant {
            return self.terms.number(Rational::from((p, q)));
        }
        if let Some(&known) = self.constants.get(&constant) {
            return known;
        }
        let term = self.terms.variable(&constant.to_string());
        let mut below = constant.to_float(200);
        let mut above = below.clone();
        below.next_down();
        above.next_up();
        for (bound, is_below) in [(below, true), (above, false)] {
            let bound = bound.to_rational().unwrap_or_default();
            let bound = self.terms.number(bound);
            let fact = if is_below { self.terms.less(bound, term) } else { self.terms.less(term, bound) };
            self.facts.push(fact);
        }
        self.constants.insert(constant, term);
        term
    }

    // Arithmetic of slopes.

    pub fn neg(&mut self, a: Value) -> Value {
        let t = &mut *self.terms;
        Value { at: t.neg(a.at), moved: t.neg(a.moved), slope: t.neg(a.slope) }
    }

    pub fn add(&mut self, a: Value, b: Value) -> Value {
        let t = &mut *self.terms;
        Value { at: t.add(a.at, b.at), moved: t.add(a.moved, b.moved), slope: t.add(a.slope, b.slope) }
    }

    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        let t = &mut *self.terms;
        Value { at: t.sub(a.at, b.at), moved: t.sub(a.moved, b.moved), slope: t.sub(a.slope, b.slope) }
    }

    /// a'b' − ab = (a' − a)·b' + a·(b' − b).
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        let t = &mut *self.terms;
        let (left, right) = (t.mul(a.slope, b.moved), t.mul(a.at, b.slope));
        Value { at: t.mul(a.at, b.at), moved: t.mul(a.moved, b.moved), slope: t.add(left, right) }
    }

    /// a'/b' − a/b = ((a' − a)·b − a·(b' − b)) / (b·b').
    pub fn div(&mut self, a: Value, b: Value) -> Value {
        let t = &mut *self.terms;
        let (left, right) = (t.mul(a.slope, b.at), t.mul(a.at, b.slope));
        let (above, below) = (t.sub(left, right), t.mul(b.at, b.moved));
        let value = Value { at: t.div(a.at, b.at), moved: t.div(a.moved, b.moved), slope: t.div(above, below) };
        let (here, there) = (t.nonzero(b.at), t.nonzero(b.moved));
        let near = t.implies(here, there);
        self.exists_where(here);
        if self.part == Part::Primal {
            self.near.push(near);
        }
        value
    }
}

/// e where the two sides say that e is an integer.
fn integrality<'e>(a: &'e Expr, b: &'e Expr) -> Option<&'e Expr> {
    match a {
        Expr::Call { op: Op::Trunc, args, .. } if args[0] == *b => Some(b),
        _ => None,
    }
}
