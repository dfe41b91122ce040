// Numbers of four bytes that each thread gets a copy of: clang hands them over in a word, of which it sets one half.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 6 };

static double f(const double *x, int n) {
  double y[N];
  float scale = n > 3 ? 1.25f : 0.5f;
  int shift = 1 + (x[1] > 100);
#pragma omp parallel firstprivate(scale, shift) if (n > 2)
  {
    scale *= 0.5f;
#pragma omp for
    for (int i = 0; i < n; i++) y[i] = scale * x[i] * x[(i + shift) % n];
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += y[i] * (i + 1);
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
