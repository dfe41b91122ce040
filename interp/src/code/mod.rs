//! The lowered form of a function: a dense register program.
//!
//! Registers ("slots") of a frame hold one leaf each: first the function's constants, then its parameters, then its
//! values. Vectors and aggregates take consecutive slots and their element-wise operations are unrolled, so that the
//! executor only ever sees scalars. Phis become moves on edges; a comparison used only by the branch behind it is fused
//! with it.

mod quick;
mod sites;
pub(crate) mod words;

pub use quick::*;
pub use sites::*;
pub use words::{Cmp, Int, Size};

use crate::value::{Flat, Leaf, Scalar};
use ir::{BinOp, CastOp, FloatKind, FloatPred, InstId, IntPred, Ordering};

/// A register of the frame.
pub type Slot = u32;

pub mod flag;

/// A load of a leaf.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoadAt {
    /// The register that gets it.
    pub dst: Slot,
    /// The register with the address.
    pub ptr: Slot,
    /// How far behind the address, in bytes.
    pub offset: u32,
    /// Its kind.
    pub leaf: Leaf,
    /// log2 of the alignment.
    pub align: u8,
}

/// One instruction of the register program.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "fields are named as in the LangRef; `dst` and operands are slots")]
pub enum Op {
    /// Follow an edge.
    Jump {
        edge: u32,
    },
    /// Follow `edge` if true, the one after it if false.
    Branch {
        cond: Slot,
        edge: u32,
    },
    /// A fused integer comparison and branch.
    BranchCmp {
        pred: IntPred,
        width: u8,
        a: Slot,
        b: Slot,
        edge: u32,
    },
    /// Index into [`Code::switches`].
    Switch {
        value: Slot,
        table: u32,
    },
    /// Return `n` leaves.
    Ret {
        src: Slot,
        n: u32,
    },
    Unreachable,
    /// Index into [`Code::calls`].
    Call {
        site: u32,
    },
    Add {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
        flags: u8,
    },
    Sub {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
        flags: u8,
    },
    Mul {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
        flags: u8,
    },
    And {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
    },
    /// Logic and shifts of at most 64 bits.
    Or {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
        flags: u8,
    },
    Xor {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
        flags: u8,
    },
    Shl {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
        flags: u8,
    },
    LShr {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
        flags: u8,
    },
    AShr {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
        flags: u8,
    },
    /// Any integer operation of any width.
    IntBin {
        op: BinOp,
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
        flags: u8,
    },
    ICmp {
        pred: IntPred,
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
    },
    /// `double` without fast-math poison.
    FAdd {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    FSub {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    FMul {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    FDiv {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// x·y + z of `double`s, rounded twice, without fast-math poison.
    FMulAdd {
        dst: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    FloatBin {
        op: BinOp,
        kind: FloatKind,
        fast: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    FNeg {
        kind: FloatKind,
        fast: u8,
        dst: Slot,
        a: Slot,
    },
    FCmp {
        pred: FloatPred,
        kind: FloatKind,
        fast: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// Of integers of at most 64 bits.
    Trunc {
        dst: Slot,
        a: Slot,
        from: u8,
        to: u8,
        flags: u8,
    },
    ZExt {
        dst: Slot,
        a: Slot,
        from: u8,
        to: u8,
        flags: u8,
    },
    SExt {
        dst: Slot,
        a: Slot,
        from: u8,
        to: u8,
    },
    /// Any other conversion of one leaf.
    Convert {
        op: CastOp,
        from: Leaf,
        to: Leaf,
        flags: u8,
        dst: Slot,
        a: Slot,
    },
    /// Index into [`Code::bitcasts`].
    Bitcast {
        dst: Slot,
        src: Slot,
        table: u32,
    },
    Copy {
        dst: Slot,
        src: Slot,
        n: u32,
    },
    Load {
        dst: Slot,
        ptr: Slot,
        offset: u32,
        leaf: Leaf,
        align: u8,
    },
    /// A lane of a vector that nobody looks at: an optimiser loads more than the program reads (LangRef, "Memory Model
    /// for Concurrent Operations": who loads what another thread writes gets undef). It is no access that may race.
    LoadUnused {
        dst: Slot,
        ptr: Slot,
        offset: u32,
        leaf: Leaf,
        align: u8,
    },
    /// A load of whose value nothing comes in its block: it has happened when that is used
    /// ([`crate::races::tentative`]).
    LoadTentative {
        at: LoadAt,
        load: u32,
    },
    /// What that load may have given is used; if a select has taken that arm, where it has passed one.
    Use {
        load: u32,
        taken: Option<(Slot, bool)>,
    },
    Load64 {
        dst: Slot,
        ptr: Slot,
        offset: u32,
        leaf: Leaf,
        align: u8,
    },
    LoadPtr {
        dst: Slot,
        ptr: Slot,
        offset: u32,
        align: u8,
    },
    Store {
        src: Slot,
        ptr: Slot,
        offset: u32,
        leaf: Leaf,
        align: u8,
    },
    /// Bit-packed vectors of `n` lanes of `width` bits.
    LoadBits {
        dst: Slot,
        ptr: Slot,
        n: u32,
        width: u8,
        align: u8,
    },
    StoreBits {
        src: Slot,
        ptr: Slot,
        n: u32,
        width: u8,
        align: u8,
    },
    GepConst {
        dst: Slot,
        base: Slot,
        offset: i64,
        flags: u8,
    },
    /// `base + index * scale + offset`
    GepIndex {
        dst: Slot,
        base: Slot,
        index: Slot,
        scale: u32,
        offset: i32,
        width: u8,
        flags: u8,
    },
    /// Index into [`Code::geps`].
    Gep {
        dst: Slot,
        base: Slot,
        table: u32,
        flags: u8,
    },
    /// `n` leaves under one condition.
    Select {
        dst: Slot,
        cond: Slot,
        a: Slot,
        b: Slot,
        n: u32,
    },
    Freeze {
        dst: Slot,
        a: Slot,
        leaf: Leaf,
    },
    /// A lane (of `n` leaves in all) at a variable index.
    Extract {
        dst: Slot,
        vector: Slot,
        index: Slot,
        n: u32,
        width: u8,
    },
    Insert {
        dst: Slot,
        vector: Slot,
        value: Slot,
        index: Slot,
        n: u32,
        width: u8,
    },
    /// `count` elements of `size` bytes; no count is one.
    Alloca {
        dst: Slot,
        count: Slot,
        size: u32,
        align: u8,
        width: u8,
    },
    /// Index into [`Code::atomics`].
    CmpXchg {
        site: u32,
        weak: bool,
    },
    Rmw {
        site: u32,
    },
    AtomicLoad {
        site: u32,
    },
    AtomicStore {
        site: u32,
    },
    Fence {
        order: Ordering,
    },
    /// Index into [`Code::math`].
    Math {
        site: u32,
    },
    /// Index into [`Code::many`].
    MathMany {
        site: u32,
    },
    /// Index into [`Code::intrinsics`].
    Intrinsic {
        site: u32,
    },
    /// Exception object and selector of the landing pad just entered.
    LandingPad {
        dst: Slot,
    },
    /// Goes on with the exception whose object is in `src`.
    Resume {
        src: Slot,
    },
    /// Index into [`Code::constrained`].
    Constrained {
        site: u32,
    },
    /// Index into [`Code::indirect`].
    IndirectBr {
        address: Slot,
        table: u32,
    },
    /// The next variadic argument of a list.
    VaArg {
        dst: Slot,
        list: Slot,
        leaf: Leaf,
    },
    /// Check the leaves of a value against [`Code::checks`].
    Check {
        src: Slot,
        table: u32,
    },
    /// Index into [`Code::messages`].
    Unsupported {
        message: u32,
    },
}

const _: () = assert!(size_of::<Op>() <= 24);

/// A lowered function. A declaration has no `ops`.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The register program.
    pub ops: Vec<Op>,
    /// The IR instruction of each op.
    pub origin: Vec<InstId>,
    /// Constants: the first slots of the frame.
    pub consts: Vec<Scalar>,
    /// Floating-point constants that may have been rounded to their formats.
    pub literals: Vec<(Slot, FloatKind)>,
    /// Constants that are addresses of thread-local variables (each thread has its own) or of shared ones (each block
    /// of a grid).
    pub thread_locals: Vec<Slot>,
    /// Slots of a frame.
    pub frame: usize,
    /// Parameters: they stand behind the constants.
    pub params: Vec<Param>,
    /// Leaves of the result.
    pub result: Vec<Leaf>,
    /// Requirements on the result.
    pub ret_checks: Option<Checks>,
    /// Takes `...`.
    pub vararg: bool,
    /// The function does not return.
    pub noreturn: bool,
    /// The program declares that it carries no derivative: its result has no shadow.
    pub inactive: bool,
    /// IR instructions in the entry block.
    pub entry_cost: u32,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Switches.
    pub switches: Vec<Switch>,
    /// Calls.
    pub calls: Vec<CallSite>,
    /// General address computations.
    pub geps: Vec<Gep>,
    /// Bit casts.
    pub bitcasts: Vec<Bitcast>,
    /// Atomic operations.
    pub atomics: Vec<AtomicSite>,
    /// Mathematical operations.
    pub math: Vec<MathSite>,
    /// Mathematical operations with several results.
    pub many: Vec<ManySite>,
    /// Intrinsics.
    pub intrinsics: Vec<IntrinsicSite>,
    /// Floating-point operations with rounding mode and exceptions.
    pub constrained: Vec<ConstrainedSite>,
    /// Targets of indirect branches: addresses and edges.
    pub indirect: Vec<Vec<(u64, u32)>>,
    /// Landing pads.
    pub landings: Vec<Landing>,
    /// No exception leaves the function.
    pub nounwind: bool,
    /// Value checks.
    pub checks: Vec<Checks>,
    /// What is not supported.
    pub messages: Vec<String>,
    /// The same for when everything is defined and allowed.
    pub quick: QuickCode,
}

impl Code {
    /// Leaves of all parameters.
    pub fn param_leaves(&self) -> usize {
        self.params.iter().map(|p| p.leaves.len()).sum()
    }
}

/// Leaves of a type without their offsets.
pub fn kinds(flat: &Flat) -> Vec<Leaf> {
    flat.leaves.iter().map(|(leaf, _)| *leaf).collect()
}
