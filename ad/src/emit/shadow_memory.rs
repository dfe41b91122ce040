//! Shadow memory as both modes address it.

use crate::analysis::copied_data::{Data, Run};
use crate::base::builder::Builder;
use crate::runtime::tape::TAPE_ALIGN;
use ir::{BinOp, CastOp, InstKind, IntPred, Operand, Type};

/// Bytes of the scratch memory that stands in for the shadow of constant memory.
pub(crate) const SCRATCH: u64 = 256;

/// What is relied on in shadow memory. A block that is aligned further than the allocator does it is rounded up by its
/// own address; the shadow of such a block, made where the gradient is differentiated again, lies as far from the start
/// of its own block, which need not be aligned likewise. Nor is scratch memory aligned further.
pub(crate) fn shadow_align(align: u64) -> u64 {
    align.min(TAPE_ALIGN)
}

/// Is the operand at this position data (of which the shadow has its own), not a condition or an index?
pub(crate) fn is_data(kind: &InstKind, position: usize) -> bool {
    match kind {
        InstKind::Gep { .. } | InstKind::ExtractElement { .. } => position == 0,
        InstKind::Select { .. } => position > 0,
        InstKind::Binary { op: BinOp::Shl | BinOp::LShr | BinOp::AShr, .. } => position == 0,
        InstKind::InsertElement { .. } => position < 2,
        _ => true,
    }
}

/// Number of data of a run of what is moved, and their distance. Where the length is known only at run time: those that
/// lie whole within it.
pub(crate) fn times(b: &mut Builder, data: &Data, run: &Run, length: Operand) -> (Operand, u64) {
    let count = b.m.int(64, u128::from(run.count));
    let Some(period) = data.period else { return (count, run.stride) };
    let i64t = b.m.types.int(64);
    let length = match b.m.types.get(b.ty(length)) {
        Type::Int(64) => length,
        _ => b.cast(CastOp::ZExt, length, i64t),
    };
    let distance = if period == 0 { run.stride } else { period };
    let numbers = [run.offset + run.cell.size(8), distance, 0, 1];
    let [first, unit, zero, one] = numbers.map(|n| b.m.int(64, u128::from(n)));
    let any = b.icmp(IntPred::Uge, length, first);
    let rest = b.binary(BinOp::Sub, length, first);
    let more = b.binary(BinOp::UDiv, rest, unit);
    let mut times = b.binary(BinOp::Add, more, one);
    if period == 0 {
        let fewer = b.icmp(IntPred::Ult, times, count);
        times = b.select(fewer, times, count);
    }
    (b.select(any, times, zero), distance)
}
