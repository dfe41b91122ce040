//! Reads a program's expectations and directives from its comments.
//!
//! The text is scanned line by line for the marks `//~` and `adj-…:`; nothing else of the language
//! is understood, so that files which are not C at all can carry directives too.

use crate::{Kind, Program};
use std::path::Path;

/// A verdict expected on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// The line, counted from 1.
    pub line: usize,
    /// The levels it is restricted to; empty for all.
    pub levels: Vec<String>,
    /// The verdict: `wrong`, `kink`, `ub` and so on.
    pub verdict: String,
    /// What follows the colon: a family, or a phrase for the behaviour.
    pub detail: Option<String>,
}

impl Expectation {
    /// Whether it is expected at a level.
    #[must_use]
    pub fn holds_at(&self, level: &str) -> bool {
        self.levels.is_empty() || self.levels.iter().any(|own| own == level)
    }
}

/// Verdicts that an expectation may name: those of the report, and `ub` for a plain program.
const VERDICTS: [&str; 20] = [
    "wrong",
    "inaccurate",
    "kink",
    "convention",
    "ub",
    "ub-in-gradient",
    "protocol",
    "leak",
    "race",
    "deadlock",
    "divergence",
    "address-space",
    "out-of-bounds",
    "uninitialised",
    "message",
    "collective",
    "pending-buffer",
    "library",
    "resource",
    "unsupported",
];

const LEVELS: [&str; 4] = ["O0", "O1", "O2", "O3"];

pub(crate) fn program(path: &Path, kind: Kind, text: &str) -> Result<Program, String> {
    let mut program = Program {
        path: path.to_path_buf(),
        kind,
        levels: LEVELS.map(str::to_owned).to_vec(),
        args: Vec::new(),
        flags: Vec::new(),
        before_differentiation: false,
        exit: kind.exit_code(),
        message: None,
        ranks: None,
        prints: None,
        expectations: Vec::new(),
    };
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let located = |reason: String| format!("line {number}: {reason}");
        if let Some((_, mark)) = line.split_once("//~") {
            let expectation = expectation(number, mark).map_err(located)?;
            program.expectations.push(expectation);
        }
        if let Some((_, rest)) = line.split_once("adj-") {
            directive(&mut program, rest).map_err(located)?;
        }
    }
    Ok(program)
}

fn expectation(line: usize, mark: &str) -> Result<Expectation, String> {
    let mut rest = mark.trim();
    let mut levels = Vec::new();
    if let Some(open) = rest.strip_prefix('[') {
        let (list, after) = open.split_once(']').ok_or_else(|| "a list of levels is not closed".to_owned())?;
        levels = level_list(list)?;
        rest = after.trim();
    }
    let (verdict, detail) = match rest.split_once(':') {
        Some((verdict, detail)) => (verdict.trim(), Some(detail.trim().to_owned())),
        None => (rest, None),
    };
    if !VERDICTS.contains(&verdict) {
        return Err(format!("unknown verdict `{verdict}`"));
    }
    Ok(Expectation { line, levels, verdict: verdict.to_owned(), detail })
}

fn directive(program: &mut Program, text: &str) -> Result<(), String> {
    let Some((name, value)) = text.split_once(':') else {
        return Ok(());
    };
    let value = value.trim().trim_end_matches("*/").trim_end();
    match name {
        "levels" => program.levels = level_list(value)?,
        "args" => program.args = value.split_whitespace().map(str::to_owned).collect(),
        "flags" => program.flags = value.split_whitespace().map(str::to_owned).collect(),
        "passes" if value == "before-differentiation" => program.before_differentiation = true,
        "passes" => return Err(format!("`{value}` are no passes")),
        "exit" => {
            program.exit = value.parse().map_err(|_| format!("`{value}` is no exit code"))?;
        }
        "ranks" => program.ranks = Some(value.parse().map_err(|_| format!("`{value}` is no number of ranks"))?),
        "prints" => program.prints = Some(value.to_owned()),
        "message" => program.message = Some(value.to_owned()),
        other => return Err(format!("unknown directive `adj-{other}`")),
    }
    Ok(())
}

fn level_list(text: &str) -> Result<Vec<String>, String> {
    text.split(',')
        .map(|level| {
            let level = level.trim();
            if LEVELS.contains(&level) { Ok(level.to_owned()) } else { Err(format!("unknown level `{level}`")) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Program, String> {
        program(Path::new("a.c"), Kind::Wrong, text)
    }

    #[test]
    fn an_expectation_has_its_line_its_verdict_and_its_detail() {
        let program = parse("int x;\ny = 1; //~ wrong: stale-shadow\n").unwrap();
        assert_eq!(
            program.expectations,
            [Expectation {
                line: 2,
                levels: Vec::new(),
                verdict: "wrong".to_owned(),
                detail: Some("stale-shadow".to_owned()),
            }]
        );
        assert_eq!(program.levels, LEVELS);
    }

    #[test]
    fn an_expectation_can_be_restricted_to_levels() {
        let program = parse("y = 1; //~ [O1, O3] kink").unwrap();
        let expectation = &program.expectations[0];
        assert!(expectation.holds_at("O3") && !expectation.holds_at("O0"));
        assert_eq!(expectation.detail, None);
    }

    #[test]
    fn directives_replace_the_defaults() {
        let text = "// adj-levels: O0,O2\n// adj-args: 3 x\n// adj-exit: 3\n// adj-passes: before-differentiation\n";
        let program = parse(text).unwrap();
        assert!(program.before_differentiation);
        assert_eq!(program.levels, ["O0", "O2"]);
        assert_eq!(program.args, ["3", "x"]);
        assert_eq!(program.exit, 3);
    }

    #[test]
    fn what_is_malformed_is_refused_with_its_line() {
        assert!(parse("\ny; //~ wrnog: cache").unwrap_err().contains("line 2"));
        assert!(parse("// adj-passes: some").unwrap_err().contains("some"));
        assert!(parse("// adj-level: O0").unwrap_err().contains("adj-level"));
        assert!(parse("// adj-levels: O9").unwrap_err().contains("O9"));
        assert!(parse("// adj-exit: none").is_err());
    }
}
