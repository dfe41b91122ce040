//! The committed results: one line for each subject, keyed by the hash of everything that was to be proved of it.
//!
//! A line is right as long as its hash is: the obligations are made again (which takes milliseconds) and hashed; only
//! where the hash differs the solver has to be asked again.

use crate::report::{Status, Subject, SubjectReport};
use crate::solver::{Solver, SolverError};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The committed file.
pub const COMMITTED: &str = include_str!("../proofs.txt");

const HEAD: &str =
    "# What was proved, by subject: status, obligations, hash of the obligations. Written by `cargo xtask docs`.\n";

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// One word of [`Status`].
    pub status: String,
    /// Obligations that the solver discharged.
    pub obligations: usize,
    /// Hash of what was to be proved.
    pub hash: u64,
}

/// Reads a file of results. A line that is none is an error that quotes it.
pub fn parse(text: &str) -> Result<BTreeMap<String, Entry>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let read = || {
                let mut words = line.split('\t');
                let name = words.next()?.to_owned();
                let status = words.next()?.to_owned();
                let obligations = words.next()?.parse().ok()?;
                let hash = u64::from_str_radix(words.next()?, 16).ok()?;
                Some((name, Entry { status, obligations, hash }))
            };
            read().ok_or_else(|| format!("not a result: `{line}`"))
        })
        .collect()
}

/// The file for these subjects. Results that are still current are kept, the others proved now; with what failed of
/// those.
pub fn update(
    subjects: &[Subject],
    cache: &BTreeMap<String, Entry>,
    solver: &Solver,
) -> Result<(String, Vec<SubjectReport>), SolverError> {
    let (mut text, mut failed) = (String::from(HEAD), Vec::new());
    let stale = stale(subjects, cache);
    for subject in subjects {
        let entry = match cache.get(&subject.name) {
            Some(entry) if !stale.contains(&subject.name) => entry.clone(),
            _ => {
                let report = subject.prove(solver)?;
                let status = report.status.word().to_owned();
                let entry = Entry { status, obligations: report.obligations, hash: report.hash };
                failed.extend((report.status == Status::Failed).then_some(report));
                entry
            }
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}\t{}\t{}\t{:016x}", subject.name, entry.status, entry.obligations, entry.hash);
    }
    Ok((text, failed))
}

/// Subjects whose line is missing, of another hash, or of a failure; and lines without a subject.
pub fn stale(subjects: &[Subject], cache: &BTreeMap<String, Entry>) -> Vec<String> {
    let mut stale: Vec<String> = subjects
        .iter()
        .filter(|subject| {
            let entry = cache.get(&subject.name);
            !entry.is_some_and(|entry| entry.hash == subject.hash() && entry.status != Status::Failed.word())
        })
        .map(|subject| subject.name.clone())
        .collect();
    stale.extend(cache.keys().filter(|name| !subjects.iter().any(|subject| subject.name == **name)).cloned());
    stale
}
