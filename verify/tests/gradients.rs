//! Gradients that the synthesis makes are proved, wrong ones are refuted, and what cannot be followed is said.

use ad::{Fault, Options};
use std::path::Path;
use verify::Solver;
use verify::gradient::{GradientReport, GradientVerdict, prove_gradients};
use verify::structure::{StructureRule, structure_rules};

/// The executor recurses with the program, deeper than a test's thread allows.
fn on_a_deep_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(test).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn solver() -> Solver {
    Solver::at(Path::new(env!("CARGO_BIN_EXE_verify-worker")))
}

fn is_proved(report: &GradientReport) -> bool {
    report.verdict == GradientVerdict::Proved && report.equations > 0 && report.paths > 0
}

/// Every way of copying, storing, branching and looping of the families.
#[test]
fn rules_of_memory_and_control_are_proved() {
    on_a_deep_stack(|| {
        for rule in structure_rules() {
            let reports = rule.prove(&Options::default(), &solver()).expect("answers");
            for report in &reports {
                assert!(is_proved(report), "{}: {}", rule.name, report.to_text());
            }
            assert_eq!(reports.len(), rule.modules.len(), "{}", rule.name);
        }
    });
}

/// With a defect planted in the synthesis, the rule that it breaks is refuted with a point.
#[test]
fn defects_of_the_synthesis_are_refuted() {
    const BROKEN: [(Fault, &str); 13] = [
        (Fault::DroppedTerm, "loop"),
        (Fault::WrongSign, "phi"),
        (Fault::StaleShadow, "load and store"),
        (Fault::StaleShadow, "memcpy"),
        (Fault::StaleShadow, "memset"),
        (Fault::WrongIteration, "loop"),
        (Fault::DoubleAdd, "select"),
        (Fault::SkippedEdge, "switch"),
        (Fault::ActivityConstant, "allocation and free"),
        (Fault::SharedShadow, "allocation and free"),
        (Fault::PrimalCorruption, "load and store"),
        (Fault::WrongType, "memcpy"),
        (Fault::WrongType, "memmove, overlapping"),
    ];
    on_a_deep_stack(|| {
        for (fault, name) in BROKEN {
            let reports = broken(name, fault);
            let refuted = reports.last().is_some_and(|it| matches!(it.verdict, GradientVerdict::Wrong(..)));
            assert!(refuted, "{fault:?} in {name}: {reports:?}");
        }
        // What reads memory that nobody wrote cannot be followed, and so is not proved either.
        for (fault, name) in [(Fault::UninitialisedShadow, "allocation and free"), (Fault::UnwrittenCache, "loop")] {
            assert!(!broken(name, fault).iter().all(is_proved), "{fault:?} in {name}");
        }
    });
}

fn broken(name: &str, fault: Fault) -> Vec<GradientReport> {
    let rules: Vec<StructureRule> = structure_rules();
    let rule = rules.iter().find(|rule| rule.name == name).expect("a rule of that name");
    rule.prove(&Options { fault: Some(fault), ..Options::default() }, &solver()).expect("answers")
}

fn of_program(name: &str, level: &str) -> Vec<GradientReport> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let options = llvm::CompileOptions {
        include_dirs: vec![root.join("oracle/include")],
        ..llvm::CompileOptions::at(level.parse().expect("a level"))
    };
    let file = root.join("corpus/correct").join(name);
    let module = llvm::read(&llvm::Input::File(file), &options).expect("a module");
    prove_gradients(&module, &Options::default(), &solver()).expect("answers")
}

/// A sample of the corpus: arithmetic, memory, loops, recursion, early exits, functions of the table.
#[test]
fn gradients_of_programs_are_proved() {
    const PROGRAMS: [(&str, &str, usize); 12] = [
        ("square.c", "O0", 2),
        ("rosenbrock.c", "O2", 1),
        ("horner.c", "O0", 1),
        ("hash_table.c", "O1", 1),
        ("linked_list.c", "O2", 1),
        ("malloc_in_loop.c", "O1", 1),
        ("memset_slots.c", "O1", 1),
        ("recursive_power.c", "O1", 2),
        ("goto_forward.c", "O0", 1),
        ("byval_struct.c", "O1", 1),
        ("lagrange.c", "O1", 2),
        ("attention.c", "O1", 1),
    ];
    on_a_deep_stack(|| {
        for (name, level, count) in PROGRAMS {
            let reports = of_program(name, level);
            for report in &reports {
                assert!(is_proved(report), "{name} at {level}: {}", report.to_text());
            }
            assert_eq!(reports.len(), count, "{name}");
        }
    });
}

/// What depends on more than real arithmetic is not called proved.
#[test]
fn what_cannot_be_followed_is_said() {
    on_a_deep_stack(|| {
        for (name, why) in [("calloc_histogram.c", "an unknown number as an integer"), ("inactive_stop.c", "inactive")]
        {
            let reports = of_program(name, "O1");
            let said = |report: &GradientReport| match &report.verdict {
                GradientVerdict::Unknown(reason) => reason.contains(why),
                _ => false,
            };
            assert!(!reports.is_empty() && reports.iter().all(said), "{name}: {reports:?}");
        }
    });
}
