//! The corpus as a whole: counts, names, sizes, and an expectation wherever one is due.

use corpus::{Kind, Program, of_kind, programs};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The families of a wrong gradient that sequential programs can show.
const FAMILIES: [&str; 13] = [
    "stale-shadow",
    "uninitialised",
    "cache",
    "alias",
    "activity",
    "type",
    "rule",
    "edge",
    "opt-level",
    "nesting",
    "complex",
    "primal-corruption",
    "double-add",
];

fn expects(program: &Program, verdict: &str) -> bool {
    program.expectations.iter().any(|expectation| expectation.verdict == verdict)
}

#[test]
fn there_are_enough_programs_of_each_kind() {
    for (kind, least) in [
        (Kind::Correct, 80),
        (Kind::Wrong, 26),
        (Kind::Right, 6),
        (Kind::Inaccurate, 2),
        (Kind::Kink, 5),
        (Kind::Convention, 5),
        (Kind::Ub, 15),
        (Kind::Bad, 8),
    ] {
        let count = of_kind(kind).len();
        assert!(count >= least, "{count} programs in {}", kind.folder());
    }
}

#[test]
fn names_are_unique() {
    let mut seen = BTreeSet::new();
    for program in programs() {
        assert!(seen.insert(program.name()), "{} twice", program.name());
    }
}

#[test]
fn correct_programs_expect_nothing_and_have_a_decent_size() {
    for program in of_kind(Kind::Correct) {
        assert!(program.expectations.is_empty(), "{}", program.name());
        assert_eq!(program.levels.len(), 4, "{}", program.name());
        let lines = fs::read_to_string(&program.path).unwrap().lines().count();
        assert!((20..=200).contains(&lines), "{}: {lines}", program.name());
    }
}

#[test]
fn each_sequential_family_has_two_wrong_gradients() {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for program in of_kind(Kind::Wrong) {
        assert!(!program.expectations.is_empty(), "{}", program.name());
        for expectation in &program.expectations {
            if expectation.verdict == "wrong" {
                let family = expectation.detail.clone().unwrap_or_default();
                assert!(FAMILIES.contains(&family.as_str()), "{}: {family}", program.name());
                *count.entry(family).or_default() += 1;
            }
        }
    }
    for family in FAMILIES {
        let found = count.get(family).copied().unwrap_or(0);
        assert!(found >= 2, "{family}: {found}");
    }
}

#[test]
fn every_other_kind_says_what_is_expected() {
    for program in programs() {
        let name = program.name();
        match program.kind {
            Kind::Correct | Kind::Wrong => {}
            Kind::Right | Kind::Programs | Kind::Long => assert!(program.expectations.is_empty(), "{name}"),
            Kind::Inaccurate => assert!(expects(&program, "inaccurate"), "{name}"),
            Kind::Kink => assert!(expects(&program, "kink"), "{name}"),
            Kind::Convention => assert!(expects(&program, "convention"), "{name}"),
            Kind::Ub => assert!(!program.expectations.is_empty(), "{name}"),
            Kind::Bad => assert!(program.message.is_some(), "{name}"),
            Kind::Racy | Kind::Clean | Kind::Stuck => {}
            Kind::GpuRacy
            | Kind::GpuClean
            | Kind::GpuGradients
            | Kind::GpuFaulty
            | Kind::MpiClean
            | Kind::MpiFaulty => {}
            Kind::TeamGradients | Kind::MpiGradients | Kind::Leaves => {}
        }
    }
}

#[test]
fn expectations_stand_on_lines_of_code() {
    for program in programs() {
        let text = fs::read_to_string(&program.path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for expectation in &program.expectations {
            let line = lines[expectation.line - 1].trim_start();
            assert!(!line.starts_with("//"), "{}: {line}", program.name());
        }
    }
}

#[test]
fn there_are_programs_with_and_without_races_and_the_racy_ones_say_where() {
    let all = corpus::threads();
    for kind in [Kind::Racy, Kind::Clean] {
        let count = all.iter().filter(|program| program.kind == kind).count();
        assert!(count >= 30, "{count} programs in {}", kind.folder());
    }
    for program in &all {
        assert_eq!(expects(program, "race"), program.kind == Kind::Racy, "{}", program.name());
    }
}

#[test]
fn kernels_say_where_they_race_what_they_print_or_what_else_is_wrong() {
    for program in corpus::gpu() {
        let name = program.name();
        assert_eq!(expects(&program, "race"), program.kind == Kind::GpuRacy, "{name}");
        assert_eq!(program.prints.is_some(), program.kind == Kind::GpuClean, "{name}");
        assert_eq!(program.expectations.is_empty(), program.kind == Kind::GpuClean, "{name}");
    }
}

#[test]
fn every_feature_has_three_programs() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/coverage.md")).unwrap();
    let correct: BTreeSet<String> = of_kind(Kind::Correct).iter().map(Program::name).collect();
    let mut features = 0;
    for row in page.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let mut cells = row.split(" | ");
        let feature = cells.next().unwrap();
        let named: BTreeSet<&str> = cells.next().unwrap().split('`').skip(1).step_by(2).collect();
        assert!(named.len() >= 3, "{feature}: {named:?}");
        let unknown: Vec<&&str> = named.iter().filter(|name| !correct.contains(**name)).collect();
        assert!(unknown.is_empty(), "{feature}: {unknown:?}");
        features += 1;
    }
    assert!(features >= 50, "{features}");
}

/// The cells of a line of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

/// The rows of all tables: report, shape, programs.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let is_head = |cells: &[&str]| cells[0] == "report" || cells[0].starts_with('-');
    page.lines().filter_map(cells).filter(|row| !is_head(row)).collect()
}

#[test]
fn every_reported_shape_has_a_program_or_a_reason() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/reported.md");
    let page = fs::read_to_string(path).unwrap();
    let names: BTreeSet<String> = programs().iter().map(Program::name).collect();
    let (mut reports, mut named) = (BTreeSet::new(), BTreeSet::new());
    for row in rows(&page) {
        let [report, shape, last] = row.as_slice() else { panic!("{row:?}") };
        assert!(reports.insert(*report), "{report} twice");
        let programs: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        for program in &programs {
            assert!(names.contains(*program), "{report}: {program} is not there");
            named.insert((*program).to_owned());
        }
        assert_eq!(programs.is_empty(), last.starts_with("left out: "), "{report}: {last}");
        assert!(programs.is_empty() || !shape.is_empty(), "{report} has no shape");
    }
    assert!(reports.len() >= 97 && named.len() >= 60, "{} reports, {} programs", reports.len(), named.len());
}

#[test]
fn long_programs_are_long_and_in_both_languages() {
    let programs = corpus::long();
    for program in &programs {
        let lines = fs::read_to_string(&program.path).unwrap().lines().count();
        assert!(lines >= 500, "{}: {lines}", program.name());
        assert!(program.expectations.is_empty(), "{}", program.name());
    }
    for (extension, least) in [("c", 10), ("cpp", 10)] {
        let count = programs.iter().filter(|program| program.path.extension().is_some_and(|e| e == extension)).count();
        assert!(count >= least, "{count} programs in .{extension}");
    }
}
