// `loop`, `masked`, steps that are not one, and a schedule that the program sets: who executes what is decided at run
// time.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 16 };

static double f(const double *x, int n) {
  double sum = 0, rest = 0, scale = 0;
  omp_set_schedule(omp_sched_guided, 2);
#pragma omp parallel
  {
#pragma omp masked
    scale = x[0] * x[1];
#pragma omp barrier
#pragma omp loop reduction(+ : sum)
    for (int i = 0; i < n; i++)
      sum += scale * x[i];
#pragma omp for schedule(runtime) reduction(+ : rest)
    for (unsigned char i = 15; i > 2; i -= 3)
      rest += x[i] * x[i] * x[i];
  }
  return sum * rest;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
