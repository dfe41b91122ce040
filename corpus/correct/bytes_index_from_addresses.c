// Pointers are kept as 32-bit indices, made of addresses and made addresses again, as compressed references are.
#include "adj.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double f(const double *x, size_t n) {
  uint32_t indices[4];
  for (size_t i = 0; i < n; i++)
    indices[i] = (uint32_t)(((uintptr_t)(x + (n - 1 - i)) - (uintptr_t)x) >> 3);
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double *p = (const double *)((uintptr_t)x + ((uintptr_t)indices[i] << 3));
    sum = 0.5 * sum + *p * *p;
  }
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
