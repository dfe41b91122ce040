// Active numbers are stored in a block that a variable's pointer leads to, and read back there: nobody tells where its adjoints are.
// adj-exit: 3
// adj-message: memory of unknown origin
#include <math.h>
#include <stdlib.h>
#include "adj.h"

static double *scratch;

static double f(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) scratch[i] = sin(x[i]);
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
