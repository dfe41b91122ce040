//! A first look: judges some right programs and one wrong gradient of the corpus, and shows the reports.

use crate::process::{self, Failure};
use std::path::{Path, PathBuf};

/// A program of the corpus and the exit code that `adj check` gives for it.
struct Example {
    folder: &'static str,
    /// The file to show; where it is gone, the first program of the folder is shown.
    file: &'static str,
    code: i32,
    about: &'static str,
}

const EXAMPLES: &[Example] = &[
    Example {
        folder: "correct",
        file: "rosenbrock.c",
        code: 0,
        about: "a first gradient, judged at every optimisation level",
    },
    Example { folder: "correct", file: "linked_list.c", code: 0, about: "a gradient through memory on the heap" },
    Example {
        folder: "wrong",
        file: "cache_overwritten.c",
        code: 1,
        about: "a wrong gradient: it must be refused, and the report says why",
    },
];

/// The file to show for an example.
fn file_of(root: &Path, example: &Example) -> Result<PathBuf, Failure> {
    let folder = Path::new("corpus").join(example.folder);
    let wanted = folder.join(example.file);
    if root.join(&wanted).exists() {
        return Ok(wanted);
    }
    let all = root.join(&folder);
    let entries = std::fs::read_dir(&all).map_err(|error| Failure::io(&all, &error))?;
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.retain(|name| Path::new(name).extension().is_some_and(|ext| ext == "c"));
    names.sort();
    match names.first() {
        Some(name) => Ok(folder.join(name)),
        None => Err(Failure::Check(format!("{} holds no C program", folder.display()))),
    }
}

/// Builds `adj` and shows the examples; fails when one does not end as it should.
pub fn run(root: &Path) -> Result<(), Failure> {
    process::run(&mut process::cargo(root, &["build", "--release", "-p", "adj"]))?;
    let mut surprises = Vec::new();
    for example in EXAMPLES {
        let file = file_of(root, example)?;
        eprintln!("\nxtask: {}", example.about);
        let args = ["run", "--quiet", "--release", "-p", "adj", "--", "check"];
        let code = process::exit_code(process::cargo(root, &args).arg(&file))?;
        if code != example.code {
            let wanted = example.code;
            surprises.push(format!("{}: exit code {code}, expected {wanted}", file.display()));
        }
    }
    if surprises.is_empty() { Ok(()) } else { Err(Failure::Check(surprises.join("\n"))) }
}
