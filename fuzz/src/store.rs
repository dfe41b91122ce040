//! A campaign on disk and on paper: findings as C or IR files, the summary as JSON and as text.

use crate::summary::{Summary, Tally};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

/// The file of a campaign's summary.
const SUMMARY: &str = "summary.json";

/// The seed to go on with in a folder; `default` where there is no campaign yet.
pub fn resume(folder: &Path, default: u64) -> io::Result<u64> {
    let path = folder.join(SUMMARY);
    if !path.exists() {
        return Ok(default);
    }
    let text = fs::read_to_string(path)?;
    let value: serde_json::Value = serde_json::from_str(&text).map_err(io::Error::other)?;
    Ok(value["next_seed"].as_u64().unwrap_or(default))
}

/// Writes a campaign into a folder: `summary.json`, and one file for each finding, the report in its comment.
pub fn save(folder: &Path, summary: &Summary) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for finding in &summary.findings {
        let kind: String = finding.finding.kind.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let (level, seed) = (&finding.finding.level, finding.seed);
        let title = format!("{} at {level}, seed {seed}", finding.finding.kind);
        let (ending, text) = match summary.ir {
            true => {
                let lines = finding.finding.report.lines().map(|line| format!("; {line}\n"));
                ("ll", format!("; {title}\n;\n{}\n{}", lines.collect::<String>(), finding.source))
            }
            false => {
                let report = finding.finding.report.replace("*/", "* /");
                ("c", format!("/* {title}\n\n{report}\n*/\n{}", finding.source))
            }
        };
        let path = folder.join(format!("{kind}-{seed}.{ending}"));
        fs::write(&path, text)?;
        fs::write(path.with_extension(format!("original.{ending}")), &finding.original)?;
    }
    fs::write(folder.join(SUMMARY), summary.to_json())
}

/// Seeds that a table shows for each line.
const SHOWN: usize = 3;

/// Programs by what was said, those said most often first, with the levels at which it was said and the first seeds.
fn table(out: &mut String, title: &str, of: &str, all: &BTreeMap<String, Tally>) {
    if all.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}, by {of} (programs; at each level; first seeds):");
    let mut all: Vec<(&String, &Tally)> = all.iter().collect();
    all.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.programs));
    for (message, tally) in all {
        let levels: Vec<String> = tally.levels.iter().map(|(level, n)| format!("{level} {n}")).collect();
        let seeds: Vec<String> = tally.seeds.iter().take(SHOWN).map(u64::to_string).collect();
        let _ = writeln!(out, "{:7}  {message} ({}; {})", tally.programs, levels.join(", "), seeds.join(", "));
    }
}

impl Summary {
    /// The summary as JSON.
    pub fn to_json(&self) -> String {
        // Numbers, strings and lists always serialise.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// One line of progress.
    pub fn line(&self) -> String {
        let (n, findings) = (self.programs, self.findings.len());
        let rate = n as f64 / self.seconds.max(1e-3);
        let undecided = if self.undecided == 0 { String::new() } else { format!("{} undecided, ", self.undecided) };
        let (correct, refused) = (self.correct, self.refused);
        format!("{n} programs ({rate:.1}/s), {correct} correct, {refused} refused, {undecided}{findings} findings")
    }

    /// The summary for people.
    pub fn text(&self) -> String {
        let mut out = format!("{} in {:.0} s\n", self.line(), self.seconds);
        if !self.cancelled.is_empty() {
            let seeds = self.cancelled.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
            let _ = writeln!(
                out,
                "\nprograms whose own terms cancel (`adj check` says how many bits that costs), by seed: {seeds}"
            );
        }
        table(&mut out, "refused", "reason", &self.refusals);
        table(&mut out, "undecided", "what is not known", &self.undecided_by);
        let (rules, constructs): (Vec<_>, Vec<_>) =
            self.generated.iter().partition(|(name, _)| name.starts_with("rule: "));
        let list = |all: Vec<(&String, &u64)>| -> Vec<String> {
            all.into_iter().map(|(name, n)| format!("{} {n}", name.trim_start_matches("rule: "))).collect()
        };
        if !constructs.is_empty() {
            let (constructs, rules) = (list(constructs).join(", "), list(rules).join(", "));
            let _ = writeln!(out, "\nprograms with: {constructs}\nfunctions called: {rules}");
        }
        if !self.findings.is_empty() {
            out.push_str("\nfound:\n");
        }
        for it in &self.findings {
            let f = &it.finding;
            let seeds = it.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
            let _ = writeln!(out, "{:7}  {} at {}, seeds {seeds}: {}", it.programs, f.kind, f.level, f.message);
        }
        for it in &self.findings {
            let _ = writeln!(out, "\n== {} (seed {})\n{}\n{}", it.finding.kind, it.seed, it.finding.report, it.source);
        }
        out
    }
}
