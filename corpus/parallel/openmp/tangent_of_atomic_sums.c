// Tangents of sums in one piece, of active numbers and of others.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double sum = x[0], weight = 1;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    sum += x[i] * x[i];
#pragma omp atomic
    sum -= 0.25 * i;
#pragma omp atomic
    weight += 0.5;
  }
  return sum * sum * weight;
}

int main(void) {
  double x[N], dx[N], gradient[N];
  start(x, dx, N);
  for (int i = 0; i < N; i++) {
    dx[i] = 1;
    gradient[i] = __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
    dx[i] = 0;
  }
  return differing(f, x, gradient, N);
}
