//! Memory instructions (LangRef, "Memory Access and Addressing Operations").

use super::{both_init, float, int, signed};
use crate::code::{Gep, LoadAt, Slot, flag};
use crate::engine::Engine;
use crate::forgets::Forgets;
use crate::library::Library;
use crate::machine::{Loss, Machine, MemAccess};
use crate::memory::AllocKind;
use crate::memory::access::Access;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res};
use crate::races::Mode;
use crate::value::{Leaf, Pointer, Scalar, Tag, mask64, mask128};

impl<M: Machine, L: Library> Engine<'_, M, L> {
    pub(super) fn load(&mut self, dst: Slot, ptr: Slot, offset: u32, leaf: Leaf, align: u8) -> Res {
        let pointer = self.need(self.reg(ptr), "the address of a load")?.as_ptr().offset(i64::from(offset));
        let value = self.memory.load(pointer, leaf, 1 << align)?;
        self.address(&[ptr]);
        let left = if M::FOLLOWS_ADDRESSES { std::mem::take(&mut self.residue) } else { M::Shadow::default() };
        self.set_loaded(dst, pointer, leaf, value);
        if M::FOLLOWS_ADDRESSES {
            self.residue = left;
            self.settle(dst);
        }
        Ok(())
    }

    /// A load of what nobody looks at.
    pub(super) fn load_unused(&mut self, dst: Slot, ptr: Slot, offset: u32, leaf: Leaf, align: u8) -> Res {
        let before = self.memory.races().map(|races| std::mem::replace(&mut races.mode, Mode::Silent));
        let loaded = self.load(dst, ptr, offset, leaf, align);
        if let (Some(races), Some(before)) = (self.memory.races(), before) {
            races.mode = before;
        }
        loaded
    }

    /// A load whose value may never be used.
    pub(super) fn load_tentatively(&mut self, at: LoadAt, load: u32) -> Res {
        let LoadAt { dst, ptr, offset, leaf, align } = at;
        let pointer = self.need(self.reg(ptr), "the address of a load")?.as_ptr().offset(i64::from(offset));
        if !self.memory.load_tentatively((self.func, load), pointer, leaf.store_size()) {
            return self.load(dst, ptr, offset, leaf, align);
        }
        self.load_unused(dst, ptr, offset, leaf, align)
    }

    /// What a tentative load may have given is used, if it has passed the select.
    pub(super) fn use_tentative(&mut self, load: u32, taken: Option<(Slot, bool)>) -> Res {
        let has_taken = |(cond, when): (Slot, bool)| {
            let cond = self.reg(cond);
            cond.is_init() && (cond.lo & 1 == 1) == when
        };
        if !taken.is_none_or(has_taken) {
            return Ok(());
        }
        let here = self.here();
        self.memory
            .use_tentative((self.func, load))
            .map_err(|fault| fault.note("what it gave is used here", Some(here)))
    }

    /// A load of eight bytes.
    #[inline(always)]
    pub(super) fn load64(&mut self, dst: Slot, ptr: Slot, offset: u32, leaf: Leaf, align: u8) -> Res {
        if M::SHADOWS || M::OBSERVES_MEMORY {
            return self.load(dst, ptr, offset, leaf, align);
        }
        let pointer = self.need(self.reg(ptr), "the address of a load")?.as_ptr();
        let value = self.memory.load8(pointer.offset(i64::from(offset)), 1 << align, leaf)?;
        self.regs[self.base + dst as usize] = value;
        Ok(())
    }

    /// Writes a register with what has been loaded, and the shadows that it had in memory.
    pub(super) fn set_loaded(&mut self, dst: Slot, pointer: Pointer, leaf: Leaf, value: Scalar) {
        if M::SHADOWS || M::OBSERVES_MEMORY {
            let shadow = self.loaded_shadow(pointer, leaf, value);
            let nothing = shadow.is_absent();
            self.set_shadowed(dst, value, shadow);
            if M::SHADOWS && nothing && !self.forgets(Forgets::Parts) {
                self.load_parts(dst, pointer, leaf);
            }
            self.forget(Forgets::Load, dst, 1);
            if matches!(leaf, Leaf::Int(_)) {
                self.forget(Forgets::IntegerLoad, dst, 1);
            }
        } else {
            self.set(dst, value);
        }
    }

    /// The shadow of a loaded leaf: the cell's, or one the machine makes for it, which then stays with the cell.
    pub(super) fn loaded_shadow(&mut self, pointer: Pointer, leaf: Leaf, value: Scalar) -> M::Shadow {
        let size = leaf.store_size();
        let kept = if M::SHADOWS { self.memory.shadow(pointer, size).cloned() } else { None };
        let made = if M::OBSERVES_MEMORY {
            let access = MemAccess { pointer, leaf, at: self.here() };
            self.machine.load(&access, value)
        } else {
            None
        };
        match (kept, made) {
            (Some(shadow), _) => shadow,
            (None, Some(shadow)) => {
                self.memory.set_shadow(pointer, size, shadow.clone());
                shadow
            }
            (None, None) => M::Shadow::default(),
        }
    }

    pub(super) fn store(&mut self, src: Slot, ptr: Slot, offset: u32, leaf: Leaf, align: u8) -> Res {
        let pointer = self.need(self.reg(ptr), "the address of a store")?.as_ptr().offset(i64::from(offset));
        let value = self.reg(src);
        let stale = self.stale(Forgets::StaleStore, pointer, leaf.store_size());
        self.memory.store(pointer, leaf, value, 1 << align)?;
        if M::SHADOWS || M::OBSERVES_MEMORY {
            self.stored(src, pointer, leaf, value);
        }
        if M::FOLLOWS_ADDRESSES && !self.shadow(ptr).is_absent() {
            self.address(&[ptr]);
            let left = std::mem::take(&mut self.residue);
            if self.memory.touched_shadows(pointer, leaf.store_size()).is_empty() {
                self.memory.set_shadow(pointer, leaf.store_size(), left);
            }
        }
        self.keep_stale(pointer, stale);
        Ok(())
    }

    fn stored(&mut self, src: Slot, pointer: Pointer, leaf: Leaf, value: Scalar) {
        let shadow = self.shadow(src);
        if M::OBSERVES_MEMORY {
            let access = MemAccess { pointer, leaf, at: self.here() };
            self.machine.store(&access, value, &shadow);
        }
        if M::SHADOWS && !shadow.is_absent() {
            self.memory.set_shadow(pointer, leaf.store_size(), shadow);
            self.forget_cells(Forgets::Store, pointer, leaf.store_size());
        }
        if M::SHADOWS && !self.forgets(Forgets::StoredParts) {
            self.store_parts(src, pointer);
        }
    }

    pub(super) fn load_bits(&mut self, dst: Slot, ptr: Slot, n: u32, width: u8, align: u8) -> Res {
        let pointer = self.need(self.reg(ptr), "the address of a load")?.as_ptr();
        self.memory.check_access(pointer, packed_size(n, width), 1 << align, Access::Read)?;
        let met =
            if M::FOLLOWS_LOSSES { self.memory.touched_shadows(pointer, packed_size(n, width)) } else { Vec::new() };
        for lane in 0..n {
            // Lanes lie least significant first; gather each from the bytes it touches.
            let mut value = Scalar::word(0);
            for bit in 0..u64::from(width) {
                let at = u64::from(lane) * u64::from(width) + bit;
                let byte = self.memory.load(pointer.offset((at / 8) as i64), Leaf::Int(8), 1)?;
                match byte.tag {
                    Tag::Poison => value = byte,
                    Tag::Undef if value.tag != Tag::Poison => value = int::all_undef(width),
                    Tag::Init if value.tag == Tag::Init => {
                        let set = u128::from(byte.lo >> (at % 8) & 1) << bit;
                        value = Scalar::wide(value.bits() | set);
                    }
                    Tag::Undef | Tag::Init => {}
                }
            }
            met.iter().for_each(|(.., shadow)| self.lose(shadow, Loss::Bits));
            self.set(dst + lane, value);
        }
        Ok(())
    }

    pub(super) fn store_bits(&mut self, src: Slot, ptr: Slot, n: u32, width: u8, align: u8) -> Res {
        let pointer = self.need(self.reg(ptr), "the address of a store")?.as_ptr();
        let size = packed_size(n, width);
        self.memory.check_access(pointer, size, 1 << align, Access::Write)?;
        if M::SHADOWS {
            self.consume_now(&(src..src + n).collect::<Vec<_>>(), Loss::Bits);
        }
        let left = std::mem::take(&mut self.residue);
        for byte in 0..size {
            let mut value = Scalar::word(0);
            for bit in 0..8 {
                let at = byte * 8 + bit;
                let lane = (at / u64::from(width)) as u32;
                if lane >= n {
                    break;
                }
                let lane = self.reg(src + lane);
                let from = at % u64::from(width);
                match lane.tag {
                    Tag::Poison => value = lane,
                    Tag::Undef if value.tag != Tag::Poison => value = int::all_undef(8),
                    Tag::Init if value.tag == Tag::Init => value.lo |= ((lane.bits() >> from & 1) as u64) << bit,
                    Tag::Undef | Tag::Init => {}
                }
            }
            self.memory.store(pointer.offset(byte as i64), Leaf::Int(8), value, 1)?;
            if M::FOLLOWS_LOSSES {
                self.memory.set_shadow(pointer.offset(byte as i64), 1, left.clone());
            }
        }
        Ok(())
    }

    /// `base + by` with the checks of the flags: outside of the object an `inbounds` address is poison.
    #[inline(always)]
    pub(super) fn gep_result(&self, base: Scalar, by: i128, flags: u8) -> Scalar {
        if base.tag != Tag::Init {
            return base;
        }
        let addr = base.lo.wrapping_add(by as u64);
        if flags == 0 || by == 0 {
            return Scalar { lo: addr, hi: base.hi, tag: Tag::Init };
        }
        if flags & flag::INBOUNDS != 0 {
            let inside = match self.memory.bounds(base.as_ptr()) {
                Some((start, size)) => addr.wrapping_sub(start) <= size && base.lo.wrapping_sub(start) <= size,
                // Of an object long gone nothing is known; an address without an object has no bounds at all.
                None => base.hi != 0,
            };
            if !inside {
                return self.poison();
            }
        }
        let exact = i128::from(base.lo) + by;
        let wraps = flags & flag::NUW != 0 && !(by >= 0 && exact >> 64 == 0);
        let overflows = flags & flag::NUSW != 0 && (i64::try_from(by).is_err() || !(0..1i128 << 64).contains(&exact));
        if wraps || overflows {
            return self.poison();
        }
        Scalar { lo: addr, hi: base.hi, tag: Tag::Init }
    }

    /// An address computed from something without a value.
    pub(super) fn gep_slow(&self, base: Scalar, index: Scalar) -> Scalar {
        match float::absorb(base, index).tag {
            Tag::Poison => float::absorb(base, index),
            Tag::Undef | Tag::Init => Scalar::undef(Leaf::Ptr),
        }
    }

    /// The address of a field.
    #[inline(always)]
    pub(super) fn gep_const(&mut self, dst: Slot, base: Slot, offset: i64, flags: u8) {
        self.address(&[base]);
        let result = self.gep_result(self.reg(base), i128::from(offset), flags);
        self.set(dst, result);
    }

    /// The address of an element.
    #[inline(always)]
    pub(super) fn gep_index(
        &mut self,
        dst: Slot,
        [base, index]: [Slot; 2],
        (scale, offset): (u32, i32),
        width: u8,
        flags: u8,
    ) {
        self.address(&[base, index]);
        let (base, index) = (self.reg(base), self.reg(index));
        let result = if both_init(base, index) && width <= 64 {
            let by = i128::from(signed(index.lo, width)) * i128::from(scale) + i128::from(offset);
            self.gep_result(base, by, flags)
        } else {
            self.gep_slow(base, index)
        };
        self.set(dst, result);
    }

    pub(super) fn gep(&mut self, gep: &Gep, dst: Slot, base: Slot, flags: u8) {
        self.address(&[base]);
        gep.terms.iter().for_each(|(slot, ..)| self.address(&[*slot]));
        let base = self.reg(base);
        let mut by = i128::from(gep.offset);
        let mut broken = None;
        for (slot, width, scale) in &gep.terms {
            let index = self.reg(*slot);
            if !index.is_init() {
                broken = Some(self.gep_slow(broken.unwrap_or(base), index));
                continue;
            }
            let index = int::sign_extend(index.bits() & mask128(*width), *width);
            by = by.wrapping_add(i128::from(index as i64) * i128::from(*scale));
        }
        let result = match broken {
            Some(value) => value,
            None => self.gep_result(base, by, flags),
        };
        self.set(dst, result);
    }

    pub(super) fn alloca(&mut self, dst: Slot, count: Slot, size: u32, align: u8, width: u8) -> Res {
        let mut bytes = u64::from(size);
        if width > 0 {
            let count = self.need(self.reg(count), "the number of elements of a stack object")?;
            bytes = bytes
                .checked_mul(count.lo)
                .filter(|_| count.hi == 0)
                .ok_or_else(|| Fault::resource(format!("a stack object of {} elements", count.bits())))?;
        }
        let at = Some(self.here());
        let pointer = self.memory.allocate(bytes, 1 << align, AllocKind::Stack, at)?;
        self.set(dst, Scalar::ptr(pointer));
        Ok(())
    }

    /// The value of an index register.
    pub(super) fn index_value(&self, slot: Slot, width: u8) -> Scalar {
        let value = self.reg(slot);
        if value.is_init() { Scalar::word(signed(value.lo & mask64(width), width.min(64)) as u64) } else { value }
    }
}

/// Bytes of a bit-packed vector.
fn packed_size(n: u32, width: u8) -> u64 {
    (u64::from(n) * u64::from(width)).div_ceil(8)
}
