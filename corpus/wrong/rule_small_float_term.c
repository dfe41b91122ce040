// A gradient in float that leaves a term out which is a millionth of the whole: far more than float literals can explain.
#include "adj.h"
#include <stdio.h>

static float energy(const float *x, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++)
    sum += 0.1f * x[i] * x[i] + x[i] * (1.0f / 1048576.0f);
  return sum;
}

static void denergy(const float *x, float *dx, int n, float seed) {
  for (int i = 0; i < n; i++)
    dx[i] += 0.1f * 2.0f * x[i] * seed; //~ wrong: rule
}

int main(void) {
  float x[3] = {1.5f, -0.75f, 2.25f}, dx[3] = {0};
  __adj_check_gradient((void *)energy, (void *)denergy, enzyme_dup, x, dx, enzyme_const, 3, 1.0f);
  printf("%.9g\n", energy(x, 3));
  return 0;
}
