//! Floating-point arithmetic in every format (LangRef, "Floating-Point Environment": default rounding, no traps).
//!
//! `float` and `double` are the host's; the other formats are `rustc_apfloat`'s, the port of LLVM's own software
//! floats.

use super::{both_init, soft};
use crate::code::{Slot, flag};
use crate::engine::Engine;
use crate::library::Library;
use crate::machine::{CompareEvent, FloatArg, FloatOp, Machine};
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res};
use crate::value::{Scalar, Tag};
use ir::{BinOp, FloatKind, FloatPred};
use num_traits::NumOps;
use rules::Op as Rule;
use std::cmp::Ordering;

/// The result of an operation of which an operand has no value: poison before undefined.
pub fn absorb(a: Scalar, b: Scalar) -> Scalar {
    match (a.tag, b.tag) {
        (Tag::Poison, _) => a,
        (_, Tag::Poison) => b,
        (Tag::Undef | Tag::Init, Tag::Undef | Tag::Init) => Scalar { lo: 0, hi: 0, tag: Tag::Undef },
    }
}

/// The operation of the table for an instruction.
pub fn rule(op: BinOp) -> Option<Rule> {
    match op {
        BinOp::FAdd => Some(Rule::FAdd),
        BinOp::FSub => Some(Rule::FSub),
        BinOp::FMul => Some(Rule::FMul),
        BinOp::FDiv => Some(Rule::FDiv),
        BinOp::FRem => Some(Rule::FRem),
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::UDiv
        | BinOp::SDiv
        | BinOp::URem
        | BinOp::SRem
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor => None,
    }
}

/// Arithmetic of the host, in a format that it has.
fn native<F: NumOps>(op: BinOp, a: F, b: F) -> F {
    match op {
        BinOp::FAdd => a + b,
        BinOp::FSub => a - b,
        BinOp::FMul => a * b,
        BinOp::FDiv => a / b,
        _ => a % b,
    }
}

/// Arithmetic on bits of any format.
pub fn arithmetic(op: BinOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    match kind {
        FloatKind::Double => native(op, f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits().into(),
        FloatKind::Float => native(op, f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into(),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X86Fp80 | FloatKind::Fp128 => soft::arithmetic(op, kind, a, b),
    }
}

/// The order of two numbers; none if one is a NaN.
pub fn order(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    match kind {
        FloatKind::Double => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        FloatKind::Float => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X86Fp80 | FloatKind::Fp128 => soft::order(kind, a, b),
    }
}

/// Do fast-math flags make poison of this number?
pub fn breaks_flags(fast: u8, kind: FloatKind, bits: u128) -> bool {
    if fast == 0 {
        return false;
    }
    let (nan, infinite) = soft::nan_or_infinite(kind, bits);
    fast & flag::NNAN != 0 && nan || fast & flag::NINF != 0 && infinite
}

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Arithmetic on two `double`s.
    #[inline(always)]
    pub(super) fn op_double(&mut self, rule: Rule, dst: Slot, a: Slot, b: Slot, op: impl FnOnce(f64, f64) -> f64) {
        const D: FloatKind = FloatKind::Double;
        let (x, y) = (self.reg(a), self.reg(b));
        let result = if both_init(x, y) { Scalar::f64(op(x.as_f64(), y.as_f64())) } else { absorb(x, y) };
        self.set_float(dst, FloatOp::Rule(rule), D, &[(a, D), (b, D)], result);
    }

    #[inline(always)]
    pub(super) fn op_mul_add(&mut self, dst: Slot, a: Slot, b: Slot, c: Slot) {
        const D: FloatKind = FloatKind::Double;
        let (x, y, z) = (self.reg(a), self.reg(b), self.reg(c));
        let result = if both_init(x, y) && z.is_init() {
            Scalar::f64(x.as_f64() * y.as_f64() + z.as_f64())
        } else {
            absorb(absorb(x, y), z)
        };
        self.set_float(dst, FloatOp::Rule(Rule::FMulAdd), D, &[(a, D), (b, D), (c, D)], result);
    }

    pub(super) fn float_bin(&mut self, op: BinOp, kind: FloatKind, fast: u8, dst: Slot, a: Slot, b: Slot) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        let Some(rule) = rule(op) else { return Err(Fault::bug("an integer operation on numbers")) };
        let result = if x.is_init() && y.is_init() {
            let bits = arithmetic(op, kind, x.bits(), y.bits());
            let broken = [x.bits(), y.bits(), bits].iter().any(|v| breaks_flags(fast, kind, *v));
            if broken { self.poison() } else { Scalar::wide(bits) }
        } else {
            absorb(x, y)
        };
        self.set_float(dst, FloatOp::Rule(rule), kind, &[(a, kind), (b, kind)], result);
        Ok(())
    }

    pub(super) fn fneg(&mut self, kind: FloatKind, fast: u8, dst: Slot, a: Slot) {
        let x = self.reg(a);
        let result = if !x.is_init() {
            x
        } else if breaks_flags(fast, kind, x.bits()) {
            self.poison()
        } else {
            Scalar::wide(x.bits() ^ 1 << (kind.bits() - 1))
        };
        self.set_float(dst, FloatOp::Rule(Rule::FNeg), kind, &[(a, kind)], result);
    }

    pub(super) fn fcmp(&mut self, pred: FloatPred, kind: FloatKind, fast: u8, dst: Slot, a: Slot, b: Slot) {
        let (x, y) = (self.reg(a), self.reg(b));
        let result = if !x.is_init() || !y.is_init() {
            let none = absorb(x, y);
            if none.tag == Tag::Undef { super::int::all_undef(1) } else { none }
        } else if breaks_flags(fast, kind, x.bits()) || breaks_flags(fast, kind, y.bits()) {
            self.poison()
        } else {
            Scalar::bool(pred.holds(order(kind, x.bits(), y.bits())))
        };
        if M::SHADOWS && result.is_init() {
            let (sa, sb) = (self.shadow(a), self.shadow(b));
            if !sa.is_absent() || !sb.is_absent() {
                let event = CompareEvent {
                    pred,
                    a: FloatArg { kind, bits: x.bits(), shadow: &sa },
                    b: FloatArg { kind, bits: y.bits(), shadow: &sb },
                    concrete: result.lo != 0,
                    at: self.here(),
                };
                self.machine.compare(&event);
            }
        }
        self.set(dst, result);
    }
}
