//! What the formats of a computation say about its rounding, before anything is run: the narrowest one, and where a
//! program rounds adjoints.

use super::number;
use crate::calls::reachable_through_tables;
use ir::{CastOp, FloatKind, FuncId, InstKind, Module};
use std::collections::BTreeSet;

/// The format with the fewest bits that a function computes in; `double` if none is narrower.
pub fn narrowest(module: &Module, root: FuncId) -> FloatKind {
    let mut narrowest = FloatKind::Double;
    for id in reachable_through_tables(module, root) {
        let function = &module.functions[id];
        for (_, inst) in function.inst_order() {
            let kind = module.types.float_kind(module.types.scalar(function.insts[inst].ty));
            narrowest = kind.into_iter().fold(narrowest, wider_epsilon);
        }
    }
    narrowest
}

/// The formats whose numbers a function extends to wider ones. Their adjoints, which have the format of the number, are
/// where the adjoints of the wider ones are rounded: those roundings are the program's, not the gradient's.
pub fn extended(module: &Module, root: FuncId) -> BTreeSet<FloatKind> {
    let mut found = BTreeSet::new();
    for id in reachable_through_tables(module, root) {
        let function = &module.functions[id];
        for (_, inst) in function.inst_order() {
            if let InstKind::Cast { op: CastOp::FPExt, value, .. } = &function.insts[inst].kind {
                found.extend(module.types.float_kind(module.types.scalar(module.operand_ty(function, *value))));
            }
        }
    }
    found
}

fn wider_epsilon(a: FloatKind, b: FloatKind) -> FloatKind {
    if number::epsilon(b) > number::epsilon(a) { b } else { a }
}

/// The format of a cell of that size whose lanes were moved there as bytes.
pub(super) fn kind_of_size(size: u8) -> Option<FloatKind> {
    match size {
        4 => Some(FloatKind::Float),
        8 => Some(FloatKind::Double),
        10 => Some(FloatKind::X86Fp80),
        16 => Some(FloatKind::Fp128),
        _ => None,
    }
}
