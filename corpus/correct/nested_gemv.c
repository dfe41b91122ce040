// Reverse over reverse of a product by BLAS of a constant matrix with an active vector: the gradient's own calls are differentiated. The
// function is a quadratic form, so the answer is the symmetric part of the matrix.
#include "adj.h"
#include <math.h>
#include <stdio.h>

void cblas_dgemv(int layout, int t, int m, int n, double alpha, const double *a, int lda, const double *x, int incx, double beta,
                 double *y, int incy);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);

enum { n = 3 };

static double quadratic(const double *a, const double *x) {
  double y[n];
  cblas_dgemv(101, 111, n, n, 1, a, n, x, 1, 0, y, 1);
  double s = cblas_ddot(n, x, 1, y, 1);
  return s + 0.125 * s * s;
}

static double slope(const double *a, const double *x, int component) {
  double g[n] = {0};
  __enzyme_autodiff((void *)quadratic, enzyme_const, a, enzyme_dup, x, g);
  return g[component];
}

int main(void) {
  const double a[n * n] = {2, -1, 0.5, 0.25, 3, 1, -0.75, 0.5, 1};
  double x[n] = {0.5, -1.25, 2}, h[n][n] = {{0}}, form = 0.0, sum[n] = {0};
  int wrong = 0;
  for (int i = 0; i < n; i++)
    __enzyme_autodiff((void *)slope, enzyme_const, a, enzyme_dup, x, h[i], enzyme_const, i);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      form += x[i] * a[n * i + j] * x[j];
      sum[i] += (a[n * i + j] + a[n * j + i]) * x[j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double expected = (1 + 0.25 * form) * (a[n * i + j] + a[n * j + i]) + 0.25 * sum[i] * sum[j];
      printf("%.12g\n", h[i][j]);
      wrong += !(fabs(h[i][j] - expected) < 1e-12);
    }
  return wrong;
}
