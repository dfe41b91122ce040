//! Several runs of one program: teams of several sizes, several schedules. The derivative is the same in all of them, so
//! the verdict has to be.
//!
//! Each run is judged by itself, from `main` on, with references of its own: the primal is executed with that many
//! threads under the schedule of that seed. One report is made of all. An entry describes the first run with the worst
//! verdict, and says which run that is and whether others are judged otherwise.

use crate::report::{Ending, Finding, Gradient, LevelReport, Note, Position, RunReport};
use crate::session::Options;
use crate::verdict::Verdict;
use serde::Serialize;
use std::fmt;

/// The most runs of a program at one level.
pub const MOST_RUNS: u64 = 100_000;

/// What may differ between runs of a program without its derivatives being others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Circumstances {
    /// Threads of an OpenMP region that does not say how many.
    pub threads: usize,
    /// Seed of every free choice, the schedule among them.
    pub seed: u64,
}

impl fmt::Display for Circumstances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--threads {} --seed {}", self.threads, self.seed)
    }
}

/// Which runs are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runs {
    /// Sizes of teams.
    pub teams: Vec<usize>,
    /// Schedules for each of them: seeds from that of the options on.
    pub schedules: u64,
}

impl Default for Runs {
    fn default() -> Self {
        Runs { teams: vec![4], schedules: 1 }
    }
}

impl Runs {
    /// What is wrong with them, if anything.
    pub fn complaint(&self) -> Option<String> {
        let Runs { teams, schedules } = self;
        if let Some(size) = teams.iter().find(|size| !(1..=1024).contains(*size)) {
            return Some(format!("a team of {size} threads: it must have 1 to 1024"));
        }
        let runs = schedules.saturating_mul(teams.len() as u64);
        let few = "a program must be run at least once".to_owned();
        let many = format!("{runs} runs of a program: at most {MOST_RUNS} can be judged together");
        (runs == 0).then_some(few).or((runs > MOST_RUNS).then_some(many))
    }

    /// All of them, the schedules of one team together.
    pub fn all(&self, seed: u64) -> Vec<Circumstances> {
        let seeds = || (0..self.schedules).map(move |n| seed.saturating_add(n));
        self.teams.iter().flat_map(|&threads| seeds().map(move |seed| Circumstances { threads, seed })).collect()
    }
}

/// Judges a program in all runs that the options ask for.
pub fn each<E>(options: &Options, mut judge: impl FnMut(&Options) -> Result<LevelReport, E>) -> Result<LevelReport, E> {
    let mut reports = Vec::new();
    for run in options.runs.all(options.seed) {
        // One comparison with the native program is enough.
        let native = options.native && reports.is_empty();
        let options = Options { threads: run.threads, seed: run.seed, native, ..options.clone() };
        reports.push((run, judge(&options)?));
    }
    Ok(together(reports))
}

/// One entry of the report, as several runs have it.
struct Entry<T> {
    /// Of the run that is described.
    item: T,
    run: usize,
    /// The verdict of every run; none where it does not come to the call, or has no such problem.
    verdicts: Vec<Option<Verdict>>,
}

impl<T> Entry<T> {
    fn is_steady(&self) -> bool {
        self.verdicts.iter().all(|verdict| *verdict == self.verdicts[0])
    }

    /// In words: the run that is described, and the first that differs from the first of all.
    fn described(&self, runs: &[Circumstances]) -> String {
        let all = runs.len();
        let (first, run) = (runs[0], runs[self.run]);
        let told = |run: usize| self.verdicts[run].map_or("not found", Verdict::name);
        match self.verdicts.iter().position(|verdict| *verdict != self.verdicts[0]) {
            None => format!("found in all of {all} runs; this is `{run}`"),
            Some(other) if other == self.run => {
                format!("found with `{run}`, the first of {all} runs that differs: with `{first}` it is {}", told(0))
            }
            Some(other) => {
                let differs = format!("the first of {all} runs that differs is `{}`: {}", runs[other], told(other));
                let before = if self.run == 0 { String::new() } else { format!("with `{first}` it is {}; ", told(0)) };
                format!("found with `{run}`; {before}{differs}")
            }
        }
    }
}

type Key = (String, String, Option<Position>, usize);

/// The calls of a report, told apart.
fn keys(report: &LevelReport) -> Vec<Key> {
    let key = |g: &Gradient| (g.function.clone(), g.gradient.clone(), g.call.clone());
    let all: Vec<_> = report.gradients.iter().map(key).collect();
    let before = |n: usize| all[..n].iter().filter(|other| **other == all[n]).count();
    (0..all.len()).map(|n| (all[n].0.clone(), all[n].1.clone(), all[n].2.clone(), before(n))).collect()
}

/// Makes one report of those of several runs, of which there is at least one.
fn together(reports: Vec<(Circumstances, LevelReport)>) -> LevelReport {
    let runs: Vec<Circumstances> = reports.iter().map(|(run, _)| *run).collect();
    let nothing = vec![None; runs.len()];
    let mut calls: Vec<(Key, Entry<Gradient>)> = Vec::new();
    let mut problems: Vec<Entry<Finding>> = Vec::new();
    let mut merged: Option<LevelReport> = None;
    for (run, (circumstances, report)) in reports.into_iter().enumerate() {
        let told = RunReport { circumstances, verdict: report.verdict(), judged: report.judged() };
        for (key, gradient) in keys(&report).into_iter().zip(&report.gradients) {
            let verdict = gradient.verdict;
            match calls.iter_mut().find(|(known, _)| *known == key) {
                Some((_, entry)) => {
                    entry.verdicts[run] = Some(verdict);
                    let mut accuracy = entry.item.accuracy;
                    accuracy.merge(gradient.accuracy);
                    if verdict > entry.item.verdict {
                        (entry.item, entry.run) = (gradient.clone(), run);
                    }
                    entry.item.accuracy = accuracy;
                }
                None => {
                    let mut entry = Entry { item: gradient.clone(), run, verdicts: nothing.clone() };
                    entry.verdicts[run] = Some(verdict);
                    calls.push((key, entry));
                }
            }
        }
        for problem in &report.problems {
            let same = |entry: &&mut Entry<Finding>| {
                let (known, new) = (&entry.item, problem);
                (known.verdict, known.family, &known.position) == (new.verdict, new.family, &new.position)
                    && (known.position.is_some() || known.message == new.message)
            };
            match problems.iter_mut().find(same) {
                Some(entry) => entry.verdicts[run] = Some(problem.verdict),
                None => {
                    let mut entry = Entry { item: problem.clone(), run, verdicts: nothing.clone() };
                    entry.verdicts[run] = Some(problem.verdict);
                    problems.push(entry);
                }
            }
        }
        match &mut merged {
            None => merged = Some(LevelReport { runs: vec![told], ..report }),
            Some(merged) => {
                merged.runs.push(told);
                merged.steps += report.steps;
                merged.seconds += report.seconds;
                merged.unreached.retain(|call| report.unreached.contains(call));
                if report.ending == Ending::Stopped {
                    merged.ending = Ending::Stopped;
                }
            }
        }
    }
    let mut merged = merged.unwrap_or_else(|| LevelReport::empty(""));
    if runs.len() < 2 {
        return merged;
    }
    let note = |message: String| Note { message, position: None };
    merged.gradients = calls
        .into_iter()
        .map(|(_, entry)| {
            let (described, steady) = (entry.described(&runs), entry.is_steady());
            let mut gradient = Gradient { run: entry.run, steady, ..entry.item };
            if let Some(finding) = &mut gradient.finding {
                finding.notes.push(note(described));
            }
            gradient
        })
        .collect();
    // A call that only some runs come to is reached.
    let reached: Vec<Position> = merged.gradients.iter().filter_map(|g| g.call.clone()).collect();
    merged.unreached.retain(|call| !reached.contains(call));
    merged.problems = problems
        .into_iter()
        .map(|mut entry| {
            let described = note(entry.described(&runs));
            entry.item.notes.push(described);
            entry.item
        })
        .collect();
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient(verdict: Verdict) -> Gradient {
        let finding = (verdict != Verdict::Correct).then(|| Finding::new(verdict, "as it happens"));
        let place = Position { file: "a.c".to_owned(), line: 7, column: 3 };
        Gradient { verdict, finding, ..Gradient::unjudged("f", Some(place)) }
    }

    fn report(gradients: Vec<Gradient>, problems: Vec<Finding>) -> LevelReport {
        LevelReport { gradients, problems, ..LevelReport::empty("O1") }
    }

    fn merged(verdicts: &[Verdict]) -> LevelReport {
        let runs = Runs { teams: vec![1, 3], schedules: verdicts.len() as u64 / 2 }.all(5);
        together(runs.into_iter().zip(verdicts.iter().map(|v| report(vec![gradient(*v)], Vec::new()))).collect())
    }

    #[test]
    fn every_team_has_every_schedule() {
        let runs = Runs { teams: vec![1, 3], schedules: 2 }.all(5);
        let told: Vec<String> = runs.iter().map(ToString::to_string).collect();
        let expected = ["--threads 1 --seed 5", "--threads 1 --seed 6", "--threads 3 --seed 5", "--threads 3 --seed 6"];
        assert_eq!(told, expected);
    }

    #[test]
    fn runs_that_cannot_be_made_are_told() {
        let complaint = |teams: &[usize], schedules| Runs { teams: teams.to_vec(), schedules }.complaint();
        assert_eq!(complaint(&[1, 1024], 3), None);
        assert!(complaint(&[2, 0], 1).is_some_and(|text| text.contains("team of 0")));
        assert!(complaint(&[1025], 1).is_some() && complaint(&[2], 0).is_some() && complaint(&[], 1).is_some());
        assert!(complaint(&[1, 2], u64::MAX).is_some_and(|text| text.contains("at most")));
    }

    #[test]
    fn runs_that_agree_are_one_entry_without_a_word() {
        let level = merged(&[Verdict::Correct; 4]);
        assert_eq!((level.verdict(), level.gradients.len(), level.runs.len()), (Verdict::Correct, 1, 4));
        assert!(level.gradients[0].steady && level.gradients[0].finding.is_none());
    }

    #[test]
    fn the_first_run_that_differs_is_named_with_team_and_seed() {
        let level = merged(&[Verdict::Correct, Verdict::Correct, Verdict::Race, Verdict::Race]);
        let gradient = &level.gradients[0];
        assert_eq!((level.verdict(), gradient.run, gradient.steady), (Verdict::Race, 2, false));
        let told = &gradient.finding.as_ref().unwrap().notes[0].message;
        let expected = "found with `--threads 3 --seed 5`, the first of 4 runs that differs: with `--threads 1 --seed \
                        5` it is correct";
        assert_eq!(told, expected);
    }

    #[test]
    fn the_worst_run_is_described_even_if_another_differs_first() {
        let level = merged(&[Verdict::Correct, Verdict::Kink, Verdict::Wrong, Verdict::Race]);
        let told = level.gradients[0].finding.as_ref().unwrap().notes[0].message.clone();
        let expected = "found with `--threads 3 --seed 5`; with `--threads 1 --seed 5` it is correct; the first of 4 \
                        runs that differs is `--threads 1 --seed 6`: kink";
        assert_eq!((level.verdict(), told.as_str()), (Verdict::Wrong, expected));
    }

    #[test]
    fn what_is_wrong_in_every_run_says_so() {
        let level = merged(&[Verdict::Wrong; 2]);
        let told = &level.gradients[0].finding.as_ref().unwrap().notes[0].message;
        assert_eq!(told, "found in all of 2 runs; this is `--threads 1 --seed 5`");
        assert!(level.gradients[0].steady);
    }

    #[test]
    fn a_problem_of_one_run_is_kept_once_and_a_call_that_one_run_reaches_is_reached() {
        let place = Position { file: "a.c".to_owned(), line: 7, column: 3 };
        let leak = || Finding::new(Verdict::Leak, "8 bytes");
        let mut without = report(Vec::new(), vec![leak()]);
        without.unreached.push(place);
        let runs = Runs { teams: vec![2], schedules: 3 }.all(0);
        let reports = [without, report(vec![gradient(Verdict::Correct)], vec![leak()]), report(Vec::new(), Vec::new())];
        let level = together(runs.into_iter().zip(reports).collect());
        assert_eq!((level.problems.len(), level.gradients.len(), level.unreached.len()), (1, 1, 0));
        let told = &level.problems[0].notes[0].message;
        assert!(
            told.contains("`--threads 2 --seed 0`") && told.contains("`--threads 2 --seed 2`: not found"),
            "{told}"
        );
    }
}
