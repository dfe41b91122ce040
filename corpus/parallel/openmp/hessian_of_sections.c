// Tangents of a gradient whose threads take turns: products and sums in sections, under a lock, in one piece, in the
// order of iterations, and reduced.
// adj-flags: -fopenmp
#include "differences.h"
#include <omp.h>

enum { N = 6 };

static double f(const double *x, int n) {
  double product = 1, locked = 1, sum = 0, chain = 0.5, piece = 1, least = 10, reduced = 0, parts[3] = {0, 0, 0};
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel for ordered reduction(+ : reduced, parts) reduction(min : least)
  for (int i = 0; i < n; i++) {
    double s = sin(x[i]) * x[(i + 1) % n];
#pragma omp critical
    {
      product *= 1 + 0.1 * s;
      sum += s * s;
    }
    omp_set_lock(&lock);
    locked *= 1 + 0.2 * x[i] * x[i];
    omp_unset_lock(&lock);
#pragma omp atomic
    piece *= 1 + 0.1 * s * s;
#pragma omp ordered
    chain = chain * s + x[i] * chain * chain;
    reduced += s * x[i];
    parts[i % 3] += s * s * x[i];
    least = fmin(least, x[i] * x[i] * (i + 1));
  }
  omp_destroy_lock(&lock);
  return product * sum * locked + chain * piece + reduced * reduced * least + parts[0] * parts[1] + parts[2] * parts[2];
}

static void gradient(const double *x, double *g, int n) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_const, n);
}

static const double direction[N] = {1, -0.5, 0.25, 2, -1, 0.75};

/* The slope of `f` in the direction: its gradient is the product of that direction and the Hessian. */
static double slope(const double *x, int n) {
  double g[N] = {0}, sum = 0;
  gradient(x, g, n);
  for (int i = 0; i < n; i++) sum += g[i] * direction[i];
  return sum;
}

int main(void) {
  double x[N], dx[N], g[N] = {0}, product[N] = {0};
  start(x, dx, N);
  for (int i = 0; i < N; i++) dx[i] = direction[i];
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, dx, enzyme_dup, g, product, enzyme_const, N);
  return differing(slope, x, product, N);
}
