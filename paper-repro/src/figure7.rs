//! Figure 7 of Moses and Churavy (NeurIPS 2020): the gradient of a loop that sums a Taylor series, by tools of
//! different kinds.
//!
//! Rust takes part through its LLVM IR: `rustc --emit=llvm-ir` gives a module that `adj cc` links with the C program
//! which differentiates it. That works with a `rustc` whose LLVM is not newer than ours, as LLVM reads what older
//! versions wrote, but not what newer ones do.

use crate::build::{self, LEVEL, Variant};
use crate::measure::{self, Plan, Sample};
use crate::outcome::{About, Grid, Outcome};
use crate::overloaded::Tool;
use crate::plot::{Axis, Kind, Plot};
use crate::programs::{self, Program, Watcher};
use adjudicate::Error;
use adjudicate::driver::Pipeline;
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What it is about.
pub const ABOUT: About = About {
    name: "figure7",
    title: "NeurIPS 2020, Figure 7: the loop of a Taylor series",
    claim: "For 10^7 terms of a Taylor series in Julia, Enzyme takes 0.810 s, Zygote 24.638 s and AutoGrad.jl 609.256 \
        s: tools that record each iteration pay for each.",
    run: "The loop in C (paper-repro/programs/taylor.c) and in Rust (taylor.rs) with our gradient, by hand, and with \
        tools that overload operators (overloaded/taylor.cpp).",
    expected: "Ours close to the primal's time and below that of the tools with tapes; C and Rust alike.",
    differs: "C and Rust in place of Julia, ADOL-C and Sacado in place of Zygote and AutoGrad.jl. The call of pow \
        takes most of the time of every column, so that the tools' overhead shows less than in Julia, where a power to \
        an integer is cheap.",
};

/// The program.
pub const PROGRAM: Program = Program {
    name: "taylor",
    file: "taylor.c",
    what: "sum of x^i / i",
    size: "terms",
    inputs: &[10_000_000],
    quick: &[1_000_000],
    sample: 7,
    paper: None,
};

/// The newest LLVM whose IR is read.
const NEWEST: u32 = 19;

/// One way to a gradient.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Whose.
    pub tool: String,
    /// Seconds of the gradient; `null` if it was not measured.
    pub gradient_s: Option<f64>,
    /// Seconds of the primal in the same executable.
    pub primal_s: Option<f64>,
    /// Why it was not measured.
    pub problem: Option<String>,
}

/// The times.
#[derive(Clone, Debug, Serialize)]
pub struct Figure7 {
    /// Terms of the series.
    pub terms: u64,
    /// The ways.
    pub rows: Vec<Row>,
}

/// Measures; `rustc` is the compiler of Rust.
pub fn run(quick: bool, tools: &[Tool], rustc: &str, watch: Watcher) -> Result<Figure7, Error> {
    let folder = programs::folder()?;
    let folder = folder.path();
    watch("taylor: judging a sample and building");
    let oracle = measure::judged(folder, &PROGRAM);
    let build = |variant: &Variant| build::build(folder, &PROGRAM, variant).map(|(path, _)| path);
    let mut names = vec!["C, ours".to_owned(), "Rust, ours".to_owned()];
    let mut built = vec![oracle.and_then(|()| build(&Variant::Ours(Pipeline::Enzyme))), in_rust(folder, rustc)];
    for tool in tools {
        names.push(format!("C++, {}", tool.name()));
        built.push(tool.missing(folder).map_or_else(|| build(&Variant::Overloaded(*tool)), Err));
    }
    let terms = if quick { PROGRAM.quick[0] } else { PROGRAM.inputs[0] };
    watch(&format!("taylor {terms}: measuring"));
    let samples = measure::interleaved(&built, &terms.into(), Plan::of(quick));
    Ok(Figure7 { terms, rows: rows(&names, &samples) })
}

fn rows(names: &[String], samples: &[Result<Sample, String>]) -> Vec<Row> {
    let row = |(name, sample): (&String, &Result<Sample, String>)| {
        let medians = sample.as_ref().ok().map(Sample::medians);
        Row {
            tool: name.clone(),
            gradient_s: medians.map(|m| m[1]),
            primal_s: medians.map(|m| m[0]),
            problem: sample.as_ref().err().cloned(),
        }
    };
    let mut rows: Vec<Row> = names.iter().zip(samples).map(row).collect();
    let by_hand = samples.first().and_then(|s| s.as_ref().ok()).map(Sample::medians);
    let primal_s = by_hand.map(|m| m[0]);
    rows.push(Row { tool: "C, by hand".to_owned(), gradient_s: by_hand.map(|m| m[2]), primal_s, problem: None });
    rows
}

/// Builds the program with the loop in Rust.
fn in_rust(folder: &Path, rustc: &str) -> Result<PathBuf, String> {
    let mut words = rustc.split_whitespace();
    let program = words.next().ok_or("no command of rustc is given")?;
    let command = || {
        let mut command = Command::new(program);
        command.args(words.clone());
        command
    };
    let asked = command().arg("-vV").output().map_err(|error| format!("`{rustc}` cannot be run: {error}"))?;
    if !asked.status.success() {
        let said = String::from_utf8_lossy(&asked.stderr);
        return Err(format!("`{rustc}` failed: {}", said.lines().next().unwrap_or_default()));
    }
    let version = llvm_version(&String::from_utf8_lossy(&asked.stdout));
    let version = version.ok_or_else(|| format!("`{rustc} -vV` does not tell the version of its LLVM"))?;
    if version > NEWEST {
        return Err(format!(
            "this rustc has LLVM {version}, whose IR LLVM {NEWEST} does not read; name one that does, such as --rustc \
             'rustup run 1.86.0 rustc'"
        ));
    }
    let ir = folder.join("taylor-rust.ll");
    let mut emit = command();
    emit.args(["--edition", "2021", "--crate-type", "lib", "--crate-name", "taylor", "-O"]);
    emit.args(["-C", "no-prepopulate-passes", "-C", "codegen-units=1", "--emit", "llvm-ir", "-o"]);
    build::run(emit.arg(&ir).arg(folder.join("taylor.rs")))?;
    let executable = folder.join("taylor-in-rust");
    let mut arguments: Vec<OsString> = vec![LEVEL.into(), "-DBENCH_RUST".into(), folder.join(PROGRAM.file).into()];
    arguments.extend([ir.into(), folder.join("meter.o").into(), "-lm".into(), "-o".into(), executable.clone().into()]);
    build::by_driver(false, Pipeline::Enzyme, ad::Without::default(), arguments)?;
    Ok(executable)
}

/// The major version of LLVM in what `rustc -vV` prints.
fn llvm_version(said: &str) -> Option<u32> {
    said.lines().find_map(|line| line.strip_prefix("LLVM version: "))?.split('.').next()?.trim().parse().ok()
}

impl Outcome for Figure7 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn to_text(&self) -> String {
        let mut out =
            format!("{} terms\n{:<14} {:>12} {:>12} {:>16}\n", self.terms, "", "gradient", "primal", "gradient/primal");
        let time = |s: Option<f64>| s.map_or("-".to_owned(), |s| format!("{s:.4} s"));
        for r in &self.rows {
            let ratio = r.gradient_s.zip(r.primal_s).map_or("-".to_owned(), |(a, b)| format!("{:.2}", a / b));
            out += &format!("{:<14} {:>12} {:>12} {ratio:>16}\n", r.tool, time(r.gradient_s), time(r.primal_s));
        }
        for r in &self.rows {
            r.problem.iter().for_each(|problem| out += &format!("{}: not measured: {problem}\n", r.tool));
        }
        out
    }

    fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    fn grid(&self) -> Grid {
        let cell = |s: Option<f64>| s.map_or(String::new(), |s| format!("{s:.4e}"));
        let row =
            |r: &Row| vec![r.tool.clone(), cell(r.gradient_s), cell(r.primal_s), r.problem.clone().unwrap_or_default()];
        let head = ["tool", "gradient_s", "primal_s", "problem"].map(str::to_owned).to_vec();
        Grid { head, rows: self.rows.iter().map(row).collect() }
    }

    fn plot(&self) -> Plot {
        let measured = || self.rows.iter().filter(|r| r.gradient_s.is_some());
        let series = vec![
            ("gradient".to_owned(), measured().map(|r| r.gradient_s).collect()),
            ("primal".to_owned(), measured().map(|r| r.primal_s).collect()),
        ];
        Plot {
            title: format!("Taylor series of {} terms", self.terms),
            x: Axis { label: "language and tool".to_owned() },
            y: Axis { label: "time (seconds)".to_owned() },
            kind: Kind::Bars { groups: measured().map(|r| r.tool.clone()).collect(), series },
        }
    }

    fn is_right(&self) -> bool {
        self.rows.first().is_some_and(|ours| ours.gradient_s.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_llvm_of_a_rustc_is_read() {
        assert_eq!(llvm_version("rustc 1.86.0\nrelease: 1.86.0\nLLVM version: 19.1.7\n"), Some(19));
        assert_eq!(llvm_version("rustc 1.86.0\n"), None);
    }

    #[test]
    fn a_rustc_that_is_too_new_or_is_none_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let missing = in_rust(folder.path(), "no-such-rustc").unwrap_err();
        assert!(missing.contains("no-such-rustc"), "{missing}");
        assert!(in_rust(folder.path(), "false").unwrap_err().contains("`false` failed"));
        let newer = folder.path().join("rustc");
        std::fs::write(&newer, "#!/bin/sh\necho 'LLVM version: 99.1.0'\n").unwrap();
        let error = in_rust(folder.path(), &format!("sh {}", newer.display())).unwrap_err();
        assert!(error.contains("LLVM 99") && error.contains("--rustc"), "{error}");
    }

    #[test]
    fn what_is_not_measured_is_told() {
        let sample = Sample { rounds: vec![[1.0, 2.0, 3.0]], ..Sample::default() };
        let names = ["C, ours", "Rust, ours"].map(str::to_owned);
        let figure = Figure7 { terms: 5, rows: rows(&names, &[Ok(sample), Err("too new".to_owned())]) };
        assert!(figure.is_right() && figure.to_text().contains("Rust, ours: not measured: too new"));
        assert_eq!(figure.rows[2].gradient_s, Some(3.0));
        let Kind::Bars { groups, .. } = figure.plot().kind else { panic!("bars") };
        assert_eq!(groups, ["C, ours", "C, by hand"]);
    }
}
