//! Which family a wrong gradient belongs to: a list of tests on what the executions left behind, the most specific
//! first.
//!
//! Each test names its evidence; `docs/verdicts.md` has the table. A synthesised gradient knows what each of its
//! instructions stands for, and is asked instruction by instruction ([`super::laws`]); of others only the outcome is
//! seen. The last tests are defaults: `cache` when the primal overwrites inputs that it has read, `rule` otherwise.

use super::comparison::Compared;
use super::gradient::Run;
use super::laws::{self, Broken};
use super::number;
use super::reference::Primal;
use super::region::Regions;
use crate::verdict::Family;
use interp::Leaf;
use std::collections::{BTreeMap, BTreeSet};

/// What the diagnosis may look at.
pub struct Case<'a> {
    /// The primal.
    pub primal: &'a Primal<'a>,
    /// The regions.
    pub regions: &'a Regions,
    /// The run with the program's own shadows and seed.
    pub run: &'a Run,
    /// Components of that run.
    pub singly: &'a [Compared],
    /// Does the law fail only for other shadows than the program's own?
    pub only_other_shadows: bool,
    /// Is the gradient right when every input is moved a little?
    pub right_nearby: &'a dyn Fn() -> bool,
    /// Does the primal itself call a gradient?
    pub nested: bool,
    /// Addresses that the primal reads as integers or pointers.
    pub integers: &'a dyn Fn() -> Vec<(u64, u64)>,
    /// How often the primal stores to an address.
    pub stores_to: &'a dyn Fn(u64) -> u64,
    /// The first law of a synthesised gradient's reversals that is broken.
    pub laws: &'a dyn Fn() -> Option<Broken>,
}

/// A conclusion with its evidence, and the component that shows it best.
pub struct Conclusion {
    /// The family.
    pub family: Family,
    /// The evidence, in a clause.
    pub evidence: String,
    /// Address of the primal cell that it is best seen at, if not at the first wrong component.
    pub cell: Option<u64>,
    /// An instruction that shows it directly.
    pub at: Option<interp::Location>,
}

impl From<Broken> for Conclusion {
    fn from(broken: Broken) -> Conclusion {
        Conclusion { family: broken.family, evidence: broken.evidence, cell: None, at: Some(broken.at) }
    }
}

fn conclusion(family: Family, evidence: impl Into<String>) -> Conclusion {
    Conclusion { family, evidence: evidence.into(), cell: None, at: None }
}

/// Relative agreement for the diagnosis; the verdict does not depend on it.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

impl Case<'_> {
    fn wrong(&self) -> Vec<&Compared> {
        self.singly.iter().filter(|c| !c.agrees()).collect()
    }

    /// Goes through the tests.
    pub fn conclude(&self) -> Conclusion {
        let wrong = self.wrong();
        let tests = [
            Self::uninitialised,
            Self::edge,
            Self::nesting,
            Self::broken,
            Self::types,
            Self::stale,
            Self::complex,
            Self::alias,
            Self::activity,
            Self::reset,
            Self::double_add,
        ];
        tests.iter().find_map(|test| test(self, &wrong)).unwrap_or_else(|| self.default())
    }

    fn uninitialised(&self, wrong: &[&Compared]) -> Option<Conclusion> {
        let lost = wrong.iter().find(|c| c.exact.is_none())?;
        let read = self.run.probe.undefined.first();
        if let Some(broken) = read.and_then(|at| laws::undefined_value(self.primal.program(), *at)) {
            return Some(Conclusion { cell: lost.cell.map(|c| c.address), ..broken.into() });
        }
        let mut found = conclusion(Family::Uninitialised, format!("{} is not defined on exit", lost.name));
        found.cell = lost.cell.map(|c| c.address);
        found.at = self.run.probe.undefined.first().copied();
        if found.at.is_some() {
            found.evidence += ", and the gradient reads memory that nobody has written";
        }
        Some(found)
    }

    /// A synthesised gradient tells itself where it goes wrong.
    fn broken(&self, wrong: &[&Compared]) -> Option<Conclusion> {
        if wrong.is_empty() && !self.only_other_shadows {
            return None;
        }
        (self.laws)().map(Conclusion::from)
    }

    /// A floating-point store of the gradient to the shadow of a cell that the primal uses in another way.
    fn types(&self, _: &[&Compared]) -> Option<Conclusion> {
        let used: BTreeMap<u64, u64> = self.primal.exit.iter().map(|c| (c.address, c.size())).collect();
        let mut floats: Vec<(u64, u64, u64, interp::Location)> = Vec::new();
        for pair in self.regions.pairs() {
            for (address, store) in &self.run.probe.stores {
                let primal = address.wrapping_add_signed(-pair.distance);
                let inside = *address >= pair.shadow.base && *address < pair.shadow.base + pair.shadow.size;
                if inside && store.leaf.is_float() {
                    floats.push((store.order, primal, store.leaf.store_size(), store.last));
                }
            }
        }
        floats.sort_by_key(|(order, ..)| *order);
        for (_, primal, size, at) in &floats {
            let overlapping = used.range(primal.saturating_sub(15)..primal + size);
            let other = overlapping.filter(|(a, s)| *a + *s > *primal).find(|(a, s)| (**a, **s) != (*primal, *size));
            if let Some((_, theirs)) = other {
                let text = format!("the gradient stores {size} bytes to the shadow of a number of {theirs} bytes");
                return Some(Conclusion { family: Family::Type, evidence: text, cell: None, at: Some(*at) });
            }
        }
        let integers = (self.integers)();
        for (_, primal, size, at) in &floats {
            let unknown = !used.contains_key(primal);
            if unknown && integers.iter().any(|(a, s)| *a < primal + size && *primal < a + s) {
                let text = "the gradient adds a number to the shadow of what the primal reads as an integer".to_owned();
                return Some(Conclusion { family: Family::Type, evidence: text, cell: None, at: Some(*at) });
            }
        }
        None
    }

    /// The old content of a shadow is where it must not be, or is gone where it must be.
    fn stale(&self, wrong: &[&Compared]) -> Option<Conclusion> {
        let replaced = |c: &Compared| c.expected.is_zero() && c.cell.is_some_and(|cell| self.primal.overwrites(&cell));
        let unchanged = |c: &Compared| c.entry != 0.0 && c.exact.as_ref().is_some_and(|e| *e == c.entry);
        let kept_on = |c: &&&Compared| (c.input.is_none() || replaced(c)) && unchanged(c);
        if let Some(cell) = wrong.iter().find(kept_on) {
            let text = format!(
                "the primal overwrites the cell of {}, and its shadow still holds what it held on entry",
                cell.name
            );
            let mut found = conclusion(Family::StaleShadow, text);
            found.cell = cell.cell.map(|c| c.address);
            return Some(found);
        }
        let gone = |c: &&Compared| c.kept && c.entry != 0.0 && near(c.deviation(), -c.entry);
        if !wrong.is_empty() && wrong.iter().all(gone) {
            return Some(conclusion(
                Family::StaleShadow,
                "what the shadow held on entry is lost: the deviation is exactly that",
            ));
        }
        None
    }

    /// Overwritten slots whose shadows are not cleared where the store is reversed.
    fn reset(&self, _: &[&Compared]) -> Option<Conclusion> {
        let inputs: BTreeSet<u64> = self.primal.inputs.iter().filter_map(super::inputs::Input::address).collect();
        let only_written = self.primal.exit.iter().filter(|c| !inputs.contains(&c.address));
        for cell in only_written {
            let shadow = self.regions.shadow_of(cell.address, cell.size())?;
            let Some(stores) = self.run.probe.stores.get(&shadow.addr) else { continue };
            let written = (self.stores_to)(cell.address);
            if written > 1 && stores.count > stores.zeros && stores.zeros < written.min(stores.count - stores.zeros) {
                let name = self.regions.name(cell.address, cell.size());
                let text = format!(
                    "the primal sets {name} {written} times, and its shadow is cleared {} times while {} contributions \
                     are added",
                    stores.zeros,
                    stores.count - stores.zeros
                );
                return Some(conclusion(Family::StaleShadow, text));
            }
        }
        None
    }

    fn edge(&self, wrong: &[&Compared]) -> Option<Conclusion> {
        let infinite = wrong.iter().find(|c| c.exact.as_ref().is_some_and(|e| !e.is_finite()));
        if let Some(component) = infinite {
            return Some(conclusion(
                Family::Edge,
                format!("{} is not finite, although the derivative is", component.name),
            ));
        }
        (self.right_nearby)().then(|| {
            conclusion(Family::Edge, "the gradient is right at a neighbouring point, and wrong only at this one")
        })
    }

    fn nesting(&self, wrong: &[&Compared]) -> Option<Conclusion> {
        (self.nested && !wrong.is_empty()).then(|| {
            conclusion(Family::Nesting, "the primal computes a derivative itself, and its own derivative is incomplete")
        })
    }

    /// Pairs of neighbouring cells, of which the second alone has the wrong sign.
    fn complex(&self, wrong: &[&Compared]) -> Option<Conclusion> {
        let negated = |c: &&&Compared| {
            let (expected, actual) = c.contributions();
            expected != 0.0 && near(actual, -expected)
        };
        let partner_agrees = |c: &&Compared| {
            let Some(cell) = c.cell else { return false };
            let before = cell.address.wrapping_sub(cell.size());
            let partner = self.singly.iter().find(|p| p.cell.is_some_and(|q| q.address == before));
            partner.is_some_and(Compared::agrees)
        };
        let all = !wrong.is_empty() && wrong.iter().all(|c| negated(&c) && partner_agrees(c));
        all.then(|| {
            conclusion(Family::Complex, "in each pair of cells the first is right and the second has the opposite sign")
        })
    }

    /// What one object lacks another has too much.
    fn alias(&self, wrong: &[&Compared]) -> Option<Conclusion> {
        let unused = |c: &&&Compared| c.input.is_none() && c.kept;
        if let Some(extra) = wrong.iter().find(unused).filter(|_| wrong.iter().all(|c| unused(&c))) {
            let text = format!("a contribution went to the shadow of {}, which the primal does not use", extra.name);
            return Some(conclusion(Family::Alias, text));
        }
        for lacking in wrong {
            let (expected, actual) = lacking.contributions();
            let Some(lack) = lacking.cell.filter(|_| actual == 0.0 && expected != 0.0) else { continue };
            let excess = wrong
                .iter()
                .find(|c| c.cell.is_some_and(|e| e.object != lack.object) && near(c.deviation(), -lacking.deviation()));
            if let Some(excess) = excess {
                let text = format!("what {} lacks went to {}, the shadow of another object", lacking.name, excess.name);
                let mut found = conclusion(Family::Alias, text);
                found.cell = excess.cell.map(|c| c.address);
                return Some(found);
            }
        }
        None
    }

    fn activity(&self, wrong: &[&Compared]) -> Option<Conclusion> {
        let absent = |c: &&&Compared| {
            let (expected, actual) = c.contributions();
            actual == 0.0 && expected != 0.0
        };
        let names: Vec<&str> = wrong.iter().filter(absent).map(|c| c.name.as_str()).collect();
        if names.is_empty() || names.len() < wrong.len() {
            return None;
        }
        let text = format!("no contribution at all reaches {}, although the result depends on it", names.join(", "));
        Some(conclusion(Family::Activity, text))
    }

    fn double_add(&self, wrong: &[&Compared]) -> Option<Conclusion> {
        let doubled = |c: &&Compared| {
            let (expected, actual) = c.contributions();
            expected != 0.0 && near(actual, 2.0 * expected)
        };
        if !wrong.is_empty() && wrong.iter().all(doubled) {
            return Some(conclusion(Family::DoubleAdd, "every wrong component is exactly twice the right one"));
        }
        // Of several contributions to a cell, one may have been added twice: then the excess is one of the increments.
        let repeated = |c: &&Compared| {
            let shadow = c.cell.and_then(|cell| self.regions.shadow_of(cell.address, cell.size()));
            let stores = shadow.and_then(|p| self.run.probe.stores.get(&p.addr));
            let Some(stores) = stores else { return false };
            let mut last = c.entry;
            let steps: Vec<f64> = stores.values.iter().map(|v| v - std::mem::replace(&mut last, *v)).collect();
            steps.iter().filter(|s| near(**s, c.deviation())).count() >= 2
        };
        (!wrong.is_empty() && wrong.iter().all(repeated))
            .then(|| conclusion(Family::DoubleAdd, "the excess is a contribution that was added once already"))
    }

    fn default(&self) -> Conclusion {
        let overwritten = self.primal.inputs.iter().any(|input| match input.place {
            super::inputs::Place::Cell(cell) => {
                let leaf = Leaf::Float(cell.kind);
                let after = self.primal.after.load(cell.pointer(), leaf, 1);
                self.primal.overwrites(&cell) && after.is_ok_and(|v| v.bits() != input.bits)
            }
            super::inputs::Place::Scalar(_) => false,
        });
        if self.only_other_shadows {
            let text = "the result is right for the program's shadows, but wrong for others on entry";
            conclusion(Family::StaleShadow, text)
        } else if overwritten {
            conclusion(
                Family::Cache,
                "the primal overwrites values that its derivative needs, and the gradient used others",
            )
        } else {
            conclusion(
                Family::Rule,
                "every value that the derivative needs is still there; a local derivative is wrong",
            )
        }
    }
}

/// The magnitude of a deviation, for sorting: undefined first.
pub fn weight(c: &Compared) -> f64 {
    match &c.exact {
        None => f64::INFINITY,
        Some(exact) => number::distance(exact, &c.expected) / c.scale.max(f64::MIN_POSITIVE),
    }
}
