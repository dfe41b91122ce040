// An absolute value that is compared and no more, in the test that ends an iteration: no kink of the function.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double root(double x) {
  double y = x;
  for (int i = 0; i < 50; i++) {
    double z = 0.5 * (y + x / y), ratio = z / y;
    y = z;
    if (fabs(ratio - 1) < 1e-15) break;
  }
  return y;
}

static double f(double x) {
  return root(x) * x + root(x + 5);
}

int main(void) {
  printf("%.12g\n", __enzyme_autodiff((void *)f, 4.0));
  return 0;
}
