//! Rows of functions with an integer result: no derivative passes through them.

use super::Op;
use super::build::{int_output, integer_valued, row};
use crate::row::{Operand, Place, Row};

pub(super) fn rows() -> Vec<Row> {
    const REASON: &str = "the result is an integer";
    vec![
        integer_valued(Op::Lround).library(&["lround"]).intrinsics(&["llvm.lround"]).errno(),
        integer_valued(Op::Llround).library(&["llround"]).intrinsics(&["llvm.llround"]).errno(),
        integer_valued(Op::Lrint).library(&["lrint"]).intrinsics(&["llvm.lrint"]).errno(),
        integer_valued(Op::Llrint).library(&["llrint"]).intrinsics(&["llvm.llrint"]).errno(),
        integer_valued(Op::Ilogb).library(&["ilogb"]).errno(),
        integer_valued(Op::IsNan).library(&["isnan", "__isnan"]),
        integer_valued(Op::IsInf).library(&["isinf", "__isinf"]),
        integer_valued(Op::IsFinite).library(&["finite", "__finite"]),
        integer_valued(Op::SignBit).library(&["__signbit"]),
        integer_valued(Op::FpClassify).library(&["__fpclassify"]),
        row(Op::IsFpClass, &[Operand::Inactive(REASON), Operand::Integer])
            .intrinsics(&["llvm.is.fpclass"])
            .outputs(vec![int_output(Place::Return)]),
    ]
    .into_iter()
    .map(|mut row| {
        row.source = REASON;
        row
    })
    .collect()
}
