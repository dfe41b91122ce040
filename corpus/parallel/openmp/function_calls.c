// Functions that the threads call.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 12 };

static double power(double x, int k) {
  double y = 1;
  while (k-- > 0)
    y *= x;
  return y;
}
__attribute__((noinline)) static void step(const double *x, double *y, int i) {
  y[i] = power(x[i], i % 4) + x[0];
}
static double f(const double *x, int n) {
  double y[N];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    step(x, y, i);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
