// The value before a sum in one piece.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double total = 0, y[N];
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double before;
#pragma omp atomic capture
    {
      before = total;
      total += 1.0;
    }
    y[i] = x[i] * x[i] + 0 * before;
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i];
  return sum + total;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
