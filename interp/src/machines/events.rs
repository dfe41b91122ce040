//! What lanes tell about a run beyond numbers.

use crate::machine::Loss;
use crate::outcome::Location;
use ir::FloatPred;
use ir::hash::HashMap;
use rules::Op;
use rules::row::Exception;

/// A point where the program decides by a floating-point value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// A comparison.
    Compare(FloatPred),
    /// An operation that selects or jumps (minimum, absolute value, rounding to integer, remainder).
    Select(Op),
    /// A conversion to an integer.
    ToInt,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EventKind {
    /// The lanes decide differently from each other: the derivative does not exist here, or is one-sided.
    Kink(Decision),
    /// All lanes agree, but the concrete run decided otherwise: the decision is rounding's.
    Rounding(Decision),
    /// The operands are a point at which the table's derivative is a convention.
    Convention {
        /// The operation.
        op: Op,
        /// Index of the output.
        output: usize,
        /// The floating-point operand of the partial.
        operand: usize,
        /// What kind of point, and why the table answers as it does.
        exception: Exception,
    },
    /// In exact arithmetic the operands are such a point; the concrete ones are beside it, by rounding.
    Rounded {
        /// The operation.
        op: Op,
        /// What kind of point.
        exception: Exception,
    },
    /// A lane is infinite or not a number while the concrete result is finite: the neighbourhood of x is not inside the
    /// domain.
    Domain(Op),
    /// A value that depends on the inputs lost its lanes.
    Lost(Loss),
}

/// An event at one instruction; repetitions are counted.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// The instruction.
    pub at: Location,
    /// Concrete operands at the first time, rounded to `double`.
    pub operands: Vec<f64>,
    /// How often.
    pub count: u64,
}

/// The part of an event that tells it from others at the same instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Kink,
    Rounding,
    Convention(usize, usize),
    Rounded,
    Domain,
    Lost,
}

/// All events of a run in the order of their first occurrence.
#[derive(Clone, Default)]
pub struct Events {
    list: Vec<Event>,
    index: HashMap<(Location, Key), usize>,
}

impl Events {
    /// Records an event, or counts it if it is known.
    pub(super) fn record(&mut self, kind: EventKind, at: Location, operands: impl FnOnce() -> Vec<f64>) {
        let key = match kind {
            EventKind::Kink(_) => Key::Kink,
            EventKind::Rounding(_) => Key::Rounding,
            EventKind::Convention { output, operand, .. } => Key::Convention(output, operand),
            EventKind::Rounded { .. } => Key::Rounded,
            EventKind::Domain(_) => Key::Domain,
            EventKind::Lost(_) => Key::Lost,
        };
        match self.index.get(&(at, key)).and_then(|i| self.list.get_mut(*i)) {
            Some(known) => known.count += 1,
            None => {
                self.index.insert((at, key), self.list.len());
                self.list.push(Event { kind, at, operands: operands(), count: 1 });
            }
        }
    }

    /// The events.
    pub fn iter(&self) -> impl Iterator<Item = &Event> {
        self.list.iter()
    }

    /// Did nothing happen?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Points where the derivative does not exist or is one-sided.
    pub fn kinks(&self) -> impl Iterator<Item = &Event> {
        self.iter().filter(|e| matches!(e.kind, EventKind::Kink(_)))
    }

    /// Points where the answer is a convention: convention points of the table and borders of a domain.
    pub fn conventions(&self) -> impl Iterator<Item = &Event> {
        self.iter().filter(|e| matches!(e.kind, EventKind::Convention { .. } | EventKind::Domain(_)))
    }

    /// Values taken apart as bits, or given to unknown library functions, which depended on the inputs. Printing is not
    /// meant.
    pub fn losses(&self) -> impl Iterator<Item = &Event> {
        self.iter().filter(|e| matches!(e.kind, EventKind::Lost(Loss::Bits)))
    }

    /// Decisions that the concrete run makes otherwise than exact arithmetic would.
    pub fn roundings(&self) -> impl Iterator<Item = &Event> {
        self.iter().filter(|e| matches!(e.kind, EventKind::Rounding(_)))
    }
}
