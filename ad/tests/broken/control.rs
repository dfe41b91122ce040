//! Plans with a fault in what reverses the control flow, in counters and numbers of iterations, or in where things lie
//! on the tape.

use crate::forging::{Passes, program, value};
use ad::inside::{Context, Field, Item, Layout, Plan, Recipe, Shape, Step, Wanted};
use ir::{IntPred, Operand};

/// `x[i] = x[i] * x[i - 1]` with a branch, twice, in a nest of loops with an array of their own each.
const NEST: &str = r#"
define double @f(ptr noalias %x, ptr noalias %y, i64 %n, i64 %b, i1 %flag, i1 %other.flag) {
entry:
  br label %outer
outer:
  %t = phi i64 [ 2, %entry ], [ %t.next, %latch ]
  %t.down = phi i64 [ %n, %entry ], [ %t.less, %latch ]
  %down.number = sitofp i64 %t.down to double
  br i1 %flag, label %before, label %latch
before:
  br label %inner
inner:
  %i = phi i64 [ 1, %before ], [ %i.next, %join ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %before.p = getelementptr inbounds i8, ptr %p, i64 -8
  %a = load double, ptr %p, align 8
  %c = load double, ptr %before.p, align 8
  %m = fmul double %a, %c
  %large = fcmp ogt double %m, 1.000000e+00
  br i1 %large, label %damp, label %join
damp:
  %r = fdiv double %m, %a
  br label %join
join:
  %v = phi double [ %m, %inner ], [ %r, %damp ]
  %w = fmul double %v, %down.number
  store double %w, ptr %p, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %b
  br i1 %more, label %inner, label %latch
latch:
  %t.next = add nuw nsw i64 %t, 3
  %t.less = sub i64 %t.down, 1
  %t.more = icmp slt i64 %t.next, %n
  br i1 %t.more, label %outer, label %exit
exit:
  %last = load double, ptr %x, align 8
  %result = fmul double %last, %last
  ret double %result
}
"#;

type Change = fn(&Context, &Shape, &mut Plan);

fn verdict(change: Change) -> Result<(), String> {
    program(NEST, Passes::Both).verdict(change)
}

fn local(cx: &Context, name: &str) -> Operand {
    Operand::Local(value(cx.func, name))
}

fn layouts(plan: &mut Plan) -> impl Iterator<Item = &mut Layout> {
    plan.layouts.values_mut()
}

/// The number of iterations of the loop whose counter this is.
fn trips(cx: &Context, shape: &Shape, plan: &mut Plan, counter: &str, change: impl Fn(&mut ad::inside::Trips)) {
    let l = shape.home(cx.func, value(cx.func, counter)).expect("in a loop");
    change(plan.arrays.get_mut(&l).expect("an array"));
}

/// The recipe of a counter.
fn count(cx: &Context, plan: &mut Plan, name: &str, change: impl Fn(&mut ad::inside::Induction)) {
    let v = value(cx.func, name);
    let mut met = 0;
    for (wanted, recipe) in &mut plan.recipes {
        if let (Item::Primal(found), Recipe::Count(induction, _)) = (wanted.item, recipe)
            && found == v
        {
            change(induction);
            met += 1;
        }
    }
    assert!(met > 0, "{name} is not counted");
}

const SO_OFTEN: &str = "does not record its number of iterations";

/// Faults, and what the checker says of them.
const FAULTS: &[(&str, &str, Change)] = &[
    ("the loop starts elsewhere", SO_OFTEN, |cx, shape, plan| {
        trips(cx, shape, plan, "t", |trips| trips.start = trips.bound);
    }),
    ("the loop has another bound", SO_OFTEN, |cx, shape, plan| {
        let other = local(cx, "b");
        trips(cx, shape, plan, "t", |trips| trips.bound = other);
    }),
    ("the loop runs once more", SO_OFTEN, |cx, shape, plan| {
        trips(cx, shape, plan, "t", |trips| trips.stay = IntPred::Sle);
    }),
    ("the comparison has no sign", SO_OFTEN, |cx, shape, plan| {
        trips(cx, shape, plan, "t", |trips| trips.stay = IntPred::Ult);
    }),
    ("the counter itself is compared", SO_OFTEN, |cx, shape, plan| {
        trips(cx, shape, plan, "t", |trips| trips.after = false);
    }),
    ("the loop counts down", SO_OFTEN, |cx, shape, plan| {
        trips(cx, shape, plan, "t", |trips| trips.down = true);
    }),
    ("the steps are shorter", SO_OFTEN, |cx, shape, plan| {
        trips(cx, shape, plan, "t", |trips| trips.step = Step::By(1));
    }),
    ("the steps are another value", SO_OFTEN, |cx, shape, plan| {
        let other = value(cx.func, "b");
        trips(cx, shape, plan, "t", |trips| trips.step = Step::Value(other));
    }),
    ("another block enters the loop", SO_OFTEN, |cx, shape, plan| {
        let enter = plan.exit;
        trips(cx, shape, plan, "t", |trips| trips.enter = enter);
    }),
    ("the array has no length", "nothing tells how often", |_, _, plan| plan.arrays.clear()),
    ("a counter starts elsewhere", "is not counted so", |cx, _, plan| {
        let other = local(cx, "b");
        count(cx, plan, "t.down", |induction| induction.start = other);
    }),
    ("a counter has another step", "is not counted so", |cx, _, plan| {
        let other = local(cx, "b");
        count(cx, plan, "t.down", |induction| induction.step = other);
    }),
    ("a counter goes the other way", "is not counted so", |cx, _, plan| {
        count(cx, plan, "t.down", |induction| induction.down = !induction.down);
    }),
    ("a counter is of the inner loop", "counts a loop that is not reversed around its use", |cx, shape, plan| {
        let inner = shape.home(cx.func, value(cx.func, "i")).expect("in a loop");
        count(cx, plan, "t.down", |induction| induction.of = inner);
    }),
    ("what is no counter is counted", "is not counted so", |cx, shape, plan| {
        let (v, a) = (value(cx.func, "i"), value(cx.func, "a"));
        let counters = plan.recipes.iter().find(|(w, r)| w.item == Item::Primal(v) && matches!(r, Recipe::Count(..)));
        let recipe = counters.map(|(_, recipe)| recipe.clone()).expect("a counter");
        let wanted = Wanted { item: Item::Primal(a), region: shape.home(cx.func, a) };
        assert!(plan.stored.remove(&wanted));
        plan.recipes.insert(wanted, recipe);
    }),
    ("what is stored is not", "is neither stored nor computed", |_, _, plan| {
        let wanted = *plan.stored.iter().find(|w| w.region.is_some()).expect("something");
        plan.stored.remove(&wanted);
    }),
    ("nothing is kept", "", |_, _, plan| plan.stored.clear()),
    ("it has no cell", "has no cell", |_, _, plan| {
        layouts(plan).for_each(|layout| layout.fields.retain(|(field, _)| !matches!(field, Field::Value(_))));
    }),
    ("it lies in the record of another loop", "has no cell", |_, _, plan| {
        let region = *plan.layouts.keys().rev().find(|region| region.is_some()).expect("a loop");
        let fields = plan.layouts.get_mut(&region).map(|layout| std::mem::take(&mut layout.fields)).expect("a record");
        plan.layouts.get_mut(&None).expect("a record").fields.extend(fields);
    }),
    ("it is kept once for all iterations", "", |_, _, plan| {
        let wanted = *plan.stored.iter().find(|w| w.region.is_some()).expect("something");
        plan.stored.remove(&wanted);
        plan.stored.insert(Wanted { region: None, ..wanted });
    }),
    ("it is kept in a loop in which it is not made", "in a record that is not around it", |cx, shape, plan| {
        let (inner, v) = (shape.home(cx.func, value(cx.func, "i")), value(cx.func, "down.number"));
        plan.stored.insert(Wanted { item: Item::Primal(v), region: inner });
    }),
    ("its cell is of another type", "has a cell of another type", |cx, _, plan| {
        let narrow = cx.func.value_ty(value(cx.func, "large"));
        let mut fields = layouts(plan).flat_map(|layout| &mut layout.fields);
        fields.find(|(field, _)| matches!(field, Field::Value(_))).expect("a value").1 = narrow;
    }),
    ("a count is of another type", "has a cell of another type", |cx, shape, plan| {
        let (l, narrow) = (shape.home(cx.func, value(cx.func, "i")), cx.func.value_ty(value(cx.func, "large")));
        plan.layouts.get_mut(&None).expect("a record").fields.push((Field::Count(l.expect("a loop")), narrow));
    }),
    ("it has two cells", "has two cells", |_, _, plan| {
        for layout in layouts(plan) {
            let first = layout.fields.first().copied();
            layout.fields.extend(first);
        }
    }),
    ("the records of a loop are not found", "cannot be found again", |_, _, plan| {
        layouts(plan).for_each(|layout| {
            layout.fields.retain(|(field, _)| !matches!(field, Field::Last(_) | Field::Stride(_)));
        });
    }),
    ("a loop lies in records behind no guard", "cannot be found again", |cx, shape, plan| {
        let l = shape.home(cx.func, value(cx.func, "i")).expect("a loop");
        let other = local(cx, "other.flag");
        plan.nested.insert(l, vec![(other, true)]);
    }),
    ("a guard is the other way round", "cannot be found again", |cx, shape, plan| {
        let l = shape.home(cx.func, value(cx.func, "i")).expect("a loop");
        plan.nested.get_mut(&l).expect("nested").iter_mut().for_each(|(_, holds)| *holds = !*holds);
    }),
    ("a block in which something happens is left out", "leaves out", |cx, shape, plan| {
        let inst = cx.func.def_inst(value(cx.func, "r")).expect("an instruction");
        assert!(plan.live.remove(&shape.block(inst).expect("placed")));
    }),
    ("a loop is not reversed", "is not reversed", |_, _, plan| {
        plan.live_loops.clear();
    }),
    ("the reverse pass begins elsewhere", "does not begin where the function returns", |cx, _, plan| {
        plan.exit = cx.func.entry();
    }),
    ("the reverse pass comes through fewer blocks", "takes another way", |cx, shape, plan| {
        let inst = cx.func.def_inst(value(cx.func, "r")).expect("an instruction");
        plan.returning.remove(&shape.block(inst).expect("placed"));
    }),
    ("the ways are exchanged", "does not tell from where", |_, _, plan| {
        plan.ways.values_mut().for_each(|way| std::mem::swap(&mut way.if_true, &mut way.if_false));
    }),
    ("another condition tells the way", "does not tell from where", |cx, _, plan| {
        let other = value(cx.func, "other.flag");
        plan.recipes.insert(Wanted { item: Item::Primal(other), region: None }, Recipe::Free);
        plan.ways.values_mut().for_each(|way| way.cond = other);
    }),
    ("nothing tells the way", "does not record from where it was entered", |_, _, plan| plan.ways.clear()),
    ("blocks in which something happens are skipped", "where something happens", |cx, _, plan| {
        plan.skip.insert(plan.exit, cx.func.entry());
    }),
    ("the iterations of a loop are skipped", "has to ask from where it was entered", |cx, shape, plan| {
        let inst = cx.func.def_inst(value(cx.func, "i")).expect("an instruction");
        let header = shape.block(inst).expect("placed");
        plan.skip.insert(header, shape.dom.idom(header).expect("one"));
    }),
    ("a phi does not ask by which edge", "has to ask from where it was entered", |cx, shape, plan| {
        let inst = cx.func.def_inst(value(cx.func, "v")).expect("an instruction");
        let join = shape.block(inst).expect("placed");
        plan.skip.insert(join, shape.dom.idom(join).expect("one"));
    }),
    ("it is at hand nowhere", "is not at hand", |cx, shape, plan| {
        let v = value(cx.func, "a");
        let wanted = Wanted { item: Item::Primal(v), region: shape.home(cx.func, v) };
        assert!(plan.stored.remove(&wanted));
        plan.recipes.insert(wanted, Recipe::Free);
    }),
    ("another instruction computes it", "cannot be computed again", |cx, shape, plan| {
        let (v, other) = (value(cx.func, "a"), cx.func.def_inst(value(cx.func, "down.number")).expect("one"));
        let wanted = Wanted { item: Item::Primal(v), region: shape.home(cx.func, v) };
        assert!(plan.stored.remove(&wanted));
        plan.recipes.insert(wanted, Recipe::Again(other, Vec::new()));
    }),
    ("another load gives it", "cannot be computed again", |cx, shape, plan| {
        let (v, other) = (value(cx.func, "a"), cx.func.def_inst(value(cx.func, "last")).expect("one"));
        let wanted = Wanted { item: Item::Primal(v), region: shape.home(cx.func, v) };
        assert!(plan.stored.remove(&wanted));
        plan.recipes.insert(wanted, Recipe::Again(other, Vec::new()));
    }),
    ("a phi is computed again", "cannot be computed again", |cx, shape, plan| {
        let v = value(cx.func, "i");
        let wanted = Wanted { item: Item::Primal(v), region: shape.home(cx.func, v) };
        plan.stored.remove(&wanted);
        plan.recipes.insert(wanted, Recipe::Again(cx.func.def_inst(v).expect("one"), Vec::new()));
    }),
    ("a part of a loop is run again that is none", "is in no buffer", |cx, shape, plan| {
        let v = value(cx.func, "a");
        let wanted = Wanted { item: Item::Primal(v), region: shape.home(cx.func, v) };
        assert!(plan.stored.remove(&wanted));
        plan.recipes.insert(wanted, Recipe::Replay(wanted.region.expect("a loop"), Vec::new()));
    }),
];

#[test]
fn the_plan_is_right_before_anything_is_done_to_it() {
    for passes in [Passes::Both, Passes::Apart, Passes::CallerWrites] {
        assert_eq!(program(NEST, passes).verdict(|_, _, _| {}), Ok(()), "{passes:?}");
    }
}

#[test]
fn each_fault_is_found() {
    for (what, expected, change) in FAULTS {
        let why = verdict(*change).expect_err(what);
        assert!(why.contains(expected), "{what}: {why}");
    }
}

#[test]
fn a_longer_step_that_may_go_round_tells_no_number_of_iterations() {
    // The plan of the program that promises it.
    let promised = program(NEST, Passes::Both).with(|cx, shape, plan, _| {
        let l = shape.home(cx.func, value(cx.func, "t")).expect("in a loop");
        plan.arrays[&l]
    });
    let text = NEST.replace("add nuw nsw i64 %t, 3", "add i64 %t, 3");
    assert_ne!(text, NEST);
    let mut broken = program(&text, Passes::Both);
    assert_eq!(broken.verdict(|_, _, _| {}), Ok(()));
    let why = broken.verdict(|cx, shape, plan| {
        let l = shape.home(cx.func, value(cx.func, "t")).expect("in a loop");
        assert_eq!(plan.arrays.insert(l, promised), None);
        plan.counted.insert(l);
        let parts = |field: &Field| !matches!(field, Field::Count(of) | Field::Last(of) if *of == l);
        plan.layouts.values_mut().for_each(|layout| layout.fields.retain(|(field, _)| parts(field)));
    });
    assert!(why.expect_err("it may go round").contains(SO_OFTEN));
}
