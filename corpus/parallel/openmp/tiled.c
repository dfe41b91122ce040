// Loops that the compiler cuts into tiles and unrolls before their iterations are shared out.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 16 };

static double f(const double *x, int n) {
  double sum = 0, y[N];
#pragma omp parallel for
#pragma omp tile sizes(3)
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[(i + 5) % n];
#pragma omp parallel for reduction(+ : sum)
#pragma omp unroll partial(4)
  for (int i = 0; i < n; i++)
    sum += y[i] * sin(x[i]);
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
