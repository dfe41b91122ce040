// Rule: the second component is three times what it should be; the first is 10¹⁸⁰ times as large. Evidence: its own
// lane differs from a reference of as many bits as it takes to see the one beside the other.
#include "adj.h"

static double f(const double *x) {
  return x[0] * x[0] * 1e90 + x[1] * 1e-90;
}

static void df(const double *x, double *dx, double seed) {
  dx[0] += 2e90 * x[0] * seed; //~ [O2,O3] wrong: rule
  dx[1] += 3e-90 * seed;       //~ [O0,O1] wrong: rule
}

int main(void) {
  double x[2] = {1, 1}, dx[2] = {0, 0};
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, 1.0);
  return 0;
}
