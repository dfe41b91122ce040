// Words of the caller's memory, of which nothing tells that they are numbers, go through an array of words back to it.
// (Without optimisation a variable of type `uint64_t` is the target of the copy, and says that they are integers.)
// adj-exit: 3
// adj-levels: O1,O2,O3
// adj-message: the type of the moved integer is not known
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void f(const char *x, char *y, int n) {
  uint64_t turned[8];
  for (int i = 0; i < n; i++) {
    uint64_t word;
    memcpy(&word, x + 8 * i, sizeof word);
    turned[n - 1 - i] = word;
  }
  for (int i = 0; i < n; i++) memcpy(y + 8 * i, &turned[(3 * i) % n], 8);
}

int main(void) {
  double x[5] = {1.3, 2.4, -0.7, 3.9, 0.2}, dx[5] = {0}, y[5] = {0}, dy[5] = {1, 2, 3, 4, 5};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 5);
  printf("%g %g %g %g %g\n", dx[0], dx[1], dx[2], dx[3], dx[4]);
  return 0;
}
