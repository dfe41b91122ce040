//! Dynamic activity: which values depend, along the executed path, on which inputs.
//!
//! Forward propagation of sets of inputs through floating-point operations whose row has a derivative that is not identically
//! zero, and that are not sums which [round](super::rounding). Decisions (comparisons) carry no dependence. The answer is an over-approximation of "the derivative is not zero" for this
//! path and never misses a dependence through floating-point values.

use super::rounding;
use crate::machine::{FloatEvent, FloatOp, Machine};
use crate::memory::Shadow;

/// A set of up to 64 groups of inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tainted(pub u64);

impl Tainted {
    /// Group number `group` alone; groups beyond 63 share the last.
    pub fn group(group: usize) -> Tainted {
        Tainted(1 << group.min(63))
    }

    /// Does the value depend on that group?
    pub fn contains(self, group: usize) -> bool {
        self.0 & Tainted::group(group).0 != 0
    }
}

impl Shadow for Tainted {
    fn is_absent(&self) -> bool {
        self.0 == 0
    }
}

/// The machine. Inputs are tainted by [`Memory::set_shadow`](crate::Memory::set_shadow) and by shadows of arguments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taint;

impl Machine for Taint {
    type Shadow = Tainted;
    const SHADOWS: bool = true;

    fn float_op(&mut self, event: &FloatEvent<'_, Tainted>) -> Tainted {
        let through = |operand: usize| match event.op {
            FloatOp::Convert | FloatOp::FromInt => true,
            FloatOp::Rule(op) => op.row().partial(event.output, operand).is_some_and(|p| !p.expr.is_zero()),
        };
        if rounding::rounds(event) {
            return Tainted::default();
        }
        let active = event.args.iter().enumerate().filter(|(i, arg)| arg.shadow.0 != 0 && through(*i));
        Tainted(active.fold(0, |set, (_, arg)| set | arg.shadow.0))
    }
}
