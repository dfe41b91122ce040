// The structure that the call returns through memory is too small for the components.
// adj-exit: 3
// adj-message: cannot hold what it returns, in this order: double, double, double, double
#include "adj.h"
#include <stdio.h>

static double product(double x, double y, double z, double w) { return x * y * z * w; }

struct three {
  double of[3];
};
struct three __enzyme_autodiff_three(void *, ...);

int main(void) {
  struct three d = __enzyme_autodiff_three((void *)product, 2.0, 3.0, 4.0, 5.0);
  printf("%g\n", d.of[0]);
  return 0;
}
