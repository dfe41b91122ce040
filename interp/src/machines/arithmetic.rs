//! Is a stored integer one that the program computes as an integer, or bits that it only moves?
//!
//! Optimisers move and store numbers as integers (`store i64 4607182418800017408` for 1.0, an `i64` for two `float`s),
//! so that an integer store by itself says nothing about what the bytes are. Arithmetic does: what comes from an
//! addition, a comparison or a conversion is no floating-point number. Moves (constants, loads, parameters, phis,
//! selects, and the shifts, masks and truncations that take words apart and put them together) say nothing.

use crate::outcome::Location;
use crate::program::Program;
use ir::{BinOp, CastOp, Function, InstId, InstKind, Operand, ValueId};
use std::collections::BTreeSet;

/// Is what the instruction stores certainly an integer or a pointer?
pub fn stores_integer(program: &Program, at: Location) -> bool {
    let function = &program.module.functions[at.func];
    match &function.insts[at.inst].kind {
        InstKind::Store { value, .. } => computed(function, *value, &mut BTreeSet::new()),
        InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } => true,
        _ => false,
    }
}

/// Does a value come from integer arithmetic, through moves?
fn computed(function: &Function, value: Operand, seen: &mut BTreeSet<ValueId>) -> bool {
    let Operand::Local(v) = value else { return false };
    if !seen.insert(v) {
        return false;
    }
    let ir::ValueDef::Inst(inst) = function.values[v].def else { return false };
    by_arithmetic(function, inst, seen)
}

fn by_arithmetic(function: &Function, inst: InstId, seen: &mut BTreeSet<ValueId>) -> bool {
    let mut any = |operands: &[Operand]| operands.iter().any(|o| computed(function, *o, seen));
    match &function.insts[inst].kind {
        InstKind::Binary { op, lhs, rhs, .. } => match op {
            BinOp::And | BinOp::Or | BinOp::Xor => any(&[*lhs, *rhs]),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => any(&[*lhs]),
            op => !op.is_float(),
        },
        InstKind::Cast { op, value, .. } => match op {
            CastOp::Trunc | CastOp::ZExt | CastOp::BitCast => any(&[*value]),
            CastOp::SExt | CastOp::FPToUI | CastOp::FPToSI | CastOp::PtrToInt => true,
            _ => false,
        },
        InstKind::ICmp { .. } | InstKind::FCmp { .. } | InstKind::AtomicRmw { .. } => true,
        InstKind::Phi { incoming, .. } => incoming.iter().any(|(o, _)| computed(function, *o, seen)),
        InstKind::Select { if_true, if_false, .. } => any(&[*if_true, *if_false]),
        InstKind::Freeze(value) => any(&[*value]),
        InstKind::ExtractElement { vector, .. } => any(&[*vector]),
        InstKind::InsertElement { vector, value, .. } => any(&[*vector, *value]),
        InstKind::ShuffleVector { a, b, .. } => any(&[*a, *b]),
        InstKind::ExtractValue { aggregate, .. } => any(&[*aggregate]),
        InstKind::InsertValue { aggregate, value, .. } => any(&[*aggregate, *value]),
        // What a load, a call or a parameter brings may be anything.
        _ => false,
    }
}
