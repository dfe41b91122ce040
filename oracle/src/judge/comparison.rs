//! What is compared with what: runs of a gradient, their components beside the reference, and what comes of it.

use super::gradient::{Again, Run};
use super::inputs::{Input, Place};
use super::number;
use super::reference::{Primal, Weighted, Weights};
use super::region::Regions;
use crate::report::Basis;
use interp::machines::cells::Cell;
use ir::FloatKind;
use rug::Float;
use std::cell::OnceCell;

/// Components compared one by one.
pub const SINGLY: usize = 64;
/// What the arithmetic of the lanes may contribute, relative to the scale of a sum; the reference has a bound of its
/// own.
pub const SHARP: f64 = 1e-50;
/// What a sum of which the truncation error is not known may differ by, before it is looked at more closely.
pub const QUICK: f64 = 1e-40;
/// A bound of the lanes' own error beyond this part of a component hides mistakes.
pub const BLURRED: f64 = 1e-20;
/// Bits in which the whole range of a `double` is resolved.
pub const FINEST: u32 = 2560;

/// A component of a run beside the reference.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Index of the input; none for a cell that the primal only overwrites or does not touch.
    pub input: Option<usize>,
    /// The primal cell; none for a scalar.
    pub cell: Option<Cell>,
    /// Its format.
    pub kind: FloatKind,
    /// Its name.
    pub name: String,
    /// The reference.
    pub expected: Float,
    /// The scale against which it is compared.
    pub scale: f64,
    /// What the arithmetic of the lanes may contribute, relative to the scale: [`QUICK`] or [`SHARP`].
    pub resolution: f64,
    /// What rounded literals may contribute ([`super::literals`]).
    pub literals: f64,
    /// A bound of the reference's own error.
    pub error: f64,
    /// What the gradient's formula gives; none if that is undefined.
    pub exact: Option<Float>,
    /// What the gradient computed.
    pub concrete: f64,
    /// The shadow on entry (zero for scalars).
    pub entry: f64,
    /// Does the primal leave the cell as it is, so that its shadow accumulates?
    pub kept: bool,
    /// Lanes are missing, and differences tell nothing: neither reference decides.
    pub doubtful: bool,
    /// Exact arithmetic does not determine the derivative: what references of more and more bits say.
    pub unsettled: Option<[f64; 2]>,
}

impl Compared {
    /// Does the formula agree?
    pub fn agrees(&self) -> bool {
        let Some(exact) = &self.exact else { return false };
        if !self.expected.is_finite() {
            return true;
        }
        let allowed = self.resolution * self.scale + self.error + self.literals + number::unseen(self.size());
        self.doubtful || self.unsettled.is_some() || number::distance(&self.expected, exact) <= allowed
    }

    /// The larger of what is and what should be.
    pub fn size(&self) -> f64 {
        self.exact.as_ref().map_or(0.0, number::magnitude).max(number::magnitude(&self.expected))
    }

    /// Exact minus expected; NaN if either is not a number.
    pub fn deviation(&self) -> f64 {
        self.exact.as_ref().map_or(f64::NAN, |e| Float::with_val(e.prec(), e - &self.expected).to_f64())
    }

    /// What the gradient should have contributed beyond what the shadow held, and what it did.
    pub fn contributions(&self) -> (f64, f64) {
        let entry = if self.kept { self.entry } else { 0.0 };
        let less = |v: &Float| Float::with_val(v.prec(), v - entry).to_f64();
        (less(&self.expected), self.exact.as_ref().map_or(f64::NAN, less))
    }
}

/// The comparison of one run.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Components compared singly: all, or those of groups that disagree.
    pub singly: Vec<Compared>,
    /// Sums of groups compared.
    pub groups: usize,
    /// Sums of groups of which the reference says nothing, since they are infinite or no numbers.
    pub undefined: usize,
    /// Sums that disagree although none of their components was found to.
    pub unexplained: usize,
    /// What lanes and plain differences say of each other, along random directions.
    pub stories: Vec<Story>,
    /// What an agreement rests on.
    pub basis: Basis,
}

impl Comparison {
    /// Do lanes and differences contradict each other along every direction?
    pub fn contradicted(&self) -> bool {
        !self.stories.is_empty() && self.stories.iter().all(|s| *s == Story::Contradiction)
    }

    /// The components that disagree.
    pub fn deviating(&self) -> impl Iterator<Item = &Compared> {
        self.singly.iter().filter(|c| !c.agrees())
    }

    /// Where the reference is infinite or no number, so that nothing was compared: a component, or some together.
    pub fn undefined(&self) -> Option<&str> {
        let single = self.singly.iter().find(|c| !c.expected.is_finite()).map(|c| c.name.as_str());
        single.or((self.undefined > 0).then_some("some components"))
    }
}

/// A run of the gradient to compare.
pub struct Tried<'a> {
    /// The run.
    pub run: &'a Run,
    /// The weights it was made with.
    pub weights: &'a Weights,
    /// The same run once more.
    pub again: &'a dyn Fn(Again) -> Option<Run>,
}

/// The runs of a gradient to compare.
pub type Runs<'a> = [Tried<'a>];

/// How much work the comparison may do.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    /// Directions at most.
    pub directions: usize,
    /// Seed of the random signs.
    pub seed: u64,
    /// The only components to be compared.
    pub only: Option<&'a [usize]>,
}

/// What is compared with what.
pub(super) struct Sides<'a> {
    pub primal: &'a Primal<'a>,
    pub regions: &'a Regions,
    pub runs: &'a Runs<'a>,
    pub weights: Vec<&'a Weights>,
    pub effort: Effort<'a>,
    moved: Vec<OnceCell<Option<Run>>>,
    precise: Vec<OnceCell<Option<Run>>>,
    left: Vec<OnceCell<Vec<Option<Left>>>>,
}

/// What a run of the gradient has left of a component.
pub(super) struct Left {
    /// In exact arithmetic.
    pub exact: Float,
    /// The gradient's own number.
    pub concrete: f64,
    /// The scale of the sum that it is.
    pub scale: f64,
}

impl<'a> Sides<'a> {
    pub fn new(primal: &'a Primal<'a>, regions: &'a Regions, runs: &'a Runs<'a>, effort: Effort<'a>) -> Sides<'a> {
        let weights = runs.iter().map(|tried| tried.weights).collect();
        let once = || runs.iter().map(|_| OnceCell::new()).collect();
        let left = runs.iter().map(|_| OnceCell::new()).collect();
        Sides { primal, regions, runs, weights, effort, moved: once(), precise: once(), left }
    }

    /// A run with moved literals.
    pub fn moved(&self, n: usize) -> Option<&Run> {
        let again = || self.runs.get(n).and_then(|tried| (tried.again)(Again::Moved));
        self.moved.get(n)?.get_or_init(again).as_ref()
    }

    /// A run with the most bits.
    pub fn precise(&self, n: usize) -> Option<&Run> {
        let again = || self.runs.get(n).and_then(|tried| (tried.again)(Again::Precise(FINEST)));
        self.precise.get(n)?.get_or_init(again).as_ref()
    }

    /// What a run has left of each component; none if the run is not one of those that are compared.
    pub fn left(&self, run: &Run) -> Option<&[Option<Left>]> {
        let n = self.runs.iter().position(|tried| std::ptr::eq(tried.run, run))?;
        let of = |input: &Input| {
            let number = run.component(self.regions, input.place, input.kind)?;
            Some(Left { concrete: number.concrete.to_f64(), scale: number.scale, exact: number.exact })
        };
        Some(self.left[n].get_or_init(|| self.primal.inputs.iter().map(of).collect()))
    }

    /// The component of an input beside the reference for the direction that changes it by its scale, a power of two.
    pub fn component(
        &self,
        run: &Run,
        weights: &Weights,
        (index, resolution): (usize, f64),
        sum: &Weighted,
    ) -> Compared {
        let input: &Input = &self.primal.inputs[index];
        let number = run.component(self.regions, input.place, input.kind);
        let expected = Float::with_val(sum.sum.prec(), &sum.sum / input.scale);
        let own = cell(input.place);
        let terms = number.as_ref().map_or(0.0, |n| n.scale);
        let scale = (sum.scale / input.scale).max(number::magnitude(&expected)).max(terms);
        Compared {
            input: Some(index),
            cell: own,
            kind: input.kind,
            name: input.name.clone(),
            expected,
            scale,
            resolution,
            literals: 0.0,
            error: sum.error / input.scale,
            concrete: number.as_ref().map_or(f64::NAN, |n| n.concrete.to_f64()),
            exact: number.map(|n| n.exact),
            entry: entry(weights, input.place),
            kept: own.is_some_and(|c| !self.primal.overwrites(&c)),
            doubtful: false,
            unsettled: None,
        }
    }

    /// Components by these inputs, from their sums.
    pub fn components(&self, inputs: &[usize], sums: &[Vec<Weighted>], out: &mut [Comparison]) {
        for (index, sums) in inputs.iter().zip(sums) {
            for ((tried, sum), comparison) in self.runs.iter().zip(sums).zip(out.iter_mut()) {
                comparison.basis.directions += 1;
                let compared = self.component(tried.run, tried.weights, (*index, QUICK), sum);
                comparison.basis.nonzero += usize::from(compared.size() > 0.0);
                comparison.singly.push(compared);
            }
        }
    }

    /// The same, where they stand already.
    pub fn replace(&self, single: &[usize], positions: &[usize], sums: &[Vec<Weighted>], out: &mut [Comparison]) {
        for (position, sums) in positions.iter().zip(sums) {
            for ((tried, sum), comparison) in self.runs.iter().zip(sums).zip(out.iter_mut()) {
                comparison.singly[*position] =
                    self.component(tried.run, tried.weights, (single[*position], SHARP), sum);
            }
        }
    }

    pub fn units(&self, single: &[usize], positions: &[usize]) -> Vec<Vec<f64>> {
        positions.iter().map(|p| self.primal.unit(single[*p])).collect()
    }
}

/// What the two references say of each other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Story {
    /// The same, within this part of the scale.
    Same(f64),
    /// Differences tell nothing here.
    Untold,
    /// Different things.
    Contradiction,
}

impl Story {
    /// Adds it to what an agreement rests on.
    pub fn note(self, basis: &mut Basis) {
        if let Story::Same(bound) = self {
            basis.differences += 1;
            basis.bound = Some(basis.bound.map_or(bound, |known| known.max(bound)));
        }
    }
}

/// The cell of an input that is one.
pub fn cell(place: Place) -> Option<Cell> {
    match place {
        Place::Cell(cell) => Some(cell),
        Place::Scalar(_) => None,
    }
}

fn entry(weights: &Weights, place: Place) -> f64 {
    cell(place).and_then(|c| weights.cells.get(&c.address)).map_or(0.0, Float::to_f64)
}
