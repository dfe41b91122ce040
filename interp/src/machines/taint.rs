//! Dynamic activity: which values depend, along the executed path, on which inputs.
//!
//! Forward propagation of sets of inputs through floating-point operations whose row has a derivative that is not
//! identically zero, and that do not end a [rounding](super::rounding) by two sums. Decisions (comparisons) carry no
//! dependence. The answer is an over-approximation of "the derivative is not zero" for this path and never misses a
//! dependence through floating-point values.

use super::rounding;
use crate::machine::{FloatEvent, FloatOp, Machine};
use crate::memory::shadow::Shadow;
use rules::Shift;

/// What a value depends on: a set of up to 64 groups of inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tainted {
    groups: u64,
    shift: Option<Shift>,
}

impl Tainted {
    /// Group number `group` alone; groups beyond 63 share the last.
    pub fn group(group: usize) -> Tainted {
        Tainted { groups: 1 << group.min(63), shift: None }
    }

    /// Does the value depend on that group?
    pub fn contains(self, group: usize) -> bool {
        self.groups & Tainted::group(group).groups != 0
    }

    /// The value depends on what the other depends on, too.
    pub fn add(&mut self, other: Tainted) {
        self.groups |= other.groups;
    }
}

impl Shadow for Tainted {
    fn is_absent(&self) -> bool {
        self.groups == 0
    }
}

/// The machine. Inputs are tainted by [`Memory::set_shadow`](crate::memory::Memory::set_shadow) and by shadows of
/// arguments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taint;

impl Machine for Taint {
    type Shadow = Tainted;
    const SHADOWS: bool = true;

    fn float_op(&mut self, event: &FloatEvent<'_, Tainted>) -> Tainted {
        if event.args.iter().all(|arg| arg.shadow.is_absent()) {
            return Tainted::default();
        }
        let through = |operand: usize| match event.op {
            FloatOp::Convert | FloatOp::FromInt => true,
            FloatOp::Rule(op) => op.row().partial(event.output, operand).is_some_and(|p| !p.expr.is_zero()),
        };
        if rounding::taken_off(event, |shadow| shadow.shift).is_some() {
            return Tainted::default();
        }
        let mut taint = Tainted { groups: 0, shift: rounding::shift(event) };
        let active = event.args.iter().enumerate().filter(|(i, arg)| !arg.shadow.is_absent() && through(*i));
        active.for_each(|(_, arg)| taint.add(*arg.shadow));
        taint
    }
}
