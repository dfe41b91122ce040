// Words of the caller's memory, of which nothing tells that they are numbers, are taken by a function, given to another one,
// and end in memory of the caller.
// adj-exit: 3
// adj-levels: O1,O2,O3
// adj-message: the type of the moved integer is not known
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct two {
  uint64_t first, second;
};

__attribute__((noinline)) static struct two taken(const char *from) {
  struct two two;
  memcpy(&two.first, from + 8, 8);
  memcpy(&two.second, from, 8);
  return two;
}

__attribute__((noinline)) static void put(char *to, uint64_t value) { memcpy(to, &value, sizeof value); }

static void f(const char *x, char *y, int n) {
  for (int i = 0; i + 1 < n; i += 2) {
    struct two two = taken(x + 8 * i);
    put(y + 8 * i, two.first);
    put(y + 8 * (i + 1), two.second);
  }
}

int main(void) {
  double x[4] = {1.3, 2.4, -0.7, 3.9}, dx[4] = {0}, y[4] = {0}, dy[4] = {1, 2, 3, 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 4);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
  return 0;
}
