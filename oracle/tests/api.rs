//! The library as a test of another project uses it.

use adjudicate::{Error, Family, Fault, Verdict, check};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A source file in a folder that lives as long as the first value.
fn source(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

const ROSENBROCK: &str = "
double rosenbrock(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    double a = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
    sum += 100.0 * a * a + b * b;
  }
  return sum;
}
";

#[test]
fn a_function_is_checked_without_a_main() {
    let (_folder, path) = source(ROSENBROCK);
    let report = check(&path).levels(["O0", "O2"]).function("rosenbrock").dup(&[1.2, 0.8]).constant(2).run().unwrap();
    report.assert_correct();
    assert_eq!(report.levels.len(), 2);
    for level in &report.levels {
        let components = &level.gradients[0].components;
        assert_eq!(components.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["x[0]", "x[1]"]);
        // By hand: 2(x-1) - 400x(y-x²) and 200(y-x²), at (1.2, 0.8).
        assert!((components[0].expected - 307.6).abs() < 1e-12 && (components[1].expected + 128.0).abs() < 1e-12);
    }
}

#[test]
fn the_seed_and_the_shadow_on_entry_count() {
    let (_folder, path) = source("double f(const double *x) { return x[0] * x[1]; }");
    let check = check(&path).levels(["O1"]).function("f").dup_with(&[3.0, 5.0], &[10.0, 20.0]).seed(2.0);
    let report = check.run().unwrap();
    report.assert_correct();
    let components = &report.levels[0].gradients[0].components;
    assert_eq!([components[0].expected, components[1].expected], [10.0 + 2.0 * 5.0, 20.0 + 2.0 * 3.0]);
}

#[test]
fn scalars_floats_and_constant_arrays_are_arguments() {
    let text = "double f(double s, const float *x, const double *w, const int *k, long n) {
      double y = 0; for (long i = 0; i < n; i++) y += s * x[k[i]] * x[k[i]] * w[i]; return y; }";
    let (_folder, path) = source(text);
    let check = check(&path).levels(["O0", "O3"]).function("f");
    let report =
        check.out(0.5).dup_f32(&[1.5, -2.0]).constant(&[1.0, 3.0]).constant(&[1, 0]).constant(2).run().unwrap();
    report.assert_correct();
    let found: Vec<f64> = report.levels[0].gradients[0].components.iter().map(|c| c.expected).collect();
    // Cells come first, then scalars: 2·s·x·w, then Σ x²w.
    assert_eq!(found, [4.5, -2.0, 10.75]);
}

#[test]
fn a_planted_defect_is_found_and_the_report_says_where() {
    let (_folder, path) = source(ROSENBROCK);
    let check = check(&path).levels(["O1"]).fault(Fault::WrongSign);
    let report = check.function("rosenbrock").dup(&[1.2, 0.8]).constant(2).run().unwrap();
    assert_eq!(report.verdict, Verdict::Wrong);
    let text = report.to_string();
    assert!(text.contains("wrong (") && text.contains("program.c:") && text.contains("x[0]"), "{text}");
    let panic = std::panic::catch_unwind(|| report.assert_correct()).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.contains("program.c:") && message.contains("expected"), "{message}");
}

#[test]
fn requests_that_make_no_sense_are_errors() {
    let (_folder, path) = source(ROSENBROCK);
    let f = |name: &str| check(&path).levels(["O0"]).function(name);
    let usage = |error: Error| matches!(error, Error::Usage(_));
    assert!(usage(f("rosenbrok").dup(&[1.0]).constant(1).run().unwrap_err()));
    assert!(usage(f("rosenbrock").dup(&[1.0]).run().unwrap_err()));
    assert!(usage(f("rosenbrock").constant(1).constant(1).run().unwrap_err()));
    assert!(usage(f("rosenbrock").dup(&[1.0]).out(1.0).run().unwrap_err()));
    assert!(usage(check(&path).levels(["O7"]).run().unwrap_err()));
    assert!(usage(check(&path).levels::<&str>([]).run().unwrap_err()));
    assert!(usage(check(&path).precision(8).run().unwrap_err()));
    assert!(matches!(check(Path::new("nowhere.c")).run().unwrap_err(), Error::Read(_)));
}

#[test]
fn a_check_without_a_gradient_proves_nothing() {
    let (_folder, path) = source("int main(void) { return 0; }");
    let report = check(&path).levels(["O0"]).run().unwrap();
    assert_eq!(report.exit_code(), 0);
    assert!(std::panic::catch_unwind(|| report.assert_correct()).is_err());
}

#[test]
fn a_call_that_is_not_reached_is_listed() {
    let text = "#include \"adj.h\"\nstatic double f(double x) { return x * x; }\n
      int main(int argc, char **argv) { (void)argv; return argc > 1 ? (int)__enzyme_autodiff((void *)f, 2.0) : 0; }";
    let (_folder, path) = source(text);
    let report = check(&path).levels(["O0"]).run().unwrap();
    assert!(report.levels[0].gradients.is_empty() && report.levels[0].unreached.len() == 1);
    assert!(report.to_string().contains("not reached"));
    let report = check(&path).levels(["O0"]).args(["once"]).run().unwrap();
    report.assert_correct();
}

#[test]
fn a_relative_error_of_1e_12_in_one_of_a_thousand_components_is_caught() {
    let text = |factor: &str| {
        format!(
            "#include \"adj.h\"
            #define N 1000
            static double f(const double *x) \
            {{ double s = 0; for (int i = 0; i < N; i++) s += x[i] * x[i] * x[i]; return s; }}
            static void df(const double *x, double *dx, double seed) {{
              for (int i = 0; i < N; i++) dx[i] += (i == 311 ? {factor} : 3.0) * x[i] * x[i] * seed; }}
            int main(void) {{
              static double x[N], dx[N];
              for (int i = 0; i < N; i++) x[i] = 1.0 + 0.37 * i;
              __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, 1.0);
              return 0; }}"
        )
    };
    let (_folder, path) = source(&text("3.000000000003"));
    let report = check(&path).levels(["O1"]).run().unwrap();
    let finding = report.levels[0].gradients[0].finding.as_ref().unwrap();
    assert_eq!((finding.verdict, finding.family), (Verdict::Wrong, Some(Family::Rule)));
    assert!(finding.message.contains("x[311]"), "{}", finding.message);
    let (_folder, path) = source(&text("3.0"));
    check(&path).levels(["O1"]).run().unwrap().assert_correct();
}

#[test]
fn the_report_is_json_too() {
    let (_folder, path) = source(ROSENBROCK);
    let report = check(&path).levels(["O0"]).function("rosenbrock").dup(&[1.0, 1.0]).constant(2).run().unwrap();
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["verdict"], "correct");
    assert_eq!(json["levels"][0]["gradients"][0]["function"], "rosenbrock");
    assert_eq!(json["levels"][0]["gradients"][0]["components"][1]["name"], "x[1]");
}

/// A product whose first factor goes through its bits: the lanes miss that factor's part of the derivative.
#[test]
fn numbers_taken_apart_as_bits_do_not_fool_the_reference() {
    let text = |slope: &str| {
        format!(
            "#include \"adj.h\"
            #include <stdint.h>
            #include <string.h>
            static double halve(double x) {{
              uint64_t bits;
              memcpy(&bits, &x, sizeof bits);
              bits -= 1ull << 52;
              memcpy(&x, &bits, sizeof x);
              return x; }}
            static double f(const double *x) {{ return halve(x[0]) * x[0] + halve(x[1]) * x[1]; }}
            static void df(const double *x, double *dx, double seed) {{
              for (int i = 0; i < 2; i++) dx[i] += {slope} * x[i] * seed; }}
            int main(void) {{
              double x[2] = {{1.5, -0.7}}, dx[2] = {{0}};
              __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, 1.0);
              return 0; }}"
        )
    };
    let (_folder, path) = source(&text("1.0"));
    check(&path).levels(["O0", "O2"]).run().unwrap().assert_correct();
    // What remains if the way through the bits is taken for constant: right in the lanes, wrong in truth.
    let (_folder, path) = source(&text("0.5"));
    let report = check(&path).levels(["O0", "O2"]).run().unwrap();
    assert!(report.levels.iter().all(|level| level.verdict() == Verdict::Wrong), "{report}");
}

#[test]
fn components_have_the_names_of_the_source() {
    let program = "
void __enzyme_autodiff(void *, ...);
struct inner { float s; double g[2][3]; };
struct node { double value; struct inner in; struct node *next; };
double f(const struct node *n, double (*m)[2], double *x) {
  return n->value * n->next->in.s + n->in.g[1][2] * m[1][0] * *x;
}
int main(void) {
  struct node b = {0.5, {2.0f, {{0}}}, 0}, db = {0}, a = {3.0, {0.5f, {{0}, {0, 0, 7.0}}}, &b}, da = {0};
  double m[2][2] = {{1, 2}, {3, 4}}, dm[2][2] = {{0}}, x = 2.0, dx = 0.0;
  da.next = &db;
  __enzyme_autodiff((void *)f, &a, &da, m, dm, &x, &dx);
  return 0;
}
";
    let (_folder, path) = source(program);
    let report = check(&path).levels(["O0", "O2"]).run().unwrap();
    report.assert_correct();
    for level in &report.levels {
        let mut names: Vec<_> = level.gradients[0].components.iter().map(|c| c.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["*x", "m[1][0]", "n->in.g[1][2]", "n->next->in.s", "n->value"]);
    }
}

/// A tool may be inaccurate because its formula is, or because the terms that the program itself prescribes cancel: the
/// report tells which.
#[test]
fn lost_digits_are_told_from_cancelled_terms() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/inaccurate");
    let accuracy = |name: &str| {
        let report = check(corpus.join(name)).levels(["O1"]).run().unwrap();
        assert_eq!(report.verdict, Verdict::Inaccurate);
        report.levels[0].gradients[0].accuracy
    };
    let cancelled = accuracy("cancelled_names.c");
    assert!(cancelled.lost_bits < cancelled.cancellation.log2() + 4.0, "{cancelled:?}");
    let quotient = accuracy("difference_quotient.c");
    assert!(quotient.lost_bits > quotient.cancellation.log2() + 16.0, "{quotient:?}");
}
