//! What `correct` rests on: components, directions, and plain differences, in both modes; and a gradient of which
//! nothing was compared.

use adjudicate::report::{Gradient, Report};
use adjudicate::{Verdict, check};

fn judged(text: &str) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.c");
    std::fs::write(&path, format!("#include \"adj.h\"\n{text}")).unwrap();
    check(&path).levels(["O1"]).run().unwrap()
}

fn only(report: &Report) -> &Gradient {
    let [gradient] = report.levels[0].gradients.as_slice() else { panic!("{report}") };
    gradient
}

#[test]
fn a_gradient_says_what_it_rests_on() {
    // The second component is zero; the cell that is only overwritten is compared, too.
    let report = judged(
        "static double f(double *x) { double y = x[0] * x[0] * x[2] + 0.0 * x[1]; x[3] = 1.0; return y; }
         int main(void) { double x[4] = {1.5, 2.0, 3.0, 4.0}, d[4] = {0};
           __enzyme_autodiff((void *)f, enzyme_dup, x, d); return 0; }",
    );
    let gradient = only(&report);
    assert_eq!(gradient.verdict, Verdict::Correct, "{report}");
    let basis = gradient.basis;
    assert_eq!((basis.components, basis.directions, basis.nonzero, basis.differences), (4, 3, 2, 2), "{basis:?}");
    assert!(basis.bound.is_some_and(|bound| bound < 1e-5), "{basis:?}");
    assert!(report.to_string().contains("rests on 4 components along 3 directions (2 not zero)"), "{report}");
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    let told = &json["levels"][0]["gradients"][0]["basis"];
    assert_eq!((told["components"].as_u64(), told["nonzero"].as_u64()), (Some(4), Some(2)), "{told}");
    assert!(told["bound"].is_f64(), "{told}");
}

#[test]
fn many_components_are_compared_in_sums() {
    let report = judged(
        "static double f(const double *x, int n) \
         { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }
         int main(void) { static double x[500], d[500]; for (int i = 0; i < 500; i++) x[i] = 1 + i;
           __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 500); return 0; }",
    );
    let basis = only(&report).basis;
    assert_eq!(basis.components, 500, "{report}");
    assert!(basis.directions < 100 && basis.nonzero == basis.directions && basis.differences == 2, "{basis:?}");
}

#[test]
fn a_tangent_says_it_too() {
    let report = judged(
        "double __enzyme_fwddiff(void *, ...);
         static double f(const double *x) { return x[0] * x[0] * x[1]; }
         int main(void) { double x[2] = {1.5, 2.0}, d[2] = {1, 0};
           return __enzyme_fwddiff((void *)f, enzyme_dup, x, d) != 6.0; }",
    );
    let gradient = only(&report);
    assert_eq!(gradient.verdict, Verdict::Correct, "{report}");
    let basis = gradient.basis;
    // The result and both inputs; along the program's direction, and along a random one by differences, too.
    assert_eq!((basis.components, basis.nonzero, basis.differences), (3, 1, 2), "{basis:?}");
    assert!(basis.bound.is_some_and(|bound| bound < 1e-5), "{basis:?}");
}

#[test]
fn a_tangent_that_forgets_an_input_is_wrong() {
    let report = judged(
        "static double f(const double *x) { return x[0] * x[0] + 3.0 * x[1]; }
         static double df(const double *x, const double *d) { return 2.0 * x[0] * d[0]; }
         int main(void) { double x[2] = {1.5, 2.0}, d[2] = {1, 1};
           __adj_check_tangent((void *)f, (void *)df, enzyme_dup, x, d); return 0; }",
    );
    assert_eq!(only(&report).verdict, Verdict::Wrong, "{report}");
}

#[test]
fn nothing_compared_is_not_correct() {
    // The function takes integers behind the pointer, and the derivative by its floating-point cells, of which there
    // are none, is vacuous.
    let report = judged(
        "static double f(const long *x) { long sum = 0; for (int i = 0; i < 3; i++) sum += x[i]; return (double)sum; }
         int main(void) { long x[3] = {1, 2, 3}, d[3] = {0};
           __enzyme_autodiff((void *)f, enzyme_dup, x, d); return 0; }",
    );
    let gradient = only(&report);
    assert_eq!((gradient.verdict, gradient.basis.components), (Verdict::Undecided, 0), "{report}");
    assert_eq!(report.exit_code(), 3);
    // No element: the shadow is compared with what it was.
    let report = judged(
        "static double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
         int main(void) { double x[3] = {1, 2, 3}, d[3] = {0};
           __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 0); return 0; }",
    );
    let gradient = only(&report);
    assert_eq!((gradient.verdict, gradient.basis.components), (Verdict::Correct, 3), "{report}");
}
