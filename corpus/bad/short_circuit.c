// Resistors in parallel, one of which is a wire: the resistance is that of the wire, and so is its derivative by that,
// 1, of which one factor is infinite and the other zero. There is no number for it; what must not come out is a zero.
//
// adj-exit: 1
// adj-message: the component of a is NaN; it should be 1
#include "adj.h"
#include <stdio.h>

static double resistance(double a, double b) {
  double both = 1 / (1 / a + 1 / b);
  return both > 100 ? 100 : both;
}

typedef struct {
  double a, b;
} Both;

Both __enzyme_autodiff_both(void *, double, double);

int main(void) {
  Both d = __enzyme_autodiff_both((void *)resistance, 0.0, 2.0);
  printf("%g %g\n", d.a, d.b);
  return 0;
}
