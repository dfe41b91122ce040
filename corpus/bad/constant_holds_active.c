// The address of active memory is kept in a constant plan.
// adj-exit: 3
// adj-message: a pointer to active memory is stored in memory
#include "adj.h"

struct plan {
  int n;
  double *work, *current;
};

__attribute__((noinline)) static void keep(struct plan *p, double *x) { p->current = x; }

__attribute__((noinline)) static double sum(const struct plan *p) {
  double s = 0;
  for (int k = 0; k < p->n; k++)
    s += p->current[k] * p->current[k];
  return s;
}

static double f(double *x, struct plan *p) {
  keep(p, x);
  return sum(p);
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, block[8] = {0};
  struct plan p = {4, block, block + 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &p);
  return dx[0] != 2;
}
