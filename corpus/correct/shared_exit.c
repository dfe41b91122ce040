// Two loops whose breaks meet in one exit block; the counters of both are needed in reverse.
#include "adj.h"
#include <stdio.h>

static double search(const double *x, int n, double target) {
  double sum = 0.0;
  int i = 0, j = 0;
  for (i = 0; i < n; i++) {
    sum += x[i] * x[i];
    if (sum > target)
      goto found;
  }
  for (j = 0; j < n; j++) {
    sum *= 1.0 + 0.5 * x[j];
    if (sum > 4.0 * target)
      goto found;
  }
  sum = sum * 0.5;
found:
  return sum * (1.0 + 0.1 * i + 0.01 * j);
}

int main(void) {
  const double targets[] = {0.5, 2.0, 100.0};
  for (int k = 0; k < 3; k++) {
    double x[6] = {0.5, 0.4, 0.9, 0.3, 0.7, 0.6}, dx[6] = {0};
    printf("%.17g\n", search(x, 6, targets[k]));
    __enzyme_autodiff((void *)search, enzyme_dup, x, dx, enzyme_const, 6, enzyme_const, targets[k]);
    for (int i = 0; i < 6; i++)
      printf("%.17g\n", dx[i]);
  }
  return 0;
}
