//! How good the oracle is: gradients with one instruction changed, each of which must be noticed.
//!
//! Generated programs are differentiated, mutants of their gradients drawn ([`crate::mutate`]) and judged. A mutant
//! that is not noticed is judged at other points, with other arguments and shadows. What is then still not noticed is
//! told apart by what the program prints (results, primal memory, shadows, to the last digit): where that is the same
//! at every point the mutant has no effect, as for code whose result nobody uses, and does not count; where it differs
//! the mutant has survived, and is reported.

use crate::c::ast::{Home, Mode};
use crate::c::odds::Odds;
use crate::check::{self, Options, TestCase};
use crate::choices::{Choices, bytes_of_seed};
use crate::isolate;
use crate::mutate::{self, Mutant, Mutation};
use ad::Output;
use adjudicate::session::{self, Prepared};
use adjudicate::{Level, Severity, Verdict};
use ir::{FuncId, Module};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Mutants of one program.
const EACH: usize = 6;
/// Further points at which a mutant that was not noticed is judged, and at which it must have no effect.
const POINTS: u64 = 6;
/// Instructions that a mutant may execute: a loop that it does not leave is noticed soon.
const STEPS: u64 = 300_000;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Mutants to be judged.
    pub count: u64,
    /// Seed of the first program.
    pub seed: u64,
    /// Time, at most.
    pub time: Duration,
    /// Levels, taken in turn.
    pub levels: Vec<Level>,
    /// The odds of the programs.
    pub odds: Odds,
}

/// A mutant that was not noticed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Survivor {
    /// The seed of its program.
    pub seed: u64,
    /// The level.
    pub level: String,
    /// The function.
    pub function: String,
    /// The instruction before it was changed.
    pub instruction: String,
    /// The change.
    pub mutation: String,
    /// The points at which it was judged.
    pub points: u64,
    /// The first line that the program prints otherwise: before, and after.
    pub printed: (String, String),
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Mutants {
    /// Mutants that are noticed, or whose program prints something else.
    pub mutants: u64,
    /// Noticed.
    pub killed: u64,
    /// Of these, at another point than the program's own.
    pub elsewhere: u64,
    /// Mutants without any effect at any point, which do not count.
    pub without_effect: u64,
    /// Of these, those whose instruction no run reaches.
    pub unreached: u64,
    /// Mutants on which the judge itself broke down.
    pub panics: u64,
    /// Programs.
    pub programs: u64,
    /// Programs whose unchanged gradient was said to be at fault.
    pub false_alarms: u64,
    /// By mutation: mutants, and how many of them were noticed.
    pub by_mutation: BTreeMap<String, (u64, u64)>,
    /// By verdict: mutants.
    pub by_verdict: BTreeMap<String, u64>,
    /// Those not noticed.
    pub survivors: Vec<Survivor>,
    /// Seconds.
    pub seconds: f64,
}

/// Draws and judges mutants.
pub fn run(plan: &Plan, progress: &dyn Fn(&Mutants)) -> Mutants {
    let start = Instant::now();
    let mut out = Mutants::default();
    let mut odds = plan.odds.clone();
    // Nested and split calls have other mutants of the same kinds, and cost several times as much.
    odds.mode.nested = 0;
    odds.mode.split = 0;
    let mut seed = plan.seed;
    while out.mutants < plan.count && start.elapsed() < plan.time {
        let case = TestCase::from_seed(seed, &odds);
        let level = plan.levels.get((seed % plan.levels.len().max(1) as u64) as usize).copied().unwrap_or(Level::O1);
        program(plan, &case, level, &mut out);
        seed = seed.wrapping_add(1);
        out.seconds = start.elapsed().as_secs_f64();
        progress(&out);
    }
    out
}

/// A program's module, its gradients, and how many functions it had before.
struct Made {
    module: Module,
    judged: Vec<ad::Judged>,
    before: usize,
}

impl Made {
    fn new(case: &TestCase, level: Level) -> Option<Made> {
        let options = Options { debug: false, ..Options::default() };
        let module = check::compiled(&case.source(), level, &options).ok()?;
        let before = module.functions.len();
        let made = isolate::catch(|| ad::differentiate(module, &ad::Options::default())).ok()?;
        let whole = made.refusals.is_empty() && !made.judged.is_empty();
        whole.then_some(Made { module: made.module, judged: made.judged, before })
    }

    /// What a run of a changed module comes to.
    fn run(&self, module: Module) -> Result<Seen, String> {
        let output = Output { module, judged: self.judged.clone(), refusals: Vec::new() };
        let options = session::Options { steps: STEPS, seconds: 20, ..Default::default() };
        let report = isolate::catch(|| Prepared::of(output).run("", "mutant", &options, &|_| {}))?;
        let bad = |v: &Verdict| v.severity() > Severity::Note && *v != Verdict::Unsupported;
        let verdict = report.findings().map(|f| f.verdict).find(bad);
        Ok(Seen { verdict, printed: report.stdout })
    }

    fn mutants(&self) -> Vec<Mutant> {
        let roots: Vec<FuncId> = self.judged.iter().map(|j| j.gradient).collect();
        mutate::all(&self.module, self.before, &roots)
    }
}

/// What a run came to.
struct Seen {
    /// What is wrong, if anything is.
    verdict: Option<Verdict>,
    printed: String,
}

/// What became of a mutant.
enum Fate {
    Noticed(Verdict),
    WithoutEffect { reached: bool },
    Survived(String, String),
}

/// A program at a point, with what it prints unchanged.
struct Point {
    made: Made,
    printed: String,
}

impl Point {
    /// The program, if nothing is wrong with its gradient.
    fn new(case: &TestCase, level: Level) -> Option<Point> {
        let made = Made::new(case, level)?;
        let seen = made.run(made.module.clone()).ok()?;
        seen.verdict.is_none().then_some(Point { made, printed: seen.printed })
    }

    /// The mutant at this point.
    fn judge(&self, mutant: &Mutant) -> Result<Option<Fate>, String> {
        let Some(module) = mutate::apply(&self.made.module, mutant) else { return Ok(None) };
        let seen = self.made.run(module)?;
        Ok(Some(match seen.verdict {
            Some(verdict) => Fate::Noticed(verdict),
            None if same(&seen.printed, &self.printed) => {
                let trapped = self.made.run(mutate::trapped(&self.made.module, mutant))?;
                Fate::WithoutEffect { reached: trapped.verdict.is_some() }
            }
            None => {
                let mut lines = self.printed.lines().zip(seen.printed.lines());
                let (a, b) = lines.find(|(a, b)| !same(a, b)).unwrap_or(("", "less, or more"));
                Fate::Survived(a.to_owned(), b.to_owned())
            }
        }))
    }
}

/// The same numbers: a zero has no sign.
fn same(a: &str, b: &str) -> bool {
    let number = |word: &str| word.parse::<f64>().ok();
    let equal = |(a, b): (&str, &str)| a == b || number(a).is_some_and(|a| number(b) == Some(a));
    a.split_whitespace().count() == b.split_whitespace().count()
        && a.split_whitespace().zip(b.split_whitespace()).all(equal)
}

fn program(plan: &Plan, case: &TestCase, level: Level, out: &mut Mutants) {
    let Some(made) = Made::new(case, level) else { return };
    out.programs += 1;
    let seen = made.run(made.module.clone());
    let printed = match seen {
        Ok(Seen { verdict: None, printed }) => printed,
        // A long run is no place for mutants.
        Ok(Seen { verdict: Some(Verdict::Resource), .. }) => return,
        Ok(_) | Err(_) => {
            out.false_alarms += 1;
            return;
        }
    };
    let own = Point { made, printed };
    let made = &own.made;
    let all = made.mutants();
    // Kinds of changes are drawn evenly: most instructions are loads and stores.
    let mut kinds: Vec<Mutation> = all.iter().map(|m| m.mutation).collect();
    kinds.sort();
    kinds.dedup();
    let bytes = bytes_of_seed(case.seed ^ 0x6d75_7461_6e74);
    let mut choices = Choices::new(&bytes);
    let mut drawn = Vec::new();
    for _ in 0..EACH {
        let Some(kind) = choices.pick(&kinds) else { return };
        let of_kind: Vec<Mutant> = all.iter().filter(|m| m.mutation == kind).copied().collect();
        drawn.extend(choices.pick(&of_kind).filter(|m| !drawn.contains(m)));
    }
    let mut others: Option<Vec<Point>> = None;
    for mutant in drawn {
        if out.mutants >= plan.count {
            return;
        }
        let (mut fate, mut points) = match own.judge(&mutant) {
            Ok(Some(fate)) => (fate, 1),
            Ok(None) => continue,
            Err(_) => {
                out.panics += 1;
                continue;
            }
        };
        let text = mutate::text(&made.module, &mutant);
        let function = &made.module.functions[mutant.func].name;
        if !matches!(fate, Fate::Noticed(_)) {
            let others =
                others.get_or_insert_with(|| (1..=POINTS).filter_map(|n| Point::new(&moved(case, n), level)).collect());
            // Other data may make another program of it at higher levels.
            let same = |m: &Module| {
                let f = m.functions.get(mutant.func).filter(|f| f.name == *function);
                f.is_some_and(|f| f.insts.get(mutant.inst).is_some()) && mutate::text(m, &mutant) == text
            };
            for point in others.iter().filter(|p| same(&p.made.module)) {
                let Ok(Some(there)) = point.judge(&mutant) else { continue };
                points += 1;
                match (&mut fate, there) {
                    (_, Fate::Noticed(verdict)) => {
                        out.elsewhere += 1;
                        fate = Fate::Noticed(verdict);
                        break;
                    }
                    (Fate::WithoutEffect { reached }, Fate::WithoutEffect { reached: also }) => *reached |= also,
                    (Fate::WithoutEffect { .. }, survived) => fate = survived,
                    _ => {}
                }
            }
        }
        if let Fate::WithoutEffect { reached } = fate {
            out.without_effect += 1;
            out.unreached += u64::from(!reached);
            continue;
        }
        let mutation = format!("{:?}", mutant.mutation);
        out.mutants += 1;
        let entry = out.by_mutation.entry(mutation.clone()).or_default();
        entry.0 += 1;
        match fate {
            Fate::Noticed(verdict) => {
                entry.1 += 1;
                out.killed += 1;
                *out.by_verdict.entry(verdict.to_string()).or_default() += 1;
            }
            Fate::Survived(before, after) => out.survivors.push(Survivor {
                seed: case.seed,
                level: level.to_string(),
                function: function.clone(),
                instruction: text,
                mutation,
                points,
                printed: (before, after),
            }),
            Fate::WithoutEffect { .. } => {}
        }
    }
}

/// The same program with other arguments, and with shadows that are not zero.
fn moved(case: &TestCase, n: u64) -> TestCase {
    let mut program = case.program.clone();
    program.seeded_shadows = true;
    program.twice = program.twice && !matches!(program.mode, Mode::Forward(_));
    if let Some(f) = program.functions.first_mut() {
        for var in f.vars.iter_mut().filter(|v| v.home == Home::Param) {
            var.start ^= n.wrapping_mul(0x9e37_79b9);
        }
    }
    TestCase { seed: case.seed, program }
}

impl Mutants {
    /// The share of mutants that were noticed.
    pub fn rate(&self) -> f64 {
        self.killed as f64 / (self.mutants as f64).max(1.0)
    }

    /// One line.
    pub fn line(&self) -> String {
        let (n, killed, rate) = (self.mutants, self.killed, 100.0 * self.rate());
        let (programs, idle) = (self.programs, self.without_effect);
        format!("{n} mutants of {programs} programs, {killed} noticed ({rate:.1} %); {idle} without effect")
    }

    /// For people.
    pub fn text(&self) -> String {
        let Mutants { elsewhere, unreached, panics, false_alarms, .. } = self;
        let mut out = format!(
            "{} in {:.0} s\n\
             noticed at another point only: {elsewhere}; never reached: {unreached}; false alarms: {false_alarms}; \
             panics: {panics}\n",
            self.line(),
            self.seconds
        );
        let kinds = self.by_mutation.iter().map(|(name, (all, killed))| format!("{name} {killed}/{all}"));
        let verdicts = self.by_verdict.iter().map(|(name, n)| format!("{name} {n}"));
        let (kinds, verdicts): (Vec<_>, Vec<_>) = (kinds.collect(), verdicts.collect());
        let _ = writeln!(out, "\nby change: {}\nby verdict: {}", kinds.join(", "), verdicts.join(", "));
        for it in &self.survivors {
            let Survivor { seed, level, function, instruction, mutation, points, printed } = it;
            let _ = writeln!(
                out,
                "\nsurvived {points} points: {mutation} in `{function}`, seed {seed} at {level}\n  {instruction}\n  \
                 printed {} for {}",
                printed.1, printed.0
            );
        }
        out
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}
