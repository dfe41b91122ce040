//! Gradient against reference: component by component when they are few, in groups with random signs otherwise
//! ([`super::groups`]).
//!
//! What differs is looked at more closely, in this order: without the truncation error of the quotients; with as many
//! bits as it takes, where the lanes do not resolve it; with moved literals, where gradient and primal differ in some
//! ([`super::literals`]); and at last with more bits still on both sides, which tells whether exact arithmetic
//! determines the derivative at all ([`super::settle`]).

use super::differences::{self, Held, Story};
use super::gradient::Run;
use super::groups::{self, Group, groups};
use super::inputs::{Input, Place};
use super::literals;
use super::number;
use super::reference::{Primal, Weighted, Weights};
use super::region::Regions;
use super::settle;
use crate::report::Basis;
use interp::machines::cells::Cell;
use interp::{Leaf, Stop};
use ir::FloatKind;
use rug::Float;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

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

/// How a run is made once more.
#[derive(Clone, Copy, Debug)]
pub enum Again {
    /// With moved literals.
    Moved,
    /// With lanes of that many bits.
    Precise(u32),
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
    fn components(&self, inputs: &[usize], sums: &[Vec<Weighted>], out: &mut [Comparison]) {
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
    fn replace(&self, single: &[usize], positions: &[usize], sums: &[Vec<Weighted>], out: &mut [Comparison]) {
        for (position, sums) in positions.iter().zip(sums) {
            for ((tried, sum), comparison) in self.runs.iter().zip(sums).zip(out.iter_mut()) {
                comparison.singly[*position] =
                    self.component(tried.run, tried.weights, (single[*position], SHARP), sum);
            }
        }
    }

    fn units(&self, single: &[usize], positions: &[usize]) -> Vec<Vec<f64>> {
        positions.iter().map(|p| self.primal.unit(single[*p])).collect()
    }
}

/// Compares runs of the gradient with the reference.
pub fn compare(
    primal: &Primal<'_>,
    regions: &Regions,
    runs: &Runs<'_>,
    effort: Effort<'_>,
) -> Result<Vec<Comparison>, Stop> {
    let weights: Vec<&Weights> = runs.iter().map(|tried| tried.weights).collect();
    let once = || runs.iter().map(|_| OnceCell::new()).collect();
    let sides = Sides {
        primal,
        regions,
        runs,
        weights,
        effort,
        moved: once(),
        precise: once(),
        left: runs.iter().map(|_| OnceCell::new()).collect(),
    };
    let mut out: Vec<Comparison> = runs.iter().map(|_| Comparison::default()).collect();
    let lost = primal.paths.lost.is_some();
    let mut search = groups::Search::default();
    let few = primal.inputs.len() <= SINGLY.min(effort.directions);
    if let Some(only) = effort.only {
        search.single.extend(only.iter().filter(|index| **index < primal.inputs.len()));
    } else if few {
        search.single.extend(0..primal.inputs.len());
    } else if lost {
        // Sums tell nothing where lanes are missing: some components are compared one by one.
        search.single.extend(sample(primal));
    } else {
        search = groups::search(&sides, &mut out)?;
    }
    let single: Vec<usize> = search.single.iter().copied().collect();
    let directions: Vec<Vec<f64>> = single.iter().map(|i| primal.unit(*i)).collect();
    let sums = primal.along(&directions, &sides.weights)?;
    if search.overall.is_empty() && !lost && effort.only.is_none() {
        search.overall = differences::combined(primal, &sums, effort.seed);
    }
    for (direction, sums) in &search.overall {
        told(&sides, direction, sums, &mut out);
    }
    sides.components(&single, &sums, &mut out);
    again(&sides, &single, &mut out)?;
    let blurred = resolve(&sides, &single, &mut out)?;
    for (n, comparison) in out.iter_mut().enumerate().filter(|_| effort.only.is_none()) {
        excuse_literals(&sides, (&single, &blurred), n, comparison)?;
        settle::settle(&sides, &single, n, comparison)?;
        // Where a run is wrong, nobody asks for the next.
        if comparison.deviating().next().is_some() {
            break;
        }
    }
    for (members, n) in &search.disagreeing {
        let found = out[*n]
            .singly
            .iter()
            .any(|c| (!c.agrees() || c.unsettled.is_some()) && c.input.is_some_and(|i| members.contains(&i)));
        out[*n].unexplained += usize::from(!found);
    }
    against_differences(&sides, &single, lost, &mut out)?;
    let covered = if few || lost { single.len() } else { primal.inputs.len() };
    out.iter_mut().for_each(|comparison| comparison.basis.components += covered);
    without_inputs(&sides, &mut out);
    Ok(out)
}

/// What plain differences say of the sums along a direction.
fn told(sides: &Sides<'_>, direction: &[f64], sums: &[Weighted], out: &mut [Comparison]) {
    let primal = sides.primal;
    let expected: Vec<(Float, f64)> = sums.iter().map(|s| (s.sum.clone(), s.scale)).collect();
    let along = |tried: &Tried<'_>| {
        let mut sum = (Float::new(primal.precision()), 0.0);
        for (left, by) in sides.left(tried.run).into_iter().flatten().zip(direction) {
            if let Some(left) = left {
                sum.0 += Float::with_val(primal.precision(), &left.exact * *by);
            }
            sum.1 += left.as_ref().map_or(f64::NAN, |left| left.concrete) * by;
        }
        sum
    };
    let found: Vec<(Float, f64)> = sides.runs.iter().map(along).collect();
    let stories = differences::stories(primal, direction, &sides.weights, &expected, &found);
    for (comparison, story) in out.iter_mut().zip(stories) {
        story.note(&mut comparison.basis);
        comparison.stories.push(story);
    }
}

/// Where lanes are missing, or contradicted, plain differences decide.
fn against_differences(sides: &Sides<'_>, single: &[usize], lost: bool, out: &mut [Comparison]) -> Result<(), Stop> {
    let primal = sides.primal;
    let contradicted = out.iter().any(Comparison::contradicted);
    if contradicted && single.is_empty() {
        let some = sample(primal);
        let directions: Vec<Vec<f64>> = some.iter().map(|i| primal.unit(*i)).collect();
        let sums = primal.along(&directions, &sides.weights)?;
        sides.components(&some, &sums, out);
    }
    if lost || contradicted {
        differences::correct(primal, &sides.weights, out)?;
        let all = primal.inputs.len() > single.len();
        for group in groups(sides, |_| 0.0).iter().rev().take(differences::DIRECTIONS).filter(|_| all) {
            refuted(sides, group, out);
        }
    }
    Ok(())
}

/// Cells that are no inputs: what the primal overwrites, and what it does not use as numbers.
fn without_inputs(sides: &Sides<'_>, out: &mut [Comparison]) {
    let (primal, regions) = (sides.primal, sides.regions);
    let inputs: BTreeSet<u64> = primal.inputs.iter().filter_map(|i| cell(i.place)).map(|c| c.address).collect();
    for cell in primal.exit.iter().filter(|c| !inputs.contains(&c.address)) {
        for (tried, comparison) in sides.runs.iter().zip(out.iter_mut()) {
            let compared = overwritten(regions, tried.run, tried.weights, *cell);
            comparison.basis.components += 1;
            if primal.inputs.len() <= SINGLY || !compared.agrees() {
                comparison.singly.push(compared);
            }
        }
    }
    for (tried, comparison) in sides.runs.iter().zip(out.iter_mut()) {
        comparison.singly.extend(foreign(primal, regions, tried.run, tried.weights));
    }
}

/// Where only some components are compared one by one: do plain differences along a direction refute the sum of all?
fn refuted(sides: &Sides<'_>, group: &Group, out: &mut [Comparison]) {
    let primal = sides.primal;
    let told = differences::along(primal, &group.direction(primal), &sides.weights);
    let nothing = Weighted { sum: Float::new(primal.precision()), scale: 0.0, error: 0.0, bent: false };
    for (n, (tried, comparison)) in sides.runs.iter().zip(out.iter_mut()).enumerate() {
        let Some((sum, _)) = group.sum(sides, tried.run, &nothing) else { continue };
        if let Held::Reference(_) = differences::hold(told.as_ref(), n, (&sum, Some(&sum)), true) {
            comparison.unexplained += 1;
        }
    }
}

/// Some inputs, evenly.
fn sample(primal: &Primal<'_>) -> Vec<usize> {
    (0..primal.inputs.len()).step_by(primal.inputs.len().div_ceil(SINGLY).max(1)).collect()
}

/// Components that disagree are compared once more, with the truncation error of the reference taken out.
fn again(sides: &Sides<'_>, single: &[usize], out: &mut [Comparison]) -> Result<(), Stop> {
    let disagrees = |position: &usize| out.iter().any(|c| c.singly.get(*position).is_some_and(|c| !c.agrees()));
    let positions: Vec<usize> = (0..single.len()).filter(disagrees).collect();
    let sums = sides.primal.extrapolated(&sides.units(single, &positions), &sides.weights)?;
    sides.replace(single, &positions, &sums, out);
    Ok(())
}

/// Components that disagree where gradient or primal has rounded literals: how far can these move them? Those that the
/// lanes do not resolve are asked with as many bits as it takes.
fn excuse_literals(
    sides: &Sides<'_>,
    (single, blurred): (&[usize], &[usize]),
    n: usize,
    comparison: &mut Comparison,
) -> Result<(), Stop> {
    let sharp = sides.primal.with_precision(FINEST);
    let disagrees = |position: &usize| comparison.singly.get(*position).is_some_and(|c| !c.agrees());
    let all = (0..single.len()).filter(disagrees);
    let (hidden, plain): (Vec<usize>, Vec<usize>) = all.partition(|position| blurred.contains(position));
    for (positions, primal) in [(plain, sides.primal), (hidden, &sharp)] {
        let units: Vec<Group> = positions.iter().map(|p| Group::unit(single[*p])).collect();
        let units: Vec<&Group> = units.iter().collect();
        let allowed = groups::moved_by_literals((sides, primal), &units, n, literals::MOVES)?;
        for (position, allowed) in positions.iter().zip(allowed) {
            comparison.singly[*position].literals = allowed / sides.primal.inputs[single[*position]].scale;
        }
    }
    Ok(())
}

/// Components that the lanes do not resolve, since their changes are below the last bit of what they are added to, are
/// compared with as many bits as it takes, and returned by position. Those that are zero on both sides are looked at
/// together first.
fn resolve(sides: &Sides<'_>, single: &[usize], out: &mut [Comparison]) -> Result<Vec<usize>, Stop> {
    let primal = sides.primal;
    let blurred = |c: &Compared| {
        let size = c.size();
        c.expected.is_finite() && size > 0.0 && c.error > BLURRED * size && !(c.agrees() && c.error == 0.0)
    };
    let vanishes = |c: &Compared| c.size() == 0.0 && c.error > 0.0;
    let at = |position: usize, test: &dyn Fn(&Compared) -> bool| {
        out.iter().any(|c| c.singly.get(position).is_some_and(test))
    };
    let mut positions: Vec<usize> = (0..single.len()).filter(|p| at(*p, &blurred)).collect();
    let zeros: Vec<usize> = (0..single.len()).filter(|p| at(*p, &vanishes)).collect();
    let sharp = primal.with_precision(FINEST);
    if !zeros.is_empty() {
        let mut direction = vec![0.0; primal.inputs.len()];
        zeros.iter().for_each(|p| direction[single[*p]] = primal.inputs[single[*p]].scale);
        let sums = sharp.along(std::slice::from_ref(&direction), &sides.weights)?;
        if sums.iter().flatten().any(|sum| number::magnitude(&sum.sum) > sum.error.max(number::UNSEEN)) {
            positions.extend(zeros);
        }
    }
    let sums = sharp.extrapolated(&sides.units(single, &positions), &sides.weights)?;
    sides.replace(single, &positions, &sums, out);
    Ok(positions)
}

/// Cells that the primal does not use as numbers, to whose shadows the gradient has stored numbers.
pub fn taken_for_numbers(primal: &Primal<'_>, regions: &Regions, run: &Run) -> Vec<Cell> {
    let used: BTreeMap<u64, u64> = primal.exit.iter().map(|c| (c.address, c.size())).collect();
    let mut found = Vec::new();
    for pair in regions.pairs() {
        let inside = |a: u64| a >= pair.shadow.base && a < pair.shadow.base + pair.shadow.size;
        for (address, stores) in run.probe.stores.iter().filter(|(a, _)| inside(**a)) {
            let Leaf::Float(kind) = stores.leaf else { continue };
            let size = stores.leaf.store_size();
            let address = address.wrapping_add_signed(-pair.distance);
            // One block may hold the shadows of several arguments, such as a row of a Jacobian: what lies beyond this
            // argument's is not its shadow.
            if address < pair.primal.base || address + size > pair.primal.base + pair.primal.size {
                continue;
            }
            let touches = |(a, s): (&u64, &u64)| a + s > address;
            if !used.range(..address + size).next_back().is_some_and(touches) {
                found.push(Cell { address, object: pair.primal.id, kind });
            }
        }
    }
    found.sort_by_key(|cell| cell.address);
    found
}

/// Numbers stored to shadows of cells that the primal does not use as numbers: such shadows must stay as they are.
fn foreign(primal: &Primal<'_>, regions: &Regions, run: &Run, weights: &Weights) -> Vec<Compared> {
    let mut taken = taken_for_numbers(primal, regions, run);
    taken.retain(|cell| !weights.cells.contains_key(&cell.address));
    let compared = |cell: &Cell| {
        let before = primal.shadow_on_entry(regions, *cell)?;
        let now = run.shadow(regions, cell.address, cell.kind);
        if now.is_some_and(|n| n.concrete == before || (n.concrete.is_nan() && before.is_nan())) {
            return None;
        }
        let entry = before.to_f64();
        Some(Compared { expected: before, entry, kept: true, ..overwritten(regions, run, weights, *cell) })
    };
    taken.iter().filter_map(compared).take(SINGLY).collect()
}

fn cell(place: Place) -> Option<Cell> {
    match place {
        Place::Cell(cell) => Some(cell),
        Place::Scalar(_) => None,
    }
}

fn entry(weights: &Weights, place: Place) -> f64 {
    cell(place).and_then(|c| weights.cells.get(&c.address)).map_or(0.0, Float::to_f64)
}

/// A cell that the primal overwrites without reading it: its shadow must end at zero.
fn overwritten(regions: &Regions, run: &Run, weights: &Weights, cell: Cell) -> Compared {
    let number = run.shadow(regions, cell.address, cell.kind);
    let precision = run.probe.lanes.precision();
    let entry = weights.cells.get(&cell.address).map_or(0.0, Float::to_f64);
    Compared {
        input: None,
        cell: Some(cell),
        kind: cell.kind,
        name: regions.name(cell.address, cell.size()),
        expected: Float::new(precision),
        scale: number.as_ref().map_or(0.0, |n| n.scale).max(entry.abs()),
        resolution: SHARP,
        literals: 0.0,
        error: 0.0,
        concrete: number.as_ref().map_or(f64::NAN, |n| n.concrete.to_f64()),
        exact: number.map(|n| n.exact),
        entry,
        kept: false,
        doubtful: false,
        unsettled: None,
    }
}
