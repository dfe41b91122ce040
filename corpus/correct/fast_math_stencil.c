// Time steps of heat conduction under -ffast-math: contracted and reassociated updates of two buffers that change places.
// adj-flags: -ffast-math
#include "adj.h"
#include <stdio.h>

enum { N = 24, STEPS = 6 };

static double heat(const double *start, double rate) {
  double a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = b[i] = start[i];
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i + 1 < N; i++)
      b[i] = a[i] + rate * (a[i - 1] - 2.0 * a[i] + a[i + 1]) / 1.5;
    for (int i = 0; i < N; i++)
      a[i] = b[i];
  }
  double energy = 0.0;
  for (int i = 0; i < N; i++)
    energy += a[i] * a[i] / (1.0 + i);
  return energy;
}

int main(void) {
  double start[N], dstart[N] = {0};
  for (int i = 0; i < N; i++)
    start[i] = (i * 7) % 11 * 0.25;
  double drate = __enzyme_autodiff((void *)heat, enzyme_dup, start, dstart, enzyme_out, 0.2);
  printf("%.9g %.9g %.9g\n", dstart[1], dstart[12], drate);
  return 0;
}
