//! Pages of the documentation that a program writes: they are committed, and must be what the program writes now.

use crate::process::{self, Failure};
use std::path::Path;

/// A page and the example program whose output it is.
struct Page {
    path: &'static str,
    package: &'static str,
    example: &'static str,
}

const PAGES: &[Page] = &[
    Page { path: "docs/rules.md", package: "rules", example: "reference" },
    Page { path: "verify/proofs.txt", package: "verify", example: "proofs" },
];

/// What the page should say now.
fn current(root: &Path, page: &Page) -> Result<String, Failure> {
    let args = ["run", "-p", page.package, "--example", page.example];
    process::output(&mut process::cargo(root, &args))
}

/// Writes every generated page.
pub fn write(root: &Path) -> Result<(), Failure> {
    for page in PAGES {
        let path = root.join(page.path);
        std::fs::write(&path, current(root, page)?).map_err(|error| Failure::io(&path, &error))?;
    }
    Ok(())
}

/// Refuses a page that is not what its program writes.
pub fn check(root: &Path) -> Result<(), Failure> {
    for page in PAGES {
        let path = root.join(page.path);
        let committed = std::fs::read_to_string(&path).map_err(|error| Failure::io(&path, &error))?;
        if let Some(line) = first_difference(&committed, &current(root, page)?) {
            let name = page.path;
            return Err(Failure::Check(format!("{name}:{line}: not current; run `cargo xtask docs`")));
        }
    }
    Ok(())
}

/// The first line, counted from 1, in which two texts differ.
fn first_difference(a: &str, b: &str) -> Option<usize> {
    if a == b {
        return None;
    }
    let same = a.lines().zip(b.lines()).take_while(|(a, b)| a == b).count();
    Some(same + 1)
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn differences_are_found_where_they_are() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("a\n", "a\nb\n"), Some(2));
        assert_eq!(first_difference("a\nb\n", "a\n"), Some(2));
        assert_eq!(first_difference("a", "a\n"), Some(2));
    }
}
