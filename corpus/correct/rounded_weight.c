// The weight of x is the difference of a product in single precision and the same product in double: all of it is the rounding of the primal, which the
// gradient, whose derivative is that weight, cannot do without.
#include "adj.h"
#include <stdio.h>

static float weighted(const double *x) {
  float scale = -1.2019f;
  double low = 0.51 * scale, high = 0.51f * scale;
  return (float)(0.13 * (high - low) * x[0]);
}

int main(void) {
  double x[1] = {0.3084}, dx[1] = {0.0};
  __enzyme_autodiff((void *)weighted, enzyme_dup, x, dx);
  printf("%d\n", dx[0] > 0.0 && dx[0] < 1e-8);
  return !(dx[0] > 0.0 && dx[0] < 1e-8);
}
