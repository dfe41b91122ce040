//! The lowered form of a function: a dense register program.
//!
//! Registers ("slots") of a frame hold one leaf each: first the function's constants, then its parameters, then its values.
//! Vectors and aggregates take consecutive slots and their element-wise operations are unrolled, so that the executor only ever
//! sees scalars. Phis become moves on edges; a comparison used only by the branch behind it is fused with it.

use crate::intrinsics::Intrinsic;
use crate::value::{Flat, Leaf, Scalar};
use ir::{BinOp, CastOp, FloatKind, FloatPred, FuncId, InstId, IntPred, RmwOp, TypeId};

/// A register of the frame.
pub type Slot = u32;

pub mod flag;

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
    },
    Rmw {
        site: u32,
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

/// An edge of the control-flow graph.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// Where the code of the target block starts.
    pub target: u32,
    /// IR instructions in the target block.
    pub cost: u32,
    /// Moves for its phis in an order that makes them parallel: `(dst, src)`.
    pub moves: Vec<(Slot, Slot)>,
}

/// A `switch`.
#[derive(Clone, Debug)]
pub struct Switch {
    /// Case values, sorted, with their edges.
    pub cases: Vec<(u128, u32)>,
    /// The default edge.
    pub default: u32,
    /// Width of the value.
    pub width: u8,
}

/// What a value must fulfil.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Require {
    /// No undefined bit, no poison, else undefined behaviour.
    NoUndef,
    /// Not null, else poison.
    NonNull,
    /// Address a multiple, else poison.
    Align(u64),
    /// As many bytes may be accessed; `or_null` allows null.
    Dereferenceable {
        /// How many.
        bytes: u64,
        /// Is null allowed?
        or_null: bool,
    },
    /// In the half-open range `[low, high)` modulo the width, else poison.
    Range {
        /// First value inside.
        low: u128,
        /// First value outside.
        high: u128,
    },
    /// Floating-point classes (as of `llvm.is.fpclass`) that are poison.
    NoFpClass(u32),
}

/// Requirements on one operand.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Kinds of its leaves.
    pub leaves: Vec<Leaf>,
    /// In the order of checking: those that make poison first.
    pub requires: Vec<Require>,
    /// What is checked, for the message: "argument 2 of f".
    pub what: String,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Arg {
    /// First slot.
    pub slot: Slot,
    /// Kinds of its leaves.
    pub leaves: Vec<Leaf>,
    /// Requirements of the call site.
    pub checks: Option<Checks>,
    /// `byval`: size and alignment of the copy.
    pub byval: Option<(u64, u64)>,
}

/// The function called.
#[derive(Clone, Copy, Debug)]
pub enum Callee {
    /// Known when lowering.
    Direct(FuncId),
    /// The pointer in a slot.
    Indirect(Slot),
}

/// A call.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The function.
    pub callee: Callee,
    /// Function type of the call.
    pub ty: TypeId,
    /// Arguments; those from `fixed` on are variadic.
    pub args: Vec<Arg>,
    /// Number of fixed parameters.
    pub fixed: usize,
    /// First slot of the result.
    pub dst: Slot,
    /// Kinds of the leaves of the result.
    pub result: Vec<Leaf>,
    /// Kinds of the leaves of all arguments.
    pub leaves: Vec<Leaf>,
    /// Requirements on the result.
    pub ret_checks: Option<Checks>,
    /// The call does not return.
    pub noreturn: bool,
    /// The edge of an `invoke` to its normal target.
    pub normal: Option<u32>,
}

/// A general `getelementptr`.
#[derive(Clone, Debug)]
pub struct Gep {
    /// Constant part of the offset.
    pub offset: i64,
    /// Index slot, width of the index, scale.
    pub terms: Vec<(Slot, u8, i64)>,
}

/// A bit cast between values of different leaves.
#[derive(Clone, Debug)]
pub struct Bitcast {
    /// Leaves before.
    pub from: Vec<Leaf>,
    /// Leaves after.
    pub to: Vec<Leaf>,
}

/// `cmpxchg` and `atomicrmw`.
#[derive(Clone, Debug)]
pub struct AtomicSite {
    /// Result: the old value; for `cmpxchg` also the success bit.
    pub dst: Slot,
    /// Address.
    pub ptr: Slot,
    /// Operand of `atomicrmw`, expected value of `cmpxchg`.
    pub a: Slot,
    /// New value of `cmpxchg`.
    pub b: Slot,
    /// Kind of the cell.
    pub leaf: Leaf,
    /// log2 of the alignment.
    pub align: u8,
    /// Operation of `atomicrmw`.
    pub rmw: Option<RmwOp>,
}

/// A mathematical intrinsic or library function of the table, on scalars.
#[derive(Clone, Debug)]
pub struct MathSite {
    /// The operation.
    pub op: rules::Op,
    /// How the concrete value is computed.
    pub host: crate::host::Host,
    /// Format of the result.
    pub kind: FloatKind,
    /// Fast-math poison.
    pub fast: u8,
    /// Result slot.
    pub dst: Slot,
    /// Floating-point operands with their formats.
    pub floats: Vec<(Slot, FloatKind)>,
    /// Integer operands with their widths.
    pub ints: Vec<(Slot, u8)>,
}

/// An operation of the table with several results, an integer result, or results behind pointers.
#[derive(Clone, Debug)]
pub struct ManySite {
    /// The operation and its operands; `dst` is the first slot of the result.
    pub math: MathSite,
    /// Kinds of the leaves of the returned value.
    pub result: Vec<Leaf>,
    /// Results in the table's order.
    pub outputs: Vec<ManyOutput>,
}

/// One result of a [`ManySite`].
#[derive(Clone, Copy, Debug)]
pub struct ManyOutput {
    /// Where it goes: a leaf of the returned value, or through the pointer in a slot.
    pub place: ManyPlace,
    /// A number of the site's format; else an integer.
    pub is_float: bool,
}

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
pub enum ManyPlace {
    /// The n-th leaf of the returned value.
    Leaf(u32),
    /// Behind the pointer in that slot.
    Pointer(Slot),
}

/// Any other intrinsic.
#[derive(Clone, Debug)]
pub struct IntrinsicSite {
    /// Which.
    pub kind: Intrinsic,
    /// Result slot.
    pub dst: Slot,
    /// Kinds of the leaves of the result.
    pub result: Vec<Leaf>,
    /// First slot and leaves of each argument.
    pub args: Vec<(Slot, Vec<Leaf>)>,
    /// Alignments of the arguments, where promised.
    pub aligns: Vec<u64>,
}

/// A parameter of a lowered function.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its leaves.
    pub leaves: Vec<Leaf>,
    /// Requirements of the function's own declaration.
    pub checks: Option<Checks>,
    /// `byval`: size and alignment of the copy.
    pub byval: Option<(u64, u64)>,
}

/// A lowered function. A declaration has no `ops`.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The register program.
    pub ops: Vec<Op>,
    /// The IR instruction of each op.
    pub origin: Vec<InstId>,
    /// Constants: the first slots of the frame.
    pub consts: Vec<Scalar>,
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
    /// Value checks.
    pub checks: Vec<Checks>,
    /// What is not supported.
    pub messages: Vec<String>,
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
