// Cholesky factorisation in place, then the log-determinant and a triangular solve.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 4

static void factor(double *a, int n) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      a[j * n + j] -= a[j * n + k] * a[j * n + k];
    a[j * n + j] = sqrt(a[j * n + j]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
  }
}

static double likelihood(const double *covariance, const double *b, int n) {
  double l[N * N], z[N];
  for (int i = 0; i < n * n; i++)
    l[i] = covariance[i];
  factor(l, n);
  double result = 0.0;
  for (int i = 0; i < n; i++) {
    z[i] = b[i];
    for (int k = 0; k < i; k++)
      z[i] -= l[i * n + k] * z[k];
    z[i] /= l[i * n + i];
    result += z[i] * z[i] + 2.0 * log(l[i * n + i]);
  }
  return result;
}

int main(void) {
  double a[N * N], da[N * N] = {0}, b[N], db[N] = {0};
  for (int i = 0; i < N; i++) {
    b[i] = 1.0 - 0.4 * i;
    for (int j = 0; j < N; j++)
      a[i * N + j] = 1.0 / (1.0 + i + j) + (i == j ? 1.5 : 0.0);
  }
  printf("%.17g\n", likelihood(a, b, N));
  __enzyme_autodiff((void *)likelihood, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, N);
  for (int i = 0; i < N * N; i++)
    printf("%.17g\n", da[i]);
  for (int i = 0; i < N; i++)
    printf("%.17g\n", db[i]);
  return 0;
}
