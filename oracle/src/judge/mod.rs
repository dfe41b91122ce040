//! The judge: one differentiated call, in place, on the live memory (`docs/contract.md`).
//!
//! 1. [`call`], [`region`]: the arguments, and which shadow belongs to which primal cell;
//! 2. [`mod@reference`]: the derivative of the primal by its multi-precision lanes, or by plain differences where they
//!    are lost;
//! 3. [`gradient`], [`probe`]: the gradient, once as the program calls it and once with random shadows and another
//!    seed, which tests linearity, accumulation and consumption at once;
//! 4. [`mod@compare`]: formula against reference; [`accuracy`]: numbers against formula; [`protocol`]: everything else;
//! 5. [`family`], [`locate`]: what kind of mistake, and where.
//!
//! Calls of forward mode are judged by [`forward`], with the same inputs, lanes and checks.
//!
//! The program goes on with the memory and the result of the first run of the gradient.

pub mod accesses;
pub mod accuracy;
mod activity;
pub mod beside;
pub mod call;
pub mod compare;
pub mod comparison;
mod diagnose;
pub mod differences;
mod effective;
pub mod family;
mod formats;
pub mod forward;
pub mod gradient;
mod groups;
pub mod inputs;
mod laws;
pub mod literals;
pub mod locate;
mod names;
mod number;
mod orders;
mod paths;
pub mod planted;
pub mod probe;
pub mod protocol;
mod quotients;
pub mod reference;
pub mod region;
mod replay;
pub mod scale;
mod settle;
mod sides;
pub mod stops;
mod tape;
pub mod together;
mod trace;
mod unneeded;

use crate::report::{Accuracy, Basis, Component, Finding, Tape};
use crate::verdict::Verdict;
use ad::Judged;
use call::Call;
use compare::compare;
use comparison::{Compared, Comparison, Effort, Tried};
use gradient::{Again, Run, Setting};
use interp::machines::EventKind;
use interp::machines::cells::Cell;
use interp::{Buffer, Limits, Memory, Program, Stop, Value};
use reference::{Primal, Weights};
use region::Regions;
use std::collections::BTreeSet;

/// Instructions times lanes that the comparison of one execution may take: a second or two.
const WORK: u64 = 8_000_000;

/// How calls are judged.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bits of the lanes.
    pub precision: u32,
    /// Seed of every random choice.
    pub seed: u64,
    /// Limits of each run of the primal and of the gradient.
    pub limits: Limits,
    /// Bits that each differentiation may lose beyond what the condition explains.
    pub allowance: u32,
    /// Is the tape to be measured?
    pub tape: bool,
    /// A fault of the judge itself.
    pub planted: planted::Planted,
    /// The other ranks, where the call is one of all ranks together.
    pub beside: Option<beside::Beside>,
}

/// The judgement of one execution of a call.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Why, unless it is correct.
    pub finding: Option<Finding>,
    /// Components that were compared singly.
    pub components: Vec<Component>,
    /// How many there are.
    pub component_count: usize,
    /// What the comparison rests on.
    pub basis: Basis,
    /// Accuracy.
    pub accuracy: Accuracy,
    /// What else is worth knowing.
    pub remarks: Vec<String>,
    /// Instructions that the reference took, times the lanes beside them.
    pub work: u64,
    /// What the gradient kept, if that was to be measured.
    pub tape: Option<Tape>,
}

impl Judgement {
    fn of(finding: Finding) -> Judgement {
        Judgement {
            verdict: finding.verdict,
            finding: Some(finding),
            components: Vec::new(),
            component_count: 0,
            basis: Basis::default(),
            accuracy: Accuracy::default(),
            remarks: Vec::new(),
            work: 0,
            tape: None,
        }
    }
}

impl Judgement {
    /// The same of a call of which nothing was compared, in no execution: that is not correct.
    #[must_use]
    pub fn unless_correct(self, judged: &Judged) -> Judgement {
        if self.verdict != Verdict::Correct {
            return self;
        }
        let message = "no component was compared: the function reads and writes no number behind its arguments";
        let finding = Finding::new(Verdict::Undecided, message).at(judged.loc.clone().map(Into::into));
        Judgement { verdict: Verdict::Undecided, finding: Some(finding), ..self }
    }
}

/// What the program goes on with: memory, result and output of the gradient.
pub type Effects = (Memory<()>, Value, Buffer);

/// Judges a call; `order` is 1 more than that of the derivatives which the primal computes itself. The second part is
/// missing when the gradient could not be run to its end.
pub fn judge(
    program: &Program,
    judged: &Judged,
    (memory, args): (&Memory<()>, &[Value]),
    order: u32,
    options: &Options,
) -> (Judgement, Result<Effects, Stop>) {
    if judged.mode != ad::Mode::Reverse {
        return forward::judge(program, judged, (memory, args), order, options);
    }
    let supplied = unneeded::supplied(program, judged, memory, args);
    let (memory, of_primal) = supplied.as_ref().map_or((memory, args), |(memory, args)| (memory, args));
    let call = match Call::new(program, judged, of_primal) {
        Ok(call) => Call { beside: options.beside.clone(), gradient_args: args.to_vec(), ..call },
        Err(message) => {
            let finding = Finding::new(Verdict::Unsupported, message).at(judged.loc.clone().map(Into::into));
            return (Judgement::of(finding), plain(program, judged, (memory, args), options));
        }
    };
    let regions = Regions::follow(&program.module, memory, &call.roots);
    let primal =
        match Primal::new(program, &call, (memory, &regions), &options.limits, (options.precision, options.planted)) {
            Ok(primal) => primal,
            Err(stop) => {
                let finding = stops::finding(&stop, stops::Who::Primal);
                return (Judgement::of(finding), Err(stop));
            }
        };
    let case = Case { program, judged, call: &call, memory, regions: &regions, primal: &primal, order, options };
    let (mut judgement, effects) = case.judge();
    judgement.tape = options.tape.then(|| tape::measure(program, &call, memory, &options.limits)).flatten();
    (judgement, effects)
}

/// Judges a reverse pass together with the augmented forward that made its tape: on the memory that the forward found,
/// with the shadows that the reverse finds in `live`.
pub fn judge_split(
    program: &Program,
    judged: &Judged,
    (found, live, args): (&Memory<()>, &Memory<()>, &[Value]),
    order: u32,
    options: &Options,
) -> Judgement {
    let mut memory = found.clone();
    if let Ok(call) = Call::new(program, judged, args) {
        for shadow in Regions::follow(&program.module, found, &call.roots).shadows() {
            memory.replace_data(shadow, live);
        }
    }
    judge(program, judged, (&memory, args), order, options).0
}

/// The judgement of a reverse pass that gets other arguments than its augmented forward.
pub fn other_arguments(judged: &Judged) -> Judgement {
    let message = "the reverse gets other arguments than the augmented forward that made its tape";
    Judgement::of(Finding::new(Verdict::Protocol, message).at(judged.loc.clone().map(Into::into)))
}

/// The judgement of a reverse pass whose tape no augmented forward made, or another reverse has used up.
pub fn other_tape(judged: &Judged) -> Judgement {
    let message = "the reverse gets something else than a tape: that is what `__enzyme_augmentfwd` of the same \
        function and markers returns first, and it serves one reverse (several with `enzyme_nofree`)";
    Judgement::of(Finding::new(Verdict::Protocol, message).at(judged.loc.clone().map(Into::into)))
}

/// The judgement of a call whose shadows are functions that cannot be laid out in memory.
pub fn without_memory(judged: &Judged, why: &str) -> Judgement {
    let message = format!(
        "the shadows of this call are functions (`__enzyme_todense`), and it cannot be judged as one whose shadows are \
         memory: {why}"
    );
    Judgement::of(Finding::new(Verdict::Unsupported, message).at(judged.loc.clone().map(Into::into)))
}

/// The judgement of a call that the threads of a grid make together, and that cannot be judged.
pub fn of_grid(judged: &Judged, why: &str) -> Judgement {
    let message = format!("a derivative that the threads of a grid compute is judged as one: {why}");
    Judgement::of(Finding::new(Verdict::Unsupported, message).at(judged.loc.clone().map(Into::into)))
}

/// Runs the gradient without judging it.
pub fn plain(
    program: &Program,
    judged: &Judged,
    at: (&Memory<()>, &[Value]),
    options: &Options,
) -> Result<Effects, Stop> {
    execute(program, judged.function, at, options)
}

/// Runs a function on a copy of the memory.
pub fn execute(
    program: &Program,
    function: ir::FuncId,
    (memory, args): (&Memory<()>, &[Value]),
    options: &Options,
) -> Result<Effects, Stop> {
    let printed = std::rc::Rc::new(std::cell::RefCell::new(Buffer::default()));
    let machine = interp::Plain;
    let mut interp = interp::Interp::with_memory(program, machine, memory.clone(), options.limits.clone())
        .with_output(Box::new(std::rc::Rc::clone(&printed)));
    let result = interp.call(function, args)?;
    let (_, memory) = interp.into_parts();
    Ok((memory, result, printed.take()))
}

/// A call whose primal has been run.
struct Case<'a> {
    program: &'a Program,
    judged: &'a Judged,
    call: &'a Call,
    memory: &'a Memory<()>,
    regions: &'a Regions,
    primal: &'a Primal<'a>,
    /// 1 for a gradient, one more where the primal computes a derivative itself.
    order: u32,
    options: &'a Options,
}

/// A run with the weights it was made with.
struct Weighed {
    run: Run,
    weights: Weights,
    setting: Setting,
}

impl Case<'_> {
    fn judge(&self) -> (Judgement, Result<Effects, Stop>) {
        let alias = diagnose::alias(self.primal, &[self.regions]).map(|message| self.aliased(message));
        let own = match self.own_run() {
            Ok(own) => own,
            Err(failed) => {
                let (stop, probe) = *failed;
                let finding = alias.unwrap_or_else(|| self.failed(&stop, &probe));
                return (Judgement::of(finding), Err(stop));
            }
        };
        let effects = (own.run.memory.without_shadows(), own.run.result.without_shadows(), own.run.printed.clone());
        if let Some(finding) = alias {
            return (Judgement::of(finding), Ok(effects));
        }
        let taken = self.moved_bytes(&own.run);
        if !taken.is_empty()
            && let Ok(primal) = self.primal.adopting(&taken, self.regions)
        {
            let case = Case { primal: &primal, ..*self };
            let judgement = case.compared(&Weighed { weights: case.weights(), run: own.run, setting: own.setting });
            return (
                judgement.unwrap_or_else(|stop| Judgement::of(stops::finding(&stop, stops::Who::Primal))),
                Ok(effects),
            );
        }
        let judgement =
            self.compared(&own).unwrap_or_else(|stop| Judgement::of(stops::finding(&stop, stops::Who::Primal)));
        (judgement, Ok(effects))
    }

    /// Cells whose initial content the primal only moves or clears as bytes, where it stores no integers that it has
    /// computed: it does not tell what they are. Where the gradient takes them for numbers, so does the reference, and
    /// says what then becomes of them.
    fn moved_bytes(&self, run: &Run) -> Vec<Cell> {
        let primal = self.primal;
        if primal.overwritten.is_empty() {
            return Vec::new();
        }
        let known: BTreeSet<u64> = primal.inputs.iter().filter_map(|input| input.address()).collect();
        let unread = |cell: &&Cell| !primal.stored.contains(&cell.address) || primal.moves(cell);
        let mut taken = compare::taken_for_numbers(primal, self.regions, run);
        taken.extend(primal.exit.iter().filter(unread).filter(|cell| !known.contains(&cell.address)));
        taken.retain(|cell| !primal.holds_integer(cell));
        taken
    }

    /// Bits that the gradient may lose beyond what the condition explains: a derivative of a derivative has been
    /// differentiated twice.
    fn allowance(&self) -> f64 {
        f64::from(self.options.allowance) * f64::from(self.order)
    }

    fn weights(&self) -> Weights {
        gradient::weights_on_entry(self.call, (self.memory, self.regions), self.primal, self.options.precision)
    }

    fn own_run(&self) -> Result<Weighed, Box<(Stop, probe::Probe)>> {
        let setting = Setting { condition: Some(self.options.seed ^ 0x0c), ..Setting::default() };
        let run = self.run(&setting)?;
        Ok(Weighed { run, weights: self.weights(), setting })
    }

    fn run(&self, setting: &Setting) -> Result<Run, Box<(Stop, probe::Probe)>> {
        let at = (self.memory, self.regions);
        let budget = (&self.options.limits, self.options.precision);
        gradient::run(self.program, self.call, at, Some(self.primal), setting, budget)
    }

    /// The gradient with random shadows on entry and another seed; `which` chooses what is changed.
    fn other_run(&self, which: Changed) -> Result<Weighed, Box<(Stop, probe::Probe)>> {
        let mut random = number::Random::new(self.options.seed ^ 0xd0);
        let mut setting = Setting::default();
        let mut weights = self.weights();
        if which != Changed::Seed {
            // What the call frees is no output, and has no weight.
            let is_there = |cell: &&Cell| self.primal.after.data(cell.object).is_some();
            for cell in self.primal.exit.iter().filter(is_there) {
                let value = random.weight();
                if number::from_f64(cell.kind, value).is_some() {
                    setting.shadows.push((cell.address, cell.kind, value));
                    let rounded = number::rounded(cell.kind, value, self.options.precision);
                    weights.cells.insert(cell.address, rounded);
                }
            }
        }
        if let (Some((_, kind)), true) = (self.call.seed, which != Changed::Shadows) {
            let value = 2.0 * random.weight();
            if number::from_f64(kind, value).is_some() {
                setting.seed = Some(value);
                weights.seed = Some(number::rounded(kind, value, self.options.precision));
            }
        }
        let run = self.run(&setting)?;
        Ok(Weighed { run, weights, setting })
    }

    /// A run once more.
    fn again(&self, tried: &Weighed, how: Again) -> Option<Run> {
        let at = (self.memory, self.regions);
        let budget = (&self.options.limits, self.options.precision);
        gradient::again(self.program, self.call, at, self.primal, &tried.setting, budget, how)
    }

    /// As many directions as [`WORK`] allows. Time would be a better measure of work, but a verdict must not depend on
    /// what else the machine is doing.
    fn effort(&self) -> Effort<'static> {
        let directions = WORK / 2 / self.primal.steps.max(1);
        Effort { directions: directions.clamp(4, 1024) as usize, seed: self.options.seed, only: None }
    }

    fn compared(&self, own: &Weighed) -> Result<Judgement, Stop> {
        let other = self.other_run(Changed::Both);
        let again_own = |how| self.again(own, how);
        let again_other = |how| self.again(other.as_ref().ok()?, how);
        let mut runs = vec![Tried { run: &own.run, weights: &own.weights, again: &again_own }];
        if let Ok(other) = &other {
            runs.push(Tried { run: &other.run, weights: &other.weights, again: &again_other });
        }
        let mut comparisons = compare(self.primal, self.regions, &runs, self.effort())?;
        let law = if comparisons.len() > 1 { comparisons.pop() } else { None };
        let comparison = comparisons.pop().unwrap_or_default();
        let mut basis = comparison.basis;
        if basis.components == 0 && !self.primal.takes_bytes {
            basis.components = protocol::untouched(self.primal, self.memory, self.regions, &own.run);
        }
        let narrowest = formats::narrowest(&self.program.module, self.judged.primal);
        let (accuracy, inaccurate) =
            accuracy::of_run(self.primal, self.regions, &own.run, (narrowest, self.allowance()));
        let finding = self.finding(own, &comparison, (other.as_ref().ok(), law.as_ref()), inaccurate)?;
        let finding = match (finding, other) {
            (None, Err(failed)) => Some(self.failed(&failed.0, &failed.1)),
            (finding, _) => finding,
        };
        let undecided = || self.undecided(&comparison).or_else(|| law.as_ref().and_then(|law| self.undecided(law)));
        let unsettled = || self.unsettled(&comparison).or_else(|| law.as_ref().and_then(|law| self.unsettled(law)));
        let finding = finding
            .or_else(unsettled)
            .or_else(undecided)
            .or_else(|| self.points())
            .or_else(|| self.undefined(comparison.undefined()));
        Ok(Judgement {
            verdict: finding.as_ref().map_or(Verdict::Correct, |f| f.verdict),
            finding,
            components: components(match &law {
                Some(law) if comparison.deviating().next().is_none() && law.deviating().next().is_some() => law,
                _ => &comparison,
            }),
            component_count: self.primal.inputs.len(),
            basis,
            accuracy,
            remarks: self.remarks(&comparison, &own.run),
            work: self.primal.work(),
            tape: None,
        })
    }

    /// The fault that was found, if any, in the order of how much it explains.
    fn finding(
        &self,
        own: &Weighed,
        comparison: &Comparison,
        (other, law): (Option<&Weighed>, Option<&Comparison>),
        inaccurate: Option<(usize, accuracy::Loss)>,
    ) -> Result<Option<Finding>, Stop> {
        let rules = crate::calls::given_rules(&self.program.module);
        let corruption = protocol::corruption(self.primal, self.memory, (self.regions, &rules), &own.run);
        let undefined = comparison.deviating().any(|c| c.exact.is_none());
        if let (Some(corruption), false) = (&corruption, undefined) {
            return Ok(Some(self.corrupted(corruption)));
        }
        let excused = self.excused(comparison, &own.weights)?;
        let wrong: Vec<_> = comparison.deviating().filter(|c| c.input.is_none_or(|i| !excused.contains(&i))).collect();
        if !wrong.is_empty() {
            if let Some(finding) = self.rounding(own, &wrong, inaccurate) {
                return Ok(Some(finding));
            }
            return Ok(Some(match self.of_all_schedules(wrong, &own.weights)? {
                Ok(wrong) => self.wrong(own, comparison, &wrong, false),
                Err(finding) => finding,
            }));
        }
        if let (Some(law), Some(other)) = (law, other) {
            let wrong: Vec<_> = law.deviating().filter(|c| c.input.is_none_or(|i| !excused.contains(&i))).collect();
            if !wrong.is_empty() && excused.is_empty() {
                return Ok(Some(match self.of_all_schedules(wrong, &other.weights)? {
                    Ok(wrong) => self.law_broken(other, law, &wrong)?,
                    Err(finding) => finding,
                }));
            }
        }
        if let Some(gone) = region::gone(self.regions, self.memory, &own.run.memory) {
            return Ok(Some(self.shadow_is_gone(&gone)));
        }
        let lost = protocol::leaks(self.primal, self.memory, &own.run, 1);
        if !lost.is_empty() {
            return Ok(Some(self.leaked(&lost)));
        }
        // What exact arithmetic does not determine has lost no digit.
        let unsettled = |i: &usize| comparison.singly.iter().any(|c| c.input == Some(*i) && c.unsettled.is_some());
        let inaccurate = inaccurate.filter(|(i, _)| !excused.contains(i) && !unsettled(i));
        Ok(inaccurate.map(|(index, loss)| self.inaccurate(own, index, loss)))
    }

    /// The deviating components that no schedule of the primal changes, as far as is known; what one does, if there are
    /// none.
    fn of_all_schedules<'c>(
        &self,
        wrong: Vec<&'c Compared>,
        weights: &Weights,
    ) -> Result<Result<Vec<&'c Compared>, Finding>, Stop> {
        const EXAMINED: usize = 16;
        let of_inputs = || wrong.iter().filter(|c| c.input.is_some()).take(EXAMINED);
        let directions: Vec<_> = of_inputs().filter_map(|c| Some(self.primal.unit(c.input?))).collect();
        let seeds = orders::other_derivatives(self.primal, &directions, weights)?;
        let Some((name, seed)) = of_inputs().zip(&seeds).find_map(|(c, seed)| Some((&c.name, (*seed)?))) else {
            return Ok(Ok(wrong));
        };
        let steady: Vec<_> = of_inputs().zip(&seeds).filter(|(_, seed)| seed.is_none()).map(|(c, _)| *c).collect();
        let steady: Vec<_> = wrong.iter().copied().filter(|c| c.input.is_none()).chain(steady).collect();
        Ok(if steady.is_empty() { Err(self.by_schedule(name, seed)) } else { Ok(steady) })
    }

    /// Components that differ from the reference at kinks and convention points, where the derivative is a matter of
    /// choice, and that are among the choices.
    fn excused(&self, comparison: &Comparison, weights: &Weights) -> Result<BTreeSet<usize>, Stop> {
        const EXAMINED: usize = 16;
        let mut excused = BTreeSet::new();
        let rounded = |kind: &EventKind| matches!(kind, EventKind::Rounded { .. });
        if !self.primal.events.iter().any(|e| self.special(&e.kind) || rounded(&e.kind)) {
            return Ok(excused);
        }
        let at = (self.memory, self.regions);
        for (component, index) in comparison.deviating().filter_map(|c| Some((c, c.input?))).take(EXAMINED) {
            let events = self.primal.events_along(&self.primal.unit(index))?;
            let (special, beside) =
                (events.iter().any(|e| self.special(&e.kind)), events.iter().any(|e| rounded(&e.kind)));
            // A singular point that exact arithmetic is on, and rounding avoids: is there a derivative, and had the
            // gradient one?
            let undetermined = || {
                let defined = component.exact.as_ref().is_some_and(rug::Float::is_finite);
                !defined || sides::apart(self.primal, self.call, at, weights, component)
            };
            if special && sides::between(self.primal, self.call, at, weights, component) || beside && undetermined() {
                excused.insert(index);
            }
        }
        Ok(excused)
    }

    fn special(&self, kind: &EventKind) -> bool {
        matches!(kind, EventKind::Kink(_) | EventKind::Convention { .. } | EventKind::Domain(_))
    }
}

/// What a run with other weights changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Changed {
    Both,
    Shadows,
    Seed,
}

/// The table of components, the worst first when some disagree.
fn components(comparison: &Comparison) -> Vec<Component> {
    const MOST: usize = 256;
    let mut all: Vec<_> = comparison.singly.iter().filter(|c| c.input.is_some() || !c.agrees()).collect();
    if all.iter().any(|c| !c.agrees()) {
        all.sort_by_key(|c| c.agrees());
    }
    let component = |c: &&Compared| Component {
        name: c.name.clone(),
        format: c.kind.keyword(),
        expected: c.expected.to_f64(),
        actual: c.concrete,
        exact: c.exact.as_ref().map_or(f64::NAN, rug::Float::to_f64),
        ulp: number::ulps(&c.expected, &rug::Float::with_val(c.expected.prec(), c.concrete), c.kind),
        agrees: c.agrees(),
    };
    all.iter().take(MOST).map(component).collect()
}
