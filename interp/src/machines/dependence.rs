//! What depends on the inputs, where that leaves the floats, and what a run decides: beside a concrete run in the
//! program's own formats.
//!
//! The machine computes nothing, so it shares nothing with lanes. Each register and each byte of memory is independent,
//! depends on the inputs as a number, or depends on them in another form: bits, text, whatever the library keeps. The
//! last is *lost*, and stays so to the end, with the place where it happened first. Results of rounding to an integer
//! are independent (the function is piecewise constant there), and so are those of comparisons of numbers; both are
//! *decisions*. Two runs with the same decisions are on the same piece.

use super::planted;
use super::{decide, rounding};
use crate::forgets::Forgets;
use crate::machine::{CompareEvent, FloatEvent, FloatOp, Loss, Machine};
use crate::memory::shadow::Shadow;
use crate::number;
use crate::outcome::Location;
use rug::Float;
use rules::Shift;
use smallvec::SmallVec;

/// How a value depends on the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dependent {
    /// Not at all.
    #[default]
    No,
    /// As a number; perhaps a sum with a constant that [leaves no fraction](super::rounding).
    Number(Option<Shift>),
    /// In another form since that place; unknown where bytes of a number were overwritten or copied.
    Lost(Option<Location>),
}

impl Dependent {
    /// Is the dependence lost, and where?
    pub fn lost(self) -> Option<Option<Location>> {
        match self {
            Dependent::Lost(place) => Some(place),
            Dependent::No | Dependent::Number(_) => None,
        }
    }

    fn lost_at(self, at: Location) -> Dependent {
        match self {
            Dependent::Lost(Some(_)) => self,
            _ => Dependent::Lost(Some(at)),
        }
    }

    fn shift(&self) -> Option<Shift> {
        match self {
            Dependent::Number(shift) => *shift,
            Dependent::No | Dependent::Lost(_) => None,
        }
    }
}

impl Shadow for Dependent {
    const CUTS: bool = true;

    fn is_absent(&self) -> bool {
        *self == Dependent::No
    }

    fn cut(&self) -> Dependent {
        match self {
            Dependent::Number(_) => Dependent::Lost(None),
            Dependent::No | Dependent::Lost(_) => *self,
        }
    }
}

/// The machine. Inputs are marked by [`Memory::set_shadow`](crate::memory::Memory::set_shadow) and by shadows of
/// arguments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dependence {
    /// A digest of all decisions, in order.
    pub decisions: u64,
    /// The first place at which a dependence was lost.
    pub first: Option<Location>,
    /// Does a function that is declared inactive return something that depends on the inputs?
    pub declared: bool,
    /// A fault.
    pub forgets: Option<Forgets>,
}

impl Dependence {
    fn decide(&mut self, what: u64, at: Location) {
        let place = u64::from(at.func.as_u32()) << 32 | u64::from(at.inst.as_u32());
        for word in [place, what] {
            self.decisions = (self.decisions ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }

    fn selects(&mut self, op: rules::Op, event: &FloatEvent<'_, Dependent>) {
        let operands: SmallVec<[Float; 4]> =
            event.args.iter().map(|a| number::to_float(a.kind, a.bits, number::EXACT)).collect();
        let piece = decide::piece(op, &|i| operands.get(i));
        self.decide(piece.map_or(u64::MAX, |p| p.to_f64().to_bits()), event.at);
    }

    /// How a result depends on the inputs.
    fn result(&mut self, event: &FloatEvent<'_, Dependent>) -> Dependent {
        if event.args.iter().all(|arg| arg.shadow.is_absent()) {
            return Dependent::No;
        }
        if let Some(lost) = event.args.iter().find(|arg| arg.shadow.lost().is_some()) {
            return lost.shadow.lost_at(event.at);
        }
        if let FloatOp::Rule(op) = event.op
            && decide::selects(op)
        {
            self.selects(op, event);
        }
        if rounding::taken_off(event, Dependent::shift).is_some() {
            self.decide(event.result as u64, event.at);
            return Dependent::No;
        }
        let through = |(operand, arg): (usize, &crate::machine::FloatArg<'_, Dependent>)| {
            !arg.shadow.is_absent()
                && match event.op {
                    FloatOp::Convert | FloatOp::FromInt => true,
                    FloatOp::Rule(op) => op.row().partial(event.output, operand).is_some_and(|p| !p.expr.is_zero()),
                }
        };
        if !event.args.iter().enumerate().any(through) {
            return Dependent::No;
        }
        let shift = rounding::shift(event);
        if shift.is_some() {
            // Its bits tell a multiple of a power of two.
            self.decide(event.result as u64, event.at);
        }
        Dependent::Number(shift)
    }
}

impl Machine for Dependence {
    type Shadow = Dependent;
    const SHADOWS: bool = true;
    const FOLLOWS_LOSSES: bool = true;
    const FOLLOWS_ADDRESSES: bool = true;

    fn beside(&self) -> Option<Dependence> {
        Some(Dependence { forgets: self.forgets, ..Dependence::default() })
    }

    fn forgets(&self, what: Forgets) -> bool {
        self.forgets == Some(what)
    }

    fn is_planted(&self) -> bool {
        self.forgets.is_some()
    }

    fn float_op(&mut self, event: &FloatEvent<'_, Dependent>) -> Dependent {
        planted::float_op(self.forgets, event, |event| self.result(event))
    }

    fn compare(&mut self, event: &CompareEvent<'_, Dependent>) {
        let lost = event.a.shadow.lost().is_some() || event.b.shadow.lost().is_some();
        if !lost && !self.forgets(Forgets::Comparison) {
            self.decide(u64::from(event.concrete), event.at);
        }
    }

    fn lost(&mut self, shadow: &Dependent, why: Loss, at: Location) -> Dependent {
        match (why, shadow) {
            (_, Dependent::No) => Dependent::No,
            (Loss::Inactive, _) => {
                self.declared = true;
                Dependent::No
            }
            (Loss::ToInt(value), Dependent::Number(_)) => {
                if !self.forgets(Forgets::Rounding) {
                    self.decide(value as u64, at);
                }
                Dependent::No
            }
            // The sum decided when it was made.
            (Loss::Bits, Dependent::Number(Some(_))) => Dependent::No,
            _ => {
                let lost = shadow.lost_at(at);
                self.first = self.first.or(lost.lost().flatten());
                lost
            }
        }
    }
}
