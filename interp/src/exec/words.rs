//! Integers of at most 64 bits: the fast paths of their ops, where operands are defined and promises kept.

use super::parts::Carry;
use super::{both_init, compare, int, signed};
use crate::code::Slot;
use crate::engine::Engine;
use crate::library::Library;
use crate::machine::Machine;
use crate::outcome::Res;
use crate::value::{Scalar, mask64};
use ir::{BinOp, IntPred};

impl<M: Machine, L: Library> Engine<'_, M, L> {
    #[inline(always)]
    pub(super) fn op_add(&mut self, dst: Slot, [a, b]: [Slot; 2], width: u8, flags: u8) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        self.consume(&[a, b]);
        let r = Scalar::word(x.lo.wrapping_add(y.lo) & mask64(width));
        if both_init(x, y) && (flags == 0 || int::add_fits(x.lo, y.lo, r.lo, width, flags)) {
            self.set(dst, r);
            return Ok(());
        }
        self.int_slow(BinOp::Add, width, flags, dst, x, y)
    }

    #[inline(always)]
    pub(super) fn op_sub(&mut self, dst: Slot, [a, b]: [Slot; 2], width: u8, flags: u8) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        self.consume(&[a, b]);
        let r = Scalar::word(x.lo.wrapping_sub(y.lo) & mask64(width));
        if both_init(x, y) && (flags == 0 || int::sub_fits(x.lo, y.lo, r.lo, width, flags)) {
            self.set(dst, r);
            return Ok(());
        }
        self.int_slow(BinOp::Sub, width, flags, dst, x, y)
    }

    #[inline(always)]
    pub(super) fn op_mul(&mut self, dst: Slot, [a, b]: [Slot; 2], width: u8, flags: u8) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        self.consume(&[a, b]);
        if both_init(x, y) && (flags == 0 || int::mul_fits(x.lo, y.lo, width, flags)) {
            self.set(dst, Scalar::word(x.lo.wrapping_mul(y.lo) & mask64(width)));
            return Ok(());
        }
        self.int_slow(BinOp::Mul, width, flags, dst, x, y)
    }

    #[inline(always)]
    pub(super) fn op_and(&mut self, dst: Slot, [a, b]: [Slot; 2], width: u8) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        let carried = self.carried(Carry::Masks([y, x].map(|o| u128::from(o.lo))), &[a, b], width, width);
        if both_init(x, y) {
            self.set(dst, Scalar::word(x.lo & y.lo));
        } else {
            self.int_slow(BinOp::And, width, 0, dst, x, y)?;
        }
        self.put_carried(dst, width, carried);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn op_or(&mut self, dst: Slot, [a, b]: [Slot; 2], width: u8, flags: u8) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        let carried = self.carried(Carry::Masks([y, x].map(|o| !u128::from(o.lo))), &[a, b], width, width);
        if both_init(x, y) && flags == 0 {
            self.set(dst, Scalar::word(x.lo | y.lo));
        } else {
            self.int_slow(BinOp::Or, width, flags, dst, x, y)?;
        }
        self.put_carried(dst, width, carried);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn op_xor(&mut self, dst: Slot, [a, b]: [Slot; 2], width: u8, flags: u8) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        self.consume(&[a, b]);
        if both_init(x, y) && flags == 0 {
            self.set(dst, Scalar::word(x.lo ^ y.lo));
            return Ok(());
        }
        self.int_slow(BinOp::Xor, width, flags, dst, x, y)
    }

    #[inline(always)]
    pub(super) fn op_shl(&mut self, dst: Slot, [a, b]: [Slot; 2], width: u8, flags: u8) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        let carried = self.carried(Carry::Up(y.lo), &[a], width, width);
        if both_init(x, y) && flags == 0 && y.lo < u64::from(width) {
            self.set(dst, Scalar::word(x.lo << y.lo & mask64(width)));
        } else {
            self.int_slow(BinOp::Shl, width, flags, dst, x, y)?;
        }
        self.put_carried(dst, width, carried);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn op_lshr(&mut self, dst: Slot, [a, b]: [Slot; 2], width: u8, flags: u8) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        let carried = self.carried(Carry::Down(y.lo), &[a], width, width);
        if both_init(x, y) && flags == 0 && y.lo < u64::from(width) {
            self.set(dst, Scalar::word(x.lo >> y.lo));
        } else {
            self.int_slow(BinOp::LShr, width, flags, dst, x, y)?;
        }
        self.put_carried(dst, width, carried);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn op_ashr(&mut self, dst: Slot, [a, b]: [Slot; 2], width: u8, flags: u8) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        self.consume(&[a, b]);
        if both_init(x, y) && flags == 0 && y.lo < u64::from(width) {
            self.set(dst, Scalar::word((signed(x.lo, width) >> y.lo) as u64 & mask64(width)));
            return Ok(());
        }
        self.int_slow(BinOp::AShr, width, flags, dst, x, y)
    }

    /// Any other operation, and those of wider integers.
    #[inline(always)]
    pub(super) fn op_int(&mut self, op: BinOp, dst: Slot, [a, b]: [Slot; 2], width: u8, flags: u8) -> Res {
        let (x, y) = (self.reg(a), self.reg(b));
        let carried = self.carried_wide(op, [x.bits(), y.bits()], [a, b], width);
        self.int_slow(op, width, flags, dst, x, y)?;
        self.put_carried(dst, width, carried);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn op_icmp(&mut self, pred: IntPred, dst: Slot, [a, b]: [Slot; 2], width: u8) {
        let (x, y) = (self.reg(a), self.reg(b));
        self.consume(&[a, b]);
        let quick = both_init(x, y) && width <= 64;
        let result = if quick { Scalar::bool(compare(pred, x.lo, y.lo, width)) } else { int::icmp(pred, width, x, y) };
        self.set(dst, result);
    }

    #[inline(always)]
    pub(super) fn op_trunc(&mut self, dst: Slot, a: Slot, (from, to): (u8, u8), flags: u8) {
        let x = self.reg(a);
        let carried = self.carried(Carry::Keep, &[a], from, to);
        let result = if x.is_init() && flags == 0 {
            Scalar::word(x.lo & mask64(to))
        } else {
            int::trunc(x, from, to, flags).unwrap_or_else(|| self.poison())
        };
        self.set(dst, result);
        self.put_carried(dst, to, carried);
    }

    #[inline(always)]
    pub(super) fn op_zext(&mut self, dst: Slot, a: Slot, (from, to): (u8, u8), flags: u8) {
        let x = self.reg(a);
        let carried = self.carried(Carry::Keep, &[a], from, to);
        let negative = flags != 0 && x.is_init() && signed(x.lo, from) < 0;
        let result = if negative { self.poison() } else { x };
        self.set(dst, result);
        self.put_carried(dst, to, carried);
    }

    #[inline(always)]
    pub(super) fn op_sext(&mut self, dst: Slot, a: Slot, (from, to): (u8, u8)) {
        let x = self.reg(a);
        let carried = self.carried(Carry::Keep, &[a], from, to);
        let result =
            if x.is_init() { Scalar::word(signed(x.lo, from) as u64 & mask64(to)) } else { int::sext(x, from, to) };
        self.set(dst, result);
        self.put_carried(dst, to, carried);
    }
}
