// One of many words in an array is under a code: more places than are told apart.
// adj-exit: 3
// adj-message: bits of an active float
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S {
  uint64_t w[33];
  uint64_t c;
};
#define KEY 0x0010000000000000ull
static double f(const double *x, const uint64_t *q) {
  struct S *s = malloc(sizeof *s);
  uint64_t u;
  double y = x[0] * x[0], z, t;
  s->w[0] = q[0];
  s->w[1] = q[1];
  s->w[2] = q[2];
  s->w[3] = q[3];
  s->w[4] = q[4];
  s->w[5] = q[5];
  s->w[6] = q[6];
  s->w[7] = q[7];
  s->w[8] = q[8];
  s->w[9] = q[9];
  s->w[10] = q[10];
  s->w[11] = q[11];
  s->w[12] = q[12];
  s->w[13] = q[13];
  s->w[14] = q[14];
  s->w[15] = q[15];
  s->w[16] = q[16];
  s->w[17] = q[17];
  s->w[18] = q[18];
  s->w[19] = q[19];
  s->w[20] = q[20];
  s->w[21] = q[21];
  s->w[22] = q[22];
  s->w[23] = q[23];
  s->w[24] = q[24];
  s->w[25] = q[25];
  s->w[26] = q[26];
  s->w[27] = q[27];
  s->w[28] = q[28];
  s->w[29] = q[29];
  s->w[30] = q[30];
  s->w[31] = q[31];
  s->w[32] = q[32];
  memcpy(&u, &y, 8);
  uint64_t k = u ^ KEY;
  s->c = k;
  memcpy(&t, &s->c, 8);
  uint64_t v = k ^ KEY;
  memcpy(&z, &v, 8);
  double r = z + t;
  free(s);
  return r;
}
int main(void) {
  static uint64_t q[33];
  double x[1] = {1.5}, dx[1] = {0};
  double v = f(x, q);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, q);
  printf("%g\n", dx[0]);
  puts("2.25 -> exponent bit flipped: t = y*2 or y/2; want refused, or 2x(1+0.5 or 2)");
  return 0;
}
