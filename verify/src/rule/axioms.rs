//! The functions that are not built of others: what is taken as known of each.
//!
//! - Roots: r ≥ 0 and r² = u; r³ = u. Continuous.
//! - exp: exp(u + d) = exp(u)·(1 + d·E(d)) with E(d) → 1, exp(u) > 0, exp(−u)·exp(u) = 1. log is its inverse,
//!   continuous.
//! - sin, cos: the addition theorems, with sin d = d·S(d), cos d = 1 + d·C(d), S → 1, C → 0; sin² + cos² = 1.
//!   Continuous. sin πv is 0 at the integers and cos πv at the halves between, and nowhere else. Their inverses by
//!   range: cos(asin u) ≥ 0, sin(acos u) ≥ 0, cos(atan u) > 0.
//! - Rounding, remainders, and the parts of a number by the inequalities that define them, with an integer.
//!
//! These are the axioms of the proofs: functional equations and one limit each (Hardy, "A Course of Pure Mathematics",
//! ch. IX); no derivative among them. Everything else is defined by these, in the row or in [`super::spec`].

use super::lift::{Lift, NoAxioms, Part, Value};
use super::spec;
use crate::term::{Node, Term};
use rug::Rational;
use rules::{Const, Op};

impl Lift<'_> {
    /// The value of another operation.
    pub fn call(&mut self, op: Op, ints: &[Term], args: &[Value]) -> Result<Value, NoAxioms> {
        if op == Op::Fabs {
            return Ok(self.magnitude(args[0]));
        }
        if let Some(definition) = spec::definition(op, 0) {
            let (inputs, integers) = (std::mem::replace(&mut self.inputs, args.to_vec()), self.ints.clone());
            self.ints = ints.to_vec();
            let value = self.expr(&definition);
            (self.inputs, self.ints) = (inputs, integers);
            return value;
        }
        match op {
            Op::Sqrt => self.root(op, args[0]),
            Op::Cbrt => self.cube_root(args[0]),
            Op::Exp => self.exponential(args[0]),
            Op::Log => self.logarithm(args[0]),
            Op::Sin | Op::Cos => {
                let (sine, cosine) = self.sine_and_cosine(args[0]);
                Ok(if op == Op::Sin { sine } else { cosine })
            }
            Op::Asin | Op::Acos => self.inverse_sine(op, args[0]),
            Op::Atan => {
                let one = self.number(1);
                self.angle(args[0], one, op)
            }
            Op::Atan2 => self.angle(args[0], args[1], op),
            Op::Floor | Op::Ceil | Op::Trunc | Op::Round | Op::RoundEven => Ok(self.rounded(op, args[0])),
            Op::FRem | Op::Remainder => Ok(self.remainder(op, args[0], args[1])),
            Op::Frexp | Op::Significand | Op::Logb => Ok(self.part_of_number(op, args[0])),
            Op::Ldexp => Ok(self.scaled(ints[0], args[0])),
            Op::Powi => self.integer_power(args[0], ints[0]),
            _ => Err(NoAxioms(op)),
        }
    }

    /// The atom of that name and argument, made when it is first met. Its domain is stated wherever it is met.
    pub(super) fn atom(
        &mut self,
        op: Op,
        args: &[Value],
        domain: Term,
        make: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        self.exists_where(domain);
        let key = (op, args.iter().flat_map(|arg| [arg.at, arg.moved]).collect::<Vec<Term>>());
        if let Some(&known) = self.atoms.get(&key) {
            return known;
        }
        let value = make(self);
        self.atoms.insert(key, value);
        value
    }

    pub(super) fn fact(&mut self, domain: Term, fact: Term) {
        let fact = self.terms.implies(domain, fact);
        self.facts.push(fact);
    }

    fn nearby(&mut self, open: Term, fact: Term) {
        if self.part == Part::Primal {
            let fact = self.terms.implies(open, fact);
            self.near.push(fact);
        }
    }

    /// |u|, continuous at 0 too.
    fn magnitude(&mut self, u: Value) -> Value {
        let zero = self.number(0);
        let (here, there) = self.less(u, zero);
        let minus = self.neg(u);
        self.select(here, there, minus, u)
    }

    /// r' − r = (u' − u)/(r' + r).
    fn root(&mut self, op: Op, u: Value) -> Result<Value, NoAxioms> {
        let zero = self.terms.number(0);
        let domain = self.terms.at_most(zero, u.at);
        let inside = self.terms.positive(u.at);
        self.demand("a root away from 0", inside);
        Ok(self.atom(op, &[u], domain, |this| {
            let at = this.terms.variable("root");
            let moved = this.tends_to("root'", at);
            for (value, of, near) in [(at, u.at, false), (moved, u.moved, true)] {
                let t = &mut *this.terms;
                let (square, sign) = (t.mul(value, value), t.at_most(zero, value));
                let (same, there) = (t.equal(square, of), t.at_most(zero, of));
                let all = t.all([same, sign, there]);
                if near { this.nearby(inside, all) } else { this.fact(domain, all) }
            }
            let sum = this.terms.add(moved, at);
            Value { at, moved, slope: this.terms.div(u.slope, sum) }
        }))
    }

    /// r' − r = (u' − u)/(r'² + r'r + r²).
    fn cube_root(&mut self, u: Value) -> Result<Value, NoAxioms> {
        let always = self.terms.truth(true);
        let inside = self.terms.nonzero(u.at);
        self.demand("a root away from 0", inside);
        Ok(self.atom(Op::Cbrt, &[u], always, |this| {
            let at = this.terms.variable("root");
            let moved = this.tends_to("root'", at);
            let cube = |this: &mut Self, value: Term, of: Term| {
                let t = &mut *this.terms;
                let square = t.mul(value, value);
                let cube = t.mul(square, value);
                t.equal(cube, of)
            };
            let (here, there) = (cube(this, at, u.at), cube(this, moved, u.moved));
            this.fact(always, here);
            this.nearby(always, there);
            let t = &mut *this.terms;
            let squares = [t.mul(moved, moved), t.mul(moved, at), t.mul(at, at)];
            let sum = t.add(squares[0], squares[1]);
            let sum = t.add(sum, squares[2]);
            Value { at, moved, slope: t.div(u.slope, sum) }
        }))
    }

    /// exp(u') = exp(u)·(1 + (u' − u)·E).
    fn exponential(&mut self, u: Value) -> Result<Value, NoAxioms> {
        let always = self.terms.truth(true);
        Ok(self.atom(Op::Exp, &[u], always, |this| {
            let one = this.terms.number(1);
            let at = this.terms.variable("exponential");
            let moved = this.tends_to("exponential'", at);
            let quotient = this.tends_to("E", one);
            let t = &mut *this.terms;
            let (positive, positive_near) = (t.positive(at), t.positive(moved));
            let by = t.sub(u.moved, u.at);
            let growth = t.mul(by, quotient);
            let growth = t.add(one, growth);
            let grown = t.mul(at, growth);
            let law = t.equal(moved, grown);
            let scaled = t.mul(at, quotient);
            let slope = t.mul(u.slope, scaled);
            this.fact(always, positive);
            this.nearby(always, positive_near);
            this.nearby(always, law);
            Value { at, moved, slope }
        }))
    }

    /// u' = u·(1 + (log u' − log u)·E).
    fn logarithm(&mut self, u: Value) -> Result<Value, NoAxioms> {
        let domain = self.terms.positive(u.at);
        Ok(self.atom(Op::Log, &[u], domain, |this| {
            let one = this.terms.number(1);
            let at = this.terms.variable("logarithm");
            let moved = this.tends_to("logarithm'", at);
            let quotient = this.tends_to("E", one);
            let t = &mut *this.terms;
            let by = t.sub(moved, at);
            let growth = t.mul(by, quotient);
            let growth = t.add(one, growth);
            let grown = t.mul(u.at, growth);
            let law = t.equal(u.moved, grown);
            let (quotient_positive, there) = (t.positive(quotient), t.positive(u.moved));
            let below = t.mul(u.at, quotient);
            let slope = t.div(u.slope, below);
            // log is injective: what does not move has a logarithm that does not.
            let (unmoved, same) = (t.equal(u.moved, u.at), t.equal(moved, at));
            let injective = t.implies(unmoved, same);
            for fact in [law, quotient_positive, there, injective] {
                this.nearby(domain, fact);
            }
            // The sign, and with it log 1 = 0.
            let t = &mut *this.terms;
            let (above_one, positive) = (t.less(one, u.at), t.positive(at));
            let (is_one, zero) = (t.equal(one, u.at), t.number(0));
            let is_zero = t.equal(at, zero);
            let (sign, origin) = (t.same(above_one, positive), t.same(is_one, is_zero));
            this.fact(domain, sign);
            this.fact(domain, origin);
            Value { at, moved, slope }
        }))
    }

    /// What the addition theorems say of an angle that moves by d: sin(y + d) − sin y = d·(sin y·C + cos y·S), and so
    /// for cos.
    fn turn(&mut self, sine: Term, cosine: Term, c: Term, s: Term) -> (Term, Term) {
        let t = &mut *self.terms;
        let (a, b) = (t.mul(sine, c), t.mul(cosine, s));
        let by_sine = t.add(a, b);
        let (a, b) = (t.mul(cosine, c), t.mul(sine, s));
        (by_sine, t.sub(a, b))
    }

    fn unit_circle(&mut self, sine: Term, cosine: Term) -> Term {
        let t = &mut *self.terms;
        let (a, b, one) = (t.mul(sine, sine), t.mul(cosine, cosine), t.number(1));
        let sum = t.add(a, b);
        t.equal(sum, one)
    }

    fn small_angle(&mut self) -> (Term, Term) {
        let (zero, one) = (self.terms.number(0), self.terms.number(1));
        (self.tends_to("C", zero), self.tends_to("S", one))
    }

    fn sine_and_cosine(&mut self, u: Value) -> (Value, Value) {
        let always = self.terms.truth(true);
        let make = |this: &mut Self| {
            let (sine, cosine) = (this.terms.variable("sine"), this.terms.variable("cosine"));
            let circle = this.unit_circle(sine, cosine);
            this.fact(always, circle);
            let (c, s) = this.small_angle();
            let (by_sine, by_cosine) = this.turn(sine, cosine, c, s);
            let by = this.terms.sub(u.moved, u.at);
            let mut values = [sine, cosine];
            let mut slopes = [by_sine, by_cosine];
            let mut moved = [this.tends_to("sine'", sine), this.tends_to("cosine'", cosine)];
            for ((moved, at), rate) in moved.iter_mut().zip(&mut values).zip(&mut slopes) {
                let change = this.terms.mul(by, *rate);
                let sum = this.terms.add(*at, change);
                let law = this.terms.equal(*moved, sum);
                this.nearby(always, law);
                *rate = this.terms.mul(u.slope, *rate);
            }
            let value = |i: usize| Value { at: values[i], moved: moved[i], slope: slopes[i] };
            (value(0), value(1))
        };
        let key = |op| (op, vec![u.at, u.moved]);
        if let (Some(&sine), Some(&cosine)) = (self.atoms.get(&key(Op::Sin)), self.atoms.get(&key(Op::Cos))) {
            return (sine, cosine);
        }
        let (sine, cosine) = make(self);
        self.half_turns(u.at, sine.at, cosine.at);
        self.atoms.insert(key(Op::Sin), sine);
        self.atoms.insert(key(Op::Cos), cosine);
        (sine, cosine)
    }

    /// Where the sine and the cosine of π·v vanish.
    fn half_turns(&mut self, angle: Term, sine: Term, cosine: Term) {
        let Node::Mul(pi, v) = *self.terms.node(angle) else { return };
        if self.constants.get(&Const::Pi) != Some(&pi) {
            return;
        }
        let t = &mut *self.terms;
        let (zero, half) = (t.number(0), t.number(Rational::from((1, 2))));
        let shifted = t.add(v, half);
        for (zero_at, value) in [(v, sine), (shifted, cosine)] {
            let (whole, vanishes) = (t.is_integer(zero_at), t.equal(value, zero));
            let fact = t.same(whole, vanishes);
            self.facts.push(fact);
        }
    }

    /// The angle whose sine (cosine) is u, by the addition theorem at that angle.
    fn inverse_sine(&mut self, op: Op, u: Value) -> Result<Value, NoAxioms> {
        let t = &mut *self.terms;
        let (one, minus_one) = (t.number(1), t.number(-1));
        let (left, right) = (t.at_most(minus_one, u.at), t.at_most(u.at, one));
        let domain = t.and(left, right);
        let (left, right) = (t.less(minus_one, u.at), t.less(u.at, one));
        let inside = t.and(left, right);
        self.demand("not at the end of the domain", inside);
        Ok(self.atom(op, &[u], domain, |this| {
            let at = this.terms.variable("angle");
            let moved = this.tends_to("angle'", at);
            let other = this.terms.variable("cosine");
            let (c, s) = this.small_angle();
            let circle = this.unit_circle(u.at, other);
            let zero = this.terms.number(0);
            let range = this.terms.at_most(zero, other);
            this.fact(domain, circle);
            this.fact(domain, range);
            let rate = if op == Op::Asin { this.turn(u.at, other, c, s).0 } else { this.turn(other, u.at, c, s).1 };
            let by = this.terms.sub(moved, at);
            let change = this.terms.mul(by, rate);
            let sum = this.terms.add(u.at, change);
            let law = this.terms.equal(u.moved, sum);
            let away = this.terms.nonzero(rate);
            this.nearby(inside, law);
            this.nearby(inside, away);
            Value { at, moved, slope: this.terms.div(u.slope, rate) }
        }))
    }

    /// The angle of the point (v, u): u·cos y = v·sin y with the radius positive. For `Atan`, v is 1.
    fn angle(&mut self, u: Value, v: Value, op: Op) -> Result<Value, NoAxioms> {
        let t = &mut *self.terms;
        let (u_nonzero, v_nonzero) = (t.nonzero(u.at), t.nonzero(v.at));
        let away = t.or(u_nonzero, v_nonzero);
        let (zero, always) = (t.number(0), t.truth(true));
        let off_cut = t.less(zero, v.at);
        let off_cut = t.or(u_nonzero, off_cut);
        self.demand("away from the branch cut", off_cut);
        Ok(self.atom(op, &[u, v], always, |this| {
            let at = this.terms.variable("angle");
            let moved = this.tends_to("angle'", at);
            let (sine, cosine) = (this.terms.variable("sine"), this.terms.variable("cosine"));
            let radius = this.terms.variable("radius");
            let (sine_near, cosine_near) = (this.tends_to("sine'", sine), this.tends_to("cosine'", cosine));
            let radius_near = this.tends_to("radius'", radius);
            let circle = this.unit_circle(sine, cosine);
            this.fact(away, circle);
            let polar = [
                (sine, cosine, radius, u.at, v.at, false),
                (sine_near, cosine_near, radius_near, u.moved, v.moved, true),
            ];
            for (sine, cosine, radius, u, v, near) in polar {
                let t = &mut *this.terms;
                let (a, b) = (t.mul(radius, sine), t.mul(radius, cosine));
                let (a, b, positive) = (t.equal(a, u), t.equal(b, v), t.positive(radius));
                let all = t.all([a, b, positive]);
                if near { this.nearby(off_cut, all) } else { this.fact(away, all) }
            }
            let (c, s) = this.small_angle();
            let (by_sine, by_cosine) = this.turn(sine, cosine, c, s);
            let by = this.terms.sub(moved, at);
            for (near, here, rate) in [(sine_near, sine, by_sine), (cosine_near, cosine, by_cosine)] {
                let change = this.terms.mul(by, rate);
                let sum = this.terms.add(here, change);
                let law = this.terms.equal(near, sum);
                this.nearby(off_cut, law);
            }
            let t = &mut *this.terms;
            let (a, b) = (t.mul(u.slope, cosine), t.mul(v.slope, sine));
            let above = t.sub(a, b);
            let (a, b) = (t.mul(v.moved, by_sine), t.mul(u.moved, by_cosine));
            let below = t.sub(a, b);
            let away_near = t.nonzero(below);
            let slope = t.div(above, below);
            this.nearby(off_cut, away_near);
            Value { at, moved, slope }
        }))
    }

    /// Rounding to an integer: constant where the defining inequality is strict, hence nearby.
    fn rounded(&mut self, op: Op, u: Value) -> Value {
        let half = self.terms.number(Rational::from((1, 2)));
        let zero = self.terms.number(0);
        let t = &mut *self.terms;
        let to_nearest = matches!(op, Op::Round | Op::RoundEven);
        let (shifted, shifted_near) =
            if to_nearest { (t.add(u.at, half), t.add(u.moved, half)) } else { (u.at, u.moved) };
        let jump = t.is_integer(shifted);
        let mut steady = t.not(jump);
        if op == Op::Trunc {
            let at_zero = t.equal(u.at, zero);
            steady = t.or(steady, at_zero);
        }
        // Off a jump the operand stays between the two integers (around 0, towards which `Trunc` rounds, between -1 and
        // 1).
        let (one, minus_one, low) = (t.number(1), t.number(-1), t.floor(shifted));
        let high = t.add(low, one);
        let (above, below) = (t.less(low, shifted_near), t.less(shifted_near, high));
        let between = t.and(above, below);
        let (above, below) = (t.less(minus_one, u.moved), t.less(u.moved, one));
        let around_zero = t.and(above, below);
        let not_jump = t.not(jump);
        self.demand("no jump", steady);
        self.nearby(not_jump, between);
        if op == Op::Trunc {
            let at_zero = self.terms.equal(u.at, zero);
            self.nearby(at_zero, around_zero);
        }
        let value = |this: &mut Self, of: Term| this.rounding(op, of);
        Value { at: value(self, u.at), moved: value(self, u.moved), slope: zero }
    }

    /// The rounded number, by `Floor` alone.
    fn rounding(&mut self, op: Op, of: Term) -> Term {
        let t = &mut *self.terms;
        let (zero, one, two) = (t.number(0), t.number(1), t.number(2));
        let half = t.number(Rational::from((1, 2)));
        // By the floor of the operand, so that all integers in a proof are floors of the same few terms.
        let ceiling = |t: &mut crate::term::Terms, of: Term| {
            let (low, whole) = (t.floor(of), t.is_integer(of));
            let high = t.add(low, one);
            t.select(whole, low, high)
        };
        match op {
            Op::Floor => t.floor(of),
            Op::Ceil => ceiling(t, of),
            Op::Trunc => {
                let (negative, up, down) = (t.less(of, zero), ceiling(t, of), t.floor(of));
                t.select(negative, up, down)
            }
            Op::Round => {
                // ⌈u − 1/2⌉ is ⌈u + 1/2⌉ − 1.
                let plus = t.add(of, half);
                let (negative, down, up) = (t.less(of, zero), t.floor(plus), ceiling(t, plus));
                let up = t.sub(up, one);
                t.select(negative, up, down)
            }
            _ => {
                let plus = t.add(of, half);
                let (near, tie) = (t.floor(plus), t.is_integer(plus));
                let halved = t.div(near, two);
                let (even, below) = (t.is_integer(halved), t.sub(near, one));
                let odd = t.not(even);
                let odd_tie = t.and(tie, odd);
                t.select(odd_tie, below, near)
            }
        }
    }

    /// y = u − k·v with the integer k that makes |y| < |v| and the sign of y that of u (`FRem`), or |y| ≤ |v|/2
    /// (`Remainder`).
    fn remainder(&mut self, op: Op, u: Value, v: Value) -> Value {
        let domain = self.terms.nonzero(v.at);
        let at = self.terms.variable("rest");
        let quotient = self.terms.variable("quotient");
        let moved = self.tends_to("rest'", at);
        let quotient_near = self.tends_to("quotient'", quotient);
        self.exists_where(domain);
        let mut steady = domain;
        for (near, y, k, u, v) in [(false, at, quotient, u.at, v.at), (true, moved, quotient_near, u.moved, v.moved)] {
            let t = &mut *self.terms;
            let (integer, part) = (t.is_integer(k), t.mul(k, v));
            let rest = t.sub(u, part);
            let is_rest = t.equal(y, rest);
            let (within, strictly) = self.remainder_range(op, y, u, v);
            let defined = self.terms.all([integer, is_rest, within]);
            if !near {
                steady = strictly;
                self.fact(domain, defined);
                self.demand("no jump", strictly);
                continue;
            }
            // The old quotient still fits, and there is only one that does.
            let t = &mut *self.terms;
            let part = t.mul(quotient, v);
            let old = t.sub(u, part);
            let (_, still) = self.remainder_range(op, old, u, v);
            let nonzero = self.terms.nonzero(v);
            let all = self.terms.all([defined, still, nonzero]);
            self.nearby(steady, all);
        }
        let part = self.terms.mul(quotient, v.slope);
        let slope = self.terms.sub(u.slope, part);
        Value { at, moved, slope }
    }

    /// Where a remainder of u by v lies, and the inside of that.
    fn remainder_range(&mut self, op: Op, y: Term, u: Term, v: Term) -> (Term, Term) {
        let t = &mut *self.terms;
        let (zero, two) = (t.number(0), t.number(2));
        let magnitude = |t: &mut crate::term::Terms, of: Term| {
            let (negative, minus) = (t.less(of, zero), t.neg(of));
            t.select(negative, minus, of)
        };
        let (size, bound) = (magnitude(t, y), magnitude(t, v));
        if op == Op::Remainder {
            let double = t.mul(two, size);
            return (t.at_most(double, bound), t.less(double, bound));
        }
        let smaller = t.less(size, bound);
        let (y_positive, u_positive) = (t.positive(y), t.positive(u));
        let (y_negative, u_negative) = (t.less(y, zero), t.less(u, zero));
        let (both, neither) = (t.and(y_positive, u_positive), t.and(y_negative, u_negative));
        let (same_sign, is_zero) = (t.or(both, neither), t.equal(y, zero));
        let signed = t.or(same_sign, is_zero);
        (t.and(smaller, signed), t.and(smaller, same_sign))
    }

    /// c and its neighbour: one for each operand and interval.
    fn scale(&mut self, op: Op, u: Value) -> (Term, Term) {
        let interval = if op == Op::Frexp { op } else { Op::Significand };
        let always = self.terms.truth(true);
        let scale = self.atom(interval, &[u], always, |this| {
            let at = this.terms.variable("scale");
            let moved = this.tends_to("scale'", at);
            Value { at, moved, slope: at }
        });
        (scale.at, scale.moved)
    }

    /// y = x·c (`Frexp`, `Significand`) or the exponent e (`Logb`) with c = 2⁻ᵉ such that |x·c| lies in an interval [b,
    /// 2b).
    fn part_of_number(&mut self, op: Op, u: Value) -> Value {
        let low = if op == Op::Frexp { Rational::from((1, 2)) } else { Rational::from(1) };
        let domain = self.terms.nonzero(u.at);
        self.exists_where(domain);
        let (scale, scale_near) = self.scale(op, u);
        let t = &mut *self.terms;
        let (zero, two) = (t.number(0), t.number(2));
        let (low, high) = (t.number(low.clone()), t.number(low * 2));
        let mut ranges = Vec::new();
        for (of, scale) in [(u.at, scale), (u.moved, scale_near), (u.moved, scale)] {
            let value = t.mul(of, scale);
            let (negative, minus) = (t.less(value, zero), t.neg(value));
            let size = t.select(negative, minus, value);
            let (at_least, below, above) = (t.at_most(low, size), t.less(size, high), t.less(low, size));
            let positive = t.positive(scale);
            ranges.push((t.all([at_least, below, positive]), t.all([above, below, positive]), value));
        }
        let (inside, value) = (ranges[0].1, ranges[0].2);
        // Two powers of two are equal, or one is at least the double of the other.
        let (double, double_near) = (t.mul(two, scale), t.mul(two, scale_near));
        let (equal, smaller, larger) =
            (t.equal(scale, scale_near), t.at_most(double_near, scale), t.at_most(double, scale_near));
        let apart = t.any([equal, smaller, larger]);
        let near = t.all([ranges[1].0, ranges[2].1, apart]);
        self.fact(domain, ranges[0].0);
        self.demand("no power of two", inside);
        self.nearby(inside, near);
        if op == Op::Logb {
            // Equal scales have equal exponents.
            let at = self.terms.variable("exponent");
            let moved = self.tends_to("exponent'", at);
            let (same, unmoved) = (self.terms.equal(scale, scale_near), self.terms.equal(at, moved));
            self.nearby(same, unmoved);
            return Value { at, moved, slope: zero };
        }
        Value { at: value, moved: ranges[1].2, slope: self.terms.mul(u.slope, scale) }
    }

    /// u·2ⁿ.
    fn scaled(&mut self, n: Term, u: Value) -> Value {
        let always = self.terms.truth(true);
        let exponent = self.still(n);
        let power = self.atom(Op::Ldexp, &[exponent], always, |this| {
            let power = this.terms.variable("power_of_two");
            let positive = this.terms.positive(power);
            this.fact(always, positive);
            this.still(power)
        });
        self.mul(u, power)
    }
}
