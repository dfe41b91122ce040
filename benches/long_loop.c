// A series of as many terms as the argument says: each can be computed again from its number, so its gradient has nothing to store.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static double series(double x, long n) {
  double sum = 0.0;
  for (long i = 1; i <= n; i++)
    sum += x * x / ((double)i * (double)i + x);
  return sum;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 100;
  double slope = __enzyme_autodiff((void *)series, 1.5, n), expected = 0.0;
  for (long i = 1; i <= n; i++) {
    double below = (double)i * (double)i + 1.5;
    expected += (2.0 * 1.5 * below - 1.5 * 1.5) / (below * below);
  }
  double error = slope / expected - 1.0;
  printf("%.17g\n", slope);
  return -1e-9 < error && error < 1e-9 ? 0 : 1;
}
