// The pointer to the scratch memory comes from a structure of the module that is copied, as bytes or as numbers of a machine's word.
// adj-exit: 3
// adj-message: memory of unknown origin
#include <math.h>
#include <stdlib.h>
#include "adj.h"

static struct workspace {
  double *scratch;
  long n;
} workspace;

static double f(const double *x, int n) {
  struct workspace mine = workspace;
  double sum = 0.0;
  for (int i = 0; i < n; i++) mine.scratch[i] = sin(x[i]);
  for (int i = 0; i < n; i++) sum += mine.scratch[i] * mine.scratch[n - 1 - i];
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  static double x[3] = {1, 2, 3}, dx[3];
  workspace.scratch = malloc(3 * sizeof(double));
  workspace.n = 3;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, 2 + argc);
  free(workspace.scratch);
  return dx[0] == 0.0;
}
