// A sum in single precision that absorbs its small term: the argument of log-gamma is exactly half way between two
// poles, where the reflection formula takes the cotangent of a right angle, and its exact value is a little beside.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double energy(const float *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    float small = x[i] * x[i] * 1e-10f;
    sum += lgamma(-1.5f + small) + lgamma(small - 2.5f) + 0.5 * tgamma(-0.5f - small);
  }
  return sum;
}

int main(void) {
  float x[3] = {0.5f, -0.25f, 0.75f}, dx[3] = {0};
  __enzyme_autodiff((void *)energy, enzyme_dup, x, dx, enzyme_const, 3);
  for (int i = 0; i < 3; i++)
    printf("%.6g\n", dx[i]);
  return dx[0] == 0.0f;
}
