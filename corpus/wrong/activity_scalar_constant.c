// Activity: of two active scalars, the second is treated as constant because it reaches the result
// only through memory. Evidence: its returned component is exactly zero although the taint of the
// argument reaches the result. The guilty line is the return of `df`.
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct pair {
  double a, b;
};

static double stored(double a, double b) {
  double slot[2];
  slot[0] = a * a;
  slot[1] = exp(b);
  return slot[0] * 3.0 + slot[1] * slot[0];
}

static struct pair dstored(double a, double b, double seed) {
  struct pair d;
  d.a = seed * 2.0 * a * (3.0 + exp(b));
  d.b = 0.0; // should be seed * a * a * exp(b)
  return d; //~ wrong: activity
}

int main(void) {
  __adj_check_gradient((void *)stored, (void *)dstored, enzyme_out, 1.2, enzyme_out, 0.3, 1.0);
  printf("%.17g\n", stored(1.2, 0.3));
  return 0;
}
