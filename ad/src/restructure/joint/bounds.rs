//! Between which numbers a term can be, computed at run time where a loop is entered.
//!
//! Interval arithmetic over terms (Moore, "Interval Analysis", 1966, ch. 2-3): the least and the most that each can be,
//! for the whole loop or for its first iteration, as instructions before the loop. What is taken for granted on the way
//! is one condition more ([`Ends::holds`]): that a number fits its width, that a counter meets its bound. No end leaves
//! 64 bits: a value is below 2⁵⁶, or nothing is known; so is a product; and a term has at most
//! [`crate::restructure::joint::terms::WEIGHT`] of these.

use crate::base::builder::Builder;
use crate::restructure::joint::terms::{BITS, Counter, Term};
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BinOp, CastOp, FastMath, InstKind, IntFlags, IntPred, Operand};
use std::rc::Rc;

/// A number that is known, or known at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Num {
    Known(i64),
    At(Operand),
}

/// Emits the ends of terms.
pub(super) struct Ends<'b, 'm> {
    pub b: &'b mut Builder<'m>,
    of: LoopId,
    known: HashMap<(*const Term, bool), (Num, Num)>,
    conditions: Vec<Operand>,
    impossible: bool,
}

impl<'b, 'm> Ends<'b, 'm> {
    pub fn new(b: &'b mut Builder<'m>, of: LoopId) -> Ends<'b, 'm> {
        Ends { b, of, known: HashMap::default(), conditions: Vec::new(), impossible: false }
    }

    /// The least and the most that a term can be, in the first iteration of the loop or in any.
    pub fn of(&mut self, term: &Rc<Term>, first: bool) -> (Num, Num) {
        let key = (Rc::as_ptr(term), first);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let ends = self.made(term, first);
        self.known.insert(key, ends);
        ends
    }

    fn made(&mut self, term: &Rc<Term>, first: bool) -> (Num, Num) {
        match &**term {
            Term::Number(n) => (Num::Known(*n), Num::Known(*n)),
            Term::Fixed(operand) => {
                let value = self.fixed(*operand);
                (value, value)
            }
            Term::Counter(counter) => self.counter(counter, first),
            Term::Sum(a, b) => {
                let ((a, c), (b, d)) = (self.of(a, first), self.of(b, first));
                let low = self.sum(a, b);
                (low, if (a, b) == (c, d) { low } else { self.sum(c, d) })
            }
            Term::Difference(a, b) => {
                let ((a, c), (b, d)) = (self.of(a, first), self.of(b, first));
                let low = self.difference(a, d);
                (low, if (a, b) == (c, d) { low } else { self.difference(c, b) })
            }
            Term::Product(a, b) => {
                let (a, b) = (self.of(a, first), self.of(b, first));
                self.product(a, b)
            }
            Term::Either(a, b) => {
                let ((a, c), (b, d)) = (self.of(a, first), self.of(b, first));
                (self.least(a, b), self.most(c, d))
            }
            Term::Within(a, range) => {
                let ends = self.of(a, first);
                self.keep_within(ends, *range);
                ends
            }
        }
    }

    /// With its sign, in 64 bits. A value that the program does not use may be poison.
    fn fixed(&mut self, operand: Operand) -> Num {
        let i64t = self.b.m.types.int(64);
        let ty = self.b.ty(operand);
        let operand = match operand {
            Operand::Local(_) => self.b.value(InstKind::Freeze(operand), ty),
            Operand::Const(_) => operand,
        };
        if self.b.m.types.is_ptr(ty) {
            return Num::At(self.b.cast(CastOp::PtrToInt, operand, i64t));
        }
        let value = Num::At(self.b.cast(CastOp::SExt, operand, i64t));
        if ty == i64t {
            self.keep_within((value, value), (-(1 << BITS), 1 << BITS));
        }
        value
    }

    fn counter(&mut self, counter: &Counter, first: bool) -> (Num, Num) {
        // The bounds of inner loops may depend on the iteration, but where an address has a stride they do not.
        let own = counter.of == self.of;
        let start = self.of(&counter.start, first);
        if own && first {
            return start;
        }
        let bound = self.of(&counter.bound, first);
        let unsigned = matches!(counter.stay, IntPred::Ult | IntPred::Ule | IntPred::Ugt | IntPred::Uge);
        if unsigned {
            self.keep_within((start.0, bound.0), (0, i64::MAX));
            self.keep_within((bound.0, start.0), (0, i64::MAX));
        }
        let short = match counter.stay {
            IntPred::Ne => counter.step,
            IntPred::Sle | IntPred::Ule | IntPred::Sge | IntPred::Uge => 0,
            _ => counter.step.signum(),
        };
        let (last, missed) =
            if counter.step > 0 { (bound.1, (start.1, bound.0)) } else { (bound.0, (bound.1, start.0)) };
        if counter.stay == IntPred::Ne {
            let meets = self.is(IntPred::Sle, missed.0, missed.1);
            self.ask(meets);
        }
        let beyond = if counter.after { 0 } else { counter.step };
        let last = self.sum(last, Num::Known(beyond - short));
        match counter.step > 0 {
            true => (start.0, self.most(start.1, last)),
            false => (self.least(start.0, last), start.1),
        }
    }

    /// Everything that was taken for granted holds.
    pub fn holds(self) -> Truth {
        if self.impossible {
            return Truth::Never;
        }
        let mut all = self.conditions.into_iter();
        let Some(first) = all.next() else { return Truth::Always };
        Truth::If(all.fold(first, |a, b| self.b.binary(BinOp::And, a, b)))
    }

    /// From now on it is taken for granted.
    pub fn ask(&mut self, truth: Truth) {
        match truth {
            Truth::Always => {}
            Truth::Never => self.impossible = true,
            Truth::If(condition) => {
                if !self.conditions.contains(&condition) {
                    self.conditions.push(condition);
                }
            }
        }
    }

    fn keep_within(&mut self, (low, high): (Num, Num), (least, most): (i64, i64)) {
        if least > i64::MIN {
            let fits = self.is(IntPred::Sle, Num::Known(least), low);
            self.ask(fits);
        }
        if most < i64::MAX {
            let fits = self.is(IntPred::Sle, high, Num::Known(most));
            self.ask(fits);
        }
    }

    fn product(&mut self, a: (Num, Num), b: (Num, Num)) -> (Num, Num) {
        for (one, other) in [(a, b), (b, a)] {
            if let (Num::Known(factor), Num::Known(same)) = one
                && factor == same
            {
                // Between multiples of a number that is known.
                let limit = (1 << BITS) / factor.unsigned_abs().max(1) as i64;
                self.keep_within(other, (-limit, limit));
                let low = self.times(other.0, one.0);
                let high = if other.0 == other.1 { low } else { self.times(other.1, one.0) };
                return if factor >= 0 { (low, high) } else { (high, low) };
            }
        }
        let limit = 1 << (BITS / 2);
        self.keep_within(a, (-limit, limit));
        self.keep_within(b, (-limit, limit));
        if a.0 == a.1 && b.0 == b.1 {
            let point = self.times(a.0, b.0);
            return (point, point);
        }
        let mut corners = Vec::new();
        for x in [a.0, a.1] {
            for y in [b.0, b.1] {
                corners.push(self.times(x, y));
            }
        }
        let first = corners[0];
        let low = corners.iter().fold(first, |low, corner| self.least(low, *corner));
        let high = corners.iter().fold(first, |high, corner| self.most(high, *corner));
        (low, high)
    }

    fn at(&mut self, n: Num) -> Operand {
        match n {
            Num::At(operand) => operand,
            Num::Known(n) => self.b.m.int(64, n as u64 as u128),
        }
    }

    fn arithmetic(&mut self, op: BinOp, a: Num, b: Num) -> Num {
        match (a, b, op) {
            (a, Num::Known(0), BinOp::Add | BinOp::Sub) | (Num::Known(0), a, BinOp::Add) => return a,
            (a, Num::Known(1), BinOp::Mul) | (Num::Known(1), a, BinOp::Mul) => return a,
            _ => {}
        }
        let (lhs, rhs) = (self.at(a), self.at(b));
        let i64t = self.b.m.types.int(64);
        let kind = InstKind::Binary { op, flags: IntFlags::default(), fast: FastMath::default(), lhs, rhs };
        Num::At(self.b.value(kind, i64t))
    }

    pub fn sum(&mut self, a: Num, b: Num) -> Num {
        match (a, b) {
            (Num::Known(a), Num::Known(b)) => Num::Known(a.saturating_add(b)),
            _ => self.arithmetic(BinOp::Add, a, b),
        }
    }

    pub fn difference(&mut self, a: Num, b: Num) -> Num {
        match (a, b) {
            (Num::Known(a), Num::Known(b)) => Num::Known(a.saturating_sub(b)),
            (Num::At(a), Num::At(b)) if a == b => Num::Known(0),
            _ => self.arithmetic(BinOp::Sub, a, b),
        }
    }

    fn times(&mut self, a: Num, b: Num) -> Num {
        match (a, b) {
            (Num::Known(a), Num::Known(b)) => Num::Known(a.saturating_mul(b)),
            _ => self.arithmetic(BinOp::Mul, a, b),
        }
    }

    pub fn least(&mut self, a: Num, b: Num) -> Num {
        self.chosen(IntPred::Sle, a, b)
    }

    pub fn most(&mut self, a: Num, b: Num) -> Num {
        self.chosen(IntPred::Sge, a, b)
    }

    fn chosen(&mut self, pred: IntPred, a: Num, b: Num) -> Num {
        match self.is(pred, a, b) {
            Truth::Always => a,
            Truth::Never => b,
            Truth::If(condition) => {
                let (a, b) = (self.at(a), self.at(b));
                Num::At(self.b.select(condition, a, b))
            }
        }
    }

    /// A comparison.
    pub fn is(&mut self, pred: IntPred, a: Num, b: Num) -> Truth {
        let told = match (a, b) {
            (Num::Known(a), Num::Known(b)) => Some((a, b)),
            (Num::At(a), Num::At(b)) if a == b => Some((0, 0)),
            _ => None,
        };
        match (told, pred) {
            (Some((a, b)), IntPred::Sle) => Truth::of(a <= b),
            (Some((a, b)), IntPred::Sge) => Truth::of(a >= b),
            (Some((a, b)), IntPred::Eq) => Truth::of(a == b),
            _ => {
                let (a, b) = (self.at(a), self.at(b));
                Truth::If(self.b.icmp(pred, a, b))
            }
        }
    }

    pub fn either(&mut self, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Always, _) | (_, Truth::Always) => Truth::Always,
            (Truth::Never, other) | (other, Truth::Never) => other,
            (Truth::If(a), Truth::If(b)) => Truth::If(self.b.binary(BinOp::Or, a, b)),
        }
    }

    pub fn both(&mut self, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Never, _) | (_, Truth::Never) => Truth::Never,
            (Truth::Always, other) | (other, Truth::Always) => other,
            (Truth::If(a), Truth::If(b)) => Truth::If(self.b.binary(BinOp::And, a, b)),
        }
    }
}

/// Whether something holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    Always,
    Never,
    /// If this is true at run time.
    If(Operand),
}

impl Truth {
    fn of(truth: bool) -> Truth {
        if truth { Truth::Always } else { Truth::Never }
    }
}
