// Single precision in the primal and in its gradient: float shadows, float arithmetic.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static float wave_energy(const float *x, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++)
    sum += sinf(x[i]) * x[i] * x[i];
  return sum;
}

static void dwave_energy(const float *x, float *dx, int n, float seed) {
  for (int i = 0; i < n; i++)
    dx[i] += seed * (cosf(x[i]) * x[i] * x[i] + 2.0f * sinf(x[i]) * x[i]);
}

int main(void) {
  float x[4] = {0.5f, -1.25f, 2.0f, 0.75f}, dx[4] = {0};
  __adj_check_gradient((void *)wave_energy, (void *)dwave_energy, enzyme_dup, x, dx, enzyme_const, 4, 1.0);
  printf("%.9g\n", (double)wave_energy(x, 4));
  for (int i = 0; i < 4; i++)
    printf("%.9g\n", (double)dx[i]);
  return 0;
}
