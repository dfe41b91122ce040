// Divisions turned into products with reciprocals, square roots of sums, largest values: what -ffast-math rewrites.
// adj-flags: -ffast-math
#include "adj.h"
#include <math.h>
#include <stdio.h>

static float normalise(const float *in, float *out, int n) {
  float largest = 0.0f, sum = 0.0f;
  for (int i = 0; i < n; i++) {
    sum += in[i] * in[i];
    largest = fmaxf(largest, in[i]);
  }
  float length = sqrtf(sum);
  for (int i = 0; i < n; i++)
    out[i] = in[i] / length / 3.0f + powf(in[i], 2.0f) / largest;
  return length + expf(-largest);
}

int main(void) {
  float in[9], out[9] = {0}, din[9] = {0}, dout[9];
  for (int i = 0; i < 9; i++) {
    in[i] = 0.3f + 0.2f * (float)((i * 5) % 9);
    dout[i] = 1.0f - 0.1f * (float)i;
  }
  __enzyme_autodiff((void *)normalise, enzyme_dup, in, din, enzyme_dup, out, dout, enzyme_const, 9);
  printf("%.5g %.5g %.5g\n", din[0], din[4], din[8]);
  return 0;
}
