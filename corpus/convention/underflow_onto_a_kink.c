// A number too small for `float` becomes zero, where the slope of a sign is a convention. In exact arithmetic it is not zero; in the execution it
// is, and all around.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double magnified(double x) {
  float tiny = (float)(x * 1e-48);
  return copysignf(tiny, 1.0f) * 1e48 + 0.5 * x; //~ convention
}

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)magnified, 2.0));
  return 0;
}
