//! Defects planted in our own differentiation: every one that changes a gradient is found, and named for what it is,
//! where it is.

use adjudicate::report::{Finding, Report};
use adjudicate::{Fault, Severity, check};

/// Levels of optimisation, in the order of the lines below.
const LEVELS: [&str; 4] = ["O0", "O1", "O2", "O3"];

/// Where a level has none of the instructions that the defect spoils.
const RIGHT: u32 = 0;

/// Where another row says what it is at a level.
const OTHER: u32 = u32::MAX;

/// A defect, a program in which it has something to spoil, what it is then, and at each level the line of the primal's
/// instruction whose reverse is the first to go wrong.
type Row = (Fault, &'static str, &'static str, [u32; 4]);

const WHERE: &[Row] = &[
    (Fault::DroppedTerm, "rosenbrock.c", "rule", [10, 10, 10, 10]),
    (Fault::DroppedTerm, "linked_list.c", "rule", [14, 14, 14, 14]),
    (Fault::DroppedTerm, "attention.c", "rule", [24, 24, 24, 24]),
    (Fault::WrongSign, "rosenbrock.c", "rule", [9, 9, 9, 9]),
    (Fault::WrongRule, "rosenbrock.c", "rule", [10, 10, 10, 10]),
    (Fault::WrongRule, "libm_trig.c", "rule", [7, 7, 7, 7]),
    (Fault::WrongIteration, "rk4.c", "cache", [24, 24, 24, 24]),
    (Fault::WrongIteration, "overwritten_buffer.c", "cache", [17, 17, 15, 15]),
    (Fault::UnwrittenCache, "overwritten_buffer.c", "uninitialised", [17, 17, 17, 17]),
    (Fault::UnwrittenCache, "rk4.c", "uninitialised", [24, 24, 24, 24]),
    (Fault::UninitialisedShadow, "malloc_in_loop.c", "uninitialised", [16, 16, 16, 16]),
    (Fault::UninitialisedShadow, "attention.c", "uninitialised", [23, 23, 23, RIGHT]),
    (Fault::DoubleAdd, "rosenbrock.c", "double-add", [9, 8, 8, 8]),
    (Fault::DoubleAdd, "linked_list.c", "double-add", [14, 14, 14, 14]),
    (Fault::ActivityConstant, "attention.c", "activity", [23, 23, 23, RIGHT]),
    (Fault::ActivityConstant, "struct_memcpy.c", "activity", [23, 23, 23, 23]),
    (Fault::StaleShadow, "matvec.c", "stale-shadow", [13, 13, 13, 13]),
    (Fault::StaleShadow, "overwritten_buffer.c", "stale-shadow", [15, 15, 15, 15]),
    (Fault::SkippedEdge, "rosenbrock.c", "rule", [OTHER, 12, 12, 12]),
    (Fault::SkippedEdge, "linked_list.c", "rule", [OTHER, 18, 18, 18]),
    // The primal has no phi there, but variables: what it sees is that the contributions of a load are missing.
    (Fault::SkippedEdge, "rosenbrock.c", "activity", [8, OTHER, OTHER, OTHER]),
    (Fault::SkippedEdge, "linked_list.c", "activity", [14, OTHER, OTHER, OTHER]),
    (Fault::WrongType, "struct_memcpy.c", "type", [15, 15, 15, 15]),
    (Fault::WrongType, "memmove_shift.c", "type", [11, 11, 11, 11]),
    // Where the block is read again after it was freed as its own shadow, that comes first.
    (Fault::SharedShadow, "malloc_in_loop.c", "alias", [RIGHT, RIGHT, RIGHT, RIGHT]),
    (Fault::SharedShadow, "batch_calls.c", "alias", [27, 27, 27, 27]),
    (Fault::PrimalCorruption, "linked_list.c", "primal-corruption", [14, 14, 14, 14]),
    // A tape that fits on the stack does not leak.
    (Fault::Leak, "linked_list.c", "leak", [RIGHT, RIGHT, RIGHT, RIGHT]),
    (Fault::Leak, "heat_implicit.c", "leak", [39, 39, RIGHT, RIGHT]),
    (Fault::Leak, "shallow_water.c", "leak", [69, 69, 69, 69]),
    (Fault::Leak, "monte_carlo.c", "leak", [33, 33, 33, 33]),
    (Fault::Leak, "rk4.c", "leak", [31, 31, RIGHT, RIGHT]),
];

/// Tangents: found, in the program.
const FORWARD: &[(Fault, &str)] = &[
    (Fault::DroppedTerm, "forward_in_place.c"),
    (Fault::DroppedTerm, "forward_linked_list.c"),
    (Fault::WrongSign, "forward_scalars.c"),
    (Fault::WrongRule, "forward_library_outputs.c"),
    (Fault::StaleShadow, "forward_in_place.c"),
    (Fault::SharedShadow, "forward_linked_list.c"),
    (Fault::PrimalCorruption, "forward_in_place.c"),
    (Fault::Leak, "forward_linked_list.c"),
];

fn report(fault: Fault, program: &str, level: &str) -> Report {
    let path = corpus::root().join("correct").join(program);
    check(&path).levels([level]).fault(fault).run().unwrap()
}

fn fault_of(report: &Report) -> Option<Finding> {
    report.findings().map(|(_, f)| f).find(|f| f.verdict.severity() == Severity::Fault).cloned()
}

/// What a finding is called: its family, or its verdict.
fn name(finding: &Finding) -> String {
    finding.family.map_or_else(|| finding.verdict.name().to_owned(), |f| f.name().to_owned())
}

#[test]
fn planted_defects_are_named_where_they_are() {
    let mut wrong = String::new();
    for (fault, program, family, lines) in WHERE {
        for (level, line) in LEVELS.iter().zip(lines).filter(|(_, line)| ![RIGHT, OTHER].contains(line)) {
            let report = report(*fault, program, level);
            let found = fault_of(&report).map(|f| (name(&f), f.position.map_or(0, |p| p.line)));
            if found.as_ref() != Some(&((*family).to_owned(), *line)) {
                wrong +=
                    &format!("{fault:?} in {program} at {level}: {found:?}, not {family} at line {line}\n{report}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A defect that finds nothing to spoil changes nothing, and where it does it is found, whatever it is called.
#[test]
fn planted_defects_raise_no_alarm_where_they_spoil_nothing() {
    for (fault, program, _, lines) in WHERE {
        for (level, _) in LEVELS.iter().zip(lines).filter(|(_, line)| **line == RIGHT) {
            let report = report(*fault, program, level);
            let allowed = *fault == Fault::SharedShadow && *program == "malloc_in_loop.c";
            assert_eq!(fault_of(&report).is_some(), allowed, "{fault:?} in {program} at {level}:\n{report}");
        }
    }
}

#[test]
fn planted_defects_in_tangents_are_found() {
    for (fault, program) in FORWARD {
        let report = report(*fault, program, "O2");
        let finding = fault_of(&report).unwrap_or_else(|| panic!("{fault:?} in {program}:\n{report}"));
        let file = finding.position.as_ref().map(|p| p.file.as_str()).unwrap_or_default();
        assert!(file.ends_with(program), "{fault:?} in {program} has no place:\n{report}");
    }
}
