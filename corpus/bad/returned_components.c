// The structure that the call returns has a float where a component is a double.
// adj-exit: 3
// adj-message: cannot hold what it returns, in this order: double, double
#include "adj.h"
#include <stdio.h>

static double product(double x, double y) { return x * y; }

struct pair {
  double dx;
  float dy;
};
struct pair __enzyme_autodiff_pair(void *, ...);

int main(void) {
  printf("%g\n", __enzyme_autodiff_pair((void *)product, 2.0, 3.0).dx);
  return 0;
}
