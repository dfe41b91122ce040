//! What a campaign has seen.

use crate::Finding;
use serde::Serialize;
use std::collections::BTreeMap;
use std::collections::BTreeSet;

/// Seeds that a finding lists.
pub(crate) const LISTED: usize = 100;

/// A finding, once.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Distinct {
    /// The finding as it was first met.
    #[serde(flatten)]
    pub finding: Finding,
    /// The seed of the program.
    pub seed: u64,
    /// How many programs had it.
    pub programs: u64,
    /// The seeds of the first of them.
    pub seeds: Vec<u64>,
    /// The reduced program.
    pub source: String,
    /// The program as generated.
    pub original: String,
}

/// How often something was said that is no finding.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Programs.
    pub programs: u64,
    /// Programs by level.
    pub levels: BTreeMap<String, u64>,
    /// The seeds of the first of them.
    pub seeds: Vec<u64>,
}

impl Tally {
    pub(crate) fn enter(&mut self, seed: u64, levels: &[String]) {
        self.programs += 1;
        let mut seen = BTreeSet::new();
        for level in levels.iter().filter(|level| seen.insert(*level)) {
            *self.levels.entry(level.clone()).or_default() += 1;
        }
        if self.seeds.len() < LISTED {
            self.seeds.push(seed);
        }
    }
}

/// What a campaign has seen.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// Programs are in IR.
    pub ir: bool,
    /// Programs checked.
    pub programs: u64,
    /// The seed after the last program.
    pub next_seed: u64,
    /// Programs without a finding whose gradient was judged at every level.
    pub correct: u64,
    /// Of these, programs at a kink or a convention at some level.
    pub noted: u64,
    /// Seeds of programs whose gradient lost digits at some level because the program's own terms cancel.
    pub cancelled: Vec<u64>,
    /// Programs refused at some level.
    pub refused: u64,
    /// Programs without a finding or a refusal that the oracle could not decide at some level.
    pub undecided: u64,
    /// Programs with a finding.
    pub troubled: u64,
    /// Distinct findings.
    pub findings: Vec<Distinct>,
    /// Refusals by their reason, which is the message without names and numbers.
    pub refusals: BTreeMap<String, Tally>,
    /// What the oracle said where it could not decide, without names and numbers.
    pub undecided_by: BTreeMap<String, Tally>,
    /// Constructs by name: programs that have them.
    pub generated: BTreeMap<String, u64>,
    /// Seconds.
    pub seconds: f64,
}
