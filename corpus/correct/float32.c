// Single precision throughout: float parameters, float memory, float libm.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

float __enzyme_autodiff_scalar(void *, float);
void __enzyme_autodiff_array(void *, int, float *, float *, int, int);

static float wave(float x) {
  return sinf(x) * expf(-0.3f * x) + sqrtf(x + 1.0f);
}

static float norm4(const float *x, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[i] * x[i];
  return powf(sum, 0.25f);
}

int main(void) {
  for (int i = 0; i < 4; i++) {
    float x = 0.4f * (float)i;
    printf("%.9g %.9g\n", wave(x), __enzyme_autodiff_scalar((void *)wave, x));
  }
  float v[5] = {0.5f, -1.25f, 2.0f, 0.75f, 1.5f}, dv[5] = {0};
  printf("%.9g\n", norm4(v, 5));
  __enzyme_autodiff_array((void *)norm4, enzyme_dup, v, dv, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.9g\n", dv[i]);
  return 0;
}
