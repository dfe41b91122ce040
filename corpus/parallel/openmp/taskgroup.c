// A group of tasks.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double part[3] = {0}, all = 0;
#pragma omp parallel
#pragma omp master
  {
#pragma omp taskgroup
    {
      for (int k = 0; k < 3; k++)
#pragma omp task
        for (int i = k; i < n; i += 3)
          part[k] += x[i] * x[i];
    }
    all = part[0] * part[1] + part[2];
  }
  return all;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
