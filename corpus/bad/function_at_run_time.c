// Which function is differentiated is chosen at run time: gradients are made when the program is compiled.
// adj-exit: 3
// adj-message: not a pointer that only the run knows
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
double (*laws[2])(double) = {square, cube};

int main(void) {
  double (*chosen)(double) = laws[getchar() == 49];
  printf("%g\n", __enzyme_autodiff((void *)chosen, 2.0));
  return 0;
}
