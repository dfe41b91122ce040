//! From what was observed to a finding: message, family, place and evidence.

use super::accuracy::Loss;
use super::activity;
use super::compare::compare;
use super::comparison::{Compared, Comparison, Effort, Tried};
use super::family;
use super::gradient::{Run, Setting, weights_on_entry};
use super::inputs::Place;
use super::probe::Probe;
use super::protocol::Corruption;
use super::reference::Primal;
use super::region::{Gone, Regions, Root};
use super::stops::{self, Who};
use super::{Case, Changed, Weighed, accesses, gradient, laws, locate, number, replay, settle, sides, trace};
use crate::report::{Finding, Note, Position};
use crate::verdict::{Family, Verdict};
use interp::machines::{Decision, Event, EventKind};
use interp::memory::{AllocInfo, Life, Memory};
use interp::{Location, Pointer, Stop, UbKind};
use rules::row::Exception;
use std::collections::BTreeMap;

impl Case<'_> {
    fn call_place(&self) -> Option<Position> {
        self.judged.loc.clone().map(Position::from)
    }

    fn name(&self, func: ir::FuncId) -> &str {
        &self.program.module.functions[func].name
    }

    fn position(&self, at: Location) -> Option<Position> {
        self.program.source(at).filter(|s| s.line > 0).map(Position::from)
    }

    /// The map from primal to shadow cells is not one to one, or not apart from the primal.
    pub(super) fn aliased(&self, message: String) -> Finding {
        let mut finding = Finding::new(Verdict::Wrong, message).at(self.call_place());
        finding.family = Some(Family::Alias);
        finding.evidence.push("the map from primal cells to shadow cells is not one to one".to_owned());
        finding
    }

    /// The gradient stopped.
    pub(super) fn failed(&self, stop: &Stop, probe: &Probe) -> Finding {
        if let Some(message) = misfit(&self.call.roots, self.memory) {
            return Finding::new(Verdict::Protocol, message).at(self.call_place());
        }
        let finding = stops::finding(stop, Who::Gradient);
        let undefined = stop.report().is_some_and(|r| matches!(r.ub, Some(UbKind::Uninitialised)));
        match probe.undefined.first() {
            Some(read) if undefined => {
                let mut wrong = Finding::new(Verdict::Wrong, finding.message);
                let broken = laws::undefined_value(self.program, *read);
                let evidence =
                    broken.as_ref().map_or("the gradient reads memory that nobody has written", |b| &b.evidence);
                wrong.family = Some(broken.as_ref().map_or(Family::Uninitialised, |b| b.family));
                wrong.evidence.push(evidence.to_owned());
                locate::at(self.program, wrong, Some(broken.map_or(*read, |b| b.at)), self.judged)
            }
            _ => self.shared(stop).unwrap_or(finding),
        }
    }

    /// A synthesised gradient that frees or uses a block wrongly, because the block is its own shadow.
    fn shared(&self, stop: &Stop) -> Option<Finding> {
        let ub = stop.report().and_then(|r| r.ub)?;
        if self.judged.given || !matches!(ub, UbKind::DoubleFree | UbKind::UseAfterFree | UbKind::Uninitialised) {
            return None;
        }
        let broken = laws::is_shared(self.replayed(&Setting::default())?.shared?);
        let message = stops::finding(stop, Who::Gradient).message;
        let mut wrong = Finding::new(Verdict::Wrong, message);
        wrong.family = Some(broken.family);
        wrong.evidence.push(broken.evidence);
        Some(locate::at(self.program, wrong, Some(broken.at), self.judged))
    }

    /// Primal memory differs from what the primal leaves.
    pub(super) fn corrupted(&self, what: &Corruption) -> Finding {
        let name = self.regions.name(what.address & !7, 8);
        let object = match (what.constant, what.undefined) {
            (true, false) => "memory of a constant argument or outside of all arguments".to_owned(),
            (true, true) => "memory outside of all duplicated arguments, now undefined".to_owned(),
            (false, false) => format!("primal memory, {name}"),
            (false, true) => format!("primal memory, {name}, now undefined"),
        };
        let message = format!("`{}` changes {object}", self.name(self.judged.gradient));
        let mut finding = Finding::new(Verdict::Wrong, message);
        finding.family = Some(Family::PrimalCorruption);
        finding.evidence.push(format!("after it, that memory is not what `{}` leaves", self.name(self.judged.primal)));
        if let Some(made) = what.object.made.and_then(|at| self.position(at)) {
            finding.notes.push(Note { message: "the memory was created here".to_owned(), position: Some(made) });
        }
        locate::at(self.program, finding, what.store, self.judged)
    }

    /// A shadow that the caller finds leads to memory that is there no more.
    pub(super) fn shadow_is_gone(&self, gone: &Gone) -> Finding {
        let message = format!(
            "the shadow of {} leads to memory that `{}` has made and that is gone",
            gone.name,
            self.name(self.judged.gradient)
        );
        let mut finding = Finding::new(Verdict::Wrong, message);
        finding.family = Some(Family::StaleShadow);
        finding
            .evidence
            .push("after it, that pointer leads to memory that is there, and its shadow does not".to_owned());
        if let Some(made) = gone.object.made.and_then(|at| self.position(at)) {
            finding.notes.push(Note { message: "the memory was created here".to_owned(), position: Some(made) });
        }
        locate::at(self.program, finding, None, self.judged)
    }

    /// Memory is lost.
    pub(super) fn leaked(&self, lost: &[AllocInfo]) -> Finding {
        let bytes: u64 = lost.iter().map(|b| b.size).sum();
        let message =
            format!("`{}` loses {} heap blocks of {bytes} bytes in all", self.name(self.judged.gradient), lost.len());
        let finding = Finding::new(Verdict::Leak, message);
        locate::at(self.program, finding, lost.first().and_then(|b| b.made), self.judged)
    }

    /// A wrong component whose formula differs by less than its rounding: a difference quotient, not another
    /// derivative.
    pub(super) fn rounding(
        &self,
        own: &Weighed,
        wrong: &[&Compared],
        inaccurate: Option<(usize, Loss)>,
    ) -> Option<Finding> {
        let (index, loss) = inaccurate?;
        let drowned = |c: &&Compared| {
            let Some(exact) = &c.exact else { return false };
            let rounding = number::distance(exact, &rug::Float::with_val(exact.prec(), c.concrete));
            rounding.is_finite() && number::distance(exact, &c.expected) < rounding
        };
        wrong.iter().all(drowned).then(|| self.inaccurate(own, index, loss))
    }

    /// Too many bits are lost.
    pub(super) fn inaccurate(&self, own: &Weighed, index: usize, loss: Loss) -> Finding {
        let input = &self.primal.inputs[index];
        let message = format!("the component of {} {}", input.name, loss.told(self.allowance()));
        let finding = Finding::new(Verdict::Inaccurate, message);
        let place = match input.place {
            Place::Cell(cell) => {
                let shadow = self.regions.shadow_of(cell.address, cell.size());
                shadow.and_then(|p| own.run.probe.stores.get(&p.addr)).map(|s| s.last)
            }
            Place::Scalar(_) => locate::return_of(self.program, self.judged.gradient),
        };
        locate::at(self.program, finding, place, self.judged)
    }

    /// The derivative is not the reference.
    pub(super) fn wrong(&self, own: &Weighed, comparison: &Comparison, wrong: &[&Compared], law: bool) -> Finding {
        let nearby = || !law && self.right_nearby(wrong);
        let integers = || {
            let seen = self.accesses();
            seen.integers.into_iter().collect()
        };
        let case = family::Case {
            primal: self.primal,
            regions: self.regions,
            run: &own.run,
            singly: &comparison.singly,
            only_other_shadows: law,
            right_nearby: &nearby,
            nested: self.order > 1,
            integers: &integers,
            laws: &|| self.broken_law(own),
            stores_to: &|address| self.accesses().stores.get(&address).copied().unwrap_or(0),
        };
        let conclusion = case.conclude();
        let shown = wrong
            .iter()
            .find(|c| conclusion.cell.is_some() && c.cell.map(|x| x.address) == conclusion.cell)
            .or_else(|| wrong.iter().find(|c| c.exact.is_none()))
            .or(wrong.first());
        let Some(shown) = shown else {
            return Finding::new(Verdict::Wrong, "a sum of components is wrong");
        };
        let message = match (&shown.exact, law) {
            (None, _) => {
                format!("the component of {} is undefined; it should be {}", shown.name, brief(shown.expected.to_f64()))
            }
            (Some(exact), false) => format!(
                "the component of {} is {}; it should be {}",
                shown.name,
                brief(exact.to_f64()),
                brief(shown.expected.to_f64())
            ),
            (Some(exact), true) => format!(
                "with other shadows and another seed on entry the component of {} is {}; it should be {}",
                shown.name,
                brief(exact.to_f64()),
                brief(shown.expected.to_f64())
            ),
        };
        let mut finding = Finding::new(Verdict::Wrong, message);
        finding.family = Some(conclusion.family);
        finding.evidence.push(conclusion.evidence);
        let store = || locate::store_of(self.program, self.regions, &own.run, self.judged.gradient, shown);
        let place = conclusion.at.or_else(store);
        locate::at(self.program, finding, place, self.judged)
    }

    /// The gradient is right as it is called, but not for other shadows or another seed.
    pub(super) fn law_broken(&self, other: &Weighed, law: &Comparison, wrong: &[&Compared]) -> Result<Finding, Stop> {
        if self.call.seed.is_some()
            && let Ok(seeded) = self.other_run(Changed::Seed)
        {
            let again = |how| self.again(&seeded, how);
            let runs = [Tried { run: &seeded.run, weights: &seeded.weights, again: &again }];
            let comparison = compare(self.primal, self.regions, &runs, self.effort())?.pop().unwrap_or_default();
            if let Some(component) = comparison.deviating().next() {
                let message = format!(
                    "`{}` is not linear in its seed: with another one the component of {} is {} instead of {}",
                    self.name(self.judged.gradient),
                    component.name,
                    brief(component.exact.as_ref().map_or(f64::NAN, rug::Float::to_f64)),
                    brief(component.expected.to_f64())
                );
                let finding = Finding::new(Verdict::Protocol, message);
                let gradient = self.judged.gradient;
                let place = locate::store_of(self.program, self.regions, &seeded.run, gradient, component);
                return Ok(locate::at(self.program, finding, place, self.judged));
            }
        }
        Ok(self.wrong(other, law, wrong, true))
    }

    /// The first broken law of a gradient that was synthesised.
    fn broken_law(&self, own: &Weighed) -> Option<laws::Broken> {
        if self.judged.given {
            return None;
        }
        let trace = trace::trace(self.primal)?;
        let replayed = self.replayed(&own.setting)?;
        laws::Laws::new(self.program, &replayed, &trace).first_broken()
    }

    fn replayed(&self, setting: &Setting) -> Option<replay::Replayed> {
        let at = (self.memory, self.regions);
        replay::replay(self.program, self.call, at, setting, &self.options.limits)
    }

    pub(super) fn accesses(&self) -> accesses::Accesses {
        accesses::watch(self.program, self.call, self.memory, self.regions.primals(), &self.options.limits)
    }

    /// Are the components that are wrong here right when every input is moved by about a thousandth?
    fn right_nearby(&self, wrong: &[&Compared]) -> bool {
        const EXAMINED: usize = 16;
        const BY: f64 = 1.0 / 1024.0;
        const LITTLE: f64 = 1.0 / 1024.0;
        let mut random = number::Random::new(self.options.seed ^ 0x40);
        let by: Vec<f64> = self.primal.inputs.iter().map(|i| BY * i.scale * random.weight()).collect();
        let (memory, call) = sides::moved(self.primal, self.call, self.memory, &by);
        let at = (&memory, self.regions);
        let (limits, precision) = (&self.options.limits, self.options.precision);
        let how = (precision, self.options.planted);
        let Ok(primal) = Primal::new(self.program, &call, at, limits, how) else { return false };
        let setting = Setting::default();
        let run = gradient::run(self.program, &call, at, Some(&primal), &setting, (limits, precision));
        let Ok(run) = run else { return false };
        let weights = weights_on_entry(&call, at, &primal, precision);
        let again = |how| gradient::again(self.program, &call, at, &primal, &setting, (limits, precision), how);
        let runs = [Tried { run: &run, weights: &weights, again: &again }];
        let places = wrong.iter().filter_map(|c| Some(self.primal.inputs.get(c.input?)?.place)).take(EXAMINED);
        let only: Vec<usize> =
            places.filter_map(|place| primal.inputs.iter().position(|input| input.place == place)).collect();
        let effort = Effort { directions: only.len(), seed: self.options.seed, only: Some(&only) };
        let Ok(Some(comparison)) = compare(&primal, self.regions, &runs, effort).map(|mut all| all.pop()) else {
            return false;
        };
        // What is left of it may be rounded literals.
        let least = wrong.iter().map(|c| c.deviation().abs()).filter(|d| *d > 0.0).fold(f64::INFINITY, f64::min);
        comparison.deviating().all(|c| c.deviation().abs() <= LITTLE * least)
    }

    /// What only rounding gives a value, when nothing is wrong.
    pub(super) fn unsettled(&self, comparison: &Comparison) -> Option<Finding> {
        let component = comparison.singly.iter().find(|c| c.unsettled.is_some())?;
        Some(self.noise(&component.name, component.unsettled?))
    }

    /// The derivative of this is not determined in exact arithmetic.
    pub(super) fn noise(&self, name: &str, [middle, finest]: [f64; 2]) -> Finding {
        let message = format!(
            "the derivative by {name} cannot be computed here in double precision: rounding alone gives the function a \
             value at this point"
        );
        let mut finding = Finding::new(Verdict::Convention, message);
        let bits = settle::middle(self.options.precision);
        let most = super::comparison::FINEST;
        finding.evidence.push(match settle::same(middle, finest) {
            true => "in exact arithmetic it is one-sided, and rounding alone keeps the point off the kink".to_owned(),
            false => format!(
                "in exact arithmetic nothing is left of a difference that counts: by {bits} bits the derivative is {}, \
                 by {most} bits {}",
                brief(middle),
                brief(finest)
            ),
        });
        let rounded = self.primal.events.iter().find(|e| matches!(e.kind, EventKind::Rounded { .. }));
        let place = rounded.map(|event| event.at).or_else(|| settle::origin(self.primal));
        locate::at(self.program, finding, place, self.judged)
    }

    /// Kinks and convention points, when nothing is wrong. A kink of an operation is none of the function where what is
    /// made of it is as smooth as if it were not there: an absolute value that is compared and no more, the lesser of
    /// two equals.
    pub(super) fn points(&self) -> Option<Finding> {
        let is_kink = |kind: &EventKind| {
            matches!(kind, EventKind::Kink(_) | EventKind::Convention { exception: Exception::Kink(_), .. })
        };
        let kinks = self.primal.events.iter().any(|e| is_kink(&e.kind));
        let at = (self.memory, self.regions);
        let smooth = kinks && sides::smooth(self.primal, self.call, at);
        let counts = |kind: &EventKind| !(smooth && is_kink(kind));
        let event = |test: fn(&EventKind) -> bool| self.primal.events.iter().find(|e| test(&e.kind) && counts(&e.kind));
        if let Some(kink) = event(|k| matches!(k, EventKind::Kink(_))) {
            let message = format!("the derivative is one-sided here: {}", decision(kink));
            return Some(self.point(Verdict::Kink, message, kink));
        }
        if let Some(special) = event(|k| matches!(k, EventKind::Convention { .. })) {
            let message = format!("the derivative here is a convention: {}", convention(special));
            return Some(self.point(Verdict::Convention, message, special));
        }
        if let Some(rounded) = event(|k| matches!(k, EventKind::Rounded { .. })) {
            let message = format!(
                "the derivative cannot be computed here in double precision: the point is {} in exact arithmetic, and \
                 beside it by rounding alone",
                convention(rounded)
            );
            return Some(self.point(Verdict::Convention, message, rounded));
        }
        if self.primal.bent {
            let message = "the derivative cannot be computed here in double precision: in exact arithmetic it is \
                one-sided, and rounding alone keeps the point off the kink";
            let place = settle::origin(self.primal);
            return Some(locate::at(self.program, Finding::new(Verdict::Convention, message), place, self.judged));
        }
        let border = event(|k| matches!(k, EventKind::Domain(_)))?;
        let message = format!("the point lies on the border of the domain: {}", convention(border));
        Some(self.point(Verdict::Convention, message, border))
    }

    /// The function has several derivatives, of which its schedule chooses one.
    pub(super) fn by_schedule(&self, name: &str, seed: u64) -> Finding {
        let message =
            format!("the derivative of {name} depends on the schedule: with the seed {seed} it is another one");
        let mut finding = Finding::new(Verdict::Undecided, message).at(self.call_place());
        let evidence = "in exact arithmetic, too, the result depends on the order in which threads come";
        finding.evidence.push(evidence.to_owned());
        finding
    }

    /// The two references say different things, and neither is refuted.
    pub(super) fn contradicted(&self) -> Finding {
        let message = "the multi-precision reference and plain differences contradict each other";
        let mut finding = Finding::new(Verdict::Undecided, message);
        let evidence = "along random directions they are apart by more than the bound of the differences";
        finding.evidence.push(evidence.to_owned());
        locate::at(self.program, finding, self.primal.paths.lost.flatten(), self.judged)
    }

    /// Neither reference decides about a component, or nothing was compared.
    pub(super) fn undecided(&self, comparison: &Comparison) -> Option<Finding> {
        if let Some(doubtful) = comparison.singly.iter().find(|c| c.doubtful) {
            return Some(self.doubtful(&doubtful.name));
        }
        let (message, evidence) = if comparison.unexplained > 0 {
            let message =
                "a sum of components differs from the reference, and none of them alone was found to".to_owned();
            (message, "several components are compared together, with random signs")
        } else if comparison.contradicted() && comparison.deviating().next().is_none() {
            return Some(self.contradicted());
        } else if comparison.singly.is_empty() && comparison.groups == 0 && self.primal.takes_bytes {
            let message = "no component was compared: the function uses no number behind its arguments".to_owned();
            (message, "what it does with bytes of theirs is not known to be numbers")
        } else {
            return None;
        };
        let mut finding = Finding::new(Verdict::Undecided, message);
        finding.evidence.push(evidence.to_owned());
        Some(locate::at(self.program, finding, self.primal.paths.lost.flatten(), self.judged))
    }

    /// Neither reference decides about a component.
    pub(super) fn doubtful(&self, name: &str) -> Finding {
        let message = format!("the derivative of {name} is not known: plain differences of the program tell nothing");
        let mut finding = Finding::new(Verdict::Undecided, message);
        finding.evidence.push(match self.primal.paths.lost {
            Some(_) => {
                "a number leaves the floats here and comes back: the reference misses what it becomes".to_owned()
            }
            None => "the multi-precision reference and plain differences contradict each other".to_owned(),
        });
        locate::at(self.program, finding, self.primal.paths.lost.flatten(), self.judged)
    }

    /// Of this the reference is infinite or no number, though no single operation tells why: a result is.
    pub(super) fn undefined(&self, what: Option<&str>) -> Option<Finding> {
        let message = format!("the derivative of {} is infinite or no number here: nothing was compared", what?);
        Some(locate::at(self.program, Finding::new(Verdict::Convention, message), None, self.judged))
    }

    fn point(&self, verdict: Verdict, message: String, event: &Event) -> Finding {
        locate::at(self.program, Finding::new(verdict, message), Some(event.at), self.judged)
    }

    /// What else is worth knowing.
    pub(super) fn remarks(&self, comparison: &Comparison, run: &Run) -> Vec<String> {
        let mut remarks = self.common_remarks(run);
        if comparison.groups > 0 {
            remarks.push(format!("compared in {} sums with random signs", comparison.groups));
        }
        remarks
    }

    /// What is active, and is taken for constant.
    fn forgotten(&self) -> Option<String> {
        if self.judged.given {
            return None;
        }
        let tangents = self.judged.mode != ad::Mode::Reverse;
        activity::remark(self.program, &activity::forgotten(self.program, self.call, self.primal, tangents))
    }

    /// What holds for tangents too.
    pub(super) fn common_remarks(&self, run: &Run) -> Vec<String> {
        const CONVERGED: f64 = 1e-18;
        let mut remarks: Vec<String> = self.forgotten().into_iter().collect();
        let roundings: u64 = count(&self.primal.events, |k| matches!(k, EventKind::Rounding(_)));
        if roundings > 0 {
            remarks.push(format!("{roundings} decisions of the primal go another way in exact arithmetic"));
        }
        if let Some(place) = self.primal.paths.lost {
            let place = place.and_then(|at| self.position(at)).map_or_else(String::new, |p| format!(" at {p}"));
            remarks.push(format!(
                "a number leaves the floats{place} and reaches an answer: components were compared with plain \
                 differences, too"
            ));
        }
        if self.primal.convergence > CONVERGED {
            let by = self.primal.convergence;
            remarks.push(format!("the difference quotients of two steps differ by {by:.1e} of their size"));
        }
        let lost: u64 = run.probe.lanes.events.losses().map(|e| e.count).sum();
        if lost > 0 {
            remarks.push(format!(
                "the gradient takes numbers apart as bits {lost} times; there its exact arithmetic starts anew"
            ));
        }
        remarks
    }
}

/// Is the map from primal to shadow cells one to one, in all directions together, and apart from the primal? If not,
/// what is shared.
pub(super) fn alias(primal: &Primal<'_>, directions: &[&Regions]) -> Option<String> {
    let cells = &primal.exit;
    let own: BTreeMap<u64, u64> = cells.iter().map(|c| (c.address, c.size())).collect();
    let mut taken: BTreeMap<u64, (u64, String)> = BTreeMap::new();
    for regions in directions {
        for cell in cells {
            let name = regions.name(cell.address, cell.size());
            let Some(shadow) = regions.shadow_of(cell.address, cell.size()) else { continue };
            let (from, size) = (shadow.addr, cell.size());
            let hits = |(at, len): (&u64, u64)| at + len > from;
            if own.range(..from + size).next_back().is_some_and(|(a, l)| hits((a, *l))) {
                return Some(format!("the shadow of {name} is primal memory"));
            }
            if let Some((_, (_, other))) = taken.range(..from + size).next_back().filter(|(a, (l, _))| hits((a, *l))) {
                return Some(format!("{other} and {name} have one shadow"));
            }
            taken.insert(from, (size, name));
        }
    }
    None
}

/// The first shadow that no derivative can be kept in.
fn misfit(roots: &[Root], memory: &Memory<()>) -> Option<String> {
    roots.iter().find_map(|root| {
        let primal = memory.info(root.primal).filter(|p| p.life == Life::Live)?;
        let name = &root.name;
        let why = match memory.info(root.shadow) {
            _ if root.shadow.is_null() => "is null".to_owned(),
            Some(shadow) if shadow.life != Life::Live => "has been freed".to_owned(),
            Some(shadow) => {
                let rest = |p: Pointer, object: &AllocInfo| (object.base + object.size).saturating_sub(p.addr);
                let (has, needs) = (rest(root.shadow, &shadow), rest(root.primal, &primal));
                (has < needs).then(|| format!("has {has} bytes, and `{name}` has {needs}"))?
            }
            None => return None,
        };
        Some(format!(
            "the shadow of `{name}` {why}: derivatives are kept there, in memory of the shape of the argument's"
        ))
    })
}

fn count(events: &[Event], test: fn(&EventKind) -> bool) -> u64 {
    events.iter().filter(|e| test(&e.kind)).map(|e| e.count).sum()
}

fn operands(event: &Event) -> String {
    event.operands.iter().map(|x| brief(*x)).collect::<Vec<_>>().join(", ")
}

/// A kink in words.
fn decision(event: &Event) -> String {
    let EventKind::Kink(decision) = event.kind else { return String::new() };
    let what = match decision {
        Decision::Compare(_) => "a comparison of".to_owned(),
        Decision::Select(op) => format!("`{}` of", op.name()),
        Decision::ToInt => "a conversion to an integer of".to_owned(),
    };
    format!("{what} {} goes one way on one side and another way on the other", operands(event))
}

/// A convention point in words.
fn convention(event: &Event) -> String {
    match event.kind {
        EventKind::Convention { op, exception, .. } => {
            format!("`{}` at {} ({}: {})", op.name(), operands(event), exception.kind(), exception.reason())
        }
        EventKind::Rounded { op, exception } => {
            format!("a singular one of `{}` ({}: {})", op.name(), exception.kind(), exception.reason())
        }
        EventKind::Domain(op) => format!("`{}` at {}", op.name(), operands(event)),
        _ => String::new(),
    }
}

/// A number in short.
pub(super) fn brief(value: f64) -> String {
    let plain = format!("{value}");
    if plain.len() <= 22 { plain } else { format!("{value:e}") }
}
