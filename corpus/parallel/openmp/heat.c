// Heat in a rod, a region around the loop over time.
// adj-flags: -fopenmp
#include "differences.h"
#include <string.h>

enum { N = 12 };

static double f(const double *x, int n) {
  double u[2][N];
  memcpy(u[0], x, sizeof u[0]);
  memcpy(u[1], x, sizeof u[1]);
#pragma omp parallel
  for (int t = 0; t < 6; t++) {
    const double *from = u[t % 2];
    double *to = u[(t + 1) % 2];
#pragma omp for
    for (int i = 1; i < n - 1; i++)
      to[i] = from[i] + 0.2 * (from[i - 1] - 2 * from[i] + from[i + 1]) * from[i];
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += u[0][i] * u[0][i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
