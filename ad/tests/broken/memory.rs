//! Values that are loaded again, or from where the program has stored them, although something has written there, or
//! may have.

use crate::forging::{Forced, Passes, program};

/// Loads `x[i]` in a loop, and needs its square. `FROM` is the address; the other words are gaps.
const LOADS: &str = r#"
@variable = external global [8 x double]
@internal = internal global [8 x double] zeroinitializer
@own.thread = thread_local global [8 x double] zeroinitializer
@fixed = internal constant [8 x double] zeroinitializer
@callback = external global ptr
declare ptr @malloc(i64)
declare void @free(ptr)
declare ptr @realloc(ptr, i64)
declare void @mystery(ptr) "enzyme_inactive"
declare void @elsewhere() "enzyme_inactive"
declare void @looks(ptr) "enzyme_inactive" memory(argmem: read)
declare ptr @strcpy(ptr, ptr)
declare double @frexp(double, ptr)
declare double @modf(double, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.donothing()
declare i32 @MPI_Send(ptr, i32, i32, i32, i32, i32)
declare i32 @MPI_Recv(ptr, i32, i32, i32, i32, i32, ptr)
declare i32 @MPI_Irecv(ptr, i32, i32, i32, i32, i32, ptr)
declare i32 @MPI_Wait(ptr, ptr)

define void @writes(ptr %to) {
  store double 2.0, ptr %to, align 8
  ret void
}

define void @passes.on(ptr %to) {
  call void @writes(ptr %to)
  ret void
}

define void @reads.only(ptr %to) {
  %read = load double, ptr %to, align 8
  ret void
}

define double @f(ptr PROMISED %x, ptr noalias %y, ptr %z, i64 %n, i1 %flag) {
entry:
  %stack = alloca [8 x double], align 8
  %block = call ptr @malloc(i64 64)
  %aside = call ptr @malloc(i64 64)
  ENTRY
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %sum = phi double [ 0.0, %entry ], [ %more, %latch ]
  %p = getelementptr inbounds double, ptr FROM, i64 %i
  %other = getelementptr inbounds double, ptr %y, i64 %i
  EARLY
  %a = load double, ptr %p, align 8
  %o = load double, ptr %other, align 8
  %square = fmul double %a, %o
  %more = fadd double %sum, %square
  LATE
  br label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %loop, label %exit
exit:
  BEHIND
  ret double %more
}
"#;

/// What stands in the gaps of [`LOADS`].
#[derive(Clone, Copy)]
struct Gaps {
    from: &'static str,
    promised: &'static str,
    entry: &'static str,
    early: &'static str,
    late: &'static str,
    behind: &'static str,
}

const NONE: Gaps = Gaps { from: "%x", promised: "noalias", entry: "", early: "", late: "", behind: "" };

fn loads(gaps: Gaps) -> String {
    LOADS
        .replace("FROM", gaps.from)
        .replace("PROMISED", gaps.promised)
        .replace("ENTRY", gaps.entry)
        .replace("EARLY", gaps.early)
        .replace("LATE", gaps.late)
        .replace("BEHIND", gaps.behind)
}

const TO_X: &str = "store double 1.0, ptr %x, align 8";

/// A write to what has been loaded, or something harmless of the same kind.
const WRITES: &[(&str, Gaps, Gaps)] = &[
    (
        "a store behind the load",
        Gaps { late: "store double 1.0, ptr %p, align 8", ..NONE },
        Gaps { late: "store double 1.0, ptr %other, align 8", ..NONE },
    ),
    (
        "a store in the next iteration",
        Gaps { early: "store double 1.0, ptr %p, align 8", ..NONE },
        Gaps { early: "store double 1.0, ptr %other, align 8", ..NONE },
    ),
    (
        "a message that is received",
        Gaps { behind: "%came = call i32 @MPI_Recv(ptr %x, i32 1, i32 3592, i32 1, i32 0, i32 1, ptr null)", ..NONE },
        Gaps { behind: "%went = call i32 @MPI_Send(ptr %x, i32 1, i32 3592, i32 1, i32 0, i32 1)", ..NONE },
    ),
    (
        "a message that is waited for",
        Gaps {
            entry: "%q = alloca i32, align 4\n  \
                %begun = call i32 @MPI_Irecv(ptr %x, i32 1, i32 3592, i32 1, i32 0, i32 1, ptr %q)",
            behind: "%over = call i32 @MPI_Wait(ptr %q, ptr null)",
            ..NONE
        },
        Gaps {
            entry: "%q = alloca i32, align 4\n  \
                %begun = call i32 @MPI_Irecv(ptr %y, i32 1, i32 3592, i32 1, i32 0, i32 1, ptr %q)",
            behind: "%over = call i32 @MPI_Wait(ptr %q, ptr null)",
            ..NONE
        },
    ),
    ("a store behind the loop", Gaps { behind: TO_X, ..NONE }, Gaps { entry: TO_X, ..NONE }),
    (
        "a store by another name",
        Gaps { promised: "", late: "store double 1.0, ptr %z, align 8", ..NONE },
        Gaps { late: "store double 1.0, ptr %z, align 8", ..NONE },
    ),
    (
        "a store to a variable that may be the caller's memory",
        Gaps { promised: "", behind: "store double 1.0, ptr @variable, align 8", ..NONE },
        Gaps { promised: "", behind: "store double 1.0, ptr @internal, align 8", ..NONE },
    ),
    (
        "a store to a variable",
        Gaps { from: "@internal", behind: "store double 1.0, ptr @internal, align 8", ..NONE },
        Gaps { from: "@internal", entry: "store double 1.0, ptr @internal, align 8", ..NONE },
    ),
    (
        "a store in a callee",
        Gaps { late: "call void @writes(ptr %x)", ..NONE },
        Gaps { late: "call void @writes(ptr %y)", ..NONE },
    ),
    (
        "a store in a callee's callee",
        Gaps { behind: "call void @passes.on(ptr %p)", ..NONE },
        Gaps { behind: "call void @reads.only(ptr %p)", ..NONE },
    ),
    (
        "memset",
        Gaps { behind: "call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 8, i1 false)", ..NONE },
        Gaps { behind: "call void @llvm.memset.p0.i64(ptr %y, i8 0, i64 8, i1 false)", ..NONE },
    ),
    (
        "memcpy",
        Gaps { behind: "call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %y, i64 8, i1 false)", ..NONE },
        Gaps { behind: "call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 8, i1 false)", ..NONE },
    ),
    (
        "memmove in the loop",
        Gaps { early: "call void @llvm.memmove.p0.p0.i64(ptr %x, ptr %y, i64 %n, i1 false)", ..NONE },
        Gaps { early: "call void @llvm.memmove.p0.p0.i64(ptr %y, ptr %x, i64 %n, i1 false)", ..NONE },
    ),
    (
        "a block that is freed",
        Gaps { late: "call void @free(ptr %x)", ..NONE },
        Gaps { behind: "call void @free(ptr %aside)", ..NONE },
    ),
    (
        "realloc",
        Gaps { late: "%new = call ptr @realloc(ptr %x, i64 80)", ..NONE },
        Gaps { late: "%new = call ptr @realloc(ptr %aside, i64 80)", ..NONE },
    ),
    (
        "a block of its own that is freed in the loop",
        Gaps { from: "%block", late: "call void @free(ptr %block)", ..NONE },
        Gaps { from: "%block", behind: "call void @free(ptr %block)", ..NONE },
    ),
    (
        "a block of its own that is stored to later",
        Gaps { from: "%block", behind: "store double 0.0, ptr %block, align 8", ..NONE },
        Gaps { from: "%block", entry: "store double 0.0, ptr %block, align 8", ..NONE },
    ),
    (
        "a function that nobody knows",
        Gaps { late: "call void @mystery(ptr %p)", ..NONE },
        Gaps { late: "call void @looks(ptr %y)", ..NONE },
    ),
    (
        "a function that nobody knows, of memory that all know",
        Gaps { late: "call void @elsewhere()", ..NONE },
        Gaps { late: "call void @llvm.donothing()", ..NONE },
    ),
    (
        "a function that has been told before",
        Gaps {
            from: "%block",
            entry: "call void @mystery(ptr %block)\n  store double 0.0, ptr %block, align 8",
            behind: "call void @elsewhere()",
            ..NONE
        },
        Gaps {
            from: "%block",
            entry: "call void @mystery(ptr %aside)\n  store double 0.0, ptr %block, align 8",
            behind: "call void @elsewhere()",
            ..NONE
        },
    ),
    (
        "atomicrmw",
        Gaps { late: "%old = atomicrmw fadd ptr %p, double 1.0 seq_cst", ..NONE },
        Gaps { late: "%old = atomicrmw fadd ptr %other, double 1.0 seq_cst", ..NONE },
    ),
    (
        "cmpxchg",
        Gaps { late: "%old = cmpxchg ptr %p, i64 0, i64 1 seq_cst seq_cst", ..NONE },
        Gaps { late: "%old = cmpxchg ptr %aside, i64 0, i64 1 seq_cst seq_cst", ..NONE },
    ),
    (
        "a volatile store",
        Gaps { late: "store volatile double 1.0, ptr %p, align 8", ..NONE },
        Gaps { late: "store volatile double 1.0, ptr %y, align 8", ..NONE },
    ),
    (
        "a store to one of two",
        Gaps { late: "%to = select i1 %flag, ptr %x, ptr %y\n  store double 1.0, ptr %to, align 8", ..NONE },
        Gaps { late: "%to = select i1 %flag, ptr %aside, ptr %y\n  store double 1.0, ptr %to, align 8", ..NONE },
    ),
    (
        "a store through an address that was a number",
        Gaps {
            late: "%word = ptrtoint ptr %p to i64\n  %to = inttoptr i64 %word to ptr\n  \
                store double 1.0, ptr %to, align 8",
            ..NONE
        },
        Gaps { late: "%word = ptrtoint ptr %y to i64\n  %word.on = add i64 %word, 8", ..NONE },
    ),
    (
        "a store of a vector",
        Gaps { behind: "store <4 x float> zeroinitializer, ptr %x, align 8", ..NONE },
        Gaps { behind: "store <4 x float> zeroinitializer, ptr %y, align 8", ..NONE },
    ),
    (
        "a function of libm that writes",
        Gaps { late: "%whole = call double @modf(double 1.5, ptr %p)", ..NONE },
        Gaps { late: "%whole = call double @modf(double 1.5, ptr %y)", ..NONE },
    ),
    (
        "a function of libm that leaves an integer",
        Gaps { late: "%part = call double @frexp(double 1.5, ptr %p)", ..NONE },
        Gaps { late: "%part = call double @frexp(double 1.5, ptr %y)", ..NONE },
    ),
    (
        "a function of libc that writes",
        Gaps { behind: "%text = call ptr @strcpy(ptr %x, ptr %y)", ..NONE },
        Gaps { behind: "%text = call ptr @strcpy(ptr %y, ptr %z)", ..NONE },
    ),
    (
        "the beginning of a new life",
        Gaps {
            from: "%stack",
            entry: "store double 0.0, ptr %stack, align 8",
            behind: "call void @llvm.lifetime.start.p0(i64 64, ptr %stack)",
            ..NONE
        },
        Gaps {
            from: "%stack",
            entry: "call void @llvm.lifetime.start.p0(i64 64, ptr %stack)\n  store double 0.0, ptr %stack, align 8",
            behind: "call void @llvm.lifetime.end.p0(i64 64, ptr %stack)",
            ..NONE
        },
    ),
];

#[test]
fn a_load_is_not_made_again_when_something_has_written_there() {
    for (what, broken, harmless) in WRITES {
        let (broken, harmless) = (loads(*broken), loads(*harmless));
        for text in [&broken, &harmless] {
            assert_eq!(program(text, Passes::Both).verdict(|_, _, _| {}), Ok(()), "{what}: the planner's own\n{text}");
        }
        assert_eq!(program(&harmless, Passes::Both).forced(Forced::Again(&["a"])), Ok(()), "{what}: nothing is wrong");
        let verdict = program(&broken, Passes::Both).forced(Forced::Again(&["a"]));
        let why = verdict.expect_err(what);
        assert!(why.contains("has written there"), "{what}: {why}");
    }
}

#[test]
fn a_load_is_not_made_again_of_what_is_not_there() {
    let load = "%a = load double, ptr %p, align 8";
    // What is loaded otherwise, in which passes, and why not.
    let volatile = loads(NONE).replace(load, "%a = load volatile double, ptr %p, align 8");
    let atomic =
        loads(NONE).replace(load, "%w = load atomic i64, ptr %p seq_cst, align 8\n  %a = bitcast i64 %w to double");
    let from = |from: &'static str| loads(Gaps { from, ..NONE });
    let saved = loads(Gaps { from: "%late", ..NONE }).replace(
        "%aside =",
        "%saved = call ptr @llvm.stacksave.p0()\n  %late = alloca [8 x double], align 8\n  %aside =",
    ) + "declare ptr @llvm.stacksave.p0()\n";
    let sized =
        loads(Gaps { from: "%sized", ..NONE }).replace("%aside =", "%sized = alloca double, i64 %n\n  %aside =");
    let untold = "cannot be computed again";
    let unknown = "memory of which nothing is known";
    let cases: [(&str, &str, Passes, &str); 10] = [
        ("a volatile load", &volatile, Passes::Both, "no plain load"),
        ("memory that the caller may write to", &from("%x"), Passes::CallerWrites, unknown),
        ("a variable, if the caller runs in between", &from("@internal"), Passes::Apart, unknown),
        ("a variable that each thread has", &from("@own.thread"), Passes::Both, unknown),
        ("the stack, if the function has returned", &from("%stack"), Passes::Apart, unknown),
        ("a block of its own, if it may have been freed", &from("%block"), Passes::Apart, unknown),
        ("stack memory that is given back", &saved, Passes::Both, unknown),
        ("stack memory of a size that the run tells", &sized, Passes::Both, unknown),
        ("an address from nowhere", &from("null"), Passes::Both, unknown),
        ("an atomic load", &atomic, Passes::Both, untold),
    ];
    for (what, text, passes, why) in cases {
        assert_eq!(program(text, passes).verdict(|_, _, _| {}), Ok(()), "{what}: the planner's own");
        let names: &[&str] = if what == "an atomic load" { &["w", "a"] } else { &["a"] };
        let found = program(text, passes).forced(Forced::Again(names)).expect_err(what);
        assert!(found.contains(why) || found.contains("no plain load"), "{what}: {found}");
    }
    for (from_there, passes) in [("%x", Passes::Apart), ("@fixed", Passes::CallerWrites), ("%block", Passes::Both)] {
        assert_eq!(program(&from(from_there), passes).forced(Forced::Again(&["a"])), Ok(()), "{from_there} {passes:?}");
    }
}

/// Stores `exp(y[i] + j)` in a nest of loops. `ADDRESS` gives its address `%to`, and `BEHIND` comes after it.
const STORES: &str = r#"
declare double @exp(double)
define double @f(ptr noalias %at, ptr noalias %y, i64 %n, i64 %d, i64 %other, i32 %narrow) {
entry:
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %end ]
  %sum = phi double [ 0.0, %entry ], [ %more, %end ]
  %i.32 = trunc i64 %i to i32
  br label %cell
cell:
  %j = phi i64 [ 0, %row ], [ %j.next, %cell ]
  %so.far = phi double [ %sum, %row ], [ %more, %cell ]
  %from = getelementptr inbounds double, ptr %y, i64 %i
  %x = load double, ptr %from, align 8
  %e = call double @exp(double %x)
  ADDRESS
  store double %e, ptr %to, align 8
  BEHIND
  %square = fmul double %e, %e
  %more = fadd double %so.far, %square
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, LENGTH
  br i1 %j.done, label %end, label %cell
end:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %exit, label %row
exit:
  ret double %more
}
"#;

fn stores(address: &str, length: &str, behind: &str) -> String {
    STORES.replace("ADDRESS", address).replace("LENGTH", length).replace("BEHIND", behind)
}

const ROWS: &str = "%first = mul nsw i64 %i, %d\n  %index = add nsw i64 %first, %j\n  \
    %to = getelementptr inbounds double, ptr %at, i64 %index";
const COLUMNS: &str = "%first = mul nsw i64 %j, %n\n  %index = add nsw i64 %first, %i\n  \
    %to = getelementptr inbounds double, ptr %at, i64 %index";
const EIGHT: &str = "%to = getelementptr inbounds [8 x double], ptr %at, i64 %i, i64 %j";

/// Addresses that meet no cell twice, each with the length of the inner loop.
const SPREAD: &[(&str, &str)] = &[
    (ROWS, "%d"),
    (COLUMNS, "%d"),
    (EIGHT, "8"),
    (EIGHT, "5"),
    ("%to = getelementptr inbounds [8 x [2 x double]], ptr %at, i64 %i, i64 %j, i64 1", "8"),
    // Not promised anything, but close together.
    ("%first = mul i64 %i, %d\n  %index = add i64 %first, %j\n  %to = getelementptr double, ptr %at, i64 %index", "%d"),
    // Backwards.
    ("%k = sub nsw i64 7, %j\n  %to = getelementptr inbounds [8 x double], ptr %at, i64 %i, i64 %k", "8"),
    // Twice as far apart as need be.
    ("%k = shl nuw nsw i64 %j, 1\n  %to = getelementptr inbounds [16 x double], ptr %at, i64 %i, i64 %k", "8"),
];

/// Addresses that do, or may.
const OVERLAPPING: &[(&str, &str, &str)] = &[
    ("the inner loop is longer than a row", ROWS, "%other"),
    ("the inner loop is longer than a row of eight", EIGHT, "9"),
    ("the outer loop does not move it", "%to = getelementptr inbounds double, ptr %at, i64 %j", "%d"),
    ("the inner loop does not move it", "%to = getelementptr inbounds double, ptr %at, i64 %i", "%d"),
    (
        "rows are as far apart as something else is long",
        "%first = mul nsw i64 %i, %other\n  %index = add nsw i64 %first, %j\n  \
            %to = getelementptr inbounds double, ptr %at, i64 %index",
        "%d",
    ),
    (
        "both loops move it by as much",
        "%index = add nsw i64 %i, %j\n  %to = getelementptr inbounds double, ptr %at, i64 %index",
        "%d",
    ),
    ("cells overlap", "%to = getelementptr inbounds [16 x float], ptr %at, i64 %i, i64 %j", "8"),
    (
        "it goes round in 32 bits",
        "%wide = sext i32 %i.32 to i64\n  %to = getelementptr inbounds [8 x double], ptr %at, i64 %wide, i64 %j",
        "8",
    ),
    (
        "rows are so far apart that they go round",
        "%far = shl i64 %i, 58\n  %index = add i64 %far, %j\n  %to = getelementptr double, ptr %at, i64 %index",
        "8",
    ),
    (
        "a square",
        "%first = mul nsw i64 %i, %i\n  %index = add nsw i64 %first, %j\n  \
            %to = getelementptr inbounds double, ptr %at, i64 %index",
        "%d",
    ),
    (
        "remainders come again",
        "%rest = urem i64 %i, 8\n  %to = getelementptr inbounds [8 x double], ptr %at, i64 %rest, i64 %j",
        "8",
    ),
];

#[test]
fn what_is_loaded_from_a_store_meets_no_cell_twice() {
    for (address, length) in SPREAD {
        let text = stores(address, length, "");
        assert_eq!(program(&text, Passes::Both).forced(Forced::Stored("e", "to")), Ok(()), "{address}");
    }
    let starts_before = stores(ROWS, "%d", "").replace("[ 0, %row ]", "[ -1, %row ]");
    let why = program(&starts_before, Passes::Both).forced(Forced::Stored("e", "to")).expect_err("it starts before");
    assert!(why.contains("overwritten by its own store"), "{why}");
    for (what, address, length) in OVERLAPPING {
        let text = stores(address, length, "");
        assert_eq!(program(&text, Passes::Both).verdict(|_, _, _| {}), Ok(()), "{what}: the planner's own");
        let why = program(&text, Passes::Both).forced(Forced::Stored("e", "to")).expect_err(what);
        assert!(why.contains("overwritten by its own store"), "{what}: {why}");
    }
}

#[test]
fn what_is_loaded_from_a_store_is_met_by_no_other_one() {
    let pairs = "%to = getelementptr inbounds [8 x [2 x double]], ptr %at, i64 %i, i64 %j, i64 0";
    let beside = |address: &str| {
        stores(
            pairs,
            "8",
            &format!("%beside = getelementptr inbounds {address}\n  store double 1.0, ptr %beside, align 8"),
        )
    };
    for address in [
        "[2 x double], ptr %at, i64 %j, i64 1",
        "[8 x [2 x double]], ptr %at, i64 %i, i64 %d, i64 1",
        "i8, ptr %to, i64 8",
        "i8, ptr %to, i64 -8",
    ] {
        assert_eq!(program(&beside(address), Passes::Both).forced(Forced::Stored("e", "to")), Ok(()), "{address}");
    }
    for address in [
        "[2 x double], ptr %at, i64 %j, i64 0",
        "double, ptr %at, i64 %j",
        "i8, ptr %to, i64 4",
        "i8, ptr %to, i64 -4",
        "i8, ptr %to, i64 16",
        "i8, ptr %to, i64 -160",
        "i8, ptr %at, i64 %d",
        "[3 x double], ptr %at, i64 %i, i64 1",
    ] {
        let why = program(&beside(address), Passes::Both).forced(Forced::Stored("e", "to")).expect_err(address);
        assert!(why.contains("is overwritten by inst"), "{address}: {why}");
    }
}

#[test]
fn what_is_loaded_is_what_the_store_has_left() {
    let text = stores(ROWS, "%d", "");
    let stored = |text: &str, passes| program(text, passes).forced(Forced::Stored("e", "to"));
    assert_eq!(stored(&text, Passes::Both), Ok(()));
    let why = stored(&text, Passes::Apart).expect_err("two functions");
    assert!(why.contains("not what the store has left"), "{why}");
    for (what, from, to) in [
        ("another value", "store double %e, ptr %to", "store double %x, ptr %to"),
        ("a volatile store", "store double %e, ptr %to", "store volatile double %e, ptr %to"),
    ] {
        let broken = text.replace(from, to);
        assert_ne!(broken, text);
        assert!(stored(&broken, Passes::Both).is_err(), "{what}");
    }
    // The store is in another block than what makes the value.
    let late = text
        .replace("store double %e, ptr %to, align 8", "")
        .replace("end:\n", "end:\n  store double %e, ptr %to, align 8\n");
    let why = stored(&late, Passes::Both).expect_err("another block");
    assert!(why.contains("not stored where it is made"), "{why}");
}
