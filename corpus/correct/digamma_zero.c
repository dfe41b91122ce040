// log-gamma near its extrema on the negative axis, where its derivative, the digamma function, is nearly zero: half way between two
// poles the reflection formula takes the cotangent of nearly a right angle.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double energy(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += lgamma(x[i]) + 0.01 * lgamma(1.0 - x[i]);
  return sum;
}

int main(void) {
  double x[5] = {-0.5028, -0.504083, -1.57349847, -2.61072, -0.497}, dx[5] = {0};
  __enzyme_autodiff((void *)energy, enzyme_dup, x, dx, enzyme_const, 5);
  double scaled = 0.1 * -0.028, dscaled = __enzyme_autodiff((void *)lgamma, enzyme_out, -0.5 + scaled);
  printf("%.12g\n", dscaled);
  for (int i = 0; i < 5; i++)
    printf("%.12g\n", dx[i]);
  return 0;
}
