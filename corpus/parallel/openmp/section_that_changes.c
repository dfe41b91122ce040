// A section that changes what was there before: an optimiser has every thread load it ahead of the sections, and
// compute with it, though only one thread uses it.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 4 };

static double f(const double *x, int n) {
  double changed = x[0], sum = 0;
  for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel
    {
#pragma omp sections
      {
#pragma omp section
        changed = 0.34 * (changed + x[1]);
#pragma omp section
        ;
      }
    }
    sum += changed * x[2] * turn;
  }
  for (int i = 0; i < n; i++) sum += x[i] * changed;
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
