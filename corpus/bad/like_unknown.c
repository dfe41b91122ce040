// A function is declared to be like one that nobody knows.
// adj-exit: 3
// adj-message: of which nothing is known
#include "adj.h"
#include <stdio.h>

static double softplus(double x) { return x > 0.0 ? x : 0.0; }
void *__enzyme_function_like_softplus[2] = {(void *)softplus, "smooth_ramp"};

static double f(double x) { return softplus(x) * x; }

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)f, 2.0));
  return 0;
}
