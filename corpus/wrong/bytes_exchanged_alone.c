// Cache: two numbers change places byte by byte, and their adjoints do not.
// Evidence: what the shadows hold on entry stays where it is, although the values have moved.
#include "adj.h"
#include <stdio.h>

static void exchange(void *a, void *b, int size) {
  char *p = a, *q = b;
  for (int i = 0; i < size; i++) {
    char held = p[i];
    p[i] = q[i];
    q[i] = held;
  }
}

static double f(double *a, double *b, double x) {
  exchange(a, b, 8);
  return x * x;
}

static void df(double *a, double *da, double *b, double *db, double x, double seed) { //~ wrong: cache
  exchange(a, b, 8);
}

int main(void) {
  double a[1] = {1.5}, b[1] = {-2}, da[1] = {3}, db[1] = {7};
  __adj_check_gradient((void *)f, (void *)df, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, 0.5, 1.0);
  printf("%g %g\n", da[0], db[0]);
  return 0;
}
