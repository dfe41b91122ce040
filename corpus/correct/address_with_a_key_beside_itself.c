// An address that had a large key added, and taken off again, stands beside the address itself in a table; the index
// into the table is known only in the run.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>

static double value(const double *x, long pick) {
  const uint64_t key = 0x9e3779b97f4a7c15u;
  double squares[2] = {x[0] * x[0], x[1] * x[1] * x[0]};
  double *sealed = (double *)((uint64_t)squares + key);
  double *opened = (double *)((uint64_t)sealed - key);
  double *table[3] = {squares, opened, squares + 1};
  return table[pick & 1][1] * table[pick & 1][0] + *table[2 * (pick & 1)];
}

int main(void) {
  for (long pick = 0; pick < 2; pick++) {
    double x[2] = {0.5, -1.25}, dx[2] = {0};
    __enzyme_autodiff((void *)value, enzyme_dup, x, dx, enzyme_const, pick);
    printf("%g %g\n", dx[0], dx[1]);
  }
  return 0;
}
