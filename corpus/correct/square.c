// The smallest differentiated call: one active scalar in, one scalar out, default activities.
#include "adj.h"
#include <stdio.h>

static double square(double x) {
  return x * x;
}

static double cubic(double x) {
  double y = square(x);
  return y * x - 3.0 * x + 2.0;
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    double x = 0.75 * i - 1.0;
    printf("%.17g %.17g\n", square(x), __enzyme_autodiff((void *)square, x));
    printf("%.17g %.17g\n", cubic(x), __enzyme_autodiff((void *)cubic, x));
  }
  return 0;
}
