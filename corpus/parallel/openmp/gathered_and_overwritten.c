// Each thread reads elements that one table names, and overwrites them by the names of another: what it adds to their
// adjoints has to be there when it reverses the stores.
// adj-flags: -fopenmp
#include "differences.h"
#include <string.h>

enum { N = 24, ROUNDS = 4 };

static void rounds(const double *in, double *out, const int *place, const int *same, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int k = 0; k < ROUNDS; k++) {
      double sum = 0;
      for (int j = 0; j <= k; j++)
        sum += in[place[i]] * (1 + 0.1 * j);
      out[same[i]] = 0.3 * sum * in[place[i]];
    }
}

static double f(const double *x, int n) {
  double own[N];
  int place[N], same[N];
  memcpy(own, x, n * sizeof *x);
  for (int i = 0; i < n; i++)
    place[i] = same[i] = 7 * i % n;
  rounds(own, own, place, same, n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += own[i];
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  for (int i = 0; i < N; i++)
    x[i] *= 0.3;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, N);
  return differing(f, x, dx, N);
}
