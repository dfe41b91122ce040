//! Values that are made again by what may not be executed again.

use crate::forging::{Forced, Passes, force, program, value};
use ad::inside::Item;

/// A number `%v` that is made in each iteration of a loop, and a partial derivative that needs it. `MADE` gives it.
const MAKES: &str = r#"
@counter = internal global i64 0
declare i32 @rand()
declare i64 @time(ptr)
declare i64 @clock()
declare i32 @getchar() "enzyme_inactive"
declare i32 @atoi(ptr)
declare i64 @strlen(ptr)
declare ptr @malloc(i64)
declare double @drawn() "enzyme_inactive"
declare double @constant(double) "enzyme_inactive" memory(none)
declare double @asked.for(double) "enzyme_inactive" "enzyme_shouldrecompute"
declare double @frexp(double, ptr)
declare double @sin(double)
declare double @llvm.fabs.f64(double)
declare double @llvm.fmuladd.f64(double, double, double)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.readcyclecounter()
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)

define internal i64 @counts() {
  %old = load i64, ptr @counter, align 8
  %new = add i64 %old, 1
  store i64 %new, ptr @counter, align 8
  ret i64 %new
}

define double @f(ptr noalias %x, ptr noalias %y, i64 %n, i64 %d, double %c) {
entry:
  %cell = alloca i32, align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %state = phi i64 [ 1, %entry ], [ %state.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %p, align 8
  %f = sitofp i64 %i to double
  MADE
  %product = fmul double %a, %v
  %more = fadd double %sum, %product
  %state.next = mul i64 %state, %state
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %loop, label %exit
exit:
  ret double %more
}
"#;

/// How it is made, which value is made again, and whether that is right.
const MADE: &[(&str, &[&str], bool)] = &[
    ("%v = fadd double %f, 1.0", &["v"], true),
    ("%v = call double @llvm.fabs.f64(double %f)", &["v"], true),
    ("%v = call double @llvm.fmuladd.f64(double %f, double %c, double 1.0)", &["v"], true),
    ("%v = call double @sin(double %f)", &["v"], true),
    ("%w = call i64 @llvm.smax.i64(i64 %i, i64 7)\n  %v = sitofp i64 %w to double", &["w", "v"], true),
    ("%v = call double @asked.for(double %f)", &["v"], true),
    ("%w = call i32 @rand()\n  %v = sitofp i32 %w to double", &["w", "v"], false),
    ("%w = call i32 @getchar()\n  %v = sitofp i32 %w to double", &["w", "v"], false),
    ("%w = call i64 @time(ptr null)\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    ("%w = call i64 @clock()\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    ("%w = call i64 @llvm.readcyclecounter()\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    ("%w = call i64 @strlen(ptr %y)\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    ("%w = call i32 @atoi(ptr %y)\n  %v = sitofp i32 %w to double", &["w", "v"], false),
    ("%w = call i64 @counts()\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    ("%v = call double @drawn()", &["v"], false),
    ("%v = call double @frexp(double %f, ptr %cell)", &["v"], false),
    ("%w = atomicrmw add ptr @counter, i64 1 seq_cst\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    (
        "%w = cmpxchg ptr @counter, i64 0, i64 1 seq_cst seq_cst\n  %o = extractvalue { i64, i1 } %w, 0\n  \
            %v = sitofp i64 %o to double",
        &["w", "o", "v"],
        false,
    ),
    ("%w = load volatile i64, ptr @counter, align 8\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    ("%w = load atomic i64, ptr @counter seq_cst, align 8\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    ("%w = freeze i64 %i\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    ("%w = sdiv i64 %i, %d\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    ("%w = urem i64 %i, %d\n  %v = sitofp i64 %w to double", &["w", "v"], false),
    (
        "%w = call ptr @malloc(i64 8)\n  %b = ptrtoint ptr %w to i64\n  %v = sitofp i64 %b to double",
        &["w", "b", "v"],
        false,
    ),
    ("%w = alloca i64\n  %b = ptrtoint ptr %w to i64\n  %v = sitofp i64 %b to double", &["w", "b", "v"], false),
    ("%v = sitofp i64 %state to double", &["state", "v"], false),
];

#[test]
fn what_has_an_effect_or_gives_another_number_is_not_executed_again() {
    for (made, value, right) in MADE {
        let text = MAKES.replace("MADE", made);
        assert_eq!(program(&text, Passes::Both).verdict(|_, _, _| {}), Ok(()), "{made}: the planner's own");
        let verdict = program(&text, Passes::Both).forced(Forced::Again(value));
        match (right, verdict) {
            (true, verdict) => assert_eq!(verdict, Ok(()), "{made}"),
            (false, Ok(())) => panic!("made again: {made}"),
            (false, Err(why)) => {
                assert!(why.contains("cannot be computed again") || why.contains("no plain load"), "{made}: {why}");
            }
        }
    }
}

#[test]
fn a_condition_that_may_come_out_otherwise_is_not_computed_again() {
    let decides = |sum: &str| {
        let made = format!("%t = {sum}\n  %w = fcmp ogt double %t, 2.0\n  %v = select i1 %w, double %f, double %c");
        program(&MAKES.replace("MADE", &made), Passes::Both).forced(Forced::Again(&["w"]))
    };
    assert_eq!(decides("fadd double %f, %c"), Ok(()));
    for sum in ["fadd fast double %f, %c", "call double @sin(double %f)", "fmul contract double %f, %c"] {
        let why = decides(sum).expect_err(sum);
        assert!(why.contains("may be rounded otherwise"), "{why}");
    }
}

#[test]
fn what_an_instruction_reads_must_be_there() {
    let text =
        MAKES.replace("MADE", "%w = call i32 @rand()\n  %r = sitofp i32 %w to double\n  %v = fadd double %r, 1.0");
    let without = |kept: bool| {
        program(&text, Passes::Both).verdict(|cx, shape, plan| {
            force(cx, shape, plan, Forced::Again(&["r", "v"]));
            let w = Item::Primal(value(cx.func, "w"));
            plan.stored.retain(|wanted| kept || wanted.item != w);
        })
    };
    assert_eq!(without(true), Ok(()));
    let why = without(false).expect_err("nothing gives the number");
    assert!(why.contains("is neither stored nor computed"), "{why}");
}
