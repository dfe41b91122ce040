//! Powers: with a real exponent by exp and log, with an integer one by induction.
//!
//! The induction uses the row's own partial: if it is right for xⁿ it is right for xⁿ⁺¹ = x·xⁿ, it is right for x¹, and
//! for x⁻ᵐ = 1/xᵐ if for xᵐ. So nothing about powers is assumed but the recurrence that defines them.

use super::lift::{Lift, NoAxioms, Value};
use crate::term::{Node, Term};
use rug::Rational;
use rules::{Expr, Op};

/// k where `term` is `from` + k.
fn offset(lift: &Lift<'_>, term: Term, from: Term) -> Option<i64> {
    let integer = |term: Term| {
        let number: &Rational = lift.terms.as_number(term)?;
        if *number.denom() == 1 { number.numer().to_i64() } else { None }
    };
    let split = |term: Term| match *lift.terms.node(term) {
        Node::Number(_) => (None, integer(term)),
        Node::Add(a, b) if lift.terms.as_number(b).is_some() => (Some(a), integer(b)),
        _ => (Some(term), Some(0)),
    };
    let ((a, j), (b, k)) = (split(term), split(from));
    if a == b { Some(j? - k?) } else { None }
}

impl Lift<'_> {
    /// baseᵏ for a small constant k.
    pub(super) fn small_power(&mut self, base: Term, k: i64) -> Term {
        let one = self.terms.number(1);
        let power = (0..k.unsigned_abs()).fold(one, |power, _| self.terms.mul(power, base));
        if k < 0 { self.terms.div(one, power) } else { power }
    }

    /// A power with an integer exponent: a member of the family of the induction.
    pub(super) fn integer_power(&mut self, base: Value, exponent: Term) -> Result<Value, NoAxioms> {
        let one = self.number(1);
        if let Some(family) = self.power
            && family.base == base.at
            && let Some(k) = offset(self, exponent, family.exponent)
        {
            let factor = self.small_power(base.at, k);
            if k < 0 {
                let nonzero = self.terms.nonzero(base.at);
                self.exists_where(nonzero);
            }
            let at = self.terms.mul(family.known, factor);
            return Ok(self.still(at));
        }
        // Outside an induction: what holds of every power with an integer exponent.
        let t = &mut *self.terms;
        let (base_nonzero, zero) = (t.nonzero(base.at), t.number(0));
        let (not_negative, at_zero) = (t.at_most(zero, exponent), t.equal(exponent, zero));
        let domain = t.or(base_nonzero, not_negative);
        let exponent_value = self.still(exponent);
        Ok(self.atom(Op::Powi, &[base, exponent_value], domain, |this| {
            let power = this.terms.variable("power");
            let (is_one, nonzero) = (this.terms.equal(power, one.at), this.terms.nonzero(power));
            this.fact(at_zero, is_one);
            this.fact(base_nonzero, nonzero);
            this.still(power)
        }))
    }

    /// A power with a real exponent, at x. An exponent e − k with a constant k is taken apart: xᵉ⁻ᵏ·xᵏ = xᵉ.
    pub(super) fn power_call(&mut self, base: &Expr, exponent: &Expr) -> Result<Value, NoAxioms> {
        let (b, e) = (self.expr(base)?, self.expr(exponent)?);
        if self.power.is_some() {
            return self.integer_power(b, e.at);
        }
        let (whole, less) = match exponent {
            Expr::Sub(whole, less) => match &**less {
                Expr::Const(rules::Const::Ratio(k, 1)) => ((**whole).clone(), *k),
                _ => (exponent.clone(), 0),
            },
            _ => (exponent.clone(), 0),
        };
        let t = &mut *self.terms;
        let (zero, one) = (t.number(0), t.number(1));
        let (positive, base_zero, negative) = (t.positive(b.at), t.equal(b.at, zero), t.less(b.at, zero));
        let (rising, flat, falling) = (t.positive(e.at), t.equal(e.at, zero), t.less(e.at, zero));
        let integral = t.is_integer(e.at);
        let (at_zero, at_negative) = (t.and(base_zero, rising), t.and(negative, integral));
        let domain = t.any([positive, at_zero, at_negative, flat]);
        let value = self.atom(Op::Pow, &[b, e], domain, |this| {
            let at = this.terms.variable("power");
            this.still(at)
        });
        let t = &mut *self.terms;
        let (is_zero, is_one, sign) = (t.equal(value.at, zero), t.equal(value.at, one), t.positive(value.at));
        let pole = t.and(base_zero, falling);
        let (vanishes, not_pole) = (t.implies(at_zero, is_zero), t.not(pole));
        let facts = [vanishes, t.implies(flat, is_one), t.implies(positive, sign)];
        self.facts.extend(facts);
        self.exists_where(not_pole);
        // For a positive base the power is exp(e·log b); the domain of the logarithm is that case.
        let domain_before = self.domain.len();
        let (whole, logarithm) = (self.expr(&whole)?, self.call(Op::Log, &[], &[b])?);
        let product = self.mul(whole, logarithm);
        let power = self.call(Op::Exp, &[], &[product])?;
        self.domain.truncate(domain_before);
        let factor = self.small_power(b.at, less);
        let raised = self.terms.mul(value.at, factor);
        let law = self.terms.equal(raised, power.at);
        self.fact(positive, law);
        Ok(value)
    }
}
