// An address times a key of the caller's and times the key's inverse, as a table of handles keeps it; a constant is
// stored by what comes back. The adjoint of the number that is overwritten has to go, and nobody knows where it is.
// adj-exit: 3
// adj-message: put together from what an address was made into
#include "adj.h"
#include <stdint.h>
#include <stdio.h>

static uint64_t lock(void *p, uint64_t key) { return (uint64_t)p * key; }
static void *unlock(uint64_t handle, uint64_t inverse) { return (void *)(handle * inverse); }

static double f(double *x, uint64_t key, uint64_t inverse) {
  double product = x[0] * x[1];
  double *again = unlock(lock(x, key), inverse);
  again[0] = 0.75;
  return product + x[0] * x[1];
}

int main(void) {
  double x[2] = {0.8274, -0.31}, dx[2] = {0};
  uint64_t key = 0x9e3779b97f4a7c15u, inverse = 0xf1de83e19937733du;
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, key, enzyme_const, inverse);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
