//! The primal functions in multi-precision: the only place where an operation is tied to MPFR.
//!
//! Every operation of the table is here, in one exhaustive match; nothing here knows a derivative. Results are MPFR's,
//! correctly rounded at the asked precision, except the few operations composed of several MPFR calls, which work with
//! 64 guard bits. A real domain error is NaN, a pole an infinity, as in C's Annex F.

mod bessel;
pub(crate) mod integers;

use crate::table::op::Op;
use rug::float::Special;
use rug::ops::{AssignRound, NegAssign, Pow};
use rug::{Assign, Float};
use std::cmp::Ordering;

/// Bits added while an operation is composed of several MPFR calls.
const GUARD: u32 = 64;

/// The value of output `output` of an operation, at `precision` bits.
///
/// None when that output is not floating point (see [`integers::integer_result`]) or does not exist, when an operand is
/// missing, or when the order of a Bessel function is too large to compute.
pub fn primal(op: Op, output: usize, x: &[Float], n: &[i64], precision: u32) -> Option<Float> {
    let at = Operands { x, n, precision };
    match output {
        0 => at.first(op),
        1 => at.second(op),
        _ => None,
    }
}

/// Operands of one evaluation.
struct Operands<'a> {
    x: &'a [Float],
    n: &'a [i64],
    precision: u32,
}

impl Operands<'_> {
    fn round<T>(&self, value: T) -> Option<Float>
    where
        Float: AssignRound<T, Round = rug::float::Round, Ordering = Ordering>,
    {
        Some(Float::with_val(self.precision, value))
    }

    /// The first output: the returned value, or the first pointer's where nothing is returned.
    fn first(&self, op: Op) -> Option<Float> {
        let nothing = Float::with_val(self.precision, Special::Nan);
        let a = if op == Op::NanOf { &nothing } else { self.x.first()? };
        let b = || self.x.get(1);
        let c = || self.x.get(2);
        match op {
            Op::FAdd => self.round(a + b()?),
            Op::FSub => self.round(a - b()?),
            Op::FMul => self.round(a * b()?),
            Op::FDiv => self.round(a / b()?),
            Op::FRem | Op::Fmod => self.round(a % b()?),
            Op::FNeg => self.round(-a),
            Op::Fma | Op::FMulAdd => self.round(a.mul_add_ref(b()?, c()?)),
            Op::Fabs => self.round(a.abs_ref()),
            Op::CopySign => self.round(a.copysign_ref(b()?)),
            Op::Fmin => self.round(a.min_ref(b()?)),
            Op::Fmax => self.round(a.max_ref(b()?)),
            Op::Minimum | Op::Maximum if a.is_nan() || b()?.is_nan() => self.round(Special::Nan),
            Op::Minimum => self.round(a.min_ref(b()?)),
            Op::Maximum => self.round(a.max_ref(b()?)),
            Op::FminMag | Op::FmaxMag | Op::MinimumMag | Op::MaximumMag => self.round(self.by_magnitude(op, a, b()?)),
            Op::Fdim => self.round(a.positive_diff_ref(b()?)),
            Op::Remainder | Op::Remquo => self.round(a.remainder_ref(b()?)),
            Op::Identity => self.round(a),
            Op::Sqrt => self.round(a.sqrt_ref()),
            Op::Cbrt => self.round(a.cbrt_ref()),
            Op::Hypot => self.round(a.hypot_ref(b()?)),
            Op::Pow => self.round(a.pow(b()?)),
            Op::Powi => self.round(a.pow(i32::try_from(*self.n.first()?).ok()?)),
            Op::Exp => self.round(a.exp_ref()),
            Op::Exp2 => self.round(a.exp2_ref()),
            Op::Exp10 => self.round(a.exp10_ref()),
            Op::Expm1 => self.round(a.exp_m1_ref()),
            Op::Log => self.round(a.ln_ref()),
            Op::Log2 => self.round(a.log2_ref()),
            Op::Log10 => self.round(a.log10_ref()),
            Op::Log1p => self.round(a.ln_1p_ref()),
            Op::Sin | Op::SinCos => self.round(a.sin_ref()),
            Op::Cos => self.round(a.cos_ref()),
            Op::Tan => self.round(a.tan_ref()),
            Op::Asin => self.round(a.asin_ref()),
            Op::Acos => self.round(a.acos_ref()),
            Op::Atan => self.round(a.atan_ref()),
            Op::Atan2 => self.round(a.atan2_ref(b()?)),
            Op::Carg => self.round(b()?.atan2_ref(a)),
            Op::SinPi | Op::SinCosPi => self.round(a.sin_pi_ref()),
            Op::CosPi => self.round(a.cos_pi_ref()),
            Op::TanPi => self.round(a.tan_pi_ref()),
            Op::Sinh => self.round(a.sinh_ref()),
            Op::Cosh => self.round(a.cosh_ref()),
            Op::Tanh => self.round(a.tanh_ref()),
            Op::Asinh => self.round(a.asinh_ref()),
            Op::Acosh => self.round(a.acosh_ref()),
            Op::Atanh => self.round(a.atanh_ref()),
            Op::Floor => self.round(a.floor_ref()),
            Op::Ceil => self.round(a.ceil_ref()),
            Op::Trunc => self.round(a.trunc_ref()),
            Op::Round => self.round(a.round_ref()),
            Op::RoundEven | Op::Rint | Op::NearbyInt => self.round(a.round_even_ref()),
            Op::Ldexp | Op::Scalbln => Some(self.scaled(a, *self.n.first()?)),
            Op::Scalb => match b()?.to_integer() {
                Some(exponent) if b()?.is_integer() => Some(self.scaled(a, exponent.to_i64().unwrap_or(i64::MAX))),
                Some(_) | None => self.round(Special::Nan),
            },
            Op::Frexp | Op::FrexpPair => Some(self.scaled(a, -i64::from(a.get_exp().unwrap_or(0)))),
            Op::Modf if a.is_infinite() => Some(self.signed_zero(a)),
            Op::Modf => {
                let mut fraction = self.round(a.fract_ref())?;
                if fraction.is_zero() {
                    fraction = self.signed_zero(a);
                }
                Some(fraction)
            }
            Op::Logb => Some(self.binary_exponent(a)),
            Op::Significand => Some(self.scaled(a, a.get_exp().map_or(0, |e| 1 - i64::from(e)))),
            Op::NextAfter | Op::NextToward => {
                let mut value = self.round(a)?;
                value.next_toward(b()?);
                Some(value)
            }
            Op::NextUp | Op::NextDown => {
                let mut value = self.round(a)?;
                if op == Op::NextUp {
                    value.next_up()
                } else {
                    value.next_down()
                }
                Some(value)
            }
            Op::Erf => self.round(a.erf_ref()),
            Op::Erfc => self.round(a.erfc_ref()),
            Op::TGamma => self.round(a.gamma_ref()),
            Op::LGamma | Op::LGammaR => {
                let (mut value, mut sign) = (Float::new(self.precision), Ordering::Equal);
                (&mut value, &mut sign).assign(a.ln_abs_gamma_ref());
                Some(value)
            }
            Op::J0 => self.round(a.j0_ref()),
            Op::J1 => self.round(a.j1_ref()),
            Op::Jn => bessel::first_kind(i32::try_from(*self.n.first()?).ok()?, a, self.precision),
            Op::Y0 => self.round(a.y0_ref()),
            Op::Y1 => self.round(a.y1_ref()),
            Op::Yn => bessel::second_kind(i32::try_from(*self.n.first()?).ok()?, a, self.precision),
            Op::ComplexMul => self.round(a.mul_sub_mul_ref(c()?, b()?, self.x.get(3)?)),
            Op::ComplexDiv => {
                let (b, c, d) = (b()?, c()?, self.x.get(3)?);
                let numerator = Float::with_val(self.precision + GUARD, a.mul_add_mul_ref(c, b, d));
                self.quotient_by_norm(&numerator, c, d)
            }
            Op::Lround | Op::Llround | Op::Lrint | Op::Llrint | Op::Ilogb | Op::Llogb => None,
            Op::IsNan | Op::IsInf | Op::IsFinite | Op::SignBit => None,
            Op::IsSignaling | Op::FpClassify | Op::IsFpClass => None,
            Op::NanOf => self.round(Special::Nan),
        }
    }

    /// The second output of the operations that have two.
    fn second(&self, op: Op) -> Option<Float> {
        let a = self.x.first()?;
        match op {
            Op::SinCos => self.round(a.cos_ref()),
            Op::SinCosPi => self.round(a.cos_pi_ref()),
            Op::Modf => self.round(a.trunc_ref()),
            Op::ComplexMul => self.round(a.mul_add_mul_ref(self.x.get(3)?, self.x.get(1)?, self.x.get(2)?)),
            Op::ComplexDiv => {
                let (b, c, d) = (self.x.get(1)?, self.x.get(2)?, self.x.get(3)?);
                let numerator = Float::with_val(self.precision + GUARD, b.mul_sub_mul_ref(c, a, d));
                self.quotient_by_norm(&numerator, c, d)
            }
            _ => None,
        }
    }

    /// numerator / (c² + d²).
    fn quotient_by_norm(&self, numerator: &Float, c: &Float, d: &Float) -> Option<Float> {
        let norm = Float::with_val(self.precision + GUARD, c.mul_add_mul_ref(c, d, d));
        self.round(numerator / &norm)
    }

    /// a · 2^exponent. Exponents beyond 32 bits overflow or vanish anyway.
    fn scaled(&self, a: &Float, exponent: i64) -> Float {
        let exponent = exponent.clamp(i64::from(i32::MIN) + 1, i64::from(i32::MAX)) as i32;
        Float::with_val(self.precision, a << exponent)
    }

    /// One of the two operands by its magnitude; at equal magnitudes by its sign, as `min` and `max` do.
    fn by_magnitude<'a>(&self, op: Op, a: &'a Float, b: &'a Float) -> &'a Float {
        let nan_wins = matches!(op, Op::MinimumMag | Op::MaximumMag);
        let larger = matches!(op, Op::FmaxMag | Op::MaximumMag);
        if a.is_nan() || b.is_nan() {
            return if a.is_nan() == nan_wins { a } else { b };
        }
        let order = a.cmp_abs(b).filter(|order| order.is_ne()).unwrap_or_else(|| a.total_cmp(b));
        if order.is_gt() == larger { a } else { b }
    }

    fn signed_zero(&self, a: &Float) -> Float {
        let mut zero = Float::with_val(self.precision, Special::Zero);
        if a.is_sign_negative() {
            zero.neg_assign();
        }
        zero
    }

    fn binary_exponent(&self, a: &Float) -> Float {
        match a.get_exp() {
            Some(exponent) => Float::with_val(self.precision, i64::from(exponent) - 1),
            None if a.is_zero() => Float::with_val(self.precision, Special::NegInfinity),
            None => Float::with_val(self.precision, a.abs_ref()),
        }
    }
}
