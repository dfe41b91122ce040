//! Central difference quotients read off lanes.
//!
//! Lane 0 is the computation at x. For each step h_s and each direction v_j two lanes follow: x + h_s·v_j and x -
//! h_s·v_j. With lanes of p bits and h ≈ 2⁻⁶⁰ of the scale of x the quotient (F(x + hv) - F(x - hv)) / 2h has a
//! truncation error of order h² ≈ 2⁻¹²⁰ and a rounding error of order 2⁻ᵖ/h = 2⁶⁰⁻ᵖ, relative to the scale of F: at 256
//! bits more than thirty digits. The quotients of two steps differ by about the truncation error of the larger one,
//! which shows convergence.

use super::lane_set::{Each, LaneSet};
use crate::number;
use ir::FloatKind;
use rug::Float;
use std::rc::Rc;

/// Directions along which derivatives are taken, and the steps.
#[derive(Clone, Debug)]
pub struct Directions {
    precision: u32,
    count: usize,
    steps: Vec<Float>,
}

impl Directions {
    /// `count` directions, each with every one of the steps.
    pub fn new(precision: u32, count: usize, steps: &[f64]) -> Directions {
        let steps = steps.iter().map(|h| Float::with_val(precision, *h)).collect();
        Directions { precision, count, steps }
    }

    /// How many lanes there are.
    pub fn lanes(&self) -> usize {
        1 + 2 * self.count * self.steps.len()
    }

    /// Bits of each lane.
    pub fn precision(&self) -> u32 {
        self.precision
    }

    /// The steps.
    pub fn steps(&self) -> &[Float] {
        &self.steps
    }

    /// The lanes of an input whose concrete value is `bits` and whose component in direction j is `components[j]`.
    pub fn input(&self, kind: FloatKind, bits: u128, components: &[f64]) -> LaneSet {
        let x = number::to_float(kind, bits, self.precision);
        let mut others = Vec::new();
        for (which, step) in self.steps.iter().enumerate() {
            for (j, by) in components.iter().enumerate().filter(|(_, by)| **by != 0.0) {
                let delta = Float::with_val(self.precision, step * *by);
                let at = (1 + 2 * (which * self.count + j)) as u32;
                others.push((at, Float::with_val(self.precision, &x + &delta)));
                others.push((at + 1, Float::with_val(self.precision, &x - &delta)));
            }
        }
        LaneSet::Each(Rc::new(Each::new(x, others)))
    }

    /// By how much the one-sided derivative after x is more than that before, from the quotients of step `step`: of a
    /// smooth function that is less, the smaller the step. None if there is no such direction or step.
    pub fn bend(&self, lanes: &LaneSet, direction: usize, step: usize) -> Option<Float> {
        let h = self.steps.get(step).filter(|_| direction < self.count)?;
        let at = 1 + 2 * (step * self.count + direction);
        let Some(lanes) = lanes.lanes().filter(|lanes| lanes.differs(at)) else {
            return Some(Float::new(self.precision));
        };
        let sum = Float::with_val(self.precision, lanes.get(at) + lanes.get(at + 1));
        let twice = Float::with_val(self.precision, lanes.first() * 2);
        Some((sum - twice) / h)
    }

    /// The derivative in direction `direction` of a value with these lanes, from the quotient of step `step`. Zero when
    /// the lanes do not differ. None if there is no such direction or step.
    pub fn derivative(&self, lanes: &LaneSet, direction: usize, step: usize) -> Option<Float> {
        let h = self.steps.get(step).filter(|_| direction < self.count)?;
        let at = 1 + 2 * (step * self.count + direction);
        let Some(lanes) = lanes.lanes().filter(|lanes| lanes.differs(at)) else {
            return Some(Float::new(self.precision));
        };
        let difference = Float::with_val(self.precision, lanes.get(at) - lanes.get(at + 1));
        let width = Float::with_val(self.precision, h * 2);
        Some(difference / width)
    }
}
