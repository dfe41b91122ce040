//! Between which addresses an access of a loop goes, computed at run time where the loop is entered.
//!
//! An address is a *term*: an integer made of values that the loop does not change and of counters by sums, products, choices and changes of
//! width ([`Terms`]). Interval arithmetic over terms (Moore, "Interval Analysis", 1966, ch. 2-3) gives the least and the most that it can be, for the whole loop or for its
//! first iteration, as instructions before the loop ([`Ends`]); where the address is affine in the loop's own counter, it moves by a
//! *stride* from one iteration to the next.
//!
//! Terms are integers without a width, read with their sign. What the program computes in so many bits is the same number as long as that fits, which is either
//! promised (`nsw`) or asked for ([`Term::Within`]); if it does not fit, nothing is known, and [`Ends::holds`] is false. No end leaves 64 bits: a value is below
//! 2⁵⁶, or nothing is known; so is a product; and an address has at most [`WEIGHT`] of these.

use crate::build::Builder;
use crate::memory::signed;
use crate::needs::Context;
use crate::plan::{Induction, Step, Trips, trips};
use crate::shape::Shape;
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BinOp, CastOp, FastMath, InstKind, IntFlags, IntPred, Operand, Type, ValueId};
use std::rc::Rc;

/// An integer, or an address.
#[derive(Debug)]
pub(super) enum Term {
    Number(i64),
    /// A value that the loop does not change.
    Fixed(Operand),
    /// A counter of the loop, or of one in it.
    Counter(Counter),
    Sum(Rc<Term>, Rc<Term>),
    Difference(Rc<Term>, Rc<Term>),
    Product(Rc<Term>, Rc<Term>),
    /// One of the two.
    Either(Rc<Term>, Rc<Term>),
    /// The same number, if it is between these.
    Within(Rc<Term>, (i64, i64)),
}

/// A counter that is compared with the bound of its loop.
#[derive(Debug)]
pub(super) struct Counter {
    of: LoopId,
    start: Rc<Term>,
    bound: Rc<Term>,
    stay: IntPred,
    /// Its next value is compared, so that none is seen that does not stay in the loop.
    after: bool,
    /// What an iteration adds.
    step: i64,
}

/// How many values and products an address may have.
const WEIGHT: u32 = 32;

/// What a value or a product may be at most: so many bits.
const BITS: u32 = 56;

/// What the addresses of a loop are made of.
pub(super) struct Terms<'a> {
    cx: &'a Context<'a>,
    shape: &'a Shape,
    counters: &'a HashMap<ValueId, Induction>,
    of: LoopId,
    known: HashMap<ValueId, Option<(Rc<Term>, u32)>>,
}

impl<'a> Terms<'a> {
    pub fn new(
        cx: &'a Context<'a>,
        shape: &'a Shape,
        counters: &'a HashMap<ValueId, Induction>,
        of: LoopId,
    ) -> Terms<'a> {
        Terms { cx, shape, counters, of, known: HashMap::default() }
    }

    /// The term of an integer or a pointer.
    pub fn of(&mut self, operand: Operand) -> Option<Rc<Term>> {
        self.weighed(operand).filter(|(_, weight)| *weight <= WEIGHT).map(|(term, _)| term)
    }

    /// Is the value made before the loop?
    pub fn is_fixed(&self, operand: Operand) -> bool {
        let inst = operand.local().and_then(|v| self.cx.func.def_inst(v));
        inst.and_then(|i| self.shape.block(i)).is_none_or(|b| !self.shape.loops.contains(self.of, b))
    }

    /// The pointer that an address begins with.
    pub fn root(&self, ptr: Operand) -> Operand {
        let inst = ptr.local().and_then(|v| self.cx.func.def_inst(v)).map(|i| &self.cx.func.insts[i].kind);
        match inst {
            Some(InstKind::Gep { base, .. }) => self.root(*base),
            _ => ptr,
        }
    }

    fn bits(&self, operand: Operand) -> Option<u32> {
        match self.cx.m.types.get(self.cx.ty(operand)) {
            Type::Int(bits) if *bits <= 64 => Some(*bits),
            _ if self.cx.m.types.is_ptr(self.cx.ty(operand)) => Some(64),
            _ => None,
        }
    }

    fn weighed(&mut self, operand: Operand) -> Option<(Rc<Term>, u32)> {
        let bits = self.bits(operand)?;
        if let Some(number) = self.cx.m.as_int(operand) {
            let number = signed(self.cx.m, operand, number);
            return (number.unsigned_abs() < 1 << BITS).then(|| (Rc::new(Term::Number(number)), 1));
        }
        if self.is_fixed(operand) {
            return Some((Rc::new(Term::Fixed(operand)), 1));
        }
        let v = operand.local()?;
        if let Some(known) = self.known.get(&v) {
            return known.clone();
        }
        // A value that depends on itself, other than a counter, has none.
        self.known.insert(v, None);
        let found = match self.counters.get(&v).copied() {
            Some(counter) => self.counter(counter),
            None => self.made(v, bits),
        };
        let found = found.filter(|(_, weight)| *weight <= WEIGHT);
        self.known.insert(v, found.clone());
        found
    }

    /// The term of what an instruction of the loop makes.
    fn made(&mut self, v: ValueId, bits: u32) -> Option<(Rc<Term>, u32)> {
        let cx = self.cx;
        let inst = cx.func.def_inst(v)?;
        match &cx.func.insts[inst].kind {
            InstKind::Binary { op, flags, lhs, rhs, .. } => self.binary((*op, *flags), (*lhs, *rhs), bits),
            InstKind::Cast { op, flags, value, .. } => {
                let from = self.bits(*value)?;
                match op {
                    CastOp::SExt if from > 1 => self.weighed(*value),
                    CastOp::ZExt if from == 1 => either((Rc::new(Term::Number(0)), 1), (Rc::new(Term::Number(1)), 1)),
                    CastOp::ZExt if flags.nneg => self.weighed(*value),
                    CastOp::ZExt => Some(within(self.weighed(*value)?, (0, i64::MAX))),
                    CastOp::Trunc if flags.nsw => self.weighed(*value),
                    CastOp::Trunc if bits > 1 => Some(within(self.weighed(*value)?, range(bits))),
                    _ => None,
                }
            }
            InstKind::Freeze(value) => self.weighed(*value),
            InstKind::Select { if_true, if_false, .. } => either(self.weighed(*if_true)?, self.weighed(*if_false)?),
            InstKind::Phi { incoming, .. } if self.shape.header_of(self.shape.block(inst)?).is_none() => {
                let mut arms = incoming.iter().map(|(o, _)| self.weighed(*o)).collect::<Option<Vec<_>>>()?.into_iter();
                let first = arms.next()?;
                arms.try_fold(first, either)
            }
            InstKind::Call(call) => {
                let callee = cx.m.as_function(call.callee)?;
                let name = &cx.m.functions[callee].name;
                let chooses = name.starts_with("llvm.smax.i") || name.starts_with("llvm.smin.i");
                chooses.then(|| either(self.weighed(call.args[0])?, self.weighed(call.args[1])?))?
            }
            InstKind::Gep { elem_ty, base, indices, .. } => {
                let mut sum = self.weighed(*base)?;
                let mut ty = *elem_ty;
                for (n, index) in indices.iter().enumerate() {
                    let (by, size) = match (n, cx.m.types.get(ty)) {
                        (0, _) => (*index, cx.m.size_of(ty)),
                        (_, Type::Array { elem, .. }) => {
                            ty = *elem;
                            (*index, cx.m.size_of(ty))
                        }
                        _ => {
                            let field = u64::try_from(cx.m.as_int(*index)?).ok()?;
                            let offset = cx.m.layout.element_offset(&cx.m.types, ty, field)?;
                            ty = cx.m.types.element(ty, field)?;
                            sum = joined(Term::Sum, sum, (Rc::new(Term::Number(offset as i64)), 1));
                            continue;
                        }
                    };
                    let more = product(self.weighed(by)?, (Rc::new(Term::Number(size as i64)), 1));
                    sum = joined(Term::Sum, sum, more);
                }
                Some(sum)
            }
            _ => None,
        }
    }

    fn binary(
        &mut self,
        (op, flags): (BinOp, IntFlags),
        (lhs, rhs): (Operand, Operand),
        bits: u32,
    ) -> Option<(Rc<Term>, u32)> {
        let number = |o| self.cx.m.as_int(o);
        let (op, by) = match (op, number(rhs)) {
            (BinOp::AShr, Some(by)) => return self.low_part(lhs, u32::try_from(by).ok()?, bits),
            (BinOp::And, Some(mask)) if mask.wrapping_add(1).is_power_of_two() && mask < 1 << 62 => {
                return Some(within(self.weighed(lhs)?, (0, mask as i64)));
            }
            (BinOp::Shl, Some(by)) if by < 62 => (BinOp::Mul, Some(1i64 << by)),
            (BinOp::Or, _) if flags.disjoint => (BinOp::Add, None),
            (op, _) => (op, None),
        };
        let rhs = match by {
            Some(by) => (Rc::new(Term::Number(by)), 1),
            None => self.weighed(rhs)?,
        };
        let lhs = self.weighed(lhs)?;
        let exact = match op {
            BinOp::Add => joined(Term::Sum, lhs, rhs),
            BinOp::Sub => joined(Term::Difference, lhs, rhs),
            BinOp::Mul => product(lhs, rhs),
            _ => return None,
        };
        Some(if flags.nsw || bits == 64 { exact } else { within(exact, range(bits)) })
    }

    /// `ashr (add (shl x, k), c · 2ᵏ), k`: the low bits of `x + c`, with their sign.
    fn low_part(&mut self, shifted: Operand, k: u32, bits: u32) -> Option<(Rc<Term>, u32)> {
        let kind = |o: Operand| Some(&self.cx.func.insts[self.cx.func.def_inst(o.local()?)?].kind);
        let (shl, more) = match kind(shifted)? {
            InstKind::Binary { op: BinOp::Add, lhs, rhs, .. } => {
                (*lhs, signed(self.cx.m, *rhs, self.cx.m.as_int(*rhs)?))
            }
            _ => (shifted, 0),
        };
        let InstKind::Binary { op: BinOp::Shl, lhs, rhs, .. } = kind(shl)? else { return None };
        let fits = self.cx.m.as_int(*rhs)? == u128::from(k) && k > 0 && k < bits && more.trailing_zeros() >= k;
        if !fits || self.is_fixed(shl) {
            return None;
        }
        let x = self.weighed(*lhs)?;
        Some(within(joined(Term::Sum, x, (Rc::new(Term::Number(more >> k)), 1)), range(bits - k)))
    }

    /// A counter of the loop or of one in it.
    fn counter(&mut self, counter: Induction) -> Option<(Rc<Term>, u32)> {
        if self.shape.common(Some(counter.of), Some(self.of)) != Some(self.of) {
            return None;
        }
        let Trips { start, bound, stay, after, down, step, .. } =
            trips::of(self.cx, self.shape, self.counters, counter.of)?;
        let Step::By(size) = step else { return None };
        if trips::direction(self.cx, &counter)? != (down, step) {
            return None;
        }
        let step = i64::try_from(size).ok().filter(|step| *step < 1 << 20)?;
        let (from, weight) = self.weighed(start)?;
        let (to, more) = self.weighed(bound)?;
        let step = if down { -step } else { step };
        let compared = Term::Counter(Counter { of: counter.of, start: from.clone(), bound: to, stay, after, step });
        let compared = (Rc::new(compared), weight + more + 1);
        if counter.start == start {
            return Some(compared);
        }
        // Another counter of the loop goes beside it.
        if self.bits(counter.start)? != 64 || self.bits(start)? != 64 {
            return None;
        }
        let ahead = joined(Term::Difference, self.weighed(counter.start)?, (from, weight));
        Some(joined(Term::Sum, compared, ahead))
    }
}

type Weighed = (Rc<Term>, u32);

fn joined(how: impl Fn(Rc<Term>, Rc<Term>) -> Term, (a, more): Weighed, (b, less): Weighed) -> Weighed {
    (Rc::new(how(a, b)), more + less)
}

fn product((a, _): Weighed, (b, _): Weighed) -> Weighed {
    (Rc::new(Term::Product(a, b)), 1)
}

fn either((a, more): Weighed, (b, less): Weighed) -> Option<Weighed> {
    Some((Rc::new(Term::Either(a, b)), more.max(less)))
}

fn within((a, weight): Weighed, range: (i64, i64)) -> Weighed {
    (Rc::new(Term::Within(a, range)), weight)
}

/// What so many bits hold.
fn range(bits: u32) -> (i64, i64) {
    let most = if bits >= 64 { i64::MAX } else { (1 << (bits - 1)) - 1 };
    (-most - 1, most)
}

impl Term {
    /// How much the term grows from one iteration of the loop to the next, if that is always the same: itself a term without counters.
    pub fn stride(&self, of: LoopId) -> Option<Rc<Term>> {
        let is_zero = |t: &Rc<Term>| matches!(**t, Term::Number(0));
        let number = |n| Some(Rc::new(Term::Number(n)));
        match self {
            Term::Number(_) | Term::Fixed(_) => number(0),
            Term::Counter(counter) if counter.of == of => number(counter.step),
            Term::Counter(counter) => {
                let still = [&counter.start, &counter.bound].into_iter().all(|t| t.stride(of).as_ref().is_some_and(is_zero));
                still.then(|| number(0))?
            }
            Term::Sum(a, b) | Term::Difference(a, b) => match (a.stride(of)?, b.stride(of)?, self) {
                (a, b, _) if is_zero(&b) => Some(a),
                (a, b, Term::Sum(..)) if is_zero(&a) => Some(b),
                (a, b, Term::Sum(..)) => Some(Rc::new(Term::Sum(a, b))),
                (a, b, _) => Some(Rc::new(Term::Difference(a, b))),
            },
            Term::Product(a, b) => match (a.stride(of)?, b.stride(of)?) {
                (p, q) if is_zero(&p) && is_zero(&q) => Some(p),
                (p, q) if is_zero(&q) && b.is_fixed() => Some(Rc::new(Term::Product(p, b.clone()))),
                (p, q) if is_zero(&p) && a.is_fixed() => Some(Rc::new(Term::Product(q, a.clone()))),
                _ => None,
            },
            Term::Either(a, b) => [a, b].into_iter().all(|t| t.stride(of).as_ref().is_some_and(is_zero)).then(|| number(0))?,
            Term::Within(a, _) => a.stride(of),
        }
    }

    /// Is it the same wherever it is computed?
    fn is_fixed(&self) -> bool {
        match self {
            Term::Number(_) | Term::Fixed(_) => true,
            Term::Counter(_) | Term::Either(..) => false,
            Term::Sum(a, b) | Term::Difference(a, b) | Term::Product(a, b) => a.is_fixed() && b.is_fixed(),
            Term::Within(a, _) => a.is_fixed(),
        }
    }
}

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
        let (last, missed) = if counter.step > 0 { (bound.1, (start.1, bound.0)) } else { (bound.0, (bound.1, start.0)) };
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
