// Active numbers go to an array of the function or to what a variable's pointer leads to; only a run tells which, and they are read from the latter.
// adj-exit: 3
// adj-message: memory of unknown origin
#include <math.h>
#include <stdlib.h>
#include "adj.h"

static double *scratch;

static double f(const double *x, int n) {
  double own[3], *to = n > 100 ? own : scratch, sum = 0.0;
  for (int i = 0; i < n; i++) to[i] = sin(x[i]);
  for (int i = 0; i < n; i++) sum += scratch[i] * scratch[n - 1 - i];
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  static double x[3] = {1, 2, 3}, dx[3];
  scratch = malloc(3 * sizeof(double));
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, 2 + argc);
  free(scratch);
  return dx[0] == 0.0;
}
