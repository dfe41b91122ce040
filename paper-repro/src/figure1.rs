//! Figure 1 of Moses and Churavy (NeurIPS 2020): the order of optimisation and differentiation changes the complexity
//! of a gradient.
//!
//! The times are measured over a range of lengths, and the exponent of each is the slope of the line of least squares
//! through the logarithms of its upper half, where loops of a few nanoseconds no longer matter.

use crate::build::{self, Variant};
use crate::measure::{self, Plan, Sample};
use crate::outcome::{About, Grid, Outcome};
use crate::plot::{Axis, Kind, Plot};
use crate::programs::{self, Program, Watcher};
use adjudicate::Error;
use adjudicate::driver::Pipeline;
use serde::Serialize;

/// What it is about.
pub const ABOUT: About = About {
    name: "figure1",
    title: "NeurIPS 2020, Figure 1: optimise, then differentiate",
    claim: "The magnitude of a vector is computed inside the loop that normalises it. Optimised first, it is computed \
        once, and the gradient takes time proportional to n; differentiated first, each iteration has a magnitude to \
        reverse, and the gradient takes time proportional to n^2.",
    run: "paper-repro/programs/normalise.c with both pipelines of adj cc, and an adjoint by hand, for lengths in \
        powers of two.",
    expected: "Exponents near 1 for ours and the adjoint by hand, near 2 for ref.",
    differs: "The paper gives the example without times. The magnitude is a function of its own that is not inlined \
        and is declared to write nothing: LLVM moves a call out of a loop, but not a loop.",
};

/// The program.
pub const PROGRAM: Program = Program {
    name: "normalise",
    file: "normalise.c",
    what: "normalisation of a vector, the magnitude inside the loop",
    size: "length",
    inputs: &[16, 32, 64, 128, 256, 512, 1024, 2048, 4096],
    quick: &[16, 32, 64, 128, 256, 512, 1024],
    sample: 5,
    paper: None,
};

/// One length.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The length.
    pub n: u64,
    /// Seconds of the primal.
    pub primal_s: Option<f64>,
    /// Seconds of our gradient.
    pub adj_s: Option<f64>,
    /// Seconds of our gradient when the program is differentiated before optimisation.
    pub ref_s: Option<f64>,
    /// Seconds of the adjoint by hand.
    pub hand_s: Option<f64>,
    /// What went wrong.
    pub problems: Vec<String>,
}

/// Times against length.
#[derive(Clone, Debug, Serialize)]
pub struct Figure1 {
    /// The lengths.
    pub rows: Vec<Row>,
    /// Exponents of the length.
    pub exponents: Exponents,
}

/// How times grow: with which power of the length.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Exponents {
    /// Ours.
    pub adj: Option<f64>,
    /// Differentiated before optimisation.
    pub r#ref: Option<f64>,
    /// By hand.
    pub hand: Option<f64>,
}

type Time = fn(&Row) -> Option<f64>;

const SERIES: [(&str, Time); 4] =
    [("ref", |r| r.ref_s), ("ours", |r| r.adj_s), ("by hand", |r| r.hand_s), ("primal", |r| r.primal_s)];

/// Measures.
pub fn run(quick: bool, watch: Watcher) -> Result<Figure1, Error> {
    let folder = programs::folder()?;
    watch("normalise: judging a sample and building");
    let oracle = measure::judged(folder.path(), &PROGRAM);
    let built = [Pipeline::Enzyme, Pipeline::Ref].map(Variant::Ours);
    let built: Vec<_> = built.iter().map(|v| build::build(folder.path(), &PROGRAM, v).map(|(path, _)| path)).collect();
    let mut rows = Vec::new();
    for n in if quick { PROGRAM.quick } else { PROGRAM.inputs } {
        watch(&format!("normalise {n}: measuring"));
        let samples = measure::interleaved(&built, &(*n).into(), Plan::of(quick));
        rows.push(row(*n, &oracle, &samples));
    }
    let slope = |time: Time| exponent(&rows.iter().filter_map(|r| Some((r.n as f64, time(r)?))).collect::<Vec<_>>());
    let exponents = Exponents { adj: slope(|r| r.adj_s), r#ref: slope(|r| r.ref_s), hand: slope(|r| r.hand_s) };
    Ok(Figure1 { rows, exponents })
}

fn row(n: u64, oracle: &Result<(), String>, samples: &[Result<Sample, String>]) -> Row {
    let mut problems: Vec<String> = oracle.as_ref().err().cloned().into_iter().collect();
    let names = ["ours", "ref"].iter().zip(samples);
    problems.extend(names.filter_map(|(name, s)| Some(format!("{name}: {}", s.as_ref().err()?))));
    let medians = |at: usize| samples[at].as_ref().ok().filter(|_| oracle.is_ok()).map(Sample::medians);
    let (ours, reference) = (medians(0), medians(1));
    Row {
        n,
        primal_s: ours.map(|m| m[0]),
        adj_s: ours.map(|m| m[1]),
        ref_s: reference.map(|m| m[1]),
        hand_s: ours.map(|m| m[2]),
        problems,
    }
}

/// The slope of the line of least squares through the logarithms of the upper half of the points.
pub(crate) fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let upper: Vec<(f64, f64)> = points[points.len() / 2..].iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = upper.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| upper.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = upper.iter().map(|p| (p.0 - x).powi(2)).sum();
    (upper.len() > 1 && spread > 0.0).then(|| upper.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread)
}

impl Outcome for Figure1 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn to_text(&self) -> String {
        let mut out =
            format!("{:>6} {:>12} {:>12} {:>12} {:>12} {:>8}\n", "n", "primal", "ours", "ref", "hand", "ref/ours");
        let time = |s: Option<f64>| s.map_or("-".to_owned(), |s| format!("{:.3} us", s * 1e6));
        for r in &self.rows {
            let [primal, ours, reference, hand] = [r.primal_s, r.adj_s, r.ref_s, r.hand_s].map(time);
            let ratio = r.ref_s.zip(r.adj_s).map_or("-".to_owned(), |(a, b)| format!("{:.1}", a / b));
            out += &format!("{:>6} {primal:>12} {ours:>12} {reference:>12} {hand:>12} {ratio:>8}\n", r.n);
        }
        let e = self.exponents;
        for (name, slope) in [("ours", e.adj), ("ref", e.r#ref), ("by hand", e.hand)] {
            let slope = slope.map_or("not measured".to_owned(), |s| format!("{s:.2}"));
            out += &format!("exponent of n, {name}: {slope}\n");
        }
        for r in &self.rows {
            r.problems.iter().for_each(|problem| out += &format!("{}: {problem}\n", r.n));
        }
        out
    }

    fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    fn grid(&self) -> Grid {
        let head = ["n", "primal_s", "adj_s", "ref_s", "hand_s"].map(str::to_owned).to_vec();
        let cell = |s: Option<f64>| s.map_or(String::new(), |s| format!("{s:.4e}"));
        let row = |r: &Row| {
            std::iter::once(r.n.to_string()).chain([r.primal_s, r.adj_s, r.ref_s, r.hand_s].map(cell)).collect()
        };
        Grid { head, rows: self.rows.iter().map(row).collect() }
    }

    fn plot(&self) -> Plot {
        let points = |time: Time| self.rows.iter().filter_map(|r| Some((r.n as f64, time(r)? * 1e6))).collect();
        Plot {
            title: "Normalisation of a vector: gradient by order of passes".to_owned(),
            x: Axis { label: "length n".to_owned() },
            y: Axis { label: "time (microseconds)".to_owned() },
            kind: Kind::Lines(SERIES.iter().map(|(name, time)| ((*name).to_owned(), points(*time))).collect()),
        }
    }

    fn is_right(&self) -> bool {
        self.rows.iter().all(|r| r.adj_s.is_some() && r.ref_s.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exponent_is_that_of_the_upper_half() {
        let square: Vec<(f64, f64)> = (1..9).map(|k| (f64::from(k), 3.0 * f64::from(k).powi(2))).collect();
        assert!((exponent(&square).unwrap() - 2.0).abs() < 1e-9);
        // What is constant below and linear above is linear.
        let bent: Vec<(f64, f64)> = (1..9).map(|k| (f64::from(k), f64::from(k.max(4)))).collect();
        assert!((exponent(&bent).unwrap() - 1.0).abs() < 1e-9);
        assert_eq!((exponent(&[]), exponent(&[(1.0, 1.0)])), (None, None));
    }

    #[test]
    fn a_wrong_answer_has_no_time() {
        let sample = Sample { rounds: vec![[1.0, 2.0, 3.0]], ..Sample::default() };
        let good = row(8, &Ok(()), &[Ok(sample.clone()), Err("wrong gradient".to_owned())]);
        assert_eq!((good.primal_s, good.adj_s, good.ref_s, good.hand_s), (Some(1.0), Some(2.0), None, Some(3.0)));
        let unjudged = row(8, &Err("no".to_owned()), &[Ok(sample.clone()), Ok(sample)]);
        assert_eq!((unjudged.adj_s, unjudged.ref_s, unjudged.problems.len()), (None, None, 1));
        let figure = Figure1 { rows: vec![good], exponents: Exponents { adj: Some(1.0), r#ref: None, hand: None } };
        assert!(!figure.is_right() && figure.to_text().contains("ref: wrong gradient"));
        assert_eq!(figure.grid().to_csv().lines().count(), 2);
    }
}
