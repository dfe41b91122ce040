//! What each analysis claims of small functions: [`ad::claims`] as text, against what is written down here. Whether the
//! claims are true is found out by executions, in `fuzz`.

use ad::claims::{What, claims};

/// What is claimed of the function `f` with its parameter behind `enzyme_dup`; a `double` parameter `k` is constant.
fn claimed(function: &str) -> Vec<String> {
    let text = format!(
        "declare double @__enzyme_autodiff(...)\n@enzyme_dup = external global i32\n\
         @enzyme_const = external global i32\n\
         declare double @exp(double)\ndeclare void @other(ptr)\ndeclare ptr @malloc(i64)\ndeclare void @free(ptr)\n\
         {function}\n\
         define void @main(ptr %x, ptr %dx, i64 %n, double %k) {{\n  %d = load i32, ptr @enzyme_dup, align 4\n  \
         %c = load i32, ptr @enzyme_const, align 4\n  \
         call double (...) @__enzyme_autodiff(ptr @f, i32 %d, ptr %x, ptr %dx, i32 %c, i64 %n, i32 %c, double %k)\n  \
         ret void\n}}\n"
    );
    let module = ir::parse(&text, "test").expect("the test's IR parses");
    let claimed = claims(&module, None).expect("it is differentiated").expect("it has a call");
    let tell = |claim: &ad::claims::Claim| {
        let name =
            claim.place.split(" = ").next().unwrap_or(&claim.place).trim_start_matches("the loop that begins with ");
        match &claim.what {
            What::LeadsTo { targets, .. } => format!("leads to {}: {}", targets.len(), claim.place),
            What::Inactive => format!("inactive {name}"),
            What::Stays => format!("stays {name}"),
            What::SeesStore => format!("sees a store {name}"),
            What::RunsSoOften => format!("runs so often {name}"),
        }
    };
    claimed.claims.iter().map(tell).collect()
}

/// Is this claimed, and nothing else of its kind?
fn check(function: &str, kind: &str, expected: &[&str]) {
    let all = claimed(function);
    let found: Vec<&str> = all.iter().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' ')).collect();
    assert_eq!(found, expected, "{kind} in {all:#?}");
}

/// `f` sums `x[i]²` over a loop whose head, step and comparison are these.
fn summing(start: &str, step: &str, compare: &str) -> String {
    format!(
        "define double @f(ptr %x, i64 %n, double %k) {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i64 [ {start}, %entry ], [ %next, %loop ]\n  %s = phi double [ 0.0, %entry ], [ %more, %loop ]\n  \
         %at = getelementptr inbounds double, ptr %x, i64 %i\n  %v = load double, ptr %at, align 8\n  \
         %e = call double @exp(double %v)\n  %more = fadd double %s, %e\n  %next = {step}\n  %go = {compare}\n  \
         br i1 %go, label %loop, label %end\nend:\n  ret double %more\n}}"
    )
}

#[test]
fn trip_counts() {
    const COUNTED: &[&str] = &["%i"];
    for (start, step, compare, expected) in [
        ("0", "add nuw nsw i64 %i, 1", "icmp slt i64 %next, %n", COUNTED),
        ("0", "add i64 %i, 1", "icmp ne i64 %next, %n", COUNTED),
        ("0", "add nsw i64 %i, 3", "icmp sle i64 %next, %n", COUNTED),
        ("%n", "add nsw i64 %i, -2", "icmp sgt i64 %next, 0", COUNTED),
        ("0", "add nuw i64 %i, 5", "icmp ult i64 %i, %n", COUNTED),
        // A step of three need not meet the bound, and may wrap without a promise.
        ("0", "add i64 %i, 3", "icmp ne i64 %next, %n", &[]),
        ("0", "add i64 %i, 3", "icmp slt i64 %next, %n", &[]),
        // The counter is multiplied.
        ("1", "mul nsw i64 %i, 2", "icmp slt i64 %next, %n", &[]),
    ] {
        check(&summing(start, step, compare), "runs so often", expected);
    }
    // A bound that the loop loads again may be another one each time.
    let moving = summing("0", "add nsw i64 %i, 1", "icmp slt i64 %next, %m")
        .replace("  %next =", "  %bits = fptosi double %v to i64\n  %m = add i64 %bits, %n\n  %next =");
    check(&moving, "runs so often", &[]);
}

/// `f` is `exp(x[0])`, with something done behind the load.
fn loading(behind: &str) -> String {
    format!(
        "define double @f(ptr %x, i64 %n, double %k) {{\nentry:\n  %v = load double, ptr %x, align 8\n  \
         %e = call double @exp(double %v)\n  {behind}\n  ret double %e\n}}"
    )
}

#[test]
fn what_stays_in_memory() {
    check(&loading(""), "stays", &["%v"]);
    check(&loading("store double %e, ptr %x, align 8"), "stays", &[]);
    // By an unknown index.
    check(
        &loading("%at = getelementptr inbounds double, ptr %x, i64 %n\n  store double %e, ptr %at, align 8"),
        "stays",
        &[],
    );
    // Memory of its own is another one.
    let own = "%own = alloca double, align 8\n  store double %e, ptr %own, align 8\n  \
               %w = load double, ptr %own, align 8\n  %u = fmul double %w, %w\n  store double %u, ptr %own, align 8";
    check(&loading(own), "stays", &["%v"]);
    // In a function that is called, and by a copy.
    let helper = "define internal void @put(ptr %to, double %v) noinline {\n  store double %v, ptr %to, align 8\n  \
     ret void\n}\n";
    check(&(helper.to_owned() + &loading("call void @put(ptr %x, double %e)")), "stays", &[]);
    let copied = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n".to_owned()
        + &loading(
            "%at = getelementptr inbounds double, ptr %x, i64 3\n  \
             call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %at, i64 8, i1 false)",
        );
    check(&copied, "stays", &[]);
}

#[test]
fn inactive_numbers() {
    let function = "define double @f(ptr %x, i64 %n, double %k) {\nentry:\n  %v = load double, ptr %x, align 8\n  \
                    %c = fmul double %k, 3.0\n  %both = alloca [2 x double], align 8\n  %at = and i64 %n, 1\n  \
                    %o = getelementptr inbounds double, ptr %both, i64 %at\n  store double %c, ptr %o, align 8\n  \
                    %d = load double, ptr %o, align 8\n  %r = call double @llvm.floor.f64(double %v)\n  \
                    %i = sitofp i64 %n to double\n  %s = fadd double %d, %i\n  %t = fmul double %s, %r\n  \
                    %u = fmul double %t, %v\n  ret double %u\n}\ndeclare double @llvm.floor.f64(double)";
    // A number rounded to an integer is constant in pieces; what is stored alone in memory of its own stays so.
    check(function, "inactive", &["%c", "%d", "%r", "%i", "%s", "%t"]);
    // Memory in which an active number may lie.
    let mixed = function.replace("%d = load", "store double %v, ptr %o, align 8\n  %d = load");
    check(&mixed, "inactive", &["%c", "%r", "%i"]);
}

#[test]
fn where_pointers_lead() {
    let function = "define double @f(ptr %x, i64 %n, double %k) {\nentry:\n  %a = alloca [2 x double], align 8\n  \
                    %p = call ptr @malloc(i64 8)\n  %c = icmp sgt i64 %n, 3\n  %q = select i1 %c, ptr %a, ptr %p\n  \
                    store double %k, ptr %a, align 8\n  store double %k, ptr %p, align 8\n  \
                    %v = load double, ptr %x, align 8\n  store double %v, ptr %q, align 8\n  \
                    %w = load double, ptr %a, align 8\n  call void @free(ptr %p)\n  ret double %w\n}";
    check(
        function,
        "leads to",
        &[
            "1: store double %k, ptr %a, align 8",
            "1: store double %k, ptr %p, align 8",
            "1: %v = load double, ptr %x, align 8",
            "2: store double %v, ptr %q, align 8",
            "1: %w = load double, ptr %a, align 8",
        ],
    );
}

#[test]
fn which_store_a_load_sees() {
    // c[i] = exp(x[i]), then the sum of c[i]².
    let function = "define double @f(ptr noalias %x, i64 %n, double %k) {\nentry:\n  %c = call ptr @malloc(i64 512)\n  \
                    br label %fill\nfill:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]\n  \
                    %from = getelementptr inbounds double, ptr %x, i64 %i\n  %v = load double, ptr %from, align 8\n  \
                    %e = call double @exp(double %v)\n  %to = getelementptr inbounds double, ptr %c, i64 %i\n  \
                    store double %e, ptr %to, align 8\n  %i.next = add nuw nsw i64 %i, 1\n  \
                    %more = icmp ne i64 %i.next, %n\n  br i1 %more, label %fill, label %sum\nsum:\n  \
                    %j = phi i64 [ 0, %fill ], [ %j.next, %sum ]\n  %s = phi double [ 0.0, %fill ], [ %t, %sum ]\n  \
                    %at = getelementptr inbounds double, ptr %c, i64 %j\n  %w = load double, ptr %at, align 8\n  \
                    %sq = fmul double %w, %w\n  %t = fadd double %s, %sq\n  %j.next = add nuw nsw i64 %j, 1\n  \
                    %again = icmp ne i64 %j.next, %n\n  br i1 %again, label %sum, label %end\nend:\n  \
                    call void @free(ptr %c)\n  ret double %t\n}";
    check(function, "sees a store", &["%w"]);
    // Another store may have been there since.
    let overwritten = function.replace(
        "  %sq =",
        "  %half = lshr i64 %j, 1\n  %other = getelementptr inbounds double, ptr %c, i64 %half\n  \
         store double %s, ptr %other, align 8\n  %sq =",
    );
    check(&overwritten, "sees a store", &[]);
}
