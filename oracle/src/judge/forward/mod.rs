//! The judge of forward mode: the tangents on exit are `J·ẋ` for the tangents ẋ on entry (`docs/contract.md`).
//!
//! The inputs and the lanes of the primal are those of reverse mode ([`super::reference`]). Here the lanes move along
//! the program's own tangents, so that every output cell and every returned number has its reference from one run for
//! each direction ([`reference`]). The tangent runs twice: as the program calls it, and with random tangents in place
//! of the program's. For the rest it must do what the primal does: nothing to primal or constant memory that the primal
//! does not do, and no leak.
//!
//! The program goes on with the memory and the result of the first run.

mod arguments;
mod compare;
mod reference;

use super::call::Call;
use super::comparison::Story;
use super::gradient::Again;
use super::gradient::{self, Setting};
use super::locate;
use super::number;
use super::orders;
use super::probe::Probe;
use super::protocol;
use super::reference::Primal;
use super::region::Regions;
use super::{Case, Effects, Judgement, Options, diagnose, plain, stops, unneeded};
use crate::report::{Accuracy, Basis, Component, Finding};
use crate::verdict::{Family, Verdict};
use ad::Judged;
use arguments::Direction;
use compare::Entry;
use interp::machines::EventKind;
use interp::machines::cells::Cell;
use interp::{Leaf, Memory, Program, Stop, Value};
use reference::Pushed;

/// Judges a call of forward mode.
pub fn judge(
    program: &Program,
    judged: &Judged,
    (memory, args): (&Memory<()>, &[Value]),
    order: u32,
    options: &Options,
) -> (Judgement, Result<Effects, Stop>) {
    let unsupported = |message: String| {
        let finding = Finding::new(Verdict::Unsupported, message).at(judged.loc.clone().map(Into::into));
        (Judgement::of(finding), plain(program, judged, (memory, args), options))
    };
    let supplied = unneeded::supplied(program, judged, memory, args);
    let (memory, of_primal) = supplied.as_ref().map_or((memory, args), |(memory, args)| (memory, args));
    let (call, directions) = match arguments::take_apart(program, judged, of_primal) {
        Ok((call, directions)) => (Call { gradient_args: args.to_vec(), ..call }, directions),
        Err(message) => return unsupported(message),
    };
    let each: Vec<Regions> = directions.iter().map(|d| Regions::follow(&program.module, memory, &d.roots)).collect();
    let roots: Vec<_> = directions.iter().flat_map(|d| d.roots.iter().cloned()).collect();
    let all = Regions::follow(&program.module, memory, &roots);
    let mut primal =
        match Primal::new(program, &call, (memory, &all), &options.limits, (options.precision, options.planted)) {
            Ok(primal) => primal,
            Err(stop) => {
                let finding = stops::finding(&stop, stops::Who::Primal);
                return (Judgement::of(finding), Err(stop));
            }
        };
    let tangents: Result<Vec<_>, String> =
        directions.iter().zip(&each).map(|(d, r)| reference::on_entry(&primal, memory, d, r, args)).collect();
    let tangents = match tangents {
        Ok(tangents) => tangents,
        Err(message) => {
            let finding = Finding::new(Verdict::Protocol, message).at(judged.loc.clone().map(Into::into));
            return (Judgement::of(finding), plain(program, judged, (memory, args), options));
        }
    };
    let pushed = match reference::push_all(&primal, &tangents) {
        Ok(pushed) => pushed,
        Err(stop) => return (Judgement::of(stops::finding(&stop, stops::Who::Primal)), Err(stop)),
    };
    // What is special about the point is what these directions meet.
    primal.events = pushed.iter().flat_map(|p| p.events.iter().cloned()).collect();
    let case = Case { program, judged, call: &call, memory, regions: &all, primal: &primal, order, options };
    let forward = Forward { case, directions: &directions, regions: &each, tangents: &tangents, pushed: &pushed };
    forward.judge()
}

/// A call whose reference is known.
struct Forward<'a> {
    case: Case<'a>,
    directions: &'a [Direction],
    /// The shadows of each direction.
    regions: &'a [Regions],
    /// The tangents on entry: by direction, then by input.
    tangents: &'a [Vec<f64>],
    pushed: &'a [Pushed],
}

type Failed = Box<(Stop, Probe)>;

/// A run along other directions, its reference, and the tangents on entry.
struct Other {
    run: gradient::Run,
    pushed: Vec<Pushed>,
    tangents: Vec<Vec<f64>>,
    call: Call,
    memory: Memory<()>,
}

/// The tangents of a run beside their references, and what plain differences say of these.
#[derive(Default)]
struct Looked {
    entries: Vec<Entry>,
    stories: Vec<Story>,
    basis: Basis,
}

impl Forward<'_> {
    fn judge(&self) -> (Judgement, Result<Effects, Stop>) {
        let case = &self.case;
        let regions: Vec<&Regions> = self.regions.iter().collect();
        let alias = diagnose::alias(case.primal, &regions).map(|message| case.aliased(message));
        let own = match self.run(case.call, case.memory, Some(case.options.seed ^ 0x0c)) {
            Ok(own) => own,
            Err(failed) => {
                let (stop, probe) = *failed;
                let finding = alias.unwrap_or_else(|| case.failed(&stop, &probe));
                return (Judgement::of(finding), Err(stop));
            }
        };
        let effects = (own.memory.without_shadows(), own.result.without_shadows(), own.printed.clone());
        if let Some(finding) = alias {
            return (Judgement::of(finding), Ok(effects));
        }
        let judgement = self.compared(&own);
        (judgement.unwrap_or_else(|stop| Judgement::of(stops::finding(&stop, stops::Who::Primal))), Ok(effects))
    }

    fn run(&self, call: &Call, memory: &Memory<()>, condition: Option<u64>) -> Result<gradient::Run, Failed> {
        let case = &self.case;
        let setting = Setting { condition, ..Setting::default() };
        let budget = (&case.options.limits, case.options.precision);
        gradient::run(case.program, call, (memory, case.regions), Some(case.primal), &setting, budget)
    }

    /// The tangent along random directions, its reference, and the directions; none where the primal reads the tangents
    /// as data, too (vᵀH v is asked for with v as the tangent and as a constant): others make it another function.
    fn other(&self) -> Result<Option<Result<Other, Failed>>, Stop> {
        let case = &self.case;
        let mut random = number::Random::new(case.options.seed ^ 0xd0);
        let (mut memory, mut call) = (case.memory.clone(), case.call.clone());
        let mut tangents = Vec::new();
        for (direction, regions) in self.directions.iter().zip(self.regions) {
            let replaced = reference::replace(case.primal, direction, regions, &mut memory, &mut call, &mut random);
            let known = || self.tangents.get(tangents.len()).cloned().unwrap_or_default();
            tangents.push(replaced.unwrap_or_else(|_| known()));
        }
        if !self.is_the_same(&memory)? {
            return Ok(None);
        }
        let pushed = reference::push_all(case.primal, &tangents)?;
        Ok(Some(self.run(&call, &memory, None).map(|run| Other { run, pushed, tangents, call, memory })))
    }

    /// Does the primal compute the same with this memory on entry, in which tangents are others?
    fn is_the_same(&self, memory: &Memory<()>) -> Result<bool, Stop> {
        let case = &self.case;
        let (primal, args) = (case.primal, &case.call.primal_args);
        let (after, result, _) = super::execute(case.program, case.call.primal, (memory, args), case.options)?;
        let bits = |value: &Value| -> Vec<u128> {
            value.leaves.iter().map(|(leaf, ())| if leaf.is_init() { leaf.bits() } else { 0 }).collect()
        };
        let cell = |memory: &Memory<()>, cell: &Cell| {
            let value = memory.load(cell.pointer(), Leaf::Float(cell.kind), 1).ok().filter(|v| v.is_init());
            value.map(|value| value.bits())
        };
        primal.count_work(1);
        let cells = primal.exit.iter().all(|c| cell(&after, c) == cell(&primal.after, c));
        Ok(cells && bits(&result) == bits(&primal.result))
    }

    fn compared(&self, own: &gradient::Run) -> Result<Judgement, Stop> {
        let case = &self.case;
        let mut ours = self.look(own, (self.pushed, self.tangents), (case.call, case.memory))?;
        self.refer(&mut ours, self.tangents, (case.call, case.memory));
        let (accuracy, inaccurate) = self.accuracy(&ours.entries);
        let mut finding = self.finding(own, &ours.entries);
        let mut other = None;
        if finding.is_none() {
            match self.other()? {
                Some(Ok(run)) => {
                    let at = (&run.call, &run.memory);
                    let mut looked = self.look(&run.run, (&run.pushed, &run.tangents), at)?;
                    self.refer(&mut looked, &run.tangents, at);
                    finding = self.law(&run.run, &looked.entries, &run.tangents);
                    other = Some(looked);
                }
                Some(Err(failed)) => finding = Some(case.failed(&failed.0, &failed.1)),
                None => {}
            }
        }
        let mut stories = ours.stories.iter().chain(other.iter().flat_map(|looked| &looked.stories)).peekable();
        let contradicted = stories.peek().is_some() && stories.clone().all(|s| *s == Story::Contradiction);
        let mut basis = ours.basis;
        stories.for_each(|story| story.note(&mut basis));
        if finding.is_none() && contradicted {
            self.hold(&mut ours.entries, (self.tangents, true), (case.call, case.memory));
            finding = self.finding(own, &ours.entries);
        }
        if finding.is_none() {
            let lost = protocol::leaks(case.primal, case.memory, own, self.directions.len());
            finding = (!lost.is_empty()).then(|| case.leaked(&lost));
        }
        let entries = &ours.entries;
        let law = || other.iter().flat_map(|looked| &looked.entries);
        let undefined = entries.iter().find(|e| !e.expected.is_finite()).map(|e| e.name.as_str());
        let unsettled = || entries.iter().chain(law()).find_map(|e| Some(case.noise(&e.name, e.unsettled?)));
        let doubtful = || entries.iter().find(|e| e.doubtful).map(|e| case.doubtful(&e.name));
        let finding = finding
            .or(inaccurate)
            .or_else(unsettled)
            .or_else(doubtful)
            .or_else(|| contradicted.then(|| case.contradicted()))
            .or_else(|| case.points())
            .or_else(|| case.undefined(undefined));
        Ok(Judgement {
            verdict: finding.as_ref().map_or(Verdict::Correct, |f| f.verdict),
            finding,
            components: components(entries),
            component_count: entries.len(),
            basis,
            accuracy,
            remarks: case.common_remarks(own),
            work: case.primal.work(),
            tape: None,
        })
    }

    /// Tangents that differ from the lanes are held against differences where these contradict the lanes: what is wrong
    /// may be the lanes.
    fn refer(&self, looked: &mut Looked, tangents: &[Vec<f64>], at: (&Call, &Memory<()>)) {
        let contradicted = !looked.stories.is_empty() && looked.stories.iter().all(|s| *s == Story::Contradiction);
        if contradicted && looked.entries.iter().any(|e| !e.agrees()) {
            self.hold(&mut looked.entries, (tangents, true), at);
        }
    }

    /// Compares the tangents of a run.
    fn look(
        &self,
        run: &gradient::Run,
        (pushed, tangents): (&[Pushed], &[Vec<f64>]),
        (call, memory): (&Call, &Memory<()>),
    ) -> Result<Looked, Stop> {
        let case = &self.case;
        let mut looked = Looked::default();
        let again = |how| self.again((call, memory), how);
        for (d, (regions, pushed)) in self.regions.iter().zip(pushed).enumerate() {
            let several = self.directions.len() > 1;
            let mut mine = compare::entries(case.primal, case.call, regions, run, (d, several), pushed);
            let tangents = tangents.get(d).map_or(&[][..], Vec::as_slice);
            let sides = compare::Sides { primal: case.primal, call: case.call, regions, tangents, again: &again };
            sides.look(&mut mine)?;
            sides.hold(&mut mine, false);
            looked.stories.extend(sides.story(&mine, case.options.seed));
            looked.basis.directions += 1;
            looked.basis.nonzero += usize::from(mine.iter().any(|e| !e.expected.is_zero()));
            looked.entries.extend(mine);
        }
        looked.basis.components = looked.entries.len();
        Ok(looked)
    }

    /// The run of the tangent with these arguments once more.
    fn again(&self, (call, memory): (&Call, &Memory<()>), how: Again) -> Option<gradient::Run> {
        let case = &self.case;
        let (at, budget) = ((memory, case.regions), (&case.options.limits, case.options.precision));
        gradient::again(case.program, call, at, case.primal, &Setting::default(), budget, how)
    }

    /// Holds tangents against plain differences.
    fn hold(&self, entries: &mut [Entry], (tangents, contradicted): (&[Vec<f64>], bool), at: (&Call, &Memory<()>)) {
        let again = |how| self.again(at, how);
        let (primal, call) = (self.case.primal, self.case.call);
        for (d, (regions, tangents)) in self.regions.iter().zip(tangents).enumerate() {
            let sides = compare::Sides { primal, call, regions, tangents, again: &again };
            let first = entries.partition_point(|e| e.direction < d);
            let count = entries.partition_point(|e| e.direction <= d) - first;
            sides.hold(&mut entries[first..first + count], contradicted);
        }
    }

    /// What is wrong with the tangents as the program calls for them, if anything.
    fn finding(&self, own: &gradient::Run, entries: &[Entry]) -> Option<Finding> {
        let case = &self.case;
        let wrong: Vec<&Entry> = entries.iter().filter(|e| !e.agrees()).collect();
        let rules = crate::calls::given_rules(&case.program.module);
        let corruption = protocol::corruption(case.primal, case.memory, (case.regions, &rules), own);
        if let (Some(corruption), true) = (corruption, wrong.iter().all(|e| e.exact.is_some())) {
            return Some(case.corrupted(&corruption));
        }
        let wrong: Vec<&Entry> = wrong.into_iter().filter(|e| !self.excused(e)).collect();
        self.by_schedule(&wrong, self.tangents).or_else(|| (!wrong.is_empty()).then(|| self.wrong(own, &wrong, "")))
    }

    /// Do schedules of the primal decide about everything that is wrong?
    fn by_schedule(&self, wrong: &[&Entry], tangents: &[Vec<f64>]) -> Option<Finding> {
        const EXAMINED: usize = 16;
        let primal = self.case.primal;
        let decides = |entry: &&Entry| {
            let (direction, weights) = (tangents.get(entry.direction)?, entry.weights(primal.precision())?);
            let seeds = orders::other_derivatives(primal, std::slice::from_ref(direction), &weights);
            seeds.ok()?.first().copied().flatten()
        };
        let seeds: Option<Vec<u64>> = wrong.iter().take(EXAMINED).map(decides).collect();
        Some(self.case.by_schedule(&wrong.first()?.name, *seeds?.first()?))
    }

    /// At a kink the derivative is a matter of choice between the two sides.
    fn excused(&self, entry: &Entry) -> bool {
        let case = &self.case;
        let special = case.primal.events.iter().any(|e| case.special(&e.kind));
        let (regions, tangents) = (&self.regions[entry.direction], &self.tangents[entry.direction]);
        // A singular point that exact arithmetic is on, and rounding avoids.
        let beside = case.primal.events.iter().any(|e| matches!(e.kind, EventKind::Rounded { .. }));
        if beside && entry.exact.as_ref().is_some_and(|e| !e.is_finite()) {
            return true;
        }
        special && compare::between(case.primal, case.call, (case.memory, regions), tangents, entry)
    }

    /// The same along other directions.
    fn law(&self, other: &gradient::Run, entries: &[Entry], tangents: &[Vec<f64>]) -> Option<Finding> {
        let wrong: Vec<&Entry> = entries.iter().filter(|e| !e.agrees()).collect();
        let special = self.case.primal.events.iter().any(|e| self.case.special(&e.kind));
        if wrong.is_empty() || special {
            return None;
        }
        self.by_schedule(&wrong, tangents).or_else(|| Some(self.wrong(other, &wrong, "along another direction ")))
    }

    fn wrong(&self, run: &gradient::Run, wrong: &[&Entry], when: &str) -> Finding {
        let case = &self.case;
        let (family, evidence) = self.family(run, wrong, !when.is_empty());
        let shown = wrong.iter().find(|e| e.exact.is_none()).or(wrong.first());
        let Some(shown) = shown else { return Finding::new(Verdict::Wrong, "a tangent is wrong") };
        let expected = diagnose::brief(shown.expected.to_f64());
        let message = match &shown.exact {
            None => format!("{when}the tangent of {} is undefined; it should be {expected}", shown.name),
            Some(exact) => {
                let exact = diagnose::brief(exact.to_f64());
                format!("{when}the tangent of {} is {exact}; it should be {expected}", shown.name)
            }
        };
        let mut finding = Finding::new(Verdict::Wrong, message);
        finding.family = Some(family);
        finding.evidence.push(evidence);
        let place = match shown.cell {
            Some(cell) => locate::store_to(&self.regions[shown.direction], run, cell),
            None => locate::return_of(case.program, case.judged.gradient),
        };
        locate::at(case.program, finding, place, case.judged)
    }

    /// Does a cell that the primal overwrites still have the tangent that it had on entry?
    fn is_stale(&self, run: &gradient::Run, entry: &Entry) -> bool {
        let Some(cell) = entry.cell.filter(|cell| self.case.primal.overwrites(cell)) else { return false };
        let Some(shadow) = self.regions[entry.direction].shadow_of(cell.address, cell.size()) else { return false };
        let load = |memory: &Memory<()>| memory.load(shadow, Leaf::Float(cell.kind), 1).ok().filter(|v| v.is_init());
        let (before, after) = (load(self.case.memory), load(&run.memory.without_shadows()));
        before.is_some_and(|v| v.bits() != 0) && before.map(|v| v.bits()) == after.map(|v| v.bits())
    }

    fn family(&self, run: &gradient::Run, wrong: &[&Entry], other: bool) -> (Family, String) {
        let exact = |e: &Entry| e.exact.as_ref().map_or(f64::NAN, rug::Float::to_f64);
        let all = |test: &dyn Fn(&Entry) -> bool| wrong.iter().all(|e| test(e));
        let expected = |e: &Entry| e.expected.to_f64();
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
        match () {
            () if wrong.iter().any(|e| e.exact.is_none()) => {
                (Family::Uninitialised, "the tangent depends on memory that nobody has written".to_owned())
            }
            () if wrong.iter().any(|e| !exact(e).is_finite()) => {
                (Family::Edge, "the tangent is not finite, although the derivative is".to_owned())
            }
            () if self.case.order > 1 => (
                Family::Nesting,
                "the primal computes a derivative itself, and its own derivative is incomplete".to_owned(),
            ),
            () if all(&|e| expected(e) == 0.0) => {
                (Family::StaleShadow, "what the primal overwrites with a constant keeps a tangent".to_owned())
            }
            () if all(&|e| self.is_stale(run, e)) => {
                (Family::StaleShadow, "what the primal overwrites keeps the tangent that it had".to_owned())
            }
            () if all(&|e| exact(e) == 0.0) => {
                (Family::Activity, "the tangent is zero, although the result depends on the inputs".to_owned())
            }
            () if all(&|e| near(exact(e), 2.0 * expected(e))) => {
                (Family::DoubleAdd, "every wrong tangent is exactly twice the right one".to_owned())
            }
            () if other => (
                Family::Activity,
                "the result is right along the program's direction, but lacks what other inputs contribute".to_owned(),
            ),
            () => (Family::Rule, "a local derivative is wrong".to_owned()),
        }
    }

    /// Accuracy of all tangents, and the finding of the worst that lost too much.
    fn accuracy(&self, entries: &[Entry]) -> (Accuracy, Option<Finding>) {
        let mut accuracy = Accuracy::default();
        let mut worst: Option<(&Entry, super::accuracy::Loss)> = None;
        let narrowest = super::formats::narrowest(&self.case.program.module, self.case.judged.primal);
        for entry in entries {
            let demanded =
                |loss: &super::accuracy::Loss| !loss.overflows || super::accuracy::is_finite(self.case.primal);
            let Some(loss) = entry.loss(narrowest).filter(demanded) else { continue };
            accuracy.max_ulp = accuracy.max_ulp.max(loss.ulp);
            if loss.bits >= accuracy.lost_bits {
                accuracy.lost_bits = loss.bits;
                accuracy.condition = accuracy.condition.max(loss.condition);
                accuracy.cancellation = loss.cancellation;
            }
            // What exact arithmetic does not determine has lost no digit.
            let excessive = entry.unsettled.is_none() && loss.excessive(self.case.allowance());
            if excessive && worst.as_ref().is_none_or(|(_, known)| loss.bits > known.bits) {
                worst = Some((entry, loss));
            }
        }
        let special = self.case.primal.events.iter().any(|e| self.case.special(&e.kind));
        let finding = worst.filter(|_| !special).map(|(entry, loss)| {
            let message = format!("the tangent of {} {}", entry.name, loss.told(self.case.allowance()));
            locate::at(self.case.program, Finding::new(Verdict::Inaccurate, message), None, self.case.judged)
        });
        (accuracy, finding)
    }
}

/// The table of tangents, wrong ones first.
fn components(entries: &[Entry]) -> Vec<Component> {
    const MOST: usize = 256;
    let mut all: Vec<&Entry> = entries.iter().collect();
    all.sort_by_key(|e| e.agrees());
    all.into_iter().take(MOST).map(Entry::component).collect()
}
