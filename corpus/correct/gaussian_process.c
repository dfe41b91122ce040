// The negative log marginal likelihood of a Gaussian process: a kernel matrix on the heap, Cholesky in place, two triangular solves; a
// matrix that is not positive definite would end the loop early.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kernel {
  double variance, lengths[2], noise;
};

static double covariance(const struct kernel *k, const double *a, const double *b) {
  double r = 0.0;
  for (int d = 0; d < 2; d++) {
    double t = (a[d] - b[d]) / exp(k->lengths[d]);
    r += t * t;
  }
  double s = sqrt(5.0 * (r + 1e-12));
  return k->variance * (1.0 + s + s * s / 3.0) * exp(-s);
}

static int factor(double *a, int n) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < n; i++)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
    if (!(a[j * n + j] > 0.0))
      return j + 1;
    double root = sqrt(a[j * n + j]);
    for (int i = j; i < n; i++)
      a[i * n + j] /= root;
  }
  return 0;
}

static double loss(const struct kernel *k, const double (*x)[2], const double *y, int n) {
  double *a = malloc(n * n * sizeof *a), *z = malloc(n * sizeof *z), sum = 0.5 * n * log(2.0 * acos(-1.0));
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[i * n + j] = covariance(k, x[i], x[j]) + (i == j ? k->noise * k->noise : 0.0);
  if (factor(a, n) != 0) {
    free(a);
    free(z);
    return INFINITY;
  }
  memcpy(z, y, n * sizeof *z);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      z[i] -= a[i * n + j] * z[j];
    z[i] /= a[i * n + i];
    sum += 0.5 * z[i] * z[i] + log(a[i * n + i]);
  }
  free(a);
  free(z);
  return sum;
}

int main(void) {
  struct kernel k = {1.3, {-0.2, 0.4}, 0.3}, dk = {0};
  double x[5][2] = {{0.0, 0.1}, {0.5, -0.3}, {1.1, 0.8}, {1.9, 0.2}, {2.4, -0.9}}, dx[5][2] = {{0}};
  double y[5] = {0.2, 0.6, 0.9, 0.4, -0.3}, dy[5] = {0};
  __enzyme_autodiff((void *)loss, enzyme_dup, &k, &dk, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 5);
  printf("%.12g %.12g %.12g %.12g\n", dk.variance, dk.lengths[0], dk.lengths[1], dk.noise);
  for (int i = 0; i < 5; i++)
    printf("%.12g %.12g %.12g\n", dx[i][0], dx[i][1], dy[i]);
  return 0;
}
