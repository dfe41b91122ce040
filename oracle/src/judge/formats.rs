//! What the formats of a computation say about its rounding, before anything is run: the narrowest one, and the rounding of literals.
//!
//! Lanes have no formats, but literals do. `2/√π` written (or folded by a compiler) in a `double` differs from 2/√π by up to 2⁻⁵³ of it,
//! and no lane can know. So the threshold of the contract is 45 units of the last place of the coarsest format in which gradient
//! and primal differ in a literal that may have been rounded: a literal that both contain means the same number to both, and one with
//! few significant bits (1.5, 100, 2⁻¹⁰) is no rounded number. Where they do not differ, only the arithmetic of the lanes is left.

use super::number;
use crate::session::reachable_through_tables;
use ir::{CastOp, ConstExpr, ConstId, ConstKind, FloatKind, FuncId, GlobalId, InstKind, Module, Operand};
use std::collections::BTreeSet;

/// The relative threshold in units of a format's last place: 10⁻¹⁴ for doubles, the rounding of a few literals (`docs/contract.md`).
const THRESHOLD: f64 = 45.0;
/// The relative threshold where no literal may have been rounded: the truncation h² of the lanes' quotients, with room for steep functions.
const SHARP: f64 = 1e-26;

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
    let mut apart = ours.numbers.symmetric_difference(&theirs.numbers).map(|l| l.kind).peekable();
    // Tables that only one of them reads may hold rounded numbers, too.
    if apart.peek().is_none() && ours.globals.is_subset(&theirs.globals) {
        return SHARP;
    }
    THRESHOLD * number::epsilon(apart.fold(FloatKind::Double, wider_epsilon))
}

/// The literals of a function and what it calls, and the global variables it names.
#[derive(Default)]
struct Literals {
    numbers: BTreeSet<Literal>,
    globals: BTreeSet<GlobalId>,
}

/// A literal that may have been rounded, up to sign and powers of two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Literal {
    kind: FloatKind,
    /// Its significand, odd.
    significand: u128,
}

fn literals(module: &Module, root: FuncId) -> Literals {
    let mut found = Literals::default();
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

fn collect(module: &Module, id: ConstId, found: &mut Literals) {
    let constant = module.constants.get(id);
    match &constant.kind {
        ConstKind::Float(bits) => {
            let Some(kind) = module.types.float_kind(constant.ty) else { return };
            let value = number::value(kind, *bits, interp::number::EXACT);
            let bits = interp::number::significand_bits(kind);
            if let Some((significand, _)) = value.to_integer_exp() {
                let odd = significand.find_one(0).map(|zeros| significand.clone() >> zeros);
                if let Some(odd) = odd.filter(|odd| odd.significant_bits() > bits / 2) {
                    found.numbers.extend(odd.abs().to_u128().map(|significand| Literal { kind, significand }));
                }
            }
        }
        ConstKind::Aggregate(elements) => elements.iter().for_each(|e| collect(module, *e, found)),
        ConstKind::Global(global) => {
            found.globals.insert(*global);
        }
        ConstKind::Expr(ConstExpr::Cast(_, operand) | ConstExpr::Gep { base: operand, .. }) => {
            collect(module, *operand, found);
        }
        _ => {}
    }
}
