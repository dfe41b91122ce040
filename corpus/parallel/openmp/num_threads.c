// A team of a given size.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 12 };

static double f(const double *x, int n) {
  double part[5] = {0};
#pragma omp parallel num_threads(5)
  {
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    for (int i = me; i < n; i += all)
      part[me] += x[i] * x[i];
  }
  double sum = 0;
  for (int k = 0; k < 5; k++)
    sum += part[k];
  return sum * sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
