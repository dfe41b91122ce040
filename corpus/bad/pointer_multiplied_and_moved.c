// Numbers are moved within the caller's array by an address that was times a key and times the key's inverse: their
// adjoints have to move back.
// adj-exit: 3
// adj-message: put together from what an address was made into
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double f(double *x, int n, uint64_t key, uint64_t inverse) {
  double first = x[0];
  uint64_t handle = (uint64_t)x * key;
  double *again = (double *)(handle * inverse);
  memmove(again, again + 1, (n - 1) * sizeof(double));
  return first;
}

int main(void) {
  double x[4] = {0.8274, -0.31, 0.25, 2}, dx[4] = {0, 0.5, 1, 2};
  uint64_t key = 0x9e3779b97f4a7c15u, inverse = 0xf1de83e19937733du;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4, enzyme_const, key, enzyme_const, inverse);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
