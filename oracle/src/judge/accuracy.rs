//! Accuracy apart from correctness: the gradient's own numbers against its own exact arithmetic.
//!
//! The bits lost are those of the relative error beyond half a unit in the last place. The bits that any method may
//! lose are the logarithm of the condition number: how far the derivative moves, relative to itself, when the data move
//! by one part in 2⁶⁰, divided by that. What is lost beyond condition and an allowance is the formula's own doing.
//! A number that its format could hold, and that is infinite or NaN in the gradient's own arithmetic, has lost all its
//! bits. Where a result of the primal is not a number nothing is demanded.

use super::gradient::{Number, Run};
use super::number;
use super::probe::PERTURBATION;
use super::reference::Primal;
use super::region::Regions;
use crate::report::Accuracy;
use interp::machines::cells::Cell;
use interp::{Leaf, Scalar};
use ir::FloatKind;

/// Bits of the lanes that a sum may have lost to their own rounding.
const RESOLUTION: i32 = 64;

/// How much larger than their sum terms are that are said to cancel.
const CANCELS: f64 = 16.0;

/// The accuracy of one component.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// Distance from exact arithmetic in units of the last place.
    pub ulp: f64,
    /// It is no finite number.
    pub overflows: bool,
    /// Bits lost.
    pub bits: f64,
    /// Condition number.
    pub condition: f64,
    /// How many times as large as the component its terms are: the condition of the sum that it is.
    pub cancellation: f64,
}

impl Loss {
    /// Is more lost than the problem explains?
    pub fn excessive(&self, allowance: f64) -> bool {
        self.bits > self.condition.max(1.0).log2() + allowance
    }

    /// What a report says of it.
    pub fn told(&self, allowance: f64) -> String {
        if self.overflows {
            return "is no finite number, where exact arithmetic gives one: a step of the formula leaves the range of \
                    its format"
                .to_owned();
        }
        let explained = self.condition.max(1.0).log2();
        let text = format!(
            "loses {:.1} bits; the condition {:.1e} of the derivative explains {explained:.1} and {allowance} are \
             allowed",
            self.bits, self.condition
        );
        match self.cancellation {
            c if c >= CANCELS => format!("{text}; its terms are {c:.1e} times as large as their sum"),
            _ => text,
        }
    }
}

/// The accuracy of a component of a run with a perturbed lane, if exact arithmetic gives one that its format can hold;
/// `narrowest` is the format with the fewest bits that the primal computes in: what it has rounded away, no gradient
/// has.
pub fn loss(component: &Number, narrowest: FloatKind) -> Option<Loss> {
    let kept = component.concrete.is_finite();
    if !component.exact.is_finite() || !kept && number::overflows(&component.exact, component.kind) {
        return None;
    }
    let error = number::distance(&component.exact, &component.concrete);
    let size = number::magnitude(&component.exact);
    let moved = component.beside.first().map_or(0.0, |p| number::distance(&component.exact, p));
    let epsilon = number::epsilon(component.kind).max(number::epsilon(narrowest));
    // Zero has no relative error, and what is below the range of the format has none either. A sum whose terms cancel
    // wholly is measured by their size: what the lanes leave of it is the rounding of the lanes.
    let least = number::least_normal(component.kind).max(number::least_normal(narrowest)) / epsilon;
    let unresolved = component.scale * 2f64.powi(RESOLUTION - component.exact.prec() as i32);
    let base = if size > least.max(unresolved) { size } else { (moved / PERTURBATION).max(component.scale).max(least) };
    let units = error / base / (0.5 * epsilon);
    let lost = if kept { units } else { 2.0 / epsilon };
    Some(Loss {
        ulp: number::ulps(&component.exact, &component.concrete, component.kind),
        overflows: !kept,
        bits: if lost > 1.0 { lost.log2() } else { 0.0 },
        condition: if moved.is_finite() { moved / base / PERTURBATION } else { 1.0 },
        cancellation: (component.scale / base).max(1.0),
    })
}

/// Are the results of the primal's execution finite numbers?
pub fn is_finite(primal: &Primal<'_>) -> bool {
    let finite = |kind: FloatKind, value: Scalar| {
        !value.is_init() || number::value(kind, value.bits(), primal.precision()).is_finite()
    };
    let holds = |cell: &Cell| {
        let value = primal.after.load(cell.pointer(), Leaf::Float(cell.kind), 1);
        value.map_or(true, |value| finite(cell.kind, value))
    };
    let returned = primal.result_kind().zip(primal.result.first());
    primal.exit.iter().all(holds) && returned.is_none_or(|(kind, value)| finite(kind, value))
}

/// The accuracy of all components, and the index of the worst that lost too much.
pub fn of_run(
    primal: &Primal<'_>,
    regions: &Regions,
    run: &Run,
    (narrowest, allowance): (FloatKind, f64),
) -> (Accuracy, Option<(usize, Loss)>) {
    let mut accuracy = Accuracy::default();
    let mut worst: Option<(usize, Loss)> = None;
    for (index, input) in primal.inputs.iter().enumerate() {
        let Some(component) = run.component(regions, input.place, input.kind) else { continue };
        let Some(loss) = loss(&component, narrowest).filter(|loss| !loss.overflows || is_finite(primal)) else {
            continue;
        };
        accuracy.max_ulp = accuracy.max_ulp.max(loss.ulp);
        if loss.bits >= accuracy.lost_bits {
            accuracy.lost_bits = loss.bits;
            accuracy.condition = accuracy.condition.max(loss.condition);
            accuracy.cancellation = loss.cancellation;
        }
        if loss.excessive(allowance) && !primal.undefined && worst.is_none_or(|(_, w)| loss.bits > w.bits) {
            worst = Some((index, loss));
        }
    }
    (accuracy, worst)
}
