// Alias: two distinct primal arrays are given one shadow, so their contributions mix whatever `df`
// does. Evidence: the map from primal objects to shadow objects is not one to one; it can be read
// off the arguments of the call, whose line is the guilty one.
#include "adj.h"
#include <stdio.h>

static double product(const double *a, const double *b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[n - 1 - i];
  return sum;
}

static void dproduct(const double *a, double *da, const double *b, double *db, int n, double seed) {
  for (int i = 0; i < n; i++) {
    da[i] += b[n - 1 - i] * seed;
    db[n - 1 - i] += a[i] * seed;
  }
}

int main(void) {
  double a[3] = {1.0, 2.5, -0.7}, b[3] = {0.3, -1.1, 0.9}, d[3] = {0};
  __adj_check_gradient((void *)product, (void *)dproduct, enzyme_dup, a, d, enzyme_dup, b, d, enzyme_const, 3, 1.0); //~ wrong: alias
  printf("%.17g\n", product(a, b, 3));
  return 0;
}
