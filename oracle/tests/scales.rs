//! One component of a gradient is off by 10⁻¹² of itself: it is found and named, whatever its size beside the others,
//! and nothing is found in the gradient without the mistake.
//!
//! Programs are generated, with a fixed seed. Each has a function whose components have relative scales from 10⁻³⁰⁰ to
//! 10³⁰⁰, a gradient by hand, and the same with the mistake. The gradients have literals of their own: doubles that are
//! rounded (`0.1`), and quotients that a compiler folds (`1.0 / 3`) where the function divides. One file has many
//! programs, so that few are compiled.

use adjudicate::report::{Gradient, Report};
use adjudicate::{Verdict, check};
use std::fmt::Write;

/// Generated programs.
const PROGRAMS: usize = 200;
/// Programs in a file.
const TOGETHER: usize = 20;

/// A small generator of repeatable numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// Terms in x, and their derivatives: what the one has as a quotient the other may have as a folded literal.
const TERMS: [(&str, &str); 6] = [
    ("x * x * x / 3.0", "x * x"),
    ("sin(x) / 3.0", "cos(x) * (1.0 / 3.0)"),
    ("x * x * 0.1", "0.2 * x"),
    ("exp(0.3 * x)", "0.3 * exp(0.3 * x)"),
    ("log(x) * 1.7", "1.7 / x"),
    ("sqrt(x) / 7.0", "(0.5 / 7.0) / sqrt(x)"),
];

/// What is expected of a program.
struct Expected {
    /// The component with the mistake.
    component: usize,
    /// Its line.
    line: usize,
}

/// Appends a program with this number to the text, and the calls to those of `main`.
fn program(random: &mut Random, number: usize, text: &mut String, calls: &mut String) -> Expected {
    let few = random.below(4) != 0;
    let count = if few { 2 + random.below(9) } else { 80 + random.below(60) } as usize;
    let guilty = random.below(count as u64) as usize;
    // All scales, some of them close together, or two that are as far apart as can be.
    let (least, most) = match random.below(3) {
        0 => (-300, 300),
        1 => (-12, 12),
        _ => (-150, 40),
    };
    let mut terms = Vec::new();
    for _ in 0..count {
        let scale = least + random.below((most - least + 1) as u64) as i64;
        let (term, derivative) = TERMS[random.below(TERMS.len() as u64) as usize];
        terms.push((format!("1e{scale}"), term, derivative));
    }
    let line = |text: &mut String, what: String| {
        text.push_str(&what);
        text.push('\n');
    };
    line(text, format!("static double f{number}(const double *p) {{ double s = 0, x;"));
    for (i, (scale, term, _)) in terms.iter().enumerate() {
        line(text, format!("  x = p[{i}]; s += {scale} * ({term});"));
    }
    line(text, "  return s; }".to_owned());
    let mut at = 0;
    for (name, by) in [("right", ""), ("wrong", " * 1.000000000001")] {
        line(text, format!("static void {name}{number}(const double *p, double *d, double seed) {{ double x;"));
        for (i, (scale, _, derivative)) in terms.iter().enumerate() {
            let by = if i == guilty { by } else { "" };
            line(text, format!("  x = p[{i}]; d[{i}] += {scale} * ({derivative}){by} * seed;"));
            if i == guilty {
                at = text.lines().count();
            }
        }
        line(text, "}".to_owned());
        let call = format!("__adj_check_gradient((void *)f{number}, (void *){name}{number}, enzyme_dup, p, d, 1.0);");
        let reset = format!("for (int i = 0; i < {count}; i++) {{ p[i] = 0.6 + 0.01 * i; d[i] = 0; }}");
        writeln!(calls, "  {reset} {call}").unwrap();
    }
    Expected { component: guilty, line: at }
}

fn file(first: usize, random: &mut Random) -> (Report, Vec<Expected>) {
    let mut text = "#include \"adj.h\"\n#include <math.h>\n".to_owned();
    let mut calls = String::new();
    let expected = (first..first + TOGETHER).map(|n| program(random, n, &mut text, &mut calls)).collect();
    write!(text, "int main(void) {{ static double p[160], d[160];\n{calls}  return 0; }}\n").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scales.c");
    std::fs::write(&path, text).unwrap();
    (check(&path).levels(["O1"]).run().unwrap(), expected)
}

/// What is the matter with the judgement of a wrong gradient, if anything.
fn missed(gradient: &Gradient, expected: &Expected) -> Option<String> {
    let name = format!("p[{}]", expected.component);
    let disagree: Vec<&str> = gradient.components.iter().filter(|c| !c.agrees).map(|c| c.name.as_str()).collect();
    let line = gradient.finding.as_ref().and_then(|f| f.position.as_ref()).map_or(0, |p| p.line as usize);
    let found = gradient.verdict == Verdict::Wrong && disagree == [name.as_str()] && line == expected.line;
    (!found).then(|| {
        format!(
            "{}: {} {disagree:?} at line {line}, not {name} at {}",
            gradient.gradient, gradient.verdict, expected.line
        )
    })
}

#[test]
fn a_small_error_is_found_at_every_scale() {
    let mut random = Random(25);
    let mut failures = Vec::new();
    for first in (0..PROGRAMS).step_by(TOGETHER) {
        let (report, expected) = file(first, &mut random);
        let gradients = &report.levels[0].gradients;
        assert_eq!(gradients.len(), 2 * TOGETHER, "{report}");
        for (n, expected) in (first..).zip(&expected) {
            let by_name = |name: String| gradients.iter().find(|g| g.gradient == name).expect("judged");
            failures.extend(missed(by_name(format!("wrong{n}")), expected));
            let right = by_name(format!("right{n}"));
            if right.verdict != Verdict::Correct {
                failures.push(format!("right{n}: {}", right.finding.as_ref().map_or("", |f| f.message.as_str())));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), 2 * PROGRAMS, failures.join("\n"));
}

/// A gradient of many components, the function's a sum of `term`s, one off by 10⁻¹².
fn many(count: usize, term: &str, derivative: &str) -> Report {
    let guilty = count / 3;
    let text = format!(
        "#include \"adj.h\"\n#include <math.h>\n#include <stdlib.h>\n\
         static double f(const double *p, int n) {{ double s = 0; for (int i = 0; i < n; i++) {{ double x = p[i]; s \
         += {term}; }} return s; }}\n\
         static void df(const double *p, double *d, int n, double seed) {{ for (int i = 0; i < n; i++) {{ double x = \
         p[i];\n\
         d[i] += ({derivative}) * seed * (i == {guilty} ? 1.000000000001 : 1); }} }}\n\
         int main(void) {{ int n = {count}; double *p = malloc(8 * n), *d = calloc(n, 8);\n\
         for (int i = 0; i < n; i++) p[i] = 1 + i / 65536.0;\n\
         __adj_check_gradient((void *)f, (void *)df, enzyme_dup, p, d, enzyme_const, n, 1.0); free(p); free(d); \
         return 0; }}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.c");
    std::fs::write(&path, text).unwrap();
    check(&path).levels(["O1"]).run().unwrap()
}

#[test]
fn a_small_error_is_found_among_many() {
    for (term, derivative) in [("x * x * x", "3 * x * x"), ("sin(x) / 3.0", "cos(x) * (1.0 / 3.0)")] {
        let count = 20_000;
        let report = many(count, term, derivative);
        let gradient = &report.levels[0].gradients[0];
        let guilty = Expected { component: count / 3, line: 6 };
        assert_eq!(missed(gradient, &guilty), None, "{report}");
        assert_eq!((gradient.basis.components, gradient.component_count), (count, count));
    }
}
