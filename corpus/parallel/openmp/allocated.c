// Variables and arrays from the allocators of OpenMP, and sums in one piece with an order for the memory around them.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 8 };

static double f(const double *x, int n) {
  double *y = omp_alloc(n * sizeof *y, omp_default_mem_alloc), scale = x[1], sum = 0, rest = 0;
#pragma omp parallel for firstprivate(scale) allocate(omp_default_mem_alloc : scale)
  for (int i = 0; i < n; i++) {
    scale *= 1;
    y[i] = scale * x[i];
#pragma omp atomic seq_cst
    sum += y[i] * y[i];
#pragma omp atomic release
    rest += x[i] * x[i];
  }
  double first = y[0];
  omp_free(y, omp_default_mem_alloc);
  return sum * rest * first;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
