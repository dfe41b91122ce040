//! Rules for single Rust files.

use super::Finding;
use super::lexer::{self, Source};

/// The longest a file may be; tables and tests may be longer.
const LONGEST: usize = 600;

/// The widest a line may be, in characters.
const WIDEST: usize = 120;

/// Crates whose code is a library: it returns diagnostics and prints nothing.
const LIBRARIES: &[&str] = &["ir", "rules", "llvm", "interp", "ad", "oracle", "verify", "fuzz", "corpus"];

/// Words that no code may contain.
const FORBIDDEN: &[(&str, &str)] = &[
    ("todo!", "unfinished code; return an error value that says what is unsupported"),
    ("unimplemented!", "unfinished code; return an error value that says what is unsupported"),
    ("should_panic", "assert on the error value instead"),
    ("dbg!", "left over from debugging"),
];

const PRINTING: &[&str] = &["println!", "eprintln!", "print!", "eprint!"];

/// Checks one file.
pub fn check(path: &str, text: &str) -> Vec<Finding> {
    let source = lexer::split(text);
    let mut findings = Vec::new();
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    if !first.starts_with("//!") {
        findings.push(Finding::new(path, 1, "a file starts with `//!`: what it does, and its source"));
    }
    let lines = text.lines().count();
    if lines > LONGEST && !is_table(path) && !is_test(path) {
        findings.push(Finding::new(path, 0, format!("{lines} lines; a file has at most {LONGEST}")));
    }
    findings.extend(wide(path, text, &source.in_tests));
    findings.extend(words(path, &source));
    findings.extend(attributes(path, &source));
    findings.extend(math_names(path, &source));
    findings
}

/// Lines that are too wide; rows of tables in comments, examples for users, and literals that cannot be broken may be.
fn wide(path: &str, text: &str, in_tests: &[bool]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| line.chars().count() > WIDEST) {
        let comment = line.trim_start().strip_prefix("//").map(|comment| comment.trim_start_matches(['/', '!', ' ']));
        let may_be_wide = match comment {
            Some(comment) => comment.starts_with('|') || comment.contains('"'),
            None => line.contains('"') || in_tests[index] || is_table(path) || is_test(path),
        };
        if !may_be_wide {
            let message = format!("{} characters; a line has at most {WIDEST}", line.chars().count());
            findings.push(Finding::new(path, index + 1, message));
        }
    }
    findings
}

/// The files of the derivative table.
fn is_table(path: &str) -> bool {
    path.starts_with("rules/src/table/") || path == "rules/src/table.rs"
}

/// Files that hold tests, examples or benchmarks only; the library of `benches` is not one of them.
fn is_test(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or("");
    if let ["benches", rest @ ..] = parts.as_slice() {
        return rest.first() != Some(&"src");
    }
    name == "tests.rs" || parts.iter().any(|part| matches!(*part, "tests" | "examples"))
}

/// Code that may be `unsafe`: the file that declares the host's C library (LLVM is run, not linked), the one that calls
/// a user's native libraries, the one that loads gradients into the process, their tests, and examples for users whose
/// own core is in C.
fn may_be_unsafe(path: &str) -> bool {
    // Programs of the corpus call what has no body.
    path.starts_with("corpus/rust/")
        || matches!(
            path,
            "interp/src/host.rs"
                | "interp/src/bridge.rs"
                | "oracle/src/native/foreign.rs"
                | "oracle/tests/native.rs"
                | "oracle/tests/native_memory.rs"
                | "examples/minimise/src/lib.rs"
        )
        || path.starts_with("examples/build-script/")
}

/// Whether `word` stands in `line` with no letter, digit or underscore beside it.
fn has_word(line: &str, word: &str) -> bool {
    let of_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + word.len()..].chars().next();
        let ends_open = word.ends_with(of_word);
        !(before.is_some_and(of_word) || ends_open && after.is_some_and(of_word))
    })
}

fn words(path: &str, source: &Source) -> Vec<Finding> {
    let crate_folder = path.split('/').next().unwrap_or("");
    let silent = LIBRARIES.contains(&crate_folder) && path.contains("/src/");
    let mut findings = Vec::new();
    for (index, line) in source.code.iter().enumerate() {
        let mut add = |message: String| findings.push(Finding::new(path, index + 1, message));
        for (word, why) in FORBIDDEN {
            if has_word(line, word) {
                add(format!("`{word}`: {why}"));
            }
        }
        if has_word(line, "unsafe") && !may_be_unsafe(path) {
            add("`unsafe` belongs to `interp/src/host.rs`, `interp/src/bridge.rs` and `oracle/src/native/foreign.rs` \
                alone"
                .to_owned());
        }
        for word in PRINTING.iter().filter(|word| silent && has_word(line, word)) {
            add(format!("`{word}`: a library returns its messages"));
        }
    }
    findings
}

/// Attributes: every `allow` and `expect` says why, and no test is switched off.
fn attributes(path: &str, source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, text) in attribute_texts(source) {
        if has_word(&text, "ignore") {
            findings.push(Finding::new(path, line, "`ignore`: a test runs or does not exist"));
        }
        for word in ["allow", "expect"] {
            let quiets = text.contains(&format!("[{word}(")) || text.contains(&format!(", {word}("));
            if quiets && !has_word(&text, "reason") {
                findings.push(Finding::new(path, line, format!("`{word}` needs a `reason = \"...\"`")));
            }
        }
    }
    findings
}

/// Each attribute of the code with its line, brackets included and joined into one line.
fn attribute_texts(source: &Source) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String, usize)> = None;
    for (index, line) in source.code.iter().enumerate() {
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            if open.is_none() {
                let inner = c == '#' && chars.peek() == Some(&'!');
                if inner {
                    chars.next();
                }
                if c == '#' && chars.peek() == Some(&'[') {
                    open = Some((index + 1, String::new(), 0));
                }
                continue;
            }
            if let Some((start, text, depth)) = &mut open {
                text.push(c);
                match c {
                    '[' => *depth += 1,
                    ']' => *depth -= 1,
                    _ => {}
                }
                if *depth == 0 {
                    found.push((*start, std::mem::take(text)));
                    open = None;
                }
            }
        }
    }
    found
}

/// Stems of libm's functions. `f` and `l` may follow.
const MATH: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "cospi",
    "erf",
    "erfc",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "llrint",
    "llround",
    "modf",
    "nearbyint",
    "nextafter",
    "powi",
    "remainder",
    "remquo",
    "rint",
    "roundeven",
    "scalbln",
    "scalbn",
    "sincos",
    "sinh",
    "sinpi",
    "sqrt",
    "tanh",
    "tgamma",
    "j0",
    "j1",
    "jn",
    "y0",
    "y1",
    "yn",
    "sin",
    "tan",
    "pow",
];

/// Whether a text is the name of a libm function.
fn is_math_name(text: &str) -> bool {
    let stem = |end: &str| text.strip_suffix(end).is_some_and(|stem| MATH.contains(&stem));
    stem("") || stem("f") || stem("l")
}

/// What a function is called in libm is the table's knowledge; everybody else asks the table. The crate `ir` is
/// not read: it prints LLVM's keywords, and two of those are `fmin` and `fmax`.
fn math_names(path: &str, source: &Source) -> Vec<Finding> {
    let folder = path.split('/').next().unwrap_or("");
    let scanned = LIBRARIES.contains(&folder) && folder != "ir";
    if !scanned || is_table(path) || is_test(path) || path == "interp/src/host.rs" {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (line, text) in &source.strings {
        let tested = source.in_tests.get(line - 1).copied().unwrap_or(false);
        if is_math_name(text) && !tested {
            let message = format!("\"{text}\": names of libm functions stand in `rules/src/table` alone");
            findings.push(Finding::new(path, *line, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        check(path, text).iter().map(Finding::to_string).collect()
    }

    fn body(text: &str) -> String {
        format!("//! About.\n{text}")
    }

    #[test]
    fn a_file_says_what_it_is() {
        assert_eq!(findings("ir/src/a.rs", "//! About.\n"), [""; 0]);
        assert_eq!(findings("ir/src/a.rs", "// about\n").len(), 1);
        assert_eq!(findings("ir/src/a.rs", "use x;\n//! late\n").len(), 1);
        assert_eq!(findings("ir/src/a.rs", "").len(), 1);
    }

    #[test]
    fn long_files_are_found_and_tables_and_tests_exempt() {
        let long = body(&"\n".repeat(LONGEST));
        let exact = body(&"\n".repeat(LONGEST - 1));
        assert_eq!(findings("ir/src/a.rs", &long), ["ir/src/a.rs: 601 lines; a file has at most 600"]);
        assert_eq!(findings("ir/src/a.rs", &exact), [""; 0]);
        for path in ["rules/src/table/trig.rs", "ir/tests/a.rs", "ir/src/a/tests.rs"] {
            assert_eq!(findings(path, &long), [""; 0], "{path}");
        }
    }

    #[test]
    fn unfinished_code_is_found() {
        assert_eq!(findings("ad/src/a.rs", &body("fn f() { todo!() }")).len(), 1);
        assert_eq!(findings("ad/src/a.rs", &body("fn f() { std::unimplemented!(\"x\") }")).len(), 1);
        assert_eq!(findings("ad/tests/a.rs", &body("#[should_panic]\nfn f() {}")).len(), 1);
        assert_eq!(findings("ad/tests/a.rs", &body("#[ignore = \"slow\"]\nfn f() {}")).len(), 1);
        assert_eq!(findings("ad/src/a.rs", &body("// todo!()\nlet s = \"todo!()\";\nlet ignore = 1;")), [""; 0]);
    }

    #[test]
    fn unsafe_has_one_home() {
        let text = body("fn f() { unsafe { g() } }");
        assert_eq!(
            findings("interp/src/a.rs", &text),
            ["interp/src/a.rs:2: `unsafe` belongs to `interp/src/host.rs`, `interp/src/bridge.rs` and \
                `oracle/src/native/foreign.rs` alone"]
        );
        assert_eq!(findings("interp/src/host.rs", &text), [""; 0]);
        assert_eq!(findings("examples/build-script/src/main.rs", &text), [""; 0]);
        assert_eq!(findings("examples/other/src/lib.rs", &text).len(), 1);
        assert_eq!(findings("ir/src/a.rs", &body("#![deny(unsafe_code)]")), [""; 0]);
    }

    #[test]
    fn silenced_lints_say_why() {
        assert_eq!(
            findings("ir/src/a.rs", &body("#[allow(dead_code)]\nfn f() {}")),
            ["ir/src/a.rs:2: `allow` needs a `reason = \"...\"`"]
        );
        assert_eq!(findings("ir/src/a.rs", &body("#![expect(dead_code)]")).len(), 1);
        assert_eq!(findings("ir/src/a.rs", &body("#[cfg_attr(test, allow(dead_code))]")).len(), 1);
        let good = "#[allow(\n    dead_code,\n    reason = \"read by a macro\"\n)]\nfn f() {}";
        assert_eq!(findings("ir/src/a.rs", &body(good)), [""; 0]);
        assert_eq!(findings("ir/src/a.rs", &body("let a = x.expect(\"y\");")), [""; 0]);
    }

    #[test]
    fn libraries_are_silent() {
        let text = body("fn f() { println!(\"x\"); }");
        assert_eq!(findings("ad/src/a.rs", &text), ["ad/src/a.rs:2: `println!`: a library returns its messages"]);
        assert_eq!(findings("cli/src/main.rs", &text), [""; 0]);
        assert_eq!(findings("rules/examples/reference.rs", &text), [""; 0]);
        assert_eq!(findings("ad/src/a.rs", &body("fn f() { eprint!(\"x\"); dbg!(y); }")).len(), 2);
    }

    #[test]
    fn math_names_stand_in_the_table() {
        let text = body("const NAMES: &[&str] = &[\"tgamma\", \"sinf\", \"fmodl\"];");
        assert_eq!(findings("ad/src/a.rs", &text).len(), 3);
        assert_eq!(findings("rules/src/table/gamma.rs", &text), [""; 0]);
        assert_eq!(findings("interp/src/host.rs", &text), [""; 0]);
        assert_eq!(findings("ad/src/a.rs", &body("let a = [\"fall\", \"sinful\", \"a sin\"];")), [""; 0]);
        let tests = "#[cfg(test)]\nmod tests {\n    const A: &str = \"sinf\";\n}\n";
        assert_eq!(findings("ad/src/a.rs", &body(tests)), [""; 0]);
    }

    #[test]
    fn a_line_is_not_wide() {
        let wide = format!("// {}", "a ".repeat(60));
        let found = findings("ir/src/a.rs", &body(&wide));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with("a line has at most 120"), "{found:?}");
        assert_eq!(findings("ir/src/a.rs", &body(&format!("// | {} |", "a ".repeat(60)))), [""; 0]);
        assert_eq!(findings("ir/src/a.rs", &body(&format!("f(\"{}\");", "a".repeat(120)))), [""; 0]);
    }

    #[test]
    fn every_stem_of_the_list_counts_in_three_widths() {
        for stem in MATH {
            for end in ["", "f", "l"] {
                assert!(is_math_name(&format!("{stem}{end}")), "{stem}{end}");
            }
        }
        assert!(!is_math_name("value"));
    }
}
