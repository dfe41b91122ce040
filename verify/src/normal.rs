//! Normal forms of rational functions: most equations between a gradient and the derivative differ in the order of sums
//! and products only, and are decided here before the solver is asked.
//!
//! A term becomes a sum of monomials with rational coefficients; a monomial is a product of powers, negative ones for
//! divisors, of variables and of sums that were not multiplied out. Used: the laws of commutative rings, x·x⁻¹ = 1 for
//! divisors x, (a·b)⁻¹ = a⁻¹·b⁻¹, and r² = u for a square root r of u. The caller has seen to it that divisors are not
//! 0, and that roots that are divided by are not. Terms whose normal forms are equal are equal; of the others nothing
//! is said.

use crate::term::{Node, Term, Terms};
use rug::Rational;
use std::collections::{BTreeMap, HashMap};

/// Monomials of a sum that is multiplied out.
const EXPANDED: usize = 600;

/// Monomials that are handled before normal forms give up.
const FUEL: usize = 150_000;

/// A power product: bases with exponents, none of them 0.
type Monomial = BTreeMap<u32, i32>;
/// A sum of monomials with coefficients, none of them 0.
type Sum = BTreeMap<Monomial, Rational>;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Base {
    Atom(Term),
    Sum(Sum),
}

/// Brings terms into normal form.
pub(crate) struct Normalizer<'a> {
    terms: &'a Terms,
    roots: &'a HashMap<Term, Term>,
    /// Whether sums are multiplied out.
    expand: bool,
    known: HashMap<Term, Sum>,
    bases: Vec<Base>,
    numbers: HashMap<Base, u32>,
    /// Monomials that may still be handled; without, a term stands for itself.
    fuel: usize,
}

impl<'a> Normalizer<'a> {
    pub fn new(terms: &'a Terms, roots: &'a HashMap<Term, Term>, expand: bool) -> Normalizer<'a> {
        Normalizer {
            terms,
            roots,
            expand,
            known: HashMap::new(),
            bases: Vec::new(),
            numbers: HashMap::new(),
            fuel: FUEL,
        }
    }

    /// Whether two terms have the same normal form.
    pub fn are_equal(&mut self, a: Term, b: Term) -> bool {
        self.normal(a) == self.normal(b)
    }

    /// The normal form, parts before wholes.
    fn normal(&mut self, term: Term) -> Sum {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if self.known.contains_key(&next) {
                open.pop();
                continue;
            }
            let mut parts = self.terms.node(next).children();
            parts.extend(self.roots.get(&next));
            parts.retain(|part| !self.known.contains_key(part));
            if parts.is_empty() {
                let normal = self.of_node(next);
                self.known.insert(next, normal);
                open.pop();
            } else {
                open.extend(parts);
            }
        }
        self.known[&term].clone()
    }

    fn of_node(&mut self, term: Term) -> Sum {
        if self.fuel == 0 {
            return self.power(Base::Atom(term), 1);
        }
        let normal = self.computed(term);
        self.fuel = self.fuel.saturating_sub(1 + normal.len());
        normal
    }

    fn computed(&mut self, term: Term) -> Sum {
        match self.terms.node(term).clone() {
            Node::Number(value) => constant(value),
            Node::Add(a, b) => plus(&self.known[&a], &self.known[&b], &Rational::from(1)),
            Node::Sub(a, b) => plus(&self.known[&a], &self.known[&b], &Rational::from(-1)),
            Node::Mul(a, b) => {
                let (a, b) = (self.known[&a].clone(), self.known[&b].clone());
                self.times(a, b)
            }
            Node::Div(a, b) => {
                let (a, b) = (self.known[&a].clone(), self.known[&b].clone());
                if b.is_empty() {
                    return self.power(Base::Atom(term), 1);
                }
                let (coefficient, monomial) = self.as_monomial(b);
                let inverse = monomial.into_iter().map(|(base, exponent)| (base, -exponent)).collect();
                let inverse = self.reduced(inverse);
                let inverse = scaled(&inverse, &coefficient.recip());
                self.times(a, inverse)
            }
            _ => self.power(Base::Atom(term), 1),
        }
    }

    fn base(&mut self, base: Base) -> u32 {
        if let Some(&number) = self.numbers.get(&base) {
            return number;
        }
        let number = self.bases.len() as u32;
        self.bases.push(base.clone());
        self.numbers.insert(base, number);
        number
    }

    fn power(&mut self, base: Base, exponent: i32) -> Sum {
        let base = self.base(base);
        Sum::from([(Monomial::from([(base, exponent)]), Rational::from(1))])
    }

    /// The sum as one monomial: a sum of several becomes a base of its own, its first coefficient taken out.
    fn as_monomial(&mut self, sum: Sum) -> (Rational, Monomial) {
        if sum.len() == 1
            && let Some((monomial, coefficient)) = sum.first_key_value()
        {
            return (coefficient.clone(), monomial.clone());
        }
        let lead = sum.first_key_value().map_or_else(|| Rational::from(1), |(_, coefficient)| coefficient.clone());
        let monic = scaled(&sum, &lead.clone().recip());
        let base = self.base(Base::Sum(monic));
        (lead, Monomial::from([(base, 1)]))
    }

    fn times(&mut self, a: Sum, b: Sum) -> Sum {
        if a.is_empty() || b.is_empty() {
            return Sum::new();
        }
        let multiply_out = self.expand && self.fuel > 0 && a.len() * b.len() <= EXPANDED;
        if multiply_out {
            self.fuel = self.fuel.saturating_sub(a.len() * b.len());
            let mut sum = Sum::new();
            for (left, x) in &a {
                for (right, y) in &b {
                    let product = self.reduced(merged(left, right));
                    add_to(&mut sum, &product, &Rational::from(x * y));
                }
            }
            return sum;
        }
        for (constant, other) in [(&a, &b), (&b, &a)] {
            if let (1, Some(coefficient)) = (constant.len(), constant.get(&Monomial::new())) {
                return scaled(other, coefficient);
            }
        }
        let ((x, left), (y, right)) = (self.as_monomial(a), self.as_monomial(b));
        let product = self.reduced(merged(&left, &right));
        scaled(&product, &(x * y))
    }

    /// Roots occur once at most: r² is what r is the root of, and r⁻¹ is r over that. A whole power of a base that was
    /// a sum of its own is that sum again.
    fn reduced(&mut self, monomial: Monomial) -> Sum {
        let of_root = |this: &Self, base: &u32| match &this.bases[*base as usize] {
            Base::Atom(term) => this.roots.get(term).copied(),
            Base::Sum(_) => None,
        };
        let found = monomial.iter().find_map(|(base, exponent)| {
            let operand = of_root(self, base)?;
            (!matches!(exponent, 0 | 1)).then_some((*base, *exponent, operand))
        });
        let Some((base, exponent, operand)) = found else {
            if monomial.len() == 1
                && let Some((base, 1)) = monomial.first_key_value()
                && let Base::Sum(sum) = &self.bases[*base as usize]
            {
                return sum.clone();
            }
            return Sum::from([(monomial, Rational::from(1))]);
        };
        let (half, rest) = (exponent.div_euclid(2), exponent.rem_euclid(2));
        let mut others = monomial;
        others.remove(&base);
        if rest == 1 {
            others.insert(base, 1);
        }
        let operand = self.known.get(&operand).cloned().unwrap_or_default();
        if operand.is_empty() {
            return Sum::new();
        }
        let (coefficient, of) = self.as_monomial(operand);
        let powered: Monomial = of.into_iter().map(|(base, exponent)| (base, exponent * half)).collect();
        let scale = (0..half.unsigned_abs()).fold(Rational::from(1), |scale, _| scale * &coefficient);
        let scale = if half < 0 { scale.recip() } else { scale };
        let product = self.reduced(merged(&others, &powered));
        scaled(&product, &scale)
    }
}

fn constant(value: Rational) -> Sum {
    if value == 0 { Sum::new() } else { Sum::from([(Monomial::new(), value)]) }
}

/// a + by·b.
fn plus(a: &Sum, b: &Sum, by: &Rational) -> Sum {
    let mut sum = a.clone();
    add_to(&mut sum, b, by);
    sum
}

fn add_to(sum: &mut Sum, b: &Sum, by: &Rational) {
    for (monomial, coefficient) in b {
        let added = Rational::from(coefficient * by);
        let entry = sum.entry(monomial.clone()).or_default();
        *entry += added;
        if *entry == 0 {
            sum.remove(monomial);
        }
    }
}

fn scaled(sum: &Sum, by: &Rational) -> Sum {
    plus(&Sum::new(), sum, by)
}

fn merged(a: &Monomial, b: &Monomial) -> Monomial {
    let mut product = a.clone();
    for (base, exponent) in b {
        let entry = product.entry(*base).or_default();
        *entry += exponent;
        if *entry == 0 {
            product.remove(base);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(expand: bool, build: impl Fn(&mut Terms, Term, Term) -> (Term, Term)) -> bool {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x"), terms.variable("y"));
        let (a, b) = build(&mut terms, x, y);
        Normalizer::new(&terms, &HashMap::new(), expand).are_equal(a, b)
    }

    #[test]
    fn order_and_cancelled_divisors_do_not_matter() {
        for expand in [false, true] {
            assert!(equal(expand, |t, x, y| {
                let (a, b) = (t.add(x, y), t.add(y, x));
                let (one, xy) = (t.number(1), t.mul(x, y));
                let inverse = t.div(one, y);
                let back = t.mul(xy, inverse);
                (t.mul(a, x), t.mul(back, b))
            }));
            assert!(!equal(expand, |t, x, y| (t.add(x, y), t.sub(x, y))));
            assert!(!equal(expand, |t, x, y| (t.mul(x, y), t.mul(x, x))));
        }
    }

    #[test]
    fn sums_are_multiplied_out_on_demand() {
        let build = |t: &mut Terms, x: Term, y: Term| {
            let (sum, difference) = (t.add(x, y), t.sub(x, y));
            let product = t.mul(sum, difference);
            let (xx, yy) = (t.mul(x, x), t.mul(y, y));
            (product, t.sub(xx, yy))
        };
        assert!(equal(true, build));
        assert!(!equal(false, build));
    }

    #[test]
    fn the_square_of_a_root_is_its_operand() {
        let mut terms = Terms::new();
        let (u, r, one) = (terms.variable("u"), terms.variable("r"), terms.number(1));
        let roots = HashMap::from([(r, u)]);
        let (square, inverse, over) = (terms.mul(r, r), terms.div(one, r), terms.div(one, u));
        let through = terms.mul(r, over);
        for expand in [false, true] {
            let mut normal = Normalizer::new(&terms, &roots, expand);
            assert!(normal.are_equal(square, u));
            assert!(normal.are_equal(inverse, through));
            assert!(!normal.are_equal(r, u));
        }
    }
}
