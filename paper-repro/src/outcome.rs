//! What every reproduction gives: a text, data, a plot, and what it claims; and the files that are made of it.

use crate::plot::Plot;
use adjudicate::Error;
use adjudicate::tools::write_whole;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What a reproduction is about.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What the paper claims.
    pub claim: &'static str,
    /// What is run here.
    pub run: &'static str,
    /// What should come out.
    pub expected: &'static str,
    /// What differs from the paper.
    pub differs: &'static str,
}

/// A grid of texts under headings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// The headings.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// As comma-separated values (RFC 4180).
    pub fn to_csv(&self) -> String {
        let field = |text: &String| match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.clone(),
        };
        let line = |row: &Vec<String>| row.iter().map(field).collect::<Vec<_>>().join(",") + "\n";
        std::iter::once(&self.head).chain(&self.rows).map(line).collect()
    }
}

/// What was measured.
pub trait Outcome {
    /// What it is about.
    fn about(&self) -> &'static About;
    /// For people.
    fn to_text(&self) -> String;
    /// For programs.
    fn to_json(&self) -> String;
    /// For spreadsheets.
    fn grid(&self) -> Grid;
    /// For the eye.
    fn plot(&self) -> Plot;
    /// Are all of our answers right?
    fn is_right(&self) -> bool;
}

/// The files that are to be written.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Data as JSON.
    pub json: Option<PathBuf>,
    /// Data as comma-separated values.
    pub csv: Option<PathBuf>,
    /// The plot as SVG.
    pub svg: Option<PathBuf>,
    /// The plot as PNG.
    pub png: Option<PathBuf>,
    /// A page with everything.
    pub html: Option<PathBuf>,
    /// A folder for all of them.
    pub out: Option<PathBuf>,
}

impl Files {
    /// Can all of them be written? Asked before hours of measurement.
    pub fn check(&self) -> Result<(), Error> {
        if let Some(folder) = &self.out {
            let failed = |source| Error::Io { action: format!("make the folder {}", folder.display()), source };
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        for path in [&self.json, &self.csv, &self.svg, &self.png, &self.html].into_iter().flatten() {
            let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if !parent.is_dir() {
                return Err(Error::Usage(format!("{}: there is no folder {}", path.display(), parent.display())));
            }
        }
        Ok(())
    }

    /// Writes them.
    pub fn write(&self, outcome: &dyn Outcome) -> Result<(), Error> {
        let name = outcome.about().name;
        let at = |own: &Option<PathBuf>, ending: &str| -> Vec<PathBuf> {
            let together = self.out.as_ref().map(|folder| folder.join(format!("{name}.{ending}")));
            own.iter().cloned().chain(together).collect()
        };
        for path in at(&self.json, "json") {
            write_whole(&path, &outcome.to_json())?;
        }
        for path in at(&self.csv, "csv") {
            write_whole(&path, &outcome.grid().to_csv())?;
        }
        for path in at(&self.svg, "svg") {
            write_whole(&path, &outcome.plot().to_svg().map_err(Error::Unsupported)?)?;
        }
        for path in at(&self.png, "png") {
            outcome.plot().write_png(&path).map_err(|why| Error::Unsupported(format!("{}: {why}", path.display())))?;
        }
        for path in at(&self.html, "html") {
            write_whole(&path, &page(outcome)?)?;
        }
        Ok(())
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// One page: claim, plot, table, what differs. It needs no other file.
fn page(outcome: &dyn Outcome) -> Result<String, Error> {
    let about = outcome.about();
    let svg = outcome.plot().to_svg().map_err(Error::Unsupported)?;
    let grid = outcome.grid();
    let cells = |row: &[String], tag: &str| -> String {
        row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect()
    };
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>\n\
         body {{ font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.4 }}\n\
         table {{ border-collapse: collapse; font-size: 80% }}\n\
         td, th {{ border: 1px solid #bbb; padding: 0.2em 0.5em; text-align: right }}\n\
         div.wide {{ overflow-x: auto }}\nsvg {{ max-width: 100%; height: auto }}\npre {{ overflow-x: auto }}\n\
         </style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escaped(about.title)
    );
    let parts = [("Claim", about.claim), ("What is run", about.run), ("Expected", about.expected)];
    for (head, text) in parts.into_iter().chain([("What differs", about.differs)]) {
        // The formatting of a string into a string cannot fail.
        let _ = writeln!(html, "<p><b>{head}.</b> {}</p>", escaped(text));
    }
    let _ = writeln!(html, "<figure>\n{svg}\n</figure>\n<div class=\"wide\"><table>");
    let _ = writeln!(html, "<thead><tr>{}</tr></thead>\n<tbody>", cells(&grid.head, "th"));
    for row in &grid.rows {
        let _ = writeln!(html, "<tr>{}</tr>", cells(row, "td"));
    }
    let _ = writeln!(html, "</tbody>\n</table></div>\n<pre>{}</pre>\n</body>\n</html>", escaped(&outcome.to_text()));
    Ok(html)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Kind};

    const ABOUT: About = About {
        name: "example",
        title: "An example",
        claim: "a < b",
        run: "nothing",
        expected: "2",
        differs: "everything",
    };

    struct Example;

    impl Outcome for Example {
        fn about(&self) -> &'static About {
            &ABOUT
        }
        fn to_text(&self) -> String {
            "text & more\n".to_owned()
        }
        fn to_json(&self) -> String {
            "{}\n".to_owned()
        }
        fn grid(&self) -> Grid {
            Grid {
                head: vec!["n".to_owned(), "why".to_owned()],
                rows: vec![vec!["1".to_owned(), "so, \"so\"".to_owned()]],
            }
        }
        fn plot(&self) -> Plot {
            let axis = |label: &str| Axis { label: label.to_owned() };
            let kind = Kind::Lines(vec![("line".to_owned(), vec![(1.0, 2.0), (3.0, 4.0)])]);
            Plot { title: "t".to_owned(), x: axis("x"), y: axis("y"), kind }
        }
        fn is_right(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_folder_has_every_form() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files { out: Some(folder.path().join("deep/er")), ..Files::default() };
        files.check().unwrap();
        files.write(&Example).unwrap();
        let read = |ending: &str| std::fs::read(folder.path().join(format!("deep/er/example.{ending}"))).unwrap();
        assert_eq!(read("csv"), b"n,why\n1,\"so, \"\"so\"\"\"\n");
        assert_eq!(&read("png")[1..4], b"PNG");
        assert_eq!(read("json"), b"{}\n");
        let html = String::from_utf8(read("html")).unwrap();
        for part in ["a &lt; b", "<svg", "<td>so, \"so\"</td>", "text &amp; more", "everything"] {
            assert!(html.contains(part), "no `{part}` in {html}");
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_before_anything_is_measured() {
        let files = Files { svg: Some("/no/such/folder/x.svg".into()), ..Files::default() };
        assert!(files.check().unwrap_err().to_string().contains("/no/such/folder"));
    }
}
