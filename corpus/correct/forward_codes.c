// Tangents of words under a code, in two directions.
#include "adj.h"
#include <stdint.h>
#include <string.h>

struct pair {
  double one, two;
};
struct pair __enzyme_fwddiff_pair(void *, ...);

static double f(const double *x, int n) {
  uint64_t wire[4];
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    uint64_t u;
    memcpy(&u, x + i, sizeof u);
    wire[i] = __builtin_bswap64(u) ^ 0x0123456789abcdefu;
  }
  for (int i = 0; i < n; i++) {
    uint64_t u = __builtin_bswap64(wire[i] ^ 0x0123456789abcdefu);
    double y;
    memcpy(&y, &u, sizeof y);
    sum += y * y;
  }
  return sum;
}

int main(void) {
  double x[3] = {0.5, -1.25, 2.0}, dx[3] = {1.0, 0.0, 0.0}, ddx[3] = {0.0, 1.0, 1.0};
  struct pair d = __enzyme_fwddiff_pair((void *)f, enzyme_width, 2, enzyme_dup, x, dx, ddx, enzyme_const, 3);
  return d.one != 1.0 || d.two != 1.5;
}
