//! LLVM's intrinsics that are not in the table of derivative rules, by name.

/// An intrinsic. Element-wise ones are applied lane by lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is the LangRef intrinsic of its name")]
pub enum Intrinsic {
    MemCpy,
    MemMove,
    MemSet,
    LifetimeStart,
    LifetimeEnd,
    Assume,
    ObjectSize,
    /// No effect on an execution.
    Nothing,
    /// The first argument.
    First,
    IsConstant,
    Ctpop,
    Ctlz,
    Cttz,
    Bswap,
    BitReverse,
    Fshl,
    Fshr,
    Overflow(Arith, bool),
    Saturate(Arith, bool),
    SMin,
    SMax,
    UMin,
    UMax,
    SCmp,
    UCmp,
    Abs,
    ReduceAdd,
    ReduceMul,
    ReduceAnd,
    ReduceOr,
    ReduceXor,
    ReduceSMin,
    ReduceSMax,
    ReduceUMin,
    ReduceUMax,
    StackSave,
    StackRestore,
    IsFpClass,
    Trap,
    PtrMask,
    LoadRelative,
    FpToIntSat(bool),
    MaskedLoad,
    MaskedStore,
    Gather,
    Scatter,
    ActiveLaneMask,
    VectorReverse,
    VectorInsert,
    VectorExtract,
    VaStart,
    VaEnd,
    VaCopy,
    ThreadLocal,
    ReadCycles,
    Rounding,
    SetRounding,
    /// Fixed-point multiplication and division: signed, saturating.
    FixMul(bool, bool),
    FixDiv(bool, bool),
    ElementCopy,
    ElementMove,
    ElementSet,
    ExpandLoad,
    CompressStore,
    VectorSplice,
    Interleave,
    Deinterleave,
    StepVector,
    VectorCompress,
    TrailingElements,
    VectorLength,
    ToFp16,
    FromFp16,
    /// Is a check that the program may switch off on?
    CheckAllowed,
    TypeIdFor,
    /// An operand bundle of `llvm.assume`.
    Assumed(Promise),
}

impl Intrinsic {
    /// Are the results integers or numbers made of the bits of integer operands?
    pub fn computes_bits(self) -> bool {
        use Intrinsic as I;
        matches!(
            self,
            I::Ctpop | I::Ctlz | I::Cttz | I::Bswap | I::BitReverse | I::Fshl | I::Fshr | I::Abs | I::FromFp16
        ) || matches!(self, I::Overflow(..) | I::Saturate(..) | I::FixMul(..) | I::FixDiv(..))
            || matches!(self, I::SMin | I::SMax | I::UMin | I::UMax | I::SCmp | I::UCmp | I::TrailingElements)
            || matches!(self, I::ReduceAdd | I::ReduceMul | I::ReduceAnd | I::ReduceOr | I::ReduceXor)
            || matches!(self, I::ReduceSMin | I::ReduceSMax | I::ReduceUMin | I::ReduceUMax)
    }
}

/// What an operand bundle of `llvm.assume` promises of its first operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is the attribute of its name")]
pub enum Promise {
    Align,
    NonNull,
    NoUndef,
    Dereferenceable,
    DereferenceableOrNull,
}

impl Promise {
    /// The promise of a bundle's tag; none if the tag says nothing about a value that an execution could break.
    pub fn find(tag: &str) -> Option<Promise> {
        Some(match tag {
            "align" => Promise::Align,
            "nonnull" => Promise::NonNull,
            "noundef" => Promise::NoUndef,
            "dereferenceable" => Promise::Dereferenceable,
            "dereferenceable_or_null" => Promise::DereferenceableOrNull,
            _ => return None,
        })
    }
}

/// Operations with overflow or saturation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "named as the intrinsics are")]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Shl,
}

/// Names without the `llvm.` in front and the type suffixes behind.
const NAMES: &[(&str, Intrinsic)] = &[
    ("memcpy", Intrinsic::MemCpy),
    ("memcpy.inline", Intrinsic::MemCpy),
    ("memmove", Intrinsic::MemMove),
    ("memset", Intrinsic::MemSet),
    ("memset.inline", Intrinsic::MemSet),
    ("lifetime.start", Intrinsic::LifetimeStart),
    ("lifetime.end", Intrinsic::LifetimeEnd),
    ("assume", Intrinsic::Assume),
    ("objectsize", Intrinsic::ObjectSize),
    ("dbg.value", Intrinsic::Nothing),
    ("dbg.declare", Intrinsic::Nothing),
    ("dbg.assign", Intrinsic::Nothing),
    ("dbg.label", Intrinsic::Nothing),
    ("donothing", Intrinsic::Nothing),
    ("sideeffect", Intrinsic::Nothing),
    ("pseudoprobe", Intrinsic::Nothing),
    ("prefetch", Intrinsic::Nothing),
    ("invariant.end", Intrinsic::Nothing),
    ("var.annotation", Intrinsic::Nothing),
    ("experimental.noalias.scope.decl", Intrinsic::Nothing),
    ("fake.use", Intrinsic::Nothing),
    ("clear_cache", Intrinsic::Nothing),
    ("x86.sse2.pause", Intrinsic::Nothing),
    ("debugtrap", Intrinsic::Trap),
    ("trap", Intrinsic::Trap),
    ("ubsantrap", Intrinsic::Trap),
    ("expect", Intrinsic::First),
    ("expect.with.probability", Intrinsic::First),
    ("launder.invariant.group", Intrinsic::First),
    ("strip.invariant.group", Intrinsic::First),
    ("threadlocal.address", Intrinsic::ThreadLocal),
    ("ssa.copy", Intrinsic::First),
    ("ptr.annotation", Intrinsic::First),
    ("annotation", Intrinsic::First),
    ("preserve.static.offset", Intrinsic::First),
    ("is.constant", Intrinsic::IsConstant),
    ("ctpop", Intrinsic::Ctpop),
    ("ctlz", Intrinsic::Ctlz),
    ("cttz", Intrinsic::Cttz),
    ("bswap", Intrinsic::Bswap),
    ("bitreverse", Intrinsic::BitReverse),
    ("fshl", Intrinsic::Fshl),
    ("fshr", Intrinsic::Fshr),
    ("sadd.with.overflow", Intrinsic::Overflow(Arith::Add, true)),
    ("uadd.with.overflow", Intrinsic::Overflow(Arith::Add, false)),
    ("ssub.with.overflow", Intrinsic::Overflow(Arith::Sub, true)),
    ("usub.with.overflow", Intrinsic::Overflow(Arith::Sub, false)),
    ("smul.with.overflow", Intrinsic::Overflow(Arith::Mul, true)),
    ("umul.with.overflow", Intrinsic::Overflow(Arith::Mul, false)),
    ("sadd.sat", Intrinsic::Saturate(Arith::Add, true)),
    ("uadd.sat", Intrinsic::Saturate(Arith::Add, false)),
    ("ssub.sat", Intrinsic::Saturate(Arith::Sub, true)),
    ("usub.sat", Intrinsic::Saturate(Arith::Sub, false)),
    ("sshl.sat", Intrinsic::Saturate(Arith::Shl, true)),
    ("ushl.sat", Intrinsic::Saturate(Arith::Shl, false)),
    ("smin", Intrinsic::SMin),
    ("smax", Intrinsic::SMax),
    ("umin", Intrinsic::UMin),
    ("umax", Intrinsic::UMax),
    ("scmp", Intrinsic::SCmp),
    ("ucmp", Intrinsic::UCmp),
    ("abs", Intrinsic::Abs),
    ("vector.reduce.add", Intrinsic::ReduceAdd),
    ("vector.reduce.mul", Intrinsic::ReduceMul),
    ("vector.reduce.and", Intrinsic::ReduceAnd),
    ("vector.reduce.or", Intrinsic::ReduceOr),
    ("vector.reduce.xor", Intrinsic::ReduceXor),
    ("vector.reduce.smin", Intrinsic::ReduceSMin),
    ("vector.reduce.smax", Intrinsic::ReduceSMax),
    ("vector.reduce.umin", Intrinsic::ReduceUMin),
    ("vector.reduce.umax", Intrinsic::ReduceUMax),
    ("stacksave", Intrinsic::StackSave),
    ("stackrestore", Intrinsic::StackRestore),
    ("is.fpclass", Intrinsic::IsFpClass),
    ("ptrmask", Intrinsic::PtrMask),
    ("load.relative", Intrinsic::LoadRelative),
    ("fptosi.sat", Intrinsic::FpToIntSat(true)),
    ("fptoui.sat", Intrinsic::FpToIntSat(false)),
    ("masked.load", Intrinsic::MaskedLoad),
    ("masked.store", Intrinsic::MaskedStore),
    ("masked.gather", Intrinsic::Gather),
    ("masked.scatter", Intrinsic::Scatter),
    ("get.active.lane.mask", Intrinsic::ActiveLaneMask),
    ("vector.reverse", Intrinsic::VectorReverse),
    ("vector.insert", Intrinsic::VectorInsert),
    ("vector.extract", Intrinsic::VectorExtract),
    ("va_start", Intrinsic::VaStart),
    ("va_end", Intrinsic::VaEnd),
    ("va_copy", Intrinsic::VaCopy),
    ("readcyclecounter", Intrinsic::ReadCycles),
    ("readsteadycounter", Intrinsic::ReadCycles),
    ("get.rounding", Intrinsic::Rounding),
    ("set.rounding", Intrinsic::SetRounding),
    ("smul.fix", Intrinsic::FixMul(true, false)),
    ("umul.fix", Intrinsic::FixMul(false, false)),
    ("smul.fix.sat", Intrinsic::FixMul(true, true)),
    ("umul.fix.sat", Intrinsic::FixMul(false, true)),
    ("sdiv.fix", Intrinsic::FixDiv(true, false)),
    ("udiv.fix", Intrinsic::FixDiv(false, false)),
    ("sdiv.fix.sat", Intrinsic::FixDiv(true, true)),
    ("udiv.fix.sat", Intrinsic::FixDiv(false, true)),
    ("memcpy.element.unordered.atomic", Intrinsic::ElementCopy),
    ("memmove.element.unordered.atomic", Intrinsic::ElementMove),
    ("memset.element.unordered.atomic", Intrinsic::ElementSet),
    ("masked.expandload", Intrinsic::ExpandLoad),
    ("masked.compressstore", Intrinsic::CompressStore),
    ("vector.splice", Intrinsic::VectorSplice),
    ("vector.interleave2", Intrinsic::Interleave),
    ("vector.deinterleave2", Intrinsic::Deinterleave),
    ("experimental.stepvector", Intrinsic::StepVector),
    ("experimental.vector.compress", Intrinsic::VectorCompress),
    ("experimental.cttz.elts", Intrinsic::TrailingElements),
    ("experimental.get.vector.length", Intrinsic::VectorLength),
    ("convert.to.fp16", Intrinsic::ToFp16),
    ("convert.from.fp16", Intrinsic::FromFp16),
    ("eh.typeid.for", Intrinsic::TypeIdFor),
    ("allow.runtime.check", Intrinsic::CheckAllowed),
    ("allow.ubsan.check", Intrinsic::CheckAllowed),
];

impl Intrinsic {
    /// The intrinsic of a full name such as `llvm.ctpop.v4i32`: the longest known name that a suffix may follow.
    pub fn find(name: &str) -> Option<Intrinsic> {
        let mut rest = name.strip_prefix("llvm.")?;
        loop {
            if let Some((_, found)) = NAMES.iter().find(|(known, _)| *known == rest) {
                return Some(*found);
            }
            if rest == "invariant.start" {
                return Some(Intrinsic::Nothing);
            }
            rest = &rest[..rest.rfind('.')?];
        }
    }

    /// Is it applied lane by lane?
    pub fn is_elementwise(self) -> bool {
        match self {
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
            | Intrinsic::Abs
            | Intrinsic::IsFpClass
            | Intrinsic::PtrMask
            | Intrinsic::FixMul(..)
            | Intrinsic::FixDiv(..)
            | Intrinsic::ToFp16
            | Intrinsic::FromFp16
            | Intrinsic::FpToIntSat(_) => true,
            Intrinsic::MemCpy
            | Intrinsic::MemMove
            | Intrinsic::MemSet
            | Intrinsic::LifetimeStart
            | Intrinsic::LifetimeEnd
            | Intrinsic::Assume
            | Intrinsic::ObjectSize
            | Intrinsic::Nothing
            | Intrinsic::First
            | Intrinsic::ThreadLocal
            | Intrinsic::IsConstant
            | Intrinsic::Overflow(..)
            | Intrinsic::ReduceAdd
            | Intrinsic::ReduceMul
            | Intrinsic::ReduceAnd
            | Intrinsic::ReduceOr
            | Intrinsic::ReduceXor
            | Intrinsic::ReduceSMin
            | Intrinsic::ReduceSMax
            | Intrinsic::ReduceUMin
            | Intrinsic::ReduceUMax
            | Intrinsic::StackSave
            | Intrinsic::StackRestore
            | Intrinsic::Trap
            | Intrinsic::MaskedLoad
            | Intrinsic::MaskedStore
            | Intrinsic::Gather
            | Intrinsic::Scatter
            | Intrinsic::ActiveLaneMask
            | Intrinsic::VectorReverse
            | Intrinsic::VectorInsert
            | Intrinsic::VectorExtract
            | Intrinsic::VaStart
            | Intrinsic::VaEnd
            | Intrinsic::VaCopy
            | Intrinsic::ReadCycles
            | Intrinsic::LoadRelative
            | Intrinsic::SetRounding
            | Intrinsic::ElementCopy
            | Intrinsic::ElementMove
            | Intrinsic::ElementSet
            | Intrinsic::ExpandLoad
            | Intrinsic::CompressStore
            | Intrinsic::VectorSplice
            | Intrinsic::Interleave
            | Intrinsic::Deinterleave
            | Intrinsic::StepVector
            | Intrinsic::VectorCompress
            | Intrinsic::TrailingElements
            | Intrinsic::VectorLength
            | Intrinsic::CheckAllowed
            | Intrinsic::TypeIdFor
            | Intrinsic::Assumed(_)
            | Intrinsic::Rounding => false,
        }
    }
}
