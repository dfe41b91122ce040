// A decomposition, a parallel update in each step.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 6 };

static double f(const double *x, int n) {
  double a[N][N];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = (i == j ? 4 + x[i] : sin(x[i] * x[j] + i));
  for (int k = 0; k < n; k++)
#pragma omp parallel for
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
  double det = 1;
  for (int i = 0; i < n; i++)
    det *= a[i][i];
  return log(det);
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
