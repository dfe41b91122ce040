// The differentiated call is made through a pointer, so that nobody sees what it asks for.
// adj-exit: 3
// adj-message: is called through a pointer
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }

int main(void) {
  double (*derivative)(void *, ...) = getchar() == 49 ? __enzyme_fwddiff : __enzyme_autodiff;
  printf("%g\n", derivative((void *)square, 2.0));
  return 0;
}
