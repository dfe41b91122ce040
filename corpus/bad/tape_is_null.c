// A null pointer where the tape stands.
// adj-exit: 1
// adj-message: the reverse gets something else than a tape
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
  struct forward f = __enzyme_augmentfwd((void *)product, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%g\n", f.value);
  __enzyme_reverse((void *)product, enzyme_dup, x, dx, enzyme_const, 3, 1.0, NULL);
  printf("%g\n", dx[0]);
  return 0;
}
