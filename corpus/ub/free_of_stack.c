// free of a stack variable, reached through a flag that says the wrong thing.
// adj-levels: O0
#include <stdio.h>
#include <stdlib.h>

static void release(double *p, int owned) {
  if (owned)
    free(p); //~ ub: invalid-free
}

int main(void) {
  double local = 2.5;
  double *p = &local;
  release(p, 0);
  printf("%g\n", *p);
  release(p, 1);
  return 0;
}
