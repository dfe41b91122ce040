// Alias: the contribution to `b` is added to the shadow of `a`. Evidence: the shadow object of `a`
// receives what belongs to `b`: the excess of one component equals the lack of the other.
#include "adj.h"
#include <stdio.h>

static double bilinear(const double *a, const double *b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i] + b[i] * b[i];
  return sum;
}

static void dbilinear(const double *a, double *da, const double *b, double *db, int n, double seed) {
  (void)db;
  for (int i = 0; i < n; i++) {
    da[i] += b[i] * seed;
    da[i] += (a[i] + 2.0 * b[i]) * seed; //~ wrong: alias
  }
}

int main(void) {
  double a[3] = {1.0, 2.5, -0.7}, b[3] = {0.3, -1.1, 0.9}, da[3] = {0}, db[3] = {0};
  __adj_check_gradient((void *)bilinear, (void *)dbilinear, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, 3,
                       1.0);
  printf("%.17g\n", bilinear(a, b, 3));
  return 0;
}
