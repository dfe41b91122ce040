// The weights are differences of a product in single precision and the same product in double: all of a weight is a rounding of the primal, which the
// gradient, whose components are those weights, cannot do without.
#include "adj.h"
#include <stdio.h>

static double weight(float scale) {
  double low = 0.51 * scale, high = 0.51f * scale;
  return high - low;
}

static float weighted(const double *x, int n) {
  float scale = -1.2019f;
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += 0.13 * weight(scale) * x[i];
    scale *= 1.5f;
  }
  return (float)sum;
}

int main(void) {
  double x[3] = {0.3084, -1.0, 2.5}, dx[3] = {0.0};
  __enzyme_autodiff((void *)weighted, enzyme_dup, x, dx, enzyme_const, 3);
  int small = 1;
  for (int i = 0; i < 3; i++)
    small &= dx[i] > -1e-7 && dx[i] < 1e-7 && dx[i] != 0.0;
  printf("%d\n", small);
  return !small;
}
