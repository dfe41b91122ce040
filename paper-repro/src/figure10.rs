//! After Figure 10 of Moses and Churavy (NeurIPS 2020), of which the drawing itself was not at hand: the systems'
//! gradients beside each other, program by program, each relative to the fastest. The data are those of
//! [`table1`](crate::table1); what had no right answer has no bar.

use crate::measure::geomean;
use crate::outcome::{About, Grid, Outcome};
use crate::plot::{Axis, Kind, Plot};
use crate::programs::PROGRAMS;
use crate::table1::{Row, Table};

/// What it is about.
pub const ABOUT: About = About {
    name: "figure10",
    title: "NeurIPS 2020, Figure 10: relative speed of gradients",
    claim: "The times of Table 1: Enzyme after optimisation is the fastest system, or equal to the fastest, on every \
        program.",
    run: "The programs of table1 with every tool that is there; for each the speed relative to the fastest tool (1 is \
        the fastest).",
    expected: "Ours at 1, or beside the adjoint by hand, for every program.",
    differs: "What the paper draws in its figure is not known here: this drawing is defined by its own text. ADOL-C \
        and Sacado in place of Tapenade and Adept, and the adjoint by hand as one more; hand in addition to the \
        paper's programs. A tool without a bar was not there, failed, or was wrong.",
};

/// The figure.
pub struct Figure10(pub Table);

type Series = (String, Vec<Option<f64>>);

/// Names of the columns of a table with gradients, and how each is had.
pub(crate) fn columns(table: &Table) -> Vec<String> {
    let mut names: Vec<String> = ["ours", "ref", "hand"].map(str::to_owned).to_vec();
    for name in table.rows.iter().flat_map(|r| r.peers.keys()) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Seconds of a column's gradient.
pub(crate) fn seconds(row: &Row, column: &str) -> Option<f64> {
    match column {
        "ours" => row.adj_s,
        "ref" => row.ref_s,
        "hand" => row.hand_s,
        peer => row.peers.get(peer).copied().flatten(),
    }
}

/// The programs of a table, and for each column a value for each of them: the geometric mean over the program's inputs.
pub(crate) fn series(table: &Table, value: impl Fn(&Row, &str) -> Option<f64>) -> (Vec<String>, Vec<Series>) {
    let of = |bench: &str| table.rows.iter().filter(|r| r.bench == bench).collect::<Vec<_>>();
    let groups: Vec<&str> = PROGRAMS.iter().map(|p| p.name).filter(|name| !of(name).is_empty()).collect();
    let mean = |bench: &str, column: &str| {
        let values: Vec<f64> = of(bench).into_iter().filter_map(|row| value(row, column)).collect();
        (!values.is_empty()).then(|| geomean(values))
    };
    let series = columns(table).into_iter().map(|column| {
        let values = groups.iter().map(|bench| mean(bench, &column)).collect();
        (column, values)
    });
    let series = series.collect();
    (groups.into_iter().map(str::to_owned).collect(), series)
}

impl Figure10 {
    fn series(&self) -> (Vec<String>, Vec<Series>) {
        let names = columns(&self.0);
        series(&self.0, |row, column| {
            let all = names.iter().filter_map(|name| seconds(row, name));
            Some(all.fold(f64::INFINITY, f64::min) / seconds(row, column)?)
        })
    }
}

impl Outcome for Figure10 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn to_text(&self) -> String {
        let (groups, series) = self.series();
        let mut out = format!("{:<8}", "");
        groups.iter().for_each(|g| out += &format!(" {g:>8}"));
        out.push('\n');
        for (name, values) in &series {
            out += &format!("{name:<8}");
            values.iter().for_each(|v| out += &format!(" {:>8}", v.map_or("-".to_owned(), |v| format!("{v:.3}"))));
            out.push('\n');
        }
        for note in &self.0.notes {
            out += &format!("{note}\n");
        }
        for row in &self.0.rows {
            row.problems.iter().for_each(|problem| out += &format!("{} {}: {problem}\n", row.bench, row.input));
        }
        out
    }

    fn to_json(&self) -> String {
        let (groups, series) = self.series();
        let speeds: serde_json::Map<_, _> = series.into_iter().map(|(name, values)| (name, values.into())).collect();
        let data = serde_json::json!({ "benches": groups, "relative_speed": speeds, "notes": self.0.notes });
        serde_json::to_string_pretty(&data).unwrap_or_default() + "\n"
    }

    fn grid(&self) -> Grid {
        let (groups, series) = self.series();
        let head = std::iter::once("tool".to_owned()).chain(groups).collect();
        let cell = |v: &Option<f64>| v.map_or(String::new(), |v| format!("{v:.4}"));
        let rows =
            series.iter().map(|(name, values)| std::iter::once(name.clone()).chain(values.iter().map(cell)).collect());
        Grid { head, rows: rows.collect() }
    }

    fn plot(&self) -> Plot {
        let (groups, series) = self.series();
        Plot {
            title: "Gradients relative to the fastest tool".to_owned(),
            x: Axis { label: "program".to_owned() },
            y: Axis { label: "relative speed (fastest = 1)".to_owned() },
            kind: Kind::Bars { groups, series },
        }
    }

    fn is_right(&self) -> bool {
        Outcome::is_right(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table1::tests::example;

    #[test]
    fn the_fastest_is_one_and_a_gap_is_a_gap() {
        let mut rows = vec![example(), example()];
        rows[1].bench = "gmm".to_owned();
        rows[1].peers.insert("other".to_owned(), None);
        let figure = Figure10(Table {
            rows,
            geomean: Default::default(),
            translation: None,
            notes: vec!["x: not measured".to_owned()],
        });
        let (groups, series) = figure.series();
        assert_eq!(groups, ["ba", "gmm"]);
        // hand 1 s, ours 2 s, ref 8 s, other 6 s.
        let of = |name: &str| series.iter().find(|(n, _)| n == name).unwrap().1.clone();
        assert!((of("hand")[0].unwrap() - 1.0).abs() < 1e-12 && (of("ours")[0].unwrap() - 0.5).abs() < 1e-12);
        assert!((of("other")[0].unwrap() - 1.0 / 6.0).abs() < 1e-12 && of("other")[1].is_none());
        assert!(figure.to_text().contains("x: not measured"));
        assert!(figure.to_json().contains("\"relative_speed\""));
        assert_eq!(figure.grid().head, ["tool", "ba", "gmm"]);
    }
}
