//! The command as a user meets it: exit codes, messages, files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn adj(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adj")).args(args).stdin(Stdio::null()).output().unwrap()
}

fn corpus(file: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(file);
    root.canonicalize().unwrap().display().to_string()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn expect(output: &Output, code: i32, phrases: &[&str]) {
    let all = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{all}");
    for phrase in phrases {
        assert!(all.contains(phrase), "no `{phrase}` in:\n{all}");
    }
    assert!(!all.contains("panicked"), "{all}");
}

#[test]
fn check_reports_a_right_gradient() {
    let output = adj(&["check", &corpus("correct/rosenbrock.c"), "--levels", "O0,O2", "--native"]);
    expect(&output, 0, &["correct: gradient of `rosenbrock` [O0 O2]", "x[0]", "ULP"]);
}

#[test]
fn levels_are_spelled_as_for_clang() {
    expect(&adj(&["check", "-O2", &corpus("correct/rosenbrock.c")]), 0, &["correct: gradient of `rosenbrock` [O2]"]);
    expect(&adj(&["check", "-O0,1", &corpus("correct/rosenbrock.c")]), 0, &["[O0 O1]"]);
    expect(&adj(&["run", "-O1", &corpus("correct/rosenbrock.c")]), 0, &[]);
    expect(&adj(&["run", "-Os", &corpus("correct/rosenbrock.c")]), 2, &["not an optimisation level"]);
}

#[test]
fn tangents_are_checked_and_printed() {
    let output = adj(&["check", &corpus("right/tangent_by_hand.c"), "--levels", "O1"]);
    expect(&output, 0, &["correct: `tnorm` as the tangent of `norm` [O1]", "the result"]);
    let output = adj(&["check", &corpus("wrong/tangent_half_a_rule.c"), "--levels", "O1"]);
    expect(&output, 1, &["wrong (rule)", "the tangent of the result is", "tangent_half_a_rule.c:8"]);
    let output = adj(&["grad", &corpus("correct/rosenbrock.c"), "-f", "rosenbrock", "--forward"]);
    expect(&output, 0, &["define internal double @__adj_tangent_rosenbrock(ptr", "fmul double"]);
}

#[test]
fn check_reports_a_wrong_gradient_with_its_line() {
    let output = adj(&["check", &corpus("wrong/rule_arctangent.c"), "--levels", "O1"]);
    expect(&output, 1, &["wrong (rule)", "rule_arctangent.c:16", "dx[i] += seed * (i + 1.0) / (1.0 + x[i]);", "^"]);
}

#[test]
fn notes_are_no_faults() {
    expect(&adj(&["check", &corpus("kink/rectifier.c"), "--levels", "O0"]), 0, &["kink"]);
    expect(&adj(&["check", &corpus("convention/square_root.c"), "--levels", "O0"]), 0, &["convention"]);
}

#[test]
fn json_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let json = path.display().to_string();
    expect(&adj(&["check", &corpus("correct/square.c"), "--levels", "O0", "--json", &json]), 0, &[]);
    assert!(std::fs::read_to_string(&path).unwrap().contains("\"schema\": 1"));
    let output = adj(&["check", &corpus("correct/square.c"), "--levels", "O0", "--json", "-"]);
    expect(&output, 0, &["\"verdict\": \"correct\""]);
    assert!(text(&output.stdout).starts_with('{'));
    std::fs::remove_file(&path).unwrap();
    expect(&adj(&["check", &corpus("bad/syntax.c"), "--json", &json]), 2, &[]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn run_is_the_program() {
    let output = adj(&["run", &corpus("correct/square.c")]);
    expect(&output, 0, &[]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("exit.c");
    let source =
        "#include <stdio.h>\nint main(int argc, char **argv) { printf(\"%d %s\\n\", argc, argv[1]); return 7; }";
    std::fs::write(&path, source).unwrap();
    let output = adj(&["run", &path.display().to_string(), "-x"]);
    expect(&output, 7, &[]);
    assert_eq!(text(&output.stdout), "2 -x\n");
    expect(&adj(&["run", &corpus("ub/division_by_zero.c"), "--level", "O0"]), 1, &["division"]);
}

#[test]
fn opt_replaces_differentiated_calls_in_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../oracle/include").canonicalize().unwrap();
    let input = llvm::Input::File(PathBuf::from(corpus("correct/rosenbrock.c")));
    let options = llvm::CompileOptions { include_dirs: vec![include], ..llvm::CompileOptions::at(llvm::Level::O2) };
    let module = folder.path().join("in.ll");
    std::fs::write(&module, llvm::compile(&input, &options).unwrap().text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_adj"));
    let output = command.args(["opt", "-", "-S"]).stdin(std::fs::File::open(&module).unwrap()).output().unwrap();
    expect(&output, 0, &[]);
    let replaced = text(&output.stdout);
    assert!(
        !replaced.contains("call double @__enzyme_autodiff") && !replaced.contains("(ptr, ...) @__enzyme_autodiff")
    );
    llvm::verify_text(&replaced).unwrap();
    let out = folder.path().join("out.ll");
    let arguments = ["opt", &module.display().to_string(), "-S", "-o", &out.display().to_string()];
    expect(&adj(&arguments), 0, &[]);
    // The first line names the input.
    let same = std::fs::read_to_string(&out).unwrap().lines().skip(1).eq(replaced.lines().skip(1));
    assert!(same, "a file and a pipe give different modules");
    // What comes out is a program: built, it prints what the interpreter prints.
    let program = folder.path().join("program");
    llvm::native::build_executable(replaced.as_bytes(), &program, &llvm::native::LinkOptions::default()).unwrap();
    let native = Command::new(&program).output().unwrap();
    assert_eq!(native.stdout, adj(&["run", &corpus("correct/rosenbrock.c")]).stdout);
}

#[test]
fn grad_prints_a_function() {
    let output = adj(&["grad", &corpus("correct/rosenbrock.c"), "-f", "rosenbrock"]);
    expect(&output, 0, &["define", "@__adj_gradient_rosenbrock"]);
    expect(&adj(&["grad", &corpus("correct/rosenbrock.c"), "-f", "rosen"]), 2, &["rosen"]);
}

/// What each decision rests on, in a program with one of each kind.
#[test]
fn decisions_are_explained() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("explained.c");
    let program = r#"
#include "adj.h"
double floor(double);
static double f(double *x, const double *c, int n, double *scratch) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double scaled = c[i] * 3.0;
    x[i] = x[i] * x[i] * scaled;
    sum += x[i] * floor(x[0]) + i;
    scratch[i] = scaled;
  }
  return sum;
}
int main(void) {
  double x[2] = {1.5, 2.5}, dx[2] = {0}, c[2] = {1, 2}, scratch[2];
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, c, enzyme_const, 2, enzyme_const, scratch);
  return 0;
}
"#;
    std::fs::write(&file, program).unwrap();
    let name = file.to_str().unwrap();
    let text = text(&adj(&["explain", name]).stdout);
    let after =
        |line: &str| text.split(line).nth(1).unwrap_or_default().split(" | ").next().unwrap_or_default().to_owned();
    expect(
        &adj(&["explain", name]),
        0,
        &["gradient of `f` (enzyme_dup, enzyme_const, enzyme_const, enzyme_const) at O1"],
    );
    let constant = after("| double scaled = c[i] * 3.0;");
    assert!(constant.contains("- %") && constant.contains("memory of `c` (enzyme_const) has no shadow"), "{constant}");
    let square = after("| x[i] = x[i] * x[i] * scaled;");
    assert!(square.contains("memory of `x` may hold active numbers"), "{square}");
    // The value is overwritten in the same iteration, so it has to be kept.
    assert!(square.contains("kept: 8 bytes an iteration of the loop at line"), "{square}");
    let floor = after("| sum += x[i] * floor(x[0]) + i;");
    assert!(floor.contains("and its derivative is zero everywhere"), "{floor}");
    assert!(floor.contains("- %conv") && floor.contains("computed from integers"), "{floor}");
    let scratch = after("| scratch[i] = scaled;");
    assert!(scratch.contains("into memory without active numbers: memory of `scratch` (enzyme_const)"), "{scratch}");
    expect(&adj(&["explain", name, "-f", "g"]), 2, &["no differentiated call of a function `g`"]);
}

#[test]
fn rules_are_printed() {
    expect(&adj(&["rules", "tanh"]), 0, &["tanh"]);
    expect(&adj(&["rules"]), 0, &["tgamma", "fmul"]);
    expect(&adj(&["rules", "frob"]), 2, &["frob"]);
}

#[test]
fn check_names_the_team_and_the_schedule_that_differ() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shared.c");
    let source = "#include <adj.h>
static double f(const double *x) { return 3.0 * x[0]; }
static void df(const double *x, double *dx, double seed) {
  (void)x;
#pragma omp parallel for
  for (int i = 0; i < 3; i++)
    dx[0] += seed;
}
int main(void) {
  double x = 1.0, dx = 0.0;
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, &x, &dx, 1.0);
  return 0;
}
";
    std::fs::write(&file, source).unwrap();
    let file = file.display().to_string();
    let check = |options: &[&str]| {
        let all = ["check", &file, "--levels", "O1", "--cflag=-fopenmp"];
        adj(&[&all[..], options].concat())
    };
    expect(&check(&["--threads", "1", "--schedules", "2"]), 0, &["correct", "2 runs each: threads 1, seeds 0 to 1"]);
    let differs = "found with `--threads 3 --seed 5`, the first of 4 runs that differs";
    expect(&check(&["--threads", "1,3", "--schedules", "2", "--seed", "5"]), 1, &["race: `df`", differs]);
    expect(&check(&["--threads", "3", "--seed", "5"]), 1, &["race: `df`"]);
    expect(&check(&["--threads", "0"]), 2, &["--threads"]);
    let serial = adj(&["check", &file, "--levels", "O1"]);
    expect(&serial, 0, &["correct", "has `#pragma omp`, which is ignored without `--cflag -fopenmp`"]);
    let hint = "no-such: no such file; arguments of the program come after `--`";
    expect(&adj(&["check", &file, "no-such"]), 2, &[hint]);
    expect(&check(&["--schedules", "0"]), 2, &["--schedules"]);
}

#[test]
fn check_judges_ranks_with_the_messages_between_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("total.c");
    let source = "#include <adj.h>
#include <mpi.h>
static double f(double x) {
  double total;
  MPI_Allreduce(&x, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total * total;
}
static double df(double x, double seed) {
  double total, adjoint = 0.0;
  MPI_Allreduce(&x, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double own = 2.0 * total * seed;
#ifdef ALONE
  return own;
#endif
  MPI_Allreduce(&own, &adjoint, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return adjoint;
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  __adj_check_gradient((void *)f, (void *)df, rank + 1.0, 1.0);
  MPI_Finalize();
  return 0;
}
";
    std::fs::write(&file, source).unwrap();
    let file = file.display().to_string();
    let check = |options: &[&str]| adj(&[&["check", &file, "--levels", "O1"], options].concat());
    expect(&check(&["--ranks", "1,3", "--schedules", "2"]), 0, &["correct", "in 4 runs each: ranks 1 3, threads 4"]);
    let differs = "found with `--ranks 3 --threads 4 --seed 0`, the first of 2 runs that differs";
    expect(&check(&["--ranks", "1,3", "--cflag=-DALONE"]), 1, &["wrong", "on rank 0 of 3", differs]);
    expect(&check(&["--ranks", "65"]), 2, &["--ranks"]);
    expect(&check(&[]), 3, &["unsupported", "does not run as ranks"]);
}
