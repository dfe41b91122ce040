//! Sums of symbols times numbers, and a number.
//!
//! A [`Form`] is made of whatever its user does not take apart. Its numbers are integers without a width (`i128`), and
//! a sum that does not fit is none; or they are counted modulo 2⁶⁴ ([`Wrapping`]), as addresses are (LangRef,
//! "getelementptr").

use std::num::Wrapping;

/// Coefficients of forms.
pub trait Number: Copy + PartialEq {
    const ZERO: Self;
    const ONE: Self;
    /// The sum, if there is such a number.
    fn plus(self, other: Self) -> Option<Self>;
    /// The product, if there is such a number.
    fn times(self, other: Self) -> Option<Self>;
}

impl Number for i128 {
    const ZERO: i128 = 0;
    const ONE: i128 = 1;

    fn plus(self, other: i128) -> Option<i128> {
        self.checked_add(other)
    }

    fn times(self, other: i128) -> Option<i128> {
        self.checked_mul(other)
    }
}

impl Number for Wrapping<i64> {
    const ZERO: Wrapping<i64> = Wrapping(0);
    const ONE: Wrapping<i64> = Wrapping(1);

    fn plus(self, other: Wrapping<i64>) -> Option<Wrapping<i64>> {
        Some(self + other)
    }

    fn times(self, other: Wrapping<i64>) -> Option<Wrapping<i64>> {
        Some(self * other)
    }
}

/// A sum of symbols `S` times numbers `N`, and a number.
#[derive(Clone, Debug)]
pub struct Form<S, N> {
    /// Each symbol once, none with zero.
    pub terms: Vec<(S, N)>,
    pub number: N,
}

impl<S, N: Number> Default for Form<S, N> {
    fn default() -> Form<S, N> {
        Form { terms: Vec::new(), number: N::ZERO }
    }
}

impl<S: Copy + PartialEq, N: Number> Form<S, N> {
    /// One symbol.
    pub fn of(symbol: S) -> Form<S, N> {
        Form { terms: vec![(symbol, N::ONE)], number: N::ZERO }
    }

    /// A number alone.
    pub fn number(number: N) -> Form<S, N> {
        Form { terms: Vec::new(), number }
    }

    /// The number, if it is nothing else.
    pub fn constant(&self) -> Option<N> {
        self.terms.is_empty().then_some(self.number)
    }

    /// How often a symbol is in it.
    pub fn times_of(&self, symbol: S) -> N {
        self.terms.iter().find(|(known, _)| *known == symbol).map_or(N::ZERO, |(_, times)| *times)
    }

    /// With another one, so many times.
    pub fn plus(mut self, other: &Form<S, N>, times: N) -> Option<Form<S, N>> {
        for (symbol, by) in &other.terms {
            let by = by.times(times)?;
            match self.terms.iter_mut().find(|(known, _)| known == symbol) {
                Some((_, so_far)) => *so_far = so_far.plus(by)?,
                None => self.terms.push((*symbol, by)),
            }
        }
        self.terms.retain(|(_, by)| *by != N::ZERO);
        self.number = self.number.plus(other.number.times(times)?)?;
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cancels_is_gone() {
        let one: Form<char, i128> = Form { terms: vec![('i', 8), ('j', 4)], number: 24 };
        let other = Form { terms: vec![('j', 4)], number: 16 };
        let difference = one.clone().plus(&other, -1).expect("small numbers");
        assert_eq!((difference.terms, difference.number), (vec![('i', 8)], 8));
        assert_eq!(one.clone().plus(&one, -1).and_then(|none| none.constant()), Some(0));
    }

    #[test]
    fn what_does_not_fit_is_none_unless_it_goes_round() {
        let most: Form<char, i128> = Form::number(i128::MAX);
        assert!(most.clone().plus(&Form::number(1), 1).is_none());
        assert!(Form::number(2).plus(&most, 2).is_none());
        let round: Form<char, Wrapping<i64>> = Form::number(Wrapping(i64::MAX));
        let next = round.plus(&Form::number(Wrapping(1)), Wrapping(1)).and_then(|sum| sum.constant());
        assert_eq!(next, Some(Wrapping(i64::MIN)));
    }
}
