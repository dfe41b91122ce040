// The gradient of a gradient, whose threads take turns: the order of their reverse has none.
// adj-exit: 3
// adj-flags: -fopenmp
// adj-message: a gradient reverses sections here that exclude each other
#include "adj.h"

static double f(const double *x, int n) {
  double product = 1;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    product *= 1 + x[i] * x[i];
  }
  return product;
}

static double slope(const double *x, int n) {
  double g[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);
  return g[0] + 2 * g[1] - g[2];
}

int main(void) {
  double x[3] = {0.5, 1, 2}, d[3] = {0};
  __enzyme_autodiff((void *)slope, enzyme_dup, x, d, enzyme_const, 3);
  return 0;
}
