//! Translation validation: that a synthesised gradient is the derivative for *all* inputs, not only those a program
//! runs with.
//!
//! After Pnueli, Siegel and Singerman ("Translation validation", TACAS 1998): not the translator is proved, but each
//! translation. The program runs in the symbolic executor. At a differentiated call its memory is real: which blocks
//! there are, where pointers point, what integers say. Every floating-point number that the call can reach becomes a
//! variable: the active ones x, the inactive ones, the shadows d and the seed s. Then, for each way through the
//! comparisons of the two functions (at most a fixed number):
//!
//! - the primal runs: its results and final cells are terms y over the variables;
//! - the gradient runs from the same memory: the final shadows are terms g;
//! - to prove: g is Jᵀ(d, s), where J is the derivative of the terms y; the primal's cells are as the primal leaves
//!   them; no divisor that the gradient brought in is 0; the gradient touches no memory that is freed or not its own.
//!
//! Equations are decided by normal forms ([`crate::normal`]) where these suffice, else by the solver. J is obtained
//! from the terms by the rules of differentiation for sums, products, inverses and square roots, in this file: it
//! shares nothing with the table or with synthesis. What holds, holds over the real numbers, for memory of this shape
//! and these integers.

mod shape;
mod terms;

use crate::exec::memory::Memory;
use crate::exec::{Exec, Observer, Path, Stop, Val};
use crate::normal::Normalizer;
use crate::obligation::Obligation;
use crate::solver::{Answer, Model, Outcome, Solver, SolverError};
use crate::term::Term;
use ad::Activity;
use ad::Judged;
use ir::{FuncId, Module};
use shape::{floats, paired, reached};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::{Duration, Instant};
use terms::{assumed, divisors, known_facts, mentions_atoms, reverse, size, variables};

/// Ways through the comparisons of one call that are followed.
const PATHS: usize = 40;
/// Comparisons along one way.
const FORKS: usize = 24;
/// Nodes of the terms of one obligation.
const SIZE: usize = 6_000;
/// Nodes of the terms of all equations of a path.
const TERMS: usize = 60_000;
/// Obligations of one call.
const OBLIGATIONS: usize = 400;
/// Time for one call.
const BUDGET: Duration = Duration::from_secs(8);

/// What became of one gradient.
#[derive(Clone, Debug)]
pub struct GradientReport {
    /// The differentiated function.
    pub function: String,
    /// What became of it.
    pub verdict: GradientVerdict,
    /// Ways through its comparisons.
    pub paths: usize,
    /// Equations that hold: components and cells, on all paths.
    pub equations: usize,
    /// How many questions the solver was asked; most equations are decided by normal forms.
    pub obligations: usize,
    /// The longest that one took.
    pub slowest: Duration,
}

/// The verdict on one gradient.
#[derive(Clone, Debug, PartialEq)]
pub enum GradientVerdict {
    /// It is the derivative for all inputs.
    Proved,
    /// It is not: which obligation does not hold, and where.
    Wrong(String, Model),
    /// It could not be followed, or not be proved, and why.
    Unknown(String),
}

/// Differentiates a module, runs it from `main`, and proves the gradient of each differentiated call at its first
/// execution.
pub fn prove_gradients(
    module: &Module,
    options: &ad::Options,
    solver: &Solver,
) -> Result<Vec<GradientReport>, SolverError> {
    let output = ad::differentiate(module.clone(), options);
    // Calls in one piece and without options: those whose gradient has the plain signature.
    let plain = |j: &Judged| j.tape.is_none() && j.style == ad::Style::default() && j.mode == ad::Mode::Reverse;
    let wanted: Vec<&Judged> = output.judged.iter().filter(|judged| !judged.given && plain(judged)).collect();
    let mut validator =
        Validator { solver, sites: BTreeMap::new(), reports: Vec::new(), failed: None, done: HashSet::new() };
    for judged in &wanted {
        validator.sites.insert(judged.function, judged);
    }
    let main = output.module.function("main").filter(|main| !output.module.functions[*main].is_declaration());
    let ended = match (main, Exec::new(&output.module)) {
        (Some(main), Ok(mut exec)) => {
            let args = output.module.functions[main].params.iter().map(|_| Val::Int(0)).collect();
            exec.run(main, args, &mut validator).map(|_| ())
        }
        (None, _) => Err(Stop::unsupported("there is no program to run")),
        (_, Err(stop)) => Err(stop),
    };
    if let Some(error) = validator.failed.take() {
        return Err(error);
    }
    let why = match ended {
        Err(stop) => format!("before the call, {stop}"),
        Ok(()) => "the call is not reached".to_owned(),
    };
    let mut reports = std::mem::take(&mut validator.reports);
    for (function, _) in validator.sites.iter().filter(|(function, _)| !validator.done.contains(function)) {
        reports.push(GradientReport::unknown(validator_name(&output.module, &wanted, *function), why.clone()));
    }
    Ok(reports)
}

fn validator_name(module: &Module, wanted: &[&Judged], function: FuncId) -> String {
    let judged = wanted.iter().find(|judged| judged.function == function);
    judged.map(|judged| module.functions[judged.primal].name.clone()).unwrap_or_default()
}

impl GradientReport {
    pub(crate) fn unknown(function: String, why: String) -> GradientReport {
        let verdict = GradientVerdict::Unknown(why);
        GradientReport { function, verdict, paths: 0, equations: 0, obligations: 0, slowest: Duration::ZERO }
    }

    /// One line.
    pub fn to_text(&self) -> String {
        let name = &self.function;
        match &self.verdict {
            GradientVerdict::Proved => format!(
                "{name}: proved for all inputs of this shape ({} equations on {} paths, {} by the solver)\n",
                self.equations, self.paths, self.obligations
            ),
            GradientVerdict::Wrong(what, model) => format!("{name}: WRONG: {what} does not hold at {model:?}\n"),
            GradientVerdict::Unknown(why) => format!("{name}: not proved: {why}\n"),
        }
    }
}

/// Proves at calls.
struct Validator<'a> {
    solver: &'a Solver,
    sites: BTreeMap<FuncId, &'a Judged>,
    reports: Vec<GradientReport>,
    failed: Option<SolverError>,
    done: HashSet<FuncId>,
}

impl<'m> Observer<'m> for Validator<'_> {
    fn called(&mut self, exec: &mut Exec<'m>, function: FuncId, args: &[Val]) {
        let Some(&judged) = self.sites.get(&function) else { return };
        if self.failed.is_some() || !self.done.insert(function) {
            return;
        }
        let name = exec.module.functions[judged.primal].name.clone();
        let (memory, steps) = (exec.memory.clone(), exec.steps);
        (exec.symbolic, exec.own_rules) = (true, false);
        let report = GradientReport::unknown(name, String::new());
        let mut call = Call { judged, args, solver: self.solver, report, deadline: Instant::now() + BUDGET };
        match call.prove(exec) {
            Ok(()) => {}
            Err(Trouble::Stop(stop)) => call.report.verdict = GradientVerdict::Unknown(stop.to_string()),
            Err(Trouble::Solver(error)) => self.failed = Some(error),
        }
        if exec.own_rules && matches!(call.report.verdict, GradientVerdict::Wrong(..)) {
            let why = "it is not the derivative, and the program gives rules of its own";
            call.report.verdict = GradientVerdict::Unknown(why.to_owned());
        }
        self.reports.push(call.report);
        exec.symbolic = false;
        (exec.memory, exec.path, exec.steps, exec.accessed) = (memory, Path::default(), steps, None);
    }
}

/// Calls inside of a proof are of no interest.
struct Nobody;

impl<'m> Observer<'m> for Nobody {
    fn called(&mut self, _: &mut Exec<'m>, _: FuncId, _: &[Val]) {}
}

enum Trouble {
    Stop(Stop),
    Solver(SolverError),
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Trouble {
        Trouble::Stop(stop)
    }
}

impl From<SolverError> for Trouble {
    fn from(error: SolverError) -> Trouble {
        Trouble::Solver(error)
    }
}

/// A floating-point number that moves: its variable, and that of its adjoint.
struct Active {
    place: Place,
    variable: Term,
    /// The adjoint on entry; none for a scalar.
    seed: Option<Term>,
}

#[derive(Clone, Copy)]
enum Place {
    /// A cell, its size, and its shadow's address.
    Cell(u64, u64, u64),
    /// The parameter of this index.
    Scalar(usize),
}

/// Arguments of the primal and of the gradient with variables in them, and the numbers that move.
type General = (Vec<Val>, Vec<Val>, Vec<Active>);

/// One differentiated call.
struct Call<'a> {
    judged: &'a Judged,
    args: &'a [Val],
    solver: &'a Solver,
    report: GradientReport,
    deadline: Instant,
}

/// Arguments of the gradient, taken apart.
struct Split {
    primal: Vec<Val>,
    /// Primal and shadow addresses of duplicated arguments.
    shadows: Vec<(u64, u64)>,
    /// Addresses of the others.
    others: Vec<u64>,
}

impl Call<'_> {
    fn prove(&mut self, exec: &mut Exec<'_>) -> Result<(), Trouble> {
        let start = exec.memory.clone();
        let split = self.split()?;
        let pairs = paired(&start, &split.shadows);
        // A run by the primal alone says which cells are floating-point numbers.
        exec.accessed = Some(BTreeSet::new());
        exec.path = Path::default();
        exec.symbolic = false;
        let probe = exec.run(self.judged.primal, split.primal.clone(), &mut Nobody);
        exec.symbolic = true;
        let accessed = exec.accessed.take().unwrap_or_default();
        exec.memory = start.clone();
        probe?;
        let (primal_args, gradient_args, active) = self.generalise(exec, &split, &pairs, &accessed)?;
        let general = exec.memory.clone();
        let mut scripts = vec![Vec::new()];
        while let Some(script) = scripts.pop() {
            if self.report.paths == PATHS {
                return Err(Stop::unsupported("too many ways through its comparisons").into());
            }
            let known = script.len();
            exec.memory = general.clone();
            exec.path = Path { script, taken: Vec::new() };
            self.path(exec, &primal_args, &gradient_args, &active, &general)?;
            if matches!(self.report.verdict, GradientVerdict::Wrong(..)) {
                return Ok(());
            }
            if exec.path.taken.len() > FORKS {
                return Err(Stop::unsupported("too many comparisons").into());
            }
            let taken = exec.path.taken.clone();
            for fork in known..taken.len() {
                let mut other: Vec<bool> = taken[..fork].iter().map(|(_, decision)| *decision).collect();
                other.push(!taken[fork].1);
                if self.is_possible(exec, &taken[..fork], taken[fork])? {
                    scripts.push(other);
                }
            }
        }
        self.report.verdict = GradientVerdict::Proved;
        Ok(())
    }

    fn split(&self) -> Result<Split, Stop> {
        let mut split = Split { primal: Vec::new(), shadows: Vec::new(), others: Vec::new() };
        let mut args = self.args.iter();
        let mut next = || args.next().cloned().ok_or_else(|| Stop::unsupported("an argument is missing"));
        for activity in &self.judged.activities {
            let primal = next()?;
            match (activity, &primal) {
                (Activity::Dup | Activity::DupNoNeed, Val::Int(address)) => {
                    let Val::Int(shadow) = next()? else { return Err(Stop::unsupported("an undefined shadow")) };
                    split.shadows.push((*address as u64, shadow as u64));
                }
                (Activity::Dup | Activity::DupNoNeed, _) => {
                    return Err(Stop::unsupported("a duplicated argument that is no pointer"));
                }
                (Activity::Const, Val::Int(address)) => split.others.push(*address as u64),
                (Activity::Const | Activity::Out, _) => {}
            }
            split.primal.push(primal);
        }
        Ok(split)
    }

    /// Puts variables in the place of floating-point numbers; gives the arguments of the primal and of the gradient.
    fn generalise(
        &self,
        exec: &mut Exec<'_>,
        split: &Split,
        pairs: &BTreeMap<usize, u64>,
        accessed: &BTreeSet<(u64, u64)>,
    ) -> Result<General, Stop> {
        let mut active = Vec::new();
        let (mut primal_args, mut gradient_args) = (Vec::new(), Vec::new());
        let mut args = self.args.iter();
        for (index, activity) in self.judged.activities.iter().enumerate() {
            let Some(arg) = args.next() else { break };
            let value = match (activity, arg) {
                (Activity::Out, Val::Real(_)) => {
                    let variable = exec.terms.variable("x");
                    active.push(Active { place: Place::Scalar(index), variable, seed: None });
                    Val::Real(variable)
                }
                (Activity::Const, Val::Real(_)) => Val::Real(exec.terms.variable("c")),
                (_, arg) => arg.clone(),
            };
            primal_args.push(value.clone());
            gradient_args.push(value);
            if activity.is_dup() {
                gradient_args.extend(args.next().cloned());
            }
        }
        if self.judged.seeded {
            gradient_args.push(Val::Real(exec.terms.variable("s")));
        }
        for (&block, &delta) in pairs {
            for (address, size) in floats(&exec.memory, block, accessed) {
                let shadow = address.wrapping_add(delta);
                exec.memory.find(shadow, size)?;
                let (variable, seed) = (exec.terms.variable("x"), exec.terms.variable("d"));
                exec.memory.write(address, size, Val::Real(variable))?;
                exec.memory.write(shadow, size, Val::Real(seed))?;
                active.push(Active { place: Place::Cell(address, size, shadow), variable, seed: Some(seed) });
            }
        }
        // What the constant arguments reach; shadows are not among it.
        let shadows: BTreeSet<usize> = pairs
            .iter()
            .filter_map(|(&block, &delta)| exec.memory.owner(Memory::address(block, 0).wrapping_add(delta)))
            .collect();
        for block in reached(&exec.memory, &split.others) {
            if pairs.contains_key(&block) || shadows.contains(&block) {
                continue;
            }
            for (address, size) in floats(&exec.memory, block, &BTreeSet::new()) {
                let variable = exec.terms.variable("c");
                exec.memory.write(address, size, Val::Real(variable))?;
            }
        }
        Ok((primal_args, gradient_args, active))
    }

    fn ask(&self, obligation: &Obligation, seconds: u64) -> Result<Answer, Trouble> {
        if Instant::now() > self.deadline {
            return Err(Stop::unsupported("it takes too long").into());
        }
        Ok(self.solver.clone().limit(Duration::from_secs(seconds)).prove(obligation)?)
    }

    /// Whether the assumptions of a path leave any input.
    fn is_possible(&self, exec: &mut Exec<'_>, before: &[(Term, bool)], last: (Term, bool)) -> Result<bool, Trouble> {
        let mut facts = assumed(&mut exec.terms, before);
        let flipped = if last.1 { exec.terms.not(last.0) } else { last.0 };
        facts.push(flipped);
        let roots = known_facts(exec, &facts);
        facts.extend(roots);
        let question = Obligation::not_vacuous("possible", &exec.terms, &facts);
        // A path of which it is not known counts as one.
        Ok(!matches!(self.ask(&question, 2)?.outcome, Outcome::Refuted(_)))
    }

    /// Follows one path and proves what is to be proved on it.
    fn path(
        &mut self,
        exec: &mut Exec<'_>,
        primal_args: &[Val],
        gradient_args: &[Val],
        active: &[Active],
        general: &Memory,
    ) -> Result<(), Trouble> {
        let returned = exec.run(self.judged.primal, primal_args.to_vec(), &mut Nobody)?;
        let after_primal = std::mem::replace(&mut exec.memory, general.clone());
        let components = match exec.run(self.judged.function, gradient_args.to_vec(), &mut Nobody) {
            Err(Stop::Undefined(what)) => return self.undefined(exec, what),
            ended => ended?,
        };
        // The derivative of what the primal computes, weighted by the adjoints of its results.
        let mut weights: Vec<(Term, Term)> = Vec::new();
        if self.judged.seeded {
            let (Some(Val::Real(y)), Some(Val::Real(s))) = (&returned, gradient_args.last()) else {
                return Err(Stop::unsupported("the primal returns no number").into());
            };
            weights.push((*y, *s));
        }
        for it in active {
            let (Place::Cell(address, size, _), Some(seed)) = (it.place, it.seed) else { continue };
            // A cell that ends as an integer, undefined or freed has no derivative.
            if let Ok(Val::Real(y)) = after_primal.read(address, size) {
                weights.push((y, seed));
            }
        }
        if weights.is_empty() || active.is_empty() {
            return Err(Stop::unsupported("no derivative passes through it").into());
        }
        let results: Vec<Term> = weights.iter().map(|(y, _)| *y).collect();
        let adjoints = reverse(exec, &weights);
        let mut claims: Vec<(String, Term, Term)> = Vec::new();
        let mut outs = components.into_iter().flat_map(|value| match value {
            Val::Many(parts) => parts,
            single => vec![single],
        });
        let zero = exec.terms.number(0);
        for (index, it) in active.iter().enumerate() {
            let expected = adjoints.get(&it.variable).copied().unwrap_or(zero);
            let (name, found) = match it.place {
                Place::Scalar(parameter) => (format!("the component of parameter {parameter}"), outs.next()),
                Place::Cell(_, size, shadow) => (format!("shadow cell {index}"), exec.memory.read(shadow, size).ok()),
            };
            match found {
                Some(Val::Real(found)) => claims.push((name, found, expected)),
                Some(Val::Int(0)) => claims.push((name, zero, expected)),
                other => {
                    let what = format!("{name} is left as {other:?}");
                    self.report.verdict = GradientVerdict::Wrong(what, Model::new());
                    return Ok(());
                }
            }
        }
        if !self.judged.activities.contains(&Activity::DupNoNeed) {
            self.primal_cells(exec, active, &after_primal, general, &mut claims)?;
        }
        // The derivative exists where nothing that it divides by is 0.
        let defined: Vec<Term> = results.into_iter().chain(adjoints.values().copied()).collect();
        let divisors = divisors(&exec.terms, &defined);
        self.discharge(exec, &divisors, &claims)
    }

    /// The gradient leaves the primal's memory as the primal does.
    fn primal_cells(
        &self,
        exec: &Exec<'_>,
        active: &[Active],
        after: &Memory,
        general: &Memory,
        claims: &mut Vec<(String, Term, Term)>,
    ) -> Result<(), Stop> {
        let shadows: BTreeSet<usize> = active
            .iter()
            .filter_map(|it| match it.place {
                Place::Cell(_, _, shadow) => general.owner(shadow),
                Place::Scalar(_) => None,
            })
            .collect();
        for (index, before) in general.allocations.iter().enumerate() {
            if !before.live || shadows.contains(&index) || !after.allocations[index].live {
                continue;
            }
            for (offset, (size, wanted)) in &after.allocations[index].cells {
                let found = exec.memory.read(Memory::address(index, *offset), *size)?;
                match (wanted, found) {
                    (Val::Real(wanted), Val::Real(found)) if wanted == &found => {}
                    (Val::Real(wanted), Val::Real(found)) => {
                        claims.push((format!("primal memory at byte {offset} of block {index}"), found, *wanted));
                    }
                    (wanted, found) if wanted == &found => {}
                    _ => return Err(Stop::unsupported("integers of the primal's memory differ after the gradient")),
                }
            }
        }
        Ok(())
    }

    fn discharge(
        &mut self,
        exec: &mut Exec<'_>,
        divisors: &BTreeSet<Term>,
        claims: &[(String, Term, Term)],
    ) -> Result<(), Trouble> {
        let taken = exec.path.taken.clone();
        let mut facts = assumed(&mut exec.terms, &taken);
        for divisor in divisors {
            facts.push(exec.terms.nonzero(*divisor));
        }
        // Where a root is 0 it has no derivative.
        let roots: Vec<Term> = claims.iter().flat_map(|(_, _, expected)| variables(&exec.terms, *expected)).collect();
        for root in roots.into_iter().filter(|root| exec.roots.contains_key(root)).collect::<BTreeSet<Term>>() {
            facts.push(exec.terms.nonzero(root));
        }
        let mut obligations = Vec::new();
        let claimed: Vec<Term> = claims.iter().flat_map(|(_, found, expected)| [*found, *expected]).collect();
        if size(&exec.terms, &claimed) > TERMS {
            return Err(Stop::unsupported("its terms are too large").into());
        }
        let mut forms = [false, true].map(|expand| Normalizer::new(&exec.terms, &exec.roots, expand));
        let equal: Vec<bool> = claims
            .iter()
            .map(|(_, found, expected)| forms.iter_mut().any(|form| form.are_equal(*found, *expected)))
            .collect();
        for ((name, found, expected), equal) in claims.iter().zip(equal) {
            if !equal {
                obligations.push((name.clone(), exec.terms.equal(*found, *expected)));
            }
        }
        let found: Vec<Term> = claims.iter().map(|(_, found, _)| *found).collect();
        for divisor in terms::divisors(&exec.terms, &found).difference(divisors) {
            obligations.push(("a divisor of the gradient is not 0".to_owned(), exec.terms.nonzero(*divisor)));
        }
        self.report.paths += 1;
        self.report.equations += claims.len();
        for (name, goal) in obligations {
            self.settle(exec, &facts, name, goal)?;
            if matches!(self.report.verdict, GradientVerdict::Wrong(..)) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The gradient does what has no meaning where the primal does not: wrong, if any input leads there.
    fn undefined(&mut self, exec: &mut Exec<'_>, what: &str) -> Result<(), Trouble> {
        let taken = exec.path.taken.clone();
        let facts = assumed(&mut exec.terms, &taken);
        let never = exec.terms.truth(false);
        self.report.paths += 1;
        self.settle(exec, &facts, format!("that the gradient is defined ({what})"), never)
    }

    /// Decides one claim: proved, or the verdict is said, or it is said why not.
    fn settle(&mut self, exec: &mut Exec<'_>, facts: &[Term], name: String, goal: Term) -> Result<(), Trouble> {
        let mut used = facts.to_vec();
        used.push(goal);
        let roots = known_facts(exec, &used);
        used.pop();
        used.extend(roots);
        if size(&exec.terms, &used) + size(&exec.terms, &[goal]) > SIZE {
            return Err(Stop::unsupported("its terms are too large").into());
        }
        let full = Obligation::implication(name.clone(), &mut exec.terms, &used, goal);
        let answer = self.ask(&full, 3)?;
        self.report.slowest = self.report.slowest.max(answer.time);
        self.report.obligations += 1;
        match answer.outcome {
            Outcome::Proved => {}
            // A model may give an operation a value that it does not have.
            Outcome::Refuted(_) if mentions_atoms(exec, &used, goal) => {
                let why = format!("{name}: not without knowing the values of the functions it calls");
                return Err(Stop::unsupported(why).into());
            }
            Outcome::Refuted(model) => self.report.verdict = GradientVerdict::Wrong(name, model),
            Outcome::Unknown(why) => return Err(Stop::unsupported(format!("{name}: {why}")).into()),
        }
        if self.report.obligations > OBLIGATIONS {
            return Err(Stop::unsupported("too many obligations").into());
        }
        Ok(())
    }
}
