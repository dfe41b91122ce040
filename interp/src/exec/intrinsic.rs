//! Intrinsics that are not operations of the table (LangRef, "Intrinsic Functions").

use super::{float, int, soft};
use crate::code::{IntrinsicSite, Slot};
use crate::exec::environment;
use crate::forgets::Forgets;
use crate::interp::Interp;
use crate::intrinsics::{Arith, Intrinsic};
use crate::machine::{Loss, Machine};
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res, TRAPPED, UbKind};
use crate::unwind::exceptions;
use crate::value::{Leaf, Pointer, Scalar, Tag, mask128};

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

impl<M: Machine> Interp<'_, M> {
    /// An argument of one leaf.
    pub(super) fn arg(&self, site: &IntrinsicSite, index: usize) -> Scalar {
        site.args.get(index).map_or(Scalar::POISON, |(slot, _)| self.reg(*slot))
    }

    pub(super) fn arg_ptr(&self, site: &IntrinsicSite, index: usize, what: &str) -> Res<Pointer> {
        Ok(self.need(self.arg(site, index), what)?.as_ptr())
    }

    pub(super) fn arg_slot(&self, site: &IntrinsicSite, index: usize) -> Slot {
        site.args.get(index).map_or(0, |(slot, _)| *slot)
    }

    /// Executes an intrinsic.
    /// An intrinsic; what numbers went into one that is no operation on numbers, its result depends on.
    pub(super) fn intrinsic(&mut self, site: &IntrinsicSite) -> Res {
        if !M::FOLLOWS_LOSSES || !site.kind.computes_bits() || self.forgets(Forgets::BitIntrinsic) {
            return self.execute_intrinsic(site);
        }
        let slots = site.args.iter().flat_map(|(slot, leaves)| *slot..*slot + leaves.len() as Slot);
        let taken: Vec<M::Shadow> = slots.clone().map(|s| self.shadow(s)).filter(|s| !s.is_absent()).collect();
        let parts: Vec<Slot> = if self.parts.is_empty() { Vec::new() } else { slots.collect() };
        if let Some(shadow) = taken.first() {
            self.lose(shadow, Loss::Bits);
        }
        self.lose_parts(&parts, Loss::Bits);
        let left = std::mem::take(&mut self.residue);
        self.execute_intrinsic(site)?;
        for slot in site.dst..site.dst + site.result.len() as Slot {
            self.residue = left.clone();
            self.settle(slot);
        }
        self.residue = M::Shadow::default();
        Ok(())
    }

    fn execute_intrinsic(&mut self, site: &IntrinsicSite) -> Res {
        match site.kind {
            Intrinsic::MemCpy | Intrinsic::MemMove => self.mem_transfer(site),
            Intrinsic::MemSet => {
                let dst = self.arg_ptr(site, 0, "the destination of memset")?;
                let len = self.need(self.arg(site, 2), "the length of memset")?.lo;
                self.check_aligned(dst, site.aligns[0], len)?;
                let stale = self.stale(Forgets::StaleFill, dst, len);
                self.memory.fill(dst, self.arg(site, 1), len)?;
                self.keep_stale(dst, stale);
                self.spread(self.arg_slot(site, 1), dst, len);
                Ok(())
            }
            Intrinsic::LifetimeStart | Intrinsic::LifetimeEnd => {
                let pointer = self.arg_ptr(site, 1, "the address of a lifetime marker")?;
                let here = self.location();
                self.memory.set_lifetime(pointer, site.kind == Intrinsic::LifetimeStart, here)
            }
            Intrinsic::Assume => {
                let holds = self.need(self.arg(site, 0), "the condition of an assumption")?;
                if holds.lo & 1 == 0 {
                    return Err(Fault::ub(
                        UbKind::Assumption,
                        "an assumption (__builtin_assume, __builtin_unreachable) is false",
                    ));
                }
                Ok(())
            }
            // What an optimiser could not find out.
            Intrinsic::ObjectSize => {
                let least = self.arg(site, 1).lo & 1 == 1;
                let width = site.result.first().map_or(64, |l| l.bits());
                self.set(site.dst, Scalar::wide(if least { 0 } else { mask128(width) }));
                Ok(())
            }
            Intrinsic::Nothing | Intrinsic::VectorInsert | Intrinsic::VectorExtract => self.subvector(site),
            Intrinsic::First => {
                self.transfer(site.dst, self.arg_slot(site, 0));
                Ok(())
            }
            Intrinsic::ThreadLocal => {
                let variable = self.arg_ptr(site, 0, "the address of a thread-local variable")?;
                let own = self.thread_local(variable)?;
                self.set(site.dst, Scalar::ptr(own));
                Ok(())
            }
            Intrinsic::LoadRelative => {
                let base = self.need(self.arg(site, 0), "the address of a table of offsets")?.as_ptr();
                let offset = self.need(self.arg(site, 1), "an index into a table of offsets")?.lo as i64;
                let entry = self.memory.load(base.offset(offset), Leaf::Int(32), 4)?;
                let distance = i64::from(self.need(entry, "a relative offset")?.lo as i32);
                // The result points into another object than the table: it is found by its address.
                self.set(site.dst, Scalar::ptr(Pointer { addr: base.offset(distance).addr, prov: 0 }));
                Ok(())
            }
            Intrinsic::IsConstant => {
                self.set(site.dst, Scalar::bool(false));
                Ok(())
            }
            Intrinsic::Ctpop
            | Intrinsic::Ctlz
            | Intrinsic::Cttz
            | Intrinsic::Bswap
            | Intrinsic::BitReverse
            | Intrinsic::Fshl
            | Intrinsic::Fshr
            | Intrinsic::Saturate(..)
            | Intrinsic::SMin
            | Intrinsic::SMax
            | Intrinsic::UMin
            | Intrinsic::UMax
            | Intrinsic::SCmp
            | Intrinsic::UCmp
            | Intrinsic::Abs => self.bitwise(site),
            Intrinsic::Overflow(op, signed) => {
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
            Intrinsic::ReduceAdd
            | Intrinsic::ReduceMul
            | Intrinsic::ReduceAnd
            | Intrinsic::ReduceOr
            | Intrinsic::ReduceXor
            | Intrinsic::ReduceSMin
            | Intrinsic::ReduceSMax
            | Intrinsic::ReduceUMin
            | Intrinsic::ReduceUMax => self.reduce(site),
            Intrinsic::StackSave => {
                // The mark travels as an address without provenance.
                let mark = self.memory.stack_mark() as u64;
                self.set(site.dst, Scalar::word(mark));
                Ok(())
            }
            Intrinsic::StackRestore => {
                let mark = self.need(self.arg(site, 0), "the mark of stackrestore")?.lo;
                let floor = self.frames.last().map_or(0, |f| f.stack_mark) as u64;
                let here = self.location();
                self.memory.stack_release(mark.max(floor) as usize, here);
                Ok(())
            }
            Intrinsic::IsFpClass => {
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
            Intrinsic::Trap => Err(Fault::exit(TRAPPED)),
            Intrinsic::PtrMask => {
                let (pointer, mask) = (self.arg(site, 0), self.arg(site, 1));
                let result = if pointer.is_init() && mask.is_init() {
                    Scalar { lo: pointer.lo & mask.lo, ..pointer }
                } else {
                    self.gep_slow(pointer, mask)
                };
                self.set(site.dst, result);
                Ok(())
            }
            Intrinsic::FpToIntSat(signed) => self.saturating_to_int(site, signed),
            Intrinsic::MaskedLoad | Intrinsic::MaskedStore | Intrinsic::Gather | Intrinsic::Scatter => {
                self.masked(site)
            }
            Intrinsic::ActiveLaneMask => {
                let (base, limit) = (self.arg(site, 0), self.arg(site, 1));
                for lane in 0..site.result.len() as Slot {
                    let result = if base.is_init() && limit.is_init() {
                        Scalar::bool(base.bits() + u128::from(lane) < limit.bits())
                    } else {
                        float::absorb(base, limit)
                    };
                    self.set(site.dst + lane, result);
                }
                Ok(())
            }
            Intrinsic::VectorReverse => {
                let (from, n) = (self.arg_slot(site, 0), site.result.len() as Slot);
                for lane in 0..n {
                    self.transfer(site.dst + lane, from + (n - 1 - lane));
                }
                Ok(())
            }
            Intrinsic::VaStart => {
                let list = self.arg_ptr(site, 0, "the list of va_start")?;
                self.va_start(list)
            }
            Intrinsic::VaEnd => {
                let list = self.arg_ptr(site, 0, "the list of va_end")?;
                self.va_end(list)
            }
            Intrinsic::VaCopy => {
                let (to, from) =
                    (self.arg_ptr(site, 0, "the list of va_copy")?, self.arg_ptr(site, 1, "the list of va_copy")?);
                self.va_copy(to, from)
            }
            Intrinsic::ReadCycles => {
                let steps = self.steps;
                self.set(site.dst, Scalar::word(steps));
                Ok(())
            }
            Intrinsic::Rounding => {
                let mode = self.runtime.environment.number();
                self.set(site.dst, Scalar::word(mode));
                Ok(())
            }
            Intrinsic::SetRounding => {
                let number = self.need(self.arg(site, 0), "a rounding mode")?.lo;
                let mode = environment::from_number(number);
                self.runtime.environment.rounding =
                    mode.ok_or_else(|| Fault::unsupported(format!("the rounding mode {number}")))?;
                Ok(())
            }
            Intrinsic::TypeIdFor => {
                let ty = self.arg_ptr(site, 0, "the type of a handler")?;
                self.set(site.dst, Scalar::i32(exceptions::selector(ty)));
                Ok(())
            }
            Intrinsic::CheckAllowed => {
                self.set(site.dst, Scalar::bool(true));
                Ok(())
            }
            Intrinsic::FixMul(..) | Intrinsic::FixDiv(..) => self.fixed_point(site),
            Intrinsic::ElementCopy | Intrinsic::ElementMove | Intrinsic::ElementSet => self.elements(site),
            Intrinsic::ExpandLoad => self.expand_load(site),
            Intrinsic::CompressStore => self.compress_store(site),
            Intrinsic::VectorSplice
            | Intrinsic::Interleave
            | Intrinsic::Deinterleave
            | Intrinsic::StepVector
            | Intrinsic::VectorCompress
            | Intrinsic::TrailingElements
            | Intrinsic::VectorLength => self.permute(site),
            Intrinsic::ToFp16 | Intrinsic::FromFp16 => self.half_bits(site),
            Intrinsic::Assumed(promise) => self.assumed(promise, site),
        }
    }

    pub(super) fn check_aligned(&self, pointer: Pointer, align: u64, len: u64) -> Res {
        if len == 0 || pointer.addr.is_multiple_of(align.max(1)) {
            return Ok(());
        }
        let text = format!("address {:#x} is not a multiple of {align}", pointer.addr);
        Err(Fault::ub(UbKind::Misaligned, text))
    }

    /// Memory that has been filled with a byte depends on what the byte does.
    fn spread(&mut self, byte: Slot, at: Pointer, len: u64) {
        if M::FOLLOWS_LOSSES && self.any_shadow(&[byte]) {
            self.consume_now(&[byte], Loss::Bits);
            let left = std::mem::take(&mut self.residue);
            for offset in (0..len).step_by(8) {
                self.memory.set_shadow(at.offset(offset as i64), (len - offset).min(8), left.clone());
            }
        }
    }

    fn mem_transfer(&mut self, site: &IntrinsicSite) -> Res {
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

    /// Insertion and extraction of a subvector at a constant index.
    fn subvector(&mut self, site: &IntrinsicSite) -> Res {
        let n = site.result.len() as Slot;
        match site.kind {
            Intrinsic::VectorExtract => {
                let at = self.need(self.arg(site, 1), "the index of a subvector")?.lo as Slot;
                let from = self.arg_slot(site, 0);
                for lane in 0..n {
                    self.transfer(site.dst + lane, from + at + lane);
                }
            }
            Intrinsic::VectorInsert => {
                let at = self.need(self.arg(site, 2), "the index of a subvector")?.lo as Slot;
                let (whole, part) = (self.arg_slot(site, 0), self.arg_slot(site, 1));
                let len = site.args[1].1.len() as Slot;
                for lane in 0..n {
                    let source = if (at..at + len).contains(&lane) { part + (lane - at) } else { whole + lane };
                    self.transfer(site.dst + lane, source);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Element-wise operations on integers.
    fn bitwise(&mut self, site: &IntrinsicSite) -> Res {
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

    pub(super) fn set_poison(&mut self, dst: Slot) -> Res {
        let poison = self.poison();
        self.set(dst, poison);
        Ok(())
    }

    fn reduce(&mut self, site: &IntrinsicSite) -> Res {
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

    fn saturating_to_int(&mut self, site: &IntrinsicSite, signed: bool) -> Res {
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

    /// Masked loads and stores: a lane whose mask is false is not accessed.
    fn masked(&mut self, site: &IntrinsicSite) -> Res {
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
