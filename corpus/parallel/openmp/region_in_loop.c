// A region that is entered again and again.
// adj-flags: -fopenmp
#include "differences.h"
#include <string.h>

enum { N = 12 };

static double f(const double *x, int n) {
  double a[N];
  memcpy(a, x, sizeof a);
  for (int step = 0; step < 4; step++) {
    double b[N];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[i] + 0.1 * (a[(i + 1) % n] * a[i] - a[(i + n - 1) % n]);
    memcpy(a, b, sizeof a);
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
