//! The second reference: plain differences of the program itself, in its own formats, with a bound. It shares nothing
//! with lanes.
//!
//! For the steps h and 2h along a direction, R(h) = D(h) + (D(h) - D(2h)) / 3 with the central difference D
//! (Richardson); the error is at most |D(h) - D(2h)| plus the rounding of the two sums over h. A step that is good is
//! enough; where the answer is in doubt, others are taken, and what they disagree by is part of the bound. A run that
//! decides otherwise than the one at x (a comparison, a rounding to an integer) is on another piece of the function,
//! and tells nothing.
//!
//! Beside these runs rides [`Dependence`]: it computes nothing, and says where numbers left the floats, and whether
//! that reaches an answer.

use super::beside::Weighty;
use super::comparison::{Comparison, Story};
use super::formats;
use super::inputs::Place;
use super::number;
use super::paths::Dependences;
use super::planted::Sums;
use super::reference::{Primal, Weighted, Weights};
use interp::machines::{Dependent, Event, EventKind};
use interp::{Leaf, Scalar, Stop};
use ir::FloatKind;
use rug::Float;

/// Roundings of each output that are allowed for; those of numbers in between show in what the steps disagree by.
const ROUNDINGS: f64 = 64.0;
/// Steps of nearly the same length, where numbers in between are rounded more coarsely than answers: what they disagree
/// by is not truncation. Two steps may agree by chance, but hardly five, unless they are evenly spaced: these are
/// powers of 2^(φ/8), where φ is the golden ratio.
const BESIDE: [f64; 4] = [1.1505, 1.3236, 1.5228, 1.7520];
/// How many times that is allowed.
const NOISE: f64 = 4.0;
/// Binary exponents of the steps, beside that of the best step for a well-conditioned function.
const LEVELS: [i32; 4] = [0, -5, 5, -10];
/// The least relative error that differences are trusted to see: moved inputs are rounded, too.
const RESOLUTION: f64 = 1e-7;
/// A bound beyond this part of an answer says nothing about it.
const TELLING: f64 = 1e-3;
/// The same of a single step, for a number that has been found by other means.
const CONFIRMING: f64 = 0.05;
/// How many times the bound reference and differences must be apart to contradict each other.
const APART: f64 = 8.0;

/// The outputs of a run.
struct Outputs {
    /// By address.
    cells: Vec<(u64, Output)>,
    result: Option<Output>,
    /// Of other ranks: place, weight.
    elsewhere: Vec<((usize, Option<u64>), Float, Output)>,
}

/// A number that the primal leaves.
struct Output {
    value: Float,
    /// The spacing of its format, relative to it.
    spacing: f64,
    /// May it depend on the inputs?
    depends: bool,
}

/// What the differences along a direction tell: for each weighting the derivative with a bound by which all steps
/// agree, and what each step says by itself.
#[derive(Clone, Debug)]
pub struct Told {
    /// By weighting.
    pub sums: Vec<Weighted>,
    /// By step, then by weighting.
    steps: Vec<Vec<Step>>,
}

impl Told {
    /// The sharpest step that says by itself that a weighted derivative is this. Of zero all have to say so: a
    /// staircase is flat for small ones.
    fn confirming(&self, weighting: usize, exact: &Float) -> Option<&Weighted> {
        let nothing = |step: &Step| number::magnitude(&step.told.sum) <= step.rounding;
        let vanishes = exact.is_zero() && self.steps.iter().filter_map(|step| step.get(weighting)).all(nothing);
        let says = |step: &&Step| {
            let near = number::distance(&step.told.sum, exact) <= bound(&step.told);
            let sharp = bound(&step.told) <= CONFIRMING * number::magnitude(&step.told.sum);
            vanishes || near && sharp
        };
        let steps = self.steps.iter().filter_map(|step| step.get(weighting)).filter(says);
        steps.map(|step| &step.told).min_by(|a, b| a.error.total_cmp(&b.error))
    }
}

/// What one step says.
#[derive(Clone, Debug)]
struct Step {
    told: Weighted,
    /// The part of the bound that is rounding.
    rounding: f64,
    /// The part of that which steps of nearly the same length disagree by: what numbers in between are rounded by.
    noise: f64,
}

impl Step {
    /// Allows for noise of at least this size.
    fn blur(&mut self, least: f64) {
        let more = (least - self.noise).max(0.0);
        self.noise += more;
        self.rounding += more;
        self.told.error += more;
    }
}

/// What the differences say of a number where the lanes may miss something.
pub enum Held {
    /// The number is this, within the error.
    Reference(Weighted),
    /// They know no better than the lanes, and agree with the number that was found.
    Confirmed,
    /// They tell nothing.
    Doubtful,
}

/// Holds a number that was found against the differences.
pub fn hold(all: Option<&Told>, weighting: usize, (expected, found): (&Float, Option<&Float>), agrees: bool) -> Held {
    let Some((all, told)) = all.and_then(|all| Some((all, all.sums.get(weighting)?))) else { return Held::Doubtful };
    if tells(told) {
        // What the lanes miss may be less than the bound: a number that differs from them is held against the
        // difference.
        return match number::distance(expected, &told.sum) > bound(told) || !agrees {
            true => Held::Reference(told.clone()),
            false => Held::Confirmed,
        };
    }
    match found.and_then(|found| all.confirming(weighting, found)) {
        Some(_) if agrees => Held::Confirmed,
        Some(step) => Held::Reference(step.clone()),
        None => Held::Doubtful,
    }
}

/// Random directions along which lanes and differences are compared.
pub const DIRECTIONS: usize = 2;

/// Random directions over all inputs, and the derivatives along them, from those by each input alone.
pub fn combined(primal: &Primal<'_>, by_input: &[Vec<Weighted>], seed: u64) -> Vec<(Vec<f64>, Vec<Weighted>)> {
    let mut random = number::Random::new(seed ^ 0xd1f);
    let mut one = || {
        let weights: Vec<f64> = primal.inputs.iter().map(|_| random.weight()).collect();
        let direction = primal.inputs.iter().zip(&weights).map(|(input, w)| input.scale * w).collect();
        let zero = || Weighted { sum: Float::new(primal.precision()), scale: 0.0, error: 0.0, bent: false };
        let mut sums: Vec<Weighted> = by_input.first().iter().flat_map(|all| all.iter().map(|_| zero())).collect();
        for (own, weight) in by_input.iter().zip(&weights) {
            for (sum, term) in sums.iter_mut().zip(own) {
                sum.sum += Float::with_val(primal.precision(), &term.sum * *weight);
                sum.scale += term.scale * weight.abs();
                sum.error += term.error * weight.abs();
            }
        }
        (direction, sums)
    };
    if by_input.is_empty() { Vec::new() } else { (0..DIRECTIONS).map(|_| one()).collect() }
}

/// Lanes and differences along a direction: do they tell one story? `expected` are the derivatives by the lanes, with
/// their scales; `found` those of the gradient, in exact arithmetic and in its own.
pub fn stories(
    primal: &Primal<'_>,
    direction: &[f64],
    weights: &[&Weights],
    expected: &[(Float, f64)],
    found: &[(Float, f64)],
) -> Vec<Story> {
    let tolerance = |told: &Weighted, scale: f64| told.error + RESOLUTION * told.scale.max(scale);
    let agrees =
        |told: &Weighted, (lanes, scale): &(Float, f64)| number::distance(lanes, &told.sum) <= tolerance(told, *scale);
    let telling = |told: &Weighted, (lanes, scale): &(Float, f64)| {
        tolerance(told, *scale) <= TELLING * number::magnitude(&told.sum).max(number::magnitude(lanes)).max(*scale)
    };
    let enough = |all: &[Weighted]| all.iter().zip(expected).all(|(t, e)| agrees(t, e) && telling(t, e));
    let untold = || vec![Story::Untold; weights.len()];
    // What lanes say of the point comes first: differences look farther.
    let special = |event: &Event| !matches!(event.kind, EventKind::Lost(_));
    if primal.paths.declared || primal.planted.without.is_some() || primal.events.iter().any(special) {
        return untold();
    }
    let Some(told) = estimate(primal, direction, weights, enough) else { return untold() };
    let story = |(told, expected): (&Weighted, &(Float, f64))| {
        let (apart, bound) = (number::distance(&expected.0, &told.sum), tolerance(told, expected.1));
        let size = number::magnitude(&told.sum).max(number::magnitude(&expected.0)).max(expected.1);
        match (expected.0.is_finite(), apart <= bound) {
            (false, _) => Story::Untold,
            (true, true) if bound <= TELLING * size => Story::Same(bound / size.max(f64::MIN_POSITIVE)),
            (true, true) => Story::Untold,
            (true, false) if apart > APART * bound && tells(told) => Story::Contradiction,
            (true, false) => Story::Untold,
        }
    };
    // A gradient that is the lanes' in exact arithmetic, and the differences' in the program's formats, shows that
    // rounding is between them.
    let rounded = |(n, story): (usize, Story)| {
        let is_rounding = || {
            let (Some((exact, own)), Some((lanes, scale)), Some(sum)) =
                (found.get(n), expected.get(n), told.sums.get(n))
            else {
                return false;
            };
            let own = Float::with_val(primal.precision(), *own);
            let exactly = number::distance(exact, lanes) <= (RESOLUTION * *scale).max(tolerance(sum, *scale));
            own.is_finite() && exactly && told.confirming(n, &own).is_some()
        };
        if story == Story::Contradiction && is_rounding() { Story::Untold } else { story }
    };
    told.sums.iter().zip(expected).map(story).enumerate().map(rounded).collect()
}

/// Holds each component against differences by its input: they are the reference where they contradict the lanes, and
/// where they tell nothing the component is in doubt.
pub fn correct(primal: &Primal<'_>, weights: &[&Weights], out: &mut [Comparison]) -> Result<(), Stop> {
    if primal.paths.declared {
        return Ok(());
    }
    let count = out.first().map_or(0, |c| c.singly.len());
    for position in 0..count {
        let Some(input) = out.first().and_then(|c| c.singly.get(position)).and_then(|c| c.input) else { continue };
        let told = by_input(primal, input, weights);
        for (n, comparison) in out.iter_mut().enumerate() {
            if let Some(compared) = comparison.singly.get_mut(position) {
                let agrees = compared.agrees();
                // What the lanes confirm to their last digit is not refuted where nothing is lost: the references
                // contradict each other.
                let confirmed = primal.paths.lost.is_none() && agrees && !compared.expected.is_zero();
                match hold(told.as_ref(), n, (&compared.expected, compared.exact.as_ref()), agrees) {
                    Held::Reference(_) if confirmed => {}
                    Held::Reference(told) => {
                        let size = number::magnitude(&told.sum).max(f64::MIN_POSITIVE);
                        Story::Same(bound(&told) / size).note(&mut comparison.basis);
                        compared.scale = compared.scale.max(told.scale);
                        compared.error += bound(&told);
                        compared.expected = told.sum;
                    }
                    Held::Confirmed => {}
                    Held::Doubtful => compared.doubtful = compared.exact.is_some(),
                }
            }
        }
    }
    Ok(())
}

/// The bound is for smooth functions; a small relative part is left for what it does not see.
pub fn bound(told: &Weighted) -> f64 {
    told.error.max(RESOLUTION * told.scale)
}

/// Do the steps agree so well that the answer stands?
fn tells(told: &Weighted) -> bool {
    let size = number::magnitude(&told.sum);
    size > 0.0 && bound(told) <= TELLING * size
}

/// The weighted derivatives by one input.
pub fn by_input(primal: &Primal<'_>, input: usize, weights: &[&Weights]) -> Option<Told> {
    let mut direction = vec![0.0; primal.inputs.len()];
    *direction.get_mut(input)? = 1.0;
    along(primal, &direction, weights)
}

/// The weighted derivatives along a direction of any length: it is scaled so that steps are relative to the inputs.
pub fn along(primal: &Primal<'_>, direction: &[f64], weights: &[&Weights]) -> Option<Told> {
    let lengths = primal.inputs.iter().zip(direction).filter(|(_, by)| **by != 0.0).map(|(i, by)| i.scale / by.abs());
    // A power of two, so that directions stay what they are.
    let length = lengths.fold(f64::INFINITY, f64::min);
    let length = if length.is_finite() { 2f64.powi(length.log2().floor().clamp(-1000.0, 1000.0) as i32) } else { 1.0 };
    let scaled: Vec<f64> = direction.iter().map(|by| by * length).collect();
    let enough = |all: &[Weighted]| all.iter().all(|t| bound(t) <= TELLING * TELLING * number::magnitude(&t.sum));
    let mut told = estimate(primal, &scaled, weights, enough)?;
    for step in told.steps.iter_mut().flatten() {
        step.rounding /= length;
        step.noise /= length;
    }
    for weighted in told.sums.iter_mut().chain(told.steps.iter_mut().flatten().map(|step| &mut step.told)) {
        weighted.sum /= length;
        weighted.scale /= length;
        weighted.error /= length;
    }
    Some(told)
}

/// The weighted derivatives along a direction, by as many steps as it takes; none if no step tells anything.
pub fn estimate(
    primal: &Primal<'_>,
    direction: &[f64],
    weights: &[&Weights],
    enough: impl Fn(&[Weighted]) -> bool,
) -> Option<Told> {
    let narrowest = formats::narrowest(&primal.program().module, primal.function());
    let moved = primal.inputs.iter().zip(direction).filter(|(_, v)| **v != 0.0).map(|(input, _)| input.kind);
    let coarsest = number::epsilon(narrowest);
    let epsilon = moved.map(number::epsilon).fold(coarsest, f64::max);
    // Numbers in between may be rounded more coarsely than the answers, which is a staircase in the answers.
    let wider = |kind: FloatKind| number::epsilon(kind) < coarsest;
    let mixed = primal.exit.iter().map(|cell| cell.kind).chain(primal.result_kind()).any(wider);
    // Truncation h² against rounding ε/h.
    let best = (epsilon.log2() / 3.0).round() as i32;
    let (mut all, mut lengths, mut units): (Vec<Vec<Step>>, Vec<f64>, Vec<f64>) = Default::default();
    for level in LEVELS {
        let step = 2f64.powi((best + level).min(-4));
        let by = |factor: f64| quotients(primal, direction, factor * step, (epsilon, coarsest), weights);
        let (Some(near), Some(far)) = (by(1.0), by(2.0)) else { continue };
        let beside: Vec<_> = BESIDE.iter().filter(|_| mixed).filter_map(|factor| by(*factor)).collect();
        let noise =
            |n: usize| beside.iter().map(|sums| number::distance(&near[n].sum, &sums[n].sum)).fold(0.0, f64::max);
        // The slope of what is computed in a coarse format has that format's rounding, whatever the step.
        let slope = |n: usize| ROUNDINGS * coarsest * near[n].scale;
        let measured: Vec<f64> = (0..near.len()).map(|n| NOISE * noise(n)).collect();
        let noises: Vec<f64> = (0..near.len()).map(|n| measured[n] + slope(n)).collect();
        let pairs = near.into_iter().zip(far).zip(noises);
        let steps: Vec<Step> = pairs.map(|(pair, noise)| extrapolate(pair, noise)).collect();
        let told: Vec<Weighted> = steps.iter().map(|step| step.told.clone()).collect();
        let good = all.is_empty() && enough(&told);
        all.push(steps);
        lengths.push(step);
        if level <= 0 {
            units.resize(measured.len(), 0.0);
            units.iter_mut().zip(&measured).for_each(|(unit, noise)| *unit = unit.max(noise * step));
        }
        if good {
            break;
        }
    }
    // What numbers in between are rounded by does not depend on the step, but for luck.
    for (steps, length) in all.iter_mut().zip(&lengths) {
        for (step, unit) in steps.iter_mut().zip(&units) {
            step.blur(unit / length);
        }
    }
    let count = all.first()?.len();
    let sums = (0..count).map(|n| agreed(&all.iter().filter_map(|step| step.get(n)).collect::<Vec<_>>()));
    Some(Told { sums: sums.collect::<Option<_>>()?, steps: all })
}

/// What several steps say together: the one with the least bound, if the others agree but for their own bounds. Where
/// many agree much better than the worst case of rounding lets expect, what they are apart is the bound, and one
/// rounding of the sum: what that absorbs, all steps miss alike.
fn agreed(steps: &[&Step]) -> Option<Weighted> {
    const MANY: usize = 3;
    let first = steps.iter().min_by(|a, b| a.told.error.total_cmp(&b.told.error))?;
    let apart = |other: &&Step| number::distance(&first.told.sum, &other.told.sum);
    let spread = steps.iter().map(apart).fold(0.0, f64::max);
    let beyond = steps.iter().map(|s| apart(s) - s.told.error).fold(0.0, f64::max);
    let size = number::magnitude(&first.told.sum);
    let error = match steps.len() >= MANY && size > 0.0 && 4.0 * spread <= TELLING * size {
        true => (4.0 * spread).max(first.rounding / ROUNDINGS).max(first.noise),
        false => first.told.error.max(beyond),
    };
    Some(Weighted { error, ..first.told.clone() })
}

fn extrapolate((near, far): (Weighted, Weighted), noise: f64) -> Step {
    let apart = Float::with_val(near.sum.prec(), &near.sum - &far.sum);
    let (rounding, error) = (near.error + noise, number::magnitude(&apart) + near.error + noise);
    Step { told: Weighted { sum: near.sum + apart / 3.0, scale: near.scale, error, bent: false }, rounding, noise }
}

/// The central differences for one step; none if a run tells nothing.
fn quotients(
    primal: &Primal<'_>,
    direction: &[f64],
    step: f64,
    (epsilon, coarsest): (f64, f64),
    weights: &[&Weights],
) -> Option<Vec<Weighted>> {
    let (above, below) = (outputs(primal, direction, step)?, outputs(primal, direction, -step)?);
    let width = if primal.planted.has(Sums::DoubledDifference) { step } else { 2.0 * step };
    let precision = primal.precision();
    let same = |other: &Outputs| {
        let cells = above.cells.iter().map(|(at, _)| at).eq(other.cells.iter().map(|(at, _)| at));
        cells && above.elsewhere.iter().map(|(at, ..)| at).eq(other.elsewhere.iter().map(|(at, ..)| at))
    };
    if !same(&below) {
        return None;
    }
    // One input is moved by a power of two, several by numbers that their formats round.
    let several = direction.iter().filter(|by| **by != 0.0).nth(1).is_some();
    let quotient = |w: &&Weights| {
        let mut sum = Float::new(precision);
        let (mut scale, mut rounding) = (0.0, 0.0);
        let mut add = |weight: Option<&Float>, above: &Output, below: &Output| {
            let Some(weight) = weight else { return };
            let (a, b) = (&above.value, &below.value);
            // What depends on the inputs and does not change at all stands on one stair of the coarsest format.
            let flat = above.depends && a == b;
            let spacing = if flat { above.spacing.max(coarsest) } else { above.spacing };
            let term = Float::with_val(precision, a - b) * weight / width;
            scale += number::magnitude(&term);
            rounding += spacing * number::magnitude(a).max(number::magnitude(b)) * number::magnitude(weight);
            sum += term;
        };
        for ((address, a), (_, b)) in above.cells.iter().zip(&below.cells) {
            add(w.cells.get(address), a, b);
        }
        if let (Some(a), Some(b)) = (&above.result, &below.result)
            && !primal.planted.has(Sums::UnseenResult)
        {
            add(w.seed.as_ref(), a, b);
        }
        for ((_, weight, a), (.., b)) in above.elsewhere.iter().zip(&below.elsewhere) {
            add(Some(weight), a, b);
        }
        let moved = if several { epsilon / step * scale } else { 0.0 };
        Weighted { sum, scale, error: ROUNDINGS * rounding / (2.0 * step) + moved, bent: false }
    };
    let all: Vec<Weighted> = weights.iter().map(quotient).collect();
    all.iter().all(|w| w.sum.is_finite() && w.error.is_finite()).then_some(all)
}

/// The outputs with the inputs moved; none if they cannot be moved, the run stops, or it is on another piece.
fn outputs(primal: &Primal<'_>, direction: &[f64], step: f64) -> Option<Outputs> {
    let precision = primal.precision();
    let (mut memory, mut args) = primal.start();
    for (input, by) in primal.inputs.iter().zip(direction).filter(|(_, by)| **by != 0.0) {
        let x = number::value(input.kind, input.bits, precision).to_f64();
        let bits = number::from_f64(input.kind, x + step * by)?;
        match input.place {
            Place::Cell(cell) => drop(memory.store(cell.pointer(), Leaf::Float(cell.kind), Scalar::wide(bits), 1)),
            Place::Scalar(scalar) => {
                let (parameter, leaf) = primal.scalar(scalar);
                if let Some((slot, ())) = args.get_mut(parameter).and_then(|v| v.leaves.get_mut(leaf)) {
                    *slot = Scalar::wide(bits);
                }
            }
        }
    }
    primal.count_work(2);
    let Dependences { machine, memory, result, elsewhere } = primal.dependences(&memory, &args).ok()?;
    if machine.decisions != primal.paths.decisions && !primal.planted.has(Sums::Pieces) {
        return None;
    }
    let read = |kind: FloatKind, value: Scalar| number::value(kind, value.bits(), precision);
    let mut cells = Vec::new();
    for cell in &primal.exit {
        let value = memory.load(cell.pointer(), Leaf::Float(cell.kind), 1);
        if let Some(value) = value.ok().filter(|v| v.is_init()) {
            // What the primal leaves as it was is not rounded.
            let kept = !primal.overwrites(cell);
            let shadows = memory.touched_shadows(cell.pointer(), cell.size());
            let depends = !kept && shadows.iter().any(|(.., shadow)| *shadow != Dependent::No);
            let spacing = if kept { 0.0 } else { number::epsilon(cell.kind) };
            cells.push((cell.address, Output { value: read(cell.kind, value), spacing, depends }));
        }
    }
    let result = match (primal.result_kind(), result.first()) {
        (Some(kind), Some(value)) if value.is_init() => {
            let depends = result.leaves.first().is_some_and(|(_, shadow)| *shadow != Dependent::No);
            Some(Output { value: read(kind, value), spacing: number::epsilon(kind), depends })
        }
        _ => None,
    };
    let elsewhere = elsewhere.into_iter().map(|output| {
        let Weighty { place, kind, weight, bits, .. } = output;
        let value = number::value(kind, bits, precision);
        (place, weight, Output { value, spacing: number::epsilon(kind), depends: true })
    });
    Some(Outputs { cells, result, elsewhere: elsewhere.collect() })
}
