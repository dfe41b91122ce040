// memcpy copies a whole structure array into room for one element less.
// adj-levels: O0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
  double x, y;
};

int main(void) {
  struct point p[3] = {{1, 2}, {3, 4}, {5, 6}};
  struct point *q = malloc(2 * sizeof *q);
  if (!q)
    return 1;
  memcpy(q, p, sizeof p); //~ ub: out-of-bounds
  printf("%g\n", q[1].y);
  free(q);
  return 0;
}
