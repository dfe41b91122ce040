//! `cargo xtask tidy`: the rules of the code base that the compiler does not enforce.
//!
//! - Rust files start with `//!` (what the file does, the algorithm, its source), have at most 600 lines (tables and
//!   tests apart) and lines of at most 120 characters. They contain no `todo!`, no disabled test and no `allow` without
//!   a reason; libraries do not print; `unsafe` and the names of libm functions have their files ([`source`]).
//! - Crates, folders and files depend on each other in one direction ([`arrows`], [`layers`], [`circles`]).
//! - Relative links of pages lead somewhere ([`links`]), and their lines are not too wide ([`pages`]).
//!
//! Each check is a function from text to findings, so that its tests can show it a bad text; this file only walks
//! the tree and puts the findings together.

mod arrows;
mod circles;
mod layers;
mod lexer;
mod links;
mod pages;
mod source;

use crate::process::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// By name, what it names.
pub type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Something that breaks a rule of the code base.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The file, relative to the workspace, with `/` between folders.
    pub path: String,
    /// The line, counted from 1; 0 stands for the whole file.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// Runs every check over the workspace at `root`.
pub fn check(root: &Path) -> Result<Vec<Finding>, Failure> {
    let mut paths = Vec::new();
    walk(root, root, &mut paths)?;
    paths.sort();
    let mut findings = Vec::new();
    let (mut page_texts, mut graphs) = (Vec::new(), circles::Graphs::default());
    for path in &paths {
        let name = path.to_string_lossy().replace('\\', "/");
        let Some(kind) = Kind::of(&name) else {
            continue;
        };
        let full = root.join(path);
        let text = std::fs::read_to_string(&full).map_err(|error| Failure::io(&full, &error))?;
        match kind {
            Kind::Rust => {
                findings.extend(source::check(&name, &text));
                findings.extend(layers::check(&name, &text));
                graphs.add(&name, &text);
            }
            Kind::Manifest => findings.extend(arrows::check(&name, &text)),
            Kind::Page => {
                findings.extend(pages::check(&name, &text));
                page_texts.push((name, text));
            }
        }
    }
    findings.extend(links::check(&page_texts, &|path| root.join(path).exists()));
    findings.extend(graphs.check());
    eprintln!("xtask: tidy: {}", graphs.summary());
    Ok(findings)
}

/// What the folders of a crate name, by folder (or file beside `lib.rs`).
pub fn arrows_of_rooms(root: &Path, krate: &str) -> Result<Arrows, Failure> {
    let mut graphs = circles::Graphs::default();
    for path in rust_files(root, &root.join(krate).join("src"))? {
        let full = root.join(&path);
        graphs.add(&path, &std::fs::read_to_string(&full).map_err(|error| Failure::io(&full, &error))?);
    }
    Ok(graphs.rooms(krate))
}

/// What the crates of the workspace depend on, by folder, tests apart.
pub fn arrows_of_crates(root: &Path) -> Result<Arrows, Failure> {
    let mut out = Arrows::new();
    for folder in arrows::folders() {
        let path = root.join(folder).join("Cargo.toml");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        out.insert(folder.to_owned(), arrows::depends_on(&text));
    }
    Ok(out)
}

fn rust_files(root: &Path, folder: &Path) -> Result<Vec<String>, Failure> {
    let mut paths = Vec::new();
    walk(root, folder, &mut paths)?;
    let names = paths.iter().map(|path| path.to_string_lossy().replace('\\', "/"));
    Ok(names.filter(|name| name.ends_with(".rs")).collect())
}

/// The kinds of file that have rules.
enum Kind {
    Rust,
    Manifest,
    Page,
}

impl Kind {
    fn of(path: &str) -> Option<Kind> {
        let (_, name) = path.rsplit_once('/').unwrap_or(("", path));
        match name.rsplit_once('.') {
            Some((_, "rs")) => Some(Kind::Rust),
            Some(("Cargo", "toml")) => Some(Kind::Manifest),
            Some((_, "md")) => Some(Kind::Page),
            _ => None,
        }
    }
}

/// Collects the files below `folder`, relative to `root`; build outputs and hidden folders have no rules.
fn walk(root: &Path, folder: &Path, into: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::io(folder, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| Failure::io(folder, &error))?;
        let name = entry.file_name();
        if name == "target" || name.to_string_lossy().starts_with('.') {
            continue;
        }
        let path = entry.path();
        let kind = entry.file_type().map_err(|error| Failure::io(&path, &error))?;
        if kind.is_dir() {
            walk(root, &path, into)?;
        } else if kind.is_file() {
            into.push(path.strip_prefix(root).unwrap_or(&path).to_path_buf());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_workspace_is_walked_whole() {
        let root = crate::workspace_root();
        let mut paths = Vec::new();
        walk(&root, &root, &mut paths).expect("the workspace can be read");
        for known in ["Cargo.toml", "xtask/src/tidy.rs", "ir/src/lib.rs", "corpus/Cargo.toml"] {
            assert!(paths.iter().any(|path| path == Path::new(known)), "{known} was not visited");
        }
        assert!(!paths.iter().any(|path| path.starts_with("target") || path.starts_with(".git")));
    }

    #[test]
    fn findings_print_as_locations() {
        assert_eq!(Finding::new("a/b.rs", 3, "bad").to_string(), "a/b.rs:3: bad");
        assert_eq!(Finding::new("a/b.rs", 0, "bad").to_string(), "a/b.rs: bad");
    }
}
