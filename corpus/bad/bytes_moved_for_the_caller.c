// Two blocks of the caller change places, byte by byte, as in a sort of anything: nothing tells what they hold, so
// nobody knows whether these are numbers, whose adjoints change places, too.
// adj-exit: 3
// adj-message: the type of the moved integer is not known
#include "adj.h"
#include <stdio.h>

static void exchange(void *a, void *b, int size) {
  char *p = a, *q = b;
  for (int i = 0; i < size; i++) {
    char held = p[i];
    p[i] = q[i];
    q[i] = held;
  }
}

static double f(void *a, void *b, int size, double x) {
  exchange(a, b, size);
  return x * x;
}

int main(void) {
  double a[1] = {1.5}, b[1] = {-2}, da[1] = {3}, db[1] = {5};
  double dx = __enzyme_autodiff((void *)f, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_const, 8, 0.5);
  printf("%g %g %g\n", dx, da[0], db[0]);
  return 0;
}
