// The differentiated function is only declared: it has no body to differentiate.
// adj-exit: 3
// adj-message: elsewhere
#include "adj.h"
#include <stdio.h>

double elsewhere(double x);

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)elsewhere, 2.0));
  return 0;
}
