//! Quick ops that compute: integers, comparisons, numbers.

use super::{D, Passed, Run, Then};
use crate::code::Slot;
use crate::code::words::{Cmp, Int};
use crate::exec::beside::Beside;
use crate::exec::{float, int, signed, soft};
use crate::machine::{FloatArg, FloatEvent, FloatOp, Machine};
use crate::value::{Scalar, mask64};
use ir::{BinOp, FloatKind, FloatPred};
use rules::Op as Rule;

/// Compares two defined words.
#[inline(always)]
pub(super) fn compare(cmp: Cmp, a: u64, b: u64, shift: u8) -> bool {
    match cmp {
        Cmp::Eq => a == b,
        Cmp::Ne => a != b,
        Cmp::Ult => a < b,
        Cmp::Ule => a <= b,
        Cmp::Slt => ((a << shift) as i64) < (b << shift) as i64,
        Cmp::Sle => (a << shift) as i64 <= (b << shift) as i64,
    }
}

/// Compares two numbers (LangRef, `fcmp`).
#[inline(always)]
pub(super) fn compare_floats(pred: FloatPred, a: f64, b: f64) -> bool {
    match pred {
        FloatPred::Olt => a < b,
        FloatPred::Ogt => a > b,
        FloatPred::Ole => a <= b,
        FloatPred::Oge => a >= b,
        FloatPred::Oeq => a == b,
        FloatPred::Une => a != b,
        _ => pred.holds(a.partial_cmp(&b)),
    }
}

/// A quotient or remainder of words of `64 - shift` bits; none if it is undefined.
#[inline(always)]
pub(super) fn divide(op: Int, a: u64, b: u64, shift: u8) -> Option<u64> {
    let (sa, sb) = ((a << shift) as i64 >> shift, (b << shift) as i64 >> shift);
    let least = i64::MIN >> shift;
    match op {
        _ if b == 0 => None,
        Int::UDiv => Some(a / b),
        Int::URem => Some(a % b),
        _ if sb == -1 && sa == least => None,
        Int::SDiv => Some((sa / sb) as u64 & u64::MAX >> shift),
        Int::SRem => Some((sa % sb) as u64 & u64::MAX >> shift),
    }
}

/// A sum of words of `64 - shift` bits without signed overflow.
#[inline(always)]
pub(super) fn add_nsw(a: u64, b: u64, shift: u8) -> Option<u64> {
    Some(((a << shift) as i64).checked_add((b << shift) as i64)? as u64 >> shift)
}

/// A sum without unsigned overflow, nor signed overflow if that is promised too.
#[inline(always)]
pub(super) fn add_nuw(a: u64, b: u64, shift: u8, nsw: bool) -> Option<u64> {
    let sum = (a << shift).checked_add(b << shift)?;
    if nsw {
        ((a << shift) as i64).checked_add((b << shift) as i64)?;
    }
    Some(sum >> shift)
}

/// A difference without signed overflow.
#[inline(always)]
pub(super) fn sub_nsw(a: u64, b: u64, shift: u8) -> Option<u64> {
    Some(((a << shift) as i64).checked_sub((b << shift) as i64)? as u64 >> shift)
}

/// A product without signed overflow.
#[inline(always)]
pub(super) fn mul_nsw(a: u64, b: u64, shift: u8) -> Option<u64> {
    Some(((a << shift) as i64).checked_mul((b << shift) as i64 >> shift)? as u64 >> shift)
}

/// What is shifted, if the amount is less than the width.
#[inline(always)]
pub(super) fn shifted(by: u64, width: u8, shift: impl FnOnce() -> u64) -> Option<u64> {
    if by < u64::from(width) { Some(shift()) } else { None }
}

/// A sign extension.
#[inline(always)]
pub(super) fn sign_extended(x: Scalar, from: u8, to: u8) -> Scalar {
    Scalar::word(signed(x.lo, from) as u64 & mask64(to))
}

/// `fptosi`, if the number fits.
#[inline(always)]
pub(super) fn to_int(x: Scalar, from: FloatKind, width: u8) -> Option<Scalar> {
    let (value, fits) = soft::to_signed(from, x.bits(), width);
    if fits { Some(Scalar::word(value as u64 & mask64(width))) } else { None }
}

/// Integers.
impl<M: Machine, const THREADS: bool> Run<'_, '_, M, THREADS> {
    /// An operation on two words.
    #[inline(always)]
    pub(super) fn word(&mut self, dst: Slot, a: Slot, b: Slot, op: impl FnOnce(u64, u64) -> Option<u64>) -> Passed {
        let (x, y) = self.both(a, b)?;
        self.plain([a, b])?;
        let result = op(x.lo, y.lo)?;
        self.set(dst, Scalar::word(result))
    }

    /// An operation on the bits of one register.
    #[inline(always)]
    pub(super) fn bits(&mut self, dst: Slot, a: Slot, op: impl FnOnce(Scalar) -> Option<Scalar>) -> Passed {
        let x = self.defined(a)?;
        self.plain([a])?;
        let result = op(x)?;
        self.set(dst, result)
    }

    #[inline(always)]
    pub(super) fn promised(&mut self, op: BinOp, dst: Slot, [a, b]: [Slot; 2], width: u8, flags: u8) -> Passed {
        self.word(dst, a, b, |x, y| {
            Some(int::defined_binary(op, width, flags, x.into(), y.into()).ok().flatten()? as u64)
        })
    }
}

/// Numbers.
impl<M: Machine, const THREADS: bool> Run<'_, '_, M, THREADS> {
    /// The result of an operation, with the shadow that the machine gives it.
    #[inline(always)]
    pub(super) fn number<const N: usize>(
        &mut self,
        (dst, kind, value): (Slot, FloatKind, Scalar),
        op: FloatOp,
        args: [(Slot, FloatKind, Scalar); N],
        ints: &[i128],
    ) -> Passed {
        if M::SHADOWS {
            let at = self.beside.at(self.pc);
            let Beside { machine, shadows, .. } = &mut *self.beside;
            let args = args.map(|(slot, kind, x)| FloatArg { kind, bits: x.bits(), shadow: &shadows[slot as usize] });
            let event = FloatEvent { op, output: 0, kind, args: &args, ints, result: value.bits(), at };
            let shadow = machine.float_op(&event);
            self.beside.put(dst, shadow);
        }
        self.regs[dst as usize] = value;
        Some(Then::Next)
    }

    /// Arithmetic on two `double`s.
    #[inline(always)]
    pub(super) fn double(
        &mut self,
        rule: Rule,
        dst: Slot,
        a: Slot,
        b: Slot,
        op: impl FnOnce(f64, f64) -> f64,
    ) -> Passed {
        let (x, y) = self.both(a, b)?;
        let result = Scalar::f64(op(x.as_f64(), y.as_f64()));
        self.number((dst, D, result), FloatOp::Rule(rule), [(a, D, x), (b, D, y)], &[])
    }

    #[inline(always)]
    pub(super) fn mul_add(&mut self, dst: Slot, a: Slot, b: Slot, c: Slot) -> Passed {
        let (x, y) = self.both(a, b)?;
        let z = self.defined(c)?;
        let result = Scalar::f64(x.as_f64() * y.as_f64() + z.as_f64());
        self.number((dst, D, result), FloatOp::Rule(Rule::FMulAdd), [(a, D, x), (b, D, y), (c, D, z)], &[])
    }

    #[inline(always)]
    pub(super) fn negate(&mut self, dst: Slot, a: Slot) -> Passed {
        let x = self.defined(a)?;
        self.number((dst, D, Scalar::word(x.lo ^ 1 << 63)), FloatOp::Rule(Rule::FNeg), [(a, D, x)], &[])
    }

    /// Arithmetic in any format.
    #[inline(always)]
    pub(super) fn float(&mut self, op: BinOp, kind: FloatKind, dst: Slot, [a, b]: [Slot; 2]) -> Passed {
        let (x, y) = self.both(a, b)?;
        let rule = FloatOp::Rule(float::rule(op)?);
        let result = Scalar::wide(float::arithmetic(op, kind, x.bits(), y.bits()));
        self.number((dst, kind, result), rule, [(a, kind, x), (b, kind, y)], &[])
    }

    #[inline(always)]
    pub(super) fn resize(&mut self, dst: Slot, a: Slot, from: FloatKind, to: FloatKind) -> Passed {
        let x = self.defined(a)?;
        let result = Scalar::wide(soft::convert(from, to, x.bits()));
        self.number((dst, to, result), FloatOp::Convert, [(a, from, x)], &[])
    }

    #[inline(always)]
    pub(super) fn number_of_int(&mut self, dst: Slot, a: Slot, from: u8, sign: bool) -> Passed {
        let x = self.defined(a)?;
        self.plain([a])?;
        let (value, number) = match sign {
            true => (i128::from(signed(x.lo, from)), signed(x.lo, from) as f64),
            false => (i128::from(x.lo), x.lo as f64),
        };
        self.number((dst, D, Scalar::f64(number)), FloatOp::FromInt, [], &[value])
    }

    #[inline(always)]
    pub(super) fn float_cmp(
        &mut self,
        dst: Slot,
        [a, b]: [Slot; 2],
        pred: FloatPred,
        kind: FloatKind,
        compare: impl FnOnce(Scalar, Scalar) -> bool,
    ) -> Passed {
        let (x, y) = self.both(a, b)?;
        let holds = compare(x, y);
        self.beside.compare(self.pc, pred, kind, [(a, x), (b, y)], holds);
        self.set(dst, Scalar::bool(holds))
    }
}
