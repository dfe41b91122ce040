// A volatile counter decides how often a loop runs; the number it works on is not volatile.
#include "adj.h"

static volatile int limit = 6, enough = 4;

static double iterate(double x, double r) {
  for (volatile int i = 0; i < limit; i = i + 1) x = r * x * (1.0 - x);
  return x;
}

static double until(const double *x, int n) {
  double s = 1.0;
  int i = 0;
  while (i < n) {
    s = s * x[i] + 0.5;
    if (++i == enough) break;
  }
  return s * s;
}

int main(void) {
  double d = __enzyme_autodiff((void *)iterate, enzyme_out, 0.3, enzyme_const, 3.2);
  double x[6] = {0.5, 1.5, -1.0, 2.0, 3.0, 4.0}, dx[6] = {0};
  __enzyme_autodiff((void *)until, enzyme_dup, x, dx, enzyme_const, 6);
  return d != 0.0 && dx[0] != 0.0 && dx[4] == 0.0 ? 0 : 1;
}
