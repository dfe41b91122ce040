// Type: the array holds floats, and `df` accumulates into its shadow as if it held doubles, half as
// many. Evidence: an 8-byte floating-point store lands on cells that the primal reads as 4-byte
// floats.
#include "adj.h"
#include <stdio.h>

static double weighted(const float *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += (double)x[i] * x[i] * (i + 1);
  return sum;
}

static void dweighted(const float *x, float *dx, int n, double seed) {
  double *wide = (double *)dx;
  for (int i = 0; i < n / 2; i++)
    wide[i] += 2.0 * (i + 1) * (double)x[i] * seed; //~ wrong: type
}

int main(void) {
  _Alignas(16) float x[4] = {1.0f, 0.5f, -2.0f, 1.5f};
  _Alignas(16) float dx[4] = {0};
  __adj_check_gradient((void *)weighted, (void *)dweighted, enzyme_dup, x, dx, enzyme_const, 4, 1.0);
  printf("%.17g\n", weighted(x, 4));
  return 0;
}
