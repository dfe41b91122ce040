/* The seed of a gradient given by hand may be left out: it is 1, as for `__enzyme_autodiff`. */
#include "adj.h"

static double square(double x) { return x * x; }
static double d_square(double x, double seed) { return 2.0 * x * seed; }

static float norm(const float *x, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}
static void d_norm(const float *x, float *dx, int n, float seed) {
  for (int i = 0; i < n; i++) dx[i] += 2 * x[i] * seed;
}

int main(void) {
  float x[3] = {1, 2, 3}, dx[3] = {0};
  __adj_check_gradient((void *)square, (void *)d_square, 3.0);
  __adj_check_gradient((void *)norm, (void *)d_norm, enzyme_dup, x, dx, enzyme_const, 3);
  return 0;
}
