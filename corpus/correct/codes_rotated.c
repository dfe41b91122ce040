// Words rotated by shifts and combined with a key on the heap, read in another order.
#include "adj.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define KEY 0x5bd1e9955bd1e995u

static double mixed(const double *x, int n) {
  uint64_t *kept = malloc(n * sizeof *kept), *moved = malloc(n * sizeof *moved);
  for (int i = 0; i < n; i++) {
    uint64_t u;
    memcpy(&u, x + i, sizeof u);
    u ^= KEY;
    kept[i] = (u << 13) | (u >> 51);
  }
  memcpy(moved, kept, n * sizeof *kept);
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    uint64_t u = moved[n - 1 - i];
    u = ((u >> 13) | (u << 51)) ^ KEY;
    double y;
    memcpy(&y, &u, sizeof y);
    sum += (i + 1) * y * y;
  }
  free(kept);
  free(moved);
  return sum;
}

int main(void) {
  double x[5] = {0.5, -1.25, 2.0, 0.75, -0.5}, dx[5] = {0};
  __enzyme_autodiff((void *)mixed, enzyme_dup, x, dx, enzyme_const, 5);
  return dx[0] != 5.0;
}
