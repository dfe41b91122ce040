//! Intrinsics that move lanes about (LangRef, "Vector Manipulation Intrinsics", "Masked Vector Expanding Load and
//! Compressing Store Intrinsics"), element-wise atomic block operations, and half-precision bits.

use super::{int, soft};
use crate::code::{IntrinsicSite, Slot};
use crate::engine::Engine;
use crate::intrinsics::Intrinsic;
use crate::library::Library;
use crate::machine::{Loss, Machine};
use crate::outcome::{Fault, Res, UbKind};
use crate::value::{Leaf, Scalar, Tag, mask128};
use ir::FloatKind;

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// Is the lane of a mask on?
    fn lane_on(&self, mask: Slot, lane: Slot) -> Res<bool> {
        Ok(self.need(self.reg(mask + lane), "the mask of a memory access")?.lo & 1 == 1)
    }

    /// `masked.expandload(ptr, mask, passthru)`: consecutive elements to the lanes that are on.
    pub(super) fn expand_load(&mut self, site: &IntrinsicSite) -> Res {
        let (ptr, mask, other) = (self.arg_slot(site, 0), self.arg_slot(site, 1), self.arg_slot(site, 2));
        self.check_consecutive(site, 0, mask, site.result.len())?;
        let mut offset = 0;
        for (lane, leaf) in (0..).zip(&site.result) {
            if self.lane_on(mask, lane)? {
                self.load(site.dst + lane, ptr, offset, *leaf, 0)?;
                offset += leaf.store_size() as u32;
            } else {
                self.transfer(site.dst + lane, other + lane);
            }
        }
        Ok(())
    }

    /// `masked.compressstore(value, ptr, mask)`: the lanes that are on to consecutive elements.
    pub(super) fn compress_store(&mut self, site: &IntrinsicSite) -> Res {
        let (value, ptr, mask) = (self.arg_slot(site, 0), self.arg_slot(site, 1), self.arg_slot(site, 2));
        self.check_consecutive(site, 1, mask, site.args[0].1.len())?;
        let mut offset = 0;
        for (lane, leaf) in (0..).zip(&site.args[0].1) {
            if self.lane_on(mask, lane)? {
                self.store(value + lane, ptr, offset, *leaf, 0)?;
                offset += leaf.store_size() as u32;
            }
        }
        Ok(())
    }

    /// The promised alignment, if anything is accessed at all.
    fn check_consecutive(&self, site: &IntrinsicSite, pointer: usize, mask: Slot, lanes: usize) -> Res {
        let mut any = false;
        for lane in 0..lanes as Slot {
            any |= self.lane_on(mask, lane)?;
        }
        if any {
            let at = self.arg_ptr(site, pointer, "the address of a masked access")?;
            self.check_aligned(at, site.aligns.get(pointer).copied().unwrap_or(1), 1)?;
        }
        Ok(())
    }

    /// Copies and fills by atomic elements of a given size.
    pub(super) fn elements(&mut self, site: &IntrinsicSite) -> Res {
        let dst = self.arg_ptr(site, 0, "the destination of an atomic block operation")?;
        let len = self.need(self.arg(site, 2), "the length of an atomic block operation")?.lo;
        let element = self.need(self.arg(site, 3), "the element size of an atomic block operation")?.lo;
        if !len.is_multiple_of(element.max(1)) {
            let text = format!("{len} bytes are no multiple of the element size {element}");
            return Err(Fault::ub(UbKind::Library, text));
        }
        self.check_aligned(dst, site.aligns[0].max(element), len)?;
        if site.kind == Intrinsic::ElementSet {
            return self.memory.fill(dst, self.arg(site, 1), len);
        }
        let src = self.arg_ptr(site, 1, "the source of an atomic block operation")?;
        self.check_aligned(src, site.aligns[1].max(element), len)?;
        if site.kind == Intrinsic::ElementCopy && len > 0 && dst.addr.abs_diff(src.addr) < len && dst.addr != src.addr {
            return Err(Fault::ub(UbKind::Overlap, format!("memcpy of {len} bytes between overlapping ranges")));
        }
        self.memory.copy(dst, src, len)
    }

    /// Lanes of the result from lanes of the operands.
    pub(super) fn permute(&mut self, site: &IntrinsicSite) -> Res {
        let n = site.result.len() as Slot;
        let width = site.result.first().map_or(64, |l| l.bits());
        match site.kind {
            Intrinsic::VectorSplice => {
                let (a, b) = (self.arg_slot(site, 0), self.arg_slot(site, 1));
                let by = self.need(self.arg(site, 2), "the index of a splice")?.lo as i32;
                // A negative index counts trailing elements of the first vector.
                let from = if by < 0 { n as i32 + by } else { by };
                let Some(from) = u32::try_from(from).ok().filter(|f| *f <= n) else { return self.all_poison(site) };
                for lane in 0..n {
                    let at = from + lane;
                    self.transfer(site.dst + lane, if at < n { a + at } else { b + (at - n) });
                }
            }
            Intrinsic::Interleave => {
                let (a, b) = (self.arg_slot(site, 0), self.arg_slot(site, 1));
                for lane in 0..n {
                    self.transfer(site.dst + lane, if lane % 2 == 0 { a } else { b } + lane / 2);
                }
            }
            // The even lanes, then the odd ones.
            Intrinsic::Deinterleave => {
                let from = self.arg_slot(site, 0);
                for lane in 0..n / 2 {
                    self.transfer(site.dst + lane, from + 2 * lane);
                    self.transfer(site.dst + n / 2 + lane, from + 2 * lane + 1);
                }
            }
            Intrinsic::StepVector => {
                for lane in 0..n {
                    let value = u128::from(lane) & mask128(width);
                    self.set(site.dst + lane, Scalar::wide(value));
                }
            }
            Intrinsic::VectorCompress => self.compress(site)?,
            Intrinsic::TrailingElements => self.trailing_elements(site, width)?,
            Intrinsic::VectorLength => {
                // One choice among those allowed: as many as there are lanes.
                let count = self.need(self.arg(site, 0), "a number of elements")?.bits();
                let factor = u128::from(self.arg(site, 1).lo);
                self.set(site.dst, Scalar::wide(count.min(factor)));
            }
            _ => return Err(Fault::bug("not an operation on lanes")),
        }
        Ok(())
    }

    fn all_poison(&mut self, site: &IntrinsicSite) -> Res {
        for lane in 0..site.result.len() as Slot {
            self.set_poison(site.dst + lane)?;
        }
        Ok(())
    }

    /// The selected lanes first, then what `passthru` has in the lanes that are left.
    fn compress(&mut self, site: &IntrinsicSite) -> Res {
        let (value, mask, other) = (self.arg_slot(site, 0), self.arg_slot(site, 1), self.arg_slot(site, 2));
        let n = site.result.len() as Slot;
        let mut next = 0;
        for lane in 0..n {
            let on = self.reg(mask + lane);
            if !on.is_init() {
                return self.all_poison(site);
            }
            if on.lo & 1 == 1 {
                self.transfer(site.dst + next, value + lane);
                next += 1;
            }
        }
        for lane in next..n {
            self.transfer(site.dst + lane, other + lane);
        }
        Ok(())
    }

    fn trailing_elements(&mut self, site: &IntrinsicSite, width: u8) -> Res {
        let (from, leaves) = (self.arg_slot(site, 0), site.args[0].1.len() as Slot);
        let zero_is_poison = self.arg(site, 1).lo & 1 == 1;
        let mut count = leaves;
        for lane in 0..leaves {
            let x = self.reg(from + lane);
            if !x.is_init() {
                let result = if x.tag == Tag::Poison { x } else { int::all_undef(width) };
                self.set(site.dst, result);
                return Ok(());
            }
            if x.bits() != 0 {
                count = lane;
                break;
            }
        }
        if count == leaves && zero_is_poison {
            return self.set_poison(site.dst);
        }
        self.set(site.dst, Scalar::wide(u128::from(count) & mask128(width)));
        Ok(())
    }

    /// `llvm.convert.to.fp16`, `llvm.convert.from.fp16`: half-precision numbers as their bits.
    pub(super) fn half_bits(&mut self, site: &IntrinsicSite) -> Res {
        let (Some((slot, from)), Some(to)) = (site.args.first(), site.result.first().copied()) else {
            return Err(Fault::bug("a conversion of nothing"));
        };
        let x = self.reg(*slot);
        if !x.is_init() {
            let result = if x.tag == Tag::Poison { x } else { Scalar::undef(to) };
            self.set(site.dst, result);
            return Ok(());
        }
        match (from.first(), to) {
            (Some(Leaf::Float(kind)), Leaf::Int(_)) => {
                if M::SHADOWS {
                    self.consume_now(&[*slot], Loss::Bits);
                }
                self.set(site.dst, Scalar::wide(soft::convert(*kind, FloatKind::Half, x.bits())));
            }
            (_, Leaf::Float(kind)) => {
                self.set(site.dst, Scalar::wide(soft::convert(FloatKind::Half, kind, x.bits())));
            }
            _ => return Err(Fault::bug("a half-precision conversion between other types")),
        }
        Ok(())
    }
}
