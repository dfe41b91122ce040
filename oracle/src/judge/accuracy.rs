//! Accuracy apart from correctness: the gradient's own numbers against its own exact arithmetic.
//!
//! The bits lost are those of the relative error beyond half a unit in the last place. The bits that any method may lose are
//! the logarithm of the condition number: how far the derivative moves, relative to itself, when the data move by one part in
//! 2⁶⁰, divided by that. What is lost beyond condition and [`ALLOWANCE`] is the formula's own doing.

use super::compare;
use super::gradient::{Number, Run};
use super::number;
use super::probe::PERTURBATION;
use super::reference::{Place, Primal};
use super::region::Regions;
use crate::report::Accuracy;
use ir::FloatKind;

/// Bits that a gradient may lose beyond what the condition explains.
pub const ALLOWANCE: f64 = 16.0;

/// A sum this small against its terms is zero.
const CANCELLED: f64 = 1e-50;

/// The accuracy of one component.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// Distance from exact arithmetic in units of the last place.
    pub ulp: f64,
    /// Bits lost.
    pub bits: f64,
    /// Condition number.
    pub condition: f64,
}

impl Loss {
    /// Is more lost than the problem explains?
    pub fn excessive(&self) -> bool {
        self.bits > self.condition.max(1.0).log2() + ALLOWANCE
    }
}

/// The accuracy of a component of a run with a perturbed lane. `sum` is the largest partial sum of the component, `narrowest` the format
/// with the fewest bits that the primal computes in.
pub fn loss(component: &Number, sum: f64, narrowest: FloatKind) -> Loss {
    let error = number::distance(&component.exact, &component.concrete);
    let size = number::magnitude(&component.exact);
    let moved = component.perturbed.as_ref().map_or(0.0, |p| number::distance(&component.exact, p));
    let epsilon = number::epsilon(component.kind).max(number::epsilon(narrowest));
    // An exact zero has no relative error. Contributions that cancel wholly are measured by their own size: in lanes, too, what
    // is left of them is rounding.
    let least = f64::MIN_POSITIVE / epsilon;
    let base = if size > least.max(sum * CANCELLED) { size } else { (moved / PERTURBATION).max(sum).max(least) };
    let units = error / base / (0.5 * epsilon);
    Loss {
        ulp: number::ulps(&component.exact, &component.concrete, component.kind),
        bits: if units > 1.0 { units.log2() } else { 0.0 },
        condition: moved / base / PERTURBATION,
    }
}

/// The accuracy of all components, and the index of the worst that lost too much.
pub fn of_run(
    primal: &Primal<'_>,
    regions: &Regions,
    run: &Run,
    narrowest: FloatKind,
) -> (Accuracy, Option<(usize, Loss)>) {
    let mut accuracy = Accuracy::default();
    let numbers = || primal.inputs.iter().filter_map(|i| run.component(regions, i.place, i.kind));
    let largest = numbers().map(|n| number::magnitude(&n.exact)).filter(|m| m.is_finite()).fold(0.0, f64::max);
    let mut worst: Option<(usize, Loss)> = None;
    for (index, input) in primal.inputs.iter().enumerate() {
        let Some(component) = run.component(regions, input.place, input.kind) else { continue };
        if !component.exact.is_finite() || !component.concrete.is_finite() {
            continue;
        }
        let sum = match input.place {
            Place::Cell(cell) => compare::partial_sums(regions, run, cell.address, cell.size()),
            // The sums behind a returned component are not recorded; its neighbours tell their size.
            Place::Scalar(_) => largest,
        };
        let loss = loss(&component, sum, narrowest);
        accuracy.max_ulp = accuracy.max_ulp.max(loss.ulp);
        if loss.bits >= accuracy.lost_bits {
            accuracy.lost_bits = loss.bits;
            accuracy.condition = accuracy.condition.max(loss.condition);
        }
        if loss.excessive() && worst.is_none_or(|(_, w)| loss.bits > w.bits) {
            worst = Some((index, loss));
        }
    }
    (accuracy, worst)
}
