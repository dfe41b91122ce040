//! Steering a run: what it did is counted and told, and it ends where it is to end. What is expected is counted by
//! hand.

use std::process::{Command, Output};

/// Squares of the last two of 0, 1, 2, 3; one is printed.
const SQUARES: &str = r#"
@text = internal constant [4 x i8] c"%g\0A\00"
declare i32 @printf(ptr, ...)
define i32 @main() {
entry:
  %p = alloca [4 x double], align 16
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %j, %fill ]
  %q = getelementptr double, ptr %p, i64 %i
  %v = sitofp i64 %i to double
  store double %v, ptr %q
  %j = add i64 %i, 1
  %c = icmp eq i64 %j, 4
  br i1 %c, label %square, label %fill
square:
  %w = getelementptr double, ptr %p, i64 2
  %x = load <2 x double>, ptr %w, align 16
  %s = fmul <2 x double> %x, %x
  %r = extractelement <2 x double> %s, i64 1
  %k = call i32 (ptr, ...) @printf(ptr @text, double %r)
  ret i32 0
}
"#;

fn run(name: &str, text: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join(name);
    std::fs::write(&program, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_adj"));
    command.args(["run", "--level", "O0"]).args(options).arg(&program).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_is_executed_is_counted() {
    let output = run("squares.ll", SQUARES, &["--stats-json", "-"]);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b"9\n"[..]));
    let json: serde_json::Value = serde_json::from_str(&stderr(&output)).unwrap();
    let expected = serde_json::json!({
        "alloca": 1, "br": 5, "phi": 4, "getelementptr": 5, "sitofp": 4, "store": 4, "add": 4, "icmp": 4, "load": 1, "fmul": 1,
        "extractelement": 1, "call": 1, "ret": 1,
    });
    assert_eq!(json["instructions"], expected);
    assert_eq!(json["floating_point"], 2);
    assert_eq!(json["loads"], serde_json::json!({ "scalars": 2, "bytes": 16 }));
    assert_eq!(json["stores"], serde_json::json!({ "scalars": 4, "bytes": 32 }));
    assert_eq!(json["library"], serde_json::json!({ "printf": 1 }));
    assert_eq!(json["threads"], 1);
    assert!(json["peak_bytes"].as_u64().unwrap() >= 32);
    let text = stderr(&run("squares.ll", SQUARES, &["--stats"]));
    assert!(text.contains(" 2 floating-point operations\n") && text.contains(" 5 getelementptr\n"), "{text}");
}

#[test]
fn what_is_executed_is_told() {
    let count = |text: &str, what: &str| text.lines().filter(|line| line.contains(what)).count();
    let text = stderr(&run("squares.ll", SQUARES, &["--trace", "memory"]));
    assert_eq!((count(&text, "stores to"), count(&text, "loads from"), count(&text, ": 3e0")), (4, 2, 2), "{text}");
    let text = stderr(&run("squares.ll", SQUARES, &["--trace", "instructions"]));
    assert_eq!(
        (count(&text, "%v = sitofp"), count(&text, "%s = fmul"), count(&text, "ret i32 0")),
        (4, 1, 1),
        "{text}"
    );
    let unknown = run("squares.ll", SQUARES, &["--trace", "memory", "--trace-function", "square"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("no function `square`"), "{}", stderr(&unknown));
}

#[test]
fn a_trace_is_of_the_functions_that_are_named() {
    let program = "static double half(double x) { double y = x / 2.0; return y; }
static double twice(double x) { double y = x * 2.0; return y; }
int main(void) { return half(twice(3.0)) != 3.0; }";
    let text = stderr(&run("two.c", program, &["--trace", "instructions", "--trace-function", "twice"]));
    assert!(text.contains("fmul") && !text.contains("fdiv"), "{text}");
    assert!(text.lines().all(|line| line.starts_with("[0] twice ")) && text.contains("two.c:2  %mul = fmul"), "{text}");
}

#[test]
fn changes_of_the_thread_are_told() {
    let program = "#include <pthread.h>
static void *work(void *x) { return x; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  return pthread_join(t, 0);
}";
    let output = run("threads.c", program, &["--trace", "threads", "--stats"]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("thread 1 goes on") && text.contains(" 2 threads\n"), "{text}");
}

#[test]
fn a_run_ends_where_it_is_to_end() {
    let endless = run("endless.c", "int main(void) { for (volatile int i = 0;; i++); }", &["--time", "1s"]);
    assert_eq!(endless.status.code(), Some(3));
    assert!(stderr(&endless).contains("out of time after"), "{}", stderr(&endless));
    let deep =
        "static int down(int n) { return n ? 1 + down(n - 1) : 0; }\nint main(void) { return down(100) != 100; }";
    assert_eq!(run("deep.c", deep, &["--depth", "200"]).status.code(), Some(0));
    assert_eq!(run("deep.c", deep, &["--depth", "50"]).status.code(), Some(3));
}

#[test]
fn a_long_run_tells_how_far_it_is() {
    let program = "static void wait(void) { for (volatile int i = 0;; i++); }\nint main(void) { wait(); }";
    let output = run("waits.c", program, &["--cflag", "-g", "--time", "3s", "--progress", "1s"]);
    let text = stderr(&output);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("million instructions")).collect();
    assert!(!lines.is_empty() && lines.len() <= 3, "{text}");
    assert!(
        lines[0].contains(" s: ") && lines[0].contains("in `wait` at ") && lines[0].contains("waits.c:1"),
        "{text}"
    );
    // Not at a terminal: nothing unless asked for.
    let silent = stderr(&run("waits.c", program, &["--time", "2s"]));
    assert!(!silent.contains("million instructions"), "{silent}");
}
