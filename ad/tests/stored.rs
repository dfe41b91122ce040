//! Values that the program has stored are loaded from there only where they still are, and the checker finds each plan
//! that would load something else.

use ad::inside::{
    Analyses, Assumptions, Context, Facts, Item, Plan, Recipe, RecordTypes, Shape, Sources, check, collect,
    find_reloads, return_block,
};
use ad::{Activity, Lever, Without};
use ir::{FuncId, InstKind, Module};
use std::collections::BTreeSet;

/// `at[i * d + j] = exp(p[j] + i)` in a nest of loops, and the sum of their squares; then something is done with
/// memory.
const NEST: &str = r#"
declare ptr @malloc(i64)
declare void @free(ptr)
declare double @exp(double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define double @f(ptr noalias %p, ptr noalias %out, i64 %n, i64 %d, i64 %apart, ptr %other) {
entry:
  %cells = mul i64 %n, %d
  %bytes = shl i64 %cells, 3
  %at = call ptr @malloc(i64 %bytes)
  %own = call ptr @malloc(i64 %bytes)
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %end ]
  %sum = phi double [ 0.0, %entry ], [ %more, %end ]
  %first = mul nsw i64 %i, %d
  %start = getelementptr double, ptr %at, i64 %first
  %f = sitofp i64 %i to double
  br label %cell
cell:
  %j = phi i64 [ 0, %row ], [ %j.next, %cell ]
  %so.far = phi double [ %sum, %row ], [ %more, %cell ]
  %from = getelementptr double, ptr %p, i64 %j
  %x = load double, ptr %from, align 8
  %y = fadd double %x, %f
  %e = call double @exp(double %y)
  %to = getelementptr double, ptr %start, i64 %j
  store double %e, ptr %to, align 8
  %square = fmul double %e, %e
  %more = fadd double %so.far, %square
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %d
  br i1 %j.done, label %end, label %cell
end:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %behind, label %row
behind:
  store double 1.0, ptr %own, align 8
  call void @llvm.memset.p0.i64(ptr %own, i8 0, i64 8, i1 false)
  %root = call double @exp(double %more)
  call void @free(ptr %at)
  call void @free(ptr %own)
  ret double %root
}
"#;

/// The same with numbers of 32 bits, as they are before anything is optimised.
const NARROW: &str = r#"
declare ptr @malloc(i64)
declare void @free(ptr)
declare double @exp(double)
define double @f(ptr noalias %p, ptr noalias %out, i32 %n, i32 %d, i32 %apart, ptr %other) {
entry:
  %at = call ptr @malloc(i64 1000)
  br label %row
row:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  %sum = phi double [ 0.0, %entry ], [ %so.far, %end ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %inner, label %behind
inner:
  %first = mul FLAGS i32 %i, %d
  br label %cell
cell:
  %j = phi i32 [ 0, %inner ], [ %j.next, %body ]
  %so.far = phi double [ %sum, %inner ], [ %more, %body ]
  %j.more = icmp slt i32 %j, %d
  br i1 %j.more, label %body, label %end
body:
  %from = getelementptr double, ptr %p, i32 %j
  %x = load double, ptr %from, align 8
  %e = call double @exp(double %x)
  %index = add FLAGS i32 %first, %j
  %wide = WIDENED i32 %index to i64
  %to = getelementptr double, ptr %at, i64 %wide
  store double %e, ptr %to, align 8
  %square = fmul double %e, %e
  %more = fadd double %so.far, %square
  %j.next = add nsw i32 %j, 1
  br label %cell
end:
  %i.next = add nsw i32 %i, 1
  br label %row
behind:
  %root = call double @exp(double %sum)
  call void @free(ptr %at)
  ret double %root
}
"#;

struct Fixture {
    module: Module,
    sources: Sources,
    facts: Analyses,
    root: FuncId,
}

fn fixture(text: &str, combined: bool) -> Fixture {
    let mut module = ir::parse(text, "test").expect("the test's IR parses");
    let root = module.function("f").expect("the function exists");
    let sources = collect(&mut module, root).expect("normalises");
    let c = Activity::Const;
    let activities = [Activity::Dup, Activity::Dup, c, c, c, Activity::Dup];
    let mut facts =
        Analyses::from(Facts::analyse(&module, &sources, root, &activities, &Default::default()).expect("converges"));
    facts.both_passes = combined;
    facts.reloads = find_reloads(&module, &facts, &sources, &BTreeSet::from([root]), (root, combined));
    Fixture { module, sources, facts, root }
}

fn with<T>(fixture: &mut Fixture, f: impl FnOnce(&Context, &Shape, RecordTypes) -> T) -> T {
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
    f(&cx, &Shape::new(&fixture.module, func).expect("reducible"), types)
}

const BOTH: Assumptions = Assumptions { combined: true, arguments: false };

fn plan(fixture: &mut Fixture, without: Without, assume: Assumptions) -> Plan {
    with(fixture, |cx, shape, types| {
        let plan = Plan::new(cx, shape, return_block(cx.func).expect("returns"), (assume, without), types);
        assert_eq!(check(cx, shape, &plan, assume), Ok(()));
        plan
    })
}

/// Is what `exp` gives in the loop loaded, and is nothing of the loop kept?
fn loads(fixture: &mut Fixture, assume: Assumptions) -> bool {
    let plan = plan(fixture, Without::default(), assume);
    with(fixture, |cx, _, _| {
        let is_store = |inst: &_| matches!(cx.func.insts[*inst].kind, InstKind::Store { .. });
        let loaded = plan.recipes.iter().filter(|(w, _)| !plan.stored.contains(w));
        let loaded = loaded.filter(|(_, r)| matches!(r, Recipe::Again(inst, _) if is_store(inst))).count();
        let kept = plan.stored.iter().any(|w| matches!(w.item, Item::Primal(_)) && w.region.is_some());
        assert!(loaded <= 1 && kept != (loaded == 1), "{loaded} {kept}");
        loaded == 1
    })
}

/// The programs in which it is not there any more, or never was: what is replaced, by what, and what the checker says
/// of a plan that does not know.
const BROKEN: [(&str, &str, &str); 10] = [
    // The rows are as far apart as something else is large.
    ("%first = mul nsw i64 %i, %d", "%first = mul nsw i64 %i, %apart", ITSELF),
    // Rows overlap, or are one.
    ("%to = getelementptr double, ptr %start, i64 %j", "%to = getelementptr float, ptr %start, i64 %j", ITSELF),
    ("%start = getelementptr double, ptr %at, i64 %first", "%start = getelementptr double, ptr %at, i64 %n", ITSELF),
    ("%to = getelementptr double, ptr %start, i64 %j", "%to = getelementptr double, ptr %start, i64 %i", ITSELF),
    // The inner loop goes further than a row.
    ("%j.done = icmp eq i64 %j.next, %d", "%j.done = icmp eq i64 %j.next, %apart", ITSELF),
    // It starts before the row does.
    ("%j = phi i64 [ 0, %row ]", "%j = phi i64 [ -1, %row ]", ""),
    // Something else writes there afterwards.
    ("store double 1.0, ptr %own", "store double 1.0, ptr %at", "is overwritten by inst"),
    ("memset.p0.i64(ptr %own,", "memset.p0.i64(ptr %at,", "is overwritten by inst"),
    // Another value is stored, or nobody may look.
    ("store double %e, ptr %to", "store double %y, ptr %to", "not what the store has left"),
    ("store double %e, ptr %to", "store volatile double %e, ptr %to", "no plain store"),
];

const ITSELF: &str = "is overwritten by its own store";

#[test]
fn a_value_is_loaded_from_where_it_is_stored() {
    assert!(loads(&mut fixture(NEST, true), BOTH));
    let kept = plan(&mut fixture(NEST, true), Without::default(), BOTH).stored.len();
    let mut without = fixture(NEST, true);
    without.facts.without = Without::default().and(Lever::StoredValues);
    let root = without.root;
    without.facts.reloads =
        find_reloads(&without.module, &without.facts, &without.sources, &BTreeSet::from([root]), (root, true));
    assert_eq!(plan(&mut without, Without::default(), BOTH).stored.len(), kept + 1);
}

#[test]
fn what_is_stored_between_the_cells_is_not_in_the_way() {
    let text = |second: &str| {
        let pairs = NEST
            .replace("%bytes = shl i64 %cells, 3", "%bytes = shl i64 %cells, 4")
            .replace("getelementptr double, ptr %at, i64 %first", "getelementptr [2 x double], ptr %at, i64 %first")
            .replace("getelementptr double, ptr %start, i64 %j", "getelementptr [2 x double], ptr %start, i64 %j");
        let text = pairs.replace("  %square = ", &format!("{second}\n  %square = "));
        assert_ne!(text, pairs);
        text
    };
    let both = |second: &str| loads(&mut fixture(&text(second), true), BOTH);
    let beside = |bytes: i64| {
        format!("  %beside = getelementptr i8, ptr %to, i64 {bytes}\n  store double %x, ptr %beside, align 4")
    };
    assert!(both(&beside(8)) && both(&beside(-8)) && both(&beside(168)));
    assert!(!both(&beside(4)) && !both(&beside(-4)), "they have bytes in common");
    assert!(!both(&beside(16)) && !both(&beside(-160)), "another iteration's cell");
    let wide = beside(8).replace("double %x", "i128 0");
    assert!(!both(&wide), "it goes on into the next one");
    let float = "  %beside = getelementptr float, ptr %start, i64 %j\n  store float 1.0, ptr %beside, align 4";
    assert!(!both(float), "it lies closer together");
    let odd = "  %k = shl i64 %j, 1\n  %odd = or disjoint i64 %k, 1\n  \
        %beside = getelementptr double, ptr %start, i64 %odd\n  store double %x, ptr %beside, align 8";
    assert!(both(odd) && !both(&odd.replace("1\n  %beside", "2\n  %beside")));
}

#[test]
fn a_narrow_index_is_told_by_what_is_promised_of_it() {
    let is_loaded = |flags: &str, widened: &str| {
        let text = NARROW.replace("FLAGS", flags).replace("WIDENED", widened);
        loads(&mut fixture(&text, true), BOTH)
    };
    assert!(is_loaded("nsw", "sext") && is_loaded("nsw", "zext nneg"));
    assert!(!is_loaded("", "sext") && !is_loaded("nuw", "sext"), "it may go round");
    assert!(!is_loaded("nsw", "zext"), "it may be negative, and then is another number");
}

#[test]
fn where_it_is_not_there_any_more_it_is_kept() {
    for (old, new, _) in BROKEN {
        assert!(NEST.contains(old), "{old}");
        assert!(!loads(&mut fixture(&NEST.replace(old, new), true), BOTH), "{new}");
    }
}

#[test]
fn memory_of_the_caller_lasts_while_the_gradient_runs() {
    let given = NEST
        .replace("%at = call ptr @malloc(i64 %bytes)", "%at = getelementptr i8, ptr %out, i64 8")
        .replace("free(ptr %at)", "free(ptr null)");
    let split = Assumptions { combined: false, arguments: false };
    assert!(loads(&mut fixture(&given, true), BOTH));
    for text in [NEST, &given] {
        assert!(!loads(&mut fixture(text, false), split), "the caller may write there in between");
    }
    let below = "%n.less = sub i64 %n, 1\n  %small = icmp slt i64 %n, 2\n  br i1 %small, label %last, label %again\n\
        again:\n  %deeper = call double @f(ptr %p, ptr %out, i64 %n.less, i64 %d, i64 %apart, ptr %other)\n  \
        br label %last\nlast:\n  %root = call double @exp(double %more)";
    let recursive = given.replace("%root = call double @exp(double %more)", below);
    assert!(!loads(&mut fixture(&recursive, true), BOTH), "a call further down writes the same cells");
}

#[test]
fn a_plan_that_loads_something_else_is_found() {
    let good = plan(&mut fixture(NEST, true), Without::default(), BOTH);
    for (old, new, why) in BROKEN {
        let mut broken = fixture(&NEST.replace(old, new), true);
        // The frees wait as if nothing were wrong.
        broken.facts.reloads = fixture(NEST, true).facts.reloads;
        let verdict = with(&mut broken, |cx, shape, _| check(cx, shape, &good, BOTH));
        let message = verdict.err().map(|e| e.message);
        assert!(message.as_ref().is_some_and(|m| m.contains(why)), "{new}: {message:?}");
    }
    let split = with(&mut fixture(NEST, false), |cx, shape, _| {
        check(cx, shape, &good, Assumptions { combined: false, arguments: true })
    });
    assert!(split.is_err());
}
