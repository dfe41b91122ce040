// Records of an integer, and behind them, where the run tells, records of numbers: moved as a whole with a length known at
// run time: where both lie, a number is assumed. (Vectorised loops tell too little of where they begin.)
// adj-passes: before-differentiation
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct __attribute__((aligned(8))) count {
  int n;
};

struct pair {
  float entries[2];
};

static double f(const double *x, int n) {
  const long size = n * (long)sizeof(struct count) + n * (long)sizeof(struct pair);
  _Alignas(16) char here[640], there[640];
  memset(here, 0, size);
  struct count *counts = (struct count *)here;
  struct pair *pairs = (struct pair *)(here + n * (long)sizeof *counts);
  for (int i = 0; i < n; i++) counts[i].n = i;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) pairs[i].entries[k] = (float)((k + 1) * 0.25 * x[0] * x[0]);
  memcpy(there, here, size);
  pairs = (struct pair *)(there + n * (long)sizeof *counts);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) sum += pairs[i].entries[k];
  return sum;
}

int main(void) {
  double x[1] = {1.125}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  printf("%g\n", dx[0]);
  return 0;
}
