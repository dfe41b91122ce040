/* What a quantiser leaves, weighted, and a small ridge: the difference of a double and its float. The adjoint of the float is a float,
   so that the two terms which cancel in the adjoint of the double differ by that rounding, and only the ridge is left of them. The
   program rounds there, not the gradient. */
#include "adj.h"
#include <stdio.h>

enum { N = 6 };

static void quantise(const double *x, float *q) {
  for (int i = 0; i < N; i++) q[i] = (float)x[i];
}

static double feedback(const double *x, const double *weight) {
  float q[N];
  quantise(x, q);
  double sum = 0, ridge = 0;
  for (int i = 0; i < N; i++) {
    double residual = x[i] - q[i];
    sum += weight[i] * residual;
    ridge += x[i] * x[i];
  }
  return sum + 5e-10 * ridge;
}

int main(void) {
  double x[N] = {0.1, -0.7, 1.3, 2.9, -0.33, 0.05}, dx[N] = {0};
  double weight[N] = {0.16, 1.7, -0.9, 0.3, 2.1, -1.1};
  double value = feedback(x, weight);
  __enzyme_autodiff((void *)feedback, enzyme_dup, x, dx, enzyme_const, weight);
  printf("%.6e\n", value);
  for (int i = 0; i < N; i++) printf("%.3e\n", x[i]);
  return 0;
}
