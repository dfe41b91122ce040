// What is differentiated makes tasks, and is called in a region of its caller.
// adj-flags: -fopenmp
#include "differences.h"

static double area(const double *x, int n, double a, double b, int depth) {
  const double m = (a + b) / 2;
  if (depth == 0) {
    double h = b - a, y = 0;
    for (int i = 0; i < n; i++) y = y * m + x[i];
    return h * y * y;
  }
  double left, right;
#pragma omp task shared(left) final(depth < 2)
  left = area(x, n, a, m, depth - 1);
#pragma omp task shared(right) final(depth < 2)
  right = area(x, n, m, b, depth - 1);
#pragma omp taskwait
  return left + right + 0.1 * left * right;
}

static double f(const double *x, int n) { return area(x, n, 0.2, 1.7, 4); }

int main(void) {
  enum { n = 4 };
  double x[n], dx[n];
  start(x, dx, n);
#pragma omp parallel
#pragma omp single
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, n);
  return differing(f, x, dx, n);
}
