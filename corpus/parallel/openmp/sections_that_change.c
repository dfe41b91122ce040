// Sections that change what was there before, and a thread that does so within a loop: an optimiser has every thread
// load it ahead, though only one uses it.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 6 };

static double f(const double *x, int n) {
  double a = x[0], b = x[1], c = x[2] * x[3], first = 0.3;
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      a = 0.34 * a * (a + x[4]);
#pragma omp section
      for (int i = 0; i < n; i++) b += sin(x[i]) * 0.2;
#pragma omp section
      c *= c + 0.5;
    }
    for (int i = 0; i < n; i++)
      if (omp_get_thread_num() == 0) first = first * x[i] + 0.1 * i;
  }
  return a * b + c * first;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
