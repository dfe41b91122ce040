// Activity: an element that is only copied, by memcpy, to the place where it is used is thought to
// be inactive. Evidence: taint from x[2] and x[3] reaches the result through the copy, and their
// shadow receives nothing; the last store to the shadow array is in the loop that stops too early,
// but none is to these cells, so the line is the signature of `df`.
#include "adj.h"
#include <stdio.h>
#include <string.h>

static double through_copy(const double *x) {
  double work[4];
  memcpy(work, x, sizeof work);
  double sum = 0.0;
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * work[i] * work[i];
  return sum;
}

static void dthrough_copy(const double *x, double *dx, double seed) { //~ wrong: activity
  for (int i = 0; i < 2; i++)
    dx[i] += 2.0 * (i + 1) * x[i] * seed;
}

int main(void) {
  double x[4] = {0.5, -1.5, 2.0, 0.8}, dx[4] = {0};
  __adj_check_gradient((void *)through_copy, (void *)dthrough_copy, enzyme_dup, x, dx, 1.0);
  printf("%.17g\n", through_copy(x));
  return 0;
}
