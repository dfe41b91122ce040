// A region that is executed by a team, or by one thread.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static void scale(const double *x, double *y, int n, int many) {
#pragma omp parallel for if (many)
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i] * x[0];
}
static double f(const double *x, int n) {
  double y[N], z[N];
  scale(x, y, n, 1);
  scale(y, z, n, 0);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += z[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
