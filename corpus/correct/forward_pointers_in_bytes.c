// Forward mode: pointers are exchanged byte by byte, and split in halves.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>

static void exchange(void *a, void *b, int size) {
  char *p = a, *q = b;
  for (int i = 0; i < size; i++) {
    char byte = p[i];
    p[i] = q[i];
    q[i] = byte;
  }
}

static double f(const double *x) {
  const double *at[3] = {x, x + 1, x + 2};
  exchange(&at[0], &at[2], sizeof at[0]);
  uint32_t half[2] = {(uint32_t)(uintptr_t)at[1], (uint32_t)((uintptr_t)at[1] >> 32)};
  const double *joined = (const double *)((uintptr_t)half[1] << 32 | half[0]);
  return *at[0] * *at[0] + *at[2] * *joined;
}

int main(void) {
  double x[3] = {1, 2, 3};
  for (int i = 0; i < 3; i++) {
    double d[3] = {0};
    d[i] = 1;
    printf("%g\n", __enzyme_fwddiff((void *)f, enzyme_dup, x, d));
  }
  return 0;
}
