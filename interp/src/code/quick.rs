//! The quick form of a function: what [`Op`]s do when every operand is defined and every access is allowed.
//!
//! There is one quick op for each op, at the same index, so that execution can change from one form to the other before
//! any instruction. A quick op either does exactly what the op does, or nothing at all: then the op itself is executed,
//! which knows undefined bits, poison, faults, shadows and threads. Ops that are not worth it are [`Quick::Leave`].
//! What is known when lowering is worked out here: widths of comparisons become shifts, flags become different ops. A
//! quick op may do the work of the ops behind it too (Ertl and Gregg, "Optimizing indirect branch prediction accuracy
//! in virtual machine interpreters", PLDI 2003: superinstructions); these stay where they are, for jumps to them.

use super::words::{compare, size};
use super::{Code, Op, Slot, flag};
use crate::code::words::{Cmp, Int, Size};
use crate::value::Leaf;
use ir::{BinOp, CastOp, FloatKind, FloatPred};

/// A quick op. Fields are named as those of [`Op`].
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "named as the ops that they stand for")]
pub enum Quick {
    /// Nothing quick: the op itself is executed.
    Leave,
    Jump {
        hop: u32,
    },
    Branch {
        cond: Slot,
        hop: u32,
    },
    BranchCmp {
        cmp: Cmp,
        shift: u8,
        a: Slot,
        b: Slot,
        hop: u32,
    },
    /// A comparison of `double`s and the branch behind it.
    BranchFloat {
        pred: FloatPred,
        dst: Slot,
        a: Slot,
        b: Slot,
        hop: u32,
    },
    ICmp {
        cmp: Cmp,
        shift: u8,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    FCmp {
        pred: FloatPred,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Add {
        dst: Slot,
        a: Slot,
        b: Slot,
        mask: u64,
    },
    /// No signed overflow; `shift` is 64 less the width.
    AddNsw {
        dst: Slot,
        a: Slot,
        b: Slot,
        shift: u8,
    },
    /// Neither signed nor unsigned overflow.
    AddNuw {
        dst: Slot,
        a: Slot,
        b: Slot,
        shift: u8,
        nsw: bool,
    },
    Sub {
        dst: Slot,
        a: Slot,
        b: Slot,
        mask: u64,
    },
    SubNsw {
        dst: Slot,
        a: Slot,
        b: Slot,
        shift: u8,
    },
    Mul {
        dst: Slot,
        a: Slot,
        b: Slot,
        mask: u64,
    },
    MulNsw {
        dst: Slot,
        a: Slot,
        b: Slot,
        shift: u8,
    },
    Divide {
        op: Int,
        dst: Slot,
        a: Slot,
        b: Slot,
        shift: u8,
    },
    And {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Or {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Xor {
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    Shl {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
    },
    LShr {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
    },
    AShr {
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
    },
    /// Any operation of at most 64 bits with promises that may be broken.
    Promised {
        op: BinOp,
        dst: Slot,
        a: Slot,
        b: Slot,
        width: u8,
        flags: u8,
    },
    Trunc {
        dst: Slot,
        a: Slot,
        mask: u64,
    },
    TruncPromised {
        dst: Slot,
        a: Slot,
        from: u8,
        to: u8,
        flags: u8,
    },
    /// None of these bits is set.
    ZExt {
        dst: Slot,
        a: Slot,
        clear: u64,
    },
    SExt {
        dst: Slot,
        a: Slot,
        from: u8,
        to: u8,
    },
    /// `sitofp`, `uitofp` to `double`.
    FromInt {
        dst: Slot,
        a: Slot,
        from: u8,
        signed: bool,
    },
    /// Arithmetic in another format than `double`.
    Float {
        op: BinOp,
        kind: FloatKind,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    FloatCmp {
        pred: FloatPred,
        kind: FloatKind,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// `fpext`, `fptrunc`.
    Resize {
        dst: Slot,
        a: Slot,
        from: FloatKind,
        to: FloatKind,
    },
    /// `fptosi`
    ToInt {
        dst: Slot,
        a: Slot,
        from: FloatKind,
        width: u8,
    },
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
    FMulAdd {
        dst: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    FNeg {
        dst: Slot,
        a: Slot,
    },
    Copy {
        dst: Slot,
        a: Slot,
    },
    Select {
        dst: Slot,
        cond: Slot,
        a: Slot,
        b: Slot,
    },
    Load {
        size: Size,
        align: u8,
        number: bool,
        dst: Slot,
        ptr: Slot,
        offset: u32,
    },
    LoadPtr {
        align: u8,
        dst: Slot,
        ptr: Slot,
        offset: u32,
    },
    Store {
        size: Size,
        align: u8,
        number: bool,
        src: Slot,
        ptr: Slot,
        offset: u32,
    },
    StorePtr {
        align: u8,
        src: Slot,
        ptr: Slot,
        offset: u32,
    },
    GepConst {
        dst: Slot,
        base: Slot,
        offset: i64,
        inbounds: bool,
    },
    GepIndex {
        dst: Slot,
        base: Slot,
        index: Slot,
        scale: u32,
        offset: i32,
        width: u8,
        inbounds: bool,
    },
    /// An address computation and the load through it.
    GepLoad {
        dst: Slot,
        base: Slot,
        index: Slot,
        scale: u32,
        into: Slot,
        width: u8,
        size: Size,
        align: u8,
        number: bool,
    },
    /// An address computation and the store through it.
    GepStore {
        dst: Slot,
        base: Slot,
        index: Slot,
        scale: u32,
        src: Slot,
        width: u8,
        size: Size,
        align: u8,
        number: bool,
    },
    /// A load of 32 bits and its extension.
    LoadSExt {
        align: u8,
        dst: Slot,
        ptr: Slot,
        wide: Slot,
        to: u8,
    },
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub struct Hop {
    /// Where the code of the target block starts.
    pub target: u32,
    /// IR instructions in the target block.
    pub cost: u32,
    /// First of its moves.
    pub first: u32,
    /// Behind the last.
    pub end: u32,
}

/// The quick form of a function.
#[derive(Clone, Debug, Default)]
pub struct QuickCode {
    /// By the index of the op.
    pub ops: Vec<Quick>,
    /// Edges, as in [`Code::edges`].
    pub hops: Vec<Hop>,
    /// Moves of all edges, one edge after the other.
    pub moves: Vec<(Slot, Slot)>,
}

impl QuickCode {
    /// The quick form of lowered code.
    pub fn new(code: &Code) -> QuickCode {
        let mut quick = QuickCode::default();
        for edge in &code.edges {
            let first = quick.moves.len() as u32;
            quick.moves.extend(&edge.moves);
            let end = quick.moves.len() as u32;
            quick.hops.push(Hop { target: edge.target, cost: edge.cost, first, end });
        }
        let single: Vec<Quick> = code.ops.iter().map(|op| one(*op)).collect();
        quick.thread(&single);
        let pair = |i: usize| single.get(i + 1).and_then(|next| two(single[i], *next));
        quick.ops = (0..single.len()).map(|i| pair(i).unwrap_or(single[i])).collect();
        quick
    }

    /// Edges to a block in which nothing happens lead to where that one leads.
    fn thread(&mut self, ops: &[Quick]) {
        const LONGEST: usize = 8;
        let before = self.hops.clone();
        for (at, hop) in self.hops.iter_mut().enumerate() {
            let mut through: Vec<usize> = vec![at];
            while through.len() < LONGEST
                && let Some(Quick::Jump { hop: next }) = ops.get(hop.target as usize)
            {
                through.push(*next as usize);
                let next = before[*next as usize];
                hop.target = next.target;
                hop.cost += next.cost;
            }
            if through.len() > 1 && through.iter().any(|h| before[*h].first != before[*h].end) {
                let first = self.moves.len() as u32;
                for h in through {
                    self.moves.extend_from_within(before[h].first as usize..before[h].end as usize);
                }
                (hop.first, hop.end) = (first, self.moves.len() as u32);
            }
        }
    }
}

/// What an address computation promises, if it is one of the common promises: nothing, or to stay inside.
fn inbounds(flags: u8) -> Option<bool> {
    match flags {
        0 => Some(false),
        f if f & flag::INBOUNDS != 0 && f & flag::NUW == 0 => Some(true),
        _ => None,
    }
}

/// The quick form of one op: of control, of moves and of memory.
fn one(op: Op) -> Quick {
    match op {
        Op::Jump { edge } => Quick::Jump { hop: edge },
        Op::Branch { cond, edge } => Quick::Branch { cond, hop: edge },
        Op::BranchCmp { pred, width, a, b, edge } => {
            let (cmp, shift, swap) = compare(pred, width);
            let (a, b) = if swap { (b, a) } else { (a, b) };
            Quick::BranchCmp { cmp, shift, a, b, hop: edge }
        }
        Op::Copy { dst, src, n: 1 } => Quick::Copy { dst, a: src },
        Op::Select { dst, cond, a, b, n: 1 } => Quick::Select { dst, cond, a, b },
        Op::Load { dst, ptr, offset, leaf, align } | Op::Load64 { dst, ptr, offset, leaf, align } => match size(leaf) {
            Some(size) => Quick::Load { size, align, number: leaf.is_float(), dst, ptr, offset },
            None => Quick::Leave,
        },
        Op::LoadPtr { dst, ptr, offset, align } => Quick::LoadPtr { align, dst, ptr, offset },
        Op::Store { src, ptr, offset, leaf: Leaf::Ptr, align } => Quick::StorePtr { align, src, ptr, offset },
        Op::Store { src, ptr, offset, leaf, align } => match size(leaf) {
            Some(size) => Quick::Store { size, align, number: leaf.is_float(), src, ptr, offset },
            None => Quick::Leave,
        },
        Op::GepConst { dst, base, offset, flags } => match inbounds(flags) {
            Some(inbounds) => Quick::GepConst { dst, base, offset, inbounds },
            None => Quick::Leave,
        },
        Op::GepIndex { dst, base, index, scale, offset, width, flags } if width <= 64 => match inbounds(flags) {
            Some(inbounds) => Quick::GepIndex { dst, base, index, scale, offset, width, inbounds },
            None => Quick::Leave,
        },
        _ => integer(op),
    }
}

/// The quick form of an op on integers.
fn integer(op: Op) -> Quick {
    const NSW: u8 = flag::NSW;
    const BOTH: u8 = flag::NUW | flag::NSW;
    let mask = crate::value::mask64;
    match op {
        Op::ICmp { pred, dst, a, b, width } if width <= 64 => {
            let (cmp, shift, swap) = compare(pred, width);
            let (a, b) = if swap { (b, a) } else { (a, b) };
            Quick::ICmp { cmp, shift, dst, a, b }
        }
        Op::Add { dst, a, b, width, flags } => match flags {
            0 => Quick::Add { dst, a, b, mask: mask(width) },
            NSW => Quick::AddNsw { dst, a, b, shift: 64 - width },
            BOTH | flag::NUW => Quick::AddNuw { dst, a, b, shift: 64 - width, nsw: flags == BOTH },
            _ => Quick::Promised { op: BinOp::Add, dst, a, b, width, flags },
        },
        Op::Sub { dst, a, b, width, flags } => match flags {
            0 => Quick::Sub { dst, a, b, mask: mask(width) },
            NSW => Quick::SubNsw { dst, a, b, shift: 64 - width },
            _ => Quick::Promised { op: BinOp::Sub, dst, a, b, width, flags },
        },
        Op::Mul { dst, a, b, width, flags } => match flags {
            0 => Quick::Mul { dst, a, b, mask: mask(width) },
            NSW => Quick::MulNsw { dst, a, b, shift: 64 - width },
            _ => Quick::Promised { op: BinOp::Mul, dst, a, b, width, flags },
        },
        Op::IntBin { op, dst, a, b, width, flags: 0 } if width <= 64 => {
            let op = match op {
                BinOp::UDiv => Int::UDiv,
                BinOp::URem => Int::URem,
                BinOp::SDiv => Int::SDiv,
                BinOp::SRem => Int::SRem,
                _ => return Quick::Promised { op, dst, a, b, width, flags: 0 },
            };
            Quick::Divide { op, dst, a, b, shift: 64 - width }
        }
        Op::IntBin { op, dst, a, b, width, flags } if width <= 64 => Quick::Promised { op, dst, a, b, width, flags },
        Op::And { dst, a, b, .. } => Quick::And { dst, a, b },
        Op::Or { dst, a, b, flags: 0, .. } => Quick::Or { dst, a, b },
        Op::Xor { dst, a, b, flags: 0, .. } => Quick::Xor { dst, a, b },
        Op::Shl { dst, a, b, width, flags: 0 } => Quick::Shl { dst, a, b, width },
        Op::LShr { dst, a, b, width, flags: 0 } => Quick::LShr { dst, a, b, width },
        Op::AShr { dst, a, b, width, flags: 0 } => Quick::AShr { dst, a, b, width },
        Op::Or { dst, a, b, width, flags } => Quick::Promised { op: BinOp::Or, dst, a, b, width, flags },
        Op::Shl { dst, a, b, width, flags } => Quick::Promised { op: BinOp::Shl, dst, a, b, width, flags },
        Op::LShr { dst, a, b, width, flags } => Quick::Promised { op: BinOp::LShr, dst, a, b, width, flags },
        Op::AShr { dst, a, b, width, flags } => Quick::Promised { op: BinOp::AShr, dst, a, b, width, flags },
        Op::Trunc { dst, a, to, flags: 0, .. } => Quick::Trunc { dst, a, mask: mask(to) },
        Op::Trunc { dst, a, from, to, flags } => Quick::TruncPromised { dst, a, from, to, flags },
        Op::ZExt { dst, a, from, flags, .. } => {
            Quick::ZExt { dst, a, clear: if flags & flag::NNEG == 0 { 0 } else { 1 << (from - 1) } }
        }
        Op::SExt { dst, a, from, to } => Quick::SExt { dst, a, from, to },
        _ => number(op),
    }
}

/// The quick form of an op on numbers.
fn number(op: Op) -> Quick {
    const D: FloatKind = FloatKind::Double;
    match op {
        Op::FCmp { pred, kind: D, fast: 0, dst, a, b } => Quick::FCmp { pred, dst, a, b },
        Op::Convert { op, from: Leaf::Int(from), to: Leaf::Float(D), flags: 0, dst, a } if from <= 64 => match op {
            CastOp::SIToFP => Quick::FromInt { dst, a, from, signed: true },
            CastOp::UIToFP => Quick::FromInt { dst, a, from, signed: false },
            _ => Quick::Leave,
        },
        Op::Convert {
            op: CastOp::FPExt | CastOp::FPTrunc,
            from: Leaf::Float(from),
            to: Leaf::Float(to),
            dst,
            a,
            ..
        } => Quick::Resize { dst, a, from, to },
        Op::Convert { op: CastOp::FPToSI, from: Leaf::Float(from), to: Leaf::Int(width), dst, a, .. }
            if width <= 64 =>
        {
            Quick::ToInt { dst, a, from, width }
        }
        Op::FloatBin { op, kind, fast: 0, dst, a, b } => Quick::Float { op, kind, dst, a, b },
        Op::FCmp { pred, kind, fast: 0, dst, a, b } => Quick::FloatCmp { pred, kind, dst, a, b },
        Op::FAdd { dst, a, b } => Quick::FAdd { dst, a, b },
        Op::FSub { dst, a, b } => Quick::FSub { dst, a, b },
        Op::FMul { dst, a, b } => Quick::FMul { dst, a, b },
        Op::FDiv { dst, a, b } => Quick::FDiv { dst, a, b },
        Op::FMulAdd { dst, a, b, c } => Quick::FMulAdd { dst, a, b, c },
        Op::FNeg { kind: D, fast: 0, dst, a } => Quick::FNeg { dst, a },
        _ => Quick::Leave,
    }
}

/// The quick form of two ops in a row, the second of which uses what the first makes.
fn two(first: Quick, second: Quick) -> Option<Quick> {
    match (first, second) {
        (
            Quick::GepIndex { dst, base, index, scale, offset: 0, width, inbounds: true },
            Quick::Load { size, align, number, dst: into, ptr, offset: 0 },
        ) if ptr == dst => Some(Quick::GepLoad { dst, base, index, scale, into, width, size, align, number }),
        (
            Quick::GepIndex { dst, base, index, scale, offset: 0, width, inbounds: true },
            Quick::Store { size, align, number, src, ptr, offset: 0 },
        ) if ptr == dst && src != dst => {
            Some(Quick::GepStore { dst, base, index, scale, src, width, size, align, number })
        }
        (
            Quick::Load { size: Size::B32, align, number: false, dst, ptr, offset: 0 },
            Quick::SExt { dst: wide, a, from: 32, to },
        ) if a == dst => Some(Quick::LoadSExt { align, dst, ptr, wide, to }),
        (Quick::FCmp { pred, dst, a, b }, Quick::Branch { cond, hop }) if cond == dst => {
            Some(Quick::BranchFloat { pred, dst, a, b, hop })
        }
        _ => None,
    }
}
