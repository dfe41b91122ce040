// Functions with a formula of their own at one point, where an optimiser knows the number, but not its derivative.
#include "adj.h"
#include <math.h>
#include <stdio.h>

// log(v) / (v - 1), with its series where that is 0 / 0.
static double entropy(double v) {
  if (v == 1)
    return 1 - (v - 1) / 2;
  return log(v) / (v - 1);
}

static double mixed(double a, double b, double t) { return t == 1 ? b - (1 - t) * (b - a) : a + t * (b - a); }

// Both formulas are evaluated, and one of them chosen: the identity of a sum, and of a product.
static double geometric(double q) {
  double series = 1 + q, closed = (1 - q * q) / (1 - q);
  return q == 0 ? series : closed;
}

static double tripled(double k) {
  double small = 3 * k, large = 3 * k * k / k;
  return k == 1 ? small : large;
}

// By a division where another formula does without.
static double scaled(double y, double s) {
  if (s != 2.0)
    return y * (1 + s * s) / s;
  return y / s + y * s;
}

// The constant is known in the call alone.
static double step(double x, double from) {
  if (x == from)
    return 2 * from + (x - from);
  return (x * x - from * from) / (x - from);
}

static float narrow(float x) { return x == 0.75f ? 0.5625f + 1.5f * (x - 0.75f) : x * x; }

static double f(const double *x) {
  return entropy(x[0]) + 2 * mixed(x[1], x[2], x[0]) + 3 * geometric(x[3]) + 4 * tripled(x[0]) + 5 * scaled(x[1], x[4]) +
         6 * step(x[2], 1.5) + 7 * narrow((float)x[5]);
}

int main(void) {
  const double x[6] = {1, 0.7, 1.5, 0, 2, 0.75};
  double dx[6] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  for (int i = 0; i < 6; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
