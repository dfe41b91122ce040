//! One program at one level: differentiate, run, judge.

mod dense;
mod machine;
mod native;

pub use native::compare as compare_with_native;

use crate::calls::reachable;
use crate::circumstances::Runs;
use crate::judge;
use crate::judge::planted::Planted;
use crate::judge::stops::{self, Who};
use crate::report::{Ending, Finding, LevelReport};
use crate::runs;
use crate::verdict::{Severity, Verdict};
use ad::{Judged, Refusal};
use interp::bridge::Bridge;
use interp::shims::files::Access;
use interp::{Buffer, Interp, Limits, Location, Outcome, Output, Program, Standard, Stop};
use ir::{FuncId, Module};
use machine::together::{self, Assembly};
use machine::{Court, Site};
use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How a program is run and judged.
#[derive(Clone, Debug)]
pub struct Options {
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Bits of the lanes.
    pub precision: u32,
    /// Seed of every random choice, the schedule of threads among them.
    pub seed: u64,
    /// Threads of an OpenMP region that does not say how many.
    pub threads: usize,
    /// Ranks of MPI, if the program runs as ranks.
    pub ranks: Option<usize>,
    /// The runs that a check makes.
    pub runs: Runs,
    /// IR instructions that the program, and each run of a primal or a gradient, may execute.
    pub steps: u64,
    /// Bytes of memory that the program may use.
    pub memory: u64,
    /// Seconds after which a level is given up.
    pub seconds: u64,
    /// A defect to plant in synthesised gradients.
    pub fault: Option<ad::Fault>,
    /// A fault to plant in the judge itself.
    pub planted: Planted,
    /// Compare with the natively compiled program.
    pub native: bool,
    /// Bits that each differentiation may lose beyond what the condition explains.
    pub allowance: u32,
    /// Measure the tapes.
    pub tape: bool,
    /// Which files of the host the program may touch, outside of differentiated calls: these are executed many times.
    pub files: Access,
    /// Which native code the program may call, outside of differentiated calls.
    pub bridge: Bridge,
    /// Executions of one call that are judged whatever they cost.
    pub first: u64,
    /// Work (instructions times lanes) that the judging of all executions of one call may take before executions are
    /// skipped.
    pub budget: u64,
    /// The program reads our own standard input, and prints to our own standard output.
    pub standard: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            args: Vec::new(),
            precision: 256,
            seed: 0,
            threads: 4,
            ranks: None,
            runs: Runs::default(),
            steps: 200_000_000,
            memory: 1 << 30,
            seconds: 300,
            fault: None,
            planted: Planted::default(),
            native: false,
            allowance: 16,
            tape: false,
            files: Access::Refused,
            bridge: Bridge::Closed,
            first: 3,
            budget: 20_000_000,
            standard: false,
        }
    }
}

impl Options {
    fn limits(&self) -> Limits {
        let deadline = Instant::now().checked_add(Duration::from_secs(self.seconds));
        Limits {
            steps: self.steps,
            memory: self.memory,
            deadline,
            seed: self.seed,
            threads: self.threads,
            files: self.files.clone(),
            bridge: self.bridge.clone(),
            ..Limits::default()
        }
    }

    /// Judges a program in all runs that are asked for; one report is made of theirs.
    pub fn each_run<E>(&self, mut judge: impl FnMut(&Options) -> Result<LevelReport, E>) -> Result<LevelReport, E> {
        runs::each(&self.runs.all(self.seed), |index, run| {
            // One comparison with the native program is enough.
            let native = self.native && index == 0;
            judge(&Options { ranks: run.ranks, threads: run.threads, seed: run.seed, native, ..self.clone() })
        })
    }

    /// How calls are judged.
    pub fn judging(&self) -> judge::Options {
        judge::Options {
            precision: self.precision,
            seed: self.seed,
            limits: Limits { files: Access::Repeated, bridge: self.bridge.repeated(), ..self.limits() },
            allowance: self.allowance,
            tape: self.tape,
            planted: self.planted,
            beside: None,
        }
    }
}

/// Runs a module, as often as the options say, and judges its gradients.
pub fn run(module: Module, level: &str, name: &str, options: &Options, progress: &(dyn Fn(u64) + Sync)) -> LevelReport {
    let start = Instant::now();
    let judge = |how: &ad::Options| {
        let prepared = Prepared::of(ad::differentiate(module.clone(), how));
        options.each_run(|options| Ok::<_, Infallible>(prepared.run(level, name, options, progress)))
    };
    let Ok(mut report) = located(options.fault, judge);
    report.seconds = start.elapsed().as_secs_f64();
    report
}

/// Judges gradients as users get them. Where synthesised ones are wrong, what is told is found in gradients in which
/// each instruction has a reverse of its own, if they are wrong as well (where adjoints of memory stay in registers, a
/// cell is not read and cleared for each of them).
pub(crate) fn located<E>(
    fault: Option<ad::Fault>,
    mut judge: impl FnMut(&ad::Options) -> Result<LevelReport, E>,
) -> Result<LevelReport, E> {
    let all = ad::Options { fault, ..ad::Options::default() };
    let is_wrong =
        |report: &LevelReport| report.gradients.iter().any(|g| !g.given && g.verdict.severity() == Severity::Fault);
    let report = judge(&all)?;
    if !is_wrong(&report) {
        return Ok(report);
    }
    let apart = judge(&ad::Options { without: all.without.and(ad::Lever::Cells).and(ad::Lever::Alignment), ..all })?;
    Ok(if is_wrong(&apart) { apart } else { report })
}

/// A program whose gradients are made: it may be run more than once, with other arguments.
pub struct Prepared {
    program: Result<Program, Vec<Finding>>,
    judged: Vec<Judged>,
    refusals: Vec<Refusal>,
}

impl Prepared {
    /// Makes the gradients of a module.
    pub fn new(module: Module, options: &Options) -> Prepared {
        Prepared::of(ad::differentiate(module, &ad::Options { fault: options.fault, ..ad::Options::default() }))
    }

    /// Takes gradients that are made already, by whatever means.
    pub fn of(output: ad::Output) -> Prepared {
        let ad::Output { module, judged, refusals } = output;
        let unsupported = |d: &interp::Diagnostic| Finding::new(Verdict::Unsupported, d.to_string());
        let program = Program::shared(Rc::new(module)).map_err(|all| all.iter().map(unsupported).collect());
        Prepared { program, judged, refusals }
    }

    /// The module with its gradients, when it can be run.
    pub fn module(&self) -> Option<&Module> {
        self.program.as_ref().ok().map(|program| &*program.module)
    }

    /// The differentiated calls that were refused.
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }

    /// Runs the program and judges the gradients that it comes to.
    pub fn run(&self, level: &str, name: &str, options: &Options, progress: &(dyn Fn(u64) + Sync)) -> LevelReport {
        let start = Instant::now();
        let problems = self.refusals.iter().map(refused).collect();
        let mut report = LevelReport { problems, ..LevelReport::empty(level) };
        match &self.program {
            Ok(program) => {
                execute(program, name, (&self.judged, &self.refusals), options, progress, &mut report);
                // A refused call stays in the module, and no linker knows it.
                if options.native && self.refusals.is_empty() {
                    native::check(&program.module, &options.args, &mut report);
                }
            }
            Err(problems) => report.problems.extend(problems.iter().cloned()),
        }
        report.seconds = start.elapsed().as_secs_f64();
        report
    }
}

fn refused(refusal: &Refusal) -> Finding {
    let diagnostic = &refusal.diagnostic;
    let what = match diagnostic.reason {
        ad::Reason::Unsupported | ad::Reason::Incomplete => "cannot be differentiated",
        ad::Reason::Misuse => "the differentiated call is not understood",
        ad::Reason::Bug => "internal error of the differentiation",
    };
    let message = format!("{what}: {} (in `{}`)", diagnostic.message, diagnostic.function);
    let mut finding = Finding::new(Verdict::Unsupported, message).at(diagnostic.loc.clone().map(Into::into));
    finding.instruction = diagnostic.instruction.as_ref().map(|text| text.trim().to_owned());
    finding
}

/// The calls of a program, those that are one call of the source together.
fn sites<'a>(program: &Program, judged: &'a [Judged]) -> Vec<Site<'a>> {
    let mut sites: Vec<Site<'_>> = Vec::new();
    for call in judged {
        // Copies of one call in the source, made by inlining or unrolling, are one entry of the report.
        let same = |site: &&mut Site<'_>| {
            let first = site.judged.first();
            first.is_some_and(|j| {
                call.loc.is_some() && (&j.loc, j.primal, j.gradient) == (&call.loc, call.primal, call.gradient)
            })
        };
        match sites.iter_mut().find(same) {
            Some(site) => site.judged.push(call),
            None => sites.push(Site::new(call, order(&program.module, call.primal, judged))),
        }
    }
    sites
}

fn execute(
    program: &Program,
    name: &str,
    (judged, refusals): (&[Judged], &[Refusal]),
    options: &Options,
    progress: &(dyn Fn(u64) + Sync),
    report: &mut LevelReport,
) {
    let court = || {
        let sites = sites(program, judged);
        Court::new(sites, refusals, options.judging(), (options.first, options.budget), progress)
    };
    let printed = Rc::new(RefCell::new(Buffer::default()));
    let output: Box<dyn Output> =
        if options.standard { Box::new(Standard::default()) } else { Box::new(Rc::clone(&printed)) };
    let mut args = vec![name.to_owned()];
    args.extend(options.args.iter().cloned());
    let (outcome, ended) = match options.ranks {
        None => {
            let mut interp = Interp::new(program, court(), options.limits()).with_output(output);
            if options.standard {
                interp.runtime.input = interp::shims::input::Input::standard();
            }
            (interp.run_main(&args), vec![interp])
        }
        Some(ranks) => {
            let assembly = Rc::new(RefCell::new(Assembly::new(ranks)));
            let member = |_| court().among(&assembly);
            let (outcome, mut all) = interp::ranks::run_all(program, member, &options.limits(), (ranks, &args), output);
            assembly.borrow_mut().note_rest(all.iter_mut().map(|interp| &mut interp.machine));
            (outcome, all)
        }
    };
    match outcome {
        Outcome::Finished(status) => {
            report.ending = Ending::Finished { status };
            for leak in ended.iter().filter_map(Interp::leak_report) {
                let leak = stops::finding(&leak, Who::Primal);
                if !report.problems.contains(&leak) {
                    report.problems.push(leak);
                }
            }
        }
        Outcome::Stopped(stop) => {
            report.ending = Ending::Stopped;
            // What is wrong with the arguments of a refused call has been told with the refusal.
            let place = stop.report().and_then(|report| report.stack.first()).and_then(|place| place.at);
            let refused = place.is_some_and(|at| refusals.iter().any(|r| (r.caller, r.site) == (at.func, at.inst)));
            if !refused && !ended.iter().any(|interp| interp.machine.stopped_here) {
                let finding = stops::finding(&stop, who(&program.module, judged, &stop));
                report.problems.push(if together::is_missed(&stop) { together::missed(finding) } else { finding });
            }
        }
    }
    report.steps = ended.iter().map(Interp::steps).sum();
    report.stdout = String::from_utf8_lossy(&printed.borrow().out).into_owned();
    let mut all: Vec<Site<'_>> = Vec::new();
    for interp in ended {
        let sites = interp.into_parts().0.sites;
        match all.is_empty() {
            true => all = sites,
            false => all.iter_mut().zip(sites).for_each(|(site, other)| site.absorb(other)),
        }
    }
    for site in all {
        let loc = site.judged.first().and_then(|j| j.loc.clone());
        match loc.filter(|_| site.executed == 0) {
            Some(loc) => report.unreached.push(loc.into()),
            None => report.gradients.extend(site.gradient(program)),
        }
    }
}

/// Whose execution the program's own stop is: of a gradient that it executes itself, or its own.
fn who(module: &Module, judged: &[Judged], stop: &Stop) -> Who {
    let place = stop.report().and_then(|report| report.stack.first()).and_then(|place| place.at);
    let of_gradient = |at: Location| {
        let within = |root: FuncId| reachable(module, root).contains(&at.func);
        judged.iter().any(|call| within(call.gradient) && !within(call.primal))
    };
    if place.is_some_and(of_gradient) { Who::Gradient } else { Who::Primal }
}

/// The order of a derivative of `primal`: one more than the highest that it, or what it can reach, computes itself.
fn order(module: &Module, primal: FuncId, judged: &[Judged]) -> u32 {
    let within = reachable(module, primal);
    let inner = judged.iter().filter(|j| j.function != primal && within.contains(&j.function));
    // A derivative reaches its primal, and less than what computes it does.
    let smaller = inner.filter(|j| reachable(module, j.primal).len() < within.len());
    1 + smaller.map(|j| order(module, j.primal, judged)).max().unwrap_or(0)
}
