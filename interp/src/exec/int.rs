//! Integers: of any width up to 128 bits, with undefined bits and poison (LangRef, "Binary Operations").
//!
//! Undefined bits of integers of at most 64 bits are followed exactly through logic, shifts by a defined amount and
//! truncation; additions and products spread them upward; everything else makes the whole result undefined.

use crate::code::{Slot, flag};
use crate::engine::Engine;
use crate::library::Library;
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::value::{Scalar, Tag, mask64, mask128};
use ir::{BinOp, IntPred};

/// Does a sum keep the promises of its flags? `r` is the sum reduced to `width` bits.
#[inline]
pub fn add_fits(a: u64, b: u64, r: u64, width: u8, flags: u8) -> bool {
    let unsigned = flags & flag::NUW == 0 || r >= a;
    let signed = flags & flag::NSW == 0 || ((a ^ r) & (b ^ r)) >> (width - 1) & 1 == 0;
    unsigned && signed
}

/// Does a difference keep the promises of its flags?
#[inline]
pub fn sub_fits(a: u64, b: u64, r: u64, width: u8, flags: u8) -> bool {
    let unsigned = flags & flag::NUW == 0 || a >= b;
    let signed = flags & flag::NSW == 0 || ((a ^ b) & (a ^ r)) >> (width - 1) & 1 == 0;
    unsigned && signed
}

/// Does a product keep the promises of its flags?
#[inline]
pub fn mul_fits(a: u64, b: u64, width: u8, flags: u8) -> bool {
    let unsigned = flags & flag::NUW == 0 || a.checked_mul(b).is_some_and(|r| r & !mask64(width) == 0);
    let signed = flags & flag::NSW == 0 || {
        let product = i128::from(super::signed(a, width)) * i128::from(super::signed(b, width));
        sign_extend(product as u128, width) == product
    };
    unsigned && signed
}

/// The lowest `width` bits as a signed number.
pub fn sign_extend(bits: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}

/// Undefined bits of a leaf of at most 64 bits.
fn undef(x: Scalar) -> u64 {
    if x.tag == Tag::Undef { x.hi } else { 0 }
}

/// A leaf of at most 64 bits with undefined bits.
fn partial(lo: u64, undef: u64) -> Scalar {
    match undef {
        0 => Scalar::word(lo),
        _ => Scalar { lo: lo & !undef, hi: undef, tag: Tag::Undef },
    }
}

/// A leaf all of whose bits are undefined.
pub fn all_undef(width: u8) -> Scalar {
    Scalar::undef(crate::value::Leaf::Int(width))
}

/// `trunc`; `None` is poison (a broken `nuw` or `nsw`).
pub fn trunc(x: Scalar, from: u8, to: u8, flags: u8) -> Option<Scalar> {
    match x.tag {
        Tag::Poison => Some(x),
        Tag::Undef => Some(partial(x.lo & mask64(to), x.hi & mask64(to))),
        Tag::Init => {
            let r = x.lo & mask64(to);
            let unsigned = flags & flag::NUW == 0 || r == x.lo;
            let signed = flags & flag::NSW == 0 || super::signed(r, to) == super::signed(x.lo, from);
            (unsigned && signed).then_some(Scalar::word(r))
        }
    }
}

/// `sext` of a leaf with undefined bits: copies of an undefined sign bit are undefined.
pub fn sext(x: Scalar, from: u8, to: u8) -> Scalar {
    match x.tag {
        Tag::Init | Tag::Poison => x,
        Tag::Undef => {
            let extend = |bits: u64| super::signed(bits, from) as u64 & mask64(to);
            partial(extend(x.lo), extend(x.hi))
        }
    }
}

/// `icmp` on any width and tag. Undefined operands decide `eq` and `ne` only where defined bits differ.
pub fn icmp(pred: IntPred, width: u8, a: Scalar, b: Scalar) -> Scalar {
    if a.tag == Tag::Poison {
        return a;
    }
    if b.tag == Tag::Poison {
        return b;
    }
    if a.tag == Tag::Undef || b.tag == Tag::Undef {
        let loose = undef(a) | undef(b);
        if width <= 64 && (a.lo ^ b.lo) & !loose != 0 && loose != 0 {
            match pred {
                IntPred::Eq => return Scalar::bool(false),
                IntPred::Ne => return Scalar::bool(true),
                _ => {}
            }
        }
        return all_undef(1);
    }
    if width <= 64 {
        return Scalar::bool(super::compare(pred, a.lo, b.lo, width));
    }
    let (x, y) = (a.bits(), b.bits());
    let (sx, sy) = (sign_extend(x, width), sign_extend(y, width));
    Scalar::bool(match pred {
        IntPred::Eq => x == y,
        IntPred::Ne => x != y,
        IntPred::Ugt => x > y,
        IntPred::Uge => x >= y,
        IntPred::Ult => x < y,
        IntPred::Ule => x <= y,
        IntPred::Sgt => sx > sy,
        IntPred::Sge => sx >= sy,
        IntPred::Slt => sx < sy,
        IntPred::Sle => sx <= sy,
    })
}

/// A result with undefined bits, from operands of which none is poison.
fn undef_binary(op: BinOp, width: u8, a: Scalar, b: Scalar) -> Scalar {
    if width > 64 {
        return all_undef(width);
    }
    let mask = mask64(width);
    let (ua, ub) = (undef(a), undef(b));
    // Tag::Undef with an empty mask is a float's or a pointer's: all bits.
    let ua = if a.tag == Tag::Undef && ua == 0 { mask } else { ua };
    let ub = if b.tag == Tag::Undef && ub == 0 { mask } else { ub };
    match op {
        // A defined zero decides a bit of `and`, a defined one a bit of `or`.
        BinOp::And => partial(a.lo & b.lo, (ua | ub) & (ua | a.lo) & (ub | b.lo)),
        BinOp::Or => partial(a.lo | b.lo, (ua | ub) & !(a.lo & !ua) & !(b.lo & !ub)),
        BinOp::Xor => partial(a.lo ^ b.lo, ua | ub),
        BinOp::Shl if ub == 0 => partial(a.lo << b.lo & mask, ua << b.lo & mask),
        BinOp::LShr if ub == 0 => partial(a.lo >> b.lo, ua >> b.lo),
        BinOp::AShr if ub == 0 => {
            let shift = |bits: u64| (super::signed(bits, width) >> b.lo) as u64 & mask;
            partial(shift(a.lo), shift(ua))
        }
        BinOp::Add | BinOp::Sub | BinOp::Mul => {
            let any = ua | ub;
            let above = !((any & any.wrapping_neg()) - 1) & mask;
            let low = match op {
                BinOp::Add => a.lo.wrapping_add(b.lo),
                BinOp::Sub => a.lo.wrapping_sub(b.lo),
                _ => a.lo.wrapping_mul(b.lo),
            };
            partial(low & mask & !above, above)
        }
        _ => all_undef(width),
    }
}

/// A defined result; `Ok(None)` is poison.
pub fn defined_binary(op: BinOp, width: u8, flags: u8, a: u128, b: u128) -> Res<Option<u128>> {
    let mask = mask128(width);
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    let nuw = flags & flag::NUW != 0;
    let nsw = flags & flag::NSW != 0;
    let exact = flags & flag::EXACT != 0;
    // A result that must fit as unsigned, as signed.
    let fit = |bits: u128, unsigned: Option<u128>, signed: Option<i128>| {
        let fits_unsigned = !nuw || unsigned.is_some_and(|r| r & !mask == 0);
        let fits_signed = !nsw || signed.is_some_and(|r| sign_extend(r as u128, width) == r);
        (fits_unsigned && fits_signed).then_some(bits & mask)
    };
    let small_shift = b < u128::from(width);
    let divisor =
        || if b == 0 { Err(Fault::ub(UbKind::DivisionByZero, "an integer division by zero")) } else { Ok(()) };
    let overflow = || {
        let lowest = sign_extend(1 << (width - 1), width);
        if sa == lowest && sb == -1 {
            Err(Fault::ub(UbKind::DivisionOverflow, "a division of the least integer by -1 overflows"))
        } else {
            Ok(())
        }
    };
    Ok(match op {
        BinOp::Add => fit(a.wrapping_add(b), a.checked_add(b), sa.checked_add(sb)),
        BinOp::Sub => fit(a.wrapping_sub(b), a.checked_sub(b), sa.checked_sub(sb)),
        BinOp::Mul => fit(a.wrapping_mul(b), a.checked_mul(b), sa.checked_mul(sb)),
        BinOp::UDiv => {
            divisor()?;
            (!exact || a.is_multiple_of(b)).then(|| a / b)
        }
        BinOp::SDiv => {
            divisor()?;
            overflow()?;
            (!exact || sa.wrapping_rem(sb) == 0).then(|| sa.wrapping_div(sb) as u128 & mask)
        }
        BinOp::URem => {
            divisor()?;
            Some(a % b)
        }
        BinOp::SRem => {
            divisor()?;
            overflow()?;
            Some(sa.wrapping_rem(sb) as u128 & mask)
        }
        BinOp::Shl if small_shift => {
            let r = a << b & mask;
            let unsigned = !nuw || r >> b == a;
            let signed = !nsw || sign_extend(r, width) >> b == sa;
            (unsigned && signed).then_some(r)
        }
        BinOp::LShr if small_shift => (!exact || a >> b << b == a).then(|| a >> b),
        BinOp::AShr if small_shift => (!exact || a >> b << b == a).then(|| (sa >> b) as u128 & mask),
        BinOp::Shl | BinOp::LShr | BinOp::AShr => None,
        BinOp::And => Some(a & b),
        BinOp::Or => (flags & flag::DISJOINT == 0 || a & b == 0).then_some(a | b),
        BinOp::Xor => Some(a ^ b),
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem => {
            return Err(Fault::bug("a floating-point operation on integers"));
        }
    })
}

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Any integer operation on any operands.
    pub(super) fn int_slow(&mut self, op: BinOp, width: u8, flags: u8, dst: Slot, a: Scalar, b: Scalar) -> Res {
        let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
        if divides {
            self.need(b, "the divisor of an integer division")?;
        }
        let result = if a.tag == Tag::Poison {
            a
        } else if b.tag == Tag::Poison {
            b
        } else if a.tag == Tag::Undef || b.tag == Tag::Undef {
            let shifts = matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr);
            if shifts && b.is_init() && b.bits() >= u128::from(width) {
                self.poison()
            } else {
                undef_binary(op, width, a, b)
            }
        } else {
            // Pointers do not get here; provenance is never in `hi`.
            match defined_binary(op, width, flags, a.bits(), b.bits())? {
                Some(bits) => Scalar::wide(bits),
                None => self.poison(),
            }
        };
        self.set(dst, result);
        Ok(())
    }
}
