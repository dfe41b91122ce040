//! Which partials are guarded, so that a zero adjoint stays zero where they are infinite.
//!
//! They are those that may be infinite where the operands are finite, and those of values that may be thrown away, or
//! of which something finite may be made where they are infinite (docs/contract.md: what has no part in an output has
//! none in its gradient). No others: a guard costs a comparison, and keeps sums of products from being vectors.

use ad::Options;

/// The partials that are guarded always in a quotient, and in one whose numerator is constant.
const QUOTIENT: usize = 2;
const RECIPROCAL: usize = 1;
/// Those of a product, where it is guarded.
const PRODUCT: usize = 2;

/// How many partials are guarded in the gradient of `f` and of what it calls. Its body is this, with active parameters
/// `%x`, `%y` and `%p`, the address of numbers, and the constants `%c`, a bit, and `%d`, the address of two integers.
fn guards(body: &str) -> usize {
    let text = format!(
        "declare double @__enzyme_autodiff(...)\n@enzyme_dup = external global i32\n\
         @enzyme_const = external global i32\n\
         declare double @fmin(double, double)\ndeclare double @asin(double)\ndeclare double @log(double)\n\
         declare ptr @malloc(i64)\ndeclare void @free(ptr)\n\
         define internal void @divide(ptr %to, double %a, double %b, i1 %c) {{\n  %q = fdiv double %a, %b\n  \
         %m = fmul double %q, %a\n  store double %m, ptr %to, align 8\n  br i1 %c, label %again, label %end\n\
         again:\n  call void @divide(ptr %to, double %b, double %a, i1 false)\n  br label %end\n\
         end:\n  ret void\n}}\n\
         define double @f(double %x, double %y, ptr %p, ptr %d, i1 %c) {{\n{body}\n}}\n\
         define void @main(double %x, double %y, ptr %p, ptr %dp, ptr %d, i1 %c) {{\n  \
         %dup = load i32, ptr @enzyme_dup, align 4\n  %const = load i32, ptr @enzyme_const, align 4\n  \
         call double (...) @__enzyme_autodiff(ptr @f, double %x, double %y, i32 %dup, ptr %p, ptr %dp, i32 %const, \
         ptr %d, i1 %c)\n  ret void\n}}\n"
    );
    guards_in(&text)
}

/// How many partials and tangents are guarded in forward mode, in a function of `%x`.
fn forward(body: &str) -> usize {
    let text = format!(
        "declare double @__enzyme_fwddiff(ptr, ...)\ndeclare double @exp(double)\n\
         define double @f(double %x) {{\n{body}\n}}\n\
         define double @main(double %x) {{\n  \
         %t = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)\n  ret double %t\n}}\n"
    );
    guards_in(&text)
}

fn guards_in(text: &str) -> usize {
    let outcome = ad::differentiate(ir::parse(text, "test").expect("the test's IR parses"), &Options::default());
    assert!(outcome.refusals.is_empty(), "{:?}", outcome.refusals);
    let derived = outcome.module.functions.values().filter(|f| f.name.starts_with("__adj"));
    let calls = derived.flat_map(|f| f.insts.values()).filter_map(|inst| match &inst.kind {
        ir::InstKind::Call(call) => outcome.module.as_function(call.callee),
        _ => None,
    });
    let names = calls.map(|f| &outcome.module.functions[f].name);
    names.filter(|name| name.starts_with("__adj_finite_or_zero")).count()
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
fn what_may_be_infinite_of_finite_operands_is_guarded_always() {
    assert_eq!(guards("  %q = fdiv double %x, %y\n  ret double %q"), QUOTIENT);
    assert_eq!(guards("  %l = call double @log(double %x)\n  %q = fmul double %l, %y\n  ret double %q"), 1);
    // The slope of an inverse sine is infinite where the sine is 1.
    assert_eq!(guards("  %a = call double @asin(double %x)\n  ret double %a"), 1);
    assert_eq!(guards(&summing("%t = fdiv double %x, %v\n  %more = fadd double %s, %t")), QUOTIENT);
}

#[test]
fn products_that_are_used_are_not_guarded() {
    assert_eq!(guards("  %q = fmul double %x, %y\n  %r = fmul double %q, %q\n  ret double %r"), 0);
    assert_eq!(guards(&summing("%t = fmul double %x, %v\n  %more = fadd double %s, %t")), 0);
    let of_quotient = "  %q = fdiv double %x, %y\n  %m = fmul double %q, %x\n  ret double %m";
    assert_eq!(guards(of_quotient), QUOTIENT);
}

#[test]
fn what_is_chosen_may_be_thrown_away() {
    assert_eq!(guards("  %q = fmul double %x, %y\n  %r = select i1 %c, double %q, double %x\n  ret double %r"), 2);
    let least = "  %q = fmul double %x, %y\n  %r = call double @fmin(double %q, double 3.0)\n  ret double %r";
    assert_eq!(guards(least), PRODUCT, "whatever the operands are");
    let body = "%t = fmul double %x, %v\n  %other = fadd double %s, %t\n  \
                %more = select i1 %c, double %other, double %s";
    assert_eq!(guards(&summing(body)), 2);
    let branch = "entry:\n  %q = fmul double %x, %y\n  br i1 %c, label %more, label %end\nmore:\n  \
                  %m = fmul double %q, %x\n  br label %end\nend:\n  \
                  %r = phi double [ %m, %more ], [ %x, %entry ]\n  ret double %r";
    assert_eq!(guards(branch), 2, "the second product is computed only where it is used, the first one always");
    // To be compared is no use.
    let compared = "entry:\n  %m = fmul double %y, %x\n  %big = fcmp ogt double %m, 1.0\n  \
                    br i1 %big, label %more, label %end\nmore:\n  %s = fadd double %m, %x\n  br label %end\nend:\n  \
                    %r = phi double [ %s, %more ], [ %x, %entry ]\n  ret double %r";
    assert_eq!(guards(compared), 2);
}

#[test]
fn finite_numbers_are_made_of_infinite_ones() {
    // The product is guarded where it may be infinite and what is made of it finite.
    let tamed = |last: &str| guards(&format!("  %q = fdiv double 1.0, %x\n  %m = fmul double %q, %y\n  {last}"));
    assert_eq!(tamed("%r = fdiv double 1.0, %m\n  ret double %r"), RECIPROCAL + PRODUCT + RECIPROCAL);
    assert_eq!(tamed("%r = call double @fmin(double %m, double 3.0)\n  ret double %r"), RECIPROCAL + PRODUCT);
    assert_eq!(tamed("%r = fdiv double %m, %y\n  ret double %r"), RECIPROCAL + QUOTIENT, "a numerator");
    // A divisor may be a constant that is zero.
    let none = "  %q = fdiv double %x, 0.0\n  %m = fmul double %q, %y\n  %r = fdiv double 1.0, %m\n  ret double %r";
    assert_eq!(guards(none), 1 + PRODUCT + RECIPROCAL);
    let half = none.replace("0.0", "2.0");
    assert_eq!(guards(&half), 1 + RECIPROCAL);
    let chosen = "%a = call ptr @malloc(i64 8)\n  store double %m, ptr %a, align 8\n  \
                  %w = load double, ptr %a, align 8\n  call void @free(ptr %a)\n  \
                  %r = call double @fmin(double %w, double 3.0)\n  ret double %r";
    assert_eq!(tamed(chosen), RECIPROCAL + PRODUCT, "by way of memory");
}

/// What is stored for each of so many elements, and read for each of them or fewer: a product with a quotient.
#[test]
fn what_is_stored_is_used_where_loops_run_as_far() {
    let program = |between: &str, bound: &str| {
        format!(
            "entry:\n  %n = load i64, ptr %d, align 8\n  %size = shl i64 %n, 3\n  %a = call ptr @malloc(i64 %size)\n  \
             br label %store\n\
             store:\n  %i = phi i64 [ 0, %entry ], [ %inext, %store ]\n  \
             %from = getelementptr inbounds double, ptr %p, i64 %i\n  %v = load double, ptr %from, align 8\n  \
             %q = fdiv double %x, %v\n  %t = fmul double %q, %y\n  \
             %to = getelementptr inbounds double, ptr %a, i64 %i\n  store double %t, ptr %to, align 8\n  \
             %inext = add nuw nsw i64 %i, 1\n  %igo = icmp slt i64 %inext, %n\n  \
             br i1 %igo, label %store, label %between\n\
             between:\n{between}  br label %read\n\
             read:\n  %j = phi i64 [ 0, %between ], [ %jnext, %read ]\n  \
             %s = phi double [ 0.0, %between ], [ %more, %read ]\n  \
             %at = getelementptr inbounds double, ptr %a, i64 %j\n  %w = load double, ptr %at, align 8\n  \
             %more = fadd double %s, %w\n  %jnext = add nuw nsw i64 %j, 1\n  \
             %jgo = icmp slt i64 %jnext, {bound}\n  br i1 %jgo, label %read, label %end\n\
             end:\n  call void @free(ptr %a)\n  ret double %more"
        )
    };
    assert_eq!(guards(&program("", "%n")), QUOTIENT);
    let other = "  %other = getelementptr inbounds i64, ptr %d, i64 1\n  %m = load i64, ptr %other, align 8\n";
    assert_eq!(guards(&program(other, "%m")), QUOTIENT + PRODUCT);
    // Overwritten before it is read, perhaps.
    let other = "  %first = load double, ptr %a, align 8\n  %huge = fcmp ogt double %first, 1.0e6\n  \
                 br i1 %huge, label %mend, label %on\nmend:\n  store double 0.0, ptr %a, align 8\n  br label %on\n\
                 on:\n";
    let overwritten =
        program(other, "%n").replace("[ 0, %between ]", "[ 0, %on ]").replace("[ 0.0, %between ]", "[ 0.0, %on ]");
    assert_eq!(guards(&overwritten), QUOTIENT + PRODUCT);
}

/// A product with a quotient, stored.
#[test]
fn what_is_stored_may_be_overwritten_or_left_to_callers() {
    // By each iteration, and only the last is read.
    let last = "  %a = call ptr @malloc(i64 8)\n  br label %loop\nloop:\n  %i = phi i64 [ 0, %0 ], [ %next, %loop ]\n  \
                %at = getelementptr inbounds double, ptr %p, i64 %i\n  %v = load double, ptr %at, align 8\n  \
                %q = fdiv double %x, %v\n  %m = fmul double %q, %y\n  store double %m, ptr %a, align 8\n  \
                %next = add nuw nsw i64 %i, 1\n  %go = icmp ult i64 %next, 5\n  \
                br i1 %go, label %loop, label %end\nend:\n  \
                %last = load double, ptr %a, align 8\n  call void @free(ptr %a)\n  ret double %last";
    assert_eq!(guards(last), QUOTIENT + PRODUCT);
    // An output is used.
    let output = "  %q = fdiv double %x, %y\n  %m = fmul double %q, %y\n  store double %m, ptr %p, align 8\n  ";
    assert_eq!(guards(&format!("{output}ret double 0.0")), QUOTIENT);
    assert_eq!(guards(&format!("{output}store double %x, ptr %p, align 8\n  ret double 0.0")), QUOTIENT + PRODUCT);
    // What a function stores for another one may or may not be used.
    let called = "  %a = alloca double, align 8\n  call void @divide(ptr %a, double %x, double %y, i1 %c)\n  \
                  %q = load double, ptr %a, align 8\n  ret double %q";
    assert_eq!(guards(called), 2 * (QUOTIENT + PRODUCT), "written out, the first time");
}

#[test]
fn an_infinite_tangent_ends_where_overflow_is_tamed() {
    // Of each function a partial, and of the last one the tangent.
    let tamed = |value: &str| {
        forward(&format!("  {value}\n  %s = fadd double %m, 1.0\n  %r = fdiv double 1.0, %s\n  ret double %r"))
    };
    assert_eq!(tamed("%m = call double @exp(double %x)"), 2 + 1);
    // `1/(1/x)` is `x`, at a pole too: a tangent of zero would be wrong there.
    assert_eq!(tamed("%m = fdiv double 1.0, %x"), 2);
    // What is finite has a finite tangent.
    assert_eq!(tamed("%m = fadd double %x, %x"), 1);
}
