// Each call of a recursive function has an array of its own, which the calls inside read: one name for many arrays.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 3

static double descend(const double *x, int depth) {
  double own[N], total = 0.0;
  for (int i = 0; i < N; i++)
    own[i] = x[i] * x[(i + 1) % N] + 0.1 * depth;
  if (depth > 0)
    total += descend(own, depth - 1);
  for (int i = 0; i < N; i++)
    total += own[i] * own[i] * x[i];
  return total;
}

int main(void) {
  double x[N] = {0.4, -0.7, 1.1}, dx[N] = {0};
  printf("%.17g\n", descend(x, 2));
  __enzyme_autodiff((void *)descend, enzyme_dup, x, dx, enzyme_const, 2);
  printf("%.17g %.17g %.17g\n", dx[0], dx[1], dx[2]);
  return 0;
}
