//! Tangents against the reference: every cell that the primal reads or writes, and every returned number.

use super::super::accuracy::{self, Loss};
use super::super::call::Call;
use super::super::differences::{self, Held};
use super::super::gradient::{Number, Run};
use super::super::number;
use super::super::reference::{Primal, Weights};
use super::super::region::Regions;
use super::reference::{Pushed, Slope};
use crate::report::Component;
use interp::Leaf;
use interp::machines::cells::Cell;
use ir::FloatKind;
use rug::Float;
use std::collections::BTreeMap;

/// A tangent beside its reference.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The direction, counted from 0.
    pub direction: usize,
    /// The primal cell; none for a returned number.
    pub cell: Option<Cell>,
    /// Which leaf of the result, otherwise.
    leaf: usize,
    /// Its name.
    pub name: String,
    /// The reference.
    pub expected: Float,
    /// A bound of the reference's own error.
    error: f64,
    /// The size of the terms of the sum.
    scale: f64,
    /// What rounded literals may contribute, relative to that.
    threshold: f64,
    /// What the tangent's formula gives; none if that is undefined.
    pub exact: Option<Float>,
    kind: FloatKind,
    number: Option<Number>,
    /// Lanes are missing, and differences tell nothing.
    pub doubtful: bool,
}

impl Entry {
    /// Does the formula agree?
    pub fn agrees(&self) -> bool {
        let Some(exact) = &self.exact else { return false };
        if !self.expected.is_finite() {
            return true;
        }
        self.doubtful
            || number::distance(&self.expected, exact) <= self.threshold * self.scale + self.error + number::UNSEEN
    }

    /// Its derivative in another reference, if it is a number there.
    pub fn slope_of(&self, pushed: &Pushed) -> Option<Float> {
        let slope = match self.cell {
            Some(cell) => pushed.cells.get(&cell.address),
            None => pushed.result.get(self.leaf),
        };
        slope.map(|s| s.value.clone()).filter(Float::is_finite)
    }

    /// The accuracy of the number.
    pub fn loss(&self, narrowest: FloatKind) -> Option<Loss> {
        let number = self.number.as_ref().filter(|n| n.exact.is_finite() && n.concrete.is_finite())?;
        Some(accuracy::loss(number, narrowest))
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
    let entry = |cell: Option<Cell>,
                 leaf: usize,
                 kind: FloatKind,
                 name: String,
                 number: Option<Number>,
                 slope: Option<&Slope>| {
        let zero = || Float::new(primal.precision());
        let expected = slope.map_or_else(zero, |s| s.value.clone());
        let terms = number.as_ref().map_or(0.0, |n| n.scale);
        Entry {
            direction,
            cell,
            leaf,
            name: format!("{name}{suffix}"),
            scale: number::magnitude(&expected).max(terms),
            expected,
            error: slope.map_or(0.0, |s| s.error),
            threshold: run.threshold,
            exact: number.as_ref().map(|n| n.exact.clone()),
            kind,
            number,
            doubtful: false,
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
    out
}

/// Where a number leaves the floats on its way to an answer, lanes are missing: each tangent is held against plain differences.
pub fn again(primal: &Primal<'_>, tangents: &[f64], entries: &mut [Entry]) {
    if primal.paths.lost.is_none() || primal.paths.declared {
        return;
    }
    for entry in entries.iter_mut().filter(|e| e.leaf == 0) {
        let one = Float::with_val(primal.precision(), 1.0);
        let weights = match entry.cell {
            Some(cell) => Weights { cells: BTreeMap::from([(cell.address, one)]), seed: None },
            None => Weights { seed: Some(one), ..Weights::default() },
        };
        let told = differences::along(primal, tangents, &[&weights]);
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
