//! Many programs, one after another: findings once each and reduced, refusals and verdicts counted.
//!
//! Program `n` of a campaign has the seed `seed + n`, so that any program can be made again by itself.

use crate::c::ast::Program;
use crate::c::odds::Odds;
use crate::c::{census, print};
use crate::check::{self, Finding, Options, Outcome, TestCase};
use crate::ir;
use crate::ir::batch::Purpose;
use crate::shrink;
pub use crate::store::{resume, save};
use crate::summary::LISTED;
pub use crate::summary::{Distinct, Summary, Tally};
use adjudicate::Level;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Programs in C that share a module.
const BATCH: u64 = 16;
/// Programs in IR that share a module: compiling them natively costs less than starting the compiler.
const IR_BATCH: u64 = 256;
/// Programs in IR that share a module with their gradients: some passes look at the whole module for each of them.
const GRADIENT_BATCH: u64 = 16;
/// Stack of a worker: readers recurse with the nesting of types and constants.
const STACK: usize = 256 << 20;

/// In what programs are written, and what they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// C, to be differentiated.
    #[default]
    C,
    /// LLVM IR, to be differentiated or only executed.
    Ir(Purpose),
}

/// A campaign to be run.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The seed of the first program.
    pub seed: u64,
    /// Programs, at most.
    pub count: u64,
    /// Time, at most.
    pub time: Duration,
    /// Threads.
    pub jobs: usize,
    /// Questions that reducing one finding may take.
    pub reductions: usize,
    /// Findings after which the campaign ends.
    pub findings: usize,
    /// In what programs are written.
    pub target: Target,
    /// The odds of programs in C.
    pub odds: Odds,
    /// The odds of programs in IR.
    pub ir_odds: ir::odds::Odds,
    /// What is checked.
    pub options: Options,
}

impl Default for Campaign {
    fn default() -> Campaign {
        Campaign {
            seed: 0,
            count: u64::MAX,
            time: Duration::from_secs(60),
            jobs: 1,
            reductions: 1000,
            findings: usize::MAX,
            target: Target::C,
            odds: Odds::default(),
            ir_odds: ir::odds::Odds::default(),
            options: Options::default(),
        }
    }
}

/// Runs a campaign; `progress` is told after each batch.
pub fn run(campaign: &Campaign, progress: &(dyn Fn(&Summary) + Sync)) -> std::io::Result<Summary> {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let summary =
        Mutex::new(Summary { next_seed: campaign.seed, ir: campaign.target != Target::C, ..Summary::default() });
    let work = || {
        while start.elapsed() < campaign.time {
            let batch = campaign.target.batch();
            let first = next.fetch_add(batch, Ordering::Relaxed);
            let found = summary.lock().map_or(0, |summary| summary.findings.len());
            if first >= campaign.count || found >= campaign.findings {
                break;
            }
            let seeds = first..(first + batch).min(campaign.count);
            let seeds: Vec<u64> = seeds.map(|n| campaign.seed.wrapping_add(n)).collect();
            let options = options_of(campaign, first / batch);
            for (seed, (outcome, constructs)) in seeds.iter().zip(checked(campaign, &seeds, &options)) {
                note(&options, campaign, &summary, *seed, outcome, constructs);
            }
            if let Ok(mut summary) = summary.lock() {
                summary.seconds = start.elapsed().as_secs_f64();
                summary.next_seed = campaign.seed.wrapping_add(first + batch);
                progress(&summary);
            }
        }
    };
    std::thread::scope(|scope| {
        let spawn = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        (0..campaign.jobs.max(1)).map(spawn).collect::<std::io::Result<Vec<_>>>().map(drop)
    })?;
    let mut summary = summary.into_inner().unwrap_or_default();
    summary.seconds = start.elapsed().as_secs_f64();
    Ok(summary)
}

impl Target {
    /// Programs that share a module.
    fn batch(self) -> u64 {
        match self {
            Target::C => BATCH,
            Target::Ir(Purpose::Semantics) => IR_BATCH,
            Target::Ir(Purpose::Gradient) => GRADIENT_BATCH,
        }
    }
}

/// What comes of the programs of some seeds, and what each of them contains.
fn checked(campaign: &Campaign, seeds: &[u64], options: &Options) -> Vec<(Outcome, BTreeSet<String>)> {
    match campaign.target {
        Target::C => {
            let cases: Vec<TestCase> = seeds.iter().map(|seed| TestCase::from_seed(*seed, &campaign.odds)).collect();
            let outcomes = check::check_batch(&cases, options);
            outcomes.into_iter().zip(&cases).map(|(o, case)| (o, census::of(&case.program))).collect()
        }
        Target::Ir(purpose) => ir::check::check(seeds, purpose, &campaign.ir_odds, options),
    }
}

/// The program of a seed as text.
pub fn source(campaign: &Campaign, seed: u64) -> String {
    match campaign.target {
        Target::C => TestCase::from_seed(seed, &campaign.odds).source(),
        Target::Ir(purpose) => ir::batch::of_seeds(&[seed], purpose, &campaign.ir_odds).module.to_string(),
    }
}

/// The costly parts of a check are made for some modules only, and all combinations of them in turn.
fn options_of(campaign: &Campaign, batch: u64) -> Options {
    let own = &campaign.options;
    match campaign.target {
        Target::C => {
            let (debug, native) = (batch.is_multiple_of(3), batch.is_multiple_of(4));
            Options { debug: own.debug && debug, native: own.native && native, ..own.clone() }
        }
        Target::Ir(Purpose::Semantics) => Options { reprint: batch.is_multiple_of(8), ..own.clone() },
        // LLVM costs more than all else together.
        Target::Ir(Purpose::Gradient) => {
            let (native, levels) = (batch.is_multiple_of(16), batch.is_multiple_of(32));
            let levels = if levels { own.levels.clone() } else { own.levels.iter().take(1).copied().collect() };
            Options { native: own.native && native, reprint: batch.is_multiple_of(8), levels, ..own.clone() }
        }
    }
}

/// Enters an outcome; a finding that is new is reduced first, outside the lock.
fn note(
    options: &Options,
    campaign: &Campaign,
    summary: &Mutex<Summary>,
    seed: u64,
    outcome: Outcome,
    constructs: BTreeSet<String>,
) {
    let mut fresh = Vec::new();
    if let Ok(mut summary) = summary.lock() {
        summary.programs += 1;
        for construct in constructs {
            *summary.generated.entry(construct).or_default() += 1;
        }
        let levels = options.levels.len();
        if !outcome.findings.is_empty() {
            summary.troubled += 1;
        } else if outcome.judged == levels {
            summary.correct += 1;
            summary.noted += u64::from(outcome.notes > 0);
        } else if outcome.cancelled > 0 {
            summary.cancelled.push(seed);
        } else if outcome.refusals.is_empty() && !outcome.undecided.is_empty() {
            summary.undecided += 1;
        } else {
            summary.refused += 1;
        }
        for (message, levels) in outcome.refusals {
            summary.refusals.entry(message).or_default().enter(seed, &levels);
        }
        for (message, levels) in outcome.undecided {
            summary.undecided_by.entry(message).or_default().enter(seed, &levels);
        }
        let mut seen = Vec::new();
        for finding in outcome.findings {
            if seen.contains(&finding.key()) {
                continue;
            }
            seen.push(finding.key());
            let full = summary.findings.len() >= campaign.findings;
            match summary.findings.iter_mut().find(|known| known.finding.key() == finding.key()) {
                Some(known) => {
                    known.programs += 1;
                    if known.seeds.len() < LISTED {
                        known.seeds.push(seed);
                    }
                }
                None if full => {}
                None => {
                    let original = source(campaign, seed);
                    let source = original.clone();
                    let new =
                        Distinct { finding: finding.clone(), seed, programs: 1, seeds: vec![seed], source, original };
                    summary.findings.push(new);
                    fresh.push(finding);
                }
            }
        }
    }
    for finding in fresh {
        let source = reduced(options, campaign, seed, &finding);
        if let Ok(mut summary) = summary.lock()
            && let Some(known) = summary.findings.iter_mut().find(|known| known.finding.key() == finding.key())
        {
            known.source = source;
        }
    }
}

/// The smallest program with a finding of the same kind at the same level.
fn reduced(options: &Options, campaign: &Campaign, seed: u64, finding: &Finding) -> String {
    let level: Vec<Level> = finding.level.parse().into_iter().collect();
    let native = options.native && finding.kind == "native";
    let options = Options { levels: level, native, ..options.clone() };
    let reductions = campaign.reductions;
    let case = match campaign.target {
        Target::C => TestCase::from_seed(seed, &campaign.odds),
        Target::Ir(purpose) => {
            return ir::check::reduced(seed, purpose, &campaign.ir_odds, &options, reductions, finding);
        }
    };
    // Undefined behaviour of a smaller program may be another one.
    let same = |f: &Finding| f.kind == finding.kind && (!f.kind.starts_with("ub") || f.message == finding.message);
    let keeps = |program: &Program| {
        let candidate = TestCase { seed, program: program.clone() };
        check::check(&candidate, &options).findings.iter().any(same)
    };
    // What depends on several levels, or on the other programs of its module, may not show alone.
    if !keeps(&case.program) {
        return case.source();
    }
    print::program(&shrink::reduce(&case.program, reductions, keeps))
}
