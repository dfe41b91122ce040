//! Which partials are guarded, so that a zero adjoint stays zero where they are infinite.
//!
//! They are those of values that may be thrown away, or of which something finite may be made where they are infinite
//! (docs/contract.md: what has no part in an output has none in its gradient). No others: a guard costs a comparison,
//! and keeps sums of products from being vectors.

use ad::Options;

/// How many partials are guarded in the gradient of `f`, whose body is this, with active parameters `%x`, `%y` and
/// `%p`, the address of numbers, and the constants `%c`, a bit, and `%d`, the address of two integers.
fn guards(body: &str) -> usize {
    let text = format!(
        "declare double @__enzyme_autodiff(...)\n@enzyme_dup = external global i32\n\
         @enzyme_const = external global i32\n\
         declare double @fmin(double, double)\ndeclare double @asin(double)\ndeclare double @log(double)\n\
         declare ptr @malloc(i64)\ndeclare void @free(ptr)\n\
         define double @f(double %x, double %y, ptr %p, ptr %d, i1 %c) {{\n{body}\n}}\n\
         define void @main(double %x, double %y, ptr %p, ptr %dp, ptr %d, i1 %c) {{\n  \
         %dup = load i32, ptr @enzyme_dup, align 4\n  %const = load i32, ptr @enzyme_const, align 4\n  \
         call double (...) @__enzyme_autodiff(ptr @f, double %x, double %y, i32 %dup, ptr %p, ptr %dp, i32 %const, \
         ptr %d, i1 %c)\n  ret void\n}}\n"
    );
    let outcome = ad::differentiate(ir::parse(&text, "test").expect("the test's IR parses"), &Options::default());
    assert!(outcome.refusals.is_empty(), "{:?}", outcome.refusals);
    let (_, gradient) =
        outcome.module.functions.iter().find(|(_, f)| f.name == "__adj_gradient_f").expect("a gradient");
    let calls = gradient.insts.values().filter_map(|inst| match &inst.kind {
        ir::InstKind::Call(call) => outcome.module.as_function(call.callee),
        _ => None,
    });
    calls.filter(|f| outcome.module.functions[*f].name.starts_with("__adj_finite_or_zero")).count()
}

/// A loop of five iterations, in which `%s` becomes `%more`, which is returned.
fn summing(more: &str) -> String {
    format!(
        "entry:\n  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n  \
         %s = phi double [ 0.0, %entry ], [ %more, %loop ]\n  %at = getelementptr inbounds double, ptr %p, i64 %i\n  \
         %v = load double, ptr %at, align 8\n  {more}\n  %next = add nuw nsw i64 %i, 1\n  \
         %go = icmp ult i64 %next, 5\n  br i1 %go, label %loop, label %end\nend:\n  ret double %more"
    )
}

#[test]
fn what_is_returned_is_infinite_where_its_partials_are() {
    assert_eq!(guards("  %q = fdiv double %x, %y\n  ret double %q"), 0);
    assert_eq!(guards("  %l = call double @log(double %x)\n  %q = fmul double %l, %y\n  ret double %q"), 0);
    // The slope of an inverse sine is infinite where the sine is 1.
    assert_eq!(guards("  %a = call double @asin(double %x)\n  ret double %a"), 1);
    assert_eq!(guards(&summing("%t = fdiv double %x, %v\n  %more = fadd double %s, %t")), 0);
}

#[test]
fn what_is_chosen_may_be_thrown_away() {
    assert_eq!(guards("  %q = fdiv double %x, %y\n  %r = select i1 %c, double %q, double %x\n  ret double %r"), 2);
    let body = "%t = fdiv double %x, %v\n  %other = fadd double %s, %t\n  \
                %more = select i1 %c, double %other, double %s";
    assert_eq!(guards(&summing(body)), 2);
    let branch = "entry:\n  %q = fdiv double %x, %y\n  br i1 %c, label %more, label %end\nmore:\n  \
                  %m = fmul double %q, %x\n  br label %end\nend:\n  \
                  %r = phi double [ %m, %more ], [ %x, %entry ]\n  ret double %r";
    assert_eq!(guards(branch), 2, "the product is computed only where it is used, the quotient always");
}

#[test]
fn what_is_used_besides_is_not_thrown_away() {
    // Of both arms.
    let arms = "  %b = fmul double %x, %y\n  %m = fmul double %b, %x\n  %r = select i1 %c, double %m, double %b\n  \
                ret double %r";
    assert_eq!(guards(arms), 2, "those of the product in one arm");
    // Besides a choice.
    let besides = "  %q = fdiv double %x, %y\n  %r = select i1 %c, double %q, double %x\n  \
                   %s = fadd double %r, %q\n  ret double %s";
    assert_eq!(guards(besides), 0);
    // Behind a branch, on both ways.
    let branch = "entry:\n  %q = fdiv double %x, %y\n  br i1 %c, label %more, label %end\nmore:\n  \
                  %m = fmul double %q, %x\n  br label %end\nend:\n  \
                  %r = phi double [ %m, %more ], [ %q, %entry ]\n  ret double %r";
    assert_eq!(guards(branch), 0);
    // A comparison is no use.
    let compared = "  %q = fdiv double %x, %y\n  %m = fmul double %q, %x\n  %big = fcmp ogt double %m, 1.0\n  \
                    %r = select i1 %big, double %y, double %q\n  ret double %r";
    assert_eq!(guards(compared), 2);
}

#[test]
fn finite_numbers_are_made_of_infinite_ones() {
    let tamed = |last: &str| guards(&format!("  %q = fdiv double 1.0, %x\n  %m = fmul double %q, %y\n  {last}"));
    assert_eq!(tamed("%r = fdiv double 1.0, %m\n  ret double %r"), 3);
    assert_eq!(tamed("%r = call double @fmin(double %m, double 3.0)\n  ret double %r"), 3);
    assert_eq!(tamed("%r = fdiv double %m, %y\n  ret double %r"), 0, "a numerator");
    assert_eq!(tamed("%t = fdiv double 1.0, %m\n  %r = fadd double %t, %m\n  ret double %r"), 0, "used besides");
}

/// What is stored for each of so many elements, and read for each of them or fewer.
#[test]
fn what_is_stored_is_used_where_loops_run_as_far() {
    let program = |bound: &str| {
        format!(
            "entry:\n  %n = load i64, ptr %d, align 8\n  %size = shl i64 %n, 3\n  %a = call ptr @malloc(i64 %size)\n  \
             br label %store\n\
             store:\n  %i = phi i64 [ 0, %entry ], [ %inext, %store ]\n  \
             %from = getelementptr inbounds double, ptr %p, i64 %i\n  %v = load double, ptr %from, align 8\n  \
             %q = fdiv double %x, %v\n  %to = getelementptr inbounds double, ptr %a, i64 %i\n  \
             store double %q, ptr %to, align 8\n  %inext = add nuw nsw i64 %i, 1\n  \
             %igo = icmp slt i64 %inext, %n\n  br i1 %igo, label %store, label %between\n\
             between:\n  {bound}\n  br label %read\n\
             read:\n  %j = phi i64 [ 0, %between ], [ %jnext, %read ]\n  \
             %s = phi double [ 0.0, %between ], [ %more, %read ]\n  \
             %at = getelementptr inbounds double, ptr %a, i64 %j\n  %w = load double, ptr %at, align 8\n  \
             %more = fadd double %s, %w\n  %jnext = add nuw nsw i64 %j, 1\n  \
             %jgo = icmp slt i64 %jnext, %m\n  br i1 %jgo, label %read, label %end\n\
             end:\n  call void @free(ptr %a)\n  ret double %more"
        )
    };
    assert_eq!(guards(&program("%m = load i64, ptr %d, align 8")), 0);
    let other = "%other = getelementptr inbounds i64, ptr %d, i64 1\n  %m = load i64, ptr %other, align 8";
    assert_eq!(guards(&program(other)), 2);
}
