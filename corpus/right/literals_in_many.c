// Many components, with a literal in the gradient that the compiler has folded and the function has not: what its
// rounding adds up to in a sum over components is no mistake.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 700

static double f(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += sin(x[i]) / 3.0 + x[i] * 0.1 * (i % 7 + 1);
  return s;
}

static void df(const double *x, double *dx, int n, double seed) {
  for (int i = 0; i < n; i++)
    dx[i] += (cos(x[i]) * (1.0 / 3.0) + 0.1 * (i % 7 + 1)) * seed;
}

int main(void) {
  static double x[N], dx[N];
  for (int i = 0; i < N; i++)
    x[i] = 0.3 + i / 256.0;
  printf("%.12g\n", f(x, N));
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, enzyme_const, N, 1.0);
  return 0;
}
