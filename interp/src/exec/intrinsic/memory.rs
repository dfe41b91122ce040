//! Intrinsics that copy, fill and find memory.

use crate::code::{IntrinsicSite, Slot};
use crate::engine::Engine;
use crate::forgets::Forgets;
use crate::intrinsics::Intrinsic;
use crate::library::Library;
use crate::machine::{Loss, Machine};
use crate::outcome::{Fault, Res, UbKind};
use crate::value::{Leaf, Pointer, Scalar};

impl<M: Machine, L: Library> Engine<'_, M, L> {
    pub(super) fn mem_set(&mut self, site: &IntrinsicSite) -> Res {
        let dst = self.arg_ptr(site, 0, "the destination of memset")?;
        let len = self.need(self.arg(site, 2), "the length of memset")?.lo;
        self.check_aligned(dst, site.aligns[0], len)?;
        let stale = self.stale(Forgets::StaleFill, dst, len);
        self.memory.fill(dst, self.arg(site, 1), len)?;
        self.keep_stale(dst, stale);
        self.spread(self.arg_slot(site, 1), dst, len);
        Ok(())
    }

    /// Memory that has been filled with a byte depends on what the byte does.
    pub(super) fn spread(&mut self, byte: Slot, at: Pointer, len: u64) {
        if M::FOLLOWS_LOSSES && self.any_shadow(&[byte]) {
            self.consume_now(&[byte], Loss::Bits);
            let left = std::mem::take(&mut self.residue);
            for offset in (0..len).step_by(8) {
                self.memory.set_shadow(at.offset(offset as i64), (len - offset).min(8), left.clone());
            }
        }
    }

    pub(super) fn mem_transfer(&mut self, site: &IntrinsicSite) -> Res {
        let dst = self.arg_ptr(site, 0, "the destination of memcpy")?;
        let src = self.arg_ptr(site, 1, "the source of memcpy")?;
        let len = self.need(self.arg(site, 2), "the length of memcpy")?.lo;
        self.check_aligned(dst, site.aligns[0], len)?;
        self.check_aligned(src, site.aligns[1], len)?;
        if site.kind == Intrinsic::MemCpy && self.memory.overlaps(dst, src, len) {
            return Err(Fault::ub(UbKind::Overlap, format!("memcpy of {len} bytes between overlapping ranges")));
        }
        let stale = self.stale(Forgets::StaleCopy, dst, len);
        self.memory.copy(dst, src, len)?;
        self.forget_cells(Forgets::Copy, dst, len);
        self.keep_stale(dst, stale);
        if M::SHADOWS && M::OBSERVES_MEMORY {
            let shadows = self.memory.touched_shadows(dst, len);
            self.machine.copied(self.here(), &shadows);
        }
        Ok(())
    }

    pub(super) fn lifetime(&mut self, site: &IntrinsicSite) -> Res {
        let pointer = self.arg_ptr(site, 1, "the address of a lifetime marker")?;
        let here = self.location();
        self.memory.set_lifetime(pointer, site.kind == Intrinsic::LifetimeStart, here)
    }

    pub(super) fn thread_local_address(&mut self, site: &IntrinsicSite) -> Res {
        let variable = self.arg_ptr(site, 0, "the address of a thread-local variable")?;
        let own = self.thread_local(variable)?;
        self.set(site.dst, Scalar::ptr(own));
        Ok(())
    }

    /// An entry of a table of offsets from the table.
    pub(super) fn load_relative(&mut self, site: &IntrinsicSite) -> Res {
        let base = self.need(self.arg(site, 0), "the address of a table of offsets")?.as_ptr();
        let offset = self.need(self.arg(site, 1), "an index into a table of offsets")?.lo as i64;
        let entry = self.memory.load(base.offset(offset), Leaf::Int(32), 4)?;
        let distance = i64::from(self.need(entry, "a relative offset")?.lo as i32);
        // The result points into another object than the table: it is found by its address.
        self.set(site.dst, Scalar::ptr(Pointer { addr: base.offset(distance).addr, prov: 0 }));
        Ok(())
    }

    pub(super) fn ptr_mask(&mut self, site: &IntrinsicSite) -> Res {
        let (pointer, mask) = (self.arg(site, 0), self.arg(site, 1));
        let result = if pointer.is_init() && mask.is_init() {
            Scalar { lo: pointer.lo & mask.lo, ..pointer }
        } else {
            self.gep_slow(pointer, mask)
        };
        self.set(site.dst, result);
        Ok(())
    }

    pub(super) fn stack_restore(&mut self, site: &IntrinsicSite) -> Res {
        let mark = self.need(self.arg(site, 0), "the mark of stackrestore")?.lo;
        let floor = self.frames.last().map_or(0, |f| f.stack_mark) as u64;
        let here = self.location();
        self.memory.stack_release(mark.max(floor) as usize, here);
        Ok(())
    }

    /// Masked loads and stores: a lane whose mask is false is not accessed.
    pub(super) fn masked(&mut self, site: &IntrinsicSite) -> Res {
        // masked.load(ptr, align, mask, passthru); masked.store(value, ptr, align, mask);
        // masked.gather(ptrs, align, mask, passthru); masked.scatter(values, ptrs, align, mask).
        let loads = matches!(site.kind, Intrinsic::MaskedLoad | Intrinsic::Gather);
        let many = matches!(site.kind, Intrinsic::Gather | Intrinsic::Scatter);
        let first = usize::from(!loads);
        let lanes = if loads { site.result.clone() } else { site.args[0].1.clone() };
        let align = self.need(self.arg(site, first + 1), "an alignment")?.lo.max(1).trailing_zeros() as u8;
        let mask = self.arg_slot(site, first + 2);
        let mut offset = 0;
        for (lane, leaf) in (0..).zip(&lanes) {
            let on = self.need(self.reg(mask + lane), "the mask of a memory access")?.lo & 1 == 1;
            let ptr = self.arg_slot(site, first) + if many { lane } else { 0 };
            let (at, lane_align) = if many { (0, align) } else { (offset, if offset == 0 { align } else { 0 }) };
            match (on, loads) {
                (true, true) => self.load(site.dst + lane, ptr, at, *leaf, lane_align)?,
                (false, true) => self.transfer(site.dst + lane, self.arg_slot(site, 3) + lane),
                (true, false) => self.store(self.arg_slot(site, 0) + lane, ptr, at, *leaf, lane_align)?,
                (false, false) => {}
            }
            offset += leaf.store_size() as u32;
        }
        if loads {
            self.forget(Forgets::Masked, site.dst, lanes.len() as u32);
        }
        Ok(())
    }
}
