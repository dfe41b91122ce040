// Every other word is under a code: which one is decoded, an index tells.
// adj-exit: 3
// adj-message: of an active float
#include "adj.h"
#include <stdint.h>
#include <string.h>

static double f(const double *x, int n) {
  uint64_t words[4];
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    uint64_t u;
    memcpy(&u, x + i, sizeof u);
    words[i] = i % 2 ? __builtin_bswap64(u) : u;
  }
  for (int i = 0; i < n; i++) {
    uint64_t u = __builtin_bswap64(words[i]);
    double y;
    memcpy(&y, &u, sizeof y);
    sum += y * y;
  }
  return sum;
}

int main(void) {
  double x[4] = {0.5, -1.25, 2.0, 1.25}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4);
}
