// The result is computed in single precision, and what depends on the input in it is less than a rounding: differences of
// the function see no change at all. Another answer comes from bytes that are swapped twice by hand.
#include "adj.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t turned(uint64_t w) {
  w = (w & 0xff00ff00ff00fful) << 8 | (w >> 8 & 0xff00ff00ff00fful);
  w = (w & 0xffff0000fffful) << 16 | (w >> 16 & 0xffff0000fffful);
  return w << 32 | w >> 32;
}

static double kept(double value) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  word = turned(turned(word));
  memcpy(&value, &word, sizeof value);
  return value;
}

static double f(double *x, double *y) {
  y[0] = kept(1e-4 * x[0] * x[1]);
  return cbrtf((float)(2e-7 * x[0] * x[1]) - 1.5f);
}

int main(void) {
  double x[2] = {0.75, 1.25}, dx[2] = {0}, y[1] = {0}, dy[1] = {1};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy);
  printf("%.17g %.17g\n", dx[0], dx[1]);
  return 0;
}
