//! A first look: judges some programs of the corpus, right and wrong, and shows the reports.

use crate::process::{self, Failure};
use std::path::Path;

/// A program of the corpus and the exit code that `adj check` gives for it.
struct Example {
    file: &'static str,
    code: i32,
    about: &'static str,
}

const EXAMPLES: &[Example] = &[
    Example {
        file: "corpus/correct/rosenbrock.c",
        code: 0,
        about: "a first gradient, judged at every optimisation level",
    },
    Example { file: "corpus/correct/linked_list.c", code: 0, about: "a gradient through a list on the heap" },
    Example {
        file: "corpus/kink/rectifier.c",
        code: 0,
        about: "a point where the function has a kink: right, with a note",
    },
    Example {
        file: "corpus/wrong/cache_overwritten_value.c",
        code: 1,
        about: "a gradient by hand that is wrong: the report names the family and the line",
    },
    Example {
        file: "corpus/inaccurate/difference_quotient.c",
        code: 1,
        about: "a difference quotient in place of a derivative",
    },
];

/// Builds `adj` and shows the examples; fails when one does not end as it should.
pub fn run(root: &Path) -> Result<(), Failure> {
    process::run(&mut process::cargo(root, &["build", "--release", "-p", "adj"]))?;
    let mut surprises = Vec::new();
    for example in EXAMPLES {
        let file = example.file;
        eprintln!("\nxtask: {}", example.about);
        let args = ["run", "--quiet", "--release", "-p", "adj", "--", "check"];
        let code = process::exit_code(process::cargo(root, &args).arg(file))?;
        if code != example.code {
            let wanted = example.code;
            surprises.push(format!("{file}: exit code {code}, expected {wanted}"));
        }
    }
    if surprises.is_empty() { Ok(()) } else { Err(Failure::Check(surprises.join("\n"))) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_example_is_there() {
        for example in super::EXAMPLES {
            let path = crate::workspace_root().join(example.file);
            assert!(path.exists(), "{}", example.file);
        }
    }
}
