//! Roundings that are written as two sums, `(x + 0x1p52) - 0x1p52` ([`Shift`]).
//!
//! In exact arithmetic the two cancel, and keep what the program means to lose. For lanes the second is the rounding
//! that it is: every lane stays on the piece of the concrete run, and jumps are kinks. The first is an ordinary sum,
//! whose shadow remembers the constant until the value is computed with. What has no shadow is taken for a constant.

use crate::machine::{FloatArg, FloatEvent, FloatOp};
use crate::memory::shadow::Shadow;
use crate::number::significand_bits;
use rules::Shift;

/// The constant that the result of the operation is shifted by.
pub(super) fn shift<S: Shadow>(event: &FloatEvent<'_, S>) -> Option<Shift> {
    let FloatOp::Rule(op) = event.op else { return None };
    let constants = event.args.iter().enumerate().filter(|(_, arg)| arg.shadow.is_absent());
    constants.filter_map(|(i, c)| Shift::of(op, i, significand_bits(c.kind), c.bits)).next()
}

/// Does the operation take the constant off again by which an operand is shifted, as its shadow tells? Which operand
/// that is.
pub(super) fn taken_off<S: Shadow>(event: &FloatEvent<'_, S>, shifted: impl Fn(&S) -> Option<Shift>) -> Option<usize> {
    let (FloatOp::Rule(op), [a, b]) = (event.op, event.args) else { return None };
    let pairs = [(0, a, b), (1, b, a)];
    let off = |(i, sum, c): &(usize, &FloatArg<'_, S>, &FloatArg<'_, S>)| {
        let constant = c.shadow.is_absent();
        shifted(sum.shadow).is_some_and(|s| constant && s.is_taken_off(op, *i, significand_bits(c.kind), c.bits))
    };
    pairs.into_iter().find(off).map(|(i, ..)| i)
}
