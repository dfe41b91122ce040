// A copy of memory that holds nothing but zeros, as one integer, over memory of the caller of which only parts are told
// to be numbers (there is no debug information): what nothing tells of is overwritten, too, and has no adjoint before.
//
// adj-flags: -g0
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

typedef long word __attribute__((may_alias, aligned(4)));

static double cleared(float *a) {
  double *zeros = calloc(1, sizeof(double));
  double was = a[0] * a[0];
  *(word *)a = *(word *)zeros;
  free(zeros);
  a[0] = 0.5f;
  return was;
}

// The first half is active.
static double halves(float *a, const float *x) {
  float *pair = calloc(2, sizeof(float));
  pair[0] = x[0] * x[0];
  *(word *)a = *(word *)pair;
  free(pair);
  a[0] *= 3;
  return x[0];
}

int main(void) {
  float a[2] = {0.7f, -1.2f}, da[2] = {0.3f, 0.9f};
  __enzyme_autodiff((void *)cleared, enzyme_dup, a, da);
  printf("%g %g\n", da[0], da[1]);
  float b[2] = {0.7f, -1.2f}, db[2] = {0.3f, 0.9f};
  printf("%g\n", __enzyme_fwddiff((void *)cleared, enzyme_dup, b, db));
  printf("%g %g\n", db[0], db[1]);

  float c[2] = {1, 2}, dc[2] = {0.5f, 0.25f}, x[1] = {3}, dx[1] = {0};
  __enzyme_autodiff((void *)halves, enzyme_dup, c, dc, enzyme_dup, x, dx);
  printf("%g %g %g\n", dc[0], dc[1], dx[0]);
  float e[2] = {1, 2}, de[2] = {0.5f, 0.25f}, y[1] = {3}, dy[1] = {1};
  __enzyme_fwddiff((void *)halves, enzyme_dup, e, de, enzyme_dup, y, dy);
  printf("%g %g\n", de[0], de[1]);
  return 0;
}
