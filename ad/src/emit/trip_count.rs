//! How often a loop runs, computed where it is entered.

use crate::analysis::loops::counters::{Step, Trips};
use crate::base::builder::Builder;
use ir::{BinOp, CastOp, InstKind, IntPred, Operand, Type};

/// The number of the last iteration of a loop that is entered with this start, bound and step (if that is no
/// constant): the first has number zero.
pub(crate) fn last_iteration(b: &mut Builder, trips: &Trips, operands: &[Operand]) -> Operand {
    let i64t = b.m.types.int(64);
    let [start, bound] = [operands[0], operands[1]].map(|o| match b.m.types.is_ptr(b.ty(o)) {
        true => b.cast(CastOp::PtrToInt, o, i64t),
        false => o,
    });
    let ty = b.ty(bound);
    let bits = if let Type::Int(bits) = b.m.types.get(ty) { *bits } else { 64 };
    let step = match (trips.step, operands.get(2)) {
        (Step::By(step), _) => b.m.int(bits, u128::from(step)),
        (Step::Value(_), step) => usable_step(b, step.copied().unwrap_or(start)),
    };
    let first = match (trips.after, trips.down) {
        (false, _) => start,
        (true, false) => b.binary(BinOp::Add, start, step),
        (true, true) => b.binary(BinOp::Sub, start, step),
    };
    let (high, low) = if trips.down { (first, bound) } else { (bound, first) };
    let distance = b.binary(BinOp::Sub, high, low);
    let mut more = b.cast(CastOp::ZExt, distance, i64t);
    let [zero, one] = [0, 1].map(|n| b.m.int(64, n));
    let inclusive = matches!(trips.stay, IntPred::Sle | IntPred::Ule | IntPred::Sge | IntPred::Uge);
    match trips.step {
        Step::By(1) => {}
        Step::By(step) => {
            // ⌈d / s⌉ is ⌊(d + s - 1) / s⌋; what is in memory is far from the end of the numbers.
            let [rest, step] = [if inclusive { 0 } else { step - 1 }, step].map(|n| b.m.int(64, u128::from(n)));
            let padded = b.binary(BinOp::Add, more, rest);
            more = b.binary(BinOp::UDiv, padded, step);
        }
        Step::Value(_) => {
            // It is ⌊(d - 1) / s⌋ + 1, too, for d is not zero where another iteration follows. The step may be any
            // number.
            let step = b.cast(CastOp::ZExt, step, i64t);
            let rest = if inclusive { zero } else { one };
            let less = b.binary(BinOp::Sub, more, rest);
            let whole = b.binary(BinOp::UDiv, less, step);
            more = b.binary(BinOp::Add, whole, rest);
        }
    }
    if inclusive {
        more = b.binary(BinOp::Add, more, one);
    }
    if trips.stay != IntPred::Ne {
        let stays = b.icmp(trips.stay, first, bound);
        more = b.select(stays, more, zero);
    }
    more
}

/// A step that can be divided by. Where no iteration follows, it may be anything.
fn usable_step(b: &mut Builder, step: Operand) -> Operand {
    let ty = b.ty(step);
    let bits = if let Type::Int(bits) = b.m.types.get(ty) { *bits } else { 64 };
    let step = b.value(InstKind::Freeze(step), ty);
    let [zero, one] = [0, 1].map(|n| b.m.int(bits, n));
    let none = b.icmp(IntPred::Eq, step, zero);
    b.select(none, one, step)
}
