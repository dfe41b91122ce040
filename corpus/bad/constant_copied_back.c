// One copy puts active numbers into constant memory, and another takes them from there.
// adj-exit: 3
// adj-message: memory that the call marks constant
#include "adj.h"

struct plan {
  int n;
  double *work, *current;
};

#include <string.h>

__attribute__((noinline)) static void copy(void *to, const void *from, int n) { memcpy(to, from, n * sizeof(double)); }

static double f(const double *x, struct plan *p) {
  double own[4], s = 0;
  copy(p->work, x, p->n);
  copy(own, p->work, p->n);
  for (int k = 0; k < p->n; k++)
    s += own[k] * own[k];
  return s;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, block[8] = {0};
  struct plan p = {4, block, block + 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &p);
  return dx[0] != 2;
}
