//! Parallel regions: what is kept for the reverse pass where another thread may write. That the answers are right is
//! the business of the corpus (`corpus/parallel/openmp`).

use ad::{Activity, Mode, Style};

/// What becomes of the number that one thread of a region loads in a section, and squares: another thread executes
/// `other`, and no path leads from the one to the other.
fn fate(other: &str) -> String {
    let text = format!(
        "@place = global i32 0\n@lock = global [8 x i32] zeroinitializer\n\
         declare void @__kmpc_fork_call(ptr, i32, ptr, ...)\ndeclare void @__kmpc_critical(ptr, i32, ptr)\n\
         declare void @__kmpc_end_critical(ptr, i32, ptr)\ndeclare i32 @omp_get_thread_num()\n\
         define internal void @body(ptr %gtid, ptr %btid, ptr %x, ptr %y) {{\n  %g = load i32, ptr %gtid\n  \
         %me = call i32 @omp_get_thread_num()\n  %first = icmp eq i32 %me, 0\n  \
         br i1 %first, label %reads, label %writes\nreads:\n  \
         call void @__kmpc_critical(ptr @place, i32 %g, ptr @lock)\n  %read = load double, ptr %y\n  \
         call void @__kmpc_end_critical(ptr @place, i32 %g, ptr @lock)\n  %square = fmul double %read, %read\n  \
         store double %square, ptr %x\n  br label %end\nwrites:\n{other}  br label %end\nend:\n  ret void\n}}\n\
         define double @f(ptr noalias %x, ptr noalias %y) {{\n  \
         call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @place, i32 2, ptr @body, ptr %x, ptr %y)\n  \
         %v = load double, ptr %x\n  ret double %v\n}}\n"
    );
    let m = ir::parse(&text, "test").expect("the test's IR parses");
    let f = m.function("f").expect("f is there");
    let both = [Activity::Dup, Activity::Dup];
    let explained = ad::explain::explain(&m, f, &both, (Mode::Reverse, Style::default())).expect("it has a gradient");
    let decisions = explained.iter().flat_map(|function| &function.decisions);
    let load = decisions.into_iter().find(|decision| decision.text.contains("%read = load")).expect("the load");
    load.fate.join("; ")
}

#[test]
fn what_another_thread_may_overwrite_is_kept() {
    let section = |inside: &str| {
        format!(
            "  call void @__kmpc_critical(ptr @place, i32 %g, ptr @lock)\n{inside}  \
             call void @__kmpc_end_critical(ptr @place, i32 %g, ptr @lock)\n"
        )
    };
    let could_be_had_again = |fate: &str| !fate.contains("kept") || fate.contains("cheaper than to have it again");
    let written = fate(&section("  store double 3.0, ptr %y\n"));
    assert!(!could_be_had_again(&written), "{written}");
    let unwritten = fate(&section(""));
    assert!(could_be_had_again(&unwritten), "{unwritten}");
}

/// The records that say what is assigned are not copied into gradients, so that nothing may refer to them (LLVM, "Debug
/// Info Assignment Tracking").
#[test]
fn gradients_name_no_assignments_of_the_program() {
    let text = "define double @f(ptr %x, i64 %i) {\n  %a = alloca [2 x double], !DIAssignID !0\n  \
         %p = getelementptr double, ptr %a, i64 %i\n  %v = load double, ptr %x\n  \
         store double %v, ptr %p, !DIAssignID !0\n  %w = load double, ptr %p\n  %r = fmul double %w, %w\n  \
         ret double %r\n}\n!0 = distinct !DIAssignID()\n";
    let mut m = ir::parse(text, "test").expect("the test's IR parses");
    let f = m.function("f").expect("f is there");
    let gradient =
        ad::gradient_of(&mut m, f, &[Activity::Dup, Activity::Const], &ad::Options::default()).expect("it has one");
    let named = |func: &ir::Function| func.insts.values().any(|inst| inst.metadata("DIAssignID").is_some());
    assert!(named(&m.functions[f]), "the program keeps its own");
    assert!(!named(&m.functions[gradient]));
}
