// The tape is given less memory than it takes.
// adj-exit: 3
// adj-message: `__enzyme_augmentsize` tells how many
#include "adj.h"
#include <math.h>

extern int enzyme_tape, enzyme_allocated;
void __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static void f(const double *x, double *y) {
  y[0] = exp(x[0]) * x[1];
  y[1] = sin(x[1]) * x[0];
}

int main(void) {
  double x[2] = {1.0, 2.0}, dx[2] = {0}, y[2], dy[2] = {1.0, 1.0};
  char tape[4];
  __enzyme_augmentfwd((void *)f, enzyme_allocated, sizeof tape, enzyme_tape, tape, x, dx, y, dy);
  __enzyme_reverse((void *)f, enzyme_allocated, sizeof tape, enzyme_tape, tape, x, dx, y, dy);
  return 0;
}
