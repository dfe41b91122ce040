// Newton's iteration with a trip count that depends on the data; the tape length is unknown.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double cube_root(double a) {
  double x = a > 1.0 ? a / 3.0 : 1.0;
  for (int i = 0; i < 100; i++) {
    double next = x - (x * x * x - a) / (3.0 * x * x);
    double change = fabs(next - x);
    x = next;
    if (change < 1e-13 * fabs(x))
      break;
  }
  return x;
}

int main(void) {
  const double points[] = {0.3, 2.0, 27.5, 1000.0};
  for (int i = 0; i < 4; i++) {
    double x = points[i];
    printf("%.17g %.17g\n", cube_root(x), __enzyme_autodiff((void *)cube_root, x));
  }
  return 0;
}
