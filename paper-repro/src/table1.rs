//! Table 1 of Moses and Churavy (NeurIPS 2020): gradients of seven programs by Enzyme and by the same differentiation
//! before optimisation ("Ref"); here also by hand, and by any other tool.
//!
//! Claim: differentiation after optimisation is 4.2 times as fast as before, in geometric mean over the seven.

use crate::build::{self, Peer, Variant};
use crate::measure::{self, Input, Plan, Sample, geomean};
use crate::outcome::{About, Grid, Outcome};
use crate::overloaded::Tool;
use crate::plot::{Axis, Kind, Plot};
use crate::programs::{self, PROGRAMS, Program, Watcher};
use crate::translation::{self, Translation};
use crate::{adbench, figure10};
use adjudicate::Error;
use adjudicate::driver::Pipeline;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is to be measured.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// One input for each program, and few rounds.
    pub quick: bool,
    /// Only these programs; all if empty.
    pub only: Vec<String>,
    /// The folder of ADBench's input files; where there is none, inputs are generated.
    pub adbench: Option<PathBuf>,
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
    /// The file of ADBench that it is; `null` if it is generated.
    pub file: Option<String>,
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
    /// Our answers are right: those of the sample by the oracle, all components of this input by the hand-written
    /// adjoint.
    pub checked: bool,
    /// The largest difference from the hand-written adjoint in units of the last place (of the component, or of a
    /// thousandth of the largest component).
    pub max_ulp: Option<f64>,
    /// What went wrong, of ours and of others.
    pub problems: Vec<String>,
}

/// The table.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// The rows.
    pub rows: Vec<Row>,
    /// Geometric means of ratios; over the inputs of a program first, then over programs. `ref_per_ours` and
    /// `ours_per_primal` are over the paper's seven.
    pub geomean: BTreeMap<String, f64>,
    /// Compile time of the largest program.
    pub translation: Option<Translation>,
    /// What was not measured, and why.
    pub notes: Vec<String>,
}

/// Measures the table.
pub fn run(options: &Options, watch: Watcher) -> Result<Table, Error> {
    let chosen = programs::chosen(&options.only)?;
    let folder = programs::folder()?;
    let (variants, mut notes) = variants(folder.path(), options)?;
    // What is wrong with files is told before anything is measured.
    let mut inputs = Vec::new();
    for program in &chosen {
        inputs.push(inputs_of(program, options, &mut notes)?);
    }
    watch("compiling the largest program");
    let translation = match translation::measure(folder.path(), &chosen, Plan::of(options.quick).turns as usize) {
        Ok(measured) => Some(measured),
        Err(why) => {
            notes.push(format!("compile time: not measured: {why}"));
            None
        }
    };
    let mut rows = Vec::new();
    for (program, inputs) in chosen.into_iter().zip(inputs) {
        rows.extend(of_program(folder.path(), program, &variants, (&inputs, options.quick), watch));
    }
    // A tool that is not there has a column, so that nobody takes its absence for a choice.
    for row in &mut rows {
        for tool in &options.tools {
            row.peers.entry(tool.name().to_owned()).or_insert(None);
        }
    }
    let geomean = means(&rows);
    Ok(Table { rows, geomean, translation, notes })
}

/// Whose gradients are measured, and what is not and why.
fn variants(folder: &Path, options: &Options) -> Result<(Vec<Variant>, Vec<String>), Error> {
    let mut variants = vec![Variant::Ours(Pipeline::Enzyme), Variant::Ours(Pipeline::Ref), Variant::Promoted];
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

/// The inputs of a program: files of the suite, if there is a folder and the program is of the suite, else generated
/// ones.
fn inputs_of(program: &Program, options: &Options, notes: &mut Vec<String>) -> Result<Vec<Input>, Error> {
    if let Some(folder) = &options.adbench
        && let Some(found) = adbench::inputs(folder, program, options.quick)?
    {
        notes.extend(found.left_out);
        return Ok(found.inputs);
    }
    let sizes = if options.quick { program.quick } else { program.inputs };
    Ok(sizes.iter().map(|size| Input::from(*size)).collect())
}

fn of_program(
    folder: &Path,
    program: &Program,
    variants: &[Variant],
    (inputs, quick): (&[Input], bool),
    watch: Watcher,
) -> Vec<Row> {
    watch(&format!("{}: judging a sample", program.name));
    let oracle = measure::judged(folder, program);
    watch(&format!("{}: building", program.name));
    let build = |variant| build::build(folder, program, variant).map_err(|error| format!("cannot be built: {error}"));
    let built: Vec<_> = variants.iter().map(|variant| build(variant).map(|(path, _)| path)).collect();
    let mut rows = Vec::new();
    for input in inputs {
        watch(&format!("{} {}: measuring", program.name, input.size));
        let samples = measure::interleaved(&built, input, Plan::of(quick));
        rows.push(row(program, input, &oracle, variants, &samples));
    }
    rows
}

fn row(
    program: &Program,
    input: &Input,
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
        input: input.size,
        file: input.file.as_ref().and_then(|f| f.file_name()).map(|name| name.to_string_lossy().into_owned()),
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

/// What it is about.
pub const ABOUT: About = About {
    name: "table1",
    title: "NeurIPS 2020, Table 1: gradients after and before optimisation",
    claim: "Gradients made after optimisation are 4.2 times as fast as those made before, in geometric mean over seven \
        programs.",
    run: "Seven programs and one more, with our gradients after (ours) and before optimisation (ref), by hand, with \
        tools that overload operators, and with any tool that --peer names.",
    expected: "ref / ours of at least 4.2 in geometric mean, with euler and rk4 far above it.",
    differs: "Inputs are generated, of the published shapes and fewer of them; ref is no optimisation at all before \
        differentiation, not even that our differentiation makes values of variables by itself, which the column \
        promoted has; ADOL-C and Sacado stand for Tapenade and Adept.",
};

impl Outcome for Table {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    fn grid(&self) -> Grid {
        let columns = figure10::columns(self);
        let mut head: Vec<String> = ["bench", "input", "primal_s"].map(str::to_owned).to_vec();
        head.extend(columns.iter().map(|c| if c == "ours" { "adj_s".to_owned() } else { format!("{c}_s") }));
        head.extend(["tape_bytes", "hand_bytes", "spread", "checked", "max_ulp"].map(str::to_owned));
        let number = |v: Option<f64>| v.map_or(String::new(), |v| format!("{v:.4e}"));
        let row = |r: &Row| {
            let mut cells = vec![r.bench.clone(), r.input.to_string(), number(r.primal_s)];
            cells.extend(columns.iter().map(|c| number(figure10::seconds(r, c))));
            cells.extend([r.tape_bytes, r.hand_bytes, r.spread].map(number));
            cells.extend([r.checked.to_string(), number(r.max_ulp)]);
            cells
        };
        Grid { head, rows: self.rows.iter().map(row).collect() }
    }

    fn plot(&self) -> Plot {
        let (groups, series) =
            figure10::series(self, |row, column| Some(figure10::seconds(row, column)? / row.primal_s?));
        Plot {
            title: "Time of a gradient relative to its primal".to_owned(),
            x: Axis { label: "program".to_owned() },
            y: Axis { label: "gradient time / primal time".to_owned() },
            kind: Kind::Bars { groups, series },
        }
    }

    fn to_text(&self) -> String {
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
        if let Some(t) = &self.translation {
            let (ours, clang) = (t.adj_s, t.clang_s);
            out += &format!("compile time of {}: {ours:.2} s, clang {clang:.2} s, ratio {:.2}\n", t.bench, t.ratio());
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

    fn is_right(&self) -> bool {
        self.rows.iter().all(|row| row.checked && row.ref_s.is_some())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn example() -> Row {
        Row {
            bench: "ba".to_owned(),
            input: 10,
            file: None,
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
        let good = row(&PROGRAMS[1], &5.into(), &Ok(()), &variants, &both);
        assert_eq!((good.checked, good.adj_s, good.ref_s, good.hand_s), (true, Some(2.0), Some(2.0), Some(3.0)));
        let bad = row(&PROGRAMS[1], &5.into(), &Err("no".to_owned()), &variants, &both);
        assert_eq!((bad.checked, bad.adj_s, bad.ref_s), (false, None, None));
        let bad = row(&PROGRAMS[1], &5.into(), &Ok(()), &variants, &[Err("wrong gradient".to_owned()), sample]);
        assert_eq!((bad.checked, bad.adj_s, bad.problems.len()), (false, None, 1));
        let table = Table {
            rows: vec![good, bad],
            geomean: BTreeMap::new(),
            translation: None,
            notes: vec!["x: not measured".to_owned()],
        };
        assert!(!table.is_right() && table.to_text().contains("ours: wrong gradient"));
        assert!(table.to_text().contains("x: not measured"));
    }
}
