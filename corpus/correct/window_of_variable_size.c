// A variable length array in a loop: its size changes from trip to trip.
#include "adj.h"
#include <math.h>

static double widening(const double *x, int n) {
  double s = 0.0;
  for (int width = 1; width <= n; width += 2) {
    double window[width];
    for (int i = 0; i < width; i++) window[i] = x[i] * exp(-0.5 * i);
    for (int i = 1; i < width; i++) window[i] += window[i - 1] * window[i];
    s += window[width - 1] * window[width / 2];
  }
  return s;
}

int main(void) {
  double x[7] = {0.5, 1.0, -0.75, 2.0, 0.25, 1.5, -1.0}, dx[7] = {0};
  __enzyme_autodiff((void *)widening, enzyme_dup, x, dx, enzyme_const, 7);
  return dx[0] != 0.0 ? 0 : 1;
}
