// A region within a region reads and writes what the thread that makes it has read before.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 8 };

static double f(const double *x, int n) {
  double y[2][N], out[2];
#pragma omp parallel for num_threads(2)
  for (int t = 0; t < 2; t++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      y[t][j] = x[j] * x[(j + t) % n];
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        s += y[t][(j * k) % n] * x[j];
#pragma omp parallel for num_threads(2)
    for (int j = 0; j < n; j++)
      y[t][j] = 0.5 * y[t][j] * y[t][j];
    for (int j = 0; j < n; j++)
      s += y[t][j];
    out[t] = s;
  }
  return (out[0] * out[1]) / 1000;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
