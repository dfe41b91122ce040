//! What each lever of `ad` and of the pipeline is worth: every program is built with all of them, and once without
//! each.

use crate::build::{self, Variant};
use crate::measure::{self, Plan, Sample, geomean};
use crate::outcome::{About, Grid, Outcome};
use crate::plot::{Axis, Kind, Plot};
use crate::programs::{self, Program, Watcher};
use ad::Lever;
use adjudicate::Error;
use adjudicate::driver::Pipeline;
use serde::Serialize;
use std::collections::BTreeMap;

/// What it is about.
pub const ABOUT: About = About {
    name: "ablation",
    title: "What each lever is worth",
    claim: "Differentiation after optimisation is most of the speed (NeurIPS 2020); storing what a minimum cut tells \
        is most of the rest (SC'21, section 4).",
    run: "The programs of table1, built with all levers and without each in turn (adj cc --without LEVER; the last one \
        is --pipeline ref); builds take turns, and every answer is compared with the adjoint by hand before it is \
        timed.",
    expected: "Factors of 1 or more: time without the lever relative to the time with all of them.",
    differs: "The papers vary the order of passes and the cache only; the other levers are this project's own.",
};

/// The lever that is none of differentiation: optimisation comes first.
const EARLY: &str = "optimise-first";

/// One program on one input.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The program.
    pub bench: String,
    /// The size of the input.
    pub input: u64,
    /// Seconds of the gradient with all levers.
    pub all_s: Option<f64>,
    /// The most bytes on the heap with all levers.
    pub tape_bytes: Option<f64>,
    /// Seconds without a lever; `null` if that build failed or was wrong.
    pub without_s: BTreeMap<String, Option<f64>>,
    /// Bytes on the heap without a lever.
    pub without_bytes: BTreeMap<String, Option<f64>>,
    /// What went wrong.
    pub problems: Vec<String>,
}

/// The table.
#[derive(Clone, Debug, Serialize)]
pub struct Ablation {
    /// The levers, in their order.
    pub levers: Vec<String>,
    /// The programs.
    pub rows: Vec<Row>,
}

/// Measures the programs of these names (all if there are none), one input each.
pub fn run(quick: bool, only: &[String], watch: Watcher) -> Result<Ablation, Error> {
    let chosen = programs::chosen(only)?;
    let folder = programs::folder()?;
    let mut variants = vec![Variant::Ours(Pipeline::Enzyme)];
    variants.extend(Lever::ALL.map(|(lever, _)| Variant::Without(lever)));
    variants.push(Variant::Promoted);
    let mut levers: Vec<String> = Lever::ALL.iter().map(|(_, name)| (*name).to_owned()).collect();
    levers.push(EARLY.to_owned());
    let mut rows = Vec::new();
    for program in chosen {
        watch(&format!("{}: building", program.name));
        let oracle = measure::judged(folder.path(), program);
        let built: Vec<_> =
            variants.iter().map(|v| build::build(folder.path(), program, v).map(|(path, _)| path)).collect();
        watch(&format!("{}: measuring", program.name));
        let samples = measure::interleaved(&built, &program.quick[0].into(), Plan::of(quick));
        rows.push(row(program, &oracle, &levers, &samples));
    }
    Ok(Ablation { levers, rows })
}

/// The first sample is that with all levers.
fn row(program: &Program, oracle: &Result<(), String>, levers: &[String], samples: &[Result<Sample, String>]) -> Row {
    let mut problems: Vec<String> = oracle.as_ref().err().cloned().into_iter().collect();
    let names = std::iter::once("ours").chain(levers.iter().map(String::as_str));
    problems.extend(names.zip(samples).filter_map(|(name, s)| Some(format!("{name}: {}", s.as_ref().err()?))));
    let judged = |sample: &Result<Sample, String>| sample.as_ref().ok().filter(|_| oracle.is_ok()).cloned();
    let (all, others) = samples.split_first().map_or((None, [].as_slice()), |(all, others)| (judged(all), others));
    let each = |value: fn(&Sample) -> f64| {
        levers.iter().cloned().zip(others.iter().map(|s| judged(s).as_ref().map(value))).collect()
    };
    Row {
        bench: program.name.to_owned(),
        input: program.quick[0],
        all_s: all.as_ref().map(|s| s.medians()[1]),
        tape_bytes: all.as_ref().map(|s| s.peak[1]),
        without_s: each(|s| s.medians()[1]),
        without_bytes: each(|s| s.peak[1]),
        problems,
    }
}

impl Row {
    /// How much longer the gradient takes without the lever.
    fn factor(&self, lever: &str) -> Option<f64> {
        Some(self.without_s.get(lever).copied().flatten()? / self.all_s?)
    }
}

impl Ablation {
    /// The geometric mean of a lever's factors over the programs.
    fn mean(&self, lever: &str) -> Option<f64> {
        let factors: Vec<f64> = self.rows.iter().filter_map(|r| r.factor(lever)).collect();
        (!factors.is_empty()).then(|| geomean(factors))
    }
}

impl Outcome for Ablation {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn to_text(&self) -> String {
        let cell = |f: Option<f64>| f.map_or("-".to_owned(), |f| format!("{f:.2}"));
        let mut out = format!("{:<15}", "without");
        self.rows.iter().for_each(|r| out += &format!(" {:>7}", r.bench));
        out += &format!(" {:>7}\n", "mean");
        for lever in &self.levers {
            out += &format!("{lever:<15}");
            self.rows.iter().for_each(|r| out += &format!(" {:>7}", cell(r.factor(lever))));
            out += &format!(" {:>7}\n", cell(self.mean(lever)));
        }
        let with = |f: fn(&Row) -> String| self.rows.iter().map(|r| format!(" {:>7}", f(r))).collect::<String>();
        let ms = with(|r| r.all_s.map_or("-".to_owned(), |s| format!("{:.3}", s * 1e3)));
        out += &format!("{:<15}{ms}\n", "with all (ms)");
        let mb = with(|r| r.tape_bytes.map_or("-".to_owned(), |b| format!("{:.2}", b / 1e6)));
        out += &format!("{:<15}{mb}\n", "tape (MB)");
        for r in &self.rows {
            r.problems.iter().for_each(|problem| out += &format!("{} {}: {problem}\n", r.bench, r.input));
        }
        out
    }

    fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    fn grid(&self) -> Grid {
        let head = ["bench", "input", "without", "seconds", "seconds_with_all", "factor", "bytes"];
        let number = |v: Option<f64>| v.map_or(String::new(), |v| format!("{v:.4e}"));
        let line = |r: &Row, lever: &String| {
            let of = |map: &BTreeMap<String, Option<f64>>| number(map.get(lever).copied().flatten());
            let figures = [of(&r.without_s), number(r.all_s), number(r.factor(lever)), of(&r.without_bytes)];
            [r.bench.clone(), r.input.to_string(), lever.clone()].into_iter().chain(figures).collect()
        };
        let rows = self.rows.iter().flat_map(|r| self.levers.iter().map(move |lever| line(r, lever)));
        Grid { head: head.map(str::to_owned).to_vec(), rows: rows.collect() }
    }

    fn plot(&self) -> Plot {
        let factors = |r: &Row| self.levers.iter().map(|lever| r.factor(lever)).collect();
        Plot {
            title: "Time of gradients without a lever".to_owned(),
            x: Axis { label: "time relative to all levers".to_owned() },
            y: Axis { label: "without".to_owned() },
            kind: Kind::Dots {
                rows: self.levers.clone(),
                series: self.rows.iter().map(|r| (r.bench.clone(), factors(r))).collect(),
            },
        }
    }

    fn is_right(&self) -> bool {
        self.rows.iter().all(|r| r.problems.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::PROGRAMS;

    #[test]
    fn factors_are_relative_to_all_levers() {
        let sample = |time: f64| Ok(Sample { rounds: vec![[1.0, time, 3.0]], ..Sample::default() });
        let levers = ["arrays", "reload"].map(str::to_owned);
        let good = row(&PROGRAMS[1], &Ok(()), &levers, &[sample(2.0), sample(5.0), Err("wrong gradient".to_owned())]);
        assert_eq!((good.factor("arrays"), good.factor("reload")), (Some(2.5), None));
        let unjudged = row(&PROGRAMS[1], &Err("no".to_owned()), &levers, &[sample(2.0), sample(5.0), sample(5.0)]);
        assert_eq!((unjudged.all_s, unjudged.factor("arrays")), (None, None));
        let table = Ablation { levers: levers.to_vec(), rows: vec![good] };
        assert!(!table.is_right() && table.to_text().contains("reload: wrong gradient"));
        assert_eq!((table.mean("arrays"), table.grid().rows.len()), (Some(2.5), 2));
    }
}
