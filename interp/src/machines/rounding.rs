//! Sums with a constant that round: `(x + 0x1p52) - 0x1p52`.
//!
//! In exact arithmetic such a sum keeps what the program means to lose. For lanes it is the rounding that it is: every lane stays on
//! the piece of the concrete run, and jumps are kinks. Which constants do that is told by the table ([`rules::rounds`]).

use crate::machine::{FloatEvent, FloatOp};
use crate::memory::Shadow;
use crate::number::significand_bits;
use rules::Op;

/// Is the operation such a sum? The constant depends on nothing.
pub(super) fn rounds<S: Shadow>(event: &FloatEvent<'_, S>) -> bool {
    let terms = match event.op {
        FloatOp::Rule(Op::FAdd | Op::FSub) => 0..2,
        FloatOp::Rule(Op::Fma | Op::FMulAdd) => 2..3,
        _ => return false,
    };
    event.args.get(terms).is_some_and(|terms| {
        terms.iter().any(|c| c.shadow.is_absent() && rules::rounds(significand_bits(c.kind), c.bits))
    })
}
