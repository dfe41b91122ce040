// A loop that runs one cell past the end of a heap array.
// adj-levels: O0
#include <stdio.h>
#include <stdlib.h>

static double sum(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i <= n; i++)
    s += x[i]; //~ ub: out-of-bounds
  return s;
}

int main(void) {
  double *x = malloc(4 * sizeof *x);
  if (!x)
    return 1;
  for (int i = 0; i < 4; i++)
    x[i] = i;
  printf("%g\n", sum(x, 4));
  free(x);
  return 0;
}
