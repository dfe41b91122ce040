// The reverse asks for another gradient than the augmented forward made a tape for.
// adj-exit: 3
// adj-message: with the same markers makes such a tape
#include "adj.h"

void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static double f(double x, double y) { return x * y * y; }

int main(void) {
  void *tape = __enzyme_augmentfwd((void *)f, enzyme_out, 2.0, enzyme_out, 3.0);
  return __enzyme_reverse((void *)f, enzyme_out, 2.0, enzyme_const, 3.0, 1.0, tape) != 9.0;
}
