// Rounding by two sums: the first fills an array, the second empties it; in a structure, on the heap, and through a function
// that is not inlined, with the constant as its parameter; what was zero before is none of it. Slope zero.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x1.8p52

struct pair {
  double sum;
  int count;
};

__attribute__((noinline)) static double raised(double x, double by) {
  double sum = x + by;
  return sum;
}

static double f(double *x, int n) {
  double sums[8], *copy = calloc(n, sizeof *copy), value = 0;
  struct pair pairs[8];
  for (int i = 0; i < n; i++) sums[i] = raised(x[i], MAGIC);
  memcpy(copy, sums, n * sizeof *copy);
  for (int i = 0; i < n; i++) pairs[i] = (struct pair){2.5 * x[i] + MAGIC, i};
  for (int i = 0; i < n; i++) value += x[i] * (copy[n - 1 - i] - MAGIC) + x[0] * pairs[i].count * (pairs[i].sum - MAGIC);
  free(copy);
  return value;
}

int main(void) {
  double x[4] = {1.3, 2.4, -0.7, 3.9}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
