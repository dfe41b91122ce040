//! Sums with a constant that round (`(x + 0x1p52) - 0x1p52`) have slope zero: [`rules::rounds`] says which.

use crate::masks;
use crate::synth::expr::width;
use ir::{BinOp, Function, InstId, InstKind, Module, Operand};
use rules::Op;

/// Is the instruction such a sum, in every lane?
pub fn rounds(m: &Module, func: &Function, inst: InstId) -> bool {
    let data = &func.insts[inst];
    let Some(kind) = m.types.float_kind(m.types.scalar(data.ty)) else { return false };
    let precision = width(kind).precision();
    let constant = |o: &Operand| {
        let lanes = masks::each_lane(m, func, *o, kind.bits());
        lanes.is_some_and(|lanes| lanes.iter().all(|bits| rules::rounds(precision, *bits)))
    };
    match &data.kind {
        InstKind::Binary { op: BinOp::FAdd | BinOp::FSub, lhs, rhs, .. } => constant(lhs) || constant(rhs),
        InstKind::Call(call) => {
            let op = || rules::lookup(&m.functions[m.as_function(call.callee)?].name).map(|found| found.row.op);
            call.args.get(2).is_some_and(constant) && matches!(op(), Some(Op::Fma | Op::FMulAdd))
        }
        _ => false,
    }
}
