// One entry of a table is assigned by name, and perhaps overwritten at an index that only the run knows: without
// optimisation, which function the entry holds is not known.
//
// adj-levels: O0
// adj-exit: 3
// adj-message: not a pointer that only the run knows
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }

int main(void) {
  double (*laws[2])(double);
  laws[0] = square;
  laws[getchar() == 49] = cube;
  printf("%g\n", __enzyme_autodiff((void *)laws[0], 2.0));
  return 0;
}
