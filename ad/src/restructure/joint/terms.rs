//! The addresses of a loop as integers made of values that it does not change and of counters.
//!
//! An address is a *term*: sums, products, choices and changes of width ([`Terms`]). Between which numbers it can be is
//! told by [`crate::restructure::joint::bounds`]; where it is affine in the loop's own counter, it moves by a *stride*
//! from one iteration to the next ([`Term::stride`]).
//!
//! Terms are integers without a width, read with their sign. What the program computes in so many bits is the same
//! number as long as that fits, which is either promised (`nsw`) or asked for ([`Term::Within`]).

use crate::analysis::context::Context;
use crate::analysis::loops::counters::{Induction, Step, Trips};
use crate::analysis::loops::trip_count;
use crate::base::affine::integers::{self, Made, Promise, Reading};
use crate::base::regions::Shape;
use ir::gep::signed;
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BinOp, InstKind, IntPred, Operand, Type, ValueId};
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
    pub of: LoopId,
    pub start: Rc<Term>,
    pub bound: Rc<Term>,
    pub stay: IntPred,
    /// Its next value is compared, so that none is seen that does not stay in the loop.
    pub after: bool,
    /// What an iteration adds.
    pub step: i64,
}

/// How many values and products an address may have.
pub(super) const WEIGHT: u32 = 32;

/// What a value or a product may be at most: so many bits.
pub(super) const BITS: u32 = 56;

/// What the addresses of a loop are made of.
pub(super) struct Terms<'a> {
    cx: &'a Context<'a>,
    shape: &'a Shape,
    counters: &'a HashMap<ValueId, Induction>,
    of: LoopId,
    known: HashMap<ValueId, Option<Weighed>>,
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

    fn weighed(&mut self, operand: Operand) -> Option<Weighed> {
        let bits = self.bits(operand)?;
        if let Some(constant) = integers::number(self.cx.m, operand) {
            return (constant.unsigned_abs() < 1 << BITS).then(|| number(constant));
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
    fn made(&mut self, v: ValueId, bits: u32) -> Option<Weighed> {
        let cx = self.cx;
        if let Some((made, promise)) = integers::made(cx.m, cx.func, Operand::Local(v)) {
            return self.arithmetic(made, promise, bits);
        }
        let inst = cx.func.def_inst(v)?;
        match &cx.func.insts[inst].kind {
            InstKind::Binary { op: BinOp::AShr, lhs, rhs, .. } => {
                self.low_part(*lhs, u32::try_from(cx.m.as_int(*rhs)?).ok()?, bits)
            }
            InstKind::Binary { op: BinOp::And, lhs, rhs, .. } => {
                let mask =
                    cx.m.as_int(*rhs).filter(|mask| mask.wrapping_add(1).is_power_of_two() && *mask < 1 << 62)?;
                Some(within(self.weighed(*lhs)?, (0, mask as i64)))
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
            _ => None,
        }
    }

    /// The term of a result of so many bits. What nothing promises is the number that its parts give if that fits.
    fn arithmetic(&mut self, made: Made, promise: Promise, bits: u32) -> Option<Weighed> {
        let exact = match made {
            Made::Sum(lhs, rhs) => joined(Term::Sum, self.weighed(lhs)?, self.weighed(rhs)?),
            Made::Difference(lhs, rhs) => joined(Term::Difference, self.weighed(lhs)?, self.weighed(rhs)?),
            Made::Product(lhs, rhs) => product(self.weighed(lhs)?, self.weighed(rhs)?),
            Made::Shifted(value, by @ ..62) => product(self.weighed(value)?, number(1 << by)),
            Made::Shifted(..) => return None,
            Made::Widened { of, reading, .. } if self.bits(of)? == 1 => {
                return (reading == Reading::Unsigned).then(|| either(number(0), number(1)))?;
            }
            Made::Widened { of, reading: Reading::Signed, .. } | Made::Widened { of, either: true, .. } => {
                return self.weighed(of);
            }
            Made::Widened { of, .. } => return Some(within(self.weighed(of)?, (0, i64::MAX))),
            Made::Narrowed(of) if promise.signed => return self.weighed(of),
            Made::Narrowed(of) => return (bits > 1).then(|| Some(within(self.weighed(of)?, range(bits))))?,
            Made::Element(base, offset) => {
                let mut sum = self.weighed(base)?;
                if offset.bytes > 0 {
                    sum = joined(Term::Sum, sum, number(offset.bytes as i64));
                }
                for (index, size) in offset.scaled {
                    sum = joined(Term::Sum, sum, product(self.weighed(index)?, number(size as i64)));
                }
                sum
            }
        };
        Some(if promise.signed || bits == 64 { exact } else { within(exact, range(bits)) })
    }

    /// `ashr (add (shl x, k), c · 2ᵏ), k`: the low bits of `x + c`, with their sign.
    fn low_part(&mut self, shifted: Operand, k: u32, bits: u32) -> Option<Weighed> {
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
    fn counter(&mut self, counter: Induction) -> Option<Weighed> {
        if self.shape.common(Some(counter.of), Some(self.of)) != Some(self.of) {
            return None;
        }
        let Trips { start, bound, stay, after, down, step, .. } =
            trip_count::of(self.cx, self.shape, self.counters, counter.of)?;
        let Step::By(size) = step else { return None };
        if trip_count::direction(self.cx, &counter)? != (down, step) {
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

fn number(n: i64) -> Weighed {
    (Rc::new(Term::Number(n)), 1)
}

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
    /// How much the term grows from one iteration of the loop to the next, if that is always the same: itself a term
    /// without counters.
    pub fn stride(&self, of: LoopId) -> Option<Rc<Term>> {
        let is_zero = |t: &Rc<Term>| matches!(**t, Term::Number(0));
        let number = |n| Some(Rc::new(Term::Number(n)));
        match self {
            Term::Number(_) | Term::Fixed(_) => number(0),
            Term::Counter(counter) if counter.of == of => number(counter.step),
            Term::Counter(counter) => {
                let still =
                    [&counter.start, &counter.bound].into_iter().all(|t| t.stride(of).as_ref().is_some_and(is_zero));
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
            Term::Either(a, b) => {
                [a, b].into_iter().all(|t| t.stride(of).as_ref().is_some_and(is_zero)).then(|| number(0))?
            }
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
