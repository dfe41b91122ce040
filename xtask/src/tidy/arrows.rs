//! Which crate may depend on which: the arrows of the architecture, read from each `Cargo.toml`.
//!
//! A normal or build dependency follows an arrow of the table below. Tests may look further (a test of the
//! interpreter reads C programs through LLVM), but the interpreter never sees `ad`, not even in a test: the
//! reference must owe nothing to the thing it judges.

use super::Finding;

/// A crate of the workspace.
struct Member {
    folder: &'static str,
    /// Crates of the workspace that it may depend on.
    may_use: &'static [&'static str],
    /// What its tests and benchmarks may use besides.
    tests_may_use: &'static [&'static str],
}

const READERS: &[&str] = &["corpus", "ir", "llvm"];
const ENGINES: &[&str] = &["corpus", "ir", "rules", "llvm", "interp", "ad", "adjudicate", "verify"];
const ALL_ENGINES: &[&str] = &["corpus", "ir", "rules", "llvm", "interp", "ad", "adjudicate", "verify", "fuzz"];

const WITH_REPRO: &[&str] =
    &["corpus", "ir", "rules", "llvm", "interp", "ad", "adjudicate", "verify", "fuzz", "paper-repro"];

const WITH_BENCHES: &[&str] =
    &["corpus", "ir", "rules", "llvm", "interp", "ad", "adjudicate", "verify", "fuzz", "paper-repro", "benches"];

const MEMBERS: &[Member] = &[
    Member { folder: "ir", may_use: &[], tests_may_use: &["corpus"] },
    Member { folder: "rules", may_use: &["ir"], tests_may_use: &[] },
    Member { folder: "llvm", may_use: &["ir"], tests_may_use: &["corpus"] },
    Member { folder: "interp", may_use: &["ir", "rules"], tests_may_use: READERS },
    Member { folder: "ad", may_use: &["ir", "rules"], tests_may_use: &["corpus", "llvm", "interp"] },
    Member { folder: "oracle", may_use: &["ir", "rules", "interp", "ad", "llvm"], tests_may_use: &["corpus"] },
    Member { folder: "verify", may_use: &["ir", "rules", "ad"], tests_may_use: &["corpus", "llvm"] },
    Member { folder: "fuzz", may_use: ENGINES, tests_may_use: &[] },
    Member { folder: "paper-repro", may_use: ALL_ENGINES, tests_may_use: &[] },
    Member { folder: "benches", may_use: WITH_REPRO, tests_may_use: &[] },
    Member { folder: "cli", may_use: WITH_BENCHES, tests_may_use: &[] },
    Member { folder: "corpus", may_use: &[], tests_may_use: &[] },
    Member { folder: "xtask", may_use: &[], tests_may_use: &[] },
    Member { folder: "examples", may_use: &["adjudicate"], tests_may_use: &[] },
];

/// Names under which the crates of the workspace are depended on.
const OURS: &[&str] = &[
    "ir",
    "rules",
    "llvm",
    "interp",
    "ad",
    "adjudicate",
    "verify",
    "fuzz",
    "paper-repro",
    "benches",
    "adj",
    "corpus",
    "xtask",
];

/// Foreign crates that only some of ours may name, by the start of their name: what links a library of the system, what
/// measures.
const RESERVED: &[(&str, &[&str])] = &[
    ("llvm-", &["llvm"]),
    ("inkwell", &["llvm"]),
    ("z3", &["verify"]),
    ("criterion", &["benches"]),
    ("gmp-mpfr-sys", &["rules"]),
    ("rug", &["rules", "interp", "oracle", "verify", "fuzz"]),
    ("libffi", &["interp"]),
    ("libloading", &["interp", "oracle"]),
];

/// Foreign crates that are for tests, each with the crates of ours that may name them elsewhere.
const FOR_TESTS: &[(&str, &[&str])] = &[("llvm-ir", &[]), ("petgraph", &[]), ("proptest", &["fuzz"])];

/// The folders of the crates that are drawn: those that others use, and those that use others.
pub fn folders() -> impl Iterator<Item = &'static str> {
    MEMBERS.iter().map(|member| member.folder).filter(|folder| !["xtask", "examples", "corpus"].contains(folder))
}

/// The folders of the crates of ours that a manifest depends on, for more than tests.
pub fn depends_on(text: &str) -> std::collections::BTreeSet<String> {
    let manifest: toml::Table = text.parse().unwrap_or_default();
    let named = dependencies(&manifest).into_iter().filter(|(_, for_tests)| !for_tests).map(|(name, _)| name);
    let folder = |name: String| if name == "adjudicate" { "oracle".to_owned() } else { name };
    named.map(folder).filter(|name| folders().any(|folder| folder == name)).collect()
}

/// Checks one manifest.
pub fn check(path: &str, text: &str) -> Vec<Finding> {
    let manifest: toml::Table = match text.parse() {
        Ok(manifest) => manifest,
        Err(error) => return vec![Finding::new(path, 0, format!("not TOML: {error}"))],
    };
    let Some(folder) = path.strip_suffix("/Cargo.toml") else {
        return members_are_known(path, &manifest);
    };
    let mut findings = Vec::new();
    let Some(member) = member(folder) else { return findings };
    // An example that is a workspace of its own has nothing to inherit from.
    let stands_alone = folder.starts_with("examples/") && manifest.contains_key("workspace");
    if !stands_alone && !inherits_lints(&manifest) {
        findings.push(Finding::new(path, 0, "needs `[lints] workspace = true`"));
    }
    for (name, for_tests) in dependencies(&manifest) {
        let allowed =
            member.may_use.contains(&name.as_str()) || (for_tests && member.tests_may_use.contains(&name.as_str()));
        let line = line_of(text, &name);
        if OURS.contains(&name.as_str()) && !allowed {
            findings.push(Finding::new(path, line, format!("`{folder}` may not depend on `{name}`")));
        }
        for (start, owners) in RESERVED {
            if name.starts_with(start) && !owners.contains(&folder) {
                let owners: Vec<String> = owners.iter().map(|owner| format!("`{owner}`")).collect();
                let message = format!("only {} may depend on `{name}`", owners.join(", "));
                findings.push(Finding::new(path, line, message));
            }
        }
        let tested = |(foreign, others): &(&str, &[&str])| name == *foreign && !others.contains(&folder);
        if !for_tests && FOR_TESTS.iter().any(tested) {
            findings.push(Finding::new(path, line, format!("only tests may depend on `{name}`")));
        }
    }
    findings
}

/// The row of a folder. Everything below `examples` is a user of the library.
fn member(folder: &str) -> Option<&'static Member> {
    let row = if folder.starts_with("examples/") { "examples" } else { folder };
    MEMBERS.iter().find(|member| member.folder == row)
}

/// Every member of the workspace must have its arrows in the table.
fn members_are_known(path: &str, manifest: &toml::Table) -> Vec<Finding> {
    let members = manifest.get("workspace").and_then(|workspace| workspace.get("members"));
    let members = members.and_then(|members| members.as_array()).cloned().unwrap_or_default();
    let names = members.iter().filter_map(|member| member.as_str());
    let unknown = names.filter(|name| member(name).is_none());
    let finding = |name| Finding::new(path, 0, format!("member `{name}` has no arrows in xtask's table"));
    unknown.map(finding).collect()
}

fn inherits_lints(manifest: &toml::Table) -> bool {
    let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
    lints.and_then(|workspace| workspace.as_bool()) == Some(true)
}

/// The packages depended on, each with whether only tests use it.
fn dependencies(manifest: &toml::Table) -> Vec<(String, bool)> {
    let mut all = Vec::new();
    let mut tables = vec![manifest];
    if let Some(targets) = manifest.get("target").and_then(|target| target.as_table()) {
        tables.extend(targets.values().filter_map(|target| target.as_table()));
    }
    for table in tables {
        for (section, for_tests) in [("dependencies", false), ("build-dependencies", false), ("dev-dependencies", true)]
        {
            let Some(list) = table.get(section).and_then(|section| section.as_table()) else {
                continue;
            };
            for (key, value) in list {
                let package = value.get("package").and_then(|package| package.as_str());
                all.push((package.unwrap_or(key).to_owned(), for_tests));
            }
        }
    }
    all
}

/// The line on which a dependency is named, for the finding; 0 when it is written in some other way.
fn line_of(text: &str, name: &str) -> usize {
    let starts = |line: &str| {
        let rest = line.trim_start().strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(['.', ' ', '=']))
    };
    text.lines().position(starts).map_or(0, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(dependencies: &str) -> String {
        format!("[package]\nname = \"x\"\n{dependencies}\n[lints]\nworkspace = true\n")
    }

    fn messages(path: &str, dependencies: &str) -> Vec<String> {
        check(path, &manifest(dependencies)).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn lints_are_inherited_but_by_an_example_that_stands_alone() {
        let lone = "[package]\nname = \"x\"\n[workspace]\n";
        assert_eq!(check("examples/a/Cargo.toml", lone), []);
        assert_eq!(check("ir/Cargo.toml", lone).len(), 1);
        assert_eq!(check("examples/a/Cargo.toml", "[package]\nname = \"x\"\n").len(), 1);
    }

    #[test]
    fn arrows_that_exist_pass() {
        assert_eq!(messages("interp/Cargo.toml", "[dependencies]\nir.workspace = true\n"), [""; 0]);
        assert_eq!(messages("interp/Cargo.toml", "[dev-dependencies]\nllvm.workspace = true\n"), [""; 0]);
        assert_eq!(messages("examples/a/Cargo.toml", "[dev-dependencies]\nadjudicate.workspace = true\n"), [""; 0]);
        assert_eq!(messages("llvm/Cargo.toml", "[dev-dependencies]\nllvm-ir = \"0.11\"\n"), [""; 0]);
        assert_eq!(messages("oracle/Cargo.toml", "[dependencies]\nlibloading = \"0.9\"\n"), [""; 0]);
    }

    #[test]
    fn arrows_that_do_not_exist_are_found() {
        assert_eq!(
            messages("interp/Cargo.toml", "[dependencies]\nad.workspace = true\n"),
            ["interp/Cargo.toml:4: `interp` may not depend on `ad`"]
        );
        assert_eq!(
            messages("interp/Cargo.toml", "[dev-dependencies]\nad.workspace = true\n"),
            ["interp/Cargo.toml:4: `interp` may not depend on `ad`"]
        );
        assert_eq!(
            messages("ad/Cargo.toml", "[dependencies]\nllvm = { path = \"../llvm\" }\n"),
            ["ad/Cargo.toml:4: `ad` may not depend on `llvm`"]
        );
        assert_eq!(
            messages("examples/a/Cargo.toml", "[dependencies]\ninterp.workspace = true\n"),
            ["examples/a/Cargo.toml:4: `examples/a` may not depend on `interp`"]
        );
    }

    #[test]
    fn renaming_or_a_target_table_hides_nothing() {
        assert_eq!(
            messages("ir/Cargo.toml", "[dependencies]\nx = { package = \"rules\", path = \"../rules\" }\n").len(),
            1
        );
        assert_eq!(messages("ir/Cargo.toml", "[target.'cfg(unix)'.dependencies]\nrules.workspace = true\n").len(), 1);
        assert_eq!(messages("ir/Cargo.toml", "[build-dependencies]\nrules.workspace = true\n").len(), 1);
    }

    #[test]
    fn llvm_and_z3_have_one_door() {
        assert_eq!(
            messages("ad/Cargo.toml", "[dependencies]\ninkwell = \"0.11\"\n"),
            ["ad/Cargo.toml:4: only `llvm` may depend on `inkwell`"]
        );
        assert_eq!(messages("interp/Cargo.toml", "[dependencies]\nz3 = \"0.22\"\nllvm-sys = \"191\"\n").len(), 2);
    }

    #[test]
    fn second_opinions_are_for_tests() {
        assert_eq!(
            messages("llvm/Cargo.toml", "[dependencies]\nllvm-ir = \"0.11\"\n"),
            ["llvm/Cargo.toml:4: only tests may depend on `llvm-ir`"]
        );
        assert_eq!(messages("ir/Cargo.toml", "[dependencies]\npetgraph = \"0.8\"\n").len(), 1);
        assert_eq!(messages("ir/Cargo.toml", "[dev-dependencies]\npetgraph = \"0.8\"\n"), [""; 0]);
        assert_eq!(messages("ad/Cargo.toml", "[dependencies]\nproptest = \"1\"\n").len(), 1);
        assert_eq!(messages("fuzz/Cargo.toml", "[dependencies]\nproptest = \"1\"\n"), [""; 0]);
        assert_eq!(
            messages("ad/Cargo.toml", "[dev-dependencies]\nrug = \"1\"\ncriterion = \"0.8\"\n"),
            [
                "ad/Cargo.toml:5: only `benches` may depend on `criterion`",
                "ad/Cargo.toml:4: only `rules`, `interp`, `oracle`, `verify`, `fuzz` may depend on `rug`"
            ]
        );
    }

    #[test]
    fn lints_and_members_are_required() {
        assert_eq!(check("ir/Cargo.toml", "[package]\nname = \"ir\"\n").len(), 1);
        assert_eq!(check("Cargo.toml", "[workspace]\nmembers = [\"ir\", \"novel\"]\n").len(), 1);
        assert_eq!(check("Cargo.toml", "[workspace]\nmembers = [\"ir\"]\n").len(), 0);
        assert_eq!(check("ir/Cargo.toml", "[package\n").len(), 1);
    }

    #[test]
    fn no_arrow_of_the_table_closes_a_cycle() {
        let folder_of = |name: &str| {
            if name == "adjudicate" { "oracle".to_owned() } else { name.to_owned() }
        };
        let mut done: Vec<String> = Vec::new();
        while done.len() < MEMBERS.len() {
            let ready = MEMBERS.iter().find(|member| {
                !done.iter().any(|name| name == member.folder)
                    && member.may_use.iter().all(|name| done.contains(&folder_of(name)))
            });
            done.push(ready.expect("a crate whose dependencies are all placed").folder.to_owned());
        }
    }
}
