// A structure is copied word by word: what lies behind an index is an integer three hundred times, and then a number. A
// whole copy (at higher levels this loop becomes one) is no matter.
// adj-exit: 3
// adj-levels: O0
// adj-message: of a type that depends on an index
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 300

struct row {
  uint64_t count[N];
  double entries[4];
};

static double f(double *x) {
  struct row row, again;
  for (int i = 0; i < N; i++) row.count[i] = i;
  for (int i = 0; i < 4; i++) row.entries[i] = x[0] * i;
  uint64_t *to = (uint64_t *)&again, *from = (uint64_t *)&row;
  for (int i = 0; i < N + 4; i++) to[i] = from[i];
  return x[1] * again.entries[3] + again.count[4];
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
