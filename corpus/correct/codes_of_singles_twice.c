// Numbers of single precision in words whose bytes are swapped, between numbers of double precision: the gradient is
// differentiated once more, so that what is rounded in between is a staircase in the answers.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static __attribute__((noinline)) float shown(uint32_t word) {
  float again;
  word = __builtin_bswap32(word);
  memcpy(&again, &word, sizeof again);
  return again;
}

static __attribute__((noinline)) uint32_t hidden(float plain) {
  uint32_t word;
  memcpy(&word, &plain, sizeof word);
  return __builtin_bswap32(word);
}

static double f(double *x) {
  float again = shown(hidden((float)x[4]));
  x[4] = 0.1 * again * 0.4159 + 0.15 * again;
  return 0.5;
}

static void gradient(double *x, double *dx) { __enzyme_autodiff((void *)f, enzyme_dup, x, dx); }

int main(void) {
  double x[5] = {0.1197, 1.0081, 0.2149, -0.751, 1.2084}, dx[5] = {0.6724, -1.3892, -0.6592, -1.1761, 0.4009};
  double u[5] = {1.2725, 1.3459, 0.3425, 0.8155, 1.2546}, v[5] = {0.6561, 0.8263, 0.0057, -0.7041, 0.2951};
  __enzyme_autodiff((void *)gradient, enzyme_dup, x, u, enzyme_dup, dx, v);
  for (int i = 0; i < 5; i++) printf("%.6f %.6f\n", u[i], v[i]);
  return 0;
}
