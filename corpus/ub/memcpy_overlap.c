// memcpy between regions that overlap; memmove would be right.
// adj-levels: O0
#include <stdio.h>
#include <string.h>

static void drop_first(double *x, int n) {
  memcpy(x, x + 1, (size_t)(n - 1) * sizeof *x); //~ ub: overlap
}

int main(void) {
  double x[5] = {1.0, 2.0, 3.0, 4.0, 5.0};
  drop_first(x, 5);
  printf("%g\n", x[0]);
  return 0;
}
