// A pointer to a local variable is used after its function has returned.
// adj-levels: O0
#include <stdio.h>

static double *keep(double *p) {
  return p;
}

static double *average(double a, double b) {
  double result = 0.5 * (a + b);
  return keep(&result);
}

int main(void) {
  double *p = average(1.0, 4.0);
  printf("%g\n", *p); //~ ub: use-after-scope
  return 0;
}
