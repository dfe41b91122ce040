// An integer is marked active.
// adj-exit: 3
// adj-message: only a floating-point value has an adjoint to return
#include "adj.h"

static double power(double x, int n) {
  double y = 1.0;
  for (int i = 0; i < n; i++)
    y *= x;
  return y;
}

int main(void) { return __enzyme_autodiff((void *)power, enzyme_out, 2.0, enzyme_out, 3) != 12.0; }
