//! Bessel functions of large order, where MPFR's power series would take seconds to hours.
//!
//! - Second kind, and first kind up to the turning point n ≤ |x|: the recurrence Cₖ₊₁ = (2k/x)·Cₖ − Cₖ₋₁ upwards, which
//!   is stable there.
//! - First kind beyond the turning point: the recurrence downwards from an order where the wanted solution has decayed
//!   below the working precision against the other one, scaled by J₀ or J₁ (J. C. P. Miller's algorithm; NIST DLMF
//!   3.6(ii)).

use super::GUARD;
use rug::Float;
use rug::float::Special;
use std::cmp::Ordering;

/// Orders below are left to MPFR.
const SMALL_ORDER: u32 = 32;
/// Arguments below which MPFR's series for the first kind is quick whatever the order.
const SMALL_ARGUMENT: f64 = 64.0;
/// Recurrences longer than this are not run: the function has no value then.
const LONGEST: u32 = 1 << 24;
/// Beyond this binary exponent every floating-point format has overflowed.
const OVERFLOWN: i32 = 1 << 20;

/// Jₙ(x). None when the order is too large to compute.
pub(super) fn first_kind(order: i32, x: &Float, precision: u32) -> Option<Float> {
    let n = order.unsigned_abs();
    let size = x.to_f64().abs();
    if n < SMALL_ORDER || !size.is_finite() || size < SMALL_ARGUMENT || is_asymptotic(n, size) {
        return Some(Float::with_val(precision, x.jn_ref(order)));
    }
    let working = precision + GUARD;
    let (first, second) = (Float::with_val(working, x.j0_ref()), Float::with_val(working, x.j1_ref()));
    let value =
        if f64::from(n) <= size { upwards(n, x, first, second)? } else { downwards(n, x, size, first, second)? };
    Some(Float::with_val(precision, reflected(order, value)))
}

/// Yₙ(x). None when the order is too large to compute.
pub(super) fn second_kind(order: i32, x: &Float, precision: u32) -> Option<Float> {
    let n = order.unsigned_abs();
    let size = x.to_f64();
    if n < SMALL_ORDER || x.partial_cmp(&0) != Some(Ordering::Greater) || size.is_infinite() || is_asymptotic(n, size) {
        return Some(Float::with_val(precision, x.yn_ref(order)));
    }
    let working = precision + GUARD;
    let value = upwards(n, x, Float::with_val(working, x.y0_ref()), Float::with_val(working, x.y1_ref()))?;
    Some(Float::with_val(precision, reflected(order, value)))
}

/// So far out that MPFR uses the asymptotic expansion for large arguments.
fn is_asymptotic(n: u32, size: f64) -> bool {
    size > 8.0 * f64::from(n) * f64::from(n) + 1e4
}

/// C₋ₙ = (−1)ⁿ·Cₙ for both kinds.
fn reflected(order: i32, value: Float) -> Float {
    if order < 0 && order % 2 != 0 { -value } else { value }
}

/// Cₙ from C₀ and C₁.
fn upwards(n: u32, x: &Float, zeroth: Float, first: Float) -> Option<Float> {
    // Beyond the turning point the second kind grows and overflows soon: only the way to it may be too long.
    if n.min(x.to_f64().abs() as u32) > LONGEST {
        return None;
    }
    let (mut previous, mut current) = (zeroth, first);
    for k in 1..n {
        if current.get_exp().is_some_and(|exponent| exponent > OVERFLOWN) {
            let infinity = if current.is_sign_negative() { Special::NegInfinity } else { Special::Infinity };
            return Some(Float::with_val(current.prec(), infinity));
        }
        let mut next = Float::with_val(current.prec(), &current / x);
        next *= 2 * k;
        next -= &previous;
        previous = std::mem::replace(&mut current, next);
    }
    Some(current)
}

/// Jₙ for n beyond the turning point |x|.
fn downwards(n: u32, x: &Float, size: f64, zeroth: Float, first: Float) -> Option<Float> {
    let working = zeroth.prec();
    let decay = (f64::from(working) * (size / 2.0).sqrt()).powf(2.0 / 3.0) + f64::from(working);
    if n > LONGEST || decay > f64::from(LONGEST) {
        return None;
    }
    let start = n + decay as u32;
    let mut above = Float::with_val(working, 0);
    let mut current = Float::with_val(working, 1);
    let mut wanted = Float::with_val(working, 0);
    for k in (1..=start).rev() {
        if k == n {
            wanted.clone_from(&current);
        }
        let mut below = Float::with_val(working, &current / x);
        below *= 2 * k;
        below -= &above;
        above = std::mem::replace(&mut current, below);
    }
    // Now `current` stands for J₀ and `above` for J₁; the larger of the two gives the scale.
    let scale = if zeroth.cmp_abs(&first) == Some(Ordering::Greater) { zeroth / current } else { first / above };
    Some(wanted * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recurrences against MPFR's own series at orders where both are quick.
    #[test]
    fn recurrences_agree_with_the_series() {
        for (order, at) in
            [(40, 70.5), (200, 210.0), (-201, 190.25), (120, 65.0), (64, -64.5), (33, 400.0), (-35, -90.0)]
        {
            let x = Float::with_val(256, at);
            let found = first_kind(order, &x, 256).unwrap();
            let exact = Float::with_val(320, x.jn_ref(order));
            let error = Float::with_val(320, &found - &exact).abs();
            assert!(error <= exact.clone().abs() >> 240, "J {order} at {at}: {found:e} for {exact:e}");
            if at > 0.0 {
                let found = second_kind(order, &x, 256).unwrap();
                let exact = Float::with_val(320, x.yn_ref(order));
                let error = Float::with_val(320, &found - &exact).abs();
                assert!(error <= exact.clone().abs() >> 240, "Y {order} at {at}: {found:e} for {exact:e}");
            }
        }
    }

    #[test]
    fn extreme_orders_end() {
        let x = Float::with_val(256, 0.5);
        assert!(second_kind(i32::MAX, &x, 256).unwrap().is_infinite());
        assert!(second_kind(-i32::MAX, &x, 256).unwrap().is_infinite());
        let x = Float::with_val(256, 1e9);
        assert!(first_kind(900_000_000, &x, 256).is_none());
        assert!(second_kind(900_000_000, &x, 256).is_none());
        assert!(first_kind(i32::MAX, &x, 256).is_none());
    }
}
