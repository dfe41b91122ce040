//! The cache plan and its checker: a sound plan passes, and each way of breaking it is found.

use ad::memory::Facts;
use ad::needs::{Context, Item};
use ad::plan::{Assumptions, Field, Plan, RecordTypes, check};
use ad::shape::Shape;
use ad::source::{self, Sources, return_block};
use ad::{Activity, Diagnostic, Without};
use ir::{FuncId, Module};
use std::collections::BTreeSet;

/// `x[i] = x[i] * x[i-1]` in a loop with an unknown number of iterations and a branch: values are
/// overwritten, so they must be stored, and the branch must be recorded.
const SWEEP: &str = r#"
define void @sweep(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %before = getelementptr inbounds i8, ptr %p, i64 -8
  %a = load double, ptr %p, align 8
  %b = load double, ptr %before, align 8
  %m = fmul double %a, %b
  %large = fcmp ogt double %m, 1.000000e+00
  br i1 %large, label %damp, label %latch
damp:
  %r = fdiv double %m, %a
  br label %latch
latch:
  %v = phi double [ %m, %loop ], [ %r, %damp ]
  store double %v, ptr %p, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
"#;

struct Fixture {
    module: Module,
    sources: Sources,
    facts: Facts,
    root: FuncId,
}

fn fixture(text: &str, name: &str, activities: &[Activity]) -> Fixture {
    let mut module = ir::parse(text, "test").expect("the test's IR parses");
    let root = module.function(name).expect("the function exists");
    let sources = source::collect(&mut module, root).expect("normalises");
    let facts = Facts::analyse(&module, &sources, root, activities, &Default::default()).expect("converges");
    Fixture { module, sources, facts, root }
}

fn with_plan<T>(fixture: &mut Fixture, combined: bool, f: impl FnOnce(&Context, &Shape, Plan, Assumptions) -> T) -> T {
    let types = RecordTypes {
        ptr: fixture.module.types.ptr(),
        count: fixture.module.types.int(64),
        pred: fixture.module.types.int(32),
    };
    let differentiable = BTreeSet::from([fixture.root]);
    let func = &fixture.sources[&fixture.root];
    let cx = Context {
        m: &fixture.module,
        facts: &fixture.facts,
        sources: &fixture.sources,
        differentiable: &differentiable,
        id: fixture.root,
        func,
    };
    let shape = Shape::new(&fixture.module, func).expect("reducible");
    let assume = Assumptions { combined, arguments: false };
    let plan = Plan::new(&cx, &shape, return_block(func).expect("returns"), (assume, Without::default()), types);
    f(&cx, &shape, plan, assume)
}

fn sweep() -> Fixture {
    fixture(SWEEP, "sweep", &[Activity::Dup, Activity::Const])
}

fn verdict(fixture: &mut Fixture, combined: bool, breakage: impl FnOnce(&mut Plan)) -> Result<(), Diagnostic> {
    with_plan(fixture, combined, |cx, shape, mut plan, assume| {
        breakage(&mut plan);
        check::check(cx, shape, &plan, assume)
    })
}

#[test]
fn a_plan_is_accepted() {
    for combined in [false, true] {
        assert_eq!(verdict(&mut sweep(), combined, |_| {}), Ok(()));
    }
}

#[test]
fn addresses_of_a_counted_loop_are_not_stored() {
    let stored: Vec<Item> = with_plan(&mut sweep(), true, |_, _, plan, _| plan.stored.iter().map(|w| w.item).collect());
    assert!(!stored.is_empty(), "overwritten factors must be stored");
    assert!(
        stored.iter().all(|i| matches!(i, Item::Primal(_))),
        "shadow addresses follow from the counter: {stored:?}"
    );
}

#[test]
fn every_missing_value_is_found() {
    let stored: Vec<_> = with_plan(&mut sweep(), true, |_, _, plan, _| plan.stored.iter().copied().collect());
    for wanted in stored {
        let result = verdict(&mut sweep(), true, |plan| {
            plan.stored.remove(&wanted);
        });
        assert!(result.is_err(), "{wanted:?} is not stored, yet the plan is accepted");
    }
}

#[test]
fn every_missing_cell_is_found() {
    let fields: Vec<_> = with_plan(&mut sweep(), true, |_, _, plan, _| {
        plan.layouts.iter().flat_map(|(r, l)| l.fields.iter().map(|(f, _)| (*r, *f))).collect()
    });
    assert!(fields.iter().any(|(_, f)| matches!(f, Field::Pred(_))), "the branch is recorded");
    for (region, field) in fields {
        let result = verdict(&mut sweep(), true, |plan| {
            if let Some(layout) = plan.layouts.get_mut(&region) {
                layout.fields.retain(|(f, _)| *f != field);
            }
        });
        assert!(result.is_err(), "{field:?} has no cell, yet the plan is accepted");
    }
}

#[test]
fn skipping_live_blocks_is_found() {
    let result = verdict(&mut sweep(), true, |plan| {
        let (exit, entry) = (plan.exit, *plan.returning.first().expect("blocks"));
        plan.skip.insert(exit, entry);
    });
    assert!(result.is_err());
}

#[test]
fn parameters_are_not_at_hand_in_a_split_reverse() {
    let stored = |combined| with_plan(&mut sweep(), combined, |_, _, plan, _| plan.stored.len());
    assert!(stored(false) > stored(true), "the shadow of %x must be stored when the reverse is another function");
}

#[test]
fn a_number_of_iterations_that_is_known_again_is_not_recorded() {
    let counts = |combined| {
        with_plan(&mut sweep(), combined, |_, _, plan, _| {
            let recorded = plan.layouts.values().flat_map(|l| &l.fields).any(|(f, _)| matches!(f, Field::Count(_)));
            (plan.counted.len(), recorded)
        })
    };
    assert_eq!(counts(true), (1, false), "both passes see the bound");
    assert_eq!(counts(false), (0, true), "the reverse pass does not get the bound");
    // A plan that relies on it all the same is refused.
    let result = verdict(&mut sweep(), false, |plan| plan.counted.extend(plan.live_loops.iter().copied()));
    assert!(result.unwrap_err().message.contains("neither stored nor computed"), "the bound is not there");
}
