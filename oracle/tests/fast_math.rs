//! Fast-math code is vectorised with reductions; their adjoints must reach every lane.

use adjudicate::{Error, check};

const PROGRAM: &str = r#"
#include "adj.h"
static double dot(const double *restrict x, const double *restrict y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}
int main(void) {
  double x[16], y[16], dx[16] = {0}, dy[16] = {0};
  for (int i = 0; i < 16; i++) {
    x[i] = i + 1;
    y[i] = 0.5 * i - 2.25;
  }
  __enzyme_autodiff((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 16);
  return dx[3] == y[3] ? 0 : 1;
}
"#;

#[test]
fn reductions_have_adjoints() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dot.c");
    std::fs::write(&path, PROGRAM).expect("written");
    check(&path).flags(["-ffast-math"]).levels(["O2", "O3"]).run()?.assert_correct();
    Ok(())
}
