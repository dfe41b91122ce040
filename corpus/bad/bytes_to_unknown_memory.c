// A structure is copied byte by byte to memory of the caller of which nothing tells what lies there: without
// optimisation and debug information only the structure that is read is known.
//
// adj-flags: -g0
// adj-levels: O0
// adj-exit: 3
// adj-message: the type of the moved integer is not known
#include "adj.h"

struct pair {
  double x, y;
};

static double f(struct pair *p) {
  for (unsigned long c = 0; c < sizeof p[2]; c++)
    ((unsigned char *)&p[2])[c] = ((unsigned char *)&p[0])[c];
  return 0.5;
}

int main(void) {
  struct pair p[3] = {{1, 2}, {3, 4}, {5, 6}}, dp[3] = {{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};
  __enzyme_autodiff((void *)f, enzyme_dup, p, dp);
  return 0;
}
