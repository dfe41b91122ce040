// Which function is differentiated is decided by the run: an optimiser makes one call of several.
#include "adj.h"
#include <math.h>

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static double wave(double x) { return sin(3 * x); }

__attribute__((noinline)) static double slope(int kind, double x) {
  if (kind == 0) return __enzyme_autodiff((void *)square, x);
  if (kind == 1) return __enzyme_autodiff((void *)cube, x);
  return __enzyme_autodiff((void *)wave, x);
}

int main(void) {
  const double x = 0.7, expected[] = {2 * x, 3 * x * x, 3 * cos(3 * x)};
  for (int kind = 0; kind < 3; kind++)
    if (fabs(slope(kind, x) - expected[kind]) > 1e-14) return 1 + kind;
  return 0;
}
