// The function returns a structure: which of its numbers would have the adjoint 1?
// adj-exit: 3
// adj-message: returns a structure, which has no adjoint to start from
#include "adj.h"
#include <stdio.h>

struct polar {
  double radius;
  int turns;
};
static struct polar polar(double x) { return (struct polar){x * x, 1}; }

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)polar, 2.0));
  return 0;
}
