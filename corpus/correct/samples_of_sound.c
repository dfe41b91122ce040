// Samples of sound as numbers from 0 to 1: the constant that makes them positive is a power of two, of which none of the fraction is left.
// Only where it is taken off again do such sums round.
#include "adj.h"
#include <math.h>
#include <stdio.h>

float __enzyme_autodiff_float(void *, ...);

static float level(const float *samples, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++) {
    float unsigned_sample = (samples[i] + 8388608.0f) / 16777216.0f;
    sum += unsigned_sample * unsigned_sample;
  }
  return sum;
}

// There and back: the number that the constant is taken off is not the one that it was added to, though it has the same bits.
static float amplified(float sample) {
  float unsigned_sample = (sample + 8388608.0f) / 16777216.0f;
  float back = unsigned_sample * 16777216.0f - 8388608.0f;
  return 1.5f * back;
}

int main(void) {
  float s[3] = {100.0f, -2000.0f, 31000.0f}, ds[3] = {0};
  __enzyme_autodiff((void *)level, enzyme_dup, s, ds, enzyme_const, 3);
  int wrong = 0;
  for (int i = 0; i < 3; i++) {
    printf("%g\n", ds[i]);
    wrong += fabs(ds[i] - 2.0 * (s[i] + 8388608.0) / (16777216.0 * 16777216.0)) > 1e-6 * ds[i];
  }
  float back = __enzyme_autodiff_float((void *)amplified, 77.0f);
  printf("%g\n", back);
  return wrong + (back != 1.5f);
}
