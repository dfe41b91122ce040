// The function to differentiate is a null pointer.
// adj-exit: 3
// adj-message: not a null pointer
#include "adj.h"
#include <stddef.h>
#include <stdio.h>

int main(void) {
  printf("%g\n", __enzyme_autodiff(NULL, 2.0));
  return 0;
}
