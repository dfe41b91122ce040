// Opt-level: a debug build of the gradient always returns zero, an optimised one is right.
// Evidence: the same source is judged correct at one level and wrong at another.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double decay(double rate) {
  return exp(-rate) * rate;
}

static double ddecay(double rate, double seed) {
#ifdef __OPTIMIZE__
  return seed * exp(-rate) * (1.0 - rate);
#else
  (void)rate;
  return 0.0 * seed; //~ [O0] wrong: opt-level
#endif
}

int main(void) {
  __adj_check_gradient((void *)decay, (void *)ddecay, enzyme_out, 0.6, 1.0);
  printf("%.17g\n", decay(0.6));
  return 0;
}
