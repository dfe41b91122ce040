//! Table 1 of Moses and Churavy (NeurIPS 2020): gradients of seven programs by Enzyme and by the same differentiation before
//! optimisation ("Ref"); here also by hand, and by any other tool.
//!
//! Claim: differentiation after optimisation is 4.2 times as fast as before, in geometric mean over the seven.

use crate::build::{self, Peer, Variant};
use crate::measure::{self, Sample, geomean};
use crate::overloaded::Tool;
use crate::programs::{self, PROGRAMS, Program};
use adjudicate::driver::Pipeline;
use adjudicate::{Error, Severity};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// What is to be measured.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// One input for each program, and few rounds.
    pub quick: bool,
    /// Only these programs; all if empty.
    pub only: Vec<String>,
    /// Other tools.
    pub peers: Vec<Peer>,
    /// Tools with numbers of their own.
    pub tools: Vec<Tool>,
}

/// One input of one program.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The program.
    pub bench: String,
    /// The size of the input.
    pub input: u64,
    /// Seconds of the primal.
    pub primal_s: Option<f64>,
    /// Seconds of our gradient.
    pub adj_s: Option<f64>,
    /// Seconds of our gradient when the program is differentiated before optimisation.
    pub ref_s: Option<f64>,
    /// Seconds of the hand-written adjoint.
    pub hand_s: Option<f64>,
    /// Seconds of the gradients of other tools; `null` if one failed or was wrong.
    pub peers: BTreeMap<String, Option<f64>>,
    /// The most bytes that our gradient had on the heap: its tape, and what the program itself allocates.
    pub tape_bytes: Option<f64>,
    /// The same of the hand-written adjoint.
    pub hand_bytes: Option<f64>,
    /// Distance between the quartiles of our times, relative to the median.
    pub spread: Option<f64>,
    /// Our answers are right: those of the sample by the oracle, all components of this input by the hand-written adjoint.
    pub checked: bool,
    /// The largest difference from the hand-written adjoint in units of the last place (of the component, or of a thousandth of the
    /// largest component).
    pub max_ulp: Option<f64>,
    /// What went wrong, of ours and of others.
    pub problems: Vec<String>,
}

/// The table.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// The rows.
    pub rows: Vec<Row>,
    /// Geometric means of ratios; over the inputs of a program first, then over programs. `ref_per_ours` and `ours_per_primal` are over
    /// the paper's seven.
    pub geomean: BTreeMap<String, f64>,
    /// What was not measured, and why.
    pub notes: Vec<String>,
}

/// Called with what is being done.
pub type Watcher<'a> = &'a dyn Fn(&str);

/// How long one run of a program may take.
const LIMIT: Duration = Duration::from_secs(300);

/// Measures the table.
pub fn run(options: &Options, watch: Watcher) -> Result<Table, Error> {
    let mut chosen: Vec<&Program> = PROGRAMS.iter().collect();
    if !options.only.is_empty() {
        let unknown = |name: &String| Error::Usage(format!("no program `{name}`; there are\n{}", programs::list()));
        let found: Result<Vec<_>, _> =
            options.only.iter().map(|n| programs::named(n).ok_or_else(|| unknown(n))).collect();
        chosen = found?;
    }
    let io = |source| Error::Io { action: "write the programs".to_owned(), source };
    let folder = tempfile::Builder::new().prefix("adj-repro-").tempdir().map_err(io)?;
    programs::unpack(folder.path()).map_err(io)?;
    build::meter(folder.path()).map_err(Error::Unsupported)?;
    let (variants, notes) = variants(folder.path(), options)?;
    let mut rows = Vec::new();
    for program in chosen {
        rows.extend(of_program(folder.path(), program, &variants, options.quick, watch));
    }
    // A tool that is not there has a column, so that nobody takes its absence for a choice.
    for row in &mut rows {
        for tool in &options.tools {
            row.peers.entry(tool.name().to_owned()).or_insert(None);
        }
    }
    let geomean = means(&rows);
    Ok(Table { rows, geomean, notes })
}

/// Whose gradients are measured, and what is not and why.
fn variants(folder: &Path, options: &Options) -> Result<(Vec<Variant>, Vec<String>), Error> {
    let mut variants = vec![Variant::Ours(Pipeline::Enzyme), Variant::Ours(Pipeline::Ref)];
    let mut notes = Vec::new();
    for tool in &options.tools {
        match tool.missing(folder) {
            None => variants.push(Variant::Overloaded(*tool)),
            Some(why) => notes.push(format!("{}: not measured: {why}", tool.name())),
        }
    }
    variants.extend(options.peers.iter().cloned().map(Variant::Peer));
    let twice = |at: &usize| variants[..*at].iter().any(|v| v.name() == variants[*at].name());
    match (0..variants.len()).find(twice) {
        Some(at) => Err(Error::Usage(format!("there are two columns `{}`", variants[at].name()))),
        None => Ok((variants, notes)),
    }
}

/// The oracle's judgement of the sample.
fn judged(folder: &Path, program: &Program) -> Result<(), String> {
    let args = ["check".to_owned(), program.sample.to_string()];
    let check = adjudicate::check(folder.join(program.file)).levels(["O2"]).args(args);
    let report = check.run().map_err(|error| error.to_string())?;
    let gradients: usize = report.levels.iter().map(|level| level.gradients.len()).sum();
    match report.severity() <= Severity::Note && gradients > 0 {
        true => Ok(()),
        false => Err(format!("the oracle says of the sample: {}", report.verdict)),
    }
}

fn of_program(folder: &Path, program: &Program, variants: &[Variant], quick: bool, watch: Watcher) -> Vec<Row> {
    watch(&format!("{}: judging a sample", program.name));
    let oracle = judged(folder, program);
    watch(&format!("{}: building", program.name));
    let built: Vec<_> = variants.iter().map(|variant| build::build(folder, program, variant)).collect();
    let inputs = if quick { program.quick } else { program.inputs };
    let mut rows = Vec::new();
    for size in inputs {
        watch(&format!("{} {size}: measuring", program.name));
        let mut samples: Vec<Result<Sample, String>> = built
            .iter()
            .map(|b| b.as_ref().map(|_| Sample::default()).map_err(|e| format!("cannot be built: {e}")))
            .collect();
        let (turns, rounds) = if quick { (3, 3) } else { (5, 5) };
        for _ in 0..turns {
            for (sample, executable) in samples.iter_mut().zip(&built) {
                if let (Ok(so_far), Ok((path, _))) = (&mut *sample, executable)
                    && let Err(error) = measure::run(path, *size, rounds, LIMIT, so_far)
                {
                    *sample = Err(error);
                }
            }
        }
        rows.push(row(program, *size, &oracle, variants, &samples));
    }
    rows
}

fn row(
    program: &Program,
    size: u64,
    oracle: &Result<(), String>,
    variants: &[Variant],
    samples: &[Result<Sample, String>],
) -> Row {
    let mut problems: Vec<String> = oracle.as_ref().err().cloned().into_iter().collect();
    // Of a wrong answer no time is told.
    let ours = samples[0].as_ref().ok().filter(|_| oracle.is_ok());
    let reference = samples[1].as_ref().ok().filter(|_| oracle.is_ok());
    let mut peers = BTreeMap::new();
    for (variant, sample) in variants.iter().zip(samples) {
        let name = variant.name();
        problems.extend(sample.as_ref().err().map(|error| format!("{name}: {error}")));
        if !matches!(variant, Variant::Ours(_)) {
            peers.insert(name.to_owned(), sample.as_ref().ok().map(|s| s.medians()[1]));
        }
    }
    Row {
        bench: program.name.to_owned(),
        input: size,
        primal_s: ours.map(|s| s.medians()[0]),
        adj_s: ours.map(|s| s.medians()[1]),
        ref_s: reference.map(|s| s.medians()[1]),
        hand_s: ours.map(|s| s.medians()[2]),
        peers,
        tape_bytes: ours.map(|s| s.peak[1]),
        hand_bytes: ours.map(|s| s.peak[2]),
        spread: ours.map(Sample::spread),
        checked: ours.is_some(),
        max_ulp: ours.map(|s| s.max_ulp),
        problems,
    }
}

/// A ratio of each program (the geometric mean over its inputs), and of these the mean.
fn mean_of(rows: &[Row], of_paper: bool, ratio: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
    let programs = PROGRAMS.iter().filter(|p| !of_paper || p.paper.is_some());
    let each = programs.filter_map(|p| {
        let ratios: Vec<f64> = rows.iter().filter(|r| r.bench == p.name).filter_map(&ratio).collect();
        (!ratios.is_empty()).then(|| geomean(ratios))
    });
    let each: Vec<f64> = each.collect();
    (!each.is_empty()).then(|| geomean(each))
}

fn means(rows: &[Row]) -> BTreeMap<String, f64> {
    let mut out = BTreeMap::new();
    let mut put = |name: &str, value: Option<f64>| out.extend(value.map(|v| (name.to_owned(), v)));
    put("ref_per_ours", mean_of(rows, true, |r| Some(r.ref_s? / r.adj_s?)));
    put("hand_per_ours", mean_of(rows, false, |r| Some(r.hand_s? / r.adj_s?)));
    put("ours_per_primal", mean_of(rows, true, |r| Some(r.adj_s? / r.primal_s?)));
    let peers: Vec<&String> = rows.iter().flat_map(|r| r.peers.keys()).collect();
    for peer in peers {
        put(&format!("{peer}_per_ours"), mean_of(rows, false, |r| Some((*r.peers.get(peer)?)? / r.adj_s?)));
    }
    out
}

impl Table {
    /// The table as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The table as text.
    pub fn to_text(&self) -> String {
        let peers: Vec<&String> = self.rows.first().map(|r| r.peers.keys().collect()).unwrap_or_default();
        let mut out =
            format!("{:<6} {:>8} {:>10} {:>10} {:>10} {:>10}", "bench", "input", "primal", "ours", "ref", "hand");
        for peer in &peers {
            out += &format!(" {peer:>10}");
        }
        out += &format!(
            " {:>8} {:>9} {:>8} {:>9} {:>9} {:>7} {:>8}\n",
            "ref/ours", "hand/ours", "ours/pr", "tape", "by hand", "spread", "ULP"
        );
        let seconds = |s: Option<f64>| s.map_or("-".to_owned(), |s| format!("{:.3} ms", s * 1e3));
        let ratio = |a: Option<f64>, b: Option<f64>| a.zip(b).map_or("-".to_owned(), |(a, b)| format!("{:.2}", a / b));
        let bytes = |b: Option<f64>| b.map_or("-".to_owned(), |b| format!("{:.2} MB", b / 1e6));
        for r in &self.rows {
            let [primal, ours, reference, hand] = [r.primal_s, r.adj_s, r.ref_s, r.hand_s].map(seconds);
            out += &format!("{:<6} {:>8} {primal:>10} {ours:>10} {reference:>10} {hand:>10}", r.bench, r.input);
            for peer in &peers {
                out += &format!(" {:>10}", seconds(r.peers.get(*peer).copied().flatten()));
            }
            out += &format!(
                " {:>8} {:>9} {:>8} {:>9} {:>9} {:>7} {:>8}\n",
                ratio(r.ref_s, r.adj_s),
                ratio(r.hand_s, r.adj_s),
                ratio(r.adj_s, r.primal_s),
                bytes(r.tape_bytes),
                bytes(r.hand_bytes),
                r.spread.map_or("-".to_owned(), |s| format!("{:.0} %", s * 100.0)),
                r.max_ulp.map_or("-".to_owned(), |u| format!("{u:.0}")),
            );
        }
        out.push('\n');
        for (name, value) in &self.geomean {
            out += &format!("geometric mean {}: {value:.2}\n", name.replace("_per_", " / "));
        }
        for note in &self.notes {
            out += &format!("{note}\n");
        }
        for row in &self.rows {
            for problem in &row.problems {
                out += &format!("{} {}: {problem}\n", row.bench, row.input);
            }
        }
        out
    }

    /// Are all of our answers right?
    pub fn is_right(&self) -> bool {
        self.rows.iter().all(|row| row.checked && row.ref_s.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Row {
        Row {
            bench: "ba".to_owned(),
            input: 10,
            primal_s: Some(1.0),
            adj_s: Some(2.0),
            ref_s: Some(8.0),
            hand_s: Some(1.0),
            peers: BTreeMap::from([("other".to_owned(), Some(6.0))]),
            tape_bytes: Some(1e6),
            hand_bytes: Some(0.0),
            spread: Some(0.01),
            checked: true,
            max_ulp: Some(3.0),
            problems: Vec::new(),
        }
    }

    #[test]
    fn means_are_over_inputs_first() {
        let mut rows = vec![example(), example(), example()];
        rows[1].ref_s = Some(2.0);
        rows[2].bench = "gmm".to_owned();
        rows[2].ref_s = Some(4.0);
        // ba: sqrt(4 * 1) = 2, gmm: 2.
        let means = means(&rows);
        assert!((means["ref_per_ours"] - 2.0).abs() < 1e-12);
        assert!((means["hand_per_ours"] - 0.5).abs() < 1e-12);
        assert!((means["other_per_ours"] - 3.0).abs() < 1e-12);
        // What is not in the paper does not count where the paper is compared with.
        rows[2].bench = "hand".to_owned();
        rows[2].ref_s = Some(1e9);
        assert!((super::means(&rows)["ref_per_ours"] - 2.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_wrong_has_no_time() {
        let sample = Ok(Sample { rounds: vec![[1.0, 2.0, 3.0]], ..Sample::default() });
        let variants = [Variant::Ours(Pipeline::Enzyme), Variant::Ours(Pipeline::Ref)];
        let both = [sample.clone(), sample.clone()];
        let good = row(&PROGRAMS[1], 5, &Ok(()), &variants, &both);
        assert_eq!((good.checked, good.adj_s, good.ref_s, good.hand_s), (true, Some(2.0), Some(2.0), Some(3.0)));
        let bad = row(&PROGRAMS[1], 5, &Err("no".to_owned()), &variants, &both);
        assert_eq!((bad.checked, bad.adj_s, bad.ref_s), (false, None, None));
        let bad = row(&PROGRAMS[1], 5, &Ok(()), &variants, &[Err("wrong gradient".to_owned()), sample]);
        assert_eq!((bad.checked, bad.adj_s, bad.problems.len()), (false, None, 1));
        let table =
            Table { rows: vec![good, bad], geomean: BTreeMap::new(), notes: vec!["x: not measured".to_owned()] };
        assert!(!table.is_right() && table.to_text().contains("ours: wrong gradient"));
        assert!(table.to_text().contains("x: not measured"));
    }
}
