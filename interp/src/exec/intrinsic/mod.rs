//! Intrinsics that are not operations of the table (LangRef, "Intrinsic Functions").

mod integers;
mod lanes;
mod memory;

use crate::code::{IntrinsicSite, Slot};
use crate::engine::Engine;
use crate::environment;
use crate::forgets::Forgets;
use crate::intrinsics::Intrinsic;
use crate::library::Library;
use crate::machine::{Loss, Machine};
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res, TRAPPED, UbKind};
use crate::unwind::exceptions;
use crate::value::{Pointer, Scalar, mask128};

impl<M: Machine, L: Library> Engine<'_, M, L> {
    /// An argument of one leaf.
    pub(in crate::exec) fn arg(&self, site: &IntrinsicSite, index: usize) -> Scalar {
        site.args.get(index).map_or(Scalar::POISON, |(slot, _)| self.reg(*slot))
    }

    pub(in crate::exec) fn arg_ptr(&self, site: &IntrinsicSite, index: usize, what: &str) -> Res<Pointer> {
        Ok(self.need(self.arg(site, index), what)?.as_ptr())
    }

    pub(in crate::exec) fn arg_slot(&self, site: &IntrinsicSite, index: usize) -> Slot {
        site.args.get(index).map_or(0, |(slot, _)| *slot)
    }

    /// Executes an intrinsic; what numbers went into one that is no operation on numbers, its result depends on.
    pub(in crate::exec) fn intrinsic(&mut self, site: &IntrinsicSite) -> Res {
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

    /// Executes it, whatever rides along.
    fn execute_intrinsic(&mut self, site: &IntrinsicSite) -> Res {
        match site.kind {
            Intrinsic::MemCpy | Intrinsic::MemMove => self.mem_transfer(site),
            Intrinsic::MemSet => self.mem_set(site),
            Intrinsic::LifetimeStart | Intrinsic::LifetimeEnd => self.lifetime(site),
            Intrinsic::Assume => self.assume(site),
            Intrinsic::ObjectSize => self.object_size(site),
            Intrinsic::Nothing | Intrinsic::VectorInsert | Intrinsic::VectorExtract => self.subvector(site),
            Intrinsic::First => self.first_argument(site),
            Intrinsic::ThreadLocal => self.thread_local_address(site),
            Intrinsic::LoadRelative => self.load_relative(site),
            Intrinsic::IsConstant => self.answer(site, Scalar::bool(false)),
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
            Intrinsic::Overflow(op, signed) => self.overflow(op, signed, site),
            Intrinsic::ReduceAdd
            | Intrinsic::ReduceMul
            | Intrinsic::ReduceAnd
            | Intrinsic::ReduceOr
            | Intrinsic::ReduceXor
            | Intrinsic::ReduceSMin
            | Intrinsic::ReduceSMax
            | Intrinsic::ReduceUMin
            | Intrinsic::ReduceUMax => self.reduce(site),
            // The mark travels as an address without provenance.
            Intrinsic::StackSave => self.answer(site, Scalar::word(self.memory.stack_mark() as u64)),
            Intrinsic::StackRestore => self.stack_restore(site),
            Intrinsic::IsFpClass => self.is_fp_class(site),
            Intrinsic::Trap => Err(Fault::exit(TRAPPED)),
            Intrinsic::PtrMask => self.ptr_mask(site),
            Intrinsic::FpToIntSat(signed) => self.saturating_to_int(site, signed),
            Intrinsic::MaskedLoad | Intrinsic::MaskedStore | Intrinsic::Gather | Intrinsic::Scatter => {
                self.masked(site)
            }
            Intrinsic::ActiveLaneMask => self.active_lane_mask(site),
            Intrinsic::VectorReverse => self.vector_reverse(site),
            Intrinsic::VaStart => self.va_start(self.arg_ptr(site, 0, "the list of va_start")?),
            Intrinsic::VaEnd => self.va_end(self.arg_ptr(site, 0, "the list of va_end")?),
            Intrinsic::VaCopy => {
                let [to, from] = [0, 1].map(|index| self.arg_ptr(site, index, "the list of va_copy"));
                self.va_copy(to?, from?)
            }
            Intrinsic::ReadCycles => self.answer(site, Scalar::word(self.steps)),
            Intrinsic::Rounding => self.answer(site, Scalar::word(self.environment.number())),
            Intrinsic::SetRounding => self.set_rounding(site),
            Intrinsic::TypeIdFor => {
                let ty = self.arg_ptr(site, 0, "the type of a handler")?;
                self.answer(site, Scalar::i32(exceptions::selector(ty)))
            }
            Intrinsic::CheckAllowed => self.answer(site, Scalar::bool(true)),
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

    /// Writes the one leaf of the result.
    fn answer(&mut self, site: &IntrinsicSite, value: Scalar) -> Res {
        self.set(site.dst, value);
        Ok(())
    }

    fn assume(&mut self, site: &IntrinsicSite) -> Res {
        let holds = self.need(self.arg(site, 0), "the condition of an assumption")?;
        if holds.lo & 1 == 0 {
            return Err(Fault::ub(
                UbKind::Assumption,
                "an assumption (__builtin_assume, __builtin_unreachable) is false",
            ));
        }
        Ok(())
    }

    /// What an optimiser could not find out.
    fn object_size(&mut self, site: &IntrinsicSite) -> Res {
        let least = self.arg(site, 1).lo & 1 == 1;
        let width = site.result.first().map_or(64, |l| l.bits());
        self.set(site.dst, Scalar::wide(if least { 0 } else { mask128(width) }));
        Ok(())
    }

    fn first_argument(&mut self, site: &IntrinsicSite) -> Res {
        self.transfer(site.dst, self.arg_slot(site, 0));
        Ok(())
    }

    fn set_rounding(&mut self, site: &IntrinsicSite) -> Res {
        let number = self.need(self.arg(site, 0), "a rounding mode")?.lo;
        let mode = environment::from_number(number);
        self.environment.rounding = mode.ok_or_else(|| Fault::unsupported(format!("the rounding mode {number}")))?;
        Ok(())
    }

    pub(in crate::exec) fn check_aligned(&self, pointer: Pointer, align: u64, len: u64) -> Res {
        if len == 0 || pointer.addr.is_multiple_of(align.max(1)) {
            return Ok(());
        }
        let text = format!("address {:#x} is not a multiple of {align}", pointer.addr);
        Err(Fault::ub(UbKind::Misaligned, text))
    }

    pub(in crate::exec) fn set_poison(&mut self, dst: Slot) -> Res {
        let poison = self.poison();
        self.set(dst, poison);
        Ok(())
    }
}
