//! Gradient against reference: component by component when they are few, in groups with random signs otherwise
//! ([`super::groups`]).
//!
//! What differs is looked at more closely, in this order: without the truncation error of the quotients; with as many
//! bits as it takes, where the lanes do not resolve it; with moved literals, where gradient and primal differ in some
//! ([`super::literals`]); and at last with more bits still on both sides, which tells whether exact arithmetic
//! determines the derivative at all ([`super::settle`]).

use super::comparison::{BLURRED, Compared, Comparison, Effort, FINEST, Runs, SHARP, SINGLY, Sides, Tried, cell};
use super::differences::{self, Held};
use super::gradient::Run;
use super::groups::{self, Group, groups};
use super::literals;
use super::number;
use super::reference::{Primal, Weighted, Weights};
use super::region::Regions;
use super::settle;
use interp::machines::cells::Cell;
use interp::{Leaf, Stop};
use rug::Float;
use std::collections::{BTreeMap, BTreeSet};

/// Compares runs of the gradient with the reference.
pub fn compare(
    primal: &Primal<'_>,
    regions: &Regions,
    runs: &Runs<'_>,
    effort: Effort<'_>,
) -> Result<Vec<Comparison>, Stop> {
    let sides = Sides::new(primal, regions, runs, effort);
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
