//! Rows of functions through which no derivative passes: an integer result, or no floating-point operand.

use super::build::{int_output, integer_valued, row};
use crate::row::{Operand, Place, Row};
use crate::table::op::Op;

pub(super) fn rows() -> Vec<Row> {
    const REASON: &str = "the result is an integer";
    vec![
        integer_valued(Op::Lround).library(&["lround"]).intrinsics(&["llvm.lround"]).errno(),
        integer_valued(Op::Llround).library(&["llround"]).intrinsics(&["llvm.llround"]).errno(),
        integer_valued(Op::Lrint).library(&["lrint"]).intrinsics(&["llvm.lrint"]).errno(),
        integer_valued(Op::Llrint).library(&["llrint"]).intrinsics(&["llvm.llrint"]).errno(),
        integer_valued(Op::Ilogb).library(&["ilogb"]).errno(),
        integer_valued(Op::Llogb).library(&["llogb"]).errno(),
        integer_valued(Op::IsNan).library(&["isnan", "__isnan"]),
        integer_valued(Op::IsInf).library(&["isinf", "__isinf"]),
        integer_valued(Op::IsFinite).library(&["finite", "__finite"]),
        integer_valued(Op::SignBit).library(&["__signbit"]),
        integer_valued(Op::IsSignaling).library(&["__issignaling"]),
        integer_valued(Op::FpClassify).library(&["__fpclassify"]),
        row(Op::NanOf, &[Operand::Text]).library(&["nan"]),
        row(Op::IsFpClass, &[Operand::Inactive(REASON), Operand::Integer])
            .intrinsics(&["llvm.is.fpclass"])
            .outputs(vec![int_output(Place::Return)]),
    ]
    .into_iter()
    .map(|mut row| {
        row.source = if row.op == Op::NanOf { "no floating-point operand" } else { REASON };
        row
    })
    .collect()
}
