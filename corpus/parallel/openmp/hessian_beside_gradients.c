// A gradient that is differentiated again, beside another gradient of the same function: what the two keep in common
// variables is each one's own.
// adj-flags: -fopenmp
#include "differences.h"

enum { N = 6 };

static const double weights[N] = {1, 0.5, -0.25, 2, 1.5, -1};

static double f(const double *x, const double *w, int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += w[i] * x[i] * x[i] * x[(i + 1) % n];
  return sum;
}

static void gradient(const double *x, double *g, int n) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, weights, enzyme_const, n);
}

static double slope(const double *x, int n) {
  double g[N] = {0}, w[N], dw[N] = {0}, all[N] = {0}, sum = 0;
  for (int i = 0; i < n; i++)
    w[i] = weights[i];
  __enzyme_autodiff((void *)f, enzyme_dup, x, all, enzyme_dup, w, dw, enzyme_const, n);
  gradient(x, g, n);
  for (int i = 0; i < n; i++)
    sum += g[i] * weights[i] + 0 * (all[i] - g[i]);
  return sum;
}

int main(void) {
  double x[N], dx[N], g[N] = {0}, product[N] = {0};
  start(x, dx, N);
  for (int i = 0; i < N; i++)
    dx[i] = weights[i];
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, dx, enzyme_dup, g, product, enzyme_const, N);
  return differing(slope, x, product, N);
}
