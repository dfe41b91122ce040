//! Operands of ops that do not fit into an op: edges, calls, checks and the like, in tables of the function.

use super::Slot;
use crate::intrinsics::Intrinsic;
use crate::value::{Leaf, Pointer};
use ir::{BinOp, FloatKind, FloatPred, FuncId, Ordering, RmwOp, TypeId};
use std::rc::Rc;

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
#[derive(Clone, PartialEq, Debug)]
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
    /// In one of several ranges, else poison.
    Ranges(Rc<[(u128, u128)]>),
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
    /// Its leaves are the lanes of one vector.
    pub vector: bool,
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
    /// The edge of an `invoke` to its landing pad, with the index of its clauses.
    pub unwind: Option<(u32, u32)>,
    /// The call promises that no exception leaves it.
    pub nounwind: bool,
}

/// The clauses of a landing pad.
#[derive(Clone, Debug, Default)]
pub struct Landing {
    /// Entered for exceptions that no clause matches, too.
    pub cleanup: bool,
    /// In order.
    pub clauses: Vec<LandingClause>,
}

/// A clause of a landing pad; types are addresses of `std::type_info` objects, null for any.
#[derive(Clone, Debug)]
pub enum LandingClause {
    /// `catch`
    Catch(Pointer),
    /// `filter`: those types may pass.
    Filter(Vec<Pointer>),
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

/// `cmpxchg`, `atomicrmw`, atomic `load` (into `dst`) and `store` (of `a`).
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
    /// The ordering.
    pub order: Ordering,
    /// The ordering of a `cmpxchg` that fails.
    pub failure: Ordering,
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

/// What a constrained intrinsic computes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ConstrainedOp {
    /// `fadd`, `fsub`, `fmul`, `fdiv`, `frem`
    Binary(BinOp),
    /// `fma`
    Fma,
    /// `fmuladd`: two roundings
    FMulAdd,
    /// `fptosi` (signed) and `fptoui`
    ToInt(bool),
    /// `sitofp` (signed) and `uitofp`
    FromInt(bool),
    /// `fptrunc` and `fpext`
    Convert,
    /// `fcmp`, and `fcmps` (signaling)
    Compare(FloatPred, bool),
    /// `rint` (which raises inexact) and `nearbyint`
    ToIntegral(bool),
    /// `lrint` and `llrint`
    RoundToInt,
    /// `sqrt`
    Sqrt,
    /// Any other operation of the table.
    Rule(rules::Op),
}

/// A floating-point operation with a rounding mode and exceptions, on scalars.
#[derive(Clone, Debug)]
pub struct ConstrainedSite {
    /// Which.
    pub op: ConstrainedOp,
    /// The rounding mode that it names; the current one if none.
    pub rounding: Option<Rounding>,
    /// Result slot and kind.
    pub dst: Slot,
    /// Kind of the result.
    pub result: Leaf,
    /// Operands.
    pub args: Vec<(Slot, Leaf)>,
}

/// A rounding mode of the floating-point environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "each is the mode that IEEE 754 names so")]
pub enum Rounding {
    #[default]
    ToNearest,
    Downward,
    Upward,
    TowardZero,
    ToNearestAway,
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
