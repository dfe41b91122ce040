// Two tapes are exchanged: each reverse gets the other function's.
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

static double growth(const double *x, int n) {
  double s = 1.0;
  for (int i = 0; i < n; i++)
    s *= exp(x[i] * s);
  return s;
}

int main(void) {
  double x[3] = {1.0, 2.0, 3.0}, dx[3] = {0};
  struct forward f = __enzyme_augmentfwd((void *)product, enzyme_dup, x, dx, enzyme_const, 3);
  struct forward g = __enzyme_augmentfwd((void *)growth, enzyme_dup, x, dx, enzyme_const, 3);
  __enzyme_reverse((void *)product, enzyme_dup, x, dx, enzyme_const, 3, 1.0, g.tape);
  __enzyme_reverse((void *)growth, enzyme_dup, x, dx, enzyme_const, 3, 1.0, f.tape);
  printf("%g\n", dx[0]);
  return 0;
}
