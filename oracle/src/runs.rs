//! Several runs of one program: teams of several sizes, several schedules. The derivative is the same in all of them,
//! so the verdict has to be.
//!
//! Each run is judged by itself, from `main` on, with references of its own: the primal is executed with that many
//! threads under the schedule of that seed. One report is made of all. An entry describes the first run with the worst
//! verdict, and says which run that is and whether others are judged otherwise. A run that a fault ends judges nothing
//! of what comes behind it: a call that another run finds right there is undecided.

use crate::circumstances::Circumstances;
use crate::report::{Ending, Finding, Gradient, LevelReport, Note, Position, RunReport};
use crate::verdict::Verdict;

/// Judges a program in several runs, of which there is at least one.
pub fn each<E>(
    runs: &[Circumstances],
    mut judge: impl FnMut(usize, Circumstances) -> Result<LevelReport, E>,
) -> Result<LevelReport, E> {
    let judged = runs.iter().enumerate().map(|(n, run)| Ok((*run, judge(n, *run)?)));
    Ok(together(judged.collect::<Result<Vec<_>, E>>()?))
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

/// A run that did not come to its end, and how often it executed each call.
struct Ended {
    run: usize,
    executed: Vec<(Key, u64)>,
}

impl Ended {
    /// Did it execute a call less often than this?
    fn has_less_than(&self, call: &Key, executed: u64) -> bool {
        self.executed.iter().find(|(key, _)| key == call).is_none_or(|(_, times)| *times < executed)
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
    // With how often a run executes it at most.
    let mut calls: Vec<(Key, Entry<Gradient>, u64)> = Vec::new();
    let mut ended: Vec<Ended> = Vec::new();
    let mut problems: Vec<Entry<Finding>> = Vec::new();
    let mut merged: Option<LevelReport> = None;
    for (run, (circumstances, report)) in reports.into_iter().enumerate() {
        if report.ending == Ending::Stopped {
            let executed = keys(&report).into_iter().zip(report.gradients.iter().map(|g| g.executed)).collect();
            ended.push(Ended { run, executed });
        }
        let told = RunReport { circumstances, verdict: report.verdict(), judged: report.judged() };
        for (key, gradient) in keys(&report).into_iter().zip(&report.gradients) {
            let verdict = gradient.verdict;
            match calls.iter_mut().find(|(known, ..)| *known == key) {
                Some((_, entry, most)) => {
                    entry.verdicts[run] = Some(verdict);
                    let mut accuracy = entry.item.accuracy;
                    accuracy.merge(gradient.accuracy);
                    *most = gradient.executed.max(*most);
                    if verdict > entry.item.verdict {
                        (entry.item, entry.run) = (gradient.clone(), run);
                    }
                    entry.item.accuracy = accuracy;
                }
                None => {
                    let mut entry = Entry { item: gradient.clone(), run, verdicts: nothing.clone() };
                    entry.verdicts[run] = Some(verdict);
                    calls.push((key, entry, gradient.executed));
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
        .map(|(key, mut entry, most)| {
            let missed = ended.iter().find(|ended| ended.has_less_than(&key, most));
            if let Some(missed) = missed.filter(|_| entry.item.verdict < Verdict::Undecided) {
                let message = format!("not judged with `{}`, where the program ends before", runs[missed.run]);
                entry.item.verdict = Verdict::Undecided;
                entry.item.finding = Some(Finding::new(Verdict::Undecided, message).at(entry.item.call.clone()));
            }
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
    use crate::circumstances::Runs;

    fn gradient(verdict: Verdict) -> Gradient {
        let finding = (verdict != Verdict::Correct).then(|| Finding::new(verdict, "as it happens"));
        let place = Position { file: "a.c".to_owned(), line: 7, column: 3 };
        Gradient { verdict, finding, ..Gradient::unjudged("f", Some(place)) }
    }

    fn report(gradients: Vec<Gradient>, problems: Vec<Finding>) -> LevelReport {
        LevelReport { gradients, problems, ..LevelReport::empty("O1") }
    }

    fn merged(verdicts: &[Verdict]) -> LevelReport {
        let runs = Runs { teams: vec![1, 3], schedules: verdicts.len() as u64 / 2, ..Runs::default() }.all(5);
        together(runs.into_iter().zip(verdicts.iter().map(|v| report(vec![gradient(*v)], Vec::new()))).collect())
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
        let runs = Runs { teams: vec![2], schedules: 3, ..Runs::default() }.all(0);
        let reports = [without, report(vec![gradient(Verdict::Correct)], vec![leak()]), report(Vec::new(), Vec::new())];
        let level = together(runs.into_iter().zip(reports).collect());
        assert_eq!((level.problems.len(), level.gradients.len(), level.unreached.len()), (1, 1, 0));
        let told = &level.problems[0].notes[0].message;
        assert!(
            told.contains("`--threads 2 --seed 0`") && told.contains("`--threads 2 --seed 2`: not found"),
            "{told}"
        );
    }

    #[test]
    fn what_a_run_did_not_come_to_is_undecided() {
        let runs = Runs { teams: vec![1, 3], schedules: 1, ..Runs::default() }.all(5);
        let (whole, ended) = (
            || report(vec![Gradient { executed: 2, ..gradient(Verdict::Correct) }], Vec::new()),
            |executed| {
                let fewer = Gradient { executed, ..gradient(Verdict::Correct) };
                LevelReport { ending: Ending::Stopped, ..report(vec![fewer], Vec::new()) }
            },
        );
        let merged = |second| together(runs.iter().copied().zip([whole(), second]).collect());
        assert_eq!(merged(ended(2)).gradients[0].verdict, Verdict::Correct, "it ended behind the call");
        let before = merged(ended(1));
        assert_eq!(before.gradients[0].verdict, Verdict::Undecided);
        let told = before.gradients[0].finding.as_ref().unwrap();
        assert_eq!(told.message, "not judged with `--threads 3 --seed 5`, where the program ends before");
        assert!(told.position.is_some());
        let nowhere = LevelReport { ending: Ending::Stopped, ..report(Vec::new(), Vec::new()) };
        assert_eq!(merged(nowhere).gradients[0].verdict, Verdict::Undecided);
    }
}
