// A loop of tasks that leaves what its last iteration has, and each of whose tasks has copies.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 7 };

static double f(const double *x, int n) {
  double last = 0, scale = x[0], y[N], sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop firstprivate(scale) lastprivate(last) num_tasks(3)
  for (int i = 0; i < n; i++) {
    last = x[i] * scale;
    y[i] = last * x[i];
  }
  for (int i = 0; i < n; i++)
    sum += y[i] * last;
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
