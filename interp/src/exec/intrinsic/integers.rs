//! Intrinsics that compute with integers.

use crate::code::{IntrinsicSite, Slot};
use crate::engine::Engine;
use crate::exec::{float, int, soft};
use crate::intrinsics::{Arith, Intrinsic};
use crate::library::Library;
use crate::machine::{Loss, Machine};
use crate::outcome::{Fault, Res};
use crate::value::{Leaf, Scalar, Tag, mask128};

/// Reverses the lowest `width` bits.
fn reverse_bits(bits: u128, width: u8) -> u128 {
    bits.reverse_bits() >> (128 - u32::from(width))
}

/// The result and overflow of an operation on `width` bits.
fn overflowing(op: Arith, signed: bool, a: u128, b: u128, width: u8) -> (u128, bool) {
    let mask = mask128(width);
    let (sa, sb) = (int::sign_extend(a, width), int::sign_extend(b, width));
    let (bits, unsigned, exact) = match op {
        Arith::Add => (a.wrapping_add(b), a.checked_add(b), sa.checked_add(sb)),
        Arith::Sub => (a.wrapping_sub(b), a.checked_sub(b), sa.checked_sub(sb)),
        Arith::Mul => (a.wrapping_mul(b), a.checked_mul(b), sa.checked_mul(sb)),
        Arith::Shl => {
            let r = a << b & mask;
            let kept = int::sign_extend(r, width) >> b == sa;
            (r, (r >> b == a).then_some(r), kept.then(|| int::sign_extend(r, width)))
        }
    };
    let bits = bits & mask;
    let fits = if signed {
        exact.is_some_and(|r| int::sign_extend(r as u128, width) == r)
    } else {
        unsigned.is_some_and(|r| r == bits)
    };
    (bits, !fits)
}

/// A saturating operation.
fn saturating(op: Arith, signed: bool, a: u128, b: u128, width: u8) -> u128 {
    let (bits, overflow) = overflowing(op, signed, a, b, width);
    if !overflow {
        return bits;
    }
    let highest = mask128(width) >> 1;
    let negative = |x: u128| int::sign_extend(x, width) < 0;
    match (signed, op) {
        (false, Arith::Sub) => 0,
        (false, _) => mask128(width),
        (true, Arith::Mul) if negative(a) != negative(b) => highest + 1,
        (true, Arith::Mul) => highest,
        // The sign of the exact result is that of the first operand.
        (true, _) if negative(a) => highest + 1,
        (true, _) => highest,
    }
}

/// `fshl` and `fshr` of `a:b`.
fn funnel(left: bool, a: u128, b: u128, by: u128, width: u8) -> u128 {
    // The remainder of two words is much cheaper than that of 128 bits.
    let by = match (u64::try_from(by), u64::from(width)) {
        (Ok(by), width) => (by % width) as u32,
        (Err(_), width) => (by % u128::from(width)) as u32,
    };
    let rest = u32::from(width) - by;
    let mask = mask128(width);
    match (left, by) {
        (true, 0) => a,
        (false, 0) => b,
        (true, _) => (a << by | b >> rest) & mask,
        (false, _) => (a << rest | b >> by) & mask,
    }
}

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Element-wise operations on integers.
    pub(super) fn bitwise(&mut self, site: &IntrinsicSite) -> Res {
        let Some(Leaf::Int(width)) = site.args.first().and_then(|(_, leaves)| leaves.first()).copied() else {
            return Err(Fault::bug("an integer intrinsic without an integer"));
        };
        let (x, y) = (self.arg(site, 0), self.arg(site, 1));
        let operands = match site.kind {
            Intrinsic::Ctpop | Intrinsic::Bswap | Intrinsic::BitReverse => 1,
            Intrinsic::Fshl | Intrinsic::Fshr => 3,
            _ => 2,
        };
        for i in 0..operands {
            let x = self.arg(site, i);
            if !x.is_init() {
                let result_width = site.result.first().map_or(width, |l| l.bits());
                let result = if x.tag == Tag::Poison { x } else { int::all_undef(result_width) };
                self.set(site.dst, result);
                return Ok(());
            }
        }
        let (a, b) = (x.bits(), y.bits());
        let (sa, sb) = (int::sign_extend(a, width), int::sign_extend(b, width));
        let order = |less: bool, greater: bool| i128::from(greater) - i128::from(less);
        let result_mask = mask128(site.result.first().map_or(width, |l| l.bits()));
        let poisoned_by = |when: bool| when && b & 1 == 1;
        let value = match site.kind {
            Intrinsic::Ctpop => u128::from(a.count_ones()),
            Intrinsic::Ctlz if poisoned_by(a == 0) => return self.set_poison(site.dst),
            Intrinsic::Cttz if poisoned_by(a == 0) => return self.set_poison(site.dst),
            Intrinsic::Ctlz => u128::from(a.leading_zeros()) - (128 - u128::from(width)),
            Intrinsic::Cttz => u128::from(a.trailing_zeros().min(width.into())),
            Intrinsic::Bswap => a.swap_bytes() >> (128 - u32::from(width)),
            Intrinsic::BitReverse => reverse_bits(a, width),
            Intrinsic::Fshl | Intrinsic::Fshr => {
                funnel(site.kind == Intrinsic::Fshl, a, b, self.arg(site, 2).bits(), width)
            }
            Intrinsic::Saturate(Arith::Shl, _) if b >= u128::from(width) => return self.set_poison(site.dst),
            Intrinsic::Saturate(op, signed) => saturating(op, signed, a, b, width),
            Intrinsic::SMin => {
                if sa < sb {
                    a
                } else {
                    b
                }
            }
            Intrinsic::SMax => {
                if sa > sb {
                    a
                } else {
                    b
                }
            }
            Intrinsic::UMin => a.min(b),
            Intrinsic::UMax => a.max(b),
            Intrinsic::SCmp => order(sa < sb, sa > sb) as u128 & result_mask,
            Intrinsic::UCmp => order(a < b, a > b) as u128 & result_mask,
            Intrinsic::Abs if poisoned_by(sa == int::sign_extend(1 << (width - 1), width)) => {
                return self.set_poison(site.dst);
            }
            Intrinsic::Abs => sa.wrapping_abs() as u128 & mask128(width),
            _ => return Err(Fault::bug("not an integer intrinsic")),
        };
        self.set(site.dst, Scalar::wide(value));
        Ok(())
    }

    /// Results and overflows of an operation, lane by lane.
    pub(super) fn overflow(&mut self, op: Arith, signed: bool, site: &IntrinsicSite) -> Res {
        let lanes = site.args.first().map_or(0, |(_, leaves)| leaves.len()) as Slot;
        for lane in 0..lanes {
            let (a, b) = (self.reg(self.arg_slot(site, 0) + lane), self.reg(self.arg_slot(site, 1) + lane));
            let width = site.result.first().map_or(64, |l| l.bits());
            let (bits, overflow) = if a.is_init() && b.is_init() {
                let (bits, overflow) = overflowing(op, signed, a.bits(), b.bits(), width);
                (Scalar::wide(bits), Scalar::bool(overflow))
            } else {
                let none = float::absorb(a, b);
                if none.tag == Tag::Poison { (none, none) } else { (int::all_undef(width), int::all_undef(1)) }
            };
            self.set(site.dst + lane, bits);
            self.set(site.dst + lanes + lane, overflow);
        }
        Ok(())
    }

    pub(super) fn reduce(&mut self, site: &IntrinsicSite) -> Res {
        let (from, leaves) = &site.args[0];
        let width = leaves.first().map_or(64, |l| l.bits());
        let mut result: Option<Scalar> = None;
        for lane in 0..leaves.len() as Slot {
            let x = self.reg(from + lane);
            let Some(sum) = result else {
                result = Some(x);
                continue;
            };
            if !sum.is_init() || !x.is_init() {
                let none = float::absorb(sum, x);
                result = Some(if none.tag == Tag::Poison { none } else { int::all_undef(width) });
                continue;
            }
            let (a, b) = (sum.bits(), x.bits());
            let (sa, sb) = (int::sign_extend(a, width), int::sign_extend(b, width));
            let value = match site.kind {
                Intrinsic::ReduceAdd => a.wrapping_add(b),
                Intrinsic::ReduceMul => a.wrapping_mul(b),
                Intrinsic::ReduceAnd => a & b,
                Intrinsic::ReduceOr => a | b,
                Intrinsic::ReduceXor => a ^ b,
                Intrinsic::ReduceSMin => {
                    if sa < sb {
                        a
                    } else {
                        b
                    }
                }
                Intrinsic::ReduceSMax => {
                    if sa > sb {
                        a
                    } else {
                        b
                    }
                }
                Intrinsic::ReduceUMin => a.min(b),
                Intrinsic::ReduceUMax => a.max(b),
                _ => return Err(Fault::bug("not a reduction")),
            };
            result = Some(Scalar::wide(value & mask128(width)));
        }
        self.set(site.dst, result.unwrap_or(Scalar::POISON));
        Ok(())
    }

    pub(super) fn saturating_to_int(&mut self, site: &IntrinsicSite, signed: bool) -> Res {
        let (slot, leaves) = &site.args[0];
        let x = self.reg(*slot);
        let (Some(Leaf::Float(kind)), Some(Leaf::Int(width))) = (leaves.first(), site.result.first()) else {
            return Err(Fault::bug("a saturating conversion of something else"));
        };
        let result = if !x.is_init() {
            if x.tag == Tag::Poison { x } else { int::all_undef(*width) }
        } else if soft::nan_or_infinite(*kind, x.bits()).0 {
            Scalar::word(0)
        } else if signed {
            Scalar::wide(soft::to_signed(*kind, x.bits(), *width).0 as u128 & mask128(*width))
        } else {
            Scalar::wide(soft::to_unsigned(*kind, x.bits(), *width).0)
        };
        if M::SHADOWS {
            self.consume_now(&[*slot], Loss::ToInt(result.bits()));
        }
        self.set(site.dst, result);
        Ok(())
    }

    /// Is a number of one of these classes?
    pub(super) fn is_fp_class(&mut self, site: &IntrinsicSite) -> Res {
        let (slot, leaves) = &site.args[0];
        let x = self.reg(*slot);
        let result = match leaves.first() {
            Some(Leaf::Float(kind)) if x.is_init() => {
                let mask = self.arg(site, 1).lo as u32;
                Scalar::bool(soft::class(*kind, x.bits()) & mask != 0)
            }
            _ if x.tag == Tag::Poison => x,
            _ => int::all_undef(1),
        };
        if M::SHADOWS {
            self.consume_now(&[*slot], Loss::ToInt(u128::from(result.lo)));
        }
        self.set(site.dst, result);
        Ok(())
    }
}
