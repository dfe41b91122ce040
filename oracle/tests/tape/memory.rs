//! What the memory of the program tells the reverse pass, so that the tape need not.

use crate::{measured, parts, tapes};
use adjudicate::report::Tape;

#[test]
fn memory_without_another_name_is_read_again() {
    let program = |qualifier: &str, apart: u32| {
        format!(
            "static void squares(double *{qualifier} y, const double *{qualifier} x, int n) {{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}}
int main(void) {{
  double x[101], dx[101] = {{0}};
  for (int i = 0; i < 101; i++)
    x[i] = 0.5, dx[i] = 1;
  __enzyme_autodiff((void *)squares, enzyme_dup, x + {apart}, dx + {apart}, enzyme_dup, x, dx, enzyme_const, 50);
  return 0;
}}"
        )
    };
    // Without a promise it is found when the loop is entered whether anything overlaps. At -O0 pointers and indices are
    // in memory of their own, and kept.
    for (qualifier, apart, bytes) in [("restrict", 50, 0), ("", 50, 0), ("", 1, 400)] {
        let report = measured(&program(qualifier, apart), &["O1"], &[]);
        for (level, tape) in report.levels.iter().zip(tapes(&report)) {
            assert_eq!(parts(tape)[0].0, bytes, "`{qualifier}` at {}", level.level);
        }
    }
}

#[test]
fn copies_of_matrices_count_where_the_routine_is_called() {
    let program = |qualifier: &str| {
        format!(
            "void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, \
             double *, int);
static void product(double *{qualifier} c, const double *{qualifier} a, const double *{qualifier} b, int n) {{
  cblas_dgemm(102, 111, 112, n, n, n, 1.0, a, n, b, n, 0.0, c, n);
}}
int main(int argc, char **argv) {{
  int n = atoi(argv[argc - 1]);
  double a[49], b[49], c[49], da[49] = {{0}}, db[49] = {{0}}, dc[49];
  for (int i = 0; i < 49; i++)
    a[i] = i, b[i] = 1 + i % 3, dc[i] = 1;
  __enzyme_autodiff((void *)product, enzyme_dup, c, dc, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, n);
  return 0;
}}"
        )
    };
    // Both operands are kept, as many numbers as they have; behind restricted pointers neither.
    for (qualifier, grown) in [("", 2 * (49 - 4) * 8), ("restrict", 0)] {
        let of_size = |n: &str| measured(&program(qualifier), &["O0", "O2"], &[n]);
        let (small, large) = (of_size("2"), of_size("7"));
        for (small, large) in tapes(&small).into_iter().zip(tapes(&large)) {
            let line = |tape: &Tape| {
                let on_line = |l: &&adjudicate::report::TapeLine| l.position.as_ref().is_some_and(|p| p.line == 6);
                let lines: Vec<u64> = tape.lines.iter().filter(on_line).map(|l| l.bytes).collect();
                assert_eq!(lines.len(), 1, "{tape:?}");
                lines[0]
            };
            assert_eq!(line(large) - line(small), grown, "`{qualifier}`: {large:?}");
            assert_eq!(large.bytes - small.bytes, grown, "`{qualifier}`: {large:?}");
        }
    }
}

/// What the program leaves in an array of its own is read from there: the tape has none of it, however long it is.
#[test]
fn what_the_program_keeps_in_an_array_is_not_kept_again() {
    let text = |stride: &str| {
        format!(
            "static double table(const double *p, int n, int d) {{
  double *at = malloc(sizeof(double) * n * d), total = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++) {{
      double e = exp(p[j] * (0.1 + 0.01 * i));
      at[{stride}] = e;
      total += e * e;
    }}
  for (int i = 0; i < n; i++)
    total += sin(at[i]);
  free(at);
  return total;
}}
int main(int argc, char **argv) {{
  double p[3] = {{0.3, -0.7, 1.1}}, dp[3] = {{0}};
  __enzyme_autodiff((void *)table, enzyme_dup, p, dp, enzyme_const, atoi(argv[1]), enzyme_const, 3);
  return argc != 2;
}}"
        )
    };
    let grows = |stride: &str| {
        let [short, long] = ["10", "100"].map(|n| measured(&text(stride), &["O0", "O1", "O2", "O3"], &[n]));
        let both = tapes(&short).into_iter().zip(tapes(&long));
        both.map(|(short, long)| parts(long)[0].0 - parts(short)[0].0).collect::<Vec<u64>>()
    };
    assert_eq!(grows("i * d + j"), [0; 4]);
    assert!(grows("i + j").into_iter().all(|bytes| bytes >= 90 * 3 * 8), "the next row writes the same cells");
}

/// The iterations of a loop over summands, each reversed at one go, keep what they keep in the same place, also where
/// they are longer from one to the next.
#[test]
fn what_lies_in_scratch_memory_is_made_again() {
    let program = |between: &str| {
        format!(
            "static double gauss(const double *x, double *m, int n, int d) {{
  double *c = malloc(d * sizeof(double)), total = 0.0;
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++) {{
      for (int l = 0; l < d; l++) c[l] = x[i * d + l] - m[l];
      {between}
      for (int l = 0; l < d; l++) total += exp(-c[l] * c[l]);
    }}
  free(c);
  return total;
}}
int main(void) {{
  double x[60], dx[60] = {{0}}, m[6], dm[6] = {{0}};
  for (int i = 0; i < 60; i++) x[i] = 0.1 * (i % 7), m[i % 6] = 0.05 * (i % 6);
  __enzyme_autodiff((void *)gauss, enzyme_dup, x, dx, enzyme_dup, m, dm, enzyme_const, 10, enzyme_const, 6);
  return 0;
}}"
        )
    };
    // The exponentials, 120 of them; and the differences, too, where what they are made of is not there any more, or
    // another number may be in their place.
    let cases = [("", 120), ("for (int l = 0; l < d; l++) m[l] *= 0.5;", 240), ("c[d - 1] = 0.25;", 240)];
    for (between, writes) in cases {
        let report = measured(&program(between), &["O1"], &[]);
        assert_eq!(parts(tapes(&report)[0])[0].1, writes, "{between}");
    }
}

#[test]
fn memory_holds_what_its_numbers_are_made_of() {
    let program = |allocate: &str, between: &str, read: &str| {
        format!(
            "static double turned(const double *p, int n, int reads) {{
  double *at = {allocate}, total = 0.0;
  for (int i = 0; i < n; i++) {{
    double a = exp(0.01 * i * p[0]), b = tanh(p[1] + 0.1 * i);
    at[2 * i] = p[2] * a - p[3] * b;
    at[2 * i + 1] = p[3] * a + p[2] * b;
  }}
  {between}
  for (int i = 0; i < reads; i++) total += {read};
  free(at);
  return total;
}}
int main(int argc, char **argv) {{
  double p[4] = {{0.3, -0.2, 0.8, 0.6}}, dp[4] = {{0}};
  __enzyme_autodiff((void *)turned, enzyme_dup, p, dp, enzyme_const, atoi(argv[1]), enzyme_const, atoi(argv[2]));
  return argc != 3;
}}"
        )
    };
    let fresh = "malloc(16 * n)";
    let product = "at[2 * (i * 7 % n)] * at[2 * (i * 5 % n) + 1]";
    // Two numbers of each of forty points, which are in `at`; or, if others may have been there, or each is read many
    // times, on the tape.
    let often = "for (int k = 0; k < reads; k++) for (int i = 0; i < n; i++) total += at[i] * at[k];";
    let cases = [
        (fresh, "", product, 0),
        (fresh, "at[3] = p[0];", product, 80),
        (fresh, often, product, 80),
        ("calloc(n, 16)", "", product, 80),
        (fresh, "", "*(long *)(at + i) > 0 ? at[i] : at[i + 1]", 80),
    ];
    for (allocate, between, read, writes) in cases {
        let report = measured(&program(allocate, between, read), &["O1"], &["40", "30"]);
        for tape in tapes(&report) {
            assert_eq!(parts(tape)[0].1, writes, "{allocate} {between} {read}");
        }
    }
}
