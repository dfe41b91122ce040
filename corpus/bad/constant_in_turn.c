// A recursion swaps memory of the function and constant memory.
// adj-exit: 3
// adj-message: memory that the call marks constant
#include "adj.h"

struct plan {
  int n;
  double *work, *current;
};

__attribute__((noinline)) static void square(double *from, double *to, int n, int depth) {
  for (int k = 0; k < n; k++)
    to[k] = from[k] * from[k];
  if (depth)
    square(to, from, n, depth - 1);
}

static double f(const double *x, struct plan *p) {
  double own[4], s = 0;
  for (int k = 0; k < p->n; k++)
    own[k] = x[k];
  square(own, p->work, p->n, 1);
  for (int k = 0; k < p->n; k++)
    s += own[k];
  return s;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, block[8] = {0};
  struct plan p = {4, block, block + 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &p);
  return dx[0] != 4;
}
