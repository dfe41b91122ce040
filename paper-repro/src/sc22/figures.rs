//! What was measured, and how it is shown.

use crate::figure1::exponent;
use crate::outcome::{About, Grid, Outcome};
use crate::plot::{Axis, Kind, Plot};
use serde::Serialize;

/// What it is about.
pub const ABOUT: About = About {
    name: "sc22",
    title: "SC'22: gradients of parallel programs",
    claim: "Differentiated in the compiler, programs in OpenMP, closures over loops, tasks, MPI and mixtures of \
        them have gradients that are a small multiple of the program's time, and that scale as the program \
        does.",
    run: "Hydrodynamics on a staggered grid of hexahedra, and the docking of a ligand to a protein, in each \
        form (paper-repro/programs/sc22), and the normalisation of a vector by threads, differentiated after \
        and before optimisation.",
    expected: "Gradient/primal of at most 4 (hydrodynamics) and 3 (docking) with any number of threads or \
        processes, and an efficiency of the gradient that is at least 0.9 of the program's; times of the \
        normalisation proportional to n when it is differentiated after optimisation, to n^2 before.",
    differs: "The paper measures LULESH and miniBUDE on many cores; these are programs of our own, written from \
        published schemes of the same computations, on the cores that are there.",
};

/// A form with a team.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Which program.
    pub program: String,
    /// In which form.
    pub form: String,
    /// Processes.
    pub processes: usize,
    /// Threads of each.
    pub threads: usize,
    /// The size of the input.
    pub size: u64,
    /// Numbers that it is differentiated by.
    pub length: u64,
    /// Seconds of the primal.
    pub primal_s: Option<f64>,
    /// Seconds of the gradient.
    pub gradient_s: Option<f64>,
    /// Gradient relative to the primal.
    pub overhead: Option<f64>,
    /// Speedup of the primal over one thread of one process, for each of its threads.
    pub primal_efficiency: Option<f64>,
    /// The same of the gradient.
    pub gradient_efficiency: Option<f64>,
    /// The worst relative difference from central differences.
    pub differences: Option<f64>,
    /// Why it was not measured.
    pub problem: Option<String>,
    /// Was there something missing to measure it with?
    pub missing: bool,
}

/// Times of the normalisation of a vector by its length.
#[derive(Clone, Debug, Serialize)]
pub struct Length {
    /// The length.
    pub n: u64,
    /// Seconds of the primal, in series and by threads.
    pub primal_s: [Option<f64>; 2],
    /// Seconds of the gradient that is differentiated after optimisation.
    pub after_s: [Option<f64>; 2],
    /// Seconds of the gradient that is differentiated before.
    pub before_s: [Option<f64>; 2],
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Sc22 {
    /// Forms with teams.
    pub rows: Vec<Row>,
    /// Lengths of the vector that is normalised.
    pub lengths: Vec<Length>,
    /// What went wrong with it.
    pub problems: Vec<String>,
}

/// Columns of the normalisation.
type Time = fn(&Length) -> Option<f64>;
const COLUMNS: [(&str, Time); 6] = [
    ("primal, series", |l| l.primal_s[0]),
    ("after, series", |l| l.after_s[0]),
    ("before, series", |l| l.before_s[0]),
    ("primal, OpenMP", |l| l.primal_s[1]),
    ("after, OpenMP", |l| l.after_s[1]),
    ("before, OpenMP", |l| l.before_s[1]),
];

impl Sc22 {
    fn exponent(&self, time: Time) -> Option<f64> {
        exponent(&self.lengths.iter().filter_map(|l| Some((l.n as f64, time(l)?))).collect::<Vec<_>>())
    }
}

impl Outcome for Sc22 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn to_text(&self) -> String {
        let mut out = format!(
            "{:<8} {:<15} {:>5} {:>4} {:>12} {:>12} {:>9} {:>11} {:>11} {:>8}\n",
            "program", "form", "size", "p x t", "primal", "gradient", "grad/prim", "eff. primal", "eff. grad.", "ratio"
        );
        let time = |s: Option<f64>| s.map_or("-".to_owned(), |s| format!("{:.3} ms", s * 1e3));
        let number = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.2}"));
        for r in self.rows.iter().filter(|r| r.problem.is_none()) {
            let ratio = r.gradient_efficiency.zip(r.primal_efficiency).map(|(gradient, primal)| gradient / primal);
            let [primal, gradient] = [r.primal_s, r.gradient_s].map(time);
            let [overhead, of_primal, of_gradient, ratio] =
                [r.overhead, r.primal_efficiency, r.gradient_efficiency, ratio].map(number);
            out += &format!(
                "{:<8} {:<15} {:>5} {:>5} {primal:>12} {gradient:>12} {overhead:>9} {of_primal:>11} {of_gradient:>11} \
                 {ratio:>8}\n",
                r.program,
                r.form,
                r.size,
                format!("{}x{}", r.processes, r.threads),
            );
        }
        let mut told: Vec<String> = Vec::new();
        for r in &self.rows {
            let Some(problem) = &r.problem else { continue };
            let line = format!("{}, {}: not measured: {problem}\n", r.program, r.form);
            if !told.contains(&line) {
                told.push(line);
            }
        }
        out += &told.concat();
        out += &format!("\nnormalisation of a vector, microseconds on one thread\n{:>6}", "n");
        COLUMNS.iter().for_each(|(name, _)| out += &format!(" {name:>15}"));
        for l in &self.lengths {
            out += &format!("\n{:>6}", l.n);
            for (_, of) in COLUMNS {
                out += &format!(" {:>15}", of(l).map_or("-".to_owned(), |s| format!("{:.3}", s * 1e6)));
            }
        }
        out += &format!("\n{:>6}", "power");
        COLUMNS.iter().for_each(|(_, of)| out += &format!(" {:>15}", number(self.exponent(*of))));
        out.push('\n');
        self.problems.iter().for_each(|problem| out += &format!("{problem}\n"));
        out
    }

    fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    fn grid(&self) -> Grid {
        let head = [
            "program",
            "form",
            "size",
            "length",
            "processes",
            "threads",
            "primal_s",
            "gradient_s",
            "overhead",
            "primal_efficiency",
            "gradient_efficiency",
            "differences",
            "problem",
        ];
        let cell = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:.4e}"));
        let row = |r: &Row| {
            let counts = [r.size, r.length, r.processes as u64, r.threads as u64].map(|n| n.to_string());
            let cells =
                [r.primal_s, r.gradient_s, r.overhead, r.primal_efficiency, r.gradient_efficiency, r.differences];
            let names = [r.program.clone(), r.form.clone()].into_iter().chain(counts);
            names.chain(cells.map(cell)).chain([r.problem.clone().unwrap_or_default()]).collect()
        };
        Grid { head: head.map(str::to_owned).to_vec(), rows: self.rows.iter().map(row).collect() }
    }

    fn plot(&self) -> Plot {
        let name = |r: &Row| format!("{} {}", r.program, r.form);
        let cores = |r: &Row| r.processes * r.threads;
        let mut groups: Vec<String> = self.rows.iter().filter(|r| r.overhead.is_some()).map(name).collect();
        groups.dedup();
        let mut numbers: Vec<usize> = self.rows.iter().map(cores).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let overhead = |group: &String, number: usize| {
            let here = self.rows.iter().filter(|r| name(r) == *group && cores(r) == number);
            here.filter_map(|r| r.overhead).reduce(f64::min)
        };
        let series = numbers.iter().map(|number| {
            let values = groups.iter().map(|group| overhead(group, *number)).collect();
            (format!("{number} at a time"), values)
        });
        let series = series.collect();
        Plot {
            title: "Gradients of parallel programs".to_owned(),
            x: Axis { label: "gradient time / primal time".to_owned() },
            y: Axis { label: "program and form".to_owned() },
            kind: Kind::Dots { rows: groups, series },
        }
    }

    fn is_right(&self) -> bool {
        self.rows.iter().all(|r| r.missing || r.problem.is_none()) && self.problems.is_empty()
    }
}
