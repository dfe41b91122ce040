// A table stands where the function to differentiate is named.
// adj-exit: 3
// adj-message: not the variable `table`
#include "adj.h"
#include <stdio.h>

static double table[3] = {1.0, 2.0, 3.0};

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)table, 2.0));
  return 0;
}
