//! Tangents against the reference: every cell that the primal reads or writes, and every returned number.

use super::super::accuracy::{self, Loss};
use super::super::call::Call;
use super::super::comparison::{FINEST, SHARP, Story};
use super::super::differences::{self, Held};
use super::super::gradient::{Again, Number, Run};
use super::super::inputs::Input;
use super::super::quotients::{LARGER_STEP, STEP};
use super::super::reference::{Primal, Weights};
use super::super::region::Regions;
use super::super::{literals, number, settle, sides};
use super::reference::{self, Pushed, Slope};
use crate::report::Component;
use interp::machines::cells::Cell;
use interp::{Leaf, Memory, Stop};
use ir::FloatKind;
use rug::Float;

/// A tangent beside its reference.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The direction, counted from 0.
    pub direction: usize,
    /// The primal cell; none for a returned number.
    pub cell: Option<Cell>,
    /// Which leaf of the result, otherwise.
    leaf: usize,
    /// The number stands so far from where that leaf points to.
    behind: Option<i64>,
    /// Its name.
    pub name: String,
    /// The reference.
    pub expected: Float,
    /// A bound of the reference's own error.
    error: f64,
    /// The size of the terms of the sum.
    scale: f64,
    /// What rounded literals may contribute.
    literals: f64,
    /// What the tangent's formula gives; none if that is undefined.
    pub exact: Option<Float>,
    kind: FloatKind,
    number: Option<Number>,
    /// Lanes are missing, and differences tell nothing.
    pub doubtful: bool,
    /// Exact arithmetic does not determine the derivative: what references of more and more bits say.
    pub unsettled: Option<[f64; 2]>,
}

impl Entry {
    /// Does the formula agree?
    pub fn agrees(&self) -> bool {
        let Some(exact) = &self.exact else { return false };
        if !self.expected.is_finite() {
            return true;
        }
        let size = number::magnitude(exact).max(number::magnitude(&self.expected));
        let allowed = SHARP * self.scale + self.error + self.literals + number::unseen(size);
        self.doubtful || self.unsettled.is_some() || number::distance(&self.expected, exact) <= allowed
    }

    /// Has the program's own arithmetic left nothing of it?
    fn is_lost(&self) -> bool {
        let own = self.number.as_ref().map_or(f64::NAN, |n| n.concrete.to_f64());
        let finite = self.expected.is_finite() && self.number.is_some();
        finite && self.exact.as_ref().is_some_and(|exact| settle::is_lost(own, exact, self.scale))
    }

    /// The tangent in another run.
    fn number_in(&self, case: &Sides<'_>, run: &Run) -> Option<Number> {
        let index = self.direction * case.call.result.len() + self.leaf;
        match (self.cell, self.behind) {
            (Some(cell), _) => run.shadow(case.regions, cell.address, cell.kind),
            (None, None) => run.returned(index, self.kind),
            (None, Some(offset)) => run.behind(index, offset, self.kind),
        }
    }

    /// The reference in another run of the primal.
    fn slope_in<'a>(&self, pushed: &'a Pushed) -> Option<&'a Slope> {
        let behind =
            |offset| pushed.behind.iter().find(|b| (b.leaf, b.offset) == (self.leaf, offset)).map(|b| &b.slope);
        match (self.cell, self.behind) {
            (Some(cell), _) => pushed.cells.get(&cell.address),
            (None, None) => pushed.result.get(self.leaf),
            (None, Some(offset)) => behind(offset),
        }
    }

    /// The weights that single it out among the outputs; none for one that differences do not see.
    pub fn weights(&self, precision: u32) -> Option<Weights> {
        let one = Float::with_val(precision, 1.0);
        match (self.cell, self.leaf) {
            _ if self.behind.is_some() => None,
            (Some(cell), _) => Some(Weights { cells: std::iter::once((cell.address, one)).collect(), seed: None }),
            (None, 0) => Some(Weights { seed: Some(one), ..Weights::default() }),
            (None, _) => None,
        }
    }

    /// Its derivative in another reference, if it is a number there.
    pub fn slope_of(&self, pushed: &Pushed) -> Option<Float> {
        self.slope_in(pushed).map(|s| s.value.clone()).filter(Float::is_finite)
    }

    /// The accuracy of the number.
    pub fn loss(&self, narrowest: FloatKind) -> Option<Loss> {
        accuracy::loss(self.number.as_ref()?, narrowest)
    }

    /// For the report.
    pub fn component(&self) -> Component {
        let actual = self.number.as_ref().map_or(f64::NAN, |n| n.concrete.to_f64());
        Component {
            name: self.name.clone(),
            format: self.kind.keyword(),
            expected: self.expected.to_f64(),
            actual,
            exact: self.exact.as_ref().map_or(f64::NAN, Float::to_f64),
            ulp: number::ulps(&self.expected, &Float::with_val(self.expected.prec(), actual), self.kind),
            agrees: self.agrees(),
        }
    }
}

/// The tangents of one direction.
pub fn entries(
    primal: &Primal<'_>,
    call: &Call,
    regions: &Regions,
    run: &Run,
    (direction, several): (usize, bool),
    pushed: &Pushed,
) -> Vec<Entry> {
    let suffix = if several { format!(" (direction {})", direction + 1) } else { String::new() };
    // The lanes move along tangents of doubles.
    let wide = |kind: FloatKind| matches!(kind, FloatKind::X86Fp80 | FloatKind::Fp128);
    let rounded = match primal.inputs.iter().any(|input| wide(input.kind)) {
        true => number::epsilon(FloatKind::Double),
        false => 0.0,
    };
    let entry = |cell: Option<Cell>,
                 leaf: usize,
                 kind: FloatKind,
                 name: String,
                 number: Option<Number>,
                 slope: Option<&Slope>| {
        let zero = || Float::new(primal.precision());
        let expected = slope.map_or_else(zero, |s| s.value.clone());
        let terms = number.as_ref().map_or(0.0, |n| n.scale);
        let scale = number::magnitude(&expected).max(terms);
        Entry {
            direction,
            cell,
            leaf,
            behind: None,
            name: format!("{name}{suffix}"),
            scale,
            expected,
            error: slope.map_or(0.0, |s| s.error),
            literals: rounded * scale,
            exact: number.as_ref().map(|n| n.exact.clone()),
            kind,
            number,
            doubtful: false,
            unsettled: None,
        }
    };
    let mut out = Vec::new();
    for cell in &primal.exit {
        // What the primal leaves undefined, or frees, has no tangent, nor has what is constant in this direction.
        let shadowed = regions.shadow_of(cell.address, cell.size()).is_some();
        let live = shadowed && primal.after.load(cell.pointer(), Leaf::Float(cell.kind), 1).is_ok_and(|v| v.is_init());
        if live {
            let name = regions.name(cell.address, cell.size());
            let number = run.shadow(regions, cell.address, cell.kind);
            out.push(entry(Some(*cell), 0, cell.kind, name, number, pushed.cells.get(&cell.address)));
        }
    }
    let single = call.result.len() == 1;
    for (leaf, kind) in call.result.iter().enumerate() {
        let Leaf::Float(kind) = *kind else { continue };
        let defined = primal.result.leaves.get(leaf).is_some_and(|(v, ())| v.is_init());
        if !defined || call.components.is_empty() {
            continue;
        }
        let name = if single { "the result".to_owned() } else { format!("the result.{leaf}") };
        let number = run.returned(direction * call.result.len() + leaf, kind);
        out.push(entry(None, leaf, kind, name, number, pushed.result.get(leaf)));
    }
    for found in pushed.behind.iter().filter(|_| !call.components.is_empty()) {
        let name = format!("{:+} bytes behind the result", found.offset);
        let number = run.behind(direction * call.result.len() + found.leaf, found.offset, found.kind);
        let entry = entry(None, found.leaf, found.kind, name, number, Some(&found.slope));
        out.push(Entry { behind: Some(found.offset), ..entry });
    }
    out
}

/// What tangents of one direction are looked at with, where they differ from the reference.
pub struct Sides<'a> {
    pub primal: &'a Primal<'a>,
    pub call: &'a Call,
    pub regions: &'a Regions,
    pub tangents: &'a [f64],
    /// The run of the tangent once more.
    pub again: &'a dyn Fn(Again) -> Option<Run>,
}

impl Sides<'_> {
    /// Looks more closely at what differs, or has lost what it was computed for: with moved literals, then with more
    /// bits on both sides.
    pub fn look(&self, entries: &mut [Entry]) -> Result<(), Stop> {
        let differs = |entries: &[Entry]| entries.iter().any(|e| !e.agrees() && e.exact.is_some());
        if differs(entries) && self.primal.literals().apart {
            self.excuse_literals(entries)?;
        }
        if differs(entries) || entries.iter().any(Entry::is_lost) {
            self.settle(entries)?;
        }
        Ok(())
    }

    fn excuse_literals(&self, entries: &mut [Entry]) -> Result<(), Stop> {
        let known = self.primal.literals();
        let Some(run) = (self.again)(Again::Moved) else { return Ok(()) };
        let moves = (literals::MOVES, self.primal.limits().seed);
        let pushed = reference::push_moved(self.primal, self.tangents, moves)?;
        for entry in entries.iter_mut().filter(|e| !e.agrees()) {
            entry.literals = (known.unmoved + known.cut) * entry.scale;
            let Some(number) = entry.number_in(self, &run) else { continue };
            let slope = |pushed: &Pushed| {
                entry.slope_in(pushed).map_or_else(|| Float::new(self.primal.precision()), |s| s.value.clone())
            };
            let Some(base) = pushed.first().map(slope) else { continue };
            let at_rest = Float::with_val(base.prec(), &number.exact - base);
            let by = |(ours, theirs): (&Float, &Pushed)| {
                let apart = Float::with_val(ours.prec(), ours - slope(theirs));
                if apart.is_finite() { number::distance(&apart, &at_rest) } else { 0.0 }
            };
            let most = number.beside.iter().zip(pushed.iter().skip(1)).map(by).fold(0.0, f64::max);
            entry.literals += literals::ALLOWED * most;
        }
        Ok(())
    }

    fn settle(&self, entries: &mut [Entry]) -> Result<(), Stop> {
        let by = |bits| reference::push_precisely(self.primal, self.tangents, bits);
        let (middle, finest) = (by(settle::middle(self.primal.precision()))?, by(FINEST)?);
        let precise = (self.again)(Again::Precise(FINEST));
        for entry in entries.iter_mut().filter(|e| !e.agrees() && e.exact.is_some() || e.is_lost()) {
            let (Some(middle), Some(finest)) = (entry.slope_in(&middle), entry.slope_in(&finest)) else { continue };
            if settle::agree(&middle.value, &finest.value, entry.scale, middle.error + finest.error) {
                if entry.agrees() {
                    continue;
                }
                let Some(number) = precise.as_ref().and_then(|run| entry.number_in(self, run)) else { continue };
                entry.expected = finest.value.clone();
                entry.error = finest.error;
                entry.exact = Some(number.exact);
                continue;
            }
            // What a kink or a convention that the lanes have met excuses is another question.
            if self.primal.events.iter().any(|event| settle::is_special(&event.kind)) {
                continue;
            }
            entry.unsettled = Some([&middle.value, &finest.value].map(Float::to_f64));
            let Some(weights) = entry.weights(self.primal.precision()) else { continue };
            let told = differences::along(self.primal, self.tangents, &[&weights]);
            let own = entry.number.as_ref().map(|n| n.concrete.clone());
            if let Held::Reference(told) = differences::hold(told.as_ref(), 0, (&entry.expected, None), false)
                && own.is_none_or(|own| number::distance(&own, &told.sum) > differences::bound(&told))
            {
                entry.unsettled = None;
                entry.error = differences::bound(&told);
                entry.expected = told.sum;
            }
        }
        Ok(())
    }

    /// What plain differences say of all tangents together, with random weights; none where nothing moves.
    pub fn story(&self, entries: &[Entry], seed: u64) -> Option<Story> {
        let precision = self.primal.precision();
        let mut random = number::Random::new(seed ^ 0xf0);
        let mut weights = Weights::default();
        let mut expected = (Float::new(precision), 0.0);
        let mut found = (Float::new(precision), 0.0);
        let shrink = reference::shrink(self.primal, self.tangents);
        for entry in entries.iter().filter(|e| e.leaf == 0 && e.behind.is_none()) {
            let weight = random.weight();
            let rounded = Float::with_val(precision, weight);
            match entry.cell {
                Some(cell) => drop(weights.cells.insert(cell.address, rounded)),
                None => weights.seed = Some(rounded),
            }
            let along = weight * shrink;
            expected.0 += Float::with_val(precision, &entry.expected * along);
            expected.1 += number::magnitude(&entry.expected) * along.abs();
            found.0 += entry.exact.as_ref().map_or_else(|| Float::new(precision), |e| e.clone() * along);
            found.1 += entry.number.as_ref().map_or(f64::NAN, |n| n.concrete.to_f64()) * along;
        }
        let direction: Vec<f64> = self.tangents.iter().map(|t| t * shrink).collect();
        let moves = direction.iter().any(|by| *by != 0.0) && direction.iter().all(|by| by.is_finite());
        let stories = || differences::stories(self.primal, &direction, &[&weights], &[expected], &[found]);
        if moves { stories().pop() } else { None }
    }

    /// Where a number leaves the floats on its way to an answer lanes are missing, and where they are contradicted they
    /// may be wrong: each tangent is held against plain differences.
    pub fn hold(&self, entries: &mut [Entry], contradicted: bool) {
        if self.primal.paths.lost.is_none() && !contradicted || self.primal.paths.declared {
            return;
        }
        for entry in entries.iter_mut() {
            let Some(weights) = entry.weights(self.primal.precision()) else { continue };
            let told = differences::along(self.primal, self.tangents, &[&weights]);
            let agrees = entry.agrees();
            match differences::hold(told.as_ref(), 0, (&entry.expected, entry.exact.as_ref()), agrees) {
                Held::Reference(told) => {
                    entry.scale = entry.scale.max(told.scale);
                    entry.error += differences::bound(&told);
                    entry.expected = told.sum;
                }
                Held::Confirmed => {}
                Held::Doubtful => entry.doubtful = entry.exact.is_some(),
            }
        }
    }
}

/// Is a tangent between the derivatives on either side of the point ([`sides`])? A side where the primal has none says
/// nothing.
pub fn between(
    primal: &Primal<'_>,
    call: &Call,
    (memory, regions): (&Memory<()>, &Regions),
    tangents: &[f64],
    entry: &Entry,
) -> bool {
    let Some(exact) = entry.exact.as_ref().filter(|e| e.is_finite()) else { return false };
    let (mut least, mut most) = (entry.expected.clone(), entry.expected.clone());
    for side in [sides::ASIDE, -sides::ASIDE] {
        let shrink = reference::shrink(primal, tangents);
        let by: Vec<f64> = tangents.iter().map(|t| side * shrink * t).collect();
        let (memory, call) = sides::moved(primal, call, memory, &by);
        let at = (&memory, regions);
        let Ok(aside) = Primal::new(primal.program(), &call, at, primal.limits(), (primal.precision(), primal.planted))
        else {
            return true;
        };
        let same = |input: &Input| primal.inputs.iter().position(|i| i.place == input.place);
        let along: Vec<f64> = aside.inputs.iter().map(|i| same(i).map_or(0.0, |n| tangents[n])).collect();
        let Some(slope) = reference::push(&aside, &along, [STEP, LARGER_STEP]).ok().and_then(|p| entry.slope_of(&p))
        else {
            return true;
        };
        if slope < least {
            least = slope;
        } else if slope > most {
            most = slope;
        }
    }
    let room = sides::ROOM * number::magnitude(&least).max(number::magnitude(&most));
    *exact >= least - room && *exact <= most + room
}
