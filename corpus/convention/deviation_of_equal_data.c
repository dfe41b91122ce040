// The standard deviation of data that are all the same: zero, but the mean is rounded.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 3

static double deviation(const double *x) {
  double mean = 0.0, sum = 0.0;
  for (int i = 0; i < N; i++)
    mean += x[i];
  mean /= N;
  for (int i = 0; i < N; i++)
    sum += (x[i] - mean) * (x[i] - mean);
  return sqrt(sum); //~ convention
}

int main(void) {
  double x[N] = {0.1, 0.1, 0.1}, dx[N] = {0};
  printf("%d\n", deviation(x) > 0.0);
  __enzyme_autodiff((void *)deviation, enzyme_dup, x, dx);
  printf("%d\n", dx[0] == dx[0]);
  return 0;
}
