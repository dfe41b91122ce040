//! Many components: compared in sums with random signs, those of like size together. The guilty one is found by taking
//! groups apart.
//!
//! A group's sum is compared against its own scale: a mistake shows in it unless it is below the resolution of the
//! lanes, which is why a component that is much smaller than others is not in their group. Two sums over all components
//! come last.

use super::comparison::{BLURRED, Comparison, FINEST, QUICK, SHARP, Sides};
use super::gradient::{Number, Run};
use super::literals;
use super::number;
use super::reference::{Primal, Weighted};
use interp::Stop;
use rug::Float;
use std::collections::BTreeSet;

/// Components compared in one sum, at least.
const GROUP: usize = 16;
/// How many times as large as another a component of the same group may be: 10⁻¹² of the smaller is above what counts
/// as [`BLURRED`].
const SPREAD: f64 = (1u64 << 20) as f64;
/// The same where literals move the larger by 10⁻¹⁵.
const SPREAD_OF_LITERALS: f64 = 8.0;
/// Sums over all components.
const OVER_ALL: usize = 2;
/// Groups that disagree, of which the guilty components are looked for.
const SUSPECTS: usize = 4;
/// Parts into which a group that disagrees is taken.
const PARTS: usize = 4;
/// A difference below this part of the scale is looked at with the most bits on both sides.
const FAINT: f64 = 1e-20;

/// Some inputs with random signs.
pub struct Group {
    members: Vec<(usize, f64)>,
}

/// What comparing in groups has come to.
#[derive(Default)]
pub struct Search {
    /// Components to be compared singly.
    pub single: BTreeSet<usize>,
    /// The directions over all inputs, with the derivatives along them.
    pub overall: Vec<(Vec<f64>, Vec<Weighted>)>,
    /// Members of the groups that disagree, and in which run.
    pub disagreeing: Vec<(BTreeSet<usize>, usize)>,
}

/// Compares in groups.
pub fn search(sides: &Sides<'_>, out: &mut [Comparison]) -> Result<Search, Stop> {
    let primal = sides.primal;
    let sizes = |index: usize| {
        let input = &primal.inputs[index];
        let of = |run: &Run| run.component(sides.regions, input.place, input.kind);
        sides.runs.first().and_then(|tried| of(tried.run)).map_or(0.0, |n| number::magnitude(&n.exact) * input.scale)
    };
    let groups = groups(sides, sizes);
    let directions: Vec<Vec<f64>> = groups.iter().map(|g| g.direction(primal)).collect();
    let sums = primal.along(&directions, &sides.weights)?;
    let mut suspects: Vec<(&Group, usize, &Weighted)> = Vec::new();
    let mut blurred = false;
    for (group, sums) in groups.iter().zip(&sums) {
        for (n, ((tried, sum), comparison)) in sides.runs.iter().zip(sums).zip(out.iter_mut()).enumerate() {
            comparison.groups += 1;
            comparison.basis.directions += 1;
            comparison.basis.nonzero += usize::from(!sum.sum.is_zero());
            comparison.undefined += usize::from(!sum.sum.is_finite());
            let found = group.sum(sides, tried.run, sum);
            // Do the lanes' own errors hide what the sum is compared for?
            let hidden = sum.error > BLURRED * found.as_ref().map_or(0.0, |(_, scale)| *scale);
            blurred |= hidden;
            if hidden || !found.is_some_and(|found| near(&found, sum, (QUICK, 0.0))) {
                suspects.push((group, n, sum));
            }
        }
    }
    let sharp = primal.with_precision(if blurred { FINEST } else { primal.precision() });
    let mut search = Search::default();
    // One run after the other. The sums over all come last: what they see, a smaller group sees too, unless it is small
    // beside the others. Where something is wrong, the rest is not asked for.
    for (n, over_all) in (0..sides.runs.len()).flat_map(|n| [(n, false), (n, true)]) {
        let mine = |(group, of, _): &&(&Group, usize, &Weighted)| {
            (*of, group.members.len() == primal.inputs.len()) == (n, over_all)
        };
        let some: Vec<(&Group, &Weighted)> =
            suspects.iter().filter(mine).map(|(group, _, sum)| (*group, *sum)).collect();
        let guilty = guilty(sides, (&sharp, n), some, blurred)?;
        for group in &guilty {
            search.disagreeing.push((group.members.iter().map(|(i, _)| *i).collect(), n));
            if search.disagreeing.len() <= SUSPECTS {
                search.single.extend(take_apart(sides, (&sharp, n), group)?);
            }
        }
        if !guilty.is_empty() {
            break;
        }
    }
    search.overall = directions.into_iter().zip(sums).rev().take(OVER_ALL).collect();
    Ok(search)
}

/// The suspects of a run that remain when they are looked at more closely. Sums that disagree, or whose components are
/// small beside the rest, are taken once more, with all the bits it takes and without truncation error.
fn guilty<'a>(
    sides: &Sides<'_>,
    (sharp, n): (&Primal<'_>, usize),
    some: Vec<(&'a Group, &Weighted)>,
    blurred: bool,
) -> Result<Vec<&'a Group>, Stop> {
    let (groups, first): (Vec<&Group>, Vec<&Weighted>) = some.into_iter().unzip();
    let groups = match blurred {
        true => groups,
        false => beyond_literals((sides, sides.primal), n, &groups, &first, (literals::FEW, QUICK))?.0,
    };
    let again: Vec<Vec<f64>> = groups.iter().map(|group| group.direction(sides.primal)).collect();
    let exact = sharp.extrapolated(&again, &[sides.runs[n].weights])?;
    let found: Vec<&Weighted> = exact.iter().filter_map(|sums| sums.first()).collect();
    let (groups, sums) = beyond_literals((sides, sharp), n, &groups, &found, (literals::MOVES, SHARP))?;
    not_faint(sides, n, &groups, &sums)
}

/// The groups whose sums disagree by more than moved literals explain, with the sums.
fn beyond_literals<'a, 's>(
    (sides, primal): (&Sides<'_>, &Primal<'_>),
    n: usize,
    groups: &[&'a Group],
    sums: &[&'s Weighted],
    (moves, resolution): (u32, f64),
) -> Result<(Vec<&'a Group>, Vec<&'s Weighted>), Stop> {
    let agrees = |group: &Group, sum: &Weighted, literals: f64| {
        group.agrees(sides, sides.runs[n].run, sum, (resolution, literals))
    };
    let left: Vec<(&'a Group, &'s Weighted)> =
        groups.iter().copied().zip(sums.iter().copied()).filter(|(group, sum)| !agrees(group, sum, 0.0)).collect();
    let asked: Vec<&Group> = left.iter().map(|(group, _)| *group).collect();
    let allowed = moved_by_literals((sides, primal), &asked, n, moves)?;
    let beyond = left.into_iter().zip(allowed).filter(|((group, sum), allowed)| !agrees(group, sum, *allowed));
    Ok(beyond.map(|(left, _)| left).unzip())
}

/// Leaves out differences that more bits of the gradient's own lanes, and of the reference's, explain.
fn not_faint<'a>(
    sides: &Sides<'_>,
    n: usize,
    groups: &[&'a Group],
    sums: &[&Weighted],
) -> Result<Vec<&'a Group>, Stop> {
    let finest = sides.primal.with_precision(FINEST);
    let mut kept = Vec::new();
    for (group, sum) in groups.iter().zip(sums) {
        let gross = !group.agrees(sides, sides.runs[n].run, sum, (FAINT, 0.0));
        let agrees = || -> Result<bool, Stop> {
            let Some(run) = sides.precise(n) else { return Ok(false) };
            let sums = finest.extrapolated(&[group.direction(sides.primal)], &[sides.runs[n].weights])?;
            let allowed =
                moved_by_literals((sides, &finest), &[*group], n, literals::MOVES)?.first().copied().unwrap_or(0.0);
            let sum = sums.first().and_then(|s| s.first());
            Ok(sum.is_some_and(|sum| group.agrees(sides, run, sum, (SHARP, allowed))))
        };
        if gross || !agrees()? {
            kept.push(*group);
        }
    }
    Ok(kept)
}

/// Takes a group that disagrees apart, unless it is one component alone ([`lone`]), until few are left: as many runs as
/// its size has digits in base [`PARTS`]. The part whose sum is farthest from the reference goes on.
fn take_apart(sides: &Sides<'_>, (sharp, n): (&Primal<'_>, usize), group: &Group) -> Result<Vec<usize>, Stop> {
    if let Some(index) = lone(sides, (sharp, n), group)? {
        return Ok(vec![index]);
    }
    let tried = &sides.runs[n];
    let mut members = group.members.clone();
    while members.len() > GROUP {
        let parts: Vec<Group> =
            members.chunks(members.len().div_ceil(PARTS)).map(|part| Group { members: part.to_vec() }).collect();
        let directions: Vec<Vec<f64>> = parts.iter().map(|part| part.direction(sharp)).collect();
        let sums = sharp.along(&directions, &[tried.weights])?;
        let apart = |(part, sums): (&Group, &Vec<Weighted>)| {
            let sum = sums.first().and_then(|sum| Some((part.sum(sides, tried.run, sum)?.0, sum)));
            sum.map_or(f64::INFINITY, |(found, sum)| (number::distance(&found, &sum.sum) - sum.error).max(0.0))
        };
        let farthest = parts.iter().zip(&sums).map(apart).enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
        match farthest.and_then(|(which, apart)| (apart > 0.0).then(|| &parts[which])) {
            Some(part) => members = part.members.clone(),
            None => break,
        }
    }
    Ok(members.iter().map(|(i, _)| *i).take(GROUP).collect())
}

/// The component that differs, if it is the only one of the group: the sum of the differences and the sum of each times
/// its position have its position as their ratio. It is compared alone then, so nothing is taken on trust.
fn lone(sides: &Sides<'_>, (sharp, n): (&Primal<'_>, usize), group: &Group) -> Result<Option<usize>, Stop> {
    const WHOLE: f64 = 1e-3;
    if group.members.len() <= GROUP {
        return Ok(None);
    }
    let tried = &sides.runs[n];
    let by_position = (1..).zip(&group.members).map(|(position, (i, weight))| (*i, weight * f64::from(position)));
    let moment = Group { members: by_position.collect() };
    let sums = sharp.along(&[group.direction(sharp), moment.direction(sharp)], &[tried.weights])?;
    let apart = |group: &Group, which: usize| {
        let sum = sums.get(which)?.first()?;
        Some(group.sum(sides, tried.run, sum)?.0 - &sum.sum)
    };
    let (Some(whole), Some(weighted)) = (apart(group, 0), apart(&moment, 1)) else { return Ok(None) };
    let ratio = (weighted / whole).to_f64();
    let position = ratio.round();
    if !(1.0..=group.members.len() as f64).contains(&position) || (ratio - position).abs() > WHOLE {
        return Ok(None);
    }
    let index = group.members[position as usize - 1].0;
    let unit = Group::unit(index);
    let sums = sharp.along(&[unit.direction(sharp)], &[tried.weights])?;
    let agrees = |sum: &Weighted| unit.agrees(sides, tried.run, sum, (QUICK, 0.0));
    Ok(sums.first().and_then(|sums| sums.first()).is_some_and(|sum| !agrees(sum)).then_some(index))
}

/// By how much rounded literals explain that sums of a run differ.
///
/// The references have the bits of `primal`: as many as it takes, or what lanes do not resolve looks like a move.
pub fn moved_by_literals(
    (sides, primal): (&Sides<'_>, &Primal<'_>),
    groups: &[&Group],
    n: usize,
    moves: u32,
) -> Result<Vec<f64>, Stop> {
    let known = primal.literals();
    if !known.apart || groups.is_empty() {
        return Ok(vec![0.0; groups.len()]);
    }
    let directions: Vec<Vec<f64>> = groups.iter().map(|group| group.direction(primal)).collect();
    let weights = [sides.runs[n].weights];
    let references = primal.moved(&directions, &weights, (moves, primal.limits().seed))?;
    let allowed = |(group, references): (&&Group, &Vec<Vec<Float>>)| {
        // Signs are random: what single components may differ by adds up like steps of a random walk.
        let (sum, walk) = group.scales(sides, sides.runs[n].run);
        let unmoved = known.unmoved * sum + known.cut * walk;
        let ours = sides.moved(n).and_then(|run| group.sums(sides, run, moves));
        let (Some(ours), Some(theirs)) = (ours, references.first()) else { return unmoved };
        let (Some((own, ours)), Some((base, theirs))) = (ours.split_first(), theirs.split_first()) else {
            return unmoved;
        };
        let at_rest = Float::with_val(own.prec(), own - base);
        let by = |(ours, theirs): (&Float, &Float)| {
            let apart = Float::with_val(own.prec(), ours - theirs);
            if apart.is_finite() { number::distance(&apart, &at_rest) } else { 0.0 }
        };
        unmoved + literals::ALLOWED * ours.iter().zip(theirs).map(by).fold(0.0, f64::max)
    };
    Ok(groups.iter().zip(&references).map(allowed).collect())
}

/// Every input in one group of [`GROUP`] or more, as many as the effort allows, and some sums over all inputs.
pub fn groups(sides: &Sides<'_>, sizes: impl Fn(usize) -> f64) -> Vec<Group> {
    let mut random = number::Random::new(sides.effort.seed ^ 0xc0);
    let count = sides.primal.inputs.len();
    let most = sides.effort.directions.saturating_sub(OVER_ALL).max(1);
    let size = GROUP.max(count.div_ceil(most));
    // Components of like size are compared together, so that none hides beside larger ones.
    let mut all: Vec<usize> = (0..count).collect();
    let sizes: Vec<f64> = all.iter().map(|index| sizes(*index)).collect();
    all.sort_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
    let mut signed = |members: &[usize]| Group { members: members.iter().map(|i| (*i, random.weight())).collect() };
    let mut groups: Vec<Group> = Vec::new();
    let spread = if sides.primal.literals().apart { SPREAD_OF_LITERALS } else { SPREAD };
    let mut rest = all.as_slice();
    while let Some(least) = rest.first() {
        let like = rest.partition_point(|index| sizes[*index] <= spread * sizes[*least]);
        let (mine, others) = rest.split_at(like.min(size).max(1));
        groups.push(signed(mine));
        rest = others;
    }
    groups.extend((0..OVER_ALL).map(|_| signed(&all)));
    groups
}

impl Group {
    /// One input alone.
    pub fn unit(index: usize) -> Group {
        Group { members: vec![(index, 1.0)] }
    }

    /// The direction along which its sum is the derivative.
    pub fn direction(&self, primal: &Primal<'_>) -> Vec<f64> {
        let mut direction = vec![0.0; primal.inputs.len()];
        for (index, weight) in &self.members {
            direction[*index] = weight * primal.inputs[*index].scale;
        }
        direction
    }

    fn numbers<'a>(&'a self, sides: &'a Sides<'_>, run: &'a Run) -> impl Iterator<Item = Option<(Number, f64)>> + 'a {
        self.members.iter().map(move |(index, weight)| {
            let input = &sides.primal.inputs[*index];
            Some((run.component(sides.regions, input.place, input.kind)?, weight * input.scale))
        })
    }

    /// For each member what it adds to the sum, and the scale of that; none if a component is undefined.
    fn terms(&self, sides: &Sides<'_>, run: &Run, mut add: impl FnMut(&Float, f64, f64)) -> Option<()> {
        let known = sides.left(run);
        for (index, weight) in &self.members {
            let input = &sides.primal.inputs[*index];
            let along = weight * input.scale;
            match known {
                Some(all) => {
                    let left = all[*index].as_ref()?;
                    add(&left.exact, left.scale, along);
                }
                None => {
                    let number = run.component(sides.regions, input.place, input.kind)?;
                    add(&number.exact, number.scale, along);
                }
            }
        }
        Some(())
    }

    /// The sum of the gradient's components, and the scale of the terms on both sides; none if a component is
    /// undefined.
    pub fn sum(&self, sides: &Sides<'_>, run: &Run, expected: &Weighted) -> Option<(Float, f64)> {
        let mut sum = Float::new(run.probe.lanes.precision());
        let mut scale = expected.scale;
        self.terms(sides, run, |exact, size, along| {
            scale += size * along.abs();
            sum += Float::with_val(exact.prec(), exact * along);
        })?;
        Some((sum, scale))
    }

    /// The scale of the sum, and a bound of sums with random signs of numbers of the size of the terms' scales: the
    /// scale itself of a single one.
    fn scales(&self, sides: &Sides<'_>, run: &Run) -> (f64, f64) {
        const DEVIATIONS: f64 = 4.0;
        let (mut sum, mut squares) = (0.0, 0.0);
        // An undefined component differs whatever the scale.
        let _ = self.terms(sides, run, |_, size, along| {
            let scale = size * along.abs();
            sum += scale;
            squares += scale * scale;
        });
        (sum, sum.min(DEVIATIONS * squares.sqrt()))
    }

    /// The sums of a run with moved literals: as they are, then with each of the first moves.
    fn sums(&self, sides: &Sides<'_>, run: &Run, moves: u32) -> Option<Vec<Float>> {
        let mut sums = vec![Float::new(run.probe.lanes.precision()); moves as usize + 1];
        for number in self.numbers(sides, run) {
            let (number, along) = number?;
            let lanes = std::iter::once(&number.exact).chain(&number.beside);
            sums.iter_mut().zip(lanes).for_each(|(sum, lane)| *sum += Float::with_val(lane.prec(), lane * along));
        }
        Some(sums)
    }

    /// Does the sum agree with the reference, but for what the lanes do not resolve and for what literals explain?
    fn agrees(&self, sides: &Sides<'_>, run: &Run, expected: &Weighted, (resolution, literals): (f64, f64)) -> bool {
        self.sum(sides, run, expected).is_some_and(|sum| near(&sum, expected, (resolution, literals)))
    }
}

/// Does a sum with its scale agree with the reference, but for what the lanes do not resolve and for what literals
/// explain?
fn near((sum, scale): &(Float, f64), expected: &Weighted, (resolution, literals): (f64, f64)) -> bool {
    let allowed = resolution * scale + expected.error + literals + number::unseen(*scale);
    !expected.sum.is_finite() || number::distance(sum, &expected.sum) <= allowed
}
