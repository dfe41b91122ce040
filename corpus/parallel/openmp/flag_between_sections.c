// One section waits for a flag that another one sets; in the reverse pass it comes first.
// adj-flags: -fopenmp
#include "differences.h"
#include <stdatomic.h>

enum { N = 2 };

static double f(const double *x, int n) {
  double data = 0, result = 0;
  atomic_int ready = 0;
#pragma omp parallel sections num_threads(n)
  {
#pragma omp section
    {
      data = x[0] * x[0];
      atomic_store(&ready, 1);
    }
#pragma omp section
    {
      while (!atomic_load(&ready))
        ;
      result = data * x[1];
    }
  }
  return result;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
