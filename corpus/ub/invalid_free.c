// free of a pointer into the middle of an allocation.
// adj-levels: O0
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  double *x = malloc(4 * sizeof *x);
  if (!x)
    return 1;
  for (int i = 0; i < 4; i++)
    *x++ = i;
  printf("%g\n", x[-1]);
  free(x); //~ ub: invalid-free
  return 0;
}
