// Inline assembly in a function that is called from the differentiated one.
// adj-exit: 3
// adj-message: inline assembly
#include "adj.h"
#include <stdio.h>

static double add_one(double x) {
  double one = 1.0;
  __asm__("addsd %1, %0" : "+x"(x) : "x"(one));
  return x;
}

static double f(double x) {
  return add_one(x) * x;
}

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)f, 2.0));
  return 0;
}
