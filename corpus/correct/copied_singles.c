// Single floats that are copied as bytes, alone or as parts of structures, and overwritten in part.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct block {
  float m[3];
  float last;
};

static double set(float *out) {
  float own[1] = {-0.6798f};
  memcpy(out, own, sizeof own);
  return 0.5;
}

static double take(float *out, const float *in, int at) {
  out[0] = 0.5f;
  memcpy(out, in + at, sizeof *out);
  return 0.5;
}

static double down(struct block *b) {
  b[0] = b[1];
  b[1].m[1] = 0.5f;
  return 0.42f * (0.5f + b[1].last);
}

int main(void) {
  float a[1] = {0.8991f}, da[1] = {0.0185f};
  __enzyme_autodiff((void *)set, enzyme_dup, a, da);
  printf("%g %g\n", a[0], da[0]);
  float out[1] = {1.25f}, dout[1] = {-0.75f}, in[4] = {1, 2, 3, 4}, din[4] = {0.5f, 0.25f, 0.125f, 1.0f};
  __enzyme_autodiff((void *)take, enzyme_dup, out, dout, enzyme_dup, in, din, enzyme_const, 2);
  printf("%g %g %g %g %g\n", dout[0], din[0], din[1], din[2], din[3]);
  struct block b[2] = {{{-0.5f, -0.75f, 0.5f}, 2.0f}, {{0.25f, 1.0f, -1.0f}, 0.75f}};
  struct block db[2] = {{{0.5f, 0.25f, 1.5f}, -2.0f}, {{0.125f, -1.0f, 1.0f}, 3.0f}};
  __enzyme_autodiff((void *)down, enzyme_dup, b, db);
  for (int i = 0; i < 2; i++)
    printf("%g %g %g %g\n", db[i].m[0], db[i].m[1], db[i].m[2], db[i].last);
  return 0;
}
