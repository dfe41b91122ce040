// Forty-eight bits of a pointer and sixteen of something else share a word.
#include "adj.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct tagged {
  uint64_t pointer : 48;
  uint64_t tag : 16;
};

static double f(const double *x, size_t n) {
  struct tagged all[4];
  for (size_t i = 0; i < n; i++) {
    all[i].pointer = (uintptr_t)(x + i);
    all[i].tag = i + 1;
  }
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double *p = (const double *)(uintptr_t)all[i].pointer;
    sum += (double)all[i].tag * *p * *p;
  }
  return sum;
}

int main(void) {
  double x[4] = {1.5, -2.0, 0.75, 3.0}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (size_t)4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
