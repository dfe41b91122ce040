// The pointer to the scratch memory comes from a structure of the module that is copied as bytes, to where an index tells.
// adj-exit: 3
// adj-message: memory of unknown origin
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "adj.h"

static struct workspace {
  double *scratch;
  long n;
} workspace;

static double f(const double *x, int n) {
  struct workspace mine[4];
  double sum = 0.0;
  memcpy(&mine[n & 3], &workspace, sizeof workspace);
  for (int i = 0; i < n; i++) mine[n & 3].scratch[i] = sin(x[i]);
  for (int i = 0; i < n; i++) sum += mine[n & 3].scratch[i] * mine[n & 3].scratch[n - 1 - i];
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
