//! The cache plan and its checker: a sound plan passes, and each way of breaking it is found.

use ad::inside::{
    Analyses, Assumptions, Context, Facts, Field, Item, Plan, RecordTypes, Replay, Shape, Sources, check, collect,
    return_block,
};
use ad::{Activity, Diagnostic, Lever, Without};
use ir::{FuncId, Module};
use std::collections::BTreeSet;

/// `x[i] = x[i] * x[i-1]` in a loop with an unknown number of iterations and a branch: values are
/// overwritten, so they must be stored, and which way the branch took must be known.
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

/// Squares the elements below `%a`, if a flag is set, and then those below `%b`, `%n` times over.
const NEST: &str = r#"
define void @nest(ptr %x, i64 %n, i64 %a, i64 %b, i1 %flag) {
entry:
  br label %outer
outer:
  %t = phi i64 [ 0, %entry ], [ %t.next, %latch ]
  br i1 %flag, label %first, label %between
first:
  %i = phi i64 [ 0, %outer ], [ %i.next, %first ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8
  %v2 = fmul double %v, %v
  store double %v2, ptr %p, align 8
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %a
  br i1 %i.more, label %first, label %between
between:
  br label %second
second:
  %j = phi i64 [ 0, %between ], [ %j.next, %second ]
  %q = getelementptr inbounds double, ptr %x, i64 %j
  %w = load double, ptr %q, align 8
  %w2 = fmul double %w, %w
  store double %w2, ptr %q, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %b
  br i1 %j.more, label %second, label %latch
latch:
  %t.next = add nuw nsw i64 %t, 1
  %t.more = icmp slt i64 %t.next, %n
  br i1 %t.more, label %outer, label %exit
exit:
  ret void
}
"#;

struct Fixture {
    module: Module,
    sources: Sources,
    facts: Analyses,
    root: FuncId,
}

fn fixture(text: &str, name: &str, activities: &[Activity]) -> Fixture {
    let mut module = ir::parse(text, "test").expect("the test's IR parses");
    let root = module.function(name).expect("the function exists");
    let sources = collect(&mut module, root).expect("normalises");
    let facts =
        Analyses::from(Facts::analyse(&module, &sources, root, activities, &Default::default()).expect("converges"));
    Fixture { module, sources, facts, root }
}

fn with_plan<T>(fixture: &mut Fixture, combined: bool, f: impl FnOnce(&Context, &Shape, Plan, Assumptions) -> T) -> T {
    with_plan_without(fixture, Without::default(), combined, f)
}

fn with_plan_without<T>(
    fixture: &mut Fixture,
    without: Without,
    combined: bool,
    f: impl FnOnce(&Context, &Shape, Plan, Assumptions) -> T,
) -> T {
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
    let plan = Plan::new(&cx, &shape, return_block(func).expect("returns"), (assume, without), types);
    f(&cx, &shape, plan, assume)
}

fn sweep() -> Fixture {
    fixture(SWEEP, "sweep", &[Activity::Dup, Activity::Const])
}

fn verdict(fixture: &mut Fixture, combined: bool, breakage: impl FnOnce(&mut Plan)) -> Result<(), Diagnostic> {
    with_plan(fixture, combined, |cx, shape, mut plan, assume| {
        breakage(&mut plan);
        check(cx, shape, &plan, assume)
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
    let nest =
        || fixture(NEST, "nest", &[Activity::Dup, Activity::Const, Activity::Const, Activity::Const, Activity::Const]);
    let recorded = Without::default().and(Lever::Conditions);
    let programs: [(&dyn Fn() -> Fixture, Without, bool); 4] = [
        (&sweep, Without::default(), true),
        (&sweep, recorded, true),
        (&nest, Without::default(), false),
        (&nest, Without::default().and(Lever::Nesting), false),
    ];
    let mut met = BTreeSet::new();
    for (program, without, combined) in programs {
        let fields: Vec<_> = with_plan_without(&mut program(), without, combined, |_, _, plan, _| {
            plan.layouts.iter().flat_map(|(r, l)| l.fields.iter().map(|(f, _)| (*r, *f))).collect()
        });
        for (region, field) in fields {
            met.insert(format!("{field:?}").split('(').next().unwrap_or_default().to_owned());
            let result = with_plan_without(&mut program(), without, combined, |cx, shape, mut plan, assume| {
                if let Some(layout) = plan.layouts.get_mut(&region) {
                    layout.fields.retain(|(f, _)| *f != field);
                }
                check(cx, shape, &plan, assume)
            });
            assert!(result.is_err(), "{field:?} has no cell, yet the plan is accepted");
        }
    }
    assert_eq!(met.into_iter().collect::<Vec<_>>(), ["Count", "Last", "Pred", "Start", "Stride", "Value"]);
}

#[test]
fn a_condition_tells_the_way_and_a_wrong_one_is_found() {
    let preds = |without| {
        with_plan_without(&mut sweep(), without, true, |_, _, plan, _| {
            let pred = plan.layouts.values().flat_map(|l| &l.fields).any(|(f, _)| matches!(f, Field::Pred(_)));
            (plan.ways.len(), pred)
        })
    };
    assert_eq!(preds(Without::default()), (1, false));
    assert_eq!(preds(Without::default().and(Lever::Conditions)), (0, true));
    let swapped = verdict(&mut sweep(), true, |plan| {
        plan.ways.values_mut().for_each(|way| std::mem::swap(&mut way.if_true, &mut way.if_false));
    });
    assert!(swapped.unwrap_err().message.contains("does not tell"));
    let forgotten = verdict(&mut sweep(), true, |plan| plan.ways.clear());
    assert!(forgotten.unwrap_err().message.contains("from where it was entered"));
}

#[test]
fn records_of_inner_loops_lie_in_the_outer_record_only_behind_their_guards() {
    let all = [Activity::Dup, Activity::Const, Activity::Const, Activity::Const, Activity::Const];
    let nest = |text: &str| fixture(text, "nest", &all);
    let guards = with_plan(&mut nest(NEST), true, |_, _, plan, _| {
        plan.nested.values().map(|guards| guards.iter().map(|(_, value)| *value).collect()).collect::<Vec<Vec<bool>>>()
    });
    assert_eq!(guards, [vec![true], vec![]]);
    let inverted = verdict(&mut nest(NEST), true, |plan| {
        plan.nested.values_mut().flatten().for_each(|(_, value)| *value = false);
    });
    assert!(inverted.unwrap_err().message.contains("cannot be found again"));
    // A length, or a branch, that is another in each iteration.
    let longer = NEST.replace("icmp slt i64 %j.next, %b", "icmp slt i64 %j.next, %t");
    let odd = NEST.replace("br i1 %flag", "%odd = trunc i64 %t to i1\n  br i1 %odd");
    for text in [longer, odd] {
        let nested = with_plan(&mut nest(&text), true, |cx, shape, plan, assume| {
            assert_eq!(check(cx, shape, &plan, assume), Ok(()));
            plan.nested.len()
        });
        assert_eq!(nested, 1, "{text}");
    }
}

#[test]
fn a_loop_that_is_entered_from_another_or_from_several_blocks_has_its_array() {
    // The optimiser folds the block between the loops away: the second is entered from the first's last iteration, and
    // past it.
    let folded = NEST
        .replace("label %second, label %latch", "label %second, label %latch ")
        .replace("label %between", "label %second")
        .replace("between:\n  br label %second\n", "")
        .replace("[ 0, %between ]", "[ 0, %outer ], [ 0, %first ]");
    assert!(!folded.contains("between") && folded.matches("label %second").count() == 3);
    let all = [Activity::Dup, Activity::Const, Activity::Const, Activity::Const, Activity::Const];
    let arrays = |text: &str| with_plan(&mut fixture(text, "nest", &all), true, |_, _, plan, _| plan.arrays.len());
    assert_eq!((arrays(NEST), arrays(&folded)), (3, 3));
    // What comes in by two ways is chosen before the loop.
    let other = folded.replace("[ 0, %outer ], [ 0, %first ]", "[ 1, %outer ], [ 0, %first ]");
    assert_eq!(arrays(&other), 3);
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

/// Weights of a random number generator whose state goes through a branch, an inner loop, and past both.
const RANDOM: &str = r#"
define double @random(ptr %x, i64 %n, i64 %seed, i64 %add) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i64 [ %seed, %entry ], [ %s.next, %latch ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %latch ]
  %odd = trunc i64 %s to i1
  br i1 %odd, label %shift, label %join
shift:
  %t = phi i64 [ %s, %loop ], [ %t.next, %shift ]
  %t.next = lshr i64 %t, 1
  %again = trunc i64 %t.next to i1
  br i1 %again, label %shift, label %join
join:
  %u = phi i64 [ %s, %loop ], [ %t.next, %shift ]
  %large = icmp ugt i64 %i, 5
  br i1 %large, label %aside, label %latch
aside:
  %f = uitofp i64 %i to double
  br label %latch
latch:
  %g = phi double [ 1.0, %join ], [ %f, %aside ]
  %m = mul i64 %u, 6364136223846793005
  %s.next = add i64 %m, %add
  %bits = lshr i64 %s.next, 40
  %w = uitofp i64 %bits to double
  %v = load double, ptr %x, align 8
  %p = fmul double %v, %w
  %sum.next = fadd double %sum, %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = fadd double %sum.next, %g
  ret double %r
}
"#;

fn random(text: &str) -> Fixture {
    fixture(text, "random", &[Activity::Dup, Activity::Const, Activity::Const, Activity::Const])
}

/// The rows of all buffers, by name.
fn rows(text: &str, combined: bool) -> Vec<String> {
    with_plan(&mut random(text), combined, |cx, shape, plan, assume| {
        assert_eq!(check(cx, shape, &plan, assume), Ok(()));
        plan.replays.values().flat_map(|r| &r.rows).map(|v| cx.func.values[*v].name.clone()).collect()
    })
}

#[test]
fn a_recurrence_is_run_again_and_not_stored() {
    for combined in [false, true] {
        assert_eq!(rows(RANDOM, combined), ["u"]);
        let kept = |without| {
            with_plan_without(&mut random(RANDOM), without, combined, |_, _, plan, _| {
                let inside = plan.stored.iter().filter(|w| w.region.is_some()).count();
                let last = plan.layouts[&None].fields.iter().any(|(f, _)| matches!(f, Field::Checkpoint(_)));
                (inside, last)
            })
        };
        assert_eq!(kept(Without::default()), (0, true));
        assert_eq!(kept(Without::default().and(Lever::Replay)), (1, false));
    }
}

#[test]
fn what_a_replay_lacks_is_found() {
    with_plan(&mut random(RANDOM), true, |_, _, plan, _| {
        let replay = plan.replays.values().next().expect("one");
        assert_eq!((replay.slice.states.len(), replay.slice.branches.len(), replay.jumps.len()), (1, 2, 1));
        assert!(replay.whole);
    });
    type Breakage = Box<dyn FnOnce(&mut Replay)>;
    let of = |f: fn(&mut Replay)| Box::new(f) as Breakage;
    let mut breakages: Vec<(&str, Breakage)> = vec![
        ("has no checkpoints", of(|r| r.period = 3)),
        ("has no checkpoints", of(|r| r.fan = 3)),
        ("lacks an operand", of(|r| r.slice.reads.clear())),
        ("does not carry", of(|r| r.slice.states.clear())),
        ("stops elsewhere", of(|r| r.whole = false)),
        ("is in no buffer", of(|r| r.rows.clear())),
        ("lacks the condition", of(|r| r.jumps.clear())),
    ];
    let insts: Vec<_> = with_plan(&mut random(RANDOM), true, |_, _, plan, _| {
        plan.replays.values().flat_map(|r| r.slice.insts.iter().copied()).collect()
    });
    for inst in insts {
        breakages.push(("what is run again", Box::new(move |r| assert!(r.slice.insts.remove(&inst)))));
    }
    // A branch that the slice asks for is gone past instead.
    let branches: Vec<_> = with_plan(&mut random(RANDOM), true, |_, shape, plan, _| {
        let latch = shape.loops.loops.values().next().expect("a loop").latches[0];
        plan.replays.values().flat_map(|r| r.slice.branches.iter().map(|b| (*b, latch)).collect::<Vec<_>>()).collect()
    });
    for (branch, latch) in branches {
        breakages.push(("goes past", Box::new(move |r| assert_eq!(r.jumps.insert(branch, latch), None))));
    }
    for (message, breakage) in breakages {
        let result =
            verdict(&mut random(RANDOM), true, |plan| plan.replays.values_mut().for_each(breakage_once(breakage)));
        let found = result.expect_err(message).message;
        assert!(found.contains(message), "{found}, not {message}");
    }
    let forgotten = verdict(&mut random(RANDOM), true, |plan| {
        plan.layouts.values_mut().for_each(|l| l.fields.retain(|(f, _)| !matches!(f, Field::Checkpoint(_))));
    });
    assert!(forgotten.unwrap_err().message.contains("has no checkpoints"));
    let none = verdict(&mut random(RANDOM), true, |plan| plan.replays.clear());
    assert!(none.unwrap_err().message.contains("is in no buffer"));
}

/// Calls it for the first loop.
fn breakage_once(breakage: Box<dyn FnOnce(&mut Replay)>) -> impl FnMut(&mut Replay) {
    let mut breakage = Some(breakage);
    move |replay| {
        if let Some(breakage) = breakage.take() {
            breakage(replay);
        }
    }
}

#[test]
fn what_may_come_out_otherwise_is_not_run_again() {
    // The branch depends on a product that may be fused, or rounded otherwise; on one of neither kind.
    let float = |how: &str| {
        let with = format!(
            "  %s = phi double [ 1.0, %entry ], [ %s.next, %latch ]\n  %odd = fcmp ogt double %s, 1.5\n  %h = {how}\n"
        );
        RANDOM
            .replace("  %s = phi i64 [ %seed, %entry ], [ %s.next, %latch ]\n", "")
            .replace("  %odd = trunc i64 %s to i1\n", "")
            .replace("  br i1 %odd", "SPLIT  br i1 %odd")
            .replace("[ %s, %loop ], [ %t.next, %shift ]", "[ %seed, %loop ], [ %t.next, %shift ]")
            .replace(
                "  %s.next = add i64 %m, %add\n  %bits = lshr i64 %s.next, 40\n",
                "  %bits = lshr i64 %m, 40\n  %s.next = select i1 %odd, double 1.0, double %h\n",
            )
            .replace("SPLIT", "")
            .replace(
                "  %sum = phi double [ 0.0, %entry ], [ %sum.next, %latch ]\n",
                &format!("  %sum = phi double [ 0.0, %entry ], [ %sum.next, %latch ]\n{with}"),
            )
            + "declare double @llvm.fmuladd.f64(double, double, double)\n"
    };
    let plain = rows(&float("fadd double %s, 1.25e-01"), true);
    assert!(plain.iter().any(|name| name == "u"), "{plain:?}");
    for how in ["fadd fast double %s, 1.25e-01", "call double @llvm.fmuladd.f64(double %s, double 1.125, double 0.0)"] {
        assert_eq!(rows(&float(how), true), Vec::<String>::new(), "{how}");
    }
}

#[test]
fn an_active_recurrence_and_a_short_loop_are_stored() {
    // The reverse needs each sum, which is made of what is active.
    let active = RANDOM.replace("%p = fmul double %v, %w", "%p = fmul double %v, %sum");
    assert_eq!(rows(&active, true), Vec::<String>::new());
    let short = RANDOM.replace("icmp slt i64 %i.next, %n", "icmp slt i64 %i.next, 7");
    assert_eq!(rows(&short, true), Vec::<String>::new());
    let longer = RANDOM.replace("icmp slt i64 %i.next, %n", "icmp slt i64 %i.next, 70");
    assert_eq!(rows(&longer, true), ["u"]);
}
