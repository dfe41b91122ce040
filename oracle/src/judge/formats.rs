//! What the formats of a computation say about its rounding, before anything is run: the narrowest one, and the rounding of literals.
//!
//! Lanes have no formats, but literals do. `2/√π` written (or folded by a compiler) in a `float` differs from 2/√π by up to 2⁻²⁵ of it,
//! and no lane can know. So the threshold of the contract, which is 45 units of the last place of a `double`, becomes 45 units of a
//! narrower format, but only where gradient and primal differ in a literal of that format which may have been rounded: a literal
//! that both contain means the same number to both, and one with few significant bits (1.5, 100, 2⁻¹⁰) is no rounded number.

use super::number;
use crate::session::reachable_through_tables;
use ir::{CastOp, ConstId, ConstKind, FloatKind, FuncId, InstKind, Module, Operand};
use std::collections::BTreeSet;

/// The relative threshold in units of a format's last place: 10⁻¹⁴ for doubles, the rounding of a few literals (`docs/contract.md`).
const THRESHOLD: f64 = 45.0;

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

/// The formats whose numbers a function extends to wider ones. Their adjoints, which have the format of the number, are where the adjoints of the wider
/// ones are rounded: those roundings are the program's, not the gradient's.
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

/// The threshold for a gradient beside its primal, relative to the scale of a sum.
pub fn threshold(module: &Module, primal: FuncId, gradient: FuncId) -> f64 {
    let (ours, theirs) = (literals(module, gradient), literals(module, primal));
    let coarsest = ours.symmetric_difference(&theirs).map(|l| l.kind).fold(FloatKind::Double, wider_epsilon);
    THRESHOLD * number::epsilon(coarsest)
}

/// A literal that may have been rounded, up to sign and powers of two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Literal {
    kind: FloatKind,
    /// Its significand, odd.
    significand: u128,
}

fn literals(module: &Module, root: FuncId) -> BTreeSet<Literal> {
    let mut found = BTreeSet::new();
    for id in reachable_through_tables(module, root) {
        let function = &module.functions[id];
        for (_, inst) in function.inst_order() {
            function.insts[inst].kind.for_each_operand(|operand| {
                if let Operand::Const(constant) = operand {
                    collect(module, *constant, &mut found);
                }
            });
        }
    }
    found
}

fn collect(module: &Module, id: ConstId, found: &mut BTreeSet<Literal>) {
    let constant = module.constants.get(id);
    match &constant.kind {
        ConstKind::Float(bits) => {
            let narrow = |kind: &FloatKind| number::epsilon(*kind) > f64::EPSILON;
            let Some(kind) = module.types.float_kind(constant.ty).filter(narrow) else { return };
            let value = number::value(kind, *bits, interp::number::EXACT);
            let bits = interp::number::significand_bits(kind);
            if let Some((significand, _)) = value.to_integer_exp() {
                let odd = significand.find_one(0).map(|zeros| significand.clone() >> zeros);
                if let Some(odd) = odd.filter(|odd| odd.significant_bits() > bits / 2) {
                    found.extend(odd.abs().to_u128().map(|significand| Literal { kind, significand }));
                }
            }
        }
        ConstKind::Aggregate(elements) => elements.iter().for_each(|e| collect(module, *e, found)),
        _ => {}
    }
}
