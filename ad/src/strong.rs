//! Where a zero adjoint must stay zero whatever it is multiplied with.
//!
//! What does not reach an output has adjoint zero, and contributes nothing even where its partial derivative is infinite (`docs/contract.md`:
//! the gradient is that of the map from inputs to outputs). Partial derivatives that are no polynomials of the operands
//! can be infinite at finite operands, so their products are guarded always. Polynomial ones (sums, products) are infinite only
//! where an operand is; they are guarded where such operands arise without any fault of the program:
//!
//! Optimisers compute values whose result is then thrown away: both arms of a `select`, vector lanes
//! that no one reads (poison, by LangRef `shufflevector`). Their adjoint is zero, but their partial
//! derivative may be infinite, NaN or poison, and zero times that is not zero. The values concerned are those that
//! flow into an arm of a `select` or into an instruction that takes vectors apart.

use ir::{Function, InstKind, Module, Operand, Type, ValueId};
use std::collections::HashSet;

/// Values whose adjoint may be zero because they are thrown away.
pub fn discarded(m: &Module, func: &Function) -> HashSet<ValueId> {
    let mut work: Vec<ValueId> = Vec::new();
    for (_, inst) in func.inst_order() {
        match &func.insts[inst].kind {
            InstKind::Select { if_true, if_false, .. } => push(&mut work, &[*if_true, *if_false]),
            InstKind::ShuffleVector { a, b, .. } => push(&mut work, &[*a, *b]),
            InstKind::ExtractElement { vector, .. } | InstKind::InsertElement { vector, .. } => {
                push(&mut work, &[*vector])
            }
            _ => {}
        }
    }
    let mut out = HashSet::new();
    while let Some(v) = work.pop() {
        if !crate::known::holds_float(m, func.value_ty(v)) || !out.insert(v) {
            continue;
        }
        let Some(inst) = func.def_inst(v) else { continue };
        let kind = &func.insts[inst].kind;
        // Memory and calls of other functions end the trace: what they give is not computed here.
        if matches!(kind, InstKind::Load { .. }) {
            continue;
        }
        for operand in kind.operands() {
            if !matches!(m.types.get(m.operand_ty(func, operand)), Type::Ptr(_)) {
                push(&mut work, &[operand]);
            }
        }
    }
    out
}

fn push(work: &mut Vec<ValueId>, operands: &[Operand]) {
    work.extend(operands.iter().filter_map(|o| o.local()));
}
