// One thread writes, flushes, and sets a flag; the others look at the flag until it is set, flush, and read.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 6 };

static double f(const double *x, int n) {
  double shared = 0, sum = 0;
  int ready = 0;
#pragma omp parallel reduction(+ : sum)
  {
    if (omp_get_thread_num() == 0) {
      shared = x[0] * x[1];
#pragma omp flush
#pragma omp atomic write
      ready = 1;
    }
    int seen = 0;
    while (!seen) {
#pragma omp atomic read
      seen = ready;
    }
#pragma omp flush
    for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads())
      sum += shared * shared * x[i];
  }
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
