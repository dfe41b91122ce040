// A derivative that lies far below the range of single precision: zero is its correctly rounded value, and loses nothing.
#include "adj.h"
#include <stdio.h>

extern float __enzyme_autodiff_shrink(void *, int, float *, float *);

static float shrink(float *a) {
  float last = 0.0f;
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 2; j++)
      a[j] = 0.16f * (a[0] * a[1]);
    last = 0.16f * (a[0] * a[0]);
  }
  return last;
}

int main(void) {
  float a[2] = {0.8437f, 0.8413f}, da[2] = {0};
  float r = __enzyme_autodiff_shrink((void *)shrink, enzyme_dup, a, da);
  printf("%g %g %g\n", (double)r, (double)da[0], (double)da[1]);
  return 0;
}
