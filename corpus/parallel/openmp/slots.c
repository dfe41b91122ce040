// A number in one piece for the place of each result.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double f(const double *x, int n) {
  double y[N];
  int count = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    int at;
#pragma omp atomic capture
    at = count++;
    y[at] = x[i] * x[i] * x[i];
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i];
  return sum * sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
