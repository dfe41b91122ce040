// The call is declared to return an integer.
// adj-exit: 3
// adj-message: cannot hold what it returns, in this order: double
#include "adj.h"
#include <stdio.h>

static double square(double x) { return x * x; }
int __enzyme_autodiff_int(void *, ...);

int main(void) {
  printf("%d\n", __enzyme_autodiff_int((void *)square, 2.0));
  return 0;
}
