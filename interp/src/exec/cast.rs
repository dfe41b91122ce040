//! Conversions (LangRef, "Conversion Operations") other than of narrow integers, bit casts, freeze and select.

use super::parts::Carry;
use super::{int, soft};
use crate::code::{Bitcast, Slot, flag};
use crate::engine::Engine;
use crate::forgets::Forgets;
use crate::library::Library;
use crate::machine::{FloatOp, Loss, Machine};
use crate::memory::shadow::Shadow;
use crate::memory::spaces::Space;
use crate::outcome::{Fault, Res};
use crate::value::{Leaf, Scalar, Tag, mask128};
use ir::{CastOp, FloatKind};

/// Bits of a pointer.
const POINTER: u8 = 64;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    pub(super) fn convert(&mut self, op: CastOp, from: Leaf, to: Leaf, flags: u8, dst: Slot, a: Slot) {
        let resized = matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt);
        let carried = if resized { self.carried(Carry::Keep, &[a], from.bits(), to.bits()) } else { None };
        self.converted(op, from, to, flags, dst, a);
        self.put_carried(dst, to.bits(), carried);
    }

    fn converted(&mut self, op: CastOp, from: Leaf, to: Leaf, flags: u8, dst: Slot, a: Slot) {
        let x = self.reg(a);
        // The same bits are undefined, as long as some are not.
        let same = matches!(op, CastOp::PtrToInt | CastOp::IntToPtr | CastOp::BitCast) && from.bits() == to.bits();
        if same && from.bits() <= 64 && x.is_partly_undef(from.bits()) {
            return self.transfer(dst, a);
        }
        if !x.is_init() {
            let result = if x.tag == Tag::Poison { x } else { Scalar::undef(to) };
            return self.set(dst, result);
        }
        let bits = x.bits();
        match (op, from, to) {
            (CastOp::FPExt | CastOp::FPTrunc, Leaf::Float(source), Leaf::Float(target)) => {
                let result = Scalar::wide(soft::convert(source, target, bits));
                self.set_float(dst, FloatOp::Convert, target, &[(a, source)], result);
            }
            (CastOp::SIToFP | CastOp::UIToFP, Leaf::Int(width), Leaf::Float(target)) => {
                self.consume_shadow(a);
                let value = int::sign_extend(bits, width);
                let signed = op == CastOp::SIToFP;
                if !signed && flags & flag::NNEG != 0 && value < 0 {
                    let poison = self.poison();
                    return self.set(dst, poison);
                }
                let result = if signed { soft::from_signed(target, value) } else { soft::from_unsigned(target, bits) };
                let seen = if signed { value } else { bits as i128 };
                if M::SHADOWS {
                    self.set_float_shadowed(dst, FloatOp::FromInt, target, &[], &[seen], Scalar::wide(result));
                    self.settle(dst);
                    self.forget(Forgets::FromInteger, dst, 1);
                } else {
                    self.set(dst, Scalar::wide(result));
                }
            }
            (CastOp::FPToSI | CastOp::FPToUI, Leaf::Float(source), Leaf::Int(width)) => {
                let (value, fits) = if op == CastOp::FPToSI {
                    let (value, fits) = soft::to_signed(source, bits, width);
                    (value as u128 & mask128(width), fits)
                } else {
                    soft::to_unsigned(source, bits, width)
                };
                if M::SHADOWS {
                    self.consume_now(&[a], Loss::ToInt(value));
                }
                let result = if fits { Scalar::wide(value) } else { self.poison() };
                self.set(dst, result);
            }
            // A pointer to an object of another space has no value there.
            (CastOp::AddrSpaceCast, _, _)
                if Space::of(u32::from(flags)).is_some_and(|s| !self.memory.is_in(x.as_ptr(), s)) =>
            {
                let poison = self.poison();
                self.set(dst, poison);
            }
            // The same width: the bits, their shadow, and for pointers the provenance.
            (CastOp::BitCast | CastOp::AddrSpaceCast, _, _) => {
                self.transfer(dst, a);
                self.forget(Forgets::Bitcast, dst, 1);
            }
            // An address without an object may be the bits of a number.
            (CastOp::PtrToInt, _, Leaf::Int(POINTER)) if M::SHADOWS && x.hi == 0 => self.transfer(dst, a),
            (CastOp::PtrToInt, _, Leaf::Int(width)) => {
                self.address(&[a]);
                self.set(dst, Scalar::wide(u128::from(x.lo) & mask128(width)));
            }
            (CastOp::IntToPtr, Leaf::Int(POINTER), _) if M::SHADOWS => {
                let shadow = self.shadow(a);
                self.set_shadowed(dst, Scalar::word(x.lo), shadow);
            }
            (CastOp::IntToPtr, _, _) => {
                self.address(&[a]);
                self.set(dst, Scalar::word(x.lo));
            }
            (CastOp::Trunc, Leaf::Int(width), Leaf::Int(narrow)) => {
                let value = bits & mask128(narrow);
                let unsigned = flags & flag::NUW == 0 || value == bits;
                let signed = flags & flag::NSW == 0 || int::sign_extend(value, narrow) == int::sign_extend(bits, width);
                let result = if unsigned && signed { Scalar::wide(value) } else { self.poison() };
                self.set(dst, result);
            }
            (CastOp::ZExt, Leaf::Int(width), _) => {
                let negative = flags & flag::NNEG != 0 && int::sign_extend(bits, width) < 0;
                let result = if negative { self.poison() } else { x };
                self.set(dst, result);
            }
            (CastOp::SExt, Leaf::Int(width), Leaf::Int(wide)) => {
                self.set(dst, Scalar::wide(int::sign_extend(bits, width) as u128 & mask128(wide)));
            }
            // The reader refuses conversions between other types.
            _ => {
                let poison = self.poison();
                self.set(dst, poison);
            }
        }
    }

    fn consume_shadow(&mut self, slot: Slot) {
        if M::SHADOWS {
            self.consume_now(&[slot], Loss::Bits);
        }
    }

    /// A bit cast between vectors of different lanes, or a vector and an integer: the lanes' bits, the first lane
    /// lowest.
    pub(super) fn bitcast(&mut self, cast: &Bitcast, dst: Slot, src: Slot) -> Res {
        let total: usize = cast.from.iter().map(|l| usize::from(l.bits())).sum();
        // One entry for each bit: value, and 0 defined, 1 undefined, 2 poison.
        let mut bits: Vec<(bool, Tag)> = Vec::with_capacity(total);
        for (i, leaf) in cast.from.iter().enumerate() {
            let slot = src + i as Slot;
            let x = self.reg(slot);
            for k in 0..leaf.bits() {
                let tag = match (x.tag, leaf) {
                    (Tag::Undef, _) if x.is_partly_undef(leaf.bits()) && x.hi >> k & 1 == 0 => Tag::Init,
                    (tag, _) => tag,
                };
                let high = x.tag == Tag::Init || k < 64;
                bits.push((high && x.bits() >> k & 1 == 1, tag));
            }
        }
        let parts = if M::SHADOWS { self.cast_parts(src, &cast.from) } else { Vec::new() };
        let mut at = 0;
        for (i, leaf) in cast.to.iter().enumerate() {
            let width = usize::from(leaf.bits());
            let Some(part) = bits.get(at..at + width) else {
                return Err(Fault::bug("a bit cast between types of different size"));
            };
            at += width;
            let word = |f: &dyn Fn(&(bool, Tag)) -> bool| {
                part.iter().enumerate().fold(0u128, |acc, (k, bit)| acc | u128::from(f(bit)) << k)
            };
            let value = word(&|b| b.0);
            let undef = word(&|b| b.1 == Tag::Undef);
            let result = if part.iter().any(|b| b.1 == Tag::Poison) {
                self.poison()
            } else if undef == 0 {
                Scalar::wide(value)
            } else if width <= 64 && undef != mask128(leaf.bits()) {
                Scalar { lo: (value & !undef) as u64, hi: undef as u64, tag: Tag::Undef }
            } else {
                Scalar::undef(*leaf)
            };
            self.set(dst + i as Slot, result);
        }
        if !parts.is_empty() {
            self.put_cast_parts(dst, &cast.to, parts);
            self.forget(Forgets::VectorCast, dst, cast.to.len() as u32);
        }
        Ok(())
    }

    /// `freeze`: what has no value gets one, chosen by the seed (zero for seed 0).
    pub(super) fn freeze(&mut self, dst: Slot, a: Slot, leaf: Leaf) {
        let x = self.reg(a);
        if x.is_init() {
            self.transfer(dst, a);
            return self.forget(Forgets::Freeze, dst, 1);
        }
        let choice = u128::from(self.random()) << 64 | u128::from(self.random());
        let free = mask128(leaf.bits());
        let result = match (x.tag, leaf) {
            _ if x.is_partly_undef(leaf.bits()) => Scalar::word(x.lo | choice as u64 & x.hi & free as u64),
            (_, Leaf::Ptr) => Scalar::word(choice as u64),
            (_, Leaf::Float(FloatKind::X86Fp80)) => Scalar::wide(0),
            _ => Scalar::wide(choice & free),
        };
        self.set(dst, result);
    }

    /// The next free choice (SplitMix64 over the seed; always 0 for seed 0).
    fn random(&mut self) -> u64 {
        if self.limits.seed == 0 {
            return 0;
        }
        self.freezes += 1;
        let mut z = self.limits.seed.wrapping_add(self.freezes.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// `select` of `n` leaves.
    pub(super) fn select(&mut self, dst: Slot, cond: Slot, a: Slot, b: Slot, n: u32) {
        let follows = M::FOLLOWS_LOSSES && !self.forgets(Forgets::Condition);
        let decided = if follows { self.shadow(cond) } else { M::Shadow::default() };
        let cond = self.reg(cond);
        for i in 0..n {
            match cond.tag {
                Tag::Init if cond.lo & 1 == 1 => self.transfer(dst + i, a + i),
                Tag::Init => self.transfer(dst + i, b + i),
                Tag::Poison => self.set(dst + i, cond),
                Tag::Undef => {
                    // Either operand: the same if both are the same.
                    let (x, y) = (self.reg(a + i), self.reg(b + i));
                    if x == y {
                        self.transfer(dst + i, a + i);
                    } else {
                        let worst =
                            if x.tag == Tag::Poison || y.tag == Tag::Poison { self.poison() } else { undef_like() };
                        self.set(dst + i, worst);
                    }
                }
            }
            if M::FOLLOWS_LOSSES && !decided.is_absent() {
                self.lose(&decided, Loss::Bits);
                self.settle(dst + i);
            }
        }
        self.forget(Forgets::Select, dst, n);
    }
}

/// Wholly undefined, of any kind of leaf.
fn undef_like() -> Scalar {
    Scalar { lo: 0, hi: u64::MAX, tag: Tag::Undef }
}
