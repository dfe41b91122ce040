// Each thread of a loop makes tasks that nobody awaits before the end of the region, and some tasks make more.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 9 };

static double f(const double *x, int n) {
  double y[N][2];
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
      {
        y[i][0] = x[i] * x[(i + 1) % n];
#pragma omp task if (i % 2)
        y[i][1] = exp(-x[i]) + i;
      }
    }
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += y[i][0] * y[n - 1 - i][1];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
