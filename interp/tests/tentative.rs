//! Loads that an optimiser makes ahead of what may not read: a race only where what they give is used.

use interp::{Interp, Limits, Outcome, Plain, Program, Stop};

/// `main` has a team of threads execute `region` with the address of a number.
fn executed(region: &str, seed: u64) -> Result<(), Stop> {
    let text = format!(
        "declare void @__kmpc_fork_call(ptr, i32, ptr, ...)\ndeclare void @__kmpc_barrier(ptr, i32)\n\
         declare i32 @omp_get_thread_num()\ndeclare void @__kmpc_critical(ptr, i32, ptr)\n\
         declare void @__kmpc_end_critical(ptr, i32, ptr)\n@lock = internal global [8 x i32] zeroinitializer\n\
         @block = internal global ptr null\ndeclare ptr @malloc(i64)\ndeclare void @free(ptr)\ndeclare i32 @usleep(i32)\n\
         define internal void @region(ptr %gtid, ptr %btid, ptr %x) {{\n{region}\n}}\n\
         define i32 @main() {{\n  %x = alloca double, align 8\n  store double 2.0, ptr %x, align 8\n  \
         %b = call ptr @malloc(i64 8)\n  store double 1.0, ptr %b, align 8\n  store ptr %b, ptr @block, align 8\n  \
         call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @region, ptr %x)\n  ret i32 0\n}}\n"
    );
    let module = ir::parse(&text, "test").expect("the test's IR parses");
    let program = Program::new(&module).expect("it can be lowered");
    let limits = Limits { threads: 3, seed, ..Limits::default() };
    match Interp::new(&program, Plain, limits).run_main(&["test".to_owned()]) {
        Outcome::Finished(_) => Ok(()),
        Outcome::Stopped(stop) => Err(stop),
    }
}

/// Under each of some schedules: is there a race?
fn races(region: &str) -> Vec<bool> {
    let race = |seed| match executed(region, seed) {
        Ok(()) => false,
        Err(Stop::Undefined(report)) => report.message.starts_with("a data race"),
        Err(other) => panic!("{other}"),
    };
    (0..12).map(race).collect()
}

/// Thread 0 reads and writes; every thread loads ahead of the branch.
const AHEAD: &str = "\
entry:
  %own = alloca [2 x double], align 8
  %t = call i32 @omp_get_thread_num()
  %v = load double, ptr %x, align 8
  %first = icmp eq i32 %t, 0
  br i1 %first, label %case, label %end
case:
  %m = phi double [ %v, %entry ]
  %n = fadd double %m, 1.0
  store double %n, ptr %x, align 8
  br label %end
end:
  %k = phi double [ %v, %entry ], [ %n, %case ]
  ret void";

#[test]
fn what_nobody_uses_does_not_race() {
    assert_eq!(races(AHEAD), [false; 12]);
}

#[test]
fn a_race_is_where_the_value_was_loaded() {
    let used =
        AHEAD.replace("  ret void", "  %u = fadd double %k, %k\n  store double %u, ptr %own, align 8\n  ret void");
    let Err(Stop::Undefined(report)) = executed(&used, 0) else { panic!("it races") };
    assert!(report.to_string().contains("%v = load double"), "{report}");
    assert!(report.to_string().contains("what it gave is used here"), "{report}");
}

#[test]
fn what_is_used_after_all_races_in_every_schedule() {
    let used =
        AHEAD.replace("  ret void", "  %u = fadd double %k, %k\n  store double %u, ptr %own, align 8\n  ret void");
    assert_eq!(races(&used), [true; 12]);
}

#[test]
fn what_is_computed_and_thrown_away_does_not_race() {
    // The optimiser has every thread add, and thread 0 store.
    let computed = AHEAD.replace("  br i1 %first", "  %ahead = fadd double %v, 2.0\n  br i1 %first");
    assert_eq!(races(&computed), [false; 12]);
    // A branch is a use.
    let branch =
        "  %c = fcmp olt double %k, 1.0\n  br i1 %c, label %one, label %two\none:\n  br label %two\ntwo:\n  ret void";
    assert_eq!(races(&AHEAD.replace("  ret void", branch)), [true; 12]);
}

#[test]
fn a_select_uses_the_arm_that_it_takes() {
    let select = |other: &str| {
        AHEAD.replace(
            "  ret void",
            &format!("  %s = select i1 %first, double %k, double {other}\n  %u = fadd double %s, %s\n  store double %u, ptr %own, align 8\n  ret void"),
        )
    };
    assert_eq!(races(&select("0.0")), [false; 12]);
    let other_way =
        select("0.0").replace("select i1 %first, double %k, double 0.0", "select i1 %first, double 0.0, double %k");
    assert_eq!(races(&other_way), [true; 12]);
}

#[test]
fn the_access_is_of_the_time_of_the_load() {
    // Under a lock, and used without it, before thread 0 writes under the lock.
    let locked = "\
entry:
  %own = alloca [2 x double], align 8
  %t = call i32 @omp_get_thread_num()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %wait, label %enter
wait:
  call i32 @usleep(i32 1000)
  br label %enter
enter:
  call void @__kmpc_critical(ptr null, i32 0, ptr @lock)
  %v = load double, ptr %x, align 8
  br i1 %first, label %case, label %end
case:
  store double 3.0, ptr %x, align 8
  br label %end
end:
  %k = phi double [ %v, %enter ], [ 3.0, %case ]
  call void @__kmpc_end_critical(ptr null, i32 0, ptr @lock)
  %u = fadd double %k, %k
  store double %u, ptr %own, align 8
  ret void";
    assert_eq!(races(locked), [false; 12]);
    let unlocked = locked.replace("  call void @__kmpc_critical(ptr null, i32 0, ptr @lock)\n", "");
    let unlocked = unlocked.replace("  call void @__kmpc_end_critical(ptr null, i32 0, ptr @lock)\n", "");
    assert_eq!(races(&unlocked), [true; 12]);
}

#[test]
fn a_write_that_another_one_hides_is_found() {
    // Thread 0 writes twice; the reader has the value of neither.
    let twice = AHEAD.replace("  br label %end\nend:", "  store double 5.0, ptr %x, align 8\n  br label %end\nend:");
    let used =
        twice.replace("  ret void", "  %u = fadd double %k, %k\n  store double %u, ptr %own, align 8\n  ret void");
    assert_eq!(races(&used), [true; 12]);
    assert_eq!(races(&twice), [false; 12]);
}

#[test]
fn what_the_next_turn_finds_has_happened() {
    // Each turn of a loop adds what it loads to a sum, which is stored behind the loop. Thread 0 writes in the first
    // turn alone, and the others are ordered behind that in all further ones.
    let turns = "\
entry:
  %own = alloca [2 x double], align 8
  %t = call i32 @omp_get_thread_num()
  %first = icmp eq i32 %t, 0
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %behind ]
  %sum = phi double [ 0.0, %entry ], [ %more, %behind ]
  %v = load double, ptr %x, align 8
  %begin = icmp eq i32 %i, 0
  %writes = and i1 %first, %begin
  br i1 %writes, label %write, label %behind
write:
  store double 3.0, ptr %x, align 8
  br label %behind
behind:
  call void @__kmpc_barrier(ptr null, i32 %t)
  %more = fadd double %sum, %v
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, 3
  br i1 %again, label %turn, label %end
end:
  store double %more, ptr %own, align 8
  ret void";
    assert_eq!(races(turns), [true; 12]);
    // Of a turn that does not add nothing comes: the last one's value is that of no race.
    let last = turns.replace("[ %more, %behind ]", "[ 1.0, %behind ]");
    assert_eq!(races(&last), [false; 12]);
}

#[test]
fn the_end_of_what_was_loaded_is_a_write() {
    // Thread 0 frees what the others have loaded from, and use afterwards.
    let freed = "\
entry:
  %own = alloca [2 x double], align 8
  %block = load ptr, ptr @block, align 8
  %t = call i32 @omp_get_thread_num()
  %v = load double, ptr %block, align 8
  %first = icmp eq i32 %t, 0
  br i1 %first, label %free, label %keep
free:
  call i32 @usleep(i32 1000)
  call void @free(ptr %block)
  br label %end
keep:
  call i32 @usleep(i32 1000000)
  store double %v, ptr %own, align 8
  br label %end
end:
  ret void";
    assert_eq!(races(freed), [true; 12]);
    let unused = freed.replace("  store double %v, ptr %own, align 8\n", "");
    assert_eq!(races(&unused), [false; 12]);
}
