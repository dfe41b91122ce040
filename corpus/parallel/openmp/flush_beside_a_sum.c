// A flush in front of a sum in one piece is there for the flag behind that: the sum orders nothing.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 5 };

static double f(const double *x, int n) {
  double shared = 0, sum = 0, total = 0;
  int ready = 0;
#pragma omp parallel reduction(+ : total)
  {
    if (omp_get_thread_num() == 0) {
      shared = x[0] * x[1];
#pragma omp flush
#pragma omp atomic
      sum += x[2];
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
      total += shared * shared * x[i];
  }
  return total + sum * sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
