// Pointers through integers: an offset in bytes, an address rounded up, and the distance of two.
#include "adj.h"
#include <stdint.h>
#include <stdlib.h>

static double *round_up(void *p) { return (double *)(((uintptr_t)p + 31) & ~(uintptr_t)31); }

static double field(const void *record, uintptr_t offset) { return *(const double *)((uintptr_t)record + offset); }

static double blend(const double *x, int n) {
  void *raw = malloc((size_t)n * sizeof(double) + 32);
  double *a = round_up(raw);
  for (int i = 0; i < n; i++) a[i] = x[i] * x[(i + 1) % n];
  const double *end = a + n;
  double s = 0.0;
  for (const double *p = a; p < end; p++) {
    intptr_t back = (intptr_t)((uintptr_t)end - (uintptr_t)p);
    s += field(a, (uintptr_t)n * sizeof(double) - (uintptr_t)back) * *(const double *)((uintptr_t)a + (uintptr_t)back - sizeof(double));
  }
  free(raw);
  return s;
}

int main(void) {
  double x[5] = {0.5, -1.0, 2.0, 0.25, 1.5}, dx[5] = {0};
  __enzyme_autodiff((void *)blend, enzyme_dup, x, dx, enzyme_const, 5);
  return dx[0] != 0.0 ? 0 : 1;
}
