// Arrays of a size that only the run tells, one for each thread; sections of which the last leaves its value;
// iterations that wait for each other within a dynamic schedule.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 10 };

static double f(const double *x, int n) {
  double sum = 0, last = 0, other = 0, running = 1;
#pragma omp parallel reduction(+ : sum)
  {
    double work[n];
#pragma omp for
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++)
        work[k] = x[k] * x[i];
      sum += work[(3 * i) % n];
    }
#pragma omp sections lastprivate(last)
    {
#pragma omp section
      last = x[0];
#pragma omp section
      {
        last = x[1] * x[2];
        other = x[3];
      }
    }
#pragma omp for ordered schedule(dynamic, 2)
    for (int i = 0; i < n; i++) {
      double part = cos(x[i]);
#pragma omp ordered
      running = running * 0.9 + part * x[i];
    }
  }
  return sum * last * other + running;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
