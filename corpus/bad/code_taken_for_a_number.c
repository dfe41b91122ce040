// Words with their bytes swapped are brought back, and taken for numbers as they are, too.
// adj-exit: 3
// adj-message: of an active float
#include "adj.h"
#include <stdint.h>
#include <string.h>

static double f(const double *x, double *out, int n) {
  uint64_t wire[4];
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    memcpy(wire + i, x + i, sizeof *wire);
    wire[i] = __builtin_bswap64(wire[i]);
  }
  for (int i = 0; i < n; i++) {
    uint64_t u = __builtin_bswap64(wire[i]);
    double y;
    memcpy(&y, &u, sizeof y);
    memcpy(out + i, wire + i, sizeof *out);
    sum += y * y + out[i];
  }
  return sum;
}

int main(void) {
  double x[4] = {0.5, -1.25, 2.0, 1.25}, dx[4] = {0}, out[4], dout[4] = {0.5, 0.5, 0.5, 0.5};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, out, dout, enzyme_const, 4);
}
