//! Faults in what a machine computes ([`Forgets`]).

use super::decide;
use crate::forgets::Forgets;
use crate::machine::{FloatArg, FloatEvent, FloatOp};
use crate::memory::shadow::Shadow;
use rules::Op;
use smallvec::SmallVec;

/// The shadow of a floating-point operation by a machine that may forget some.
pub(super) fn float_op<S: Shadow>(
    forgets: Option<Forgets>,
    event: &FloatEvent<'_, S>,
    compute: impl FnOnce(&FloatEvent<'_, S>) -> S,
) -> S {
    let Some(what) = forgets else { return compute(event) };
    let rule = match event.op {
        FloatOp::Rule(op) => Some(op),
        FloatOp::Convert | FloatOp::FromInt => None,
    };
    let operand = match (what, rule) {
        (Forgets::Everything, _) => return S::default(),
        (Forgets::Convert, None) if event.op == FloatOp::Convert => return S::default(),
        (Forgets::Sum, Some(Op::FAdd | Op::FSub)) => return S::default(),
        (Forgets::Negation, Some(Op::FNeg)) => return S::default(),
        (Forgets::Function, Some(op)) if !is_instruction(op) => return S::default(),
        (Forgets::Outputs, _) if event.output > 0 => return S::default(),
        (Forgets::Pieces, Some(op)) if decide::selects(op) => return S::default(),
        (Forgets::Factor, Some(Op::FMul)) | (Forgets::Divisor, Some(Op::FDiv)) => 1,
        (Forgets::Fused, Some(Op::Fma | Op::FMulAdd)) => 2,
        _ => return compute(event),
    };
    let none = S::default();
    let with = |(n, arg): (usize, &FloatArg<'_, S>)| {
        let shadow = if n == operand { &none } else { arg.shadow };
        // The same lifetime for all.
        (arg.kind, arg.bits, shadow.clone())
    };
    let args: SmallVec<[_; 4]> = event.args.iter().enumerate().map(with).collect();
    let args: SmallVec<[_; 4]> =
        args.iter().map(|(kind, bits, shadow)| FloatArg { kind: *kind, bits: *bits, shadow }).collect();
    compute(&FloatEvent { args: &args, ..*event })
}

fn is_instruction(op: Op) -> bool {
    matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FNeg | Op::FMulAdd | Op::Identity)
}
