// Counted loops that carry several values from trip to trip, exchange them, and hand them to a loop within: bounds and steps of the
// counters are arguments.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double carried(const double *x, long from, long to, long step) {
  double a = 1.0, b = x[0], c = 0.0;
  for (long i = from; i < to; i += step) {
    double swap = a;
    a = b * x[i] + 0.1 * c;
    b = swap - sin(c);
    double inner = b;
    for (long j = i; j >= from; j -= step) {
      inner = inner * x[j] + a;
      c = 0.5 * c + inner * inner;
    }
    if (i == from)
      c *= x[to - 1];
  }
  return a * b + c;
}

int main(void) {
  double x[9], dx[9] = {0};
  for (int i = 0; i < 9; i++)
    x[i] = 0.2 + 0.13 * ((5 * i) % 9) - 0.3 * (i % 2);
  __enzyme_autodiff((void *)carried, enzyme_dup, x, dx, enzyme_const, 1L, enzyme_const, 8L, enzyme_const, 2L);
  __enzyme_autodiff((void *)carried, enzyme_dup, x, dx, enzyme_const, 4L, enzyme_const, 5L, enzyme_const, 3L);
  __enzyme_autodiff((void *)carried, enzyme_dup, x, dx, enzyme_const, 6L, enzyme_const, 6L, enzyme_const, 1L);
  for (int i = 0; i < 9; i++)
    printf("%.15g\n", dx[i]);
  return 0;
}
