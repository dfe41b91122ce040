// A reverse without any augmented forward of the function.
// adj-exit: 3
// adj-message: no `__enzyme_augmentfwd` of `product` with the same markers makes such a tape
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct forward {
  void *tape;
  double value;
};
struct forward __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static double product(const double *x, int n) {
  double s = 1.0;
  for (int i = 0; i < n; i++)
    s *= sin(x[i]);
  return s;
}

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0};
  __enzyme_reverse((void *)product, enzyme_dup, x, dx, enzyme_const, 3, 1.0, (void *)dx);
  printf("%g\n", dx[0]);
  return 0;
}
