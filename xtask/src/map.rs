//! `docs/map.svg`: the crates and the rooms of `interp` and `ad` as layers, drawn from what the code names.
//!
//! A box stands above all that it names; an arrow is left out where a longer way says the same (the transitive
//! reduction of Aho, Garey & Ullman, 1972), so that a picture of sixteen layers can be read.

use crate::process::Failure;
use crate::tidy::{self, Arrows};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// Where the picture is.
const PATH: &str = "docs/map.svg";

/// Writes the picture.
pub fn write(root: &Path) -> Result<(), Failure> {
    let path = root.join(PATH);
    std::fs::write(&path, drawn(root)?).map_err(|error| Failure::io(&path, &error))
}

/// Refuses a picture that is not what the code says now.
pub fn check(root: &Path) -> Result<(), Failure> {
    let path = root.join(PATH);
    let committed = std::fs::read_to_string(&path).map_err(|error| Failure::io(&path, &error))?;
    match committed == drawn(root)? {
        true => Ok(()),
        false => Err(Failure::Check(format!("{PATH}: not current; run `cargo xtask docs`"))),
    }
}

fn drawn(root: &Path) -> Result<String, Failure> {
    let crates = Panel::new("the crates", &tidy::arrows_of_crates(root)?);
    let interp = Panel::new("the rooms of `interp`", &tidy::arrows_of_rooms(root, "interp")?);
    let ad = Panel::new("the folders of `ad`", &tidy::arrows_of_rooms(root, "ad")?);
    Ok(svg(&[crates, interp, ad]))
}

const BOX: (usize, usize) = (104, 30);
const GAP: (usize, usize) = (16, 34);
const MARGIN: usize = 24;

/// Boxes in rows, from the bottom up.
struct Panel {
    title: &'static str,
    rows: Vec<Vec<String>>,
    arrows: Arrows,
}

impl Panel {
    fn new(title: &'static str, arrows: &Arrows) -> Panel {
        let reduced = reduction(arrows);
        let mut rows: Vec<Vec<String>> = Vec::new();
        for name in arrows.keys() {
            let rank = rank(arrows, name);
            rows.resize(rows.len().max(rank + 1), Vec::new());
            rows[rank].push(name.clone());
        }
        Panel { title, rows, arrows: reduced }
    }

    fn width(&self) -> usize {
        let most = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        most * BOX.0 + most.saturating_sub(1) * GAP.0
    }

    fn height(&self) -> usize {
        self.rows.len() * (BOX.1 + GAP.1)
    }

    /// The middle of each box's upper edge.
    fn places(&self, left: usize, height: usize) -> BTreeMap<&str, (usize, usize)> {
        let mut places = BTreeMap::new();
        for (rank, row) in self.rows.iter().enumerate() {
            let width = row.len() * BOX.0 + row.len().saturating_sub(1) * GAP.0;
            let start = left + (self.width() - width) / 2;
            let top = height - MARGIN - rank * (BOX.1 + GAP.1) - BOX.1;
            for (at, name) in row.iter().enumerate() {
                places.insert(name.as_str(), (start + at * (BOX.0 + GAP.0) + BOX.0 / 2, top));
            }
        }
        places
    }
}

/// How many names lie below, along the longest way.
fn rank(arrows: &Arrows, name: &str) -> usize {
    arrows.get(name).into_iter().flatten().map(|below| 1 + rank(arrows, below)).max().unwrap_or(0)
}

/// Is there a way from one name to another?
fn leads(arrows: &Arrows, from: &str, to: &str) -> bool {
    from == to || arrows.get(from).into_iter().flatten().any(|next| leads(arrows, next, to))
}

/// The arrows that no longer way replaces.
fn reduction(arrows: &Arrows) -> Arrows {
    let kept = |from: &str, to: &String| {
        let others = arrows.get(from).into_iter().flatten().filter(|other| *other != to);
        !others.into_iter().any(|other| leads(arrows, other, to))
    };
    let of = |(from, to): (&String, &BTreeSet<String>)| {
        (from.clone(), to.iter().filter(|to| kept(from, to)).cloned().collect())
    };
    arrows.iter().map(of).collect()
}

fn svg(panels: &[Panel]) -> String {
    let height = panels.iter().map(Panel::height).max().unwrap_or(0) + 2 * MARGIN + 20;
    let width = panels.iter().map(|p| p.width() + 2 * MARGIN).sum::<usize>();
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n\
         <defs><marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#667\"/></marker></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
    );
    let mut left = MARGIN;
    for panel in panels {
        panel_svg(&mut out, panel, (left, height));
        left += panel.width() + 2 * MARGIN;
    }
    out.push_str("</svg>\n");
    out
}

fn panel_svg(out: &mut String, panel: &Panel, (left, height): (usize, usize)) {
    let places = panel.places(left, height);
    let middle = left + panel.width() / 2;
    let title = panel.title.replace('`', "");
    let _ = writeln!(out, "<text x=\"{middle}\" y=\"22\" text-anchor=\"middle\" font-weight=\"bold\">{title}</text>");
    for (from, below) in &panel.arrows {
        for to in below {
            let (Some((x, y)), Some((a, b))) = (places.get(from.as_str()), places.get(to.as_str())) else { continue };
            let y = y + BOX.1;
            let half = (b - y) / 2;
            // Around the boxes between, where it would be hidden behind them.
            let side = if b - y > 3 * GAP.1 + 2 * BOX.1 && a.abs_diff(*x) < BOX.0 { BOX.0 } else { 0 };
            let _ = writeln!(
                out,
                "<path d=\"M{x} {y}C{} {} {} {} {a} {b}\" fill=\"none\" stroke=\"#667\" marker-end=\"url(#to)\"/>",
                x + side,
                y + half,
                a + side,
                b - half
            );
        }
    }
    for (name, (x, y)) in &places {
        let (width, tall) = BOX;
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{y}\" width=\"{width}\" height=\"{tall}\" rx=\"5\" fill=\"#eef3fa\" \
             stroke=\"#668\"/><text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
            x - width / 2,
            y + tall / 2 + 5
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(all: &[(&str, &[&str])]) -> Arrows {
        all.iter().map(|(from, to)| ((*from).to_owned(), to.iter().map(|to| (*to).to_owned()).collect())).collect()
    }

    #[test]
    fn an_arrow_that_a_longer_way_replaces_is_left_out() {
        let all = arrows(&[("a", &[]), ("b", &["a"]), ("c", &["a", "b"]), ("d", &["a"])]);
        let expected = arrows(&[("a", &[]), ("b", &["a"]), ("c", &["b"]), ("d", &["a"])]);
        assert_eq!(reduction(&all), expected);
    }

    #[test]
    fn a_box_stands_above_what_it_names() {
        let panel = Panel::new("t", &arrows(&[("a", &[]), ("b", &["a"]), ("c", &["a", "b"]), ("d", &["a"])]));
        assert_eq!(panel.rows, [vec!["a"], vec!["b", "d"], vec!["c"]]);
        let places = panel.places(0, 500);
        assert!(places["c"].1 < places["b"].1 && places["b"].1 < places["a"].1);
        assert_eq!(places["b"].1, places["d"].1);
    }

    #[test]
    fn every_room_is_drawn() {
        let picture = drawn(&crate::workspace_root()).expect("the workspace can be read");
        for name in ["oracle", "paper-repro", "analysis", "pipeline"] {
            assert!(picture.contains(&format!(">{name}</text>")), "{name}");
        }
    }
}
