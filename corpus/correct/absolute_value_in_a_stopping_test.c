// An absolute value that is compared and no more, in the test that ends an iteration: no kink of the function.
#include "adj.h"
#include <math.h>
static double f(double x) {
  double y = x;
  for (int i = 0; i < 50; i++) {
    double z = 0.5 * (y + x / y), ratio = z / y;
    y = z;
    if (fabs(ratio - 1) < 1e-15)
      break;
  }
  return y;
}
int main(void) { return fabs(__enzyme_autodiff((void *)f, 4.0) - 0.25) < 1e-12 ? 0 : 1; }
