//! Defects planted in our own differentiation: every one that changes a gradient is found.

use adjudicate::{Fault, Severity, check};

/// Programs in which the defect has something to spoil.
const WHERE: &[(Fault, &[&str])] = &[
    (Fault::DroppedTerm, &["rosenbrock.c", "linked_list.c", "attention.c"]),
    (Fault::WrongSign, &["rosenbrock.c"]),
    (Fault::UninitialisedShadow, &["malloc_in_loop.c", "attention.c"]),
    (Fault::UnwrittenCache, &["rosenbrock.c", "rk4.c"]),
    (Fault::WrongIteration, &["rosenbrock.c", "linked_list.c"]),
    (Fault::DoubleAdd, &["rosenbrock.c", "linked_list.c"]),
    (Fault::ActivityConstant, &["attention.c", "struct_memcpy.c"]),
    (Fault::StaleShadow, &["matvec.c", "overwritten_buffer.c"]),
    (Fault::SkippedEdge, &["rosenbrock.c", "linked_list.c"]),
    (Fault::WrongType, &["struct_memcpy.c", "memmove_shift.c"]),
    (Fault::SharedShadow, &["malloc_in_loop.c"]),
    (Fault::WrongRule, &["rosenbrock.c", "attention.c"]),
    (Fault::PrimalCorruption, &["rosenbrock.c", "linked_list.c"]),
    (Fault::Leak, &["rosenbrock.c", "attention.c"]),
    (Fault::DroppedTerm, &["forward_in_place.c", "forward_linked_list.c"]),
    (Fault::WrongSign, &["forward_scalars.c"]),
    (Fault::WrongRule, &["forward_library_outputs.c"]),
    (Fault::StaleShadow, &["forward_in_place.c"]),
    (Fault::SharedShadow, &["forward_linked_list.c"]),
    (Fault::PrimalCorruption, &["forward_in_place.c"]),
    (Fault::Leak, &["forward_linked_list.c"]),
];

#[test]
fn planted_defects_are_found() {
    for (fault, programs) in WHERE {
        for program in *programs {
            let path = corpus::root().join("correct").join(program);
            let report = check(&path).levels(["O2"]).fault(*fault).run().unwrap();
            assert_eq!(report.severity(), Severity::Fault, "{fault:?} in {program}:\n{report}");
            let finding = report.findings().map(|(_, f)| f).find(|f| f.verdict.severity() == Severity::Fault).unwrap();
            let file = finding.position.as_ref().map(|p| p.file.as_str()).unwrap_or_default();
            assert!(file.ends_with(program), "{fault:?} in {program} has no place:\n{report}");
        }
    }
}
