//! Gradient against reference: component by component when they are few, in groups of 16 with random signs otherwise.
//!
//! A group's sum is compared against its own scale, so that a relative error of 10⁻¹² in one component of a thousand
//! is 60 times the threshold. A group that disagrees is taken apart into its components.

use super::differences::{self, Held, Story};
use super::gradient::Run;
use super::number;
use super::reference::{Input, Place, Primal, Weighted, Weights};
use super::region::Regions;
use interp::machines::cells::Cell;
use interp::{Leaf, Stop};
use ir::FloatKind;
use rug::Float;
use std::collections::{BTreeMap, BTreeSet};

/// Components compared one by one.
pub const SINGLY: usize = 64;
/// Components compared in one sum.
const GROUP: usize = 16;
/// A bound of the lanes' own error beyond this part of a component hides mistakes.
const BLURRED: f64 = 1e-20;
/// Bits in which the whole range of a `double` is resolved.
const FINEST: u32 = 2560;
/// Groups that disagree, of which the guilty components are looked for.
const SUSPECTS: usize = 4;
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
    /// What rounded literals may contribute, relative to the scale ([`super::formats`]).
    pub threshold: f64,
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
}

impl Compared {
    /// Does the formula agree?
    pub fn agrees(&self) -> bool {
        let Some(exact) = &self.exact else { return false };
        if !self.expected.is_finite() {
            return true;
        }
        self.doubtful
            || number::distance(&self.expected, exact) <= self.threshold * self.scale + self.error + number::UNSEEN
    }

    /// The larger of what is and what should be.
    fn size(&self) -> f64 {
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

/// The runs of a gradient to compare, each with the weights it was made with.
pub type Runs<'a> = [(&'a Run, &'a Weights)];

/// How much work the comparison may do.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Directions at most.
    pub directions: usize,
    /// Seed of the random signs.
    pub seed: u64,
}

/// Compares runs of the gradient with the reference.
pub fn compare(
    primal: &Primal<'_>,
    regions: &Regions,
    runs: &Runs<'_>,
    effort: Effort,
) -> Result<Vec<Comparison>, Stop> {
    let mut out: Vec<Comparison> = runs.iter().map(|_| Comparison::default()).collect();
    let weights: Vec<&Weights> = runs.iter().map(|(_, w)| *w).collect();
    let mut single: BTreeSet<usize> = BTreeSet::new();
    let mut lost = primal.paths.lost.is_some();
    let mut overall: Vec<(Vec<f64>, Vec<Weighted>)> = Vec::new();
    let mut disagreeing: Vec<(BTreeSet<usize>, usize)> = Vec::new();
    if primal.inputs.len() <= SINGLY.min(effort.directions) {
        single.extend(0..primal.inputs.len());
    } else if lost {
        // Sums tell nothing where lanes are missing: some components are compared one by one.
        single.extend(sample(primal));
    } else {
        let sizes = |index: usize| {
            let input = &primal.inputs[index];
            let of = |(run, _): &(&Run, &Weights)| run.component(regions, input.place, input.kind);
            runs.first().and_then(of).map_or(0.0, |n| number::magnitude(&n.exact) * input.scale)
        };
        let groups = groups(primal, effort, sizes);
        let directions: Vec<Vec<f64>> = groups.iter().map(|g| g.direction(primal)).collect();
        let sums = primal.along(&directions, &weights)?;
        let mut suspects: Vec<(&Group, usize)> = Vec::new();
        let mut blurred = false;
        for (group, sums) in groups.iter().zip(&sums) {
            for (n, (((run, _), sum), comparison)) in runs.iter().zip(sums).zip(&mut out).enumerate() {
                comparison.groups += 1;
                comparison.undefined += usize::from(!sum.sum.is_finite());
                let hidden = group.is_blurred(primal, regions, run, sum);
                blurred |= hidden;
                if hidden || !group.agrees(primal, regions, run, sum) {
                    suspects.push((group, n));
                }
            }
        }
        // Sums that disagree, or whose components are small beside the rest, are taken once more, with all the bits it takes and without
        // truncation error.
        let again: Vec<Vec<f64>> = suspects.iter().map(|(group, _)| group.direction(primal)).collect();
        let sharp = primal.with_precision(if blurred { FINEST } else { primal.precision() });
        let exact = sharp.extrapolated(&again, &weights)?;
        let disagrees = |((group, n), sums): &(&(&Group, usize), &Vec<Weighted>)| {
            sums.get(*n).is_some_and(|sum| !group.agrees(primal, regions, runs[*n].0, sum))
        };
        let guilty = suspects.iter().zip(&exact).filter(disagrees).map(|((group, n), _)| (*group, *n));
        // The sums over all come last: what they see, a smaller group sees too, unless it is small beside the others.
        for (group, n) in guilty {
            disagreeing.push((group.members.iter().map(|(i, _)| *i).collect(), n));
            if disagreeing.len() <= SUSPECTS && group.members.iter().all(|(i, _)| !single.contains(i)) {
                single.extend(bisect(&sharp, regions, (runs[n].0, runs[n].1), group)?);
            }
        }
        overall = directions.into_iter().zip(sums).rev().take(differences::DIRECTIONS).collect();
    }
    let single: Vec<usize> = single.into_iter().collect();
    let directions: Vec<Vec<f64>> = single.iter().map(|i| primal.unit(*i)).collect();
    let sums = primal.along(&directions, &weights)?;
    if overall.is_empty() && !lost {
        overall = differences::combined(primal, &sums, effort.seed);
    }
    for (direction, sums) in &overall {
        let expected: Vec<(Float, f64)> = sums.iter().map(|s| (s.sum.clone(), s.scale)).collect();
        let along = |(run, _): &(&Run, &Weights)| {
            let mut sum = (Float::new(primal.precision()), 0.0);
            for (input, by) in primal.inputs.iter().zip(direction) {
                let number = run.component(regions, input.place, input.kind);
                sum.0 += number.as_ref().map_or_else(|| Float::new(primal.precision()), |n| n.exact.clone() * *by);
                sum.1 += number.map_or(f64::NAN, |n| n.concrete.to_f64()) * by;
            }
            sum
        };
        let found: Vec<(Float, f64)> = runs.iter().map(along).collect();
        let stories = differences::stories(primal, direction, &weights, &expected, &found);
        out.iter_mut().zip(stories).for_each(|(comparison, story)| comparison.stories.push(story));
    }
    singly(primal, regions, runs, (&single, &sums), &mut out);
    again(primal, regions, runs, &single, &mut out)?;
    resolve(primal, regions, runs, &single, &mut out)?;
    for (members, n) in &disagreeing {
        let found = out[*n].deviating().any(|c| c.input.is_some_and(|i| members.contains(&i)));
        out[*n].unexplained += usize::from(!found);
    }
    if out.iter().any(Comparison::contradicted) {
        lost = true;
        if single.is_empty() {
            let some = sample(primal);
            let directions: Vec<Vec<f64>> = some.iter().map(|i| primal.unit(*i)).collect();
            let sums = primal.along(&directions, &weights)?;
            singly(primal, regions, runs, (&some, &sums), &mut out);
        }
    }
    if lost {
        differences::correct(primal, runs, &mut out)?;
        let all = primal.inputs.len() > single.len();
        for group in groups(primal, effort, |_| 0.0).iter().rev().take(differences::DIRECTIONS).filter(|_| all) {
            refuted(primal, regions, runs, group, &mut out);
        }
    }
    let inputs: BTreeSet<u64> = primal.inputs.iter().filter_map(|i| cell(i.place)).map(|c| c.address).collect();
    for cell in primal.exit.iter().filter(|c| !inputs.contains(&c.address)) {
        for ((run, weights), comparison) in runs.iter().zip(&mut out) {
            let compared = overwritten(regions, run, weights, *cell);
            if primal.inputs.len() <= SINGLY || !compared.agrees() {
                comparison.singly.push(compared);
            }
        }
    }
    for ((run, weights), comparison) in runs.iter().zip(&mut out) {
        comparison.singly.extend(foreign(primal, regions, run, weights));
    }
    Ok(out)
}

/// Halves a group that disagrees until few are left: as many runs as its size has binary digits.
fn bisect(
    primal: &Primal<'_>,
    regions: &Regions,
    (run, weights): (&Run, &Weights),
    group: &Group,
) -> Result<Vec<usize>, Stop> {
    let mut members = group.members.clone();
    while members.len() > GROUP {
        let (left, right) = members.split_at(members.len() / 2);
        let halves = [Group { members: left.to_vec() }, Group { members: right.to_vec() }];
        let directions: Vec<Vec<f64>> = halves.iter().map(|half| half.direction(primal)).collect();
        let sums = primal.extrapolated(&directions, &[weights])?;
        let disagrees = |(half, sums): &(&Group, &Vec<Weighted>)| {
            sums.first().is_some_and(|sum| !half.agrees(primal, regions, run, sum))
        };
        match halves.iter().zip(&sums).find(disagrees) {
            Some((half, _)) => members = half.members.clone(),
            None => break,
        }
    }
    Ok(members.iter().map(|(i, _)| *i).take(GROUP).collect())
}

/// Where only some components are compared one by one: do plain differences along a direction refute the sum of all?
fn refuted(primal: &Primal<'_>, regions: &Regions, runs: &Runs<'_>, group: &Group, out: &mut [Comparison]) {
    let weights: Vec<&Weights> = runs.iter().map(|(_, w)| *w).collect();
    let told = differences::along(primal, &group.direction(primal), &weights);
    let nothing = Weighted { sum: Float::new(primal.precision()), scale: 0.0, error: 0.0 };
    for (n, ((run, _), comparison)) in runs.iter().zip(out.iter_mut()).enumerate() {
        let Some((sum, _)) = group.sum(primal, regions, run, &nothing) else { continue };
        if let Held::Reference(_) = differences::hold(told.as_ref(), n, (&sum, Some(&sum)), true) {
            comparison.unexplained += 1;
        }
    }
}

/// Some inputs, evenly.
fn sample(primal: &Primal<'_>) -> Vec<usize> {
    (0..primal.inputs.len()).step_by(primal.inputs.len().div_ceil(SINGLY).max(1)).collect()
}

/// Adds components by these inputs.
fn singly(
    primal: &Primal<'_>,
    regions: &Regions,
    runs: &Runs<'_>,
    (inputs, sums): (&[usize], &[Vec<Weighted>]),
    out: &mut [Comparison],
) {
    for (index, sums) in inputs.iter().zip(sums) {
        for (((run, weights), sum), comparison) in runs.iter().zip(sums).zip(out.iter_mut()) {
            comparison.singly.push(component(primal, regions, run, weights, *index, sum));
        }
    }
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
            // One block may hold the shadows of several arguments, such as a row of a Jacobian: what lies beyond this argument's
            // is not its shadow.
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

/// Components that disagree are compared once more, with the truncation error of the reference taken out.
fn again(
    primal: &Primal<'_>,
    regions: &Regions,
    runs: &Runs<'_>,
    single: &[usize],
    out: &mut [Comparison],
) -> Result<(), Stop> {
    let disagrees = |position: &usize| out.iter().any(|c| c.singly.get(*position).is_some_and(|c| !c.agrees()));
    let positions: Vec<usize> = (0..single.len()).filter(disagrees).collect();
    let directions: Vec<Vec<f64>> = positions.iter().map(|p| primal.unit(single[*p])).collect();
    let weights: Vec<&Weights> = runs.iter().map(|(_, w)| *w).collect();
    let sums = primal.extrapolated(&directions, &weights)?;
    for (position, sums) in positions.iter().zip(&sums) {
        for (((run, weights), sum), comparison) in runs.iter().zip(sums).zip(out.iter_mut()) {
            comparison.singly[*position] = component(primal, regions, run, weights, single[*position], sum);
        }
    }
    Ok(())
}

/// Components that the lanes do not resolve, since their changes are below the last bit of what they are added to, are compared with
/// as many bits as it takes. Those that are zero on both sides are looked at together first.
fn resolve(
    primal: &Primal<'_>,
    regions: &Regions,
    runs: &Runs<'_>,
    single: &[usize],
    out: &mut [Comparison],
) -> Result<(), Stop> {
    let weights: Vec<&Weights> = runs.iter().map(|(_, w)| *w).collect();
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
        let sums = sharp.along(std::slice::from_ref(&direction), &weights)?;
        if sums.iter().flatten().any(|sum| number::magnitude(&sum.sum) > sum.error.max(number::UNSEEN)) {
            positions.extend(zeros);
        }
    }
    let directions: Vec<Vec<f64>> = positions.iter().map(|p| primal.unit(single[*p])).collect();
    let sums = sharp.extrapolated(&directions, &weights)?;
    for (position, sums) in positions.iter().zip(&sums) {
        for (((run, weights), sum), comparison) in runs.iter().zip(sums).zip(out.iter_mut()) {
            comparison.singly[*position] = component(primal, regions, run, weights, single[*position], sum);
        }
    }
    Ok(())
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

fn component(
    primal: &Primal<'_>,
    regions: &Regions,
    run: &Run,
    weights: &Weights,
    index: usize,
    sum: &Weighted,
) -> Compared {
    let input: &Input = &primal.inputs[index];
    let number = run.component(regions, input.place, input.kind);
    // The direction has the length of the input's scale, a power of two.
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
        threshold: run.threshold,
        error: sum.error / input.scale,
        concrete: number.as_ref().map_or(f64::NAN, |n| n.concrete.to_f64()),
        exact: number.map(|n| n.exact),
        entry: entry(weights, input.place),
        kept: own.is_some_and(|c| !primal.overwrites(&c)),
        doubtful: false,
    }
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
        threshold: run.threshold,
        error: 0.0,
        concrete: number.as_ref().map_or(f64::NAN, |n| n.concrete.to_f64()),
        exact: number.map(|n| n.exact),
        entry,
        kept: false,
        doubtful: false,
    }
}

/// Some inputs with random signs.
struct Group {
    members: Vec<(usize, f64)>,
}

/// Every input in one group of [`GROUP`], as long as the effort allows, and some sums over all inputs.
fn groups(primal: &Primal<'_>, effort: Effort, sizes: impl Fn(usize) -> f64) -> Vec<Group> {
    const OVER_ALL: usize = 2;
    let mut random = number::Random::new(effort.seed ^ 0xc0);
    let count = primal.inputs.len();
    let most = effort.directions.saturating_sub(OVER_ALL).max(1);
    let size = GROUP.max(count.div_ceil(most));
    // Components of like size are compared together, so that none hides beside larger ones.
    let mut all: Vec<usize> = (0..count).collect();
    let sizes: Vec<f64> = all.iter().map(|index| sizes(*index)).collect();
    all.sort_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
    let mut signed = |members: &[usize]| Group { members: members.iter().map(|i| (*i, random.weight())).collect() };
    let mut groups: Vec<Group> = all.chunks(size).map(&mut signed).collect();
    groups.extend((0..OVER_ALL).map(|_| signed(&all)));
    groups
}

impl Group {
    fn direction(&self, primal: &Primal<'_>) -> Vec<f64> {
        let mut direction = vec![0.0; primal.inputs.len()];
        for (index, weight) in &self.members {
            direction[*index] = weight * primal.inputs[*index].scale;
        }
        direction
    }

    /// The sum of the gradient's components, and the scale of the terms on both sides; none if a component is undefined.
    fn sum(&self, primal: &Primal<'_>, regions: &Regions, run: &Run, expected: &Weighted) -> Option<(Float, f64)> {
        let mut sum = Float::new(run.probe.lanes.precision());
        let mut scale = expected.scale;
        for (index, weight) in &self.members {
            let input = &primal.inputs[*index];
            let number = run.component(regions, input.place, input.kind)?;
            let along = weight * input.scale;
            scale += number.scale * along.abs();
            sum += number.exact * along;
        }
        Some((sum, scale))
    }

    fn agrees(&self, primal: &Primal<'_>, regions: &Regions, run: &Run, expected: &Weighted) -> bool {
        let Some((sum, scale)) = self.sum(primal, regions, run, expected) else { return false };
        let allowed = run.threshold * scale + expected.error + number::UNSEEN;
        !expected.sum.is_finite() || number::distance(&sum, &expected.sum) <= allowed
    }

    /// Do the lanes' own errors hide what the sum is compared for?
    fn is_blurred(&self, primal: &Primal<'_>, regions: &Regions, run: &Run, expected: &Weighted) -> bool {
        let scale = self.sum(primal, regions, run, expected).map_or(0.0, |(_, scale)| scale);
        expected.error > BLURRED * scale
    }
}
